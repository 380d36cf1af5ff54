"""Where a metric and people are furthest apart."""

from __future__ import annotations

import numpy as np

from vericap.judging.disagreements import disagreements
from vericap.judging.judgements import Choices, Ratings, Systems
from vericap.judging.scoring import Draw, ScoredCaptions, Scores


def scores_of(judged: Ratings | Choices, **columns: list[float]) -> Scores:
    used = [np.arange(len(given)) for given in judged.references]
    scored = {k: ScoredCaptions(k, [np.array(v)], higher_is_better=k != "ter") for k, v in columns.items()}
    return Scores([Draw(judged, used)], scored)


def rated(*human: float) -> Ratings:
    rows = len(human)
    captions = [f"caption {row}" for row in range(rows)]
    return Ratings(list(range(rows)), [["reference"]] * rows, captions, np.arange(rows), human=np.array(human)[:, None])


def test_what_people_like_and_the_metric_does_not_comes_first() -> None:
    judged = rated(4.0, 3.0, 2.0, 1.0)
    found = disagreements(judged, scores_of(judged, spice=[0.0, 0.7, 0.6, 0.5]))
    assert found[0].caption == "caption 0" and (found[0].human, found[0].human_place, found[0].metric_place) == (
        4,
        1,
        0,
    )
    assert {each.metric for each in found} == {"spice"} and found[0].references == ("reference",)


def test_a_metric_that_agrees_has_no_disagreement() -> None:
    judged = rated(4.0, 3.0, 2.0)
    assert disagreements(judged, scores_of(judged, spice=[0.9, 0.5, 0.1], ter=[0.1, 0.5, 0.9])) == []


def test_of_pairs_the_widest_wrong_choice_comes_first() -> None:
    judged = Choices.of([7, 8, 9], [["r"]] * 3, [("a", "b"), ("c", "d"), ("e", "f")], [1, -1, 1])
    found = disagreements(judged, scores_of(judged, spice=[0.1, 0.2, 0.9, 0.1, 0.8, 0.3]))
    assert [(each.image_id, each.caption, each.other) for each in found] == [(8, "d", "c"), (7, "a", "b")]


def test_judgements_of_systems_have_no_captions() -> None:
    systems = Systems(["a"], {"M1": np.array([1.0])}, {"spice": np.array([0.5])})
    assert disagreements(systems, Scores([], {})) == []
