"""Retrieval on pictures that training left alone, by FAIEr and its variants and by VIFIDEL."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks import coco
from benchmarks.papers.label_likelihood import retrieved
from benchmarks.places import COCO_LABELS, INPUT
from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.metrics.faier import FaierFamily, retrieve
from vericap.metrics.faier.config import DataConfig, FaierConfig, ModelConfig
from vericap.metrics.faier.examples import Prepared, prepare
from vericap.metrics.faier.inputs import shipped_vectors
from vericap.metrics.faier.retrieval import Recall, recall
from vericap.readers import read_references
from vericap.readers.objects import add_objects
from vericap.views import Views

_IMAGES_AT_ONCE = 50
_RANKS = (1, 5, 10)


def table_rows(data: Path) -> list[list[str]]:
    """Rows of the table: FAIEr, FIEr and AIEr as they ship, and VIFIDEL."""
    labels = COCO_LABELS
    prepared = split(captions_file(), data)
    images, captions = held_out(captions_file(), prepared)
    given = dict(zip(images, captions, strict=True))
    head = [f"{way} R@{k}" for way in ("image → text", "text → image") for k in _RANKS]
    lines = [["metric", "references", *head]]
    for key, counts in {"faier": (0, 4), "fier": (0,), "aier": (4,)}.items():
        metric = parse(key)
        if isinstance(metric, FaierFamily) and metric.folder.is_dir():
            shown = labels if metric.uses_image else None
            found = {n: retrieve(given, objects=shown, metric=metric, references=n, workers=2) for n in counts}
            lines += [_line(key, n, one) for n, one in found.items()]
    lines += [_line("vifidel", n, vifidel(images, captions, labels, n)) for n in (0, 4)]
    return [*lines, ["p(labels \\| caption)", "0", *_line("", 0, retrieved(prepared, _RANKS))[2:]]]


def _line(key: str, count: int, found: Recall) -> list[str]:
    ways = (found.image_to_text, found.text_to_image)
    return [f"`{key}`", str(count), *(f"{100 * way[k]:.1f}" for way in ways for k in _RANKS)]


def captions_file() -> Path:
    """COCO's captions of val2014, out of pycocoevalcap's jar."""
    path = INPUT / "captions_val2014.json"
    if not path.exists():
        INPUT.mkdir(parents=True, exist_ok=True)
        path.write_bytes(coco.annotations())
    return path


def split(captions: Path, data: Path) -> Prepared:
    """Return the pictures as they were for training. The split does not depend on what the parser says."""
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
    config = FaierConfig(ModelConfig(boxes=False), data=source)
    return prepare(config, Path(), lambda texts: [()] * len(texts), shipped_vectors())


def held_out(captions: Path, prepared: Prepared) -> tuple[list[int], list[list[str]]]:
    """Return the pictures that training left alone, and their captions."""
    given = read_references(captions)
    by_image: dict[object, list[str]] = {}
    for image, caption in zip(given.image.tolist(), given.captions, strict=True):
        by_image.setdefault(given.ids[image], []).append(caption)  # type: ignore[index]
    images = [int(prepared.image_ids[row]) for row in prepared.held_out.tolist()]
    return images, [by_image[image] for image in images]


def vifidel(images: list[int], captions: list[list[str]], labels: Path, count: int) -> Recall:
    """Return the same by VIFIDEL; kept, since no checkpoint changes it."""
    path = INPUT / f"vifidel-retrieval-{count}.npy"
    if path.exists():
        return recall(np.load(path), _RANKS)
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
    scores = np.concatenate(columns, axis=1).round(9)
    np.save(path, scores)
    return recall(scores, _RANKS)
