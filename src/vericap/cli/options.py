"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Candidates = Annotated[
    str, typer.Argument(help="Captions to score: COCO results, JSON Lines, CSV, Parquet, text; - is stdin.")
]
References = Annotated[
    list[str] | None,
    typer.Option("--references", "-r", help="Reference captions; give it several times for one text file a reference."),
]
Objects = Annotated[
    list[str] | None,
    typer.Option("--objects", help="Objects in the images: labels, COCO, VOC, Open Images; several files are united."),
]
Confidence = Annotated[
    list[float] | None,
    typer.Option("--confidence", help="From where on a detector's objects count (0.5); once, or once a file."),
]
Regions = Annotated[
    str | None,
    typer.Option("--regions", help="Region features: .npz, Parquet, safetensors, or a bottom-up TSV file."),
]
Images = Annotated[
    str | None, typer.Option("--images", help="A folder of pictures, for --detector; files are named by image id.")
]
Detector = Annotated[
    str | None, typer.Option("--detector", help="The plug-in that finds objects and regions in --images.")
]
Metrics = Annotated[
    str, typer.Option("--metrics", "-m", help="Keys such as bleu-4,cider-r(k_r=0.5), or default, or all.")
]
Tokenizer = Annotated[str, typer.Option(help="ptb (COCO's), unicode (any language), whitespace, rouge, none.")]
Language = Annotated[str, typer.Option(help="Language of the captions.")]
DocumentFrequency = Annotated[str, typer.Option("--df", help="CIDEr's document frequencies: corpus, coco, or a file.")]
Repeated = Annotated[
    Literal["error", "keep"], typer.Option(help="Several candidates for one image: refuse or keep them.")
]
Missing = Annotated[
    Literal["error", "drop", "zero"], typer.Option(help="Images without references or objects: refuse, drop, score 0.")
]
Workers = Annotated[int, typer.Option(help="Cores to use; 0 is all of them.")]
Format = Annotated[str | None, typer.Option(help="rich, plain, markdown, latex, csv or html.")]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]


def files(paths: list[str] | None) -> list[Path] | None:
    """Paths as the readers take several of them; none as None."""
    return [Path(path) for path in paths] if paths else None


def thresholds(confidence: list[float] | None) -> list[float]:
    """Confidence of detectors as given, or the default."""
    from vericap.choices import CONFIDENCE

    return confidence or [CONFIDENCE]
