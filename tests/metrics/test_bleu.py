"""BLEU as COCO computes it: Papineni's examples, and a slow version with counters."""

from __future__ import annotations

from collections import Counter
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings

from tests.metrics.images import IMAGES, Image, scores, statistics, views_of
from tests.metrics.plain_cider import ngrams
from vericap.metrics import parse
from vericap.metrics.bleu import Bleu, brevity_penalty


def plain(candidate: str, references: list[str], n: int) -> list[int]:
    """Length, closest reference length, clipped matches of each order, n-grams of each order."""
    length = len(candidate.split())
    closest = min((abs(len(r.split()) - length), len(r.split())) for r in references)[1]
    matches, guesses = [], []
    for order in range(1, n + 1):
        mine, most = ngrams(candidate, order), Counter[tuple[str, ...]]()
        for reference in references:
            most |= ngrams(reference, order)
        matches.append((mine & most).total())
        guesses.append(mine.total())
    return [length, closest, *matches, *guesses]


def formula(row: list[int], n: int) -> float:
    length, closest, *counts = row
    precision = np.prod([(m + 1e-15) / (g + 1e-9) for m, g in zip(counts[:n], counts[n:], strict=True)]) ** (1 / n)
    ratio = (length + 1e-15) / (closest + 1e-9)
    return float(precision * (exp(max(1 - 1 / ratio, -700)) if ratio < 1 else 1))


@pytest.mark.parametrize("n", [1, 2, 4])
@settings(max_examples=40)
@given(images=IMAGES)
def test_it_is_counted_ngram_by_ngram(n: int, images: list[Image]) -> None:
    expected = [plain(c, list(said), n) for c, said in images]
    assert statistics(f"bleu-{n}", images).tolist() == expected
    assert scores(f"bleu-{n}", images) == pytest.approx([formula(row, n) for row in expected], abs=1e-12)
    total = np.sum(expected, axis=0).tolist()
    assert Bleu(n).aggregate(np.array(expected, float)) == pytest.approx(formula(total, n), abs=1e-12)


def test_it_clips_by_the_reference_with_most() -> None:
    """Papineni's example: seven times "the" is credited twice."""
    [[*_, matches, guesses]] = statistics(
        "bleu-1", [("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"])]
    ).tolist()
    assert (matches, guesses) == (2, 7)


def test_papinenis_candidates() -> None:
    """Table of the paper: unigram precision 17/18 and 8/14, bigram precision 10/17 and 1/13."""
    first = "it is a guide to action which ensures that the military always obeys the commands of the party"
    second = "it is to insure the troops forever hearing the activity guidebook that party direct"
    references = [
        "it is a guide to action that ensures that the military will forever heed party commands",
        "it is the guiding principle which guarantees the military forces always being under the command of the party",
        "it is the practical guide for the army always to heed the directions of the party",
    ]
    found = statistics("bleu-2", [(first, references), (second, references)])
    assert found[:, 2:].tolist() == [[17, 10, 18, 17], [8, 1, 14, 13]]


def test_the_shorter_of_two_references_equally_near_is_the_closest() -> None:
    assert statistics("bleu-1", [("a b c d", ["a b c", "a b c d e"])])[0, 1] == 3
    assert statistics("bleu-1", [("a b c", []), ("a", ["a b"])])[:, 1].tolist() == [3, 2]


def test_only_brevity_is_penalised() -> None:
    found = brevity_penalty(np.array([2.0, 4.0, 9.0, 0.0]), np.array([4.0, 4.0, 4.0, 5.0]))
    assert found == pytest.approx([exp(1 - 4 / 2), 1, 1, 0], abs=1e-8)


def test_the_corpus_score_is_not_the_mean_of_the_captions() -> None:
    """One word right of one, one of nine: 2 / 10, not the mean of 1 and 1 / 9."""
    images = [("dog", ["dog"]), ("a b c d e f g h cat", ["i j k l m n o p cat"])]
    assert Bleu(1).aggregate(statistics("bleu-1", images)) == pytest.approx(0.2)


def test_an_explanation_shows_what_each_ngram_counts() -> None:
    why = parse("bleu-2").explain(views_of([("the the cat", ["the cat sat on it"])]), 0)
    assert why.values["precision of order 1"] == "2 / 3"
    assert why.values["precision of order 2"] == "1 / 2"
    assert why.values["length / closest reference"] == "3 / 5"
    assert why.values["brevity penalty"] == pytest.approx(exp(1 - 5 / 3))
    shown = {part.text: (part.values["count"], part.values["matched"]) for part in why.sections["1-grams"]}
    assert shown == {"the": (2, 1), "cat": (1, 1)}
    assert [part.text for part in why.sections["2-grams"]] == ["the the", "the cat"]
