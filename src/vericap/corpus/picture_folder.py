"""The pictures of a corpus: a folder, in which metrics that look at pictures find them by image id."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vericap.options.choices import MEGAPIXELS, Missing


@dataclass(frozen=True)
class PictureFolder:
    """A folder of pictures named by image id. `cache` is the folder where what networks compute for them is kept, and
    `missing` says what becomes of captions whose picture is not there or cannot be read;
    larger pictures than `megapixels` are not read."""

    folder: Path
    cache: Path | None = None
    missing: Missing = "error"
    megapixels: float = MEGAPIXELS
