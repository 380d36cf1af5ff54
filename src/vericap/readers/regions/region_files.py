"""Region features from .npz, Parquet, safetensors or the public bottom-up TSV files."""

from __future__ import annotations

from collections.abc import Container
from os import PathLike

from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.readers.files import PARQUET, extension, name_of

FORMATS = "give .npz, .parquet, .safetensors, or .tsv with image_id, image_w, image_h, num_boxes, boxes, features"


def read_regions(path: str | PathLike[str], wanted: Container[str] | None = None) -> Regions:
    """The regions of a file. `wanted` holds canonical image ids: a file that is read row by row keeps only those."""
    source, kind = name_of(path), extension(path)
    try:
        with open(path, "rb") as file:  # noqa: PTH123  # also takes str
            start = file.read(16)
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise InputError(problem, source=source, fix="check the path") from None
    if start.startswith(b"PK") or kind == ".npz":
        from vericap.readers.regions.region_arrays import read_npz

        return read_npz(path, source)
    if start.startswith(PARQUET) or kind in (".parquet", ".pq"):
        from vericap.readers.regions.region_parquet import read_parquet

        return read_parquet(path, source, wanted)
    if kind == ".safetensors":
        from vericap.readers.regions.region_arrays import read_safetensors

        return read_safetensors(path, source)
    if kind in (".tsv", ".csv", ".txt"):
        from vericap.readers.regions.bottom_up import read_bottom_up

        return read_bottom_up(path, source, wanted)
    raise InputError(
        f"{kind or 'a file without extension'} is no format of region features", source=source, fix=FORMATS
    )
