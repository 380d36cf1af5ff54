"""Ratings of your own: any table with captions, references and a human score."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vericap.errors import InputError
from vericap.judge.judgements import Benchmark, Ratings
from vericap.judge.protocols import Protocol
from vericap.readers.judgements import Folder, number, read_table

CAPTION, IMAGE, SCORE = ("caption", "candidate", "hyp", "mt"), ("image_id", "image", "id", "imgid"), "score"
TABLES = (".json", ".jsonl", ".csv", ".tsv")


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """Columns: image_id (may be missing), caption, references (a list; in CSV: `references` with " | " between them,
    or reference_1, reference_2, …), and one or more that begin with `score` or `human`: one judge each."""
    path = the_table(folder)
    rows = read_table(path)
    source = str(path)
    if not rows:
        raise InputError("the table has no rows", source=source, fix="give at least three captions")
    judges = [name for name in rows[0] if name.startswith((SCORE, "human")) and name not in CAPTION]
    if not judges:
        raise InputError(
            "no column holds a human score", source=source, field=SCORE, fix="name it score, or score_1, …"
        )
    caption = column(rows[0], CAPTION, source)
    image = next((name for name in IMAGE if name in rows[0]), None)
    return Ratings(
        [row[image] if image else k for k, row in enumerate(rows)],
        [references(row, source, k) for k, row in enumerate(rows, 1)],
        [text(row, caption, source, k) for k, row in enumerate(rows, 1)],
        np.arange(len(rows)),
        human=np.array([[number(row.get(j), source, k, j) for j in judges] for k, row in enumerate(rows, 1)]),
        systems=[str(row["system"]) for row in rows] if "system" in rows[0] else (),
        groups=[str(row["group"]) for row in rows] if "group" in rows[0] else (),
    )


def the_table(folder: Folder) -> Path:
    """The one table of the folder, or the file given."""
    found = folder.files(*TABLES)
    if len(found) != 1:
        raise InputError(
            f"{len(found)} tables are there, and one is needed",
            source=str(folder.path),
            fix=f"name the file itself: {', '.join(TABLES)}",
        )
    return found[0]


def column(row: dict[str, Any], names: tuple[str, ...], source: str) -> str:
    """Which of these columns the table has."""
    found = next((name for name in names if name in row), None)
    if found is None:
        raise InputError(
            "there is no such column", source=source, field=names[0], fix=f"it has {', '.join(map(str, row))}"
        )
    return found


def text(row: dict[str, Any], name: str, source: str, number: int) -> str:
    """A caption of a row."""
    value = row.get(column(row, (name,), source))
    if not isinstance(value, str):
        raise InputError(f"the caption is {value!r}", source=source, row=number, field=name, fix="write it as a string")
    return value


def references(row: dict[str, Any], source: str, number: int) -> list[str]:
    """The references of a row: a list, one text with " | " between them, or numbered columns."""
    value = row.get("references", row.get("refs"))
    if value is None:
        value = [each for name, each in row.items() if name.startswith("reference") and each]
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
        Protocol("judges-apart", "each judge a row"),
        Protocol("judges-averaged", "a mean rating a caption", judges="averaged"),
        Protocol("system-level", "means of the column `system`", measure="pearson", judges="averaged", level="system"),
    ),
    load=load,
)
