"""`vericap detect`: what is in pictures, for `--objects` and for other tools."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vericap.errors import InputError
from vericap.options.choices import CONFIDENCE, MEGAPIXELS, Missing
from vericap.options.declared import Between, Checked, option

if TYPE_CHECKING:
    from vericap.vision.folder import FolderObjects


@dataclass(frozen=True)
class Detecting(Checked):
    """Options of looking at pictures."""

    detector: str = option("ssd", "Detector, such as ssd.")
    confidence: Annotated[float, Between(0, 1)] = option(CONFIDENCE, "Minimum confidence of a detected object.")
    missing: Missing = option("error", "Pictures that cannot be read: refuse, leave out, or write without objects.")
    cache: Path | None = option(None, "Cache folder for detections.")
    megapixels: Annotated[float, Between(0, 10_000)] = option(
        MEGAPIXELS, "Largest picture that is read, in megapixels."
    )
    workers: Annotated[int, Between(0, 4096)] = option(0, "Cores to use; 0 means all of them.")

    called = "vericap detect"

    def look(self, folder: Path) -> FolderObjects:
        """The pictures of a folder, ready to be looked at."""
        from vericap.vision.cache import PictureCache
        from vericap.vision.detection import Reading
        from vericap.vision.detectors import find_detector
        from vericap.vision.folder import FolderObjects

        detector = find_detector(self.detector)
        cache = None if self.cache is None else PictureCache(self.cache)
        reading = Reading(self.workers, cache, self.megapixels)
        return FolderObjects(folder, detector, self.confidence, self.missing, reading)


def detect(
    folder: Annotated[Path, typer.Argument(help="Folder of pictures, named by image id.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write one line of JSON per picture; - is stdout.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write everything to this file as JSON; - is stdout.")] = None,
    *,
    detecting: Detecting,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary, progress or notes.")] = False,
) -> None:
    """Find the objects in pictures: labels, boxes and confidence."""
    from vericap.cli.output import progress_bar, say
    from vericap.engine.progress import watched
    from vericap.show.screen import visible
    from vericap.written import check_writable

    if str(output) == str(json) == "-":
        raise InputError("--output and --json are both stdout", fix="write one of them to a file")
    for name, path in (("output", output), ("json", json)):
        if path is not None:
            check_writable(path, name)
    found = detecting.look(folder)
    with progress_bar(quiet) as bar, watched(lambda part: bar and bar("looking at pictures", 2 * part, 1)):
        _write(found, output, json)
    if not quiet:
        on_stdout = "-" in (str(output), str(json))
        typer.echo(visible(found.summary()), err=on_stdout)
        say(found.notes(), quiet)


def _write(found: FolderObjects, output: Path | None, json: Path | None) -> None:
    """Write rows to the file as they come, unless the one JSON document needs all of them."""
    import orjson

    from vericap.cli.output import write

    rows = found.rows() if json is None else [*found.rows()]
    if output is not None:
        write(output, (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))
    else:
        deque(rows, maxlen=0)  # looks at the pictures
    if json is not None:
        from vericap.results.plain import versions

        about = {
            **versions(),
            "detector": found.detector.name,
            "confidence": found.confidence,
            "pictures": rows,
            "unreadable": [{"file": error.source, "problem": error.problem} for error in found.errors],
        }
        write(json, [orjson.dumps(about, option=orjson.OPT_INDENT_2) + b"\n"])
