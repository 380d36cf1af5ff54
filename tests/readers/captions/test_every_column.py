"""All columns of a file of captions, for those who write them again."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from vericap.readers import load
from vericap.readers.captions import caption_json
from vericap.readers.captions.sources import read_captions
from vericap.readers.fields import EVERY

ROWS: list[dict[str, Any]] = [
    {"image_id": 7, "caption": "a dog", "model": "x", "logprob": -1.5},
    {"image_id": 8, "caption": "a cat", "model": "y", "logprob": -0.5, "tags": ["pet"]},
]


def test_every_field_is_kept_also_where_some_records_lack_it(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, ROWS)).encode()))
    for given in (ROWS, path):
        fields = load(given, {7: ["one dog"], 8: ["one cat"]}, fields=[EVERY]).fields
        assert list(fields) == ["image_id", "caption", "model", "logprob", "tags"]
        assert fields["tags"] == [None, ["pet"]] and fields["logprob"] == [-1.5, -0.5]


def test_tables_keep_their_columns(tmp_path: Path) -> None:
    csv, table = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    csv.write_text("file;caption;model\n7.jpg;a dog;x\n8.jpg;a cat;y\n", "utf-8")
    assert dict(read_captions(csv, fields=[EVERY]).fields)["model"] == ["x", "y"]
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), table)
    assert list(load(table, fields=[EVERY]).fields) == ["image_id", "caption", "model", "logprob"]


def test_a_big_file_keeps_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caption_json, "BIG", 10)
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS), "utf-8")
    assert load(path, fields=[EVERY]).fields["tags"] == [None, ["pet"]]


def test_a_field_of_the_references_may_be_asked_for_beside_them() -> None:
    references = {
        "images": [{"id": 7, "domain": "pets"}, {"id": 8, "domain": "pets"}],
        "annotations": [{"id": 1, "image_id": 7, "caption": "a dog"}, {"id": 2, "image_id": 8, "caption": "a cat"}],
    }
    fields = load(ROWS, references, fields=["domain", EVERY]).fields
    assert fields["domain"] == ["pets", "pets"] and "model" in fields


def test_captions_without_fields_have_none() -> None:
    assert load({7: "a dog"}, fields=[EVERY]).fields == {}


def test_a_caption_that_is_missing_is_still_an_error() -> None:
    with pytest.raises(ValueError, match='row 2, field "caption"'):
        load([ROWS[0], {"image_id": 8, "model": "y"}], fields=[EVERY])
