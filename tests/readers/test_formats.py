"""The registry of formats: the first that recognises a file reads it, by its content more than by its name."""

from __future__ import annotations

import gzip
from pathlib import Path
from pkgutil import resolve_name

import pyarrow
import pytest
from pyarrow import parquet

from vericap.errors import InputError
from vericap.readers import formats
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.formats import FORMATS, FROM_ROWS, Format


def recognised(content: str, file: File) -> str:
    return next(each.name for each in FORMATS if each.content == content and each.recognises(file, Wanted()))


@pytest.mark.parametrize(
    ("content", "name", "text", "form"),
    [
        ("captions", "a", '[{"image_id": 1, "caption": "a"}]', "json"),
        ("captions", "a", '{"caption": "a"}\n{"caption": "b"}\n', "json-lines"),
        ("captions", "a.txt", "image_id,caption\n1,a\n", "csv"),
        ("captions", "a.csv", "anything\n", "csv"),
        ("captions", "a", "1.jpg#0\tA dog .\n", "flickr8k"),
        ("captions", "a", "[UNK] dog\n", "text"),
        ("captions", "a.json", "broken", "json"),
        ("objects", "a", '{"1": ["dog"]}', "json"),
        ("objects", "a", "<annotation/>", "voc-xml"),
        ("objects", "a", "image_id,label\n1,dog\n", "csv"),
        ("objects", "a", "ImageID,LabelName\n1,dog\n", "csv"),
        ("objects", "a", "/m/0bt9lr,Dog\n", "class-descriptions"),
        ("objects", "a", "1\tdog,cat\n", "labels"),
        ("regions", "a.npz", "", "npz"),
        ("regions", "a", "PK\x03\x04", "npz"),
        ("regions", "a.safetensors", "", "safetensors"),
        ("regions", "a.tsv", "", "bottom-up"),
        ("table", "a", '[{"a": 1}]', "json"),
        ("table", "a", "a;b\n1;2\n", "csv"),
    ],
)
def test_a_file_is_recognised(content: str, name: str, text: str, form: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert recognised(content, File(tmp_path / name)) == form


def test_content_goes_before_the_name_also_inside_compression(tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"caption": ["a"]}), table)
    (tmp_path / "t.json").write_bytes(table.read_bytes())
    assert recognised("captions", File(tmp_path / "t.json")) == "parquet"
    (tmp_path / "t.gz").write_bytes(gzip.compress(b'[{"caption": "a"}]'))
    assert recognised("captions", File(tmp_path / "t.gz")) == "json"
    assert recognised("objects", File(tmp_path)) == "voc-folder"


def test_every_reader_that_is_named_is_there() -> None:
    for name in [each.reader for each in FORMATS] + list(FROM_ROWS.values()):
        assert callable(resolve_name(f"vericap.readers.{name}")), name
    assert {each.content for each in FORMATS} == set(FROM_ROWS)


def test_a_file_in_no_format_says_which_there_are(tmp_path: Path) -> None:
    (tmp_path / "regions.pkl").write_bytes(b"\x80\x04.")
    with pytest.raises(InputError, match="no known format of regions") as error:
        formats.read("regions", File(tmp_path / "regions.pkl"))
    assert error.value.source == str(tmp_path / "regions.pkl")
    names = [each.name for each in FORMATS if each.content == "regions"]
    assert error.value.fix is not None and all(name in error.value.fix for name in names)


def test_the_first_that_recognises_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a;b\n1;2\n")
    asked: list[str] = []

    def answer(name: str, yes: bool) -> Format:
        def recognises(file: File, wanted: Wanted) -> bool:
            asked.append(name)
            return yes

        return Format(name, "table", recognises, "judgements.judgement_tables:read_csv_table")

    monkeypatch.setattr(formats, "FORMATS", (answer("one", False), answer("two", True), answer("three", True)))
    assert formats.read("table", File(tmp_path / "a")) == [{"a": "1", "b": "2"}]
    assert asked == ["one", "two"]
