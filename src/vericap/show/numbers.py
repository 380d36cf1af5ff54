"""Numbers as people read them."""

from __future__ import annotations

import math


def spell(score: float, scale: float = 1.0) -> str:
    """A score × `scale` with the digits that its scale deserves; a number that does not exist is a dash.

    >>> spell(0.12345), spell(0.12345, 100), spell(float("nan"))
    ('0.1235', '12.3', '–')
    """
    if math.isnan(score):
        return "–"
    digits = max(0, 4 - round(math.log10(scale)) - (1 if scale >= 10 else 0))
    return f"{score * scale:.{digits}f}"


def spell_signed(difference: float, scale: float = 1.0) -> str:
    """A difference, with its sign.

    >>> spell_signed(0.03), spell_signed(-0.03, 100)
    ('+0.0300', '-3.0')
    """
    return spell(difference, scale) if math.isnan(difference) or difference < 0 else f"+{spell(difference, scale)}"


def spell_value(value: float | int | str) -> str:
    """A value of an explanation: four digits after the point; whole numbers and words as they are.

    >>> spell_value(0.5), spell_value(3), spell_value("dog")
    ('0.5000', '3', 'dog')
    """
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def spell_p(p: float, bound: bool = False) -> str:
    """A p-value behind the letter p, with its sign of relation; `bound` says that it is the lowest that the resamples
    can give.

    >>> spell_p(0.0004), spell_p(0.0312), spell_p(0.0039, bound=True), spell_p(float("nan"))
    ('< 0.001', '= 0.031', '≤ 0.004', '–')
    """
    if math.isnan(p):
        return "–"
    if p < 0.001:
        return "< 0.001"
    return f"≤ {math.ceil(round(p * 1000, 9)) / 1000:.3f}" if bound else f"= {p:.3f}"


def spell_p_cell(p: float, bound: bool = False) -> str:
    """A p-value in a table, where the head of the column says p.

    >>> spell_p_cell(0.0312), spell_p_cell(0.0039, bound=True)
    ('0.031', '≤ 0.004')
    """
    return spell_p(p, bound).removeprefix("= ")
