"""The CIDErs word by word, with dictionaries, as their papers write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log, prod, sqrt

from tests.metrics.images import Image


def ngrams(caption: str, order: int) -> Counter[tuple[str, ...]]:
    words = caption.split()
    return Counter(tuple(words[k : k + order]) for k in range(len(words) - order + 1))


def vector(caption: str, order: int, images: Sequence[Image]) -> dict[tuple[str, ...], float]:
    """tf · idf; a document is all the references of an image."""

    def idf(ngram: tuple[str, ...]) -> float:
        holding = sum(any(ngram in ngrams(reference, order) for reference in references) for _, references in images)
        return log(len(images)) - log(max(1, holding))

    return {ngram: count * idf(ngram) for ngram, count in ngrams(caption, order).items()}


def similarity(candidate: str, reference: str, order: int, images: Sequence[Image], *, clipped: bool) -> float:
    mine, theirs = vector(candidate, order, images), vector(reference, order, images)
    norm = sqrt(sum(x * x for x in mine.values())) * sqrt(sum(x * x for x in theirs.values()))
    weighed = {key: min(x, theirs.get(key, 0.0)) if clipped else x for key, x in mine.items()}
    return sum(x * theirs.get(key, 0.0) for key, x in weighed.items()) / norm if norm else 0.0


def length_penalty_of_d(candidate: str, reference: str, sigma: float = 6.0) -> float:
    """By numbers of bigrams, as COCO's code has it."""
    difference = ngrams(candidate, 2).total() - ngrams(reference, 2).total()
    return exp(-(difference**2) / (2 * sigma**2))


def penalties_of_r(candidate: str, reference: str, repetition: str = "distinct") -> tuple[float, float]:
    """Pen_R and Pen_L, eq. 6 and 5."""
    mine, theirs = Counter(candidate.split()), Counter(reference.split())
    length, reference_length = (max(count.total() - 1, 0) + 1 for count in (mine, theirs))
    exponent = max(1, len(mine) if repetition == "distinct" else mine.total())
    f = [1 / (1 + abs(n - theirs[w])) if w in theirs else 1 / n for w, n in mine.items()]
    return prod(f) ** (1 / exponent), exp(-((length - reference_length) ** 2) / reference_length**2)
