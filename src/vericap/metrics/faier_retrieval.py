"""Image-text retrieval by FAIEr or one of its variants (Wang et al. 2021, Table 6): how often a caption finds its own
picture among all, and a picture its own caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vericap.corpus import Corpus, ImageId
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.faier import Faier
from vericap.metrics.faier_scenes import captions_of, sight_of
from vericap.readers import read_references
from vericap.views import Views
from vericap.vision.add_pictures import add_pictures

if TYPE_CHECKING:
    from vericap.neural.faier.retrieval import Recall


def retrieve(
    captions: Any,
    *,
    objects: Any = None,
    regions: Any = None,
    metric: str | Faier = "faier",
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
    if not isinstance(learned, Faier):
        raise InputError(f"{learned} is none of them", field="metric", fix="use faier, fier or aier")
    if references < 0:
        raise InputError(f"{references} references", field="references", fix="use 0 or more")
    ids, own = _by_image(captions)
    given = [texts[1 : 1 + references] for texts in own]
    corpus = Corpus.from_lists([texts[0] for texts in own], given if any(given) else None, ids)
    views = Views(add_pictures(corpus, objects, regions), workers=workers)
    learned.check(views)
    return _recall(learned, views, references, ranks)


def _by_image(captions: Any) -> tuple[Sequence[ImageId], list[list[str]]]:
    given = read_references(captions)
    count = int(given.image.max()) + 1 if len(given.image) else 0
    own: list[list[str]] = [[] for _ in range(count)]
    for image, caption in zip(given.image.tolist(), given.captions, strict=True):
        own[image].append(caption)
    ids = range(count) if given.ids is None else given.ids
    kept = [image for image in range(count) if own[image]]
    if len(kept) < 2:
        raise InputError(f"captions of {len(kept)} pictures", field="captions", fix="give those of two or more")
    return [ids[image] for image in kept], [own[image] for image in kept]


def _recall(metric: Faier, views: Views, references: int, ranks: tuple[int, ...]) -> Recall:
    from vericap.neural.faier.captions import EMPTY
    from vericap.neural.faier.data import Examples
    from vericap.neural.faier.examples import take_regions
    from vericap.neural.faier.inputs import Captions, Column
    from vericap.neural.faier.retrieval import recall, retrieval_scores

    model, corpus = metric.model(), views.corpus
    candidates, others = captions_of(views, model.config.relations)
    first = 1 + len(candidates)
    bounds = corpus.reference_offsets if corpus.has_references else np.zeros(len(corpus) + 1, np.int64)
    rows = [[1 + i, *range(first + bounds[i], first + bounds[i + 1])] for i in range(len(corpus))]
    vocabulary: dict[str, int] = {}
    read = Captions.encode([EMPTY, *candidates, *others], vocabulary)
    sight = sight_of(views, model, metric.key) if metric.looks else None
    regions = None if sight is None else take_regions(sight.regions, sight.row, list(corpus.image_ids))
    examples = Examples(read, Column.of(rows), regions, list(vocabulary))
    lexicon = model.lexicon(examples.words)
    return recall(retrieval_scores(model.model, lexicon, examples, np.arange(len(corpus)), references), ranks)
