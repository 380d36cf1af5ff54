"""What the estimates are made of, against the formulas with dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lexicon.slow_kneser_ney import CAPTIONS, SlowKneserNey
from vericap.arrays import Ragged
from vericap.errors import InputError
from vericap.lexicon.kneser_ney import FALLBACK, KneserNey, between, discounts_of, estimate, taken
from vericap.text.vocabulary import encode


def estimated(captions: list[str], order: int, least: tuple[int, ...] = (), known: int = 1) -> KneserNey:
    vocabulary: dict[str, int] = {}
    ids = encode(captions, str.split, vocabulary)
    return estimate(ids, list(vocabulary), order=order, least=least, known=known)


def spelled(model: KneserNey) -> list[list[tuple[str, ...]]]:
    """The n-grams of each level, by their words."""
    found: list[list[tuple[str, ...]]] = [[()]]
    for level in model.levels:
        pairs = zip(level.prefix.tolist(), level.word.tolist(), strict=True)
        found.append([(*found[-1][prefix], model.words[word]) for prefix, word in pairs])
    return found


@pytest.mark.parametrize(("order", "least", "known"), [(2, (1, 1), 1), (3, (1, 1, 2), 2), (4, (1, 1, 2, 3), 2)])
def test_levels_and_what_they_leave_are_those_of_the_formulas(order: int, least: tuple[int, ...], known: int) -> None:
    slow, model = SlowKneserNey(CAPTIONS, order, least, known), estimated(CAPTIONS, order, least, known)
    ngrams = spelled(model)
    assert model.order == order and model.unknown == len(slow.rare)
    for n in range(1, order + 1):
        kept = {ngram: a for ngram, a in slow.a[n - 1].items() if n == 1 or slow.is_kept(ngram)}
        # Every mark has a place; nothing predicts a start, and no unknown word may have been seen.
        found = dict(zip(ngrams[n], model.levels[n - 1].count.tolist(), strict=True))
        assert {ngram: count for ngram, count in found.items() if n > 1 or count} == kept
        assert model.discounts[n - 1] == pytest.approx(slow.discount[n - 1])
        for context, left in zip(ngrams[n - 1], model.left[n - 1].tolist(), strict=True):
            seen = slow.continuations.get(context, set())
            total = sum(slow.a[n - 1][(*context, word)] for word in seen)
            used = sum(
                kept[ngram] - slow.discount[n - 1][min(kept[ngram], 3) - 1]
                for ngram in ((*context, word) for word in seen)
                if kept.get(ngram)
            )
            assert left == pytest.approx(1 - used / total if total else 1), context


def test_a_word_counts_by_how_many_words_stand_before_it() -> None:
    """Kneser and Ney's San Francisco: seen often, after one word only."""
    model = estimated(["san francisco"] * 9 + ["a dog", "the dog", "one dog"], 2)
    count = dict(zip(model.words, model.levels[0].count.tolist(), strict=True))
    assert count["francisco"] == 1 and count["dog"] == 3
    assert count["<s>"] == 0  # nothing predicts the start of a caption


def test_the_discounts_are_estimated_from_real_captions_and_not_the_fallback() -> None:
    model = estimated(CAPTIONS, 3)
    assert all(tuple(discount) != FALLBACK for discount in model.discounts[:2])
    assert discounts_of(np.array([1, 1, 2])) == FALLBACK


def test_discounts_by_chen_and_goodmans_formula() -> None:
    """n₁ … n₄ of 10, 5, 3, 2: Y = 10 / 20."""
    counts = np.repeat([1, 2, 3, 4, 7], [10, 5, 3, 2, 1])
    assert discounts_of(counts) == pytest.approx((1 - 2 * 0.5 * 5 / 10, 2 - 3 * 0.5 * 3 / 5, 3 - 4 * 0.5 * 2 / 3))
    assert taken(np.array([0, 1, 2, 3, 9]), (0.5, 1.0, 1.5)).tolist() == [0, 0.5, 1, 1.5, 1.5]


@given(st.lists(st.lists(st.integers(5, 9), max_size=4), min_size=1, max_size=5))
def test_every_caption_stands_between_its_marks(rows: list[list[int]]) -> None:
    given = Ragged.of(rows, np.int32)
    marked = between(given.values, given.offsets, 1, 0)
    assert [row.tolist() for row in marked] == [[1, *row, 0] for row in rows]


@pytest.mark.parametrize("least", [(1, 2), (2, 2, 2), (1, 3, 2)])
def test_counts_that_would_break_the_chain_of_prefixes_are_refused(least: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="least"):
        estimated(CAPTIONS, 3, least)


def test_nothing_to_count_is_refused() -> None:
    with pytest.raises(InputError, match="no captions"):
        estimate(Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64)), [])
