"""Retrieval: FAIEr's variants as `tools/train_faier_variants.py` measured them, and VIFIDEL on the same pictures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.neural.faier.config import Config, DataConfig, ModelConfig
from vericap.neural.faier.examples import prepare
from vericap.neural.faier.retrieval import Recall, recall
from vericap.neural.faier.words import shipped_vectors
from vericap.readers import read_references
from vericap.views import Views
from vericap.vision.objects import add_objects

NAMES = {"faier": "`faier`", "fier": "`fier`", "aier": "`aier`"}
_IMAGES_AT_ONCE = 50


def table_rows(checkpoints: Path, data: Path) -> list[list[str]]:
    """Rows of the table: every variant that was trained, and VIFIDEL."""
    lines = [
        [
            "metric",
            "references",
            *(f"image → text R@{k}" for k in (1, 5, 10)),
            *(f"text → image R@{k}" for k in (1, 5, 10)),
        ]
    ]
    found = json.loads((checkpoints / "retrieval.json").read_text("utf-8"))
    for name, by_count in found.items():
        for count, one in by_count.items():
            if (name == "fier" and count != "0") or (name == "aier" and count == "0"):
                continue
            ways = [one["image_to_text"], one["text_to_image"]]
            lines.append(
                [NAMES.get(name, name), count, *(f"{100 * way[k]:.1f}" for way in ways for k in ("1", "5", "10"))]
            )
    images, captions = held_out(checkpoints / "captions_val2014.json", data)
    labels = data / "coco_objects" / "coco_val2014_gold_labels.tsv"
    for count in (0, 4):
        one = vifidel(images, captions, labels, count)
        ways = [one.image_to_text, one.text_to_image]
        lines.append(["`vifidel`", str(count), *(f"{100 * way[k]:.1f}" for way in ways for k in (1, 5, 10))])
    return lines


def held_out(captions: Path, data: Path) -> tuple[list[int], list[list[str]]]:
    """The pictures that training left alone, and their captions. The split does not depend on what the parser says."""
    objects = data / "coco_objects"
    unseen = (
        data / "composite" / "composite_joined.json",
        objects / "karpathy_test_ids.txt",
        data / "coco_val2017" / "captions_val2017.json",
    )
    source = DataConfig(
        captions=str(captions.resolve()),
        objects=str((objects / "coco_val2014_gold_labels.tsv").resolve()),
        leave_out=tuple(str(path.resolve()) for path in unseen),
    )
    config = Config(ModelConfig(boxes=False), data=source)
    prepared = prepare(config, Path(), lambda texts: [()] * len(texts), shipped_vectors())
    given = read_references(captions)
    by_image: dict[object, list[str]] = {}
    for image, caption in zip(given.image.tolist(), given.captions, strict=True):
        by_image.setdefault(given.ids[image], []).append(caption)  # type: ignore[index]
    images = [int(prepared.image_ids[row]) for row in prepared.held_out.tolist()]
    return images, [by_image[image] for image in images]


def vifidel(images: list[int], captions: list[list[str]], labels: Path, count: int) -> Recall:
    """Every picture's first caption with every picture, which has `count` of its other captions as references."""
    metric, candidates = parse("vifidel"), [own[0] for own in captions]
    columns = []
    for start in range(0, len(images), _IMAGES_AT_ONCE):
        block = range(start, min(start + _IMAGES_AT_ONCE, len(images)))
        ids = [images[i] for i in block for _ in candidates]
        place = np.repeat(np.arange(len(block)), len(candidates))
        corpus = Corpus(ids, candidates * len(block), place)
        if count:
            references = [captions[i][1 : 1 + count] for i in block]
            offsets = np.cumsum([0, *map(len, references)], dtype=np.int64)
            corpus = Corpus(ids, candidates * len(block), place, [r for own in references for r in own], offsets)
        views = Views(add_objects(corpus, labels))
        columns.append(metric.score(metric.statistics(views)).reshape(len(block), len(candidates)).T)
    return recall(np.concatenate(columns, axis=1).round(9))
