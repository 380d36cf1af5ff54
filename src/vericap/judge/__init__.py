"""Judging the metrics: how far each agrees with people, with intervals and tests, under a named protocol."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from vericap.choices import CONFIDENCE
from vericap.errors import InputError
from vericap.judge.benchmarks import NAMES, benchmark
from vericap.judge.judgements import Choices, Ratings, Systems
from vericap.judge.protocols import Protocol, named
from vericap.readers.judgements import Folder
from vericap.results.verdict import MetricRow, Verdict

if TYPE_CHECKING:
    from vericap.judge.scoring import Draw, Prepare, Progress, Scored
    from vericap.metrics import Metric

__all__ = ["NAMES", "Protocol", "benchmark", "judge", "load"]


def load(
    name: str, data: str | Path, protocol: str | None = None, subset: str | None = None, **choices: Any
) -> tuple[Ratings | Choices | Systems, Protocol]:
    """A benchmark's judgements, and the protocol with its choices made."""
    about = benchmark(name)
    if subset and subset not in about.subsets:
        some = ", ".join(about.subsets) or "none"
        raise InputError(f"{about.name} has no subset {subset!r}", field="subset", fix=f"it has {some}")
    chosen = named(about.protocols, protocol, about.name).changed(subset=subset or None, **choices)
    folder = Folder.find(Path(data), about.name, about.folders, about.source)
    return about.load(folder, chosen), chosen


def judge(
    name: str,
    data: str | Path,
    *,
    metrics: str | Iterable[str | Metric] = "default",
    protocol: str | None = None,
    subset: str | None = None,
    scores: Sequence[str | Path] = (),
    objects: Any = None,
    regions: Any = None,
    confidence: float | Sequence[float] = CONFIDENCE,
    missing: Literal["error", "drop", "zero"] = "error",
    bootstrap: int = 1000,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    known: dict[Any, Any] | None = None,
    **choices: Any,
) -> Verdict:
    """How the metrics agree with the people of a benchmark.

    `data` is the benchmark's folder, or one that holds it; `choices` change single choices of the protocol
    (references_used, ties, judges, …); `scores` are files with scores from elsewhere; `objects`, `regions`,
    `confidence` and `missing` are those of `evaluate`. `known` keeps scores between calls: protocols that differ in
    what they do with the same scores (ties, measure, judges) then compute them once.
    """
    workers = workers or os.cpu_count() or 1
    judged, chosen = load(name, data, protocol, subset, seed=seed or None, **choices)
    from vericap.judge import agreement
    from vericap.judge.external import read_scores

    about = benchmark(name)
    agreement.check(judged, chosen, str(data))
    notes: tuple[str, ...] = ()
    names = tuple(judged.names) if isinstance(judged, Systems) else ()
    size = len(names) if isinstance(judged, Systems) else len(judged)
    outside = {key: column for path in scores for key, column in read_scores(Path(path), size, names).items()}
    if isinstance(judged, Systems):
        rows, n = agreement.of_systems(judged, {**judged.scores, **outside}, resamples=bootstrap, seed=seed)
    else:
        from vericap.judge.scoring import score

        prepare: Prepare | None = None
        told: tuple[str, ...] = ()
        if objects is not None or regions is not None:
            from vericap.judge.pictures import with_pictures

            judged, prepare, told = with_pictures(judged, objects, regions, confidence, missing)
        texts = (tuple(judged.candidates), tuple(map(tuple, judged.references)))
        key = (hash(texts), str(metrics), str(objects), str(regions), str(confidence), chosen.scoring())
        found = None if known is None else known.get(key)
        if found is None:
            found = score(judged, chosen, metrics, prepare=prepare, workers=workers, progress=progress)
            if known is not None:
                known[key] = found
        draws, scored, notes = found
        draws, scored, notes = [replace(each, judged=judged) for each in draws], dict(scored), (*told, *notes)
        scored |= _from_outside(outside)
        if isinstance(judged, Ratings):
            rows, n = agreement.of_ratings(
                judged, draws, scored, chosen, resamples=bootstrap, seed=seed, workers=workers
            )
        else:
            rows, n = agreement.of_choices(judged, draws, scored, chosen, resamples=bootstrap, seed=seed)
            notes = (*notes, *_divided(draws))
    measure = _measure(judged, chosen)
    from vericap.judge.published import beside

    verdict = Verdict(
        about.name,
        about.what,
        about.citation,
        chosen.name,
        f"{chosen.name} ({chosen.of}): {chosen.spell()}",
        chosen.choices(),
        n,
        _tested(rows, measure) if bootstrap else rows,
        measure,
        bootstrap,
        _ceiling(judged),
        notes=(*judged.notes, *notes),
    )
    return replace(verdict, published=beside(verdict))


def _divided(draws: Sequence[Draw]) -> list[str]:
    """A note on the pairs that no majority decides; where votes go with references, others in each draw."""
    counts = [int(np.count_nonzero(each.preferred() == 0)) for each in draws]
    low, high, pairs = min(counts), max(counts), len(draws[0].preferred())
    if not high:
        return []
    said = f"{high:,}" if low == high else f"by draw of references {low:,} to {high:,}"
    return [f"{said} of {pairs:,} pairs left out: people were divided"]


def _measure(judged: Ratings | Choices | Systems, protocol: Protocol) -> str:
    """The name of the figure that the protocol is about."""
    if isinstance(judged, Systems):
        return f"{next(iter(judged.human))}.{protocol.measure}"
    if isinstance(judged, Choices):
        return "accuracy.all"
    return "kendall_b" if protocol.over == "image" else protocol.measure


def _from_outside(columns: dict[str, Any]) -> dict[str, Scored]:
    from vericap.judge.scoring import Scored

    return {key: Scored(key, [column], "scores from a file") for key, column in columns.items()}


def _tested(rows: list[MetricRow], measure: str) -> list[MetricRow]:
    """Which rows each row beats: paired bootstrap of every two metrics, Holm-corrected over all."""
    from vericap.stats.significance import all_pairs, beaten

    able = [k for k, row in enumerate(rows) if measure in row.estimates and len(row.estimates[measure].replicates)]
    if len(able) < 2:
        return rows
    # A correlation's sign follows the metric's direction; an accuracy is always better when higher.
    sign = {k: 1 if rows[k].higher_is_better or measure.startswith("accuracy") else -1 for k in able}
    replicates = {rows[k].metric: sign[k] * rows[k].estimates[measure].replicates for k in able}
    values = [sign[k] * rows[k].value(measure) for k in able]
    found = beaten(values, all_pairs(replicates))
    return [
        replace(row, beats=[able[other] for other in found[able.index(k)]]) if k in able else row
        for k, row in enumerate(rows)
    ]


def _ceiling(judged: Ratings | Choices | Systems) -> dict[str, float]:
    """How people agree with people: each judge with the mean of the others, and every two judges (`pairs.…`)."""
    if not isinstance(judged, Ratings) or judged.human.shape[1] < 2:
        return {}
    from vericap.stats.ceiling import one_against_others
    from vericap.stats.correlation import kendall_b, kendall_c, pearson, spearman

    measures = {"kendall_b": kendall_b, "kendall_c": kendall_c, "spearman": spearman, "pearson": pearson}
    others = {name: float(one_against_others(judged.human, each).mean()) for name, each in measures.items()}
    two = list(combinations(judged.human.T, 2))
    pairs = {f"pairs.{name}": float(np.mean([each(*columns) for columns in two])) for name, each in measures.items()}
    return others | pairs
