"""Agreement against the number of references, and against the length of captions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.judging.agreement import Resampling, credits_of, numbered, spread
from vericap.judging.judgements import Choices, Floats, Ratings, Systems, WithCaptions
from vericap.judging.pictures import with_pictures
from vericap.judging.protocols import JudgeOptions, Protocol, Task, task_of
from vericap.judging.reading import load_task
from vericap.judging.scoring import Draw, ScoredCaptions, Scores, caption_scores, draws
from vericap.metrics import Metric, parse_list
from vericap.readers.judgements import read_table
from vericap.results.curve import Curve
from vericap.run.measure import Progress
from vericap.run.selection import MetricChoice
from vericap.stats.correlation import correlate
from vericap.stats.forced_choice import accuracy
from vericap.stats.resampling import Estimate
from vericap.views import Views

POINTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48)
# The columns of the curves that CIDEr-R's authors publish.
_AUTHORS = {
    "Bleu_4": "bleu-4",
    "METEOR": "meteor",
    "ROUGE_L": "rouge-l",
    "CIDEr": "cider-d",
    "CIDEr-R": "cider-r",
    "SPICE": "spice",
}
_FILES = {
    ("abstract-50s", "all"): "abstract_50S.csv",
    ("pascal-50s", "all"): "pascal_50S.csv",
    ("pascal-50s", "MM"): "pascal_50S_only_MM.csv",
}


SAMPLED: dict[str, Any] = {"sampling": "random", "draws": 5}
PAGE_POINTS = (1, 2, 3, 5, 10, 20, 40)
PAGE_BINS = 6
PAGE_RESAMPLES = 200


def page_curves(task: Task, progress: Progress | None = None) -> list[Curve]:
    """The curves of judge's page: agreement against the words per caption and, where people chose between two captions,
    against the number of references. There are none for systems."""
    judged, protocol = load_task(task)
    if isinstance(judged, Systems):
        return []
    resampling = Resampling(PAGE_RESAMPLES, task.settings.seed)
    found = [_over_lengths(judged, protocol, task, resampling, PAGE_BINS, progress)]
    if isinstance(judged, Choices):
        most = min(map(len, judged.references))
        points = [point for point in PAGE_POINTS if point <= most]
        if points:
            found.append(_over_references(judged, protocol.changed(**SAMPLED), task, points, "all", progress))
    return found


def over_references(
    name: str,
    data: str | Path,
    metrics: MetricChoice,
    *,
    points: Sequence[int] = POINTS,
    group: str = "all",
    published: str | Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[JudgeOptions],
) -> Curve:
    """Accuracy against the number of references, which are drawn one after the other: each point keeps those of the
    point before. `published` is the folder of the authors' curves; `options` are those of `judge`."""
    task, _ = task_of(name, data, metrics, {**SAMPLED, **options})
    judged, protocol = load_task(task)
    if not isinstance(judged, Choices):
        raise InputError(
            f"{name} has no forced choices", field="benchmark", fix="use pascal-50s, abstract-50s or pairs"
        )
    curve = _over_references(judged, protocol, task, points, group, progress)
    if published is None:
        return curve
    return replace(curve, published=authors_curve(Path(published), name, group, points, list(curve.values)))


def _over_references(
    judged: Choices, protocol: Protocol, task: Task, points: Sequence[int], group: str, progress: Progress | None
) -> Curve:
    judged, _, _ = with_pictures(judged, task.inputs, task.settings, task.metrics)
    keys = [metric.key for metric in parse_list(task.metrics)]
    workers = task.settings.workers or os.cpu_count() or 1
    # Metrics that take the best of an image's references: scores against single ones give those of any set.
    single = {
        metric.key: _single_references(judged, metric, workers)
        for metric in parse_list(task.metrics)
        if metric.best_of_references
    }
    found = []
    for number, used in enumerate(points):
        if progress is not None:
            progress(f"{used} references", number, len(points))
        found.append(_point(replace(task, metrics=keys), judged, protocol.changed(references_used=used), single, group))
    return Curve(
        f"{task.benchmark}{'' if group == 'all' else f', {group} pairs'}: accuracy against references",
        "references",
        f"accuracy.{group}",
        list(points),
        {key: np.array([float(np.mean(each[0][key])) for each in found]) for key in keys},
        {key: np.array([np.std(each[0][key], ddof=len(each[0][key]) > 1) for each in found]) for key in keys},
        protocol=f"{protocol.name}: {protocol.spell()}",
        counts=[count for _, count in found],
    )


def _point(
    task: Task, judged: Choices, protocol: Protocol, single: Mapping[str, list[Floats]], group: str
) -> tuple[dict[str, list[float]], int]:
    """The accuracy of each metric in each draw of references, and how many pairs people decided."""
    others = [key for key in task.metrics if key not in single]
    if others:
        judged, scores = caption_scores(judged, protocol, replace(task, metrics=others))
    else:
        scores = Scores(list(draws(judged, protocol)), {})
    best = {key: ScoredCaptions(key, [_best(of, each) for each in scores.draws]) for key, of in single.items()}
    found = {**scores.metrics, **best}
    accuracies = {
        key: [_accuracy(judged, each, found[key], k, protocol, group) for k, each in enumerate(scores.draws)]
        for key in found
    }
    return accuracies, int(np.mean([np.count_nonzero(each.preferred()) for each in scores.draws]))


def _single_references(judged: Choices, metric: Metric, workers: int) -> list[Floats]:
    """Scores of each item's candidates against each of its references alone, arrays [references, 2]."""
    counts = np.array([len(given) for given in judged.references])
    item = np.repeat(np.arange(len(counts)), counts)
    pairs = [(judged.candidates[2 * i], judged.candidates[2 * i + 1]) for i in item.tolist()]
    alone = [[reference] for given in judged.references for reference in given]
    views = Views(Choices.of(list(item), alone, pairs, [1] * len(pairs)).corpus(alone), workers=workers)
    scores = metric.score(metric.statistics(views)).reshape(-1, 2)
    return np.split(scores, np.cumsum(counts)[:-1])


def _best(scores: Sequence[Floats], draw: Draw) -> Floats:
    return np.concatenate([single[used].max(axis=0) for single, used in zip(scores, draw.used, strict=True)])


def _accuracy(
    judged: Choices, draw: Draw, scored: ScoredCaptions, number: int, protocol: Protocol, group: str
) -> float:
    credits, kept = credits_of(draw, scored.of_draw(number), scored, protocol, number)
    if group != "all":
        credits = credits[np.array(judged.groups)[kept] == group]
    if not len(credits):
        fix = f"use one of {', '.join(['all', *sorted(set(judged.groups))])}"
        raise InputError(f"no pair belongs to the group {group!r}", field="group", fix=fix)
    return float(credits.mean())


def authors_curve(folder: Path, name: str, group: str, points: Sequence[int], keys: Sequence[str]) -> dict[str, Floats]:
    """The curves that CIDEr-R's authors publish, at these points; NaN where there is none."""
    file = _FILES.get((name, group))
    if file is None:
        return {}
    if not (folder / file).is_file():
        raise InputError(
            f"{file} is missing", source=str(folder), fix="it comes from github.com/gabrielsantosrv/coco-caption"
        )
    rows = {int(row["n_ref"]): row for row in read_table(folder / file)}
    return {
        key: np.array([float(rows[point][column]) if point in rows else np.nan for point in points])
        for column, key in _AUTHORS.items()
        if key in keys
    }


def over_lengths(
    name: str,
    data: str | Path,
    metrics: MetricChoice,
    *,
    bins: int = 6,
    progress: Progress | None = None,
    **options: Unpack[JudgeOptions],
) -> Curve:
    """Agreement among captions of similar length: bins hold the same number of captions (or pairs), as far as their
    lengths in words allow. `options` are those of `judge`; intervals come from 200 resamples unless `bootstrap` says
    otherwise."""
    task, tests = task_of(name, data, metrics, {"bootstrap": 200, **options})
    judged, protocol = load_task(task)
    if isinstance(judged, Systems):
        raise InputError(f"{name} has no captions", field="benchmark", fix="choose one with captions")
    return _over_lengths(judged, protocol, task, Resampling(tests.bootstrap, task.settings.seed), bins, progress)


def _over_lengths(
    judged: WithCaptions, protocol: Protocol, task: Task, resampling: Resampling, bins: int, progress: Progress | None
) -> Curve:
    judged, scores = caption_scores(judged, protocol, task, progress)
    words = np.array([len(caption.split()) for caption in judged.candidates], float)
    length = words if isinstance(judged, Ratings) else words.reshape(-1, 2).mean(axis=1)  # of a pair, that of both
    edges = np.unique(np.quantile(length, np.linspace(0, 1, bins + 1)[1:-1]))
    place = np.searchsorted(edges, length, "right")
    inside = [place == k for k in range(len(edges) + 1)]
    inside = [each for each in inside if each.sum() > 1]
    found = {
        key: [_inside(judged, scores.draws[0], each, protocol, part, resampling) for part in inside]
        for key, each in scores.metrics.items()
    }
    measure = "accuracy" if isinstance(judged, Choices) else protocol.measure
    return Curve(
        f"{task.benchmark}: {measure} against words per caption",
        "words",
        measure,
        [round(float(length[part].mean()), 2) for part in inside],
        {key: np.array([each.value for each in column]) for key, column in found.items()},
        {key: np.array([np.ptp(each.interval or np.nan) / 2 for each in column]) for key, column in found.items()},
        protocol=f"{protocol.name}: {protocol.spell()}",
        counts=[int(part.sum()) for part in inside],
    )


def _inside(
    judged: Ratings | Choices,
    draw: Draw,
    each: ScoredCaptions,
    protocol: Protocol,
    inside: NDArray[np.bool_],
    resampling: Resampling,
) -> Estimate:
    """The agreement of some captions, or of some pairs."""
    image = judged.clusters()
    resamples, seed = resampling.resamples, resampling.seed
    if isinstance(judged, Choices):
        credits, kept = credits_of(draw, each.scores[0], each, protocol, 0)
        chosen = inside[kept]
        return accuracy(credits[chosen], numbered(image[kept][chosen]), resamples=resamples, seed=seed)
    human, row, cluster = spread(judged.human, image[judged.item], protocol)
    chosen = inside[row] & np.isfinite(each.scores[0][row])
    column, numbers, names = each.scores[0][row][chosen], numbered(cluster[chosen]), [protocol.measure]
    found = correlate({each.key: column}, human[chosen], numbers, resamples=resamples, seed=seed, names=names)
    return found[each.key][protocol.measure]
