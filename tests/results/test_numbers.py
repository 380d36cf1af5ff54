"""Numbers as JSON has them: what does not exist is null."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.results.numbers import finite, listed


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_number_is_itself_or_null(number: float) -> None:
    found = finite(number)
    assert found == number if math.isfinite(number) else found is None
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize(("given_", "found"), [(None, None), ((0.1, 0.2), [0.1, 0.2]), ([], [])])
def test_an_interval_is_a_list(given_: tuple[float, ...] | None, found: list[float] | None) -> None:
    assert listed(given_) == found
