"""BLEU as COCO's evaluation computes it (Papineni et al. 2002, with the constants of pycocoevalcap)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.base import Metric
from vericap.options.declared import Between, option
from vericap.views import View, Views

if TYPE_CHECKING:
    from vericap.results.explanation import Explanation, Part
    from vericap.views.batch import IndexedBatch

TINY = 1e-15  # keeps a caption without matches from being log 0
SMALL = 1e-9  # keeps an empty caption from being 0 / 0


@dataclass(frozen=True)
class Bleu(Metric):
    r"""BLEU up to order n.

    $$ \mathrm{BLEU} = \mathrm{BP} \cdot \Big(\prod_{k=1}^{n} p_k\Big)^{1/n}, \qquad
       p_k = \frac{\text{clipped matches}_k + 10^{-15}}{\text{n-grams}_k + 10^{-9}} $$

    Statistics [captions, 2 + 2n]: candidate length, closest reference length, clipped matches of each order,
    n-grams of each order. The corpus score sums them first.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a dog runs"], [["a dog runs", "the dog"]]), tokenizer="whitespace")
    >>> bleu = Bleu(2)
    >>> str(bleu), bleu.statistics(views).tolist(), round(bleu.aggregate(bleu.statistics(views)), 6)
    ('bleu-2', [[3.0, 3.0, 3.0, 2.0, 3.0, 2.0]], 1.0)
    """

    n: Annotated[int, Between(1, 16)] = option(4, "Length of the longest n-grams.")

    name: ClassVar[str] = "bleu"
    paper_name: ClassVar[str] = "BLEU"
    counts_end: ClassVar[bool] = True
    summed: ClassVar[bool] = True
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = (
        "Papineni, Roukos, Ward, Zhu. BLEU: a method for automatic evaluation of machine translation. ACL 2002."
    )

    @property
    def key(self) -> str:
        return f"bleu-{self.n}"

    def summarised(self) -> str:
        if self.n == 1:
            return "words that occur in a reference too, short captions penalised"
        return f"sequences of up to {self.n} words that occur in a reference too"

    def statistics(self, views: Views) -> Floats:
        matches = [views.get(ClippedMatches(order)) for order in range(1, self.n + 1)]
        guesses = [ngrams_in_candidates(views, order) for order in range(1, self.n + 1)]
        length = views.word_counts[0]
        closest = views.get(ClosestReferenceLength())
        return np.column_stack([length, closest, *matches, *guesses]).astype(np.float64)

    def expected_views(self) -> Iterator[tuple[int, View[Any]]]:
        return ((order, ClippedMatches(order)) for order in range(1, self.n + 1))

    def score(self, statistics: Floats) -> Floats:
        length, reference_length = statistics[:, 0], statistics[:, 1]
        matches, guesses = statistics[:, 2 : 2 + self.n], statistics[:, 2 + self.n :]
        precision = np.multiply.accumulate((matches + TINY) / (guesses + SMALL), axis=1)[:, -1] ** (1 / self.n)
        return precision * brevity_penalty(length, reference_length)

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        length, reference_length = statistics[0, :2]
        values: dict[str, float | int | str] = {}
        sections: dict[str, list[Part]] = {}
        for order in range(1, self.n + 1):
            matched, guessed = int(statistics[0, 1 + order]), int(statistics[0, 1 + self.n + order])
            values[f"precision of order {order}"] = f"{matched} / {guessed}"
            sections[f"{order}-grams"] = explain_clipping(views, order, i)
        values["length / closest reference"] = f"{int(length)} / {int(reference_length)}"
        values["brevity penalty"] = float(brevity_penalty(length[None], reference_length[None])[0])
        return self.explanation(views, i, self.score(statistics)[0], values, sections)


def brevity_penalty(length: Floats, reference_length: Floats) -> Floats:
    """BP = exp(1 - 1 / ratio) where the candidate is shorter than its closest reference, else 1.

    >>> brevity_penalty(np.array([4.0, 8.0]), np.array([8.0, 8.0])).round(6).tolist()
    [0.367879, 1.0]
    """
    ratio = (length + TINY) / (reference_length + SMALL)
    with np.errstate(over="ignore"):
        return np.where(ratio < 1, np.exp(1 - 1 / ratio), 1.0)


@dataclass(frozen=True)
class ClippedMatches(View[Floats]):
    """n-grams of each candidate found in a reference, each at most as often as in the reference with most."""

    order: int

    def compute(self, views: Views) -> Floats:
        entry, clipped = _clipped_entries(views, self.order)
        candidates = views.ngrams(self.order).candidates
        return np.bincount(candidates.caption[entry], clipped, len(views.corpus)).astype(np.float64, copy=False)

    def from_index(self, batch: IndexedBatch, views: Views) -> Floats:
        return batch.matched["matches"][:, self.order - 1] if self.order <= batch.order else self.compute(views)


def ngrams_in_candidates(views: Views, order: int) -> Floats:
    """Return the number of n-grams of each candidate."""
    return np.maximum(views.word_counts[0] - (order - 1), 0).astype(np.float64)


@dataclass(frozen=True)
class ClosestReferenceLength(View[Floats]):
    """Length of the reference nearest in length to each candidate; of two, the shorter.

    A candidate without references uses its own length: it has no matches, and no brevity penalty applies.
    """

    def compute(self, views: Views) -> Floats:
        pairs, (length, reference_lengths) = views.pairs, views.word_counts
        reference_length = reference_lengths[pairs.reference]
        distance = np.abs(length[pairs.candidate] - reference_length).astype(np.float64)
        nearest = pairs.min_by_candidate(distance)[pairs.candidate] == distance
        shortest = pairs.min_by_candidate(np.where(nearest, reference_length, np.inf))
        return np.where(np.diff(pairs.offsets) > 0, shortest, length)


def explain_clipping(views: Views, order: int, i: int) -> list[Part]:
    """Return each n-gram of candidate i with its count and how much of it counts."""
    from vericap.results.explanation import Part

    ngrams = views.ngrams(order)
    entry, clipped = _clipped_entries(views, order)
    credit = dict(zip(entry.tolist(), clipped.tolist(), strict=True))
    parts = {
        views.spell(ngrams, int(ngrams.candidates.ngram[e])): {
            "count": int(ngrams.candidates.count[e]),
            "matched": int(credit.get(e, 0)),
        }
        for e in np.flatnonzero(ngrams.candidates.caption == i).tolist()
    }
    words = views.words.spell(views.words.candidates[i])
    in_caption = dict.fromkeys(" ".join(words[k : k + order]) for k in range(len(words) - order + 1))
    return [Part(ngram, parts[ngram]) for ngram in in_caption]


def _clipped_entries(views: Views, order: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.int32]], Floats]:
    """Return the candidate entries that match at all, and min(count, maximum count in a reference) of each."""
    ngrams = views.ngrams(order)
    entry, most = ngrams.match_candidate, ngrams.match_count
    if not len(entry):
        return entry, np.zeros(0)
    first = np.flatnonzero(np.concatenate([[True], entry[1:] != entry[:-1]]))
    entry = entry[first]
    return entry, np.minimum(np.maximum.reduceat(most, first), ngrams.candidates.count[entry]).astype(np.float64)
