"""Input that is wrong has an answer: one line that names the file, the row, the field and the fix."""

from __future__ import annotations

import gzip
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pytest
from pyarrow import parquet

from tests.readers.captions.caption_writers import FILES, write_csv, write_jsonl, write_parquet, write_results
from vericap.errors import InputError
from vericap.readers import load, read_captions

GOOD = [(1, "a dog"), (2, "a cat"), (3, "a cow")]


def error_of(call: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message and len(message) < 1000
    return message


def error_of_file(path: Path, content: bytes | str) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    message = error_of(lambda: read_captions(path))
    assert message.startswith(str(path)), message
    return message.removeprefix(str(path))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (7, "a number (7)"),
        (1.5, "a number (1.5)"),
        (True, "a truth value (true)"),
        (["a"], "a list"),
        ({"a": 1}, "an object"),
    ],
)
def test_a_caption_that_is_not_a_string(value: Any, words: str, tmp_path: Path) -> None:
    rows = [{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": value}]
    expected = f', row 2, field "caption": the caption is {words}; write each caption as a string'
    assert error_of_file(tmp_path / "r.json", json.dumps(rows)) == expected
    assert error_of_file(tmp_path / "r.jsonl", "\n".join(map(json.dumps, rows))) == expected
    assert error_of(lambda: read_captions(rows)) == "candidates" + expected
    frame = pandas.DataFrame({"image_id": [1, 2], "caption": pandas.Series(["a dog", value], dtype=object)})
    assert error_of(lambda: read_captions(frame)) == "candidates" + expected
    if not isinstance(value, (list, dict)):
        assert f"row 2 (id 2): the caption is {words}" in error_of(lambda: read_captions({1: "a dog", 2: value}))
        assert f"row 2: the caption is {words}" in error_of(lambda: read_captions(["a dog", value]))


def test_nan_and_missing_values_of_tables(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"image_id": [1, 2], "caption": ["a dog", float("nan")]})
    assert 'row 2, field "caption"' in error_of(lambda: read_captions(frame))
    frame = pandas.DataFrame({"image_id": [1, 2], "caption": pandas.array(["a dog", None], dtype="string")})
    assert "the caption is null" in error_of(lambda: read_captions(frame))
    frame = pandas.DataFrame({"image_id": [1, None], "caption": ["a dog", "a cat"]})
    assert 'row 1, field "image_id": the image id is a number (1.0)' in error_of(lambda: read_captions(frame))
    table = pyarrow.table({"image_id": [1, 2, 3], "caption": ["a", "b", None]})
    parquet.write_table(table, tmp_path / "r.parquet")
    assert 'row 3, field "caption": the caption is null' in error_of(lambda: read_captions(tmp_path / "r.parquet"))
    assert 'row 3, field "caption": the caption is null' in error_of(lambda: read_captions(table))
    content = '[{"image_id": 1, "caption": "a", "score": NaN}, {"image_id": 2, "caption": NaN}]'
    assert ', row 2, field "caption": the caption is NaN' in error_of_file(tmp_path / "r.json", content)


def test_python_writes_nan_and_it_may_stand_in_a_field_that_nobody_reads(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('[{"image_id": 1, "caption": "a", "score": NaN}]')
    assert read_captions(tmp_path / "r.json").captions == ["a"]


def test_broken_json_names_the_row(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    assert error_of_file(path, '[{"image_id": 1, "caption": "a"}, {"image_id": 2 "caption": "b"}]').startswith(
        ", row 2: the JSON is broken at line 1, column 50"
    )
    content = (
        '{"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "a"},\n{"image_id": 1, caption: "b"}]}'
    )
    assert error_of_file(path, content).startswith(", row 2: the JSON is broken at line 2, column 17")
    assert error_of_file(path, '{"1": "a", "2" "b"}').startswith(": the JSON is broken at line 1, column 16")
    lines = write_jsonl(GOOD).decode().splitlines()
    lines[1] = lines[1].replace(":", "", 1)
    assert error_of_file(tmp_path / "bad.jsonl", "\n".join(lines)).startswith(", row 2: the JSON is broken at column")
    # A row is a line of the file, also behind a blank one.
    assert ", row 4" in error_of_file(path, '{"caption": "a"}\n{"caption": "b"}\n\n{"caption": 7}')
    assert "Extra data" in error_of_file(path, '[{"caption": "a"}] [{"caption": "b"}]')
    assert "nested too deeply" in error_of_file(path, "[" * 200_000)
    assert "unreadable value" in error_of_file(path, "[" + "1" * 5000 + "]")


def test_every_truncated_json_is_said_to_be_truncated(tmp_path: Path) -> None:
    content = b'[{"image_id": 12, "caption": "a \\u00e9 \xc3\xa9"}, {"image_id": -3, "caption": null, "ok": true}]'
    for end in range(1, len(content)):
        if content[:end].endswith(b"\xc3"):
            continue  # truncated inside a character: not UTF-8
        message = error_of_file(tmp_path / "bad.json", content[:end])
        assert "truncated" in message or end == 1, (content[:end], message)
        assert ("row 1" in message) == (end < content.index(b"}") + 2) or end < 3, (content[:end], message)


@pytest.mark.parametrize("name", FILES)
def test_truncated_files_are_errors_or_fewer_whole_rows(name: str, tmp_path: Path) -> None:
    content = FILES[name](GOOD)
    path = tmp_path / name
    for end in range(len(content)):
        path.write_bytes(content[:end])
        try:
            captions = read_captions(path)
        except InputError as error:
            assert str(path) in str(error)
        else:
            # A table or a list of lines that ends between two rows, or in the last caption, cannot be told.
            assert name.endswith((".csv", ".tsv", ".jsonl")) and len(captions) <= len(GOOD)
            for given, (_, whole) in zip(captions.captions, GOOD, strict=False):
                assert whole.startswith(given.removesuffix("\r"))


def test_damaged_compression(tmp_path: Path) -> None:
    packed = gzip.compress(write_results(GOOD))
    assert error_of_file(tmp_path / "r.json.gz", packed[:-9]).startswith(": the gzip data is truncated")
    assert error_of_file(tmp_path / "r.json.gz", packed[:-4] + b"abcd").startswith(": the gzip data is damaged")
    packed = pyarrow.compress(write_results(GOOD), codec="zstd", asbytes=True)
    assert "Zstandard data is truncated" in error_of_file(tmp_path / "r.json.zst", packed[:-3])
    assert "Zstandard data is damaged" in error_of_file(tmp_path / "r.json.zst", packed[:4] + b"\xff" * 30)
    assert "Parquet data is damaged or truncated" in error_of_file(tmp_path / "r", write_parquet(GOOD)[:-5])
    assert "the file is empty" in error_of_file(tmp_path / "r", gzip.compress(b""))


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there is no such file" in error_of(lambda: read_captions(tmp_path / "none.json"))
    assert "captions themselves go in a list" in error_of(lambda: read_captions("a dog runs"))
    assert "the folder has no file of captions" in error_of(lambda: read_captions(tmp_path))
    assert "the file cannot be read" in error_of(lambda: read_captions("a\0b"))
    assert "the file cannot be read" in error_of(lambda: read_captions("a" * 300))

    def refuse(_: Path, mode: str) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert "the file may not be read" in error_of(lambda: read_captions(tmp_path / "locked.json"))


def test_files_that_hold_no_captions(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert error_of_file(path, b"") == ": the file is empty; check the program that wrote it"
    for content in ("[]", "{}", '{"images": [], "annotations": []}', '{"image_id": [], "caption": []}'):
        assert "there is no caption in it" in error_of_file(path, content)
    assert "there is a header but no row" in error_of_file(path, "image_id,caption\n")
    assert "there is no caption in it" in error_of_file(path, write_parquet([]))
    assert "there is no caption in it" in error_of(lambda: read_captions([]))
    assert "there is no caption in it" in error_of(lambda: read_captions({}))
    assert "there is no caption in it" in error_of(lambda: read_captions(pandas.DataFrame({"caption": []})))


def test_json_of_an_unknown_shape_says_which_are_known(tmp_path: Path) -> None:
    for content in (
        '{"1": {"text": "a"}}',
        '"a dog"',
        "7",
        '{"images": [], "info": {}}',
        '{"annotations": {"1": "a"}}',
    ):
        message = error_of_file(tmp_path / "r.json", content)
        assert '[{"image_id", "caption"}, …]' in message and "{id: [captions]}" in message
    assert "candidates: the top level is a number (7)" in error_of(lambda: read_captions(7))
    assert "of type bytes" in error_of(lambda: read_captions(b"a dog"))
    assert "row 2: the row is a string, not an object" in error_of(lambda: read_captions([{"caption": "a"}, "b"]))
    assert "row 2: the row is an object" in error_of(lambda: read_captions(["a", {"caption": "b"}]))


def test_a_missing_column_says_which_are_there(tmp_path: Path) -> None:
    for content in ('[{"image_id": 1, "words": "a"}]', "image_id;words\n1;a\n", '{"image_id": 1, "words": 2}\n{}'):
        path = tmp_path / ("r.csv" if content.startswith("image") else "r.json")
        message = error_of_file(path, content)
        assert "no field holds the captions; the fields are: image_id, words; say which one does" in message
    parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "r")
    assert "the fields are: a;" in error_of(lambda: read_captions(tmp_path / "r"))
    assert "the fields are: a;" in error_of(lambda: read_captions(pandas.DataFrame({"a": [1]})))
    rows = [{"image_id": 1, "caption": "a"}, {"image": 1, "caption": "a"}]
    assert 'row 2, field "image_id": the field is not there; the fields are: image, caption' in error_of(
        lambda: read_captions(rows)
    )
    for role in ("caption", "image_id"):
        message = error_of(lambda role=role: read_captions(rows, columns={role: "x"}))  # type: ignore[misc]
        assert 'field "x": there is no field of that name' in message
    assert "`captoin` is not a role of a field; choose one of image_id, caption, references" in error_of(
        lambda: read_captions(rows, columns={"captoin": "x"})
    )
    assert "two columns have this name" in error_of(
        lambda: read_captions(pandas.DataFrame([["a", "b"]], columns=["caption", "caption"]))
    )


def test_other_encodings_say_which_byte(tmp_path: Path) -> None:
    path = tmp_path / "r"
    assert error_of_file(path, b"a dog\nun caf\xe9\n").startswith(": byte 13, in line 2, is 0xe9, which is not UTF-8")
    rows = write_jsonl([(1, "a"), (2, "caf#")]).replace(b"#", b"\xe9")
    assert ", row 2: byte " in error_of_file(path, rows)
    assert "is 0xe9, which is not UTF-8" in error_of_file(path, write_results([(1, "caf#")]).replace(b"#", b"\xe9"))
    assert "is 0xe9, which is not UTF-8" in error_of_file(path, write_csv([(1, "caf#")]).replace(b"#", b"\xe9"))
    assert "not UTF-16" in error_of_file(path, "café".encode("utf-16")[:-1])
    assert "binary file" in error_of_file(path, "café".encode("utf-16-le"))
    assert "binary file" in error_of_file(path, "a dog".encode("utf-32"))


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_never_read(protocol: int, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    path = tmp_path / "captions.p"
    path.write_bytes(pickle.dumps([Trap()], protocol=protocol))
    if protocol >= 2:
        assert "a pickle, which is never read" in error_of(lambda: read_captions(path))
    else:
        with pytest.raises(InputError):
            load(path, {1: ["a"]})
    assert not (tmp_path / "sprung").exists()


def test_other_binary_files(tmp_path: Path) -> None:
    assert "a zip archive" in error_of_file(tmp_path / "r", b"PK\x03\x04 more")
    assert "binary file (byte 3 is zero)" in error_of_file(tmp_path / "r.txt", b"ab\0c")


def test_empty_captions_and_references_are_captions() -> None:
    corpus = load(["", " "], [["", "a dog"], ["\t"]])
    assert corpus.candidates == ["", " "] and corpus.references == ["", "a dog", "\t"]
    assert corpus.notes == ("2 references empty", "2 of 2 captions in candidates empty: 0, 1")
