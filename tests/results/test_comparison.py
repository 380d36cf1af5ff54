"""A comparison as plain data: who beats whom, and what JSON says of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from vericap import compare
from vericap.results.comparison import Comparison, Example
from vericap.stats.contrast import Contrast

REFERENCES = {i: ["a dog runs on the grass", "a brown dog is running"] for i in range(12)}
SYSTEMS = {
    "good": dict.fromkeys(REFERENCES, "a dog runs on the grass"),
    "bad": dict.fromkeys(REFERENCES, "two cats"),
    "same": dict.fromkeys(REFERENCES, "a dog runs on the grass"),
}


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(SYSTEMS, REFERENCES, metrics="rouge-l,ter", against="all", bootstrap=200)


def test_it_is_a_mapping_of_results(found: Comparison) -> None:
    assert list(found) == ["good", "bad", "same"] and len(found) == 3
    assert found["good"]["rouge-l"].score == 1 > found["bad"]["rouge-l"].score


@pytest.mark.parametrize("key", ["rouge-l", "ter"])
def test_a_captioner_beats_those_that_are_worse_also_where_lower_is_better(found: Comparison, key: str) -> None:
    assert found.beats(key) == [[1], [], [1]]


def test_nobody_is_beaten_without_significance(found: Comparison) -> None:
    def unsure(each: Contrast) -> Contrast:
        return replace(each, corrected=0.05)

    doubtful = replace(found, contrasts={key: [unsure(each) for each in rows] for key, rows in found.contrasts.items()})
    assert doubtful.beats("rouge-l") == [[], [], []]


def test_json_has_no_nan_and_every_pair(found: Comparison) -> None:
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["systems"] == ["good", "bad", "same"] and data["images"] == 12
    assert data["test"] == {
        "name": "bootstrap",
        "resamples": 200,
        "seed": found.seed,
        "correction": "holm, over the pairs of each metric",
    }
    rouge, ter = data["metrics"]["rouge-l"], data["metrics"]["ter"]
    assert (rouge["higher_is_better"], ter["higher_is_better"]) == (True, False)
    assert rouge["systems"]["good"]["score"] == 1 and rouge["range"] == [0, 1]
    assert [(pair["system"], pair["against"]) for pair in rouge["pairs"]] == [
        ("bad", "good"),
        ("same", "good"),
        ("same", "bad"),
    ]
    first, equal, _ = rouge["pairs"]
    assert (first["wins"], first["ties"], first["losses"]) == (0, 0, 12)
    assert first["effect"] is None  # twelve equal differences have no spread
    assert equal["difference"] == 0 and equal["ties"] == 12 and equal["interval"] == [0, 0]
    assert first["corrected"] >= first["p"]


def test_an_example_has_both_captions_with_their_scores() -> None:
    example = Example(
        7, "a", "b", 1.5, {"a": "x", "b": "y"}, {"a": {"bleu-1": 1.0}, "b": {"bleu-1": float("nan")}}, ["z"]
    )
    assert example.to_dict() == {
        "image_id": 7,
        "system": "a",
        "against": "b",
        "difference": 1.5,
        "captions": {"a": "x", "b": "y"},
        "references": ["z"],
        "scores": {"a": {"bleu-1": 1.0}, "b": {"bleu-1": None}},
    }


def test_contrasts_are_a_table_with_a_row_for_each_pair_and_metric(found: Comparison) -> None:
    lines = found.contrast_table("csv").strip().splitlines()
    assert len(lines) == 1 + 6
