"""Captions as bags of content words with vectors: what Word Mover's Distance and VIFIDEL move."""

from __future__ import annotations

from dataclasses import dataclass

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
        tokens = views.words
        return content_bags(
            tokens.captions,
            tokens.words,
            resolve(self.vectors),
            stop_words(self.stop_words),
            normalised=self.normalised,
            phrases=self.labels,
        )
