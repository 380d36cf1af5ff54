"""What a stream gives beside its rows."""

from vericap.results.streamed import StreamedMetric, StreamResult


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
