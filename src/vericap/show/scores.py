"""The scores of one captioner, or of several, as the table of a paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace

import orjson

from vericap.results.comparison import Comparison
from vericap.results.scores import Result
from vericap.show.media import as_csv, as_json, as_table, remarks, scaled
from vericap.show.tables import Column, Row, ScoreTable
from vericap.stats.significance import letters, marks


def score_table(result: Result) -> ScoreTable:
    """One row for the whole corpus, before it one for each group."""
    columns = [Column(key, each.higher_is_better) for key, each in result.items()]
    rows = [
        Row(label, group.captions, [group.scores[key] for key in result], [group.intervals.get(key) for key in result])
        for label, group in result.groups.items()
    ]
    whole = Row(
        "all" if rows else result.label,
        len(result.corpus),
        [each.score for each in result.values()],
        [each.interval for each in result.values()],
    )
    return ScoreTable(columns, [*rows, whole])


def comparison_table(comparison: Comparison) -> ScoreTable:
    """One row per captioner; superscripts name the rows it beats significantly."""
    whole = [score_table(result) for result in comparison.values()]
    superscripts = [[marks(rows) for rows in comparison.beats(key)] for key in comparison.contrasts]
    rows = [
        replace(table.rows[-1], label=f"{letters(i)} {name}", marks=[column[i] for column in superscripts])
        for i, (name, table) in enumerate(zip(comparison, whole, strict=True))
    ]
    return ScoreTable(whole[0].columns, rows)


@as_table.register
def _(result: Result, format: str = "plain", scale: float = 1.0) -> str:
    return score_table(result).draw(format, scale)


@as_table.register
def _(comparison: Comparison, format: str = "plain", scale: float = 1.0) -> str:
    return comparison_table(comparison).draw(format, scale)


@as_csv.register
def _(result: Result) -> str:
    """Image id, caption and one column per metric."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["image_id", "caption", *result])
    for row in result.caption_rows():
        writer.writerow([row["image_id"], row["caption"], *row["scores"].values()])
    return text.getvalue()


@as_json.register
def _(result: Result) -> Iterator[bytes]:
    """One line per caption, written one after the other; the same input gives the same bytes."""
    yield orjson.dumps(result.summary(), option=orjson.OPT_INDENT_2).removesuffix(b"\n}") + b',\n  "captions": ['
    for number, row in enumerate(result.caption_rows()):
        yield (b",\n" if number else b"\n") + orjson.dumps(row)
    yield b"\n  ]\n}\n"


@remarks.register
def _(result: Result, scale: float = 1.0) -> list[str]:
    signatures = [each.signature for each in result.values()]
    return [*scaled(scale), *(f"note: {note}" for note in result.notes), *signatures]
