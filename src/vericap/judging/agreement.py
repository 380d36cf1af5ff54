"""Scores and judgements: the figures of each metric, for ratings, for forced choices and for systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import offsets_of
from vericap.errors import InputError
from vericap.judging.judgements import Choices, Floats, Integers, Judgements, Ratings, Systems
from vericap.judging.protocols import Protocol
from vericap.judging.scoring import Draw, ScoredCaptions, Scores
from vericap.results.verdict import MetricRow
from vericap.stats.ceiling import mean_rating
from vericap.stats.contrast import mean_by_image
from vericap.stats.correlation import COEFFICIENTS, correlate
from vericap.stats.forced_choice import accuracy, credit, wilson
from vericap.stats.resampling import Estimate, estimate


@dataclass(frozen=True)
class Resampling:
    """The number of resamples of intervals and tests, and their seed."""

    resamples: int
    seed: int = 0
    workers: int = 1


@dataclass(frozen=True, eq=False)
class Agreement:
    """One row per metric, the number of judgements they are over, and how many images (or systems) are resampled."""

    rows: list[MetricRow]
    judgements: int
    units: int


@singledispatch
def agreement_of(judged: Any, scores: Scores, protocol: Protocol, resampling: Resampling) -> Agreement:
    """Return the agreement of each metric's scores with people."""
    raise TypeError(f"{type(judged).__name__} cannot be judged with")


@agreement_of.register
def _(judged: Ratings, scores: Scores, protocol: Protocol, resampling: Resampling) -> Agreement:
    """Correlations, under the level that the protocol names."""
    per_draw: list[dict[str, dict[str, Estimate]]] = []
    judgements = units = 0
    for number in range(len(scores.draws)):
        columns = {key: each.of_draw(number) for key, each in scores.metrics.items()}
        found, judgements, units = _correlations(judged, columns, protocol, resampling)
        per_draw.append(found)
    rows = [_row(each, [of_draw[key] for of_draw in per_draw]) for key, each in scores.metrics.items()]
    return Agreement(rows, judgements, units)


def _correlations(
    judged: Ratings, columns: Mapping[str, Floats], protocol: Protocol, resampling: Resampling
) -> tuple[dict[str, dict[str, Estimate]], int, int]:
    """Return the estimates of each metric by measure, and how many judgements and units they are over."""
    if protocol.level == "system":
        names, [human, *means] = system_means(judged.systems, [mean_rating(judged.human), *columns.values()])
        of_systems = dict(zip(columns, means, strict=True))
        return correlate(of_systems, human, **vars(resampling)), len(names), len(names)
    image = judged.clusters()[judged.item]
    if protocol.correlation == "image":
        human = mean_rating(judged.human)
        # All metrics see the same resamples, whichever images have no tau.
        how = {"resamples": resampling.resamples, "seed": resampling.seed}
        taus = {key: image_taus(column, human, image) for key, column in columns.items()}
        found = {key: {"kendall_b": accuracy(each, **how)} for key, each in taus.items()}
        return found, int(np.isfinite(human).sum()), len(np.unique(image))
    human, row, cluster = spread(judged.human, image, protocol)
    whole = {key: column[row] for key, column in columns.items() if not np.isnan(column).any()}
    found = correlate(whole, human, cluster, **vars(resampling))
    for key in columns.keys() - whole.keys():
        there = np.isfinite(columns[key][row])
        found |= correlate({key: columns[key][row][there]}, human[there], cluster[there], **vars(resampling))
    return found, len(human), len(np.unique(cluster))


def spread(human: Floats, image: Integers, protocol: Protocol) -> tuple[Floats, Integers, Integers]:
    """Judgements one after the other, the caption each is of, and the caption's image.

    >>> spread(np.array([[1.0, 2.0], [3.0, np.nan]]), np.array([0, 1]), Protocol("p"))
    (array([1., 3., 2.]), array([0, 1, 0]), array([0, 1, 0]))
    """
    column = mean_rating(human)[:, None] if protocol.judges == "averaged" else human
    ratings = column.T.ravel()
    row = np.tile(np.arange(len(column)), column.shape[1])
    there = np.isfinite(ratings)
    return ratings[there], row[there], image[row[there]]


@agreement_of.register
def _(judged: Choices, scores: Scores, protocol: Protocol, resampling: Resampling) -> Agreement:
    """Accuracies, over all pairs and for each group."""
    image = judged.clusters()
    rows, kept = [], np.zeros(0, np.int64)
    for each in scores.metrics.values():
        per_draw: list[dict[str, Estimate]] = []
        parts: dict[str, NDArray[np.bool_]] = {}
        for number, chosen in enumerate(scores.draws):
            credits, kept = credits_of(chosen, each.of_draw(number), each, protocol, number)
            parts = _parts(judged, kept)
            options = {"resamples": resampling.resamples, "seed": resampling.seed}
            per_draw.append(
                {n: accuracy(credits[part], numbered(image[kept][part]), **options) for n, part in parts.items()}
            )
        rows.append(_row(each, per_draw, {name: int(part.sum()) for name, part in parts.items()}))
    return Agreement(rows, len(kept), len(np.unique(image[kept])))


def _parts(judged: Choices, kept: Integers) -> dict[str, NDArray[np.bool_]]:
    """Return a mask of the pairs of each group, and of all."""
    parts = {}
    if judged.groups:
        groups = np.array(judged.groups)[kept]
        parts = {f"accuracy.{name}": groups == name for name in sorted(set(judged.groups))}
    return {**parts, "accuracy.all": np.ones(len(kept), bool)}


def credits_of(
    chosen: Draw, scores: Floats, each: ScoredCaptions, protocol: Protocol, number: int
) -> tuple[Floats, Integers]:
    """Return the credit of a metric on each pair that people decided, and a mask of those pairs."""
    preferred = chosen.preferred()
    kept = np.flatnonzero(preferred)
    oriented = scores if each.higher_is_better else -scores
    first, second = oriented[2 * kept], oriented[2 * kept + 1]
    ahead = preferred[kept] > 0
    better, worse = np.where(ahead, first, second), np.where(ahead, second, first)
    return credit(better, worse, protocol.ties or "half", seed=protocol.seed + number), kept


@agreement_of.register
def _(judged: Systems, scores: Scores, protocol: Protocol, resampling: Resampling) -> Agreement:
    """Correlations with each question; those without a question's name are with the first. The p-value, two-sided, of
    no correlation is that of Student's t of Pearson's r."""
    from scipy.stats import pearsonr

    rows = []
    for key, each in scores.metrics.items():
        column = each.of_draw(0)
        estimates: dict[str, Estimate] = {}
        for question, human in judged.human.items():
            found = correlate({key: column}, human, resamples=resampling.resamples, seed=resampling.seed)[key]
            if not estimates:
                estimates |= found
            estimates |= {f"{question}.{name}": found[name] for name in COEFFICIENTS}
            estimates[f"{question}.p_value"] = Estimate(float(pearsonr(column, human).pvalue))
        rows.append(MetricRow(key, estimates, ties=equal_pairs(column)))
    return Agreement(rows, len(judged), len(judged))


def equal_pairs(scores: Floats) -> float:
    """The share of pairs of captions with equal scores.

    >>> equal_pairs(np.array([1.0, 1.0, 2.0]))
    0.3333333333333333
    """
    _, counts = np.unique(scores[np.isfinite(scores)], return_counts=True)
    total = int(counts.sum())
    return float((counts * (counts - 1)).sum() / (total * (total - 1))) if total > 1 else float("nan")


def _row(
    each: ScoredCaptions, per_draw: Sequence[Mapping[str, Estimate]], sizes: Mapping[str, int] | None = None
) -> MetricRow:
    """Means over the draws of references, all of them on the same resamples of images."""
    estimates, deviation = {}, {}
    for name in per_draw[0]:
        several = [found[name] for found in per_draw]
        values = np.array([one.value for one in several])
        replicates = [one.replicates for one in several]
        together = np.mean(replicates, axis=0) if len({len(one) for one in replicates}) == 1 else np.zeros(0)
        estimates[name] = estimate(float(values.mean()), together)
        if len(several) > 1:
            deviation[name] = float(values.std(ddof=1))
    intervals = {n: wilson(estimates[n].value * size, size) for n, size in (sizes or {}).items() if size}
    ties = [pair_ties(one) if sizes is not None else equal_pairs(one) for one in each.scores]
    return MetricRow(
        each.key,
        estimates,
        deviation,
        intervals,
        float(np.mean(ties)),
        each.seconds,
        each.signature,
        each.higher_is_better,
    )


def pair_ties(scores: Floats) -> float:
    """The share of forced choices with equal scores."""
    return float(np.mean(scores[::2] == scores[1::2])) if len(scores) else float("nan")


def numbered(cluster: Integers) -> Integers:
    """Clusters without gaps in their numbers."""
    return np.unique(cluster, return_inverse=True)[1].astype(np.int64)


def check(judged: Judgements, protocol: Protocol, source: str) -> None:
    """Judgements that cannot be judged with are an error before any work."""
    if not judged.judgements:
        fix = "choose another subset or protocol"
        raise InputError("no judgement is left under this protocol", source=source, fix=fix)
    if isinstance(judged, Ratings) and protocol.measure == "accuracy":
        raise InputError(
            "accuracy is not defined for ratings", field="measure", fix="use kendall_b, kendall_c, spearman or pearson"
        )


def system_means(systems: Sequence[str], columns: Sequence[Floats]) -> tuple[list[str], list[Floats]]:
    """Return the names of the systems, and the mean of each column over each system's captions; NaN counts for nothing.

    >>> names, [means] = system_means(["b", "a", "b"], [np.array([1.0, 5.0, 3.0])])
    >>> names, means.tolist()
    (['b', 'a'], [2.0, 5.0])
    """
    if not systems:
        raise InputError(
            "the judgements do not name the systems", field="level", fix="judge captions, or add a column `system`"
        )
    names = list(dict.fromkeys(systems))
    row = np.array([names.index(system) for system in systems])
    finite = [np.where(np.isfinite(column), column, np.nan) for column in columns]
    return names, [mean_by_image(column, row, len(names)) for column in finite]


def image_taus(scores: Floats, human: Floats, image: Integers) -> Floats:
    """Return Kendall's tau-b within each image; NaN where its captions have one score, or one rating.

    >>> image_taus(np.array([1.0, 2.0, 5.0, 5.0]), np.array([1.0, 2.0, 1.0, 2.0]), np.array([0, 0, 1, 1])).tolist()
    [1.0, nan]
    """
    order = np.argsort(image, kind="stable")
    size = np.bincount(image)
    start = offsets_of(size)
    pairs = [
        (order[start[k] : start[k] + n][upper[0]], order[start[k] : start[k] + n][upper[1]], np.full(len(upper[0]), k))
        for k, n in enumerate(size.tolist())
        if (upper := np.triu_indices(n, 1)) and n > 1
    ]
    if not pairs:
        return np.full(len(size), np.nan)
    first, second, owner = (np.concatenate(column) for column in zip(*pairs, strict=True))
    by_score, by_human = np.sign(scores[first] - scores[second]), np.sign(human[first] - human[second])
    agree, untied_score, untied_human = (
        np.bincount(owner, each, len(size)) for each in (by_score * by_human, by_score != 0, by_human != 0)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(agree / np.sqrt(untied_score * untied_human))
