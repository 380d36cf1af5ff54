"""The inputs of a run: captions, references, and the objects of pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Annotated, Any

from vericap.errors import InputError
from vericap.options.choices import CONFIDENCE, MEGAPIXELS
from vericap.options.declared import Between, Checked, option


@dataclass(frozen=True)
class Captioners:
    """Captions of several captioners, by name, all of the same images."""

    candidates: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Inputs(Checked):
    """Files or Python objects.

    `candidates` is {id: caption}, [{"image_id", "caption"}], a list of captions, a path, `Captioners`, or a ready
    `vericap.Corpus`; `references` is {id: [caption]}, a COCO annotations dict, a list of lists aligned by position,
    or a path.

    >>> Inputs({1: "a dog"}, {1: ["the dog"]}).confidence
    0.5
    """

    candidates: Any = option(
        MISSING,
        "Captions to score: COCO results, JSON Lines, CSV, Parquet or text; - is stdin.",
        type=str,
        argument=True,
    )
    references: Any = option(
        None,
        "Reference captions; repeat the option for text files with one reference per line.",
        flags=("--references", "-r"),
        type=list[Path],
    )
    objects: Any = option(
        None,
        "Objects in the images: labels, COCO, VOC or Open Images; several files are united.",
        type=list[Path],
        python="{id: [label, …]}, COCO instances, a detector's output, a path, or a list of paths.",
    )
    confidence: float | Sequence[float] = option(
        CONFIDENCE, "Minimum confidence of a detected object; once, or once per file of objects.", type=list[float]
    )
    regions: Any = option(
        None,
        "Region features for FAIEr: .npz, Parquet, safetensors, or a bottom-up TSV file.",
        type=str,
        python="A path, or a table of regions.",
    )
    split: str | None = option(
        None, "Split of the references to use, such as val, where they say to which one an image belongs."
    )
    field: Mapping[str, str] | Sequence[str] | None = option(
        None,
        "Column of a role (image_id, caption, references, label, confidence), as in caption=answer; repeatable.",
        type=list[str],
        python='Also as {"caption": "answer"}.',
        former=("columns",),
    )
    images: str | Path | None = option(
        None, "Pictures: a folder of files named by image id, for metrics and --html; or a URL with {id}.", type=str
    )
    detector: Any = option(
        None,
        "Detector that finds objects in --images, such as ssd, which is used if metrics need objects.",
        type=str,
        python='With options as in "ssd(threshold=0.4)"; or a `Detector`.',
    )
    cache: str | Path | None = option(
        None, "Cache folder for detections, picture features and graphs; graphs have one without it too.", type=str
    )
    keep_graphs: bool = option(True, "Keep scene graphs of captions for the next run.")
    megapixels: Annotated[float, Between(0, 10_000)] = option(
        MEGAPIXELS, "Largest picture that is read, in megapixels."
    )

    called = "a run"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "field", columns_of(self.field))


def columns_of(given: Mapping[str, str] | Sequence[str] | None) -> dict[str, str]:
    """Return the names of columns by role, from `role=column` as the command line gives them.

    >>> columns_of(["caption=answer", "image_id=file"])
    {'caption': 'answer', 'image_id': 'file'}
    """
    if isinstance(given, Mapping):
        return dict(given)
    columns: dict[str, str] = {}
    for text in [given] if isinstance(given, str) else given or ():
        role, sign, column = text.partition("=")
        if not sign or not role or not column:
            raise InputError(f"{text!r} is not role=column", field="field", fix="write for example caption=answer")
        if role in columns:
            raise InputError(f"{role} is given twice", field="field", fix="name one column for each role")
        columns[role] = column
    return columns
