"""Conditions on rows."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.options.row_filter import passing

NAN = float("nan")
ROWS = {
    "vifidel": [0.5, 0.3, NAN, 0.9],
    "fluency": [0.02, 0.5, 0.5, 0.001],
    "cider-r(k_r=0.5)": [1.0, 2.0, 3.0, 4.0],
    "mean(vifidel,fluency)": [1.0, 0.0, 1.0, 0.0],
    "domain": ["sports", "food", None, "it's food"],
    "length": ["7", "12", "", "3"],
    "my column": [1, 2, 3, 4],
    "split": ["val", "val", "test", "test"],
    "source": ["val", "test", "test", "val"],
}


def rows(expression: str) -> list[int]:
    return [row for row, passes in enumerate(passing(expression, ROWS, str.lower).tolist()) if passes]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("vifidel > .4 and fluency > .01", [0]),
        ("vifidel > .4 or fluency > .01", [0, 1, 2, 3]),
        ("fluency > .01 and vifidel > .4 or vifidel == 0.9", [0, 3]),  # and binds closer than or
        ("fluency > .01 and (vifidel > .4 or vifidel <= 0.3)", [0, 1]),
        ("not vifidel > .4", [1, 2]),
        ("not (vifidel > .4 or fluency >= 0.5)", []),
        ("0.3 <= vifidel < 0.9", [0, 1]),
        ("VIFIDEL > .4 AND Fluency > 1e-2", [0]),
        ("cider-r(k_r=0.5) >= 3", [2, 3]),
        ("mean(vifidel,fluency)=1 and `my column`!=3", [0]),
        ("domain == 'food'", [1]),
        ('domain == "it\'s food"', [3]),
        ("domain != 'food'", [0, 3]),  # a missing value passes no comparison
        ("length > 5", [0, 1]),  # a CSV file has its numbers as texts
        ("split == source", [0, 2]),
        ("-1 < vifidel", [0, 1, 3]),
    ],
)
def test_rows_that_pass(expression: str, expected: list[int]) -> None:
    assert rows(expression) == expected


@pytest.mark.parametrize(
    ("expression", "character", "problem"),
    [
        ("", 1, "is missing here"),
        ("vifidel >", 10, "a column, a number or a text is missing here"),
        ("vifidel", 8, "a comparison is missing here"),
        ("vifidel > .4 fluency > 1", 14, "`and` or `or` is missing here"),
        ("(vifidel > .4", 1, "this bracket is never closed"),
        ("vifidel > .4)", 13, "`and` or `or` is missing here"),
        ("spice > .4", 1, "no column is called 'spice'"),
        ("vifidel > .4 and domain > 3", 18, "the column domain holds texts"),
        ("vifidel > 'a'", 11, "this is a text"),
        ("vifidel > .4 and and", 18, "is missing here"),
        ("vifidel > __import__('os')", 11, "no column is called"),
        ("vifidel > 0.4.2", 11, "is missing here"),
        ("cider-r(k_r=0.5 > 3", 8, "this bracket is never closed"),
        ("not " * 60 + "vifidel > 1", 201, "50 deep"),
        ("(" * 10_000, 51, "50 deep"),
    ],
)
def test_errors_point_at_the_character(expression: str, character: int, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        rows(expression)
    assert f"character {character}: " in str(caught.value) and problem in str(caught.value)


def test_an_error_names_the_columns_that_there_are() -> None:
    with pytest.raises(InputError, match=r"▸spice > 1, character 1: no column is called 'spice'; there are vifidel, "):
        rows("spice > 1")


def test_an_empty_cell_of_a_csv_file_is_missing_and_not_unequal() -> None:
    assert rows("length != 7") == [1, 3]
    assert passing("x != 1", {"x": ["nan", "1", "2"]}).tolist() == [False, False, True]


def test_whole_numbers_that_would_be_rounded_are_refused() -> None:
    """2^53 and 2^53 + 1 are the same float64: one of them would pass for the other."""
    ids = [2**53, 2**53 + 1]
    for values, expression in ((ids, "id == 9007199254740992"), ([str(i) for i in ids], "id > 1")):
        with pytest.raises(InputError, match="the column id holds 9007199254740993, which cannot"):
            passing(expression, {"id": values})
    with pytest.raises(InputError, match="character 7: this number cannot be told from the next whole number"):
        passing("id == 9007199254740993", {"id": [7]})
    assert passing("id == 9007199254740992", {"id": [2**53, 7]}).tolist() == [True, False]
    assert passing("id < 1e300", {"id": [10**20, float("inf")]}).tolist() == [True, False]
