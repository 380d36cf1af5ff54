"""Spellings of an image id."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from vericap.corpus.image_ids import canonical


@pytest.mark.parametrize(
    ("given", "same"),
    [("000", "0"), ("0", "0"), ("00700", "700"), ("COCO_train2014_000000000000.png", "0"), ("0x", "0x")],
)
def test_leading_zeros_are_dropped_from_numbers_alone(given: str, same: str) -> None:
    assert canonical(given) == same


def test_an_id_of_many_zeros_takes_no_longer_than_it_is_long(bounded: Callable[[str], str]) -> None:
    """A pattern that could give each zero to either of two parts tried all ways to do so."""
    code = "from vericap.corpus.image_ids import canonical; print(len(canonical('0' * 1_000_000 + 'x')))"
    assert bounded(code) == "1000001"
