"""Tables of Parquet, pyarrow, pandas and datasets: the same captions, and only the columns that are wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pytest
from pyarrow import parquet

from tests.readers.captions.caption_writers import Dataset
from vericap.errors import InputError
from vericap.readers.captions.caption_tables import from_arrow, from_object, read_parquet
from vericap.readers.fields import Wanted
from vericap.readers.files import File

TABLE = pyarrow.table(
    {"image_id": [42, 7], "caption": ["a dog", "a cat"], "score": [0.5, 0.7], "picture": [b"x", b"y"]}
)


class Stream:
    """What any data frame of today can do."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return TABLE.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "table", [TABLE, TABLE.to_pandas(), Dataset([(42, "a dog"), (7, "a cat")]), Stream()], ids=type
)
def test_tables_of_python(table: Any) -> None:
    found = from_object(table, Wanted(), "given")
    assert found is not None and (found.ids, found.captions) == ([42, 7], ["a dog", "a cat"])


@pytest.mark.parametrize("value", [7, "a dog", object(), pandas.Series(["a dog"])])
def test_what_is_not_a_table(value: Any) -> None:
    assert from_object(value, Wanted(), "given") is None


def test_columns_that_are_kept() -> None:
    assert from_arrow(TABLE, Wanted(keep=("score", "absent")), "given").fields == {"score": [0.5, 0.7]}


def test_parquet_decodes_only_what_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    parquet.write_table(TABLE, path)
    asked: list[list[str]] = []
    original = parquet.ParquetFile.read

    def read(self: Any, columns: list[str], **options: Any) -> Any:
        asked.append(columns)
        return original(self, columns=columns, **options)

    monkeypatch.setattr(parquet.ParquetFile, "read", read)
    assert read_parquet(File(path), Wanted()).ids == [42, 7]
    assert asked == [["image_id", "caption"]]


def test_a_damaged_file_and_one_without_captions_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    parquet.write_table(TABLE.drop_columns(["caption"]), path)
    with pytest.raises(InputError, match="no field holds the captions; the fields are: image_id, score, picture"):
        read_parquet(File(path), Wanted())
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputError, match="Parquet data is damaged or truncated") as error:
        read_parquet(File(path), Wanted())
    assert error.value.source == str(path)


def test_a_missing_value_names_its_row() -> None:
    with pytest.raises(InputError, match="the caption is null") as error:
        from_arrow(pyarrow.table({"image_id": [1, 2], "caption": ["a", None]}), Wanted(), "given")
    assert (error.value.row, error.value.field) == (2, "caption")


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pandas.DataFrame([["a", "b"]], columns=["caption", "caption"])
    with pytest.raises(InputError, match="two columns have this name") as error:
        from_object(frame, Wanted(), "given")
    assert error.value.field == "caption"
