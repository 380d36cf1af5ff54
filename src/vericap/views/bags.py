"""Captions as bags of content words with vectors: what Word Mover's Distance and VIFIDEL move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vericap.arrays import Integers
from vericap.lexicon.bags import Bags, content_bags
from vericap.lexicon.stop_words import stop_words
from vericap.lexicon.vectors import resolve
from vericap.views.view import View
from vericap.views.views import Views


@dataclass(frozen=True)
class ContentBags(View[tuple[Bags, Integers]]):
    """Bags of the candidates, then of the references, and the place of each label among the bags' words."""

    vectors: str
    stop_words: str
    normalised: bool
    labels: tuple[str, ...] = ()

    def compute(self, views: Views) -> tuple[Bags, Integers]:
        tokens, vectors, stop = views.words, resolve(self.vectors), stop_words(self.stop_words)
        bags, places = content_bags(
            tokens.captions, tokens.words, vectors, stop, normalised=self.normalised, phrases=self.labels
        )
        counts = np.bincount(tokens.captions.values, minlength=len(tokens.words))
        content = sum(int(counts[i]) for i, word in enumerate(tokens.words) if word not in stop)
        if content and (share := 1 - int(bags.counts.sum()) / content) > 0.5:
            views.note(
                f"{share:.0%} of the content words have no vector in {vectors.name}; give vectors of the captions' "
                "language: vectors=FILE"
            )
        return bags, places
