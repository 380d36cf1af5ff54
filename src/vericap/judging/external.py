"""Scores from other tools: a file of ids and scores becomes rows of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vericap.errors import InputError
from vericap.judging.judgements import Floats
from vericap.options.choices import Missing
from vericap.readers.judgements import number, read_table


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table of one's own: by role, those that hold a metric's scores (column → key of the metric), and
    what to do with rows whose rating is empty."""

    columns: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, str] = field(default_factory=dict)
    missing: Missing = "error"


def score_columns(given: Sequence[str]) -> dict[str, str]:
    """Columns with a metric's scores and the key that each gets, from `column` or `column=key`.

    >>> score_columns(["clip=clipscore", "polos"])
    {'clip': 'clipscore', 'polos': 'polos'}
    """
    found: dict[str, str] = {}
    for text in given:
        column, _, key = text.partition("=")
        if not column or column in found:
            problem = f"{column!r} is given twice" if column else f"{text!r} names no column"
            raise InputError(problem, field="score-column", fix="write column, or column=key")
        found[column] = key or column
    return found


_NOT_SCORES = ("id", "caption", "image_id", "image", "references", "item")


def read_scores(path: Path, rows: int, names: tuple[str, ...] = ()) -> dict[str, Floats]:
    """Scores by metric, in the order of the benchmark's rows. The column `id` is the row's number, from 0 (or the
    name of a system); a column `score` is named after the file, other columns after themselves.

    `vericap judge BENCHMARK --captions FILE` writes the rows with their ids.
    """
    table = read_table(path)
    place = {name: k for k, name in enumerate(names)} if names else {str(k): k for k in range(rows)}
    what = "a system of the benchmark" if names else f"a row's number, 0 to {rows - 1}"
    columns: dict[str, Floats] = {}
    seen: set[int] = set()
    for line, row in enumerate(table, 1):
        if str(row.get("id")) not in place:
            raise InputError(
                f"{row.get('id')!r} is not {what}", source=str(path), row=line, field="id", fix="see --captions"
            )
        at = place[str(row["id"])]
        if at in seen:
            raise InputError(f"id {row['id']} occurs twice", source=str(path), row=line, field="id", fix="keep one")
        seen.add(at)
        for name, text in row.items():
            if name not in _NOT_SCORES:
                key = path.stem if name == "score" else name
                columns.setdefault(key, np.full(len(place), np.nan))[at] = number(text, str(path), line, name)
    if len(seen) < len(place):
        absent = next(name for name, at in place.items() if at not in seen)
        raise InputError(
            f"{len(place) - len(seen)} of {len(place)} ids have no score, {absent} for one",
            source=str(path),
            field="id",
            fix="score every row that --captions writes",
        )
    if not columns:
        raise InputError("no column holds scores", source=str(path), field="score", fix="add a column `score`")
    return columns
