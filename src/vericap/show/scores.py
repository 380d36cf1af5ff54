"""The scores of one captioner: the table of a paper, a page, one row per caption as JSON and CSV."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from vericap.corpus import IntegerColumn
from vericap.options.page import PageOptions
from vericap.results.scores import Result
from vericap.show import note_lines
from vericap.show.grid import spreadsheet_text
from vericap.show.numbers import signature_lines, spell
from vericap.show.score_table import Column, Row, ScoreTable
from vericap.show.screen import visible

_LINES = 4096  # written at once


def score_table(*results: Result) -> ScoreTable:
    """Return one row for the whole corpus of each result, after one for each of its groups."""
    columns = [Column(key, each.higher_is_better) for key, each in results[0].results.items()]
    signatures = [each.signature for each in results[0].results.values()]
    rows = []
    for result in results:
        for label, group in result.groups.items():
            intervals = [group.intervals.get(key) for key in result]
            rows.append(Row(label, group.captions, [group.scores[key] for key in result], intervals))
        every = result.results.values()
        scores, ends = [each.score for each in every], [each.interval for each in every]
        rows.append(Row("all" if result.groups else result.label, len(result.corpus), scores, ends))
    remark = f"{len(results[0].corpus):,} captions"
    if any(each.interval for result in results for each in result.results.values()):
        remark += "; ± is half the 95 % interval over resampled images"
    return ScoreTable(columns, rows, remark, signatures)


def as_table(result: Result, format: str = "plain", scale: float = 1.0) -> str:
    """Return one row of scores for each group and for the corpus."""
    return score_table(result).draw(format, scale)


def remarks(result: Result, scale: float = 1.0, signatures: bool = False) -> list[str]:
    """Return the scale, the notes and the signatures."""
    lines = signature_lines([each.signature for each in result.results.values()], each=signatures)
    return [*note_lines(result.notes, scale), *lines]


def as_json(result: Result) -> Iterator[bytes]:
    """Yield the JSON of a result, with one line per caption; the same input gives the same bytes."""
    yield orjson.dumps(result.summary(), option=orjson.OPT_INDENT_2).removesuffix(b"\n}") + b',\n  "captions": ['
    scores = b",".join(orjson.dumps(key).replace(b"%", b"%%") + b":%b" for key in result)
    line = b',\n{"image_id":%b,"caption":%b,"scores":{' + scores + b"}}"
    for first in range(0, len(result.corpus), _LINES):
        rows = slice(first, first + _LINES)
        ids, captions = result.corpus.image_ids[rows], result.corpus.candidates[rows]
        columns = [_written(ids), _written(captions), *(_written(each.captions[rows]) for each in result.values())]
        written = b"".join([line % row for row in zip(*columns, strict=True)])
        yield written if first else written.removeprefix(b",")
    yield b"\n  ]\n}\n"


def _written(column: Sequence[Any] | NDArray[Any]) -> list[bytes]:
    """Return each value as orjson writes it, null for a score that does not exist. In a list that is indented each has
    a line, and none has a line break in it."""
    column = column.values if isinstance(column, IntegerColumn) else column
    values = np.ascontiguousarray(column) if isinstance(column, np.ndarray) else list(column)
    written = orjson.dumps(values, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY)
    return written[len(b"[\n  ") : -len(b"\n]")].split(b",\n  ")


def as_csv(result: Result) -> str:
    """Return image id, caption and one column per metric, for spreadsheets: a caption is never a formula."""
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["image_id", "caption", *result])
    names = [map(spreadsheet_text, map(str, each)) for each in (result.corpus.image_ids, result.corpus.candidates)]
    writer.writerows(zip(*names, *result.score_columns(), strict=True))
    return text.getvalue()


def as_page(result: Result, scale: float = 1.0, options: PageOptions | None = None) -> str:
    """Return the report of the result as a page."""
    from vericap.show.page import document
    from vericap.show.report.score_report import score_report

    return document(score_report(result, scale, options), as_fragment(result, scale), options)


def as_fragment(result: Result, scale: float = 1.0) -> str:
    """Return the table, and below it notes and signatures to unfold."""
    from vericap.show.page import details

    lines = [*result.notes, *(each.signature for each in result.values())]
    return as_table(result, "html", scale) + details("Notes and signatures", lines)


def caption_list(result: Result, rows: Sequence[int], title: str, scale: float = 1.0) -> str:
    """Return a title and, for each row, a paragraph with the caption, its references and its scores.

    >>> import vericap
    >>> found = vericap.evaluate({7: "a dog"}, {7: ["a dog runs"]}, metrics="bleu-1,rouge-l")
    >>> print(caption_list(found, [0], "Worst by rouge-l", 100))
    Worst by rouge-l
    <BLANKLINE>
    image 7: bleu-1 60.7, rouge-l 77.2
      caption: a dog
      reference: a dog runs
    """
    return "\n\n".join([visible(title), *(_paragraph(result, row, scale) for row in rows)])


def _paragraph(result: Result, row: int, scale: float) -> str:
    corpus = result.corpus
    scores = ", ".join(f"{key} {spell(float(each.captions[row]), scale)}" for key, each in result.items())
    lines = [f"image {corpus.image_ids[row]}: {scores}", f"  caption: {corpus.candidates[row]}"]
    lines += [f"  reference: {text}" for text in corpus.references_of(row)]
    objects = corpus.objects_of(row)
    return "\n".join(map(visible, [*lines, *([f"  objects: {', '.join(objects)}"] if objects else [])]))
