"""Contrasts between captioners in plain words: one sentence for each, and a note where two of its numbers seem to
disagree."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vericap.results.comparison import Comparison
from vericap.show.numbers import spell, spell_p, spell_signed
from vericap.show.paper_names import paper_name
from vericap.stats.contrast import Contrast

_LEVEL = 0.05


def contrast_sentences(comparison: Comparison, scale: float = 1.0) -> list[str]:
    """One sentence for each contrast, in the order of the table."""
    return [
        contrast_sentence(each, paper_name(key), scale, higher_is_better=_upwards(comparison, key))
        for key, pairs in comparison.contrasts.items()
        for each in pairs
    ]


def contrast_sentence(each: Contrast, metric: str, scale: float = 1.0, *, higher_is_better: bool = True) -> str:
    """What a contrast says. The interval is of the difference that the sentence names.

    >>> contrast_sentence(Contrast("M²", "BLIP-2", -0.148, (-0.17, -0.129), 0.0001, 0.0001, -0.5, 1, 0, 9), "CIDEr-D",
    ...                   100)
    'BLIP-2 is better than M² in CIDEr-D by 14.8 [12.9, 17.0], p < 0.001'
    """
    names, p = (each.system, each.against), spell_p(each.corrected, each.bound)
    if math.isnan(each.difference) or not each.corrected < _LEVEL:
        tested = f", p {p}" if not math.isnan(each.corrected) else ", not tested"
        ends = _interval(each.interval, scale, signed=True)
        apart = f"{spell_signed(each.difference, scale)}{ends}{tested}"
        return f"{names[0]} and {names[1]} do not differ significantly in {metric}: {apart}"
    if (each.difference > 0) != higher_is_better:
        names = names[::-1]
    interval = each.interval
    if interval and each.difference < 0:
        interval = (-interval[1], -interval[0])
    ends = _interval(interval, scale)
    return f"{names[0]} is better than {names[1]} in {metric} by {spell(abs(each.difference), scale)}{ends}, p {p}"


def _interval(interval: tuple[float, float] | None, scale: float, *, signed: bool = False) -> str:
    if interval is None:
        return ""
    low, high = (spell_signed(end, scale) if signed else spell(end, scale) for end in interval)
    return f" [{low}, {high}]"


def opposite_signs(comparison: Comparison) -> Iterator[str]:
    """A note for each contrast in which the corpus score says better and the captions' scores say worse."""
    for key, pairs in comparison.contrasts.items():
        sign = 1 if _upwards(comparison, key) else -1
        for each in pairs:
            if each.difference * sign * each.effect < 0:
                yield (
                    f"{key}, {each.system} − {each.against}: the difference is between corpus scores, while effect, "
                    "won and lost are about the scores of single captions; here they favour different captioners"
                )


def _upwards(comparison: Comparison, key: str) -> bool:
    return next(iter(comparison.values()))[key].higher_is_better
