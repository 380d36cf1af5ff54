"""Reports inside a page."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vericap.show.report.packing import pack, short, short_column, unpack


@given(st.dictionaries(st.text(), st.lists(st.one_of(st.text(), st.integers(-(2**53), 2**53), st.none()))))
def test_any_text_comes_back_and_none_of_it_can_be_markup(report: dict[str, list[str | int | None]]) -> None:
    text = pack(report)
    assert unpack(text) == report
    assert re.fullmatch(r"[A-Za-z0-9+/=]*", text)


def test_the_same_report_gives_the_same_text() -> None:
    assert pack({"caption": "a dog"}) == pack({"caption": "a dog"})


def test_numbers_have_six_digits_and_what_does_not_exist_is_null() -> None:
    assert short(1234.56789) == 1234.57
    assert short_column(np.array([1 / 3, np.nan, np.inf])) == [0.333333, None, None]
