"""How wide the screen is, and how wide a text is on it."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from vericap.show.grid import Grid
from vericap.show.screen import _NARROW, on_screen, screen_width, width_of_screen


def test_a_chinese_character_is_two_columns_wide_and_an_accent_none() -> None:
    assert [screen_width(text) for text in ("dog", "狗", "e\u0301")] == [3, 2, 1]
    head, *rows = Grid(["", "x"], [["狗", "1"], ["dog", "2"]]).draw().splitlines()
    assert rows == ["狗   1", "dog  2"] and head == "     x"


def test_signs_of_tables_are_one_column_wide_as_rich_says() -> None:
    for sign in map(chr, _NARROW):
        assert screen_width(f"bleu-4 {sign}") == cell_len(f"bleu-4 {sign}") == 8


def test_the_width_holds_inside_alone() -> None:
    with pytest.raises(KeyError), on_screen(40):
        assert width_of_screen() == 40
        raise KeyError
    assert width_of_screen() is None
