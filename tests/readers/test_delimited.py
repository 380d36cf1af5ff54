"""CSV and TSV: what Python's csv writes comes back, and a row that is wrong is named by number and line."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.readers.delimited import header_names, lines_of, parse_table

CELL = st.text(st.sampled_from("ab\"',;\t\n\r\u2028 é"), max_size=6)


@given(st.lists(st.lists(CELL, min_size=2, max_size=2), min_size=1, max_size=5), st.sampled_from(",;"))
def test_what_is_written_with_quotes_comes_back(rows: list[list[str]], delimiter: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([["id", "caption"], *rows])
    table = parse_table(out.getvalue(), delimiter, "t.csv")
    # A line break inside a field is \n, however the file breaks its lines.
    assert table.rows == [[cell.replace("\r\n", "\n") for cell in row] for row in rows] or table.rows == rows
    assert table.records()[0] == dict(zip(["id", "caption"], table.rows[0], strict=True))
    assert table.columns()["caption"] == [row[1] for row in table.rows]


@given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=5), min_size=1))
def test_lines_end_with_a_line_feed_and_with_nothing_else(lines: list[str]) -> None:
    assume(not any(line.endswith("\r") for line in lines) and (len(lines) > 1 or lines[0]))
    assert lines_of("\n".join(lines) + "\n") == lines == lines_of("\r\n".join(lines) + "\r\n")


def test_names_of_a_header() -> None:
    assert header_names('"image_id"; caption ', ";") == ["image_id", "caption"]
    assert parse_table(" id , caption\n1,a\n", ",", "t").header == ["id", "caption"]


def test_a_tsv_without_quoting_keeps_its_quotation_marks() -> None:
    assert parse_table('id\tcaption\n1\t"stop" sign\n2\t"A dog\n', "\t", "t.tsv").rows == [
        ["1", '"stop" sign'],
        ["2", '"A dog'],
    ]


def test_rows_are_named_by_their_line_where_a_field_has_line_breaks() -> None:
    plain = parse_table("id,c\n1,a\n2,b\n", ",", "t")
    assert [plain.row_name(row) for row in range(2)] == [1, 2]
    broken = parse_table('id,c\n1,"a\nb"\n2,c\n', ",", "t")
    assert [broken.row_name(row) for row in range(2)] == ["1 (line 2)", "2 (line 4)"]


def test_blank_lines_at_the_end_are_no_rows() -> None:
    assert parse_table("id,c\n1,a\n\n\n", ",", "t").rows == [["1", "a"]]


@pytest.mark.parametrize(
    ("text", "row", "field", "problem"),
    [
        ("id,c\n1,a,b\n", 1, None, "the row has 3 fields, but the header names 2"),
        ('id,c\n1,"a\nb"\n2\n', "2 (line 4)", None, "the row has 1 fields"),
        ("id,c\n1,a\n\n2,b\n", 2, None, "the row has 0 fields"),
        ("id,id\n1,a\n", None, "id", "names this column twice"),
        ("id,c\n", None, None, "a header but no row"),
        ('id,c\n1,a\n2,"b\n', "2 (line 3)", None, "the table is broken"),
        ('id,c\n1,"a" b\n', "1 (line 2)", None, "the table is broken"),
        ('"id,c\n', "1 of the file, the header", None, "the table is broken"),
    ],
)
def test_what_is_wrong_names_file_and_row(text: str, row: int | str | None, field: str | None, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        parse_table(text, ",", "t.csv")
    assert (error.value.source, error.value.row, error.value.field) == ("t.csv", row, field)
    assert error.value.fix


def test_a_tsv_that_can_be_read_in_two_ways_is_refused() -> None:
    with pytest.raises(InputError, match="a quotation mark opens here and closes on another line") as error:
        parse_table('id\tcaption\n1\t"A dog\n2\ta cat"\n', "\t", "t.tsv")
    assert error.value.row == "1 (line 2)"
