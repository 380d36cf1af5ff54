"""Claims about a comparison: sentences that can be quoted, and what the data do not show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from vericap.metrics import HEADLINES
from vericap.results.comparison import Comparison
from vericap.show.numbers import paper_name, spell, spell_p, spell_signed
from vericap.stats.contrast import Contrast

LEVEL = 0.05


def contrast_sentences(comparison: Comparison, scale: float = 1.0) -> list[str]:
    """Return one sentence for each contrast, in the order of the table."""
    return [
        contrast_sentence(each, paper_name(key), scale, higher_is_better=_upwards(comparison, key))
        for key, each in _contrasts(comparison)
    ]


def contrast_sentence(each: Contrast, metric: str, scale: float = 1.0, *, higher_is_better: bool = True) -> str:
    """Return a contrast in words. The interval is that of the difference that the sentence names.

    >>> contrast_sentence(Contrast("M²", "BLIP-2", -0.148, (-0.17, -0.129), 0.0001, 0.0001, -0.5, 1, 0, 9), "CIDEr-D",
    ...                   100)
    'BLIP-2 is better than M² in CIDEr-D by 14.8 [12.9, 17.0], p < 0.001'
    """
    names, p = (each.system, each.against), spell_p(each.corrected, each.bound)
    if math.isnan(each.difference) or not each.corrected < LEVEL:
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
    """Yield a note for each contrast in which the corpus score says better and the captions' scores say worse."""
    for key, each in _contrasts(comparison):
        sign = 1 if _upwards(comparison, key) else -1
        if each.difference * sign * each.effect < 0:
            yield (
                f"{key}, {each.system} − {each.against}: the difference is between corpus scores, while effect, won "
                "and lost are about the scores of single captions; here they favour different captioners"
            )


def better_first(comparison: Comparison) -> Comparison:
    """Return the same comparison with the better one of each two captioners first, by the metric of the headline, so
    that its differences are gains."""
    if not comparison.contrasts:
        return comparison
    key = headline_metric(comparison)
    sign = 1 if _upwards(comparison, key) else -1
    scores = {name: sign * result[key].score for name, result in comparison.items()}
    contrasts = {
        metric: [_turned(each) if scores[each.system] < scores[each.against] else each for each in pairs]
        for metric, pairs in comparison.contrasts.items()
    }
    return replace(comparison, contrasts=contrasts)


def _turned(each: Contrast) -> Contrast:
    """Return the contrast read from the other side."""
    return replace(
        each,
        system=each.against,
        against=each.system,
        difference=-each.difference,
        interval=None if each.interval is None else (-each.interval[1], -each.interval[0]),
        effect=-each.effect,
        wins=each.losses,
        losses=each.wins,
    )


def headline_metric(comparison: Comparison) -> str:
    """Return the metric that the first sentence is about."""
    return next((key for key in HEADLINES if key in comparison.contrasts), next(iter(comparison.contrasts)))


def claims(comparison: Comparison, scale: float = 1.0) -> list[str]:
    """Return the headline, and one sentence for each two captioners."""
    pairs = _pairs(comparison)
    if not pairs:
        return []
    return [_headline(comparison, scale), *(_verdict(comparison, *pair, scale) for pair in pairs)]


def unsupported(comparison: Comparison, scale: float = 1.0) -> list[str]:
    """Return a sentence for each difference that may be chance, and for each two captioners that were not tested."""
    sentences = zip(_contrasts(comparison), contrast_sentences(comparison, scale), strict=True)
    tested = {frozenset(pair) for pair in _pairs(comparison)}
    untested = [pair for pair in combinations(comparison, 2) if frozenset(pair) not in tested]
    return [
        *(f"{sentence}." for (_, each), sentence in sentences if not each.corrected < LEVEL),
        *(f"{one} and {other} were not tested against each other; use --against all." for one, other in untested),
    ]


def _headline(comparison: Comparison, scale: float) -> str:
    key = headline_metric(comparison)
    upwards = _upwards(comparison, key)
    order = sorted(comparison, key=lambda name: comparison[name][key].score, reverse=upwards)
    best, second = order[:2]
    scores = ", ".join(f"{name} {spell(comparison[name][key].score, scale)}" for name in order)
    found = _between(comparison, key, best, second)
    if found is None:
        return f"{best} has the best {paper_name(key)}: {scores}."
    if not found.corrected < LEVEL:
        return f"{best} has the best {paper_name(key)}, but not significantly better than {second}: {scores}."
    said = contrast_sentence(found, paper_name(key), scale, higher_is_better=upwards)
    won = max(found.wins, found.losses)
    return f"{said}; its caption is the better one on {won:,} of {comparison.images:,} images."


def _verdict(comparison: Comparison, system: str, against: str, scale: float) -> str:
    """Return the metrics that significantly prefer each of two captioners."""
    ours, theirs, unclear = list[str](), list[str](), list[str]()
    for key in comparison.contrasts:
        each = _between(comparison, key, system, against)
        if each is None or not each.corrected < LEVEL:
            unclear.append(paper_name(key))
        else:
            (ours if (each.difference > 0) == _upwards(comparison, key) else theirs).append(paper_name(key))
    said = [f"{name} is better in {_listed(keys)}" for name, keys in ((system, ours), (against, theirs)) if keys]
    said += [f"no significant difference in {_listed(unclear)}"] if unclear else []
    return f"{system} against {against}: {'; '.join(said)}."


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _pairs(comparison: Comparison) -> list[tuple[str, str]]:
    return list(dict.fromkeys((each.system, each.against) for _, each in _contrasts(comparison)))


def _contrasts(comparison: Comparison) -> Iterator[tuple[str, Contrast]]:
    return ((key, each) for key, pairs in comparison.contrasts.items() for each in pairs)


def _between(comparison: Comparison, key: str, one: str, other: str) -> Contrast | None:
    """Return the contrast of two captioners, in either order."""
    return next((each for each in comparison.contrasts[key] if {each.system, each.against} == {one, other}), None)


def _upwards(comparison: Comparison, key: str) -> bool:
    return next(iter(comparison.values()))[key].higher_is_better
