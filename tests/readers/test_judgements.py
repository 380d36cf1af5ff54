"""Tables of judgements: JSON, JSON Lines, CSV and TSV give the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.judgements import TABLES, number, read_json, read_table


@pytest.mark.parametrize(
    "content",
    [
        '[{"image": "1", "score": "0.5"}, {"image": "2", "score": "x, y"}]',
        '{"image": "1", "score": "0.5"}\n{"image": "2", "score": "x, y"}\n',
        'image,score\n1,0.5\n2,"x, y"\n',
        "image\tscore\n1\t0.5\n2\tx, y\n",
        "image;score\r\n1;0.5\r\n2;x, y\r\n",
    ],
)
def test_every_format_gives_the_same_rows(content: str, tmp_path: Path) -> None:
    (tmp_path / "table").write_text(content)
    assert read_table(tmp_path / "table") == [{"image": "1", "score": "0.5"}, {"image": "2", "score": "x, y"}]


def test_one_object_is_one_row_and_another_value_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text('{"image": 1}')
    assert read_table(tmp_path / "table.json") == [{"image": 1}]
    (tmp_path / "table.json").write_text('[{"image": 1}, [2]]')
    with pytest.raises(InputError, match="the row is not an object") as error:
        read_table(tmp_path / "table.json")
    assert (error.value.source, error.value.row) == (str(tmp_path / "table.json"), 2)
    assert read_json(tmp_path / "table.json") == [{"image": 1}, [2]]


def test_rows_of_another_reader() -> None:
    assert TABLES.from_rows(iter([{"a": 1}]), Wanted(), "mine") == [{"a": 1}]


@pytest.mark.parametrize("text", ["", "x", None, "nan", "inf", True, [1]])
def test_a_judgement_is_a_finite_number(text: Any) -> None:
    with pytest.raises(InputError, match="is not a number; give a finite number") as error:
        number(text, "ratings.csv", 4, "score")
    assert (error.value.source, error.value.row, error.value.field) == ("ratings.csv", 4, "score")
    assert number(" 3 ", "ratings.csv", 1, "score") == 3 == number(3, "ratings.csv", 1, "score")


def test_words_do_not_join_over_a_line_break_in_quotes(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('image_id,caption\n1,"a dog\nruns fast"\n2,"a\u2028cat\fsits"\n', newline="")
    assert [row["caption"] for row in read_table(tmp_path / "t.csv")] == ["a dog\nruns fast", "a\u2028cat\fsits"]
