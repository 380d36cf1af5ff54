"""Agreement against the number of references, and against the length of captions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vericap.errors import InputError
from vericap.judge import agreement, load
from vericap.judge.judgements import Choices, Floats, Ratings, Systems
from vericap.judge.protocols import Protocol
from vericap.judge.scoring import Draw, Prepare, Progress, Scored, draws, score
from vericap.metrics import Metric, parse_list
from vericap.readers.judgements import read_table
from vericap.results.curve import Curve
from vericap.stats.agreement import correlate
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


def over_references(
    name: str,
    data: str | Path,
    metrics: str | Iterable[str | Metric],
    *,
    points: Sequence[int] = POINTS,
    protocol: str | None = None,
    group: str = "all",
    published: str | Path | None = None,
    prepare: Prepare | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    **choices: Any,
) -> Curve:
    """Accuracy against the number of references, which are drawn one after the other: each point keeps those of the
    point before. `published` is the folder of the authors' curves."""
    judged, chosen = load(name, data, protocol, **{"drawn": "random", "draws": 5, **choices})
    if not isinstance(judged, Choices):
        raise InputError(
            f"{name} holds no forced choices", field="benchmark", fix="use pascal-50s, abstract-50s or pairs"
        )
    keys = [metric.key for metric in parse_list(metrics)]
    single = {key: _single_references(judged, metric, workers) for key, metric in _by_reference(metrics)}
    means: dict[str, list[float]] = {key: [] for key in keys}
    deviations: dict[str, list[float]] = {key: [] for key in keys}
    counts = []
    for number, used in enumerate(points):
        if progress is not None:
            progress(f"{used} references", number, len(points))
        at = chosen.changed(references_used=used)
        chosen_draws = list(draws(judged, at))
        scored: dict[str, Scored] = {}
        others = [key for key in keys if key not in single]
        if others:
            _, scored, _ = score(judged, at, others, prepare=prepare, workers=workers)
        for key, scores in single.items():
            scored[key] = Scored(key, [_best(scores, each) for each in chosen_draws])
        for key in keys:
            found = [_accuracy(judged, each, scored[key], k, at, group) for k, each in enumerate(chosen_draws)]
            means[key].append(float(np.mean(found)))
            deviations[key].append(float(np.std(found, ddof=1)) if len(found) > 1 else 0.0)
        counts.append(int(np.mean([np.count_nonzero(each.preferred()) for each in chosen_draws])))
    return Curve(
        f"{name}{'' if group == 'all' else f', {group} pairs'}: accuracy against references",
        "references",
        f"accuracy.{group}",
        list(points),
        {key: np.array(column) for key, column in means.items()},
        {key: np.array(column) for key, column in deviations.items()},
        {} if published is None else authors_curve(Path(published), name, group, points, keys),
        f"{chosen.name}: {chosen.spell()}",
        counts,
    )


def _by_reference(metrics: str | Iterable[str | Metric]) -> list[tuple[str, Metric]]:
    """METEOR takes the best of an image's references: scores against single references give those of any set."""
    return [(metric.key, metric) for metric in parse_list(metrics) if metric.name == "meteor"]


def _single_references(judged: Choices, metric: Metric, workers: int) -> list[Floats]:
    """Scores of each item's candidates against each of its references alone, arrays [references, 2]."""
    counts = np.array([len(given) for given in judged.references])
    alone = Choices.of(
        list(np.repeat(np.arange(len(counts)), counts)),
        [[reference] for given in judged.references for reference in given],
        [
            (judged.candidates[2 * i], judged.candidates[2 * i + 1])
            for i, given in enumerate(judged.references)
            for _ in given
        ],
        [1] * int(counts.sum()),
    )
    views = Views(alone.corpus(alone.references), workers=workers)
    scores = metric.score(metric.statistics(views)).reshape(-1, 2)
    return np.split(scores, np.cumsum(counts)[:-1])


def _best(scores: Sequence[Floats], draw: Draw) -> Floats:
    return np.concatenate([single[used].max(axis=0) for single, used in zip(scores, draw.used, strict=True)])


def _accuracy(judged: Choices, draw: Draw, scored: Scored, number: int, protocol: Protocol, group: str) -> float:
    column = scored.scores[min(number, len(scored.scores) - 1)]
    credits, kept = agreement.credits_of(draw, column, scored, protocol, number)
    if group != "all":
        credits = credits[np.array(judged.groups)[kept] == group]
    if not len(credits):
        raise InputError(
            f"no pair is of the group {group!r}", field="group", fix=f"use {', '.join(sorted(set(judged.groups)))}"
        )
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
    metrics: str | Iterable[str | Metric],
    *,
    bins: int = 6,
    protocol: str | None = None,
    prepare: Prepare | None = None,
    bootstrap: int = 200,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    **choices: Any,
) -> Curve:
    """Agreement among captions of like length: as many captions (or pairs) a bin as their lengths in words allow."""
    judged, chosen = load(name, data, protocol, **choices)
    if isinstance(judged, Systems):
        raise InputError(f"{name} holds no captions", field="benchmark", fix="choose one with captions")
    chosen_draws, scored, _ = score(judged, chosen, metrics, prepare=prepare, workers=workers, progress=progress)
    words = np.array([len(caption.split()) for caption in judged.candidates], float)
    length = words if isinstance(judged, Ratings) else words.reshape(-1, 2).mean(axis=1)
    edges = np.unique(np.quantile(length, np.linspace(0, 1, bins + 1)[1:-1]))
    place = np.searchsorted(edges, length, "right")
    values: dict[str, list[float]] = {key: [] for key in scored}
    spread: dict[str, list[float]] = {key: [] for key in scored}
    centres, counts = [], []
    for k in range(len(edges) + 1):
        inside = place == k
        if inside.sum() < 2:
            continue
        centres.append(round(float(length[inside].mean()), 2))
        counts.append(int(inside.sum()))
        for key, each in scored.items():
            found = _inside(judged, chosen_draws[0], each, chosen, inside, bootstrap, seed)
            values[key].append(found.value)
            spread[key].append((found.interval[1] - found.interval[0]) / 2 if found.interval else float("nan"))
    measure = "accuracy" if isinstance(judged, Choices) else chosen.measure
    return Curve(
        f"{name}: {measure} against words a caption",
        "words",
        measure,
        centres,
        {key: np.array(column) for key, column in values.items()},
        {key: np.array(column) for key, column in spread.items()},
        protocol=f"{chosen.name}: {chosen.spell()}",
        counts=counts,
    )


def _inside(
    judged: Ratings | Choices,
    draw: Draw,
    each: Scored,
    protocol: Protocol,
    inside: np.ndarray[tuple[int], np.dtype[np.bool_]],
    resamples: int,
    seed: int,
) -> Estimate:
    image = judged.clusters()
    if isinstance(judged, Choices):
        credits, kept = agreement.credits_of(draw, each.scores[0], each, protocol, 0)
        chosen = inside[kept]
        cluster = np.unique(image[kept][chosen], return_inverse=True)[1]
        return accuracy(credits[chosen], cluster, resamples=resamples, seed=seed)
    human, row, cluster = agreement.spread(judged.human, image[judged.item], protocol)
    chosen = inside[row] & np.isfinite(each.scores[0][row])
    numbers = np.unique(cluster[chosen], return_inverse=True)[1]
    found = correlate(
        {each.key: each.scores[0][row][chosen]},
        human[chosen],
        numbers,
        resamples=resamples,
        seed=seed,
        names=[protocol.measure],
    )
    return found[each.key][protocol.measure]
