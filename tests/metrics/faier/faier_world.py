"""A small world for FAIEr: images of a few objects, five captions each, and vectors for their words."""

from __future__ import annotations

import numpy as np
import torch

from vericap.arrays import Ragged
from vericap.corpus import Regions
from vericap.metrics.faier.examples import Examples
from vericap.metrics.faier.inputs import CaptionColumns, Lexicon
from vericap.metrics.faier.scenes import EMPTY, Caption

NOUNS = "dog cat man woman ball tree car bench kite pizza horse bird boat cake book clock".split()
VERBS = "chases holds watches eats near on under beside".split()


def small_world(images: int = 64, seed: int = 0, boxes: bool = False) -> tuple[Examples, Lexicon]:
    """Every image has two to five things; a caption tells of two or three of them, and of what one does."""
    rng = np.random.default_rng(seed)
    captions, rows, features, counts = [EMPTY], [], [], []
    of_noun = rng.normal(size=(len(NOUNS), 12)).astype(np.float32)
    for _ in range(images):
        things = rng.choice(len(NOUNS), rng.integers(2, 6), replace=False)
        verb = VERBS[rng.integers(len(VERBS))]
        features.append(of_noun[things] + 0.3 * rng.normal(size=(1, 12)).astype(np.float32))
        counts.append(len(things))
        rows.append(range(len(captions), len(captions) + 5))
        for k in range(5):
            said = [NOUNS[i] for i in rng.permutation(things)[:3]]
            words = ("a", said[0], verb, "the", *said[1:])
            triplets = tuple((said[0], verb, other) for other in said[1:])
            captions.append(Caption(words, triplets if k else ()))
    frames = np.sort(rng.random((sum(counts), 4)), axis=1).astype(np.float32) if boxes else None
    regions = Regions(list(range(images)), np.cumsum([0, *counts]), np.concatenate(features), frames)
    vocabulary: dict[str, int] = {}
    encoded = CaptionColumns.encode(captions, vocabulary)
    words = len(vocabulary)
    lexicon = Lexicon(torch.from_numpy(rng.normal(size=(words, 10)).astype(np.float32)), torch.arange(1, words + 1))
    return Examples(encoded, Ragged.of(rows), regions, list(vocabulary)), lexicon
