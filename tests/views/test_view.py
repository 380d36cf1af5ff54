"""A view is computed once for equal parameters, and anew for others."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from vericap.corpus import Corpus
from vericap.views import View, Views

COMPUTED: list[int] = []


@dataclass(frozen=True)
class Longer(View[list[bool]]):
    words: int

    def compute(self, views: Views) -> list[bool]:
        COMPUTED.append(self.words)
        return (views.words.candidates.lengths > self.words).tolist()


@dataclass(frozen=True)
class Shorter(Longer):
    """Another view with the same field."""

    def compute(self, views: Views) -> list[bool]:
        return [not longer for longer in views.get(Longer(self.words))]


def test_equal_views_are_computed_once_for_each_corpus() -> None:
    COMPUTED.clear()
    views = Views(Corpus.from_lists(["a dog", "a dog runs"]), tokenizer="whitespace")
    assert views.get(Longer(2)) == [False, True]
    assert views.get(Shorter(2)) == [True, False]  # not taken for the other, and what it asks for is found
    assert views.get(Longer(2)) is views.get(Longer(2))
    assert views.get(Longer(1)) == [True, True]
    assert COMPUTED == [2, 1]
    assert Views(Corpus.from_lists(["a"]), tokenizer="whitespace").get(Longer(2)) == [False]
    assert COMPUTED == [2, 1, 2]


def test_a_view_says_how_it_is_computed() -> None:
    class Nothing(View[int]):
        pass

    with pytest.raises(TypeError, match="compute"):
        Nothing()  # type: ignore[abstract]
