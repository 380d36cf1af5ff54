"""The development set: captions of COCO val2014 whose truth is known, each with four references of a picture.

Of 500 pictures: the fifth caption of the picture (own), one of a similar picture (near), of a less similar one (far),
of two random ones (random), and the own caption spoilt in every way that it offers. Pictures of Composite and of
Karpathy's test split are left out. `f1` says how far the objects of the caption's picture are those of this one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from benchmarks.places import COCO_LABELS, DATA
from tools.verity import spoilt
from tools.verity.captions import Captions, likeness, read_captions
from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.metrics.base import Metric
from vericap.views import Views

PICTURES, POOL, SEED = 500, 40_000, 1
GRADES = {"own": 3, "near": 2, "far": 1, "random": 0}


class Row(NamedTuple):
    """A caption with the references of a picture."""

    image: int
    references: tuple[str, ...]
    caption: str
    kind: str  # own, near, far, random, or the way it was spoilt
    f1: float | None  # of the objects in both pictures; None for spoilt captions


@cache
def development() -> list[Row]:
    """Return the rows, the same for the same neighbours; another BLAS may swap neighbours that are equally near."""
    random = Random(SEED)
    captions, neighbours = read_captions("val2014"), likeness("val2014").neighbours
    gold, left_out = gold_objects(), test_images()
    usable = [
        place
        for place, image in enumerate(captions.images)
        if image in gold and image not in left_out and len(captions.of(place)) == 5
    ]
    chosen = random.sample(usable, PICTURES)
    pool = spoilt.make_pool(random.sample(captions.texts, POOL), random)
    rows: list[Row] = []
    for place in chosen:
        near = [other for other in neighbours[place][1:].tolist() if captions.images[other] in gold]
        sources = [("near", near[:4]), ("far", near[-12:]), ("random", usable), ("random", usable)]
        rows += _rows_of(captions, place, sources, gold, random, pool)
    return rows


def _rows_of(
    captions: Captions,
    place: int,
    sources: Sequence[tuple[str, Sequence[int]]],
    gold: dict[int, set[str]],
    random: Random,
    pool: spoilt.Pool,
) -> list[Row]:
    image, (own, *rest) = captions.images[place], random.sample(captions.of(place), 5)
    references, objects = tuple(rest), gold[captions.images[place]]
    rows = [Row(image, references, own, "own", 1.0)]
    for kind, places in sources:
        other = random.choice(places)
        theirs = gold[captions.images[other]]
        shared = 2 * len(objects & theirs) / (len(objects) + len(theirs))
        rows.append(Row(image, references, random.choice(captions.of(other)), kind, shared))
    words = spoilt.split(own)
    for kind, spoil in spoilt.KINDS.items():
        found = spoil(words, random, pool)
        if found and found != words:
            rows.append(Row(image, references, " ".join(found), kind, None))
    return rows


def gold_objects(path: Path = COCO_LABELS) -> dict[int, set[str]]:
    """Return the objects that people annotated in each image of COCO val2014."""
    lines = (line.partition("\t") for line in path.read_text("utf-8").splitlines())
    return {int(image): set(labels.split(",")) for image, _, labels in lines}


def test_images() -> set[int]:
    """COCO's images in test sets: Composite's and Karpathy's."""
    listed = (DATA / "coco_objects" / "karpathy_test_ids.txt").read_text("utf-8").split()
    composite = json.loads((DATA / "composite" / "composite_joined.json").read_text("utf-8"))
    numbers = (re.findall(r"\d+", str(row["image_id"]))[-1] for row in composite if "coco" in row["dataset"])
    return {int(image) for image in [*listed, *numbers]}


def views_of(rows: Sequence[Row], workers: int = 1) -> Views:
    """Return the rows as a corpus, those of one picture sharing its references."""
    places = {image: place for place, image in enumerate(dict.fromkeys(row.image for row in rows))}
    references = {row.image: row.references for row in rows}
    corpus = Corpus(
        [row.image for row in rows],
        [row.caption for row in rows],
        np.array([places[row.image] for row in rows], np.int64),
        [text for image in places for text in references[image]],
        np.cumsum([0, *(len(references[image]) for image in places)]),
    )
    return Views(corpus, workers=workers)


def scores(rows: Sequence[Row], metric: Metric, views: Views | None = None) -> Floats:
    """Return the score of each row by a metric."""
    views = views or views_of(rows)
    metric.check(views)
    return metric.score(metric.statistics(views))
