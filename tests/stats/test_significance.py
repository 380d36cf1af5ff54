"""Which rows of a table beat which, and the letters that say so."""

from __future__ import annotations

import numpy as np

from vericap.stats.significance import beaten, letters, marks


def test_every_row_has_a_letter_of_its_own() -> None:
    assert len({letters(row) for row in range(700)}) == 700
    assert "q" not in {letters(row) for row in range(25)}
    assert [letters(row) for row in (0, 1, 25, 26, 49, 50)] == ["a", "b", "aa", "ab", "az", "ba"]


def test_superscripts_name_the_rows_that_are_beaten() -> None:
    p = [[np.nan, 0.01, 0.01], [0.01, np.nan, 0.9], [0.01, 0.9, np.nan]]
    assert [marks(rows) for rows in beaten([0.3, 0.5, 0.501], p)] == ["", "a", "a"]
    assert [marks(rows) for rows in beaten([0.3, 0.5, 0.501], p, higher_is_better=False)] == ["bc", "", ""]


def test_a_row_is_beaten_only_below_the_level_and_by_a_better_one() -> None:
    p = [[np.nan, 0.05, 0.01], [0.05, np.nan, 0.01], [0.01, 0.01, np.nan]]
    assert beaten([0.9, 0.5, 0.5], p) == [[2], [], []]
    assert beaten([0.9, 0.5, 0.1], p, alpha=0.06) == [[1, 2], [2], []]
