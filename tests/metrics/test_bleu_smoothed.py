"""Smoothed BLEU: the papers' formulas worked by hand, and sacreBLEU."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics.images import CAPTION, score, statistics, views_of
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.bleu_smoothed import BleuSmoothed

KEY, HALVING = "bleu-smoothed", "bleu-smoothed(smoothing=halving)"


def test_brevity_counts() -> None:
    """Papineni's example of a precise fragment."""
    assert score(KEY, "of the", "of the people by the people") == pytest.approx(np.exp(1 - 6 / 2))


def test_one_match_more_above_the_first_order() -> None:
    """2 / 5 words, 1 / 4, 0 / 3 and 0 / 2 n-grams, and a reference of 6 words for 5."""
    expected = (2 / 5 * 2 / 5 * 1 / 4 * 1 / 3) ** (1 / 4) * np.exp(1 - 6 / 5)
    assert score(KEY, "a b x y z", "a b c d e f") == pytest.approx(expected, abs=1e-12)


def test_halving_gives_half_a_match_then_a_quarter() -> None:
    expected = (2 / 5 * 1 / 4 * (1 / 2) / 3 * (1 / 4) / 2) ** (1 / 4) * np.exp(1 - 6 / 5)
    assert score(HALVING, "a b x y z", "a b c d e f") == pytest.approx(expected, abs=1e-12)


def test_an_order_without_ngrams_counts_as_one() -> None:
    """Two words have no trigram: jBLEU takes its precision as 1, and one match more of one n-gram more is 1 as well."""
    assert score(HALVING, "a b", "a b") == 1
    assert BleuSmoothed(smoothing="halving").precisions(statistics(HALVING, [("a b", ["a c"])])).tolist() == [
        [1 / 2, 1 / 2, 1, 1]
    ]


@settings(max_examples=40)
@given(candidate=CAPTION, references=st.lists(CAPTION, min_size=1, max_size=4))
def test_captions_score_as_in_sacrebleu(candidate: str, references: list[str]) -> None:
    """add-k with k = 1; exp smoothing is halving for captions that have an n-gram of every order."""
    bleu = pytest.importorskip("sacrebleu.metrics").BLEU
    if not candidate:
        return
    options = {"tokenize": "none", "effective_order": False}
    expected = bleu(smooth_method="add-k", smooth_value=1, **options).sentence_score(candidate, references)
    # Without any match sacreBLEU's answer is 0, and ours too.
    assert score(KEY, candidate, *references) == pytest.approx(expected.score / 100, abs=1e-9)
    shared = set(candidate.split()) & set(" ".join(references).split())
    if len(candidate.split()) >= 4 and shared:
        expected = bleu(smooth_method="exp", **options).sentence_score(candidate, references)
        assert score(HALVING, candidate, *references) == pytest.approx(expected.score / 100, abs=1e-9)


def test_the_corpus_score_sums_first() -> None:
    images = [("a b", ["a b"]), ("x y z w", ["a b c d"])]
    rows = statistics("bleu-smoothed(n=2)", images)
    assert parse("bleu-smoothed(n=2)").aggregate(rows) == pytest.approx((2 / 6 * 2 / 5) ** (1 / 2))


def test_explanations_show_precisions() -> None:
    views = views_of([("a b x", ["a b c d"])])
    why = BleuSmoothed().explain(views, 0)
    assert why.values["precision of order 2"] == "1 / 2"
    assert why.values["smoothed precision of order 2"] == pytest.approx(2 / 3)
    assert (why.metric, why.score) == (KEY, score(KEY, "a b x", "a b c d"))


def test_an_unknown_smoothing_says_which_there_are() -> None:
    with pytest.raises(InputError, match="add-one, halving"):
        parse("bleu-smoothed(smoothing=floor)")
