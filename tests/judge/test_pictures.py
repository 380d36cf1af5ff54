"""Objects of a benchmark's pictures reach the captions of every item that shows them."""

from __future__ import annotations

import pytest
from scipy.stats import pearsonr

from tests.judge import benchmark_folders as folders
from tests.judge.fixed_scores import ObjectCount
from vericap.errors import InputError
from vericap.judge import judge, load


def test_objects_reach_every_item_of_their_image(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    objects = {"dog.jpg": ["dog", "grass"], "cat.jpg": ["cat"]}
    judged, _ = load("nebula", folder)
    verdict = judge("nebula", folder, metrics=[ObjectCount()], objects=objects, bootstrap=0)
    assert verdict.rows[0].value("pearson") == pytest.approx(pearsonr([2, 2, 1], judged.human.ravel()).statistic)
    with pytest.raises(InputError, match=r"cat\.jpg"):
        judge("nebula", folder, metrics=[ObjectCount()], objects={"dog.jpg": ["dog"]}, bootstrap=0)
    dropped = judge(
        "nebula", folder, metrics=[ObjectCount()], objects={"dog.jpg": ["dog"]}, missing="drop", bootstrap=0
    )
    assert dropped.n == 2
    assert "1 of 3 items left out: nothing is known of their pictures" in dropped.notes
