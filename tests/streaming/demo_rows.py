"""Rows of a stream made from the captions that ship, as files of every kind."""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from vericap.readers import read_references
from vericap.text.tokenizers import tokenizer

DEMO = files("vericap") / "data" / "demo"
# PTB keeps or drops the last period of these by what the next caption begins with.
ABBREVIATIONS = ("a sign that reads K.", "men from the U.S.", "it is 5 p.m.")


def references_by_id() -> dict[int, list[str]]:
    given = json.loads((DEMO / "references.json").read_text("utf-8"))
    found: dict[int, list[str]] = {}
    for annotation in given["annotations"]:
        found.setdefault(annotation["image_id"], []).append(annotation["caption"])
    return found


def demo_rows(count: int) -> list[dict[str, Any]]:
    """Rows with references of their own; every seventh ends with an abbreviation, some captions are blank."""
    references = references_by_id()
    captions = [row for name in ("strong", "weak") for row in json.loads((DEMO / f"{name}.json").read_text("utf-8"))]
    rows = []
    for number, row in enumerate(islice(cycle(captions), count)):
        caption, own = row["caption"], list(references[row["image_id"]])
        if number % 7 == 3:
            caption, own[-1] = ABBREVIATIONS[number % 3], ABBREVIATIONS[(number + 1) % 3]
        if number % 50 == 4:
            caption = ""
        rows.append({"image_id": number, "caption": caption, "references": own})
    return rows


def write_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def write_parquet(path: Path, rows: list[dict[str, Any]], group: int = 64) -> Path:
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=group)
    return path


def write_table(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(rows[0])
        for row in rows:
            writer.writerow([json.dumps(value) if isinstance(value, list) else value for value in row.values()])
    return path


def whole_of(rows: list[dict[str, Any]], metrics: str, **options: Any) -> Any:
    """The same rows scored at once."""
    import vericap

    return vericap.evaluate([r["caption"] for r in rows], [r["references"] for r in rows], metrics=metrics, **options)


def tokenised(references, by="whitespace"):
    """References as a stream holds them."""
    return read_references(references).tokenised(tokenizer(by))
