"""Image-text retrieval (section 4.5, Table 6): a caption of each image is scored with every image, and R@k is the share
of queries whose own counterpart is among the first k."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from vericap.arrays import Floats, Integers
from vericap.metrics.faier.data import Examples, make_batch
from vericap.metrics.faier.inputs import Lexicon
from vericap.metrics.faier.model import Model

_BLOCK = 100


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
    # Images with like numbers of regions go together, so that little is padding.
    order = images if examples.regions is None else images[np.argsort(np.diff(examples.regions.offsets)[images])]
    scenes, captions = [], []
    with torch.inference_mode():
        for start in range(0, len(order), _BLOCK):
            block = order[start : start + _BLOCK]
            own = [examples.captions_of(int(image)) for image in block]
            candidates = np.array([rows[candidate % len(rows)] for rows in own])
            others = [np.delete(rows, candidate % len(rows))[:references] for rows in own]
            batch = make_batch(examples, examples.region_batch(block, model.config.regions), candidates, others)
            graphs = model.encode(batch, lexicon)
            scenes.append(graphs.scenes)
            captions.append(graphs.candidates)
        rows = [np.concatenate([model.score_all(s, c).total.numpy() for s in scenes], axis=1) for c in captions]
    scores: Floats = np.concatenate(rows).astype(np.float64)
    position = {int(image): i for i, image in enumerate(order)}
    place = np.array([position[int(image)] for image in images])
    # The last digits depend on the block; images with the same objects and no references have to tie.
    rounded: Floats = scores[np.ix_(place, place)].round(5)
    return rounded
