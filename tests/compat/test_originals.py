"""Every scorer that needs no Java gives the digits of the installed pycocoevalcap, on captions that hypothesis draws.

Skipped where pycocoevalcap is not installed: its outputs on thousands of captions are in test_pycocoevalcap.py."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.compat.pycocoevalcap.bleu.bleu import Bleu
from vericap.compat.pycocoevalcap.bleu.bleu_scorer import BleuScorer
from vericap.compat.pycocoevalcap.cider.cider import Cider
from vericap.compat.pycocoevalcap.cider.cider_scorer import CiderScorer
from vericap.compat.pycocoevalcap.rouge.rouge import Rouge

if find_spec("pycocoevalcap") is None:
    pytest.skip("needs pycocoevalcap", allow_module_level=True)

from pycocoevalcap.bleu import bleu, bleu_scorer  # type: ignore[import-not-found,unused-ignore]
from pycocoevalcap.cider import cider, cider_scorer  # type: ignore[import-not-found,unused-ignore]
from pycocoevalcap.rouge import rouge  # type: ignore[import-not-found,unused-ignore]

WORDS = st.sampled_from("a the dog cat runs on red 12 4 0".split())
CAPTION = st.lists(WORDS, max_size=9).map(" ".join) | st.just("a  dog ")
ROWS = st.lists(st.tuples(CAPTION, st.lists(CAPTION, min_size=1, max_size=4)), min_size=1, max_size=6)


def two_dictionaries(rows: list[tuple[str, list[str]]]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    return dict(enumerate(r for _, r in rows)), {i: [caption] for i, (caption, _) in enumerate(rows)}


def assert_same_scores(ours: Any, theirs: Any) -> None:
    for mine, yours in zip(ours, theirs, strict=True):
        assert type(mine) is type(yours)
        np.testing.assert_allclose(mine, yours, atol=1e-9, rtol=1e-9)


@given(ROWS)
def test_bleu_and_rouge(rows: list[tuple[str, list[str]]]) -> None:
    gts, res = two_dictionaries(rows)
    assert_same_scores(Bleu(4).compute_score(gts, res), bleu.Bleu(4).compute_score(gts, res, verbose=0))
    assert_same_scores(Rouge().compute_score(gts, res), rouge.Rouge().compute_score(gts, res))


@given(ROWS.filter(lambda rows: any(reference.split() for _, references in rows for reference in references)))
def test_cider(rows: list[tuple[str, list[str]]]) -> None:
    gts, res = two_dictionaries(rows)
    assert_same_scores(Cider().compute_score(gts, res), cider.Cider().compute_score(gts, res))


@given(ROWS, st.sampled_from(["closest", "shortest", "average", None]))
def test_rows_added_one_after_the_other(rows: list[tuple[str, list[str]]], option: Any) -> None:
    scorers = [BleuScorer(n=4), bleu_scorer.BleuScorer(n=4)]
    for scorer in scorers:
        for row in rows:
            scorer += row
    assert_same_scores(scorers[0].compute_score(option=option), scorers[1].compute_score(option=option))
    if any(reference.split() for _, references in rows for reference in references):
        ciders = [CiderScorer(), cider_scorer.CiderScorer()]
        for scorer in ciders:
            for row in rows:
                scorer += row
        assert_same_scores(ciders[0].compute_score(), ciders[1].compute_score())
        assert ciders[0].document_frequency == {n: df for n, df in ciders[1].document_frequency.items() if df}
