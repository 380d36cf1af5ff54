"""A result is short to look at and easy to take along."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from vericap import compare, evaluate, explain
from vericap.results.scores import ByMetric, StreamedMetric, StreamResult

CANDIDATES = {f"{i}.jpg": "a dog runs" for i in range(500)}
REFERENCES = {image_id: ["a dog runs on grass"] for image_id in CANDIDATES}


@pytest.fixture(scope="module")
def result():  # type: ignore[no-untyped-def]
    return evaluate(CANDIDATES, REFERENCES, metrics="bleu-1,rouge-l")


def test_a_repr_fits_on_a_line(result) -> None:  # type: ignore[no-untyped-def]
    assert repr(result) == "<Result of 500 captions: bleu-1 0.5134, rouge-l 0.7176>"
    assert repr(result["rouge-l"]) == "<rouge-l: 0.7176 over 500 captions>"


def test_scores_are_plain_floats_for_loggers(result) -> None:  # type: ignore[no-untyped-def]
    assert result.scores == {"bleu-1": result["bleu-1"].score, "rouge-l": result["rouge-l"].score}
    assert all(type(score) is float for score in result.scores.values())


def test_a_table_has_one_row_per_caption_and_one_column_per_metric(result) -> None:  # type: ignore[no-untyped-def]
    table = result.to_arrow()
    assert table.column_names == ["image_id", "caption", "bleu-1", "rouge-l"]
    assert table.num_rows == 500
    assert table["rouge-l"].to_pylist() == result["rouge-l"].captions.tolist()


def test_a_data_frame_has_the_same(result) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert frame.shape == (500, 4)
    assert frame["caption"].iloc[0] == "a dog runs"


def test_ids_of_two_types_become_text() -> None:
    given = {1: "a dog", "b.jpg": "a cat"}
    table = evaluate(given, {1: ["a dog"], "b.jpg": ["a cat"]}, metrics="bleu-1").to_arrow()
    assert table["image_id"].to_pylist() == ["1", "b.jpg"]


def test_a_notebook_shows_the_table(result) -> None:  # type: ignore[no-untyped-def]
    assert result._repr_html_().startswith(result.table("html")) and len(result._repr_html_()) < 1000


def test_everything_that_holds_captions_has_a_short_repr(result) -> None:  # type: ignore[no-untyped-def]
    both = compare({"a": CANDIDATES, "b": CANDIDATES}, REFERENCES, metrics="rouge-l", bootstrap=9)
    assert repr(both) == "<Comparison of a, b on 500 images by rouge-l>"
    assert repr(result.corpus) == "<Corpus of 500 captions, 500 references>"
    why = explain(CANDIDATES, REFERENCES, image_id="3.jpg", metrics="rouge-l")
    assert repr(why) == "<1 explanations: rouge-l 0.7176>"


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


def test_the_json_has_scores_and_says_where_the_rows_are():
    metric = StreamedMetric("ter", float("nan"), "metric:ter", (0.0, None), higher_is_better=False)
    found = StreamResult({"ter": metric}, 1200, 3, ("note",), output="out", bad_rows_file="out/_bad_rows.jsonl")
    written = found.to_dict()
    assert written["metrics"]["ter"] == {
        "score": None,
        "interval": None,
        "signature": "metric:ter",
        "range": [0.0, None],
        "higher_is_better": False,
    }
    assert (written["rows"], written["bad_rows"], written["output"], written["notes"]) == (1200, 3, "out", ["note"])
    assert repr(found) == "<StreamResult of 1,200 captions: ter nan>"
