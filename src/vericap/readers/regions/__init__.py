"""Regions of images with their feature vectors, from a detector's output files."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from os import PathLike

from vericap.corpus import Corpus, Regions, canonical
from vericap.errors import InputError
from vericap.options.choices import Missing
from vericap.readers.fields import Wanted
from vericap.readers.files import PARQUET, File
from vericap.readers.formats import Content, Format
from vericap.readers.id_matching import Images, images_of, match_images, without
from vericap.readers.regions.bottom_up import read_bottom_up
from vericap.readers.regions.region_arrays import read_npz, read_safetensors
from vericap.readers.regions.region_rows import from_rows, read_parquet

__all__ = ["add_regions", "read_regions"]

REGIONS = Content(
    "regions",
    (
        Format("npz", lambda file, _: file.head.startswith(b"PK") or file.extension == ".npz", read_npz),
        Format(
            "parquet",
            lambda file, _: file.head.startswith(PARQUET) or file.extension in (".parquet", ".pq"),
            read_parquet,
        ),
        Format("safetensors", lambda file, _: file.extension == ".safetensors", read_safetensors),
        Format("bottom-up", lambda file, _: file.extension in (".tsv", ".csv", ".txt"), read_bottom_up),
    ),
    from_rows,
)


def read_regions(path: str | PathLike[str], images: Container[str] | None = None) -> Regions:
    """Return the regions of a file. `images` holds canonical image ids: of a file that is read row by row, only those
    are kept."""
    file = File(path)
    if file.is_standard_input or (not file.is_regular and file.head):
        # They are mapped into memory, or read row by row.
        raise InputError("regions cannot be read from a pipe", source=file.name, fix="save them as a file")
    return REGIONS.read(file, Wanted(images=images))


def add_regions(corpus: Corpus, regions: str | PathLike[str] | Regions, *, missing: Missing = "error") -> Corpus:
    """Return the corpus with the regions of its images, from a path or a table; `missing` as for objects."""
    if isinstance(regions, (str, PathLike)):
        regions = read_regions(regions, {canonical(image_id) for image_id in corpus.image_ids})
    source = regions.source
    named = Images(regions.image_ids, lambda image: (source, image + 1))
    lacking = (match_images(images_of(corpus), named) < 0)[corpus.image]
    corpus = replace(corpus, regions=regions)
    return without(corpus, lacking, missing, "regions", source) if lacking.any() else corpus
