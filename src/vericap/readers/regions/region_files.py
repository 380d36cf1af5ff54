"""Region features of a file in any format that is known."""

from __future__ import annotations

from collections.abc import Container
from os import PathLike

from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.readers import formats
from vericap.readers.fields import Wanted
from vericap.readers.files import File


def read_regions(path: str | PathLike[str], images: Container[str] | None = None) -> Regions:
    """The regions of a file. `images` holds canonical image ids: a file that is read row by row keeps only those."""
    file = File(path)
    if file.is_standard_input or (not file.is_regular and file.head):
        # They are mapped into memory, or read row by row.
        raise InputError("regions cannot be read from a pipe", source=file.name, fix="save them as a file")
    regions: Regions = formats.read("regions", file, Wanted(images=images))
    return regions
