"""Lines drawn by matplotlib."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.show.figures import draw_lines

VALUES = {"bleu-4": np.array([0.5, 0.6]), "meteor": np.array([0.4, 0.7])}


def test_the_same_curve_gives_the_same_bytes_with_a_name_for_each_line() -> None:
    pytest.importorskip("matplotlib")
    picture = draw_lines("t", "references", "accuracy", [1, 2], VALUES, {"meteor": np.full(2, 0.1)}, VALUES)
    assert picture == draw_lines("t", "references", "accuracy", [1, 2], VALUES, {"meteor": np.full(2, 0.1)}, VALUES)
    assert picture.count(b"<!-- meteor") == 2  # the line, and the dashed one beside it
    assert draw_lines("t", "x", "y", [1, 2], VALUES, format="png").startswith(b"\x89PNG")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="use png or svg"):
        draw_lines("t", "x", "y", [1, 2], VALUES, format="pdf")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'vericap\[figures\]'"):
        draw_lines("t", "x", "y", [1, 2], VALUES)
