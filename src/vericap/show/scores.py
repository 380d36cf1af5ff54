"""The scores of one captioner: the table of a paper, a page, one row per caption as JSON and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from vericap.corpus import IntegerColumn
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
    scores = b",".join(_literally(orjson.dumps(key)) + b":%b" for key in result)
    line = b'{"image_id":%b,"caption":"%b","scores":{' + scores + b"}}"
    for first in range(0, len(result.corpus), _LINES):
        columns = _written_columns(result, slice(first, first + _LINES))
        yield (b",\n" if first else b"\n") + b",\n".join([line % row for row in zip(*columns, strict=True)])
    yield b"\n  ]\n}\n"


def _literally(text: bytes) -> bytes:
    return text.replace(b"%", b"%%")


def _written_columns(result: Result, rows: slice) -> list[list[bytes]]:
    """Image ids, captions without their quotes and the scores of each metric, as JSON writes them."""
    ids, captions = result.corpus.image_ids[rows], result.corpus.candidates[rows]
    return [
        _written_numbers(ids.values) if isinstance(ids, IntegerColumn) else [*map(orjson.dumps, ids)],
        # Without the quotes it is a copy of the right size; orjson's own has room for a kilobyte.
        [orjson.dumps(caption)[1:-1] for caption in captions],
        *(_written_numbers(each.captions[rows]) for each in result.values()),
    ]


def _written_numbers(numbers: NDArray[Any]) -> list[bytes]:
    """Each of some numbers, at least one, as JSON writes it; null where it does not exist."""
    written = orjson.dumps(np.ascontiguousarray(numbers), option=orjson.OPT_SERIALIZE_NUMPY)
    return written[1:-1].split(b",")


@as_csv.register
def _(result: Result) -> str:
    """Image id, caption and one column per metric, for people's spreadsheets: a caption is never a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["image_id", "caption", *result])
    names = [map(spreadsheet_text, map(str, each)) for each in (result.corpus.image_ids, result.corpus.candidates)]
    writer.writerows(zip(*names, *result.score_columns(), strict=True))
    return text.getvalue()
