"""Labels as plain words: one spelling for all sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.readers.objects.labels import COCO_CATEGORIES, VOC_WORDS, normalise


@pytest.mark.parametrize("label", ["Dining_Table", "dining-table", "diningtable", " DINING  table ", "Dining\tTable"])
def test_spellings_of_one_label(label: str) -> None:
    assert normalise(label) == "dining table"


@given(st.text("aB-_ \t", max_size=12))
def test_a_plain_label_is_left_as_it_is(label: str) -> None:
    plain = normalise(label)
    assert normalise(plain) == plain == plain.strip().lower()


def test_vocs_words_are_cocos() -> None:
    assert set(VOC_WORDS.values()) <= set(COCO_CATEGORIES.values())


def test_cocos_categories_have_their_published_numbers() -> None:
    assert len(COCO_CATEGORIES) == 80 and max(COCO_CATEGORIES) == 90
    assert {1: "person", 18: "dog", 67: "dining table", 90: "toothbrush"}.items() <= COCO_CATEGORIES.items()


def test_cocos_categories_are_in_the_published_order(data: Path) -> None:
    assert list(COCO_CATEGORIES.values()) == (data / "coco_objects" / "coco_label.txt").read_text().splitlines()
