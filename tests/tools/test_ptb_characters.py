"""What the tokenizer takes characters for: Unicode's classes of its time, by Python's tables where they agree."""

from __future__ import annotations

import unicodedata

import pytest

from tools.ptb_characters import CAPITALS, DIGITS, LETTERS, MARKS, SYMBOLS

BASIC = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]


def test_letters_are_letters() -> None:
    """Every letter of the table is one to Unicode today; what came after Unicode 6 is none."""
    found = [character for character in BASIC if character in LETTERS]
    odd = [c for c in found if unicodedata.category(c)[0] not in "LM"]
    assert not [c for c in odd if unicodedata.category(c) not in ("Cn", "Sk", "So", "Nl")]
    assert len(odd) < 0.001 * len(found)
    assert {"a", "Z", "é", "Я", "日", "한", "ש", "ﬁ"} <= set(found)
    assert "\u037f" not in LETTERS  # Greek capital yot, Unicode 7
    assert not {"1", " ", "-", "_", "'", "\u0301"} & set(found)


def test_digits_are_decimal_digits() -> None:
    found = {character for character in BASIC if character in DIGITS}
    assert all(unicodedata.category(character) == "Nd" for character in found)
    assert set("0123456789٣५９") <= found and "²" not in found and "½" not in found


def test_marks_are_no_letters() -> None:
    assert not [character for character in BASIC if character in MARKS and character in LETTERS]
    assert "\u0301" in MARKS and "\u05b0" in MARKS and "a" not in MARKS


@pytest.mark.parametrize("character", "$%&*+:<=>^`|~©®°×÷→€")
def test_signs_of_captions(character: str) -> None:
    # The euro is a currency of its own rule.
    assert (character in SYMBOLS) is (character != "€")


def test_the_classes_do_not_overlap() -> None:
    classes = [LETTERS, MARKS, DIGITS, SYMBOLS]
    twice = [c for c in BASIC if sum(c in each for each in classes) > 1]
    assert twice == []


def test_capitals_are_upper_case() -> None:
    assert all(character in CAPITALS for character in "AZÉЯΩⅣⒶ")
    assert not any(character in CAPITALS for character in "azéя日1Ꭰ")
    assert all(character.isupper() for character in BASIC if character in CAPITALS)
