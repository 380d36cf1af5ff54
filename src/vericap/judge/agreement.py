"""Scores beside judgements: the figures of each metric, for ratings, for forced choices and for systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vericap.errors import InputError
from vericap.judge.judgements import Choices, Floats, Integers, Ratings, Systems
from vericap.judge.levels import image_taus, system_means
from vericap.judge.protocols import Protocol
from vericap.judge.scoring import Draw, Scored
from vericap.results.verdict import MetricRow
from vericap.stats.agreement import correlate
from vericap.stats.correlation import COEFFICIENTS
from vericap.stats.forced_choice import accuracy, credit
from vericap.stats.resampling import Estimate, draw, estimate, resampled_means
from vericap.stats.wilson import wilson


def of_ratings(
    judged: Ratings,
    draws: Sequence[Draw],
    scored: Mapping[str, Scored],
    protocol: Protocol,
    *,
    resamples: int,
    seed: int,
    workers: int,
) -> tuple[list[MetricRow], int]:
    """Correlations of every metric, and the number of judgements they are over."""
    image = judged.clusters()[judged.item]
    per_draw: list[dict[str, dict[str, Estimate]]] = []
    count = 0
    for k in range(len(draws)):
        columns = {key: each.scores[min(k, len(each.scores) - 1)] for key, each in scored.items()}
        if protocol.level == "system":
            names, [human, *means] = system_means(judged.systems, [_mean(judged.human), *columns.values()])
            count = len(names)
            found = correlate(
                dict(zip(columns, means, strict=True)), human, resamples=resamples, seed=seed, workers=workers
            )
        elif protocol.over == "image":
            human = _mean(judged.human)
            count = int(np.isfinite(human).sum())
            found = {
                key: {"kendall_b": _image_mean(column, human, image, resamples, seed)}
                for key, column in columns.items()
            }
        else:
            human, row, cluster = spread(judged.human, image, protocol)
            count = len(human)
            found = {}
            whole = {key: column[row] for key, column in columns.items() if not np.isnan(column).any()}
            found |= correlate(whole, human, cluster, resamples=resamples, seed=seed, workers=workers)
            for key in columns.keys() - whole.keys():
                there = np.isfinite(columns[key][row])
                found |= correlate(
                    {key: columns[key][row][there]}, human[there], cluster[there], resamples=resamples, seed=seed
                )
        per_draw.append({key: found[key] for key in columns})
    return [_row(each, [found[key] for found in per_draw]) for key, each in scored.items()], count


def spread(human: Floats, image: Integers, protocol: Protocol) -> tuple[Floats, Integers, Integers]:
    """Judgements one after the other, the caption each is of, and the caption's image.

    >>> spread(np.array([[1.0, 2.0], [3.0, np.nan]]), np.array([0, 1]), Protocol("p"))
    (array([1., 3., 2.]), array([0, 1, 0]), array([0, 1, 0]))
    """
    column = _mean(human)[:, None] if protocol.judges == "averaged" else human
    ratings = column.T.ravel()
    row = np.tile(np.arange(len(column)), column.shape[1])
    there = np.isfinite(ratings)
    return ratings[there], row[there], image[row[there]]


def _mean(human: Floats) -> Floats:
    """The mean of the judges who rated a caption."""
    there = np.isfinite(human)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, human, 0.0).sum(axis=1) / there.sum(axis=1))


def _image_mean(scores: Floats, human: Floats, image: Integers, resamples: int, seed: int) -> Estimate:
    taus = image_taus(scores, human, image)
    defined = taus[np.isfinite(taus)]
    if not len(defined):
        return Estimate(float("nan"))
    value = float(defined.mean())
    if not resamples:
        return Estimate(value)
    weights = draw(len(defined), resamples, seed)
    return estimate(value, resampled_means(defined, np.arange(len(defined)), weights))


def of_choices(
    judged: Choices,
    draws: Sequence[Draw],
    scored: Mapping[str, Scored],
    protocol: Protocol,
    *,
    resamples: int,
    seed: int,
) -> tuple[list[MetricRow], int]:
    """Accuracy of every metric, over all pairs and for each group, and the number of pairs."""
    image = judged.clusters()
    groups = np.array(judged.groups) if judged.groups else None
    rows, count = [], 0
    for each in scored.values():
        per_draw: list[dict[str, Estimate]] = []
        for k, chosen in enumerate(draws):
            credits, kept = credits_of(chosen, each.scores[min(k, len(each.scores) - 1)], each, protocol, k)
            parts = {} if groups is None else {name: groups[kept] == name for name in sorted(set(judged.groups))}
            parts["all"] = np.ones(len(kept), bool)
            count = len(kept)
            per_draw.append(
                {
                    f"accuracy.{name}": accuracy(
                        credits[part], _numbered(image[kept][part]), resamples=resamples, seed=seed
                    )
                    for name, part in parts.items()
                }
            )
        sizes = {"accuracy.all": count}
        if groups is not None:
            sizes |= {f"accuracy.{name}": int((groups[kept] == name).sum()) for name in sorted(set(judged.groups))}
        rows.append(_row(each, per_draw, sizes))
    return rows, count


def credits_of(chosen: Draw, scores: Floats, each: Scored, protocol: Protocol, number: int) -> tuple[Floats, Integers]:
    """What a metric earns on each pair that people decided, and which pairs those are."""
    preferred = chosen.preferred()
    kept = np.flatnonzero(preferred)
    oriented = scores if each.higher_is_better else -scores
    first, second = oriented[2 * kept], oriented[2 * kept + 1]
    ahead = preferred[kept] > 0
    better, worse = np.where(ahead, first, second), np.where(ahead, second, first)
    return credit(better, worse, protocol.ties or "half", seed=protocol.seed + number), kept


def of_systems(
    judged: Systems, scores: Mapping[str, Floats], *, resamples: int, seed: int
) -> tuple[list[MetricRow], int]:
    """Correlations of every metric with each question; the plain ones are with the first."""
    rows = []
    for key, column in scores.items():
        estimates: dict[str, Estimate] = {}
        for question, human in judged.human.items():
            found = correlate({key: column}, human, resamples=resamples, seed=seed)[key]
            if not estimates:
                estimates |= found
            estimates |= {f"{question}.{name}": found[name] for name in COEFFICIENTS}
            estimates[f"{question}.p_value"] = Estimate(_p_value(column, human))
        rows.append(MetricRow(key, estimates, ties=equal_pairs(column)))
    return rows, len(judged.names)


def _p_value(first: Floats, second: Floats) -> float:
    """Two-sided, of no correlation: Student's t of Pearson's r."""
    from scipy.stats import pearsonr

    return float(pearsonr(first, second).pvalue)


def equal_pairs(scores: Floats) -> float:
    """The share of pairs of captions with equal scores.

    >>> equal_pairs(np.array([1.0, 1.0, 2.0]))
    0.3333333333333333
    """
    _, counts = np.unique(scores[np.isfinite(scores)], return_counts=True)
    total = int(counts.sum())
    return float((counts * (counts - 1)).sum() / (total * (total - 1))) if total > 1 else float("nan")


def _row(each: Scored, per_draw: Sequence[Mapping[str, Estimate]], sizes: Mapping[str, int] | None = None) -> MetricRow:
    """Means over the draws of references, all of them on the same resamples of images."""
    estimates, deviation = {}, {}
    for name in per_draw[0]:
        several = [found[name] for found in per_draw]
        values = np.array([one.value for one in several])
        replicates = [one.replicates for one in several]
        together = np.mean(replicates, axis=0) if len({len(one) for one in replicates}) == 1 else np.zeros(0)
        if len(together):
            estimates[name] = estimate(float(values.mean()), together)
        else:
            estimates[name] = Estimate(float(values.mean()))
        if len(several) > 1:
            deviation[name] = float(values.std(ddof=1))
    choices = sizes is not None
    intervals = {n: wilson(estimates[n].value * size, size) for n, size in (sizes or {}).items() if size}
    ties = [pair_ties(one) if choices else equal_pairs(one) for one in each.scores]
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


def _numbered(cluster: Integers) -> Integers:
    """Clusters without gaps in their numbers."""
    return np.unique(cluster, return_inverse=True)[1].astype(np.int64)


def check(judged: Ratings | Choices | Systems, protocol: Protocol, source: str) -> None:
    """Judgements that cannot be judged with are an error before any work."""
    if not judged.judgements:
        raise InputError("no judgement is left under this protocol", source=source, fix="choose another subset")
    if isinstance(judged, Ratings) and protocol.measure == "accuracy":
        raise InputError(
            "ratings have no accuracy", field="measure", fix="use kendall_b, kendall_c, spearman or pearson"
        )
