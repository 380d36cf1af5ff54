"""ROUGE-SU4 (Lin 2004) as ROUGE-1.5.5 computes it with the options -2 4 -u -f A: skip bigrams and unigrams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from vericap.arrays import Booleans, Floats, Integers, Ragged
from vericap.engine.local import in_threads
from vericap.metrics.base import Metric
from vericap.options.declared import Between, option
from vericap.results.explanation import Explanation, Part
from vericap.views import Views

BLOCK = 1024  # rows counted at once: what they need stays in the cache


@dataclass(frozen=True)
class RougeSu4(Metric):
    r"""Shared units of candidate and references; a unit is a word, or two words in order with at most 4 between.

    $$ R = \frac{\sum_j |U(c) \cap U(s_j)|}{\sum_j |U(s_j)|}, \quad
       P = \frac{\sum_j |U(c) \cap U(s_j)|}{m \, |U(c)|}, \quad F = \frac{2 P R}{P + R} $$

    U is a bag: a unit is shared as often as the caption that has fewer of it. ROUGE-1.5.5 averages over the m
    references by summing shared and possible units before dividing (-f A), and with -u counts every word but the
    last as a unit of its own; both are so here. What it does besides is left to the tokenizer (it takes
    lower-cased runs of letters and digits as words) or to the reader (it rounds to 5 digits). A caption of one
    word has no units and scores 0.

    Statistics [captions, 3]: shared units, units of the references, units of the candidate once a reference.
    The corpus score is the mean of the captions' scores. A negative `skip` sets no limit to the words between.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a dog runs"], [["a dog sleeps", "dog runs"]]), tokenizer="whitespace")
    >>> RougeSu4().statistics(views).tolist()  # a, dog, a dog; dog, dog runs
    [[5.0, 7.0, 10.0]]
    >>> RougeSu4().score(RougeSu4().statistics(views)).round(3).tolist()
    [0.588]
    """

    skip: Annotated[int, Between(-1, 1_000_000)] = option(4, "Maximum words between the two of a pair; -1: any.")
    measure: Literal["f", "recall", "precision"] = option("f", "Number that is the score.")

    name: ClassVar[str] = "rouge-su4"
    paper_name: ClassVar[str] = "ROUGE-SU4"
    summary: ClassVar[str] = "pairs of words at most four apart, and single words"
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = "Lin. ROUGE: a package for automatic evaluation of summaries. ACL workshop 2004."

    def statistics(self, views: Views) -> Floats:
        pairs, words = views.pairs, views.words
        units = unit_counts(words.candidates.lengths, self.skip)
        reference_units = unit_counts(words.references.lengths, self.skip)
        return np.column_stack(
            [
                pairs.sum_by_candidate(shared_units(views, self.skip)),
                pairs.sum_by_candidate(reference_units[pairs.reference]),
                units * np.diff(pairs.offsets),
            ]
        )

    def score(self, statistics: Floats) -> Floats:
        shared, reference_units, units = statistics.T
        possible = {"f": (reference_units + units) / 2, "recall": reference_units, "precision": units}
        return np.asarray(shared / np.maximum(possible[self.measure], 1))

    def explain(self, views: Views, i: int) -> Explanation:
        words, references = views.words, views.corpus.references_of(i)
        first = int(views.corpus.reference_offsets[views.corpus.image[i]])
        ours = spell_units(words.spell(words.candidates[i]), self.skip)
        theirs = [spell_units(words.spell(words.references[first + j]), self.skip) for j in range(len(references))]
        parts: list[Part] = []
        shared = 0
        for unit, count in ours.items():
            both = {f"reference {j}": min(count, other[unit]) for j, other in enumerate(theirs, 1) if unit in other}
            shared += sum(both.values())
            parts += [Part(unit, both)] if both else []
        units, possible = sum(ours.values()), sum(sum(other.values()) for other in theirs)
        statistics = np.array([[shared, possible, units * len(references)]], np.float64)
        values: dict[str, float | int | str] = {
            "shared units": shared,
            "units of the references": possible,
            "units of the candidate": f"{units} × {len(references)}",
            "recall": float(RougeSu4(self.skip, "recall").score(statistics)[0]),
            "precision": float(RougeSu4(self.skip, "precision").score(statistics)[0]),
        }
        return self.explanation(views, i, self.score(statistics)[0], values, {"shared units": parts})


def unit_counts(lengths: Integers, skip: int) -> Floats:
    """Return how many units captions of this many words have: every word but the last, and the pairs near enough.

    >>> unit_counts(np.array([0, 1, 2, 7]), 4).tolist()  # 6 + (6 + 5 + 4 + 3 + 2)
    [0.0, 0.0, 2.0, 26.0]
    """
    followers = np.maximum(lengths - 1, 0)  # of the first word; of the next one less, and so on
    near = followers if skip < 0 else np.minimum(followers, skip + 1)
    return np.asarray(followers + near * (2 * followers - near + 1) / 2)


def shared_units(views: Views, skip: int) -> Floats:
    """Units that candidate and reference of each pair (see `Pairs`) share, each at most as often as both have it."""
    rows = len(views.corpus)
    starts = range(0, rows, BLOCK)
    parts = in_threads(
        lambda start: _shared_in_block(views, start, min(start + BLOCK, rows), skip), starts, workers=views.workers
    )
    return np.concatenate([np.zeros(0), *parts])


def _shared_in_block(views: Views, first: int, last: int, skip: int) -> Floats:
    pairs, size = views.pairs, len(views.words.words)
    of_block = slice(pairs.offsets[first], pairs.offsets[last])
    row_of_pair = pairs.candidate[of_block] - first
    ours = _Stretch.of(views.words.candidates, np.arange(first, last))
    theirs = _Stretch.of(views.words.references, pairs.reference[of_block])
    ours_row, theirs_row = ours.caption, row_of_pair[theirs.caption]

    # Only words that the candidate has can be part of what is shared: most of the references' units go here.
    candidate_words = np.unique(ours_row * size + ours.words)
    wanted = np.isin(theirs_row * size + theirs.words, candidate_words)

    unit, at = ours.units(skip, size, np.ones(len(ours.words), bool))
    entry, count = np.unique(ours_row[at] * (size * (size + 1)) + unit, return_counts=True)
    unit, at = theirs.units(skip, size, wanted)
    key = theirs_row[at] * (size * (size + 1)) + unit
    place = np.searchsorted(entry, key)
    found = np.flatnonzero(entry.take(place, mode="clip") == key) if len(entry) else np.zeros(0, np.int64)
    pair_entry, reference_count = np.unique(theirs.caption[at[found]] * len(entry) + place[found], return_counts=True)
    shared = np.minimum(reference_count, count[pair_entry % max(len(entry), 1)])
    return np.bincount(pair_entry // max(len(entry), 1), shared, len(row_of_pair)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Stretch:
    """Some captions' words one after another: caption (its number in the stretch) and how many words follow it."""

    words: Integers
    caption: Integers
    following: Integers

    @classmethod
    def of(cls, captions: Ragged, chosen: Integers) -> _Stretch:
        start, end = captions.offsets[chosen], captions.offsets[chosen + 1]
        places = Ragged.spans(start, end)
        caption, place = places.row, places.values
        return cls(captions.values[place].astype(np.int64), caption, end[caption] - place - 1)

    def units(self, skip: int, size: int, wanted: Booleans) -> tuple[Integers, Integers]:
        """Units of wanted words as numbers, and the place of their first word."""
        farthest = int(self.following.max(initial=0))
        first = np.flatnonzero(wanted & (self.following > 0))
        units, at = [self.words[first] * (size + 1)], [first]
        for distance in range(1, (farthest if skip < 0 else min(skip + 1, farthest)) + 1):
            first = first[self.following[first] >= distance]
            both = first[wanted[first + distance]]
            units.append(self.words[both] * (size + 1) + self.words[both + distance] + 1)
            at.append(both)
        return np.concatenate(units), np.concatenate(at)


def spell_units(words: list[str], skip: int) -> dict[str, int]:
    """Return the units of a caption and how often it has each.

    >>> spell_units(["a", "dog", "runs"], 0)
    {'a': 1, 'a … dog': 1, 'dog': 1, 'dog … runs': 1}
    """
    counts: dict[str, int] = {}
    for i, word in enumerate(words[:-1]):
        end = len(words) if skip < 0 else i + skip + 2
        for unit in [word, *(f"{word} … {other}" for other in words[i + 1 : end])]:
            counts[unit] = counts.get(unit, 0) + 1
    return counts
