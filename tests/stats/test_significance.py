"""Which rows of a table beat which, and the letters that say so."""

from __future__ import annotations

import numpy as np

from vericap.stats.significance import all_pairs, beaten, letters, marks


def test_superscripts_name_the_rows_that_are_beaten() -> None:
    random = np.random.default_rng(0)
    replicates = {name: mean + random.normal(0, 0.01, 1000) for name, mean in [("a", 0.3), ("b", 0.5), ("c", 0.501)]}
    p = all_pairs(replicates)
    assert np.isnan(np.diag(p)).all()
    assert np.array_equal(p, p.T, equal_nan=True)
    assert [marks(rows) for rows in beaten([0.3, 0.5, 0.501], p)] == ["", "a", "a"]
    assert [marks(rows) for rows in beaten([0.3, 0.5, 0.501], p, higher_is_better=False)] == ["bc", "", ""]


def test_every_row_has_a_letter_of_its_own() -> None:
    assert len({letters(row) for row in range(700)}) == 700
    assert "q" not in {letters(row) for row in range(25)}
    assert [letters(row) for row in (0, 1, 25, 26, 49, 50)] == ["a", "b", "aa", "ab", "az", "ba"]


def test_a_row_is_beaten_only_below_the_level_and_by_a_better_one() -> None:
    p = [[np.nan, 0.05, 0.01], [0.05, np.nan, 0.01], [0.01, 0.01, np.nan]]
    assert beaten([0.9, 0.5, 0.5], p) == [[2], [], []]
    assert beaten([0.9, 0.5, 0.1], p, alpha=0.06) == [[1, 2], [2], []]
