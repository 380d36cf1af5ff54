"""Which captions are explained in a page."""

from __future__ import annotations

import numpy as np

from vericap.corpus import Corpus
from vericap.results.scores import MetricResult, Result
from vericap.show.report.chosen import chosen_rows, most_different, place


def result(**columns: list[float]) -> Result:
    rows = len(next(iter(columns.values())))
    corpus = Corpus.from_lists([f"caption {row}" for row in range(rows)])
    scored = {k: MetricResult(k, 0.0, np.array(v), "", higher_is_better=k != "ter") for k, v in columns.items()}
    return Result(corpus, scored)


def test_the_worst_the_best_and_the_most_disputed() -> None:
    # Row 0 is worst and row 7 best by both; on row 3 one metric is highest and the other lowest.
    ours = [0.0, 0.2, 0.3, 0.9, 0.4, 0.5, 0.6, 1.0]
    theirs = [0.1, 0.3, 0.4, 0.0, 0.5, 0.6, 0.7, 1.0]
    assert chosen_rows(result(spice=ours, cider=theirs), 1) == [0, 3, 7]


def test_lower_is_worse_only_where_higher_is_better() -> None:
    found = result(ter=[0.1, 0.5, 0.9])
    assert place(found["ter"]).tolist() == [1.0, 0.5, 0.0]


def test_a_caption_without_a_score_is_not_the_worst() -> None:
    assert 1 not in chosen_rows(result(spice=[0.0, float("nan"), 0.5, 0.9]), 1)


def test_all_are_chosen_where_there_are_no_more() -> None:
    assert chosen_rows(result(spice=[0.1, 0.2]), 2) == [0, 1]
    assert chosen_rows(result(spice=[0.1, 0.2]), 0) == []


def test_both_captioners_get_images_on_which_they_are_better() -> None:
    better = [np.array([5.0, 4.0, 3.0, -0.1]), np.array([5.0, np.nan, 3.0, -0.2])]
    assert most_different(better, 2) == [0, 3]
