"""JSON Lines and tables, of which each span is a range of bytes."""

import pytest

from vericap.errors import InputError
from vericap.readers.delimited import TableRanges
from vericap.readers.json_values import LineRanges
from vericap.readers.ranges import Span


def lines(path, content):
    path.write_bytes(content)
    return LineRanges(str(path))


def table(path, content):
    path.write_bytes(content)
    return TableRanges(str(path))


def read_all(shard, rows):
    return [record for span in shard.spans(rows) for record in shard.read(span, ["caption"])]


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\n\n \n"])
def test_lines_are_the_same_rows_for_any_batch_and_any_end(tmp_path, rows, end):
    content = b"\xef\xbb\xbf" + b"\n".join(b'{"caption": "dog %d"}' % i for i in range(5)) + end
    assert [row["caption"] for row in read_all(lines(tmp_path / "a.jsonl", content), rows)] == [
        f"dog {i}" for i in range(5)
    ]


def test_a_line_that_is_no_object_is_an_error_in_its_place(tmp_path):
    shard = lines(tmp_path / "a.jsonl", b'{"caption": "a"}\n{"caption": \n\n7\n\xff\n{"caption": "b"}\n')
    found = read_all(shard, 10)
    assert [type(row) for row in found] == [dict, InputError, InputError, InputError, InputError, dict]
    assert [str(error).partition(": ")[0].rpartition(", ")[2] for error in found[1:5]] == [
        "row 2",
        "row 3",
        "row 4",
        "row 5",
    ]
    assert shard.raw(next(shard.spans(10)), 1) == '{"caption": '


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_fields_in_quotation_marks_may_hold_line_breaks(tmp_path, rows):
    content = b'id,caption\n1,"a dog,\nrunning"\n2,a "5 inch\r\n\n3,"a ""cat"""\r\n4,a\rb'
    content = content.replace(b'a "5 inch', b"a 5 inch")
    shard = table(tmp_path / "a.csv", content)
    assert [row["caption"] for row in read_all(shard, rows)] == ["a dog,\nrunning", "a 5 inch", 'a "cat"', "a\rb"]


def test_a_row_of_a_table_with_too_few_fields_or_another_encoding_is_an_error_in_its_place(tmp_path):
    found = read_all(table(tmp_path / "a.csv", b"id,caption\n1,a dog\n2\n3,\xe9t\xe9\n4,\xc3\xa9t\xc3\xa9\n"), 10)
    assert [type(row) for row in found] == [dict, InputError, InputError, dict]
    assert "has 1 fields, but the header names 2" in str(found[1]) and "is not UTF-8" in str(found[2])
    assert found[3]["caption"] == "été"


def test_rows_behind_a_span_of_a_table(tmp_path):
    shard = table(tmp_path / "a.tsv", b"id\tcaption\n1\ta\n2\tb\n3\tc\n")
    first, *_ = shard.spans(2)
    assert [row["caption"] for row in shard.after(first, [])] == ["c"]
    assert [row["caption"] for row in shard.after(Span(0, 0, 0), [])] == ["a", "b", "c"]


def test_a_table_that_is_broken_is_an_error_that_says_where(tmp_path):
    shard = table(tmp_path / "a.csv", b'id,caption\n1,"a dog\n2,a cat\n')
    with pytest.raises(InputError, match="the table is broken before byte 28"):
        list(shard.spans(2))
