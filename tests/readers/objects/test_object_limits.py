"""Counts of objects that no picture has."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.readers.objects import read_objects


def test_a_count_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(InputError, match=r"the count of 'dog' is 1,000,000,000,000; an image has at most 10,000"):
        read_objects({"0": {"dog": 10**12}})
    assert len(read_objects({"0": {"dog": 10_000}}).labels) == 10_000


@pytest.mark.parametrize("name", ["images", "categories", "annotations"])
def test_parts_of_coco_are_lists(name: str) -> None:
    value = {"images": [{"id": 1}], "categories": [], "annotations": [], name: {"a": 1}}
    with pytest.raises(InputError, match=f'field "{name}": it is an object, not a list'):
        read_objects(value)
