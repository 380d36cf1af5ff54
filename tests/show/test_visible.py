"""Text from files, made harmless for a medium."""

from __future__ import annotations

import pytest

from vericap.show.visible import spreadsheet_text, visible


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


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "@SUM(A1)", "+1+cmd", "-1+2", "\tx", "\r=1"])
def test_what_a_spreadsheet_would_compute_is_text(text: str) -> None:
    assert spreadsheet_text(text) == "'" + text


@pytest.mark.parametrize("text", ["a dog", "-0.25", "+1e-3", "", "5 = five"])
def test_numbers_and_other_text_stay(text: str) -> None:
    assert spreadsheet_text(text) == text
