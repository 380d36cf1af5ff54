"""Correlations other than over all captions at once: of the means of systems, and of each image's captions alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vericap.arrays import offsets_of
from vericap.errors import InputError
from vericap.judging.judgements import Floats, Integers


def system_means(systems: Sequence[str], columns: Sequence[Floats]) -> tuple[list[str], list[Floats]]:
    """Names of the systems, and the mean of each column over each system's captions; NaN counts for nothing.

    >>> names, [means] = system_means(["b", "a", "b"], [np.array([1.0, 5.0, 3.0])])
    >>> names, means.tolist()
    (['b', 'a'], [2.0, 5.0])
    """
    if not systems:
        raise InputError(
            "the judgements do not name the systems", field="level", fix="judge captions, or add a column `system`"
        )
    names = list(dict.fromkeys(systems))
    number = {name: k for k, name in enumerate(names)}
    row = np.array([number[system] for system in systems])
    means = []
    for column in columns:
        there = np.isfinite(column)
        total = np.bincount(row, np.where(there, column, 0.0), len(names))
        with np.errstate(invalid="ignore"):
            means.append(total / np.bincount(row, there, len(names)))
    return names, means


def image_taus(scores: Floats, human: Floats, image: Integers) -> Floats:
    """Kendall's tau-b within each image; NaN where its captions have one score, or one rating.

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
