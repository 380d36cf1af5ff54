"""Digits of numbers."""

from __future__ import annotations

import math

from vericap.show.numbers import spell, spell_signed, spell_value


def test_a_larger_scale_has_fewer_digits() -> None:
    assert [spell(0.123456, scale) for scale in (1, 10, 100, 1000)] == ["0.1235", "1.23", "12.3", "123"]


def test_what_does_not_exist_is_a_dash() -> None:
    assert spell(math.nan) == spell_signed(math.nan) == "–"


def test_signs_and_values() -> None:
    assert (spell_signed(0.0), spell_signed(-0.5)) == ("+0.0000", "-0.5000")
    assert (spell_value(1.0), spell_value(1), spell_value("dog")) == ("1.0000", "1", "dog")
