"""A caption task of lmms-eval: rows by `process_results`, one aggregation per metric."""

from __future__ import annotations

import pytest

import vericap
from vericap.compat.lmms_eval import aggregation, evaluated, process_results

DOCUMENTS = [
    {"question_id": "COCO_val2014_000000000007.jpg", "id": 0, "answer": ["a dog runs on grass", "the dog"]},
    {"question_id": "COCO_val2014_000000000008.jpg", "id": 1, "answer": ["the bus is red"]},
]
ANSWERS = [["A dog runs."], ["a red bus"]]


def rows_of(metric: str) -> list[dict]:
    """What lmms-eval collects for one metric."""
    pairs = zip(DOCUMENTS, ANSWERS, strict=True)
    return [process_results(doc, said, metrics=["cider-d", "bleu-4"])[metric] for doc, said in pairs]


@pytest.mark.parametrize("metric", ["cider-d", "bleu-4"])
def test_an_aggregation_is_the_corpus_score(metric: str) -> None:
    result = vericap.evaluate(
        {7: "A dog runs.", 8: "a red bus"}, {7: DOCUMENTS[0]["answer"], 8: DOCUMENTS[1]["answer"]}, metrics=metric
    )
    aggregate = aggregation(metric)
    assert aggregate(rows_of(metric), None) == pytest.approx(result[metric].score)
    assert aggregate.__name__ == metric.replace("-", "_")


def test_a_document_without_an_answer_of_the_model_is_an_empty_caption() -> None:
    assert process_results(DOCUMENTS[0], [])["cider-d"]["caption"] == ""


def test_intervals_come_with_the_result() -> None:
    score = evaluated(rows_of("bleu-4"), "bleu-1", bootstrap=50)["bleu-1"]
    assert score.interval is not None and score.interval[0] <= score.score <= score.interval[1]
