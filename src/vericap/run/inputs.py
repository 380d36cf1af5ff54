"""What a run is given: captions, references, and what the pictures show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vericap.choices import CONFIDENCE

if TYPE_CHECKING:
    from vericap.vision.detectors import Detector


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
    images: str | Path | None = field(
        default=None,
        metadata={"help": "Folder of pictures, each named by its image id, for --detector.", "type": str},
    )
    detector: str | Detector | None = field(
        default=None, metadata={"help": "Detector that finds objects and regions in --images.", "type": str}
    )
