"""Image-text retrieval by FAIEr or one of its variants (Wang et al. 2021, Table 6): how often a caption finds its own
picture among all, and a picture its own caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vericap.arrays import Floats, Integers, Ragged
from vericap.corpus import Corpus, ImageId
from vericap.engine.blas import one_blas_thread
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.faier.metric import FaierFamily
from vericap.metrics.faier.scenes import EMPTY, captions_of
from vericap.readers import read_references
from vericap.views import Views
from vericap.vision.add_pictures import add_pictures

if TYPE_CHECKING:
    from vericap.metrics.faier.examples import Examples
    from vericap.metrics.faier.inputs import Lexicon
    from vericap.metrics.faier.model import Model

_BLOCK = 100  # images whose graphs are encoded together


@dataclass(frozen=True)
class Recall:
    """R@k in both directions, as shares."""

    image_to_text: dict[int, float]
    text_to_image: dict[int, float]

    @property
    def first(self) -> float:
        """The mean of R@1 of both directions."""
        return (self.image_to_text[1] + self.text_to_image[1]) / 2


def recall(scores: Floats, ranks: tuple[int, ...] = (1, 5, 10)) -> Recall:
    """R@k of scores [captions, images] whose diagonal matches. A query whose counterpart ties with t − 1 others counts
    as it would on average over all orders of the tied.

    >>> recall(np.array([[0.9, 0.1], [0.9, 0.2]]), (1,))
    Recall(image_to_text={1: 0.75}, text_to_image={1: 0.5})
    """
    return Recall(_recall(scores.T, ranks), _recall(scores, ranks))


def _recall(scores: Floats, ranks: tuple[int, ...]) -> dict[int, float]:
    own = scores.diagonal()[:, None]
    above, tied = (scores > own).sum(axis=1), (scores == own).sum(axis=1)
    return {k: float(np.clip((k - above) / tied, 0, 1).mean()) for k in ranks}


def retrieval_scores(
    model: Model, lexicon: Lexicon, examples: Examples, images: Integers, references: int, candidate: int = 0
) -> Floats:
    """S [captions, images] of one caption of each image (its `candidate`-th) with every image, which is given its own
    other captions, at most `references` of them, as references."""
    from vericap.metrics.faier.examples import make_batch

    # Images with like numbers of regions go together, so that little is padding.
    order = images if examples.regions is None else images[np.argsort(np.diff(examples.regions.offsets)[images])]
    scenes, captions = [], []
    with one_blas_thread():
        for start in range(0, len(order), _BLOCK):
            block = order[start : start + _BLOCK]
            own = [examples.of_image[int(image)] for image in block]
            candidates = np.array([rows[candidate % len(rows)] for rows in own])
            others = [np.delete(rows, candidate % len(rows))[:references] for rows in own]
            batch = make_batch(examples, examples.region_batch(block, model.config.regions), candidates, others)
            graphs = model.encode(batch, lexicon)
            scenes.append(graphs.scenes)
            captions.append(graphs.candidates)
        rows = [np.concatenate([model.score_all(s, c).total for s in scenes], axis=1) for c in captions]
    scores: Floats = np.concatenate(rows).astype(np.float64)
    position = {int(image): i for i, image in enumerate(order)}
    place = np.array([position[int(image)] for image in images])
    # The last digits depend on the block; images with the same objects and no references have to tie.
    rounded: Floats = scores[np.ix_(place, place)].round(5)
    return rounded


def retrieve(
    captions: Any,
    *,
    objects: Any = None,
    regions: Any = None,
    metric: str | FaierFamily = "faier",
    references: int = 4,
    ranks: tuple[int, ...] = (1, 5, 10),
    workers: int = 1,
) -> Recall:
    """R@k both ways over all pictures with captions.

    `captions` is {id: [caption, …]}, COCO annotations or a path, `objects` and `regions` are what `evaluate` takes. A
    picture's first caption is the query and the answer; its others, at most `references` of them, are the references
    that are given with the picture. R@k is the share of queries whose own counterpart is among the k best; one that
    ties counts as it would on average.

    >>> found = retrieve({1: ["a dog"], 2: ["two cats"]}, objects={1: ["dog"], 2: ["cat"]}, ranks=(1, 2))
    >>> found.text_to_image[2], found.image_to_text[2]
    (1.0, 1.0)
    """
    learned = parse(metric) if isinstance(metric, str) else metric
    if not isinstance(learned, FaierFamily):
        raise InputError(f"{learned} cannot retrieve pictures", field="metric", fix="use faier, fier or aier")
    if references < 0:
        raise InputError(f"{references} is not a number of references", field="references", fix="use 0 or more")
    ids, own = _by_image(captions)
    given = [texts[1 : 1 + references] for texts in own]
    corpus = Corpus.from_lists([texts[0] for texts in own], given if any(given) else None, ids)
    views = Views(add_pictures(corpus, objects, regions), workers=workers)
    learned.check(views)
    return _recall_of(learned, views, references, ranks)


def _by_image(captions: Any) -> tuple[Sequence[ImageId], list[list[str]]]:
    given = read_references(captions)
    count = int(given.image.max()) + 1 if len(given.image) else 0
    own: list[list[str]] = [[] for _ in range(count)]
    for image, caption in zip(given.image.tolist(), given.captions, strict=True):
        own[image].append(caption)
    ids = range(count) if given.ids is None else given.ids
    kept = [image for image in range(count) if own[image]]
    if len(kept) < 2:
        problem = f"retrieval compares pictures, and captions of {len(kept)} were given"
        raise InputError(problem, field="captions", fix="give those of two or more")
    return [ids[image] for image in kept], [own[image] for image in kept]


def _recall_of(metric: FaierFamily, views: Views, references: int, ranks: tuple[int, ...]) -> Recall:
    from vericap.metrics.faier.examples import Examples, take_regions
    from vericap.metrics.faier.inputs import CaptionColumns

    model, corpus, pictures = metric.model(), views.corpus, metric.pictures(views)
    candidates, others = captions_of(views, metric.relations == "on")
    # Row 0 is the empty reference, then come the candidates, then the references of each image.
    ends = corpus.reference_offsets if corpus.has_references else np.zeros(len(candidates) + 1, np.int64)
    said = Ragged(np.arange(len(others)) + 1 + len(candidates), ends)
    rows = Ragged.of([[1 + i, *given.tolist()] for i, given in enumerate(said)])
    captions, words = CaptionColumns.encode([EMPTY, *candidates, *others])
    regions = None if pictures is None else take_regions(pictures.regions, pictures.row, list(corpus.image_ids))
    examples = Examples(captions, rows, regions, words)
    lexicon = model.lexicon(examples.words)
    return recall(retrieval_scores(model.model, lexicon, examples, np.arange(len(corpus)), references), ranks)
