"""British words become American ones, case by case."""

from __future__ import annotations

import pytest

from vericap.scene.stanford.spelling import american


@pytest.mark.parametrize(
    ("british", "expected"),
    [
        ("grey", "gray"),
        ("Grey", "Grey"),  # case counts
        ("may", "may"),  # also a verb, as march
        ("march", "march"),
        ("december", "December"),
        ("vapours", "vapors"),
        ("odour", "odour"),  # too few letters before
        ("our", "our"),
        ("four", "four"),
        ("hours", "hours"),
        ("contoured", "contoured"),
        ("detours", "detours"),
        ("glamour", "glamour"),
        ("haematology", "hematology"),
        ("anaemia", "anemia"),
        ("Leukaemia", "Leukemia"),
        ("programmes", "programs"),
        ("programmed", "programmed"),
    ],
)
def test_words(british: str, expected: str) -> None:
    assert american(british) == expected
