"""What a comparison shows, in a sentence that can be quoted, and what it does not show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from vericap.metrics import HEADLINES
from vericap.results.comparison import Comparison
from vericap.show.contrast_sentences import contrast_sentence
from vericap.show.numbers import spell
from vericap.show.paper_names import paper_name
from vericap.stats.contrast import Contrast

LEVEL = 0.05


def better_first(comparison: Comparison) -> Comparison:
    """The same comparison, each two captioners named in the order that a reader expects: the better one by the metric
    of the headline first, so that its differences are gains."""
    if not comparison.contrasts:
        return comparison
    key = headline_metric(comparison)
    sign = 1 if _upwards(comparison, key) else -1

    def turned(each: Contrast) -> Contrast:
        ahead = sign * (comparison[each.system][key].score - comparison[each.against][key].score)
        return each if not ahead < 0 else _turned(each)

    contrasts = {key: [turned(each) for each in pairs] for key, pairs in comparison.contrasts.items()}
    return replace(comparison, contrasts=contrasts)


def _turned(each: Contrast) -> Contrast:
    """The contrast read from the other side."""
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
    """The metric that the first sentence is about."""
    return next((key for key in HEADLINES if key in comparison.contrasts), next(iter(comparison.contrasts)))


def claims(comparison: Comparison, scale: float = 1.0) -> list[str]:
    """The headline, and one sentence for each two captioners."""
    pairs = _pairs(comparison)
    if not pairs:
        return []
    return [_headline(comparison, scale), *(_verdict(comparison, *pair, scale) for pair in pairs)]


def unsupported(comparison: Comparison, scale: float = 1.0) -> list[str]:
    """A sentence for each difference that may be chance, and for each two captioners that were not tested."""
    said = [
        contrast_sentence(each, paper_name(key), scale, higher_is_better=_upwards(comparison, key)) + "."
        for key, each in _contrasts(comparison)
        if not each.corrected < LEVEL
    ]
    tested = {frozenset(pair) for pair in _pairs(comparison)}
    for one, other in combinations(comparison, 2):
        if frozenset((one, other)) not in tested:
            said.append(f"{one} and {other} were not tested against each other; use --against all.")
    return said


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
    """How many metrics prefer which of two, significantly."""
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
    """The contrast of two captioners, whichever was tested against which."""
    return next((each for each in comparison.contrasts[key] if {each.system, each.against} == {one, other}), None)


def _upwards(comparison: Comparison, key: str) -> bool:
    return next(iter(comparison.values()))[key].higher_is_better
