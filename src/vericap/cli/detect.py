"""`vericap detect`: what is in pictures, for `--objects` and for other tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vericap.choices import CONFIDENCE, MEGAPIXELS, Missing
from vericap.cli.options import Workers
from vericap.declared import Between
from vericap.errors import InputError

if TYPE_CHECKING:
    from vericap.vision.folder import FolderObjects


def detect(
    folder: Annotated[Path, typer.Argument(help="Folder of pictures, named by image id.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write one line of JSON per picture; - is stdout.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write everything to this file as JSON; - is stdout.")] = None,
    detector: Annotated[str, typer.Option(help="Detector, such as ssd.")] = "ssd",
    confidence: Annotated[float, typer.Option(help="Minimum confidence of a detected object.")] = CONFIDENCE,
    missing: Annotated[
        Missing, typer.Option(help="Pictures that cannot be read: refuse, leave out, or write without objects.")
    ] = "error",
    cache: Annotated[Path | None, typer.Option(help="Folder where what was found is kept for the next run.")] = None,
    megapixels: Annotated[float, typer.Option(help="Largest picture that is read, in megapixels.")] = MEGAPIXELS,
    workers: Workers = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary, progress or notes.")] = False,
) -> None:
    """Find the objects in pictures: labels, boxes and confidence."""
    from vericap.cli.output import progress_bar
    from vericap.engine.progress import watched
    from vericap.show.visible import visible
    from vericap.vision.cache import PictureCache
    from vericap.vision.detection import Reading
    from vericap.vision.detectors import find_detector
    from vericap.vision.folder import FolderObjects

    _check(output, json, confidence, megapixels, workers)
    kept = None if cache is None else PictureCache(cache)
    reading = Reading(workers, kept, megapixels)
    found = FolderObjects(folder, find_detector(detector), confidence, missing, reading)
    with progress_bar(quiet) as bar, watched(lambda part: bar and bar("looking at pictures", 2 * part, 1)):
        _write(found, output, json)
    if not quiet:
        on_stdout = "-" in (str(output), str(json))
        typer.echo(visible(found.summary()), err=on_stdout)
        for note in found.notes():
            typer.echo(visible(f"note: {note}"), err=True)


def _check(output: Path | None, json: Path | None, confidence: float, megapixels: float, workers: int) -> None:
    """What is wrong is said before any picture is looked at."""
    from vericap.written import check_writable

    if str(output) == str(json) == "-":
        raise InputError("--output and --json are both stdout", fix="write one of them to a file")
    for name, path in (("output", output), ("json", json)):
        if path is not None:
            check_writable(path, name)
    limits = {"confidence": (confidence, Between(0, 1)), "megapixels": (megapixels, Between(0, 10_000))}
    for name, (value, bounds) in {**limits, "workers": (workers, Between(0, 4096))}.items():
        if not bounds.holds(value):
            raise InputError(f"{name}={value} is out of bounds", field=name, fix=f"use {bounds.in_words()}")


def _write(found: FolderObjects, output: Path | None, json: Path | None) -> None:
    """Rows go to the file as they come; the one JSON document needs all of them."""
    import orjson

    from vericap.cli.output import write

    rows = []

    def lines() -> Iterator[bytes]:
        for row in found.rows():
            if json is not None:
                rows.append(row)
            yield orjson.dumps(row) + b"\n"

    if output is None:
        for _ in lines():
            pass
    else:
        write(output, lines())
    if json is not None:
        from vericap.version import __version__

        about = {
            "vericap": __version__,
            "detector": found.detector.name,
            "confidence": found.confidence,
            "pictures": rows,
            "unreadable": [{"file": error.source, "problem": error.problem} for error in found.errors],
        }
        write(json, [orjson.dumps(about, option=orjson.OPT_INDENT_2) + b"\n"])
