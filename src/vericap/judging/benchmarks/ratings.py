"""Ratings of your own: any table with captions, references and a human score."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from vericap.errors import InputError
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.captions.caption_shapes import listed_cells
from vericap.readers.fields import Wanted
from vericap.readers.judgements import Folder, number, read_table
from vericap.readers.messages import count, listed

CAPTION, IMAGE, SCORE = ("caption", "candidate", "hyp", "mt"), ("image_id", "image", "id", "imgid"), "score"
TABLES = (".json", ".jsonl", ".csv", ".tsv")


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """Columns: image_id (may be missing), caption, references (a list; in CSV: `references` with " | " between them,
    or reference_1, reference_2, …), and one or more that begin with `score` or `human`: one judge each."""
    path = the_table(folder)
    rows = list(enumerate(read_table(path), 1))
    source = str(path)
    if not rows:
        raise InputError("the table has no rows", source=source, fix="give at least three captions")
    first = rows[0][1]
    judges = _judges(first, folder, source)
    caption = column(first, named(folder, "caption", CAPTION), source)
    image = next((name for name in named(folder, "image_id", IMAGE) if name in first), None)
    if image is None and "image_id" in folder.columns:
        column(first, (folder.columns["image_id"],), source)
    for name in folder.score_columns:
        column(first, (name,), source)
    rows, notes = _rated(rows, judges, folder, source)
    of_row = folder.columns.get("references")
    return Ratings(
        [row.get(image, "") if image else k - 1 for k, row in rows],
        [references(row, source, k, of_row) for k, row in rows],
        [text(row, caption, source, k) for k, row in rows],
        np.arange(len(rows)),
        notes=notes,
        human=np.array([[number(row.get(j), source, k, j) for j in judges] for k, row in rows]),
        systems=[str(row.get("system")) for _, row in rows] if "system" in first else (),
        groups=[str(row.get("group")) for _, row in rows] if "group" in first else (),
        columns={
            key: np.array([number(row.get(name), source, k, name) for k, row in rows])
            for name, key in folder.score_columns.items()
        },
    )


def named(folder: Folder, role: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a column may have: the one that the user gives, or the usual ones."""
    return (folder.columns[role],) if role in folder.columns else usual


def _judges(row: dict[str, Any], folder: Folder, source: str) -> list[str]:
    """The columns with human scores: one for each judge."""
    wanted = folder.columns.get(SCORE)
    if wanted is not None:
        judges = [name for name in row if fnmatchcase(name, wanted)]
    else:
        others = {*CAPTION, *folder.score_columns}
        judges = [name for name in row if name.startswith((SCORE, "human")) and name not in others]
    if not judges:
        raise InputError(
            f"no column holds a human score; the columns are: {listed(row)}",
            source=source,
            field=wanted or SCORE,
            fix="name it score, or score_1, …, or say which one it is: --field score=NAME",
        )
    return judges


def _rated(
    rows: list[tuple[int, dict[str, Any]]], judges: list[str], folder: Folder, source: str
) -> tuple[list[tuple[int, dict[str, Any]]], tuple[str, ...]]:
    """The rows that have every rating; where empty ratings are dropped, a note says how many rows had one."""
    wanted = [*judges, *folder.score_columns]
    empty = [k for k, row in rows if any(_is_empty(row.get(name)) for name in wanted)]
    if not empty:
        return rows, ()
    if folder.missing != "drop":
        more = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
        fix = "fill it in, or leave such rows out: --missing drop"
        raise InputError(f"a rating of the row{more} is empty", source=source, row=empty[0], field=judges[0], fix=fix)
    left_out = set(empty)
    kept = [each for each in rows if each[0] not in left_out]
    if not kept:
        raise InputError("no row has a rating", source=source, field=judges[0], fix="check the column")
    return kept, (f"{count(len(empty), 'row')} without a rating left out",)


def _is_empty(value: Any) -> bool:
    return (
        value is None
        or (isinstance(value, str) and value.strip().lower() in ("", "nan", "na", "null", "none"))
        or (isinstance(value, float) and value != value)
    )


def the_table(folder: Folder) -> Path:
    """The one table of the folder, or the file given."""
    found = folder.files(*TABLES)
    if len(found) != 1:
        raise InputError(
            f"{len(found)} tables are in the folder, and one is needed",
            source=str(folder.path),
            fix=f"name the file itself: {', '.join(TABLES)}",
        )
    return found[0]


def column(row: dict[str, Any], names: tuple[str, ...], source: str) -> str:
    """Return the columns of these that the table has."""
    found = next((name for name in names if name in row), None)
    if found is None:
        raise InputError(
            "the table has no such column", source=source, field=names[0], fix=f"it has {', '.join(map(str, row))}"
        )
    return found


def text(row: dict[str, Any], name: str, source: str, number: int) -> str:
    """A caption of a row."""
    value = row.get(column(row, (name,), source))
    if not isinstance(value, str):
        raise InputError(f"the caption is {value!r}", source=source, row=number, field=name, fix="write it as a string")
    return value


def references(row: dict[str, Any], source: str, number: int, name: str | None = None) -> list[str]:
    """The references of a row: a list, one text with " | " between them, or numbered columns (ref0, reference_1)."""
    value = row.get(name) if name else row.get("references", row.get("refs"))
    if value is None:
        columns = (name,) if name else Wanted().references_in(row)
        value = [each for name in columns for each in [row.get(name)] if each]
    elif isinstance(value, str):
        value = listed_cells([value])[0]
    found = value.split(" | ") if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise InputError(
            "references are a list of captions", source=source, row=number, field="references", fix='write ["…", "…"]'
        )
    return [each for each in found if each]


BENCHMARK = Benchmark(
    name="ratings",
    what="a table of your own with image_id, caption, references and score (score_1, score_2, … for several judges)",
    size="as many rows as the table has",
    licence="yours",
    source="a .json, .jsonl, .csv or .tsv file of your own",
    citation="yours",
    folders=("ratings",),
    protocols=(
        Protocol("judges-apart", "one row per judge"),
        Protocol("judges-averaged", "a mean rating a caption", judges="averaged"),
        Protocol("system-level", "means of the column `system`", measure="pearson", judges="averaged", level="system"),
    ),
    load=load,
)
