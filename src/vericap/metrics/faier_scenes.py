"""What FAIEr is given: captions with their relation triplets, and scenes, each a picture with its references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.views import View, Views
from vericap.views.graphs import Graphs

if TYPE_CHECKING:
    from vericap.corpus import Regions
    from vericap.neural.faier.captions import Caption
    from vericap.neural.faier.scorer import Scorer
    from vericap.scene.rules import Proposition


@dataclass(frozen=True, eq=False)
class Sight:
    """The pictures: a table of regions, and the row in it of each image of the corpus. Images that show the same
    labels share a row. `kind` and `digest` say in signatures where they come from."""

    regions: Regions
    row: NDArray[np.int64]
    kind: str
    digest: str


@dataclass(frozen=True, eq=False)
class Scenes:
    """`scene[caption]` is a place in `rows` (of the regions) and in `references`; equal scenes stand there once."""

    scene: NDArray[np.int64]
    rows: NDArray[np.int64] | None
    references: Sequence[Sequence[Caption]]


def sight_of(views: Views, model: Scorer, metric: str) -> Sight:
    """The pictures as a model takes them: labels for one that was trained on labels, else vectors of regions."""
    return views.get(_SightView(model, metric))


@dataclass(frozen=True)
class _SightView(View[Sight]):
    """The pictures as a model takes them; models with the same weights share them."""

    model: Scorer = field(compare=False)
    metric: str = field(compare=False)
    hash: str = field(default="", init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", self.model.hash)

    def compute(self, views: Views) -> Sight:
        return _sight(views, self.model, self.metric)


def _sight(views: Views, model: Scorer, metric: str) -> Sight:
    corpus = views.corpus
    images = int(corpus.image.max()) + 1 if len(corpus) else 0
    # One row of each image: its id is found there.
    row_of = np.zeros(images, np.int64)
    row_of[corpus.image[::-1]] = np.arange(len(corpus))[::-1]
    if model.config.symbolic:
        return _labels(views, model, metric, images, row_of)
    if corpus.regions is None:
        raise InputError(
            f"the model of {metric} was trained on vectors of regions, and only objects were given",
            field="regions",
            fix="add --regions FILE, or use a model trained on labels",
        )
    regions: Regions = corpus.regions
    if regions.dimension != model.config.features:
        raise InputError(
            f"vectors of {regions.dimension} numbers, and the model of {metric} takes {model.config.features}",
            source=regions.source,
            field="features",
            fix="give the regions of the detector that it was trained with, or another checkpoint",
        )
    if model.config.boxes and regions.boxes is None:
        problem = f"no boxes, and the model of {metric} weighs relations by them"
        raise InputError(problem, source=regions.source, field="boxes", fix="add them, or use a model trained without")
    row = regions.find([corpus.image_ids[i] for i in row_of.tolist()])
    if (row < 0).any():
        regions, row = regions.and_nothing(), np.where(row < 0, len(regions), row)
    return Sight(regions, row, "regions", corpus.regions.digest)


def _labels(views: Views, model: Scorer, metric: str, images: int, row_of: NDArray[np.int64]) -> Sight:
    corpus = views.corpus
    boxes: list[NDArray[np.float32]] | None = None
    if corpus.objects is not None:
        objects, kind, digest = corpus.objects, "objects", corpus.objects.digest
        labels = [objects.of(image) for image in range(images)]
        if model.config.boxes:
            from vericap.neural.faier.symbolic import corners_of

            ids = [corpus.image_ids[row] for row in row_of.tolist()]
            boxes = corners_of(objects, ids, f"give each its box, or use a model of {metric} trained without")
    else:
        regions: Regions = corpus.regions
        if regions.labels is None:
            raise InputError(
                f"the model of {metric} was trained on labels of objects, and these regions have none",
                source=regions.source,
                field="labels",
                fix="add --objects FILE, or checkpoint=FOLDER of a model trained on such regions",
            )
        kind, digest = "regions", regions.digest
        row = regions.find([corpus.image_ids[i] for i in row_of.tolist()])
        labels = [(regions.labels_of(i) or []) if i >= 0 else [] for i in row.tolist()]
        if model.config.boxes:
            if regions.boxes is None:
                problem = f"no boxes, and the model of {metric} weighs relations by them"
                raise InputError(problem, source=regions.source, field="boxes", fix="add them")
            frames = regions.boxes
            boxes = [
                frames[regions.offsets[i] : regions.offsets[i + 1]] if i >= 0 else frames[:0] for i in row.tolist()
            ]
    if boxes is not None:
        return Sight(model.symbolic(labels, boxes), np.arange(images), kind, digest)
    places: dict[tuple[str, ...], int] = {}
    # Without boxes a model sees the set of labels.
    places_of = [places.setdefault(tuple(dict.fromkeys(own)), len(places)) for own in labels]
    return Sight(model.symbolic(list(places)), np.array(places_of, np.int64), kind, digest)


def scenes_of(views: Views, model: Scorer, metric: str, references: Sequence[Caption]) -> Scenes:
    """The scenes of a corpus, whose references are given as captions."""
    corpus = views.corpus
    images = int(corpus.image.max()) + 1 if len(corpus) else 0
    sight = sight_of(views, model, metric) if model.config.variant != "aier" else None
    row = np.zeros(images, np.int64) if sight is None else sight.row
    offsets = corpus.reference_offsets.tolist() if corpus.has_references else [0] * (images + 1)
    used = model.config.variant != "fier"
    places: dict[tuple[int, tuple[Caption, ...]], int] = {}
    scene_of = []
    for image in range(images):
        given = tuple(references[offsets[image] : offsets[image + 1]]) if used else ()
        scene_of.append(places.setdefault((int(row[image]), given), len(places)))
    rows = None if sight is None else np.array([row for row, _ in places], np.int64)
    return Scenes(np.array(scene_of, np.int64)[corpus.image], rows, [given for _, given in places])


def captions_of(views: Views, relations: bool) -> tuple[list[Caption], list[Caption]]:
    """All candidates and all references, each with its words and, if `relations`, the triplets of its scene graph."""
    tokens = views.words
    said: Sequence[Sequence[Sequence[Proposition]]] = [
        [()] * len(side) for side in (tokens.candidates, tokens.references)
    ]
    if relations:
        graphs = views.get(Graphs())
        said = graphs
    known: dict[tuple[str, ...], Caption] = {}
    candidates, references = (
        [_caption(known, tokens.spell(ids), graph) for ids, graph in zip(side, own, strict=True)]
        for side, own in zip((tokens.candidates, tokens.references), said, strict=True)
    )
    return candidates, references


def captions_of_row(views: Views, row: int, relations: bool) -> tuple[Caption, list[Caption]]:
    """One candidate and its references; no other caption is parsed."""
    from vericap.scene.captions import caption_propositions

    tokens, corpus = views.words, views.corpus
    first, last = corpus.reference_offsets[corpus.image[row] :][:2] if corpus.has_references else (0, 0)
    texts = [tokens.spell(tokens.candidates[row]), *(tokens.spell(tokens.references[i]) for i in range(first, last))]
    graphs: Sequence[Sequence[Proposition]] = caption_propositions(texts) if relations else [()] * len(texts)
    candidate, *references = (_caption({}, words, graph) for words, graph in zip(texts, graphs, strict=True))
    return candidate, references


def _caption(known: dict[tuple[str, ...], Caption], words: list[str], said: Sequence[Proposition]) -> Caption:
    """Equal captions as one object, which is then hashed and encoded once."""
    from vericap.neural.faier.captions import Caption

    key = tuple(words)
    if key not in known:
        known[key] = Caption.of(key, said)
    return known[key]
