"""Results are a mapping from keys to what metrics found."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from vericap.results.by_metric import ByMetric


@dataclass(frozen=True)
class One:
    score: float


@dataclass(frozen=True, eq=False)
class Some(ByMetric[One]):
    results: dict[str, One]


def test_results_are_found_by_key_in_the_order_asked_for() -> None:
    found = Some({"spice": One(0.25), "bleu-4": One(0.5)})
    assert list(found) == ["spice", "bleu-4"] and len(found) == 2
    assert found["bleu-4"].score == 0.5 and "ter" not in found
    assert found.scores == {"spice": 0.25, "bleu-4": 0.5}
    assert found.in_short(1200) == "<Some of 1,200 captions: spice 0.2500, bleu-4 0.5000>"
    with pytest.raises(KeyError):
        found["ter"]
