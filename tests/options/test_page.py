"""Options of pages."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.options.page import PageOptions


def test_no_more_captions_are_explained_than_there_are() -> None:
    assert PageOptions(explain="50").captions_explained(30) == 30
    assert PageOptions(explain=" ALL ").captions_explained(30) == 30
    assert PageOptions(explain="0").captions_explained(30) == 0


@pytest.mark.parametrize("text", ["many", "-1", "1.5", ""])
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match="use a number, or all"):
        PageOptions(explain=text).captions_explained(30)
