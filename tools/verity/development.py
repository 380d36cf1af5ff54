"""The development sets: captions whose truth is known, each beside four references of a picture.

The fifth caption of the picture (own), one of a similar picture (near), of a less similar one (far), of two
random ones (random), and the own caption spoilt in every way that it offers. `development` takes 500 pictures of
COCO val2014, without those of Composite and of Karpathy's test split; `f1` says how far the objects of the caption's
picture are those of this one. `flickr8k` takes 1,000 pictures of Flickr8k's training split, without those of Composite;
none of them, and none of their captions, is in Flickr8k-Expert or Flickr8k-CF.
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
from tools.verity.captions import EACH, Captions, likeness, nearest, read_captions, word_vectors
from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.metrics.base import Metric
from vericap.views import Views

PICTURES, FLICKR8K_PICTURES, POOL, SEED = 500, 1000, 40_000, 1
GRADES = {"own": 3, "near": 2, "far": 1, "random": 0}


class Row(NamedTuple):
    """A caption beside the references of a picture."""

    image: int
    references: tuple[str, ...]
    caption: str
    kind: str  # own, near, far, random, or the way it was spoilt
    f1: float | None  # of the objects in both pictures; None for spoilt captions, and where objects are not known


@cache
def development() -> list[Row]:
    """The rows, the same for the same neighbours; another BLAS may swap neighbours that are equally near."""
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


@cache
def flickr8k(folder: Path = DATA / "flickr8k") -> list[Row]:
    """The same of Flickr8k's training split; no objects are known there."""
    random, captions = Random(SEED), flickr8k_captions(folder)
    places = range(len(captions.images))
    neighbours = nearest(word_vectors([" ".join(captions.of(place)) for place in places]))
    pool = spoilt.make_pool(list(captions.texts), random)
    rows: list[Row] = []
    for place in random.sample(places, FLICKR8K_PICTURES):
        near = neighbours[place][1:].tolist()
        sources = [("near", near[:4]), ("far", near[-12:]), ("random", places), ("random", places)]
        rows += _rows_of(captions, place, sources, None, random, pool)
    return rows


def flickr8k_captions(folder: Path) -> Captions:
    """Five captions of each picture of Flickr8k's training split that Composite does not have. A picture's number is
    the one that its file's name begins with."""
    training = set((folder / "Flickr_8k.trainImages.txt").read_text("utf-8").split())
    composite = json.loads((DATA / "composite" / "composite_joined.json").read_text("utf-8"))
    left_out = {int(re.findall(r"\d+", str(row["image_id"]))[0]) for row in composite if "flickr" in row["dataset"]}
    by_image: dict[int, list[str]] = {}
    for line in (folder / "Flickr8k.token.txt").read_text("utf-8").splitlines():
        key, _, text = line.partition("\t")
        name = key.partition("#")[0]
        number = int(name.partition("_")[0])
        if name in training and number not in left_out:
            by_image.setdefault(number, []).append(" ".join(text.split()))
    images = sorted(image for image, texts in by_image.items() if len(texts) == EACH)
    texts = [text for image in images for text in by_image[image]]
    return Captions(images, texts, list(range(0, len(texts) + 1, EACH)))


def _rows_of(
    captions: Captions,
    place: int,
    sources: Sequence[tuple[str, Sequence[int]]],
    gold: dict[int, set[str]] | None,
    random: Random,
    pool: spoilt.Pool,
) -> list[Row]:
    image, (own, *rest) = captions.images[place], random.sample(captions.of(place), 5)
    references, objects = tuple(rest), gold[image] if gold else set()
    rows = [Row(image, references, own, "own", 1.0 if gold else None)]
    for kind, places in sources:
        other = random.choice(places)
        theirs = gold[captions.images[other]] if gold else set()
        shared = 2 * len(objects & theirs) / (len(objects) + len(theirs)) if gold else None
        rows.append(Row(image, references, random.choice(captions.of(other)), kind, shared))
    words = spoilt.split(own)
    for kind, spoil in spoilt.KINDS.items():
        found = spoil(words, random, pool)
        if found and found != words:
            rows.append(Row(image, references, " ".join(found), kind, None))
    return rows


def gold_objects(path: Path = COCO_LABELS) -> dict[int, set[str]]:
    """The objects that people annotated in each image of COCO val2014."""
    lines = (line.partition("\t") for line in path.read_text("utf-8").splitlines())
    return {int(image): set(labels.split(",")) for image, _, labels in lines}


def test_images() -> set[int]:
    """COCO's images in test sets: Composite's and Karpathy's."""
    listed = (DATA / "coco_objects" / "karpathy_test_ids.txt").read_text("utf-8").split()
    composite = json.loads((DATA / "composite" / "composite_joined.json").read_text("utf-8"))
    numbers = (re.findall(r"\d+", str(row["image_id"]))[-1] for row in composite if "coco" in row["dataset"])
    return {int(image) for image in [*listed, *numbers]}


def views_of(rows: Sequence[Row], workers: int = 1) -> Views:
    """The rows as a corpus, those of one picture sharing its references."""
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
    """The score of each row by a metric."""
    views = views or views_of(rows)
    metric.check(views)
    return metric.score(metric.statistics(views))
