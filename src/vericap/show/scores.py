"""The scores of one captioner: the table of a paper, a page, one row per caption as JSON and CSV."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from vericap.corpus import IntegerColumn, TextColumn
from vericap.kernels import is_compiled
from vericap.kernels.json_rows import interleaved, quoted
from vericap.results.scores import Result
from vericap.show.media import as_csv, as_json, as_table, note_lines, remarks, scale_lines
from vericap.show.score_table import Column, Row, ScoreTable
from vericap.show.signatures import signature_lines
from vericap.show.visible import spreadsheet_text

_LINES = 4096  # written at once


def score_table(*results: Result) -> ScoreTable:
    """One row for the whole corpus of each result, before it one for each of its groups."""
    columns = [Column(key, each.higher_is_better) for key, each in results[0].items()]
    signatures = [each.signature for each in results[0].values()]
    rows = [row for result in results for row in _rows(result)]
    return ScoreTable(columns, rows, _remark(results), signatures)


def _remark(results: Sequence[Result]) -> str:
    """What a table in a paper says below itself."""
    said = f"{len(results[0].corpus):,} captions"
    intervals = any(each.interval for result in results for each in result.values())
    return f"{said}; ± is half the 95 % interval over resampled images" if intervals else said


def _rows(result: Result) -> Iterator[Row]:
    for label, group in result.groups.items():
        intervals = [group.intervals.get(key) for key in result]
        yield Row(label, group.captions, [group.scores[key] for key in result], intervals)
    scores, intervals = [each.score for each in result.values()], [each.interval for each in result.values()]
    yield Row("all" if result.groups else result.label, len(result.corpus), scores, intervals)


@as_table.register
def _(result: Result, format: str = "plain", scale: float = 1.0) -> str:
    return score_table(result).draw(format, scale)


@remarks.register
def _(result: Result, scale: float = 1.0, signatures: bool = False) -> list[str]:
    lines = signature_lines([each.signature for each in result.values()], each=signatures)
    return [*scale_lines(scale), *note_lines(result.notes), *lines]


@as_json.register
def _(result: Result) -> Iterator[bytes]:
    """One line per caption, written one after the other; the same input gives the same bytes."""
    yield orjson.dumps(result.summary(), option=orjson.OPT_INDENT_2).removesuffix(b"\n}") + b',\n  "captions": ['
    # A zero byte stands for a value: no key has one, as JSON escapes it.
    scores = b",".join(orjson.dumps(key) + b":\0" for key in result)
    pieces = (b',\n{"image_id":\0,"caption":\0,"scores":{' + scores + b"}}").split(b"\0")
    for first in range(0, len(result.corpus), _LINES):
        written = _written_rows(pieces, _columns(result, slice(first, first + _LINES)))
        yield written if first else written.removeprefix(b",")
    yield b"\n  ]\n}\n"


def _columns(result: Result, rows: slice) -> list[Sequence[Any] | NDArray[Any]]:
    """Image ids, captions and the scores of each metric."""
    ids, captions = result.corpus.image_ids[rows], result.corpus.candidates[rows]
    return [
        ids.values if isinstance(ids, IntegerColumn) else ids,
        captions,
        *(np.ascontiguousarray(each.captions[rows]) for each in result.values()),
    ]


def _written_rows(pieces: list[bytes], columns: list[Sequence[Any] | NDArray[Any]]) -> bytes:
    """Rows of the values of columns, between pieces that are the same in every row."""
    if is_compiled("json_rows"):
        return interleaved(pieces, [_written(column) for column in columns], len(columns[0]))
    line = b"%b".join(piece.replace(b"%", b"%%") for piece in pieces)
    return b"".join([line % row for row in zip(*map(_written_values, columns), strict=True)])


def _written(column: Sequence[Any] | NDArray[Any]) -> bytes:
    """A column as a list in JSON."""
    return quoted(column.data, column.offsets) if isinstance(column, TextColumn) else _dumped(column)


def _written_values(column: Sequence[Any] | NDArray[Any]) -> list[bytes]:
    """Each value as JSON. In a list that is indented each has a line, and none has a line break in it."""
    return _dumped(column, orjson.OPT_INDENT_2)[len(b"[\n  ") : -len(b"\n]")].split(b",\n  ")


def _dumped(column: Sequence[Any] | NDArray[Any], option: int = 0) -> bytes:
    """A column as orjson writes it, with null for a score that does not exist."""
    values = column if isinstance(column, np.ndarray) else list(column)
    return orjson.dumps(values, option=option | orjson.OPT_SERIALIZE_NUMPY)


@as_csv.register
def _(result: Result) -> str:
    """Image id, caption and one column per metric, for people's spreadsheets: a caption is never a formula."""
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["image_id", "caption", *result])
    names = [map(spreadsheet_text, map(str, each)) for each in (result.corpus.image_ids, result.corpus.candidates)]
    writer.writerows(zip(*names, *result.score_columns(), strict=True))
    return text.getvalue()
