"""An error of the input names the file, the row, the field and the fix, in this order, and leaves out what it lacks."""

from __future__ import annotations

import pytest

from vericap.errors import InputError, MetricError, VericapError


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "the caption is a number"),
        ({"fix": "write a string"}, "the caption is a number; write a string"),
        ({"row": 0}, "row 0: the caption is a number"),
        ({"source": "a.json", "field": "caption"}, 'a.json, field "caption": the caption is a number'),
        (
            {"source": "a.json", "row": "3 (line 4)", "field": "caption", "fix": "write a string"},
            'a.json, row 3 (line 4), field "caption": the caption is a number; write a string',
        ),
    ],
)
def test_the_message_says_where_then_what_then_the_fix(given: dict[str, str], message: str) -> None:
    error = InputError("the caption is a number", **given)  # type: ignore[arg-type]
    assert str(error) == message
    assert error.problem == "the caption is a number"
    assert [error.source, error.row, error.field, error.fix] == [
        given.get(name) for name in ("source", "row", "field", "fix")
    ]


def test_wrong_input_is_a_value_error_and_a_broken_metric_is_not() -> None:
    assert issubclass(InputError, ValueError) and issubclass(InputError, VericapError)
    assert issubclass(MetricError, VericapError) and not issubclass(MetricError, ValueError)
