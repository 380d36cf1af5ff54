"""The table of agreement with the original SPICE."""

from __future__ import annotations

import pytest

from benchmarks.papers.spice_sets import Agreement, shown, tuple_f1


def test_tuples_of_all_captions_count_together():
    ours = [{("dog",), ("dog", "red")}, {("cat",)}]
    theirs = [{("dog",)}, {("cat",), ("cat", "two"), ("mat",)}]
    # Two of our three tuples are among their four.
    assert tuple_f1(ours, theirs) == pytest.approx(2 * 2 / (3 + 4))


def test_an_f1_short_of_the_aim_is_bold():
    text = shown({"near": Agreement(0.96, 0.99, 0.0012, 0.003), "far": Agreement(0.94, 0.98, -0.0002, 0.004)})
    near, far = text.splitlines()[2:]
    assert near == "| near | .9600 | .9900 | +.00120 | .0030 |"
    assert far == "| far | **.9400** | .9800 | -.00020 | .0040 |"


def test_tuples_that_were_not_kept_are_said_to_be_so():
    assert "| not kept |" in shown({"cf": Agreement(None, 0.98, 0.0, 0.0)})
