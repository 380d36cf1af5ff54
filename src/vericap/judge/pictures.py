"""What the pictures of a benchmark show, read once and given to every corpus made of its captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from vericap.corpus import Corpus
from vericap.judge.judgements import Choices, Ratings
from vericap.judge.scoring import Prepare
from vericap.vision.add_pictures import add_pictures


def with_pictures(
    judged: Ratings | Choices,
    objects: Any,
    regions: Any,
    confidence: float | Sequence[float],
    missing: Literal["error", "drop", "zero"],
) -> tuple[Ratings | Choices, Prepare, tuple[str, ...]]:
    """The judgements whose pictures are known, what adds objects and regions to a corpus of them, and notes.

    A picture that is shown several times is looked up once. `missing` "drop" leaves out the items of pictures of
    which nothing is known.
    """
    images = list(dict.fromkeys(judged.image_ids))
    bare = add_pictures(
        Corpus(images, [""] * len(images), np.arange(len(images))),
        objects,
        regions,
        confidence=confidence,
        missing="error" if missing == "error" else "zero",
    )
    known = np.ones(len(images), bool)
    if bare.objects is not None:
        known &= bare.objects.known
    if bare.regions is not None:
        known &= np.asarray(bare.regions.find(images)) >= 0
    notes, image = bare.notes if missing != "drop" else (), judged.clusters()
    if missing == "drop" and not known.all():
        lost = int((~known[image]).sum())
        notes = (f"{lost:,} of {len(image):,} items left out: nothing is known of their pictures",)
        judged, image = judged.keep(known[image]), image[known[image]]
    shown = None if bare.objects is None else bare.objects.keep(image)

    def prepare(corpus: Corpus) -> Corpus:
        return replace(corpus, objects=shown, regions=bare.regions)

    return judged, prepare, notes
