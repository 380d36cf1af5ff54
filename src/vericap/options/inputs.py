"""What a run is given: captions, references, and what the pictures show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.options.choices import CONFIDENCE, MEGAPIXELS
from vericap.options.declared import Between


@dataclass(frozen=True)
class Captioners:
    """Captions of several captioners, by name, all of the same images."""

    candidates: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Inputs:
    """Files or Python objects. The command line makes its options from these fields, with `help` as their text.

    `candidates` is {id: caption}, [{"image_id", "caption"}], a list of captions, a path, `Captioners`, or a ready
    `vericap.Corpus`; `references` is {id: [caption]}, a COCO annotations dict, a list of lists aligned by position,
    or a path. `objects` is {id: [label]}, COCO instances, a detector's output, a path or a list of paths. `regions` is
    a path or a table of regions.

    >>> Inputs({1: "a dog"}, {1: ["the dog"]}).confidence
    0.5
    """

    candidates: Any = field(
        metadata={
            "help": "Captions to score: COCO results, JSON Lines, CSV, Parquet or text; - is stdin.",
            "type": str,
            "argument": True,
        }
    )
    references: Any = field(
        default=None,
        metadata={
            "help": "Reference captions; repeat the option for text files with one reference per line.",
            "flags": ("--references", "-r"),
            "type": list[Path],
        },
    )
    objects: Any = field(
        default=None,
        metadata={
            "help": "Objects in the images: labels, COCO, VOC or Open Images; repeat the option to unite files.",
            "type": list[Path],
        },
    )
    confidence: float | Sequence[float] = field(
        default=CONFIDENCE,
        metadata={
            "help": "Minimum confidence of a detected object; once, or once per file of objects.",
            "type": list[float],
        },
    )
    regions: Any = field(
        default=None,
        metadata={"help": "Region features: .npz, Parquet, safetensors, or a bottom-up TSV file.", "type": str},
    )
    split: str | None = field(
        default=None,
        metadata={
            "help": "Split of the references to use, where they say to which one an image belongs.",
            "type": str,
        },
    )
    columns: Mapping[str, str] | Sequence[str] | None = field(  # {"caption": "answer"}, or ["caption=answer"]
        default=None,
        metadata={
            "help": "Column of a role: image_id, caption, references, label or confidence; caption=answer. Repeatable.",
            "flags": ("--field",),
            "type": list[str],
        },
    )
    images: str | Path | None = field(
        default=None,
        metadata={
            "help": "Pictures: a folder of files named by image id, for metrics and --html; or a URL with {id}.",
            "type": str,
        },
    )
    detector: Any = field(  # a name, or a `Detector`
        default=None,
        metadata={"help": "Detector that finds objects in --images; ssd if metrics need objects.", "type": str},
    )
    cache: str | Path | None = field(
        default=None,
        metadata={"help": "Folder where what models find in pictures is kept for the next run.", "type": str},
    )
    megapixels: float = field(
        default=MEGAPIXELS, metadata={"help": "Largest picture that is read, in megapixels.", "type": float}
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", columns_of(self.columns))
        if not (bounds := Between(0, 10_000)).holds(self.megapixels):
            fix = f"use {bounds.in_words()}"
            raise InputError(f"megapixels={self.megapixels} is not a size", field="megapixels", fix=fix)


def columns_of(given: Mapping[str, str] | Sequence[str] | None) -> dict[str, str]:
    """The names of columns by role, from `role=column` as the command line gives them.

    >>> columns_of(["caption=answer", "image_id=file"])
    {'caption': 'answer', 'image_id': 'file'}
    """
    if not given:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    columns: dict[str, str] = {}
    for text in [given] if isinstance(given, str) else given:
        role, sign, column = text.partition("=")
        if not sign or not role or not column:
            raise InputError(f"{text!r} is not role=column", field="field", fix="write for example caption=answer")
        if role in columns:
            raise InputError(f"{role} is given twice", field="field", fix="name one column for each role")
        columns[role] = column
    return columns
