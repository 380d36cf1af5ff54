"""Small images with captions, drawn by hypothesis, and what a metric makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.views import Views

Image: TypeAlias = tuple[str, Sequence[str]]  # a candidate and its references

WORD = st.sampled_from(["a", "the", "dog", "cat", "red", "runs", "sits", "on", "grass"])
CAPTION = st.lists(WORD, max_size=12).map(" ".join)
IMAGES = st.lists(st.tuples(CAPTION, st.lists(CAPTION, min_size=1, max_size=4)), min_size=2, max_size=6)


def views_of(images: Sequence[Image], workers: int = 1) -> Views:
    corpus = Corpus.from_lists([candidate for candidate, _ in images], [list(said) for _, said in images])
    return Views(corpus, tokenizer="whitespace", workers=workers)


def statistics(key: str, images: Sequence[Image]) -> Floats:
    return parse(key).statistics(views_of(images))


def scores(key: str, images: Sequence[Image]) -> list[float]:
    """The score of each image's caption."""
    return parse(key).score(statistics(key, images)).tolist()


def score(key: str, candidate: str, *references: str) -> float:
    """The score of one caption by itself."""
    return scores(key, [(candidate, references)])[0]
