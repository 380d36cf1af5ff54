"""A run collects statistics, scores and everything there is to say, and checks what a metric returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from vericap import Metric, compare, evaluate, explain
from vericap.corpus import Corpus
from vericap.errors import InputError, MetricError
from vericap.options.inputs import Inputs
from vericap.results.explanation import Explanation
from vericap.run.measure import best_rows, measure
from vericap.run.prepare import prepare

CANDIDATES = {1: "a dog", 2: "a cat"}
REFERENCES = {1: ["the dog"], 2: ["a red cat"]}


@dataclass(frozen=True)
class Odd(Metric):
    """A metric of somebody else, who returns what he likes."""

    statistics_: Any = None
    scores: Any = None

    name: ClassVar[str] = "odd"
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = "Nobody."

    def statistics(self, views: Any) -> Any:
        return self.statistics_

    def score(self, statistics: Any) -> Any:
        return self.scores

    def explain(self, views: Any, i: int) -> Explanation:
        return self.explanation(views, i, 0.0, {})


@pytest.mark.parametrize(
    ("statistics", "scores", "problem"),
    [
        (np.zeros((3, 1)), np.zeros(2), r"odd: statistics of shape \(3, 1\) for 2 captions"),
        (np.zeros(2), np.zeros(2), r"odd: statistics of shape \(2,\) for 2 captions"),
        ([["x"], ["y"]], np.zeros(2), "odd: statistics are not numbers"),
        (np.zeros((2, 1)), np.zeros(3), r"odd: scores of shape \(3,\) for 2 captions"),
        (np.zeros((2, 1)), ["high", "low"], "odd: scores are not numbers"),
        (np.zeros((2, 1)), [0.5, np.inf], "odd: the score of caption 1 is inf, outside its range 0 to 1"),
    ],
)
def test_a_metric_that_breaks_its_contract_is_named(statistics: Any, scores: Any, problem: str) -> None:
    class Wrong(Odd):
        def statistics(self, views: Any) -> Any:
            return statistics

        def score(self, given: Any) -> Any:
            return scores

    with pytest.raises(MetricError, match=problem):
        measure(prepare(Inputs(CANDIDATES, REFERENCES)), [Wrong()])


def test_undefined_scores_are_counted_in_every_reading() -> None:
    references = {1: ["a red dog"], 2: ["cats"]}
    said = "spice.color is undefined for 1 of 2 captions"
    assert any(said in note for note in evaluate(CANDIDATES, references, metrics="spice.color").notes)
    systems = {"one": CANDIDATES, "two": CANDIDATES}
    notes = compare(systems, references, metrics="spice.color", bootstrap=9).notes
    assert any("spice.color is undefined for 2 of 4 captions" in note for note in notes)


def test_what_was_left_out_is_said_in_every_reading() -> None:
    found = [
        evaluate(CANDIDATES, REFERENCES, metrics="rouge-l,all").notes,
        explain(CANDIDATES, REFERENCES, image_id=1, metrics="rouge-l,all").notes,
        compare({"a": CANDIDATES, "b": CANDIDATES}, REFERENCES, metrics="rouge-l,all", bootstrap=9).notes,
    ]
    for notes in found:
        assert any("no objects were given, so these were left out" in note for note in notes)


def test_what_a_metric_notes_while_it_computes_is_said() -> None:
    result = evaluate(CANDIDATES, objects={1: ["dog", "xyzzyx"], 2: ["cat"]}, metrics="vifidel")
    assert any("labels without a vector do not count: xyzzyx" in note for note in result.notes)


def test_a_metric_asked_for_by_name_must_have_what_it_needs() -> None:
    with pytest.raises(InputError, match="objects"):
        evaluate(CANDIDATES, REFERENCES, metrics="vifidel,default")


def test_the_first_of_equals_wins_and_an_undefined_score_loses() -> None:
    corpus = Corpus(list("aabb"), ["1", "2", "3", "4"], np.array([0, 0, 1, 1]))
    assert best_rows(corpus, np.array([0.5, 0.5, np.nan, 0.1])).tolist() == [0, 3]
    assert best_rows(corpus, np.full(4, np.nan)).tolist() == [0, 2]
