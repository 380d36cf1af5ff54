"""Rows of the input with their scores."""

from __future__ import annotations

import numpy as np
import pytest

import vericap
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.results.score_rows import ScoreRows, ordered_rows, score_rows
from vericap.run.evaluate import evaluate_inputs

CAPTIONS = [
    {"image_id": 1, "caption": "a dog", "model": "x"},
    {"image_id": 2, "caption": "a red car drives", "model": "y", "rouge-l": 9},
    {"image_id": 3, "caption": "a cat", "model": "x"},
]
REFERENCES = {1: ["a dog runs"], 2: ["a red car"], 3: ["a cat"]}


@pytest.fixture(scope="module")
def result() -> vericap.Result:
    return evaluate_inputs(Inputs(CAPTIONS, REFERENCES), Settings(), "rouge-l,ter", fields=["*"])


def test_columns_of_the_input_come_first_and_old_scores_are_replaced_with_a_note(result: vericap.Result) -> None:
    rows = score_rows(result)
    assert list(rows.columns) == ["image_id", "caption", "model", "rouge-l", "ter"] and len(rows) == 3
    assert rows.columns["rouge-l"] == result["rouge-l"].captions.tolist()
    assert rows.notes == ("the column rouge-l of the input is replaced by the new scores",)


def test_rows_that_pass_keep_their_columns(result: vericap.Result) -> None:
    kept = score_rows(result).keep("model == 'x' and rouge-l > 0.9")
    assert kept.columns["image_id"] == [3]
    assert kept.notes[-1] == "1 of 3 rows pass model == 'x' and rouge-l > 0.9"
    assert len(ScoreRows({})) == 0


def test_worst_and_best_follow_the_direction_of_the_metric(result: vericap.Result) -> None:
    assert ordered_rows(result, "rouge-l")[0] == 0 and ordered_rows(result, "rouge-l", best=True)[0] == 2
    ter = result["ter"].captions
    assert ordered_rows(result, "ter")[0] == int(np.argmax(ter))
    assert ordered_rows(result, "ter", best=True) == [2, 0, 1]


def test_an_image_without_a_caption_has_its_id_in_the_column_of_ids() -> None:
    settings = Settings(uncaptioned="zero")
    given = [{"file": "1.jpg", "caption": "a dog", "k": "x"}]
    inputs = Inputs(given, {"1.jpg": ["a dog"], "2.jpg": ["a cat"]}, field={"image_id": "file"})
    rows = score_rows(evaluate_inputs(inputs, settings, "rouge-l", fields=["*"]))
    assert rows.columns == {
        "file": ["1.jpg", "2.jpg"],
        "caption": ["a dog", ""],
        "k": ["x", None],
        "rouge-l": [1.0, 0.0],
    }
