"""Explanations as the page draws them: matrices of one metric share one scale, whose middle is 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from vericap.results.explanation import Explanation, Matrix
from vericap.show.report.packing import short


def explained(rows: Mapping[int, Sequence[Explanation]]) -> dict[str, list[dict[str, Any]]]:
    """The explanations of each row, by its number as text."""
    reach = reaches(each for found in rows.values() for each in found)
    return {str(row): [_plain(each, reach) for each in found] for row, found in rows.items()}


def reaches(explanations: Iterable[Explanation]) -> dict[tuple[str, str], float]:
    """For each metric and hue the largest number of all its matrices, whatever its sign: where the colours end."""
    reach: dict[tuple[str, str], float] = {}
    for each in explanations:
        for matrix in each.matrices.values():
            largest = float(np.nanmax(np.abs(matrix.values), initial=0.0)) if matrix.values.size else 0.0
            key = each.metric, matrix.hue
            reach[key] = max(reach.get(key, 0.0), largest)
    return reach


def _plain(explanation: Explanation, reach: Mapping[tuple[str, str], float]) -> dict[str, Any]:
    return {
        "metric": explanation.metric,
        "score": short(explanation.score),
        "values": {name: _value(value) for name, value in explanation.values.items()},
        "sections": {
            name: [{"text": part.text, **{k: _value(v) for k, v in part.values.items()}} for part in parts]
            for name, parts in explanation.sections.items()
        },
        "drawing": list(explanation.drawing),
        "matrices": {
            name: _matrix(matrix, reach[explanation.metric, matrix.hue])
            for name, matrix in explanation.matrices.items()
        },
    }


def _matrix(matrix: Matrix, reach: float) -> dict[str, Any]:
    values = [[round(value, 3) for value in row] for row in matrix.values.tolist()]
    return {"rows": list(matrix.rows), "columns": list(matrix.columns), "values": values, "reach": reach or 1.0}


def _value(value: float | int | str) -> float | int | str | None:
    return short(value) if isinstance(value, float) else value
