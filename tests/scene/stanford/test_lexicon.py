"""Scores of words given tags, as the original prints them."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.scene.stanford.grammar import Grammar, _lines
from vericap.scene.stanford.lexicon import signature


@pytest.mark.parametrize(
    ("word", "first", "tag", "score"),
    [
        ("a", False, "DT^NP", -1.423545),
        ("bathroom", False, "NN^NP", -11.482815),
        ("bathroom", False, "JJ^NP", -14.652133),  # never seen, but the word is rare
        ("gray", False, "JJ^NP", -8.860795),
        ("grey", False, "JJ^NP", -8.860795),
        ("skateboarder", False, "NN^NP", -12.085187),
        ("3D", False, "CD^NP", -10.476319),
        ("Skateboarder", True, "NNP^NP", -12.096496),
        ("Skateboarder", False, "NNP^NP", -11.583851),
    ],
)
def test_scores(grammar: Grammar, word: str, first: bool, tag: str, score: float) -> None:
    tags, scores = grammar.lexicon.tags(word, first)
    state = _lines(grammar.tables["names"]).index(tag)
    assert scores[tags.tolist().index(state)] == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize(
    ("word", "count"),
    [("looking", 2), ("a", 34), ("bathroom", 258), ("skateboarder", 17), ("UNK", 258), (".$.", 1)],
)
def test_number_of_tags(grammar: Grammar, word: str, count: int) -> None:
    assert len(grammar.lexicon.tags(word, False)[0]) == count


def test_flooded_words_have_all_tags_except_the_boundary(grammar: Grammar) -> None:
    for word in ("a", "bathroom", "skateboarder"):
        usual, (tags, scores) = grammar.lexicon.tags(word, False), grammar.lexicon.tags(word, False, True)
        assert len(tags) == 614 and scores.min() == np.float32(-1000)
        flooded = dict(zip(tags.tolist(), scores.tolist(), strict=True))
        assert all(flooded[tag] == score for tag, score in zip(*map(np.ndarray.tolist, usual), strict=True))
    assert len(grammar.lexicon.tags(".$.", False, True)[0]) == 1


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("𝒳bcd", "UNK-LCd"),  # a pair of surrogates is no letter, and counts as two
        ("𝒳𝒳", "UNK\udcb3"),
        ("İİİİ", "UNK-ALLCi"),
        ("ǅabc", "UNK-INITc"),  # title case
        ("٣٣", "UNK-NUM"),
        ("x-1", "UNK-LC-DASH-DIG"),
        ("---", "UNK-DASH"),
    ],
)
def test_signatures_of_odd_words(word: str, expected: str) -> None:
    assert signature(word, True) == expected
