"""How wide the screen is, and how wide a text is on it."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from vericap.show.grid import Grid
from vericap.show.screen import _NARROW, WIDTH, on_screen, screen_width, visible


def test_a_chinese_character_is_two_columns_wide_and_an_accent_none() -> None:
    assert [screen_width(text) for text in ("dog", "狗", "e\u0301")] == [3, 2, 1]
    head, *rows = Grid(["", "x"], [["狗", "1"], ["dog", "2"]]).draw().splitlines()
    assert rows == ["狗   1", "dog  2"] and head == "     x"


def test_signs_of_tables_are_one_column_wide_as_rich_says() -> None:
    for sign in map(chr, _NARROW):
        assert screen_width(f"bleu-4 {sign}") == cell_len(f"bleu-4 {sign}") == 8


def test_the_width_holds_inside_alone() -> None:
    with pytest.raises(KeyError), on_screen(40):
        assert WIDTH.get() == 40
        raise KeyError
    assert WIDTH.get() is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a dog", "a dog"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("one\r\ntwo\u2028three", r"one\r\ntwo\u2028three"),
        ("\x9b31m", r"\x9b31m"),
        ("file\u202egpj.exe", r"file\u202egpj.exe"),
        ("👩\u200d👧 सत्\u200dय, café, 狗", "👩\u200d👧 सत्\u200dय, café, 狗"),
        ("half \ud83d", r"half \ud83d"),
    ],
)
def test_control_characters_are_spelled_and_languages_are_left_alone(text: str, shown: str) -> None:
    assert visible(text) == shown
