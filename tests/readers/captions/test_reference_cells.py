"""References in the cells of a table."""

from __future__ import annotations

import numpy as np

from vericap.readers.captions.caption_shapes import listed_cells, merged


def test_empty_cells_hold_no_reference() -> None:
    assert merged(["a dog", "", None, float("nan"), "one dog"]) == ["a dog", "one dog"]
    assert merged([np.array(["a dog", "one dog"])]) == ["a dog", "one dog"]


def test_a_list_is_read_only_where_every_cell_is_one() -> None:
    assert listed_cells(['["a"]', '["b", "c"]']) == [["a"], ["b", "c"]]
    for column in (['["a"]', "b"], ["['a', 1 + 1]", "['b']"], ["['a' 'b']"], ['["a", "b\\"]']):
        assert listed_cells(column) == column
