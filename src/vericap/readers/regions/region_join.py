"""Regions of a corpus's images, matched by image id as captions are."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike

from vericap.corpus import Corpus, Regions, canonical
from vericap.options.choices import Missing
from vericap.readers.id_matching import Images, images_of, match_images
from vericap.readers.missing import without
from vericap.readers.regions.region_files import read_regions


def add_regions(corpus: Corpus, regions: str | PathLike[str] | Regions, *, missing: Missing = "error") -> Corpus:
    """The corpus with the regions of its images, from a path or a table; `missing` as for objects."""
    if isinstance(regions, (str, PathLike)):
        regions = read_regions(regions, {canonical(image_id) for image_id in corpus.image_ids})
    source = regions.source
    named = Images(regions.image_ids, lambda image: (source, image + 1))
    lacking = (match_images(images_of(corpus), named) < 0)[corpus.image]
    corpus = replace(corpus, regions=regions)
    return without(corpus, lacking, missing, "regions", source) if lacking.any() else corpus
