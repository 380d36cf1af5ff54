"""Forced choices of your own: any table with two captions, references and which of the two people preferred."""

from __future__ import annotations

from typing import Any

from vericap.errors import InputError
from vericap.judging.benchmarks import ratings
from vericap.judging.judgements import Benchmark, Choices
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder, read_table

_MEANING = {"a": 1, "b": -1, "tie": 0, "0": 1, "1": -1}


def load(folder: Folder, protocol: Protocol) -> Choices:
    """Columns: image_id (may be missing), a, b, references, preferred (a, b or tie; 0 and 1 are a and b), group."""
    path = ratings.the_table(folder)
    rows, source = read_table(path), str(path)
    if not rows:
        raise InputError("the table has no rows", source=source, fix="give at least one pair")
    image = next((name for name in ratings.named(folder, "image_id", ratings.IMAGE) if name in rows[0]), None)
    of_row = folder.columns.get("references")
    return Choices.of(
        [row.get(image, "") if image else k for k, row in enumerate(rows)],
        [ratings.references(row, source, k, of_row) for k, row in enumerate(rows, 1)],
        [(ratings.text(row, "a", source, k), ratings.text(row, "b", source, k)) for k, row in enumerate(rows, 1)],
        [_preferred(row, source, k) for k, row in enumerate(rows, 1)],
        [str(row["group"]) for row in rows] if "group" in rows[0] else (),
    )


def _preferred(row: dict[str, Any], source: str, number: int) -> int:
    said = str(row.get("preferred")).strip().lower()
    if said not in _MEANING:
        raise InputError(
            f"{row.get('preferred')!r} is not a choice",
            source=source,
            row=number,
            field="preferred",
            fix="write a, b or tie",
        )
    return _MEANING[said]


BENCHMARK = Benchmark(
    name="pairs",
    what="a table of your own with image_id, a, b, references and preferred (a, b or tie), and perhaps group",
    size="as many pairs as the table has",
    licence="yours",
    source="a .json, .jsonl, .csv or .tsv file of your own",
    citation="yours",
    folders=("pairs",),
    protocols=(
        Protocol("forced-choice", "half a point for equal scores", "accuracy", ties="half"),
        Protocol("strict", "equal scores are wrong", "accuracy", ties="lose"),
    ),
    load=load,
)
