"""Numbers, names of metrics and signatures as people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vericap.errors import InputError
from vericap.metrics import parse

if TYPE_CHECKING:
    from vericap.results.verdict import MetricContrast
    from vericap.stats.contrast import Contrast

ARROWS = {True: "↑", False: "↓"}  # whether higher or lower scores are better


def spell(score: float, scale: float = 1.0) -> str:
    """Return a score × `scale` with the digits that its scale deserves; a number that does not exist is a dash.

    >>> spell(0.12345), spell(0.12345, 100), spell(float("nan"))
    ('0.1235', '12.3', '–')
    """
    if math.isnan(score):
        return "–"
    digits = max(0, 4 - round(math.log10(scale)) - (1 if scale >= 10 else 0))
    return f"{score * scale:.{digits}f}"


def spell_signed(difference: float, scale: float = 1.0) -> str:
    """Return a difference, with its sign.

    >>> spell_signed(0.03), spell_signed(-0.03, 100)
    ('+0.0300', '-3.0')
    """
    return spell(difference, scale) if math.isnan(difference) or difference < 0 else f"+{spell(difference, scale)}"


def spell_value(value: float | int | str) -> str:
    """Return a value of an explanation: four digits after the point; whole numbers and words as they are.

    >>> spell_value(0.5), spell_value(3), spell_value("dog")
    ('0.5000', '3', 'dog')
    """
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def spell_p(p: float, bound: bool = False) -> str:
    """Return a p-value as it follows the letter p, with its sign of relation; `bound` says that it is the lowest that
    the resamples can give.

    >>> spell_p(0.0004), spell_p(0.0312), spell_p(0.0039, bound=True), spell_p(float("nan"))
    ('< 0.001', '= 0.031', '≤ 0.004', '–')
    """
    if math.isnan(p):
        return "–"
    if p < 0.001:
        return "< 0.001"
    return f"≤ {math.ceil(round(p * 1000, 9)) / 1000:.3f}" if bound else f"= {p:.3f}"


def contrast_cells(name: str, each: Contrast | MetricContrast, scale: float) -> list[str]:
    """Return the cells of a contrast: what `name` is compared with, the difference, its interval and p."""
    return [
        f"{name} − {each.against}",
        spell_signed(each.difference, scale),
        " ".join(spell_signed(end, scale) for end in each.interval) if each.interval else "–",
        spell_p(each.corrected, each.bound).removeprefix("= "),
    ]


def paper_name(key: str) -> str:
    """Return the name of a metric in a paper; a key that cannot be read stays as it is.

    >>> [paper_name(key) for key in ("bleu-4", "rouge-l", "cider-d", "spice.color", "cider-r(k_r=0.5)", "mine")]
    ['BLEU-4', 'ROUGE-L', 'CIDEr-D', 'SPICE color', 'CIDEr-R(k_r=0.5)', 'mine']
    """
    try:
        return parse(key).named()
    except InputError:
        return key


def signature_lines(signatures: Sequence[str], *, each: bool = False) -> list[str]:
    """Return one line for all metrics, or one line for each.

    >>> print(*signature_lines(["metric:bleu-1|version:1|references:5|n:1", "metric:ter|version:1|references:5"]))
    signatures: version:1|references:5; bleu-1|n:1; ter
    """
    if each or len(signatures) < 2:
        return list(signatures)
    return [f"signatures: {in_one_line(signatures)}"]


def in_one_line(signatures: Sequence[str]) -> str:
    """Return what all signatures share, then each metric with what it adds; nothing is left out.

    >>> in_one_line(["metric:bleu-1|version:1|n:1", "metric:bleu-4|version:1|n:4"])
    'version:1; bleu-1|n:1; bleu-4|n:4'
    """
    if len(signatures) < 2:
        return "".join(signatures)
    parts = [signature.split("|") for signature in signatures]
    shared = [part for part in parts[0] if all(part in other for other in parts)]
    own = ["|".join(part for part in each if part not in shared).removeprefix("metric:") for each in parts]
    return "; ".join(["|".join(shared), *own])
