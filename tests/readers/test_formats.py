"""The registry of formats: the first that recognises a file reads it, by its content more than by its name."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from vericap.errors import InputError
from vericap.readers.captions.sources import CAPTIONS
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.formats import Content, Format
from vericap.readers.judgements import TABLES
from vericap.readers.objects import OBJECTS
from vericap.readers.plugin_readers import BUILT_IN
from vericap.readers.regions import REGIONS

CONTENTS: dict[str, Content[Any]] = {each.name: each for each in (CAPTIONS, OBJECTS, REGIONS, TABLES)}


def recognised(content: str, file: File) -> str:
    return next(each.name for each in CONTENTS[content].formats if each.recognises(file, Wanted()))


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


def test_plug_ins_cannot_have_the_names_of_formats() -> None:
    assert {each.name for content in CONTENTS.values() for each in content.formats} == BUILT_IN


def test_a_file_in_no_format_says_which_there_are(tmp_path: Path) -> None:
    (tmp_path / "regions.pkl").write_bytes(b"\x80\x04.")
    with pytest.raises(InputError, match="no known format of regions") as error:
        REGIONS.read(File(tmp_path / "regions.pkl"))
    assert error.value.source == str(tmp_path / "regions.pkl")
    names = [each.name for each in REGIONS.formats]
    assert error.value.fix is not None and all(name in error.value.fix for name in names)


def test_the_first_that_recognises_reads(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(name: str, yes: bool) -> Format[str]:
        def recognises(file: File, wanted: Wanted) -> bool:
            asked.append(name)
            return yes

        return Format(name, recognises, lambda file, wanted: f"{file.name} by {name}")

    formats = (answer("one", False), answer("two", True), answer("three", True))
    assert Content("table", formats, lambda rows, wanted, source: source).read(File("a")) == "a by two"
    assert asked == ["one", "two"]
