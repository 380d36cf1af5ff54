"""One set of captions written in every format that the readers know."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

import pandas
import pyarrow
from pyarrow import parquet

ROWS = Sequence[tuple[Any, str]]


def table(rows: ROWS) -> pyarrow.Table:
    return pyarrow.table({"image_id": [i for i, _ in rows], "caption": [c for _, c in rows]})


def write_results(rows: ROWS) -> bytes:
    return json.dumps([{"image_id": i, "caption": c, "score": 0.5} for i, c in rows]).encode()


def write_annotations(rows: ROWS) -> bytes:
    names = [{"id": i, "file_name": f"picture-of-{i}.jpg"} for i in dict(rows)]
    records = [{"id": n, "image_id": i, "caption": c} for n, (i, c) in enumerate(rows)]
    return json.dumps({"info": {}, "images": names, "annotations": records}, ensure_ascii=False).encode()


def write_columns(rows: ROWS) -> bytes:
    return json.dumps({"image_id": [i for i, _ in rows], "caption": [c for _, c in rows]}, indent=1).encode()


def write_jsonl(rows: ROWS) -> bytes:
    return "".join(json.dumps({"image_id": i, "caption": c}, ensure_ascii=False) + "\n" for i, c in rows).encode()


def _write_table(rows: ROWS, **dialect: Any) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, **dialect)
    writer.writerows([("image_id", "caption"), *rows])
    return out.getvalue().encode()


def write_csv(rows: ROWS) -> bytes:
    return _write_table(rows)


def write_csv_unix(rows: ROWS) -> bytes:
    return _write_table(rows, lineterminator="\n")


def write_tsv(rows: ROWS) -> bytes:
    return _write_table(rows, delimiter="\t", quoting=csv.QUOTE_ALL)


def write_parquet(rows: ROWS) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table(rows), out)
    return out.getvalue()


def write_gzip(rows: ROWS) -> bytes:
    return gzip.compress(write_results(rows))


def write_zstandard(rows: ROWS) -> bytes:
    return pyarrow.compress(write_jsonl(rows), codec="zstd", asbytes=True)


def write_with_mark(rows: ROWS) -> bytes:
    return b"\xef\xbb\xbf" + write_csv(rows)


def write_utf_16(rows: ROWS) -> bytes:
    return write_csv(rows).decode().encode("utf-16")


FILES: dict[str, Callable[[ROWS], bytes]] = {
    "results.json": write_results,
    "annotations.json": write_annotations,
    "columns.json": write_columns,
    "rows.jsonl": write_jsonl,
    "table.csv": write_csv,
    "unix.csv": write_csv_unix,
    "table.tsv": write_tsv,
    "table.parquet": write_parquet,
    "results.json.gz": write_gzip,
    "rows.jsonl.zst": write_zstandard,
    "mark.csv": write_with_mark,
    "utf-16.csv": write_utf_16,
}


class Dataset:
    """What the readers ask of a dataset of Hugging Face."""

    def __init__(self, rows: ROWS) -> None:
        self.columns = {"image_id": [i for i, _ in rows], "caption": [c for _, c in rows]}
        self.column_names = list(self.columns)
        self.features = dict.fromkeys(self.column_names)

    def __getitem__(self, name: str) -> list[Any]:
        return self.columns[name]


OBJECTS: dict[str, Callable[[ROWS], Any]] = {
    "rows": lambda rows: [{"image_id": i, "caption": c} for i, c in rows],
    "generator": lambda rows: ({"image_id": i, "caption": c} for i, c in rows),
    "columns": lambda rows: {"image_id": [i for i, _ in rows], "caption": [c for _, c in rows]},
    "pyarrow": table,
    "pandas": lambda rows: table(rows).to_pandas(),
    "pandas objects": lambda rows: pandas.DataFrame({"caption": [c for _, c in rows], "ID": [i for i, _ in rows]}),
    "dataset": Dataset,
}
