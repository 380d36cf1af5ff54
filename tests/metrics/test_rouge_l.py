"""ROUGE-L as COCO computes it, against the longest common subsequence by its textbook table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics.images import CAPTION, IMAGES, Image, scores, statistics, views_of
from vericap.metrics import rouge_l
from vericap.metrics.rouge_l import RougeL, common_subsequence


def plain(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence, row by row of the table."""
    row = [0] * (len(right) + 1)
    for word in left:
        before = row
        row = [0]
        for at, other in enumerate(right):
            row.append(before[at] + 1 if word == other else max(row[at], before[at + 1]))
    return row[-1]


def without_empty(images: list[Image]) -> list[Image]:
    return [(candidate or "a", [reference or "the" for reference in references]) for candidate, references in images]


@settings(max_examples=40)
@given(images=IMAGES.map(without_empty), beta=st.sampled_from([1, 1.2]))
def test_it_is_the_f_measure_of_best_precision_and_best_recall(images: list[Image], beta: float) -> None:
    expected = []
    for candidate, references in images:
        words, said = candidate.split(), [reference.split() for reference in references]
        precision = max(plain(words, other) / len(words) for other in said)
        recall = max(plain(words, other) / len(other) for other in said)
        below = recall + beta**2 * precision
        expected.append((1 + beta**2) * precision * recall / below if below else 0)
    assert scores(f"rouge-l(beta={beta})", images) == pytest.approx(expected, abs=1e-12)


def test_best_precision_and_best_recall_may_be_of_different_references() -> None:
    [[precision, recall]] = statistics("rouge-l", [("a b c d", ["a b c x y z", "a b"])]).tolist()
    assert (precision, recall) == (3 / 4, 2 / 2)


def test_lins_example() -> None:
    """Lin 2004, S1 to S3: the words of "the gunman kill police" are those of S2, their order is not."""
    images = [
        ("police kill the gunman", ["police killed the gunman"]),
        ("the gunman kill police", ["police killed the gunman"]),
    ]
    assert scores("rouge-l(beta=1)", images) == pytest.approx([3 / 4, 2 / 4])


def test_of_empty_against_empty_is_1() -> None:
    """The original splits an empty caption into one empty word."""
    assert scores("rouge-l", [("", [""]), ("", ["a dog"])]) == [1.0, 0.0]


def test_captions_of_more_than_64_words() -> None:
    """Alone, and beside a short one, with which they share the work."""
    long = " ".join(f"w{number * 7 % 80}" for number in range(130))
    other = " ".join(f"w{number * 3 % 80}" for number in range(90))
    images = [(long, [other, "w7 w14"]), ("w7 w3 w14", [long, other])]
    expected = [[plain(c.split(), r.split()) for r in references] for c, references in images]
    found = rouge_l.common_subsequence_lengths(views_of(images))
    assert found.tolist() == [length for of in expected for length in of]


@settings(max_examples=40)
@given(CAPTION, CAPTION)
def test_the_words_shown_are_a_longest_common_subsequence(left: str, right: str) -> None:
    found = common_subsequence(left.split(), right.split())
    assert len(found) == plain(left.split(), right.split())
    for side in (left, right):
        rest = iter(side.split())
        assert all(word in rest for word in found)


def test_an_explanation_shows_what_is_shared_with_each_reference() -> None:
    why = RougeL().explain(views_of([("a", ["b"]), ("a dog runs", ["the dog runs far", "cats"])]), 1)
    assert why.values["reference 1"] == "dog runs  [2 of 3, of 4]"
    assert why.values["reference 2"] == "(nothing)  [0 of 3, of 1]"
    assert (why.values["best precision"], why.values["best recall"]) == pytest.approx((2 / 3, 2 / 4))
