"""The captions on which a metric and people are furthest apart."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from scipy.stats import rankdata

from vericap.judging.judgements import Choices, Floats, Ratings
from vericap.judging.scoring import Scores
from vericap.results.verdict import Disagreement
from vericap.stats.ceiling import mean_rating

MOST = 10  # captions for each metric


@singledispatch
def disagreements(judged: Any, scores: Scores) -> list[Disagreement]:
    """For each metric a few captions, the furthest first; none where systems were judged, not captions."""
    return []


@disagreements.register
def _(judged: Ratings, scores: Scores) -> list[Disagreement]:
    """As many captions that the metric overrates as those that it underrates."""
    human = mean_rating(judged.human)
    people = _places(human)
    found = []
    for metric in scores.metrics.values():
        scored = metric.of_draw(0)
        places = _places(scored if metric.higher_is_better else -scored)
        apart = np.nan_to_num(places - people)
        order = np.argsort(apart, kind="stable")
        furthest = {*order[: MOST // 2].tolist(), *order[-(MOST // 2) :].tolist()}
        for row in sorted(furthest, key=(-np.abs(apart)).__getitem__):
            if apart[row] == 0:
                continue
            item = int(judged.item[row])
            shown = (judged.image_ids[item], judged.candidates[row], tuple(judged.references[item]))
            numbers = float(human[row]), float(people[row]), float(places[row])
            found.append(Disagreement(metric.key, *shown, float(scored[row]), *numbers))
    return found


@disagreements.register
def _(judged: Choices, scores: Scores) -> list[Disagreement]:
    """The pairs of which the metric prefers the other caption by the widest margin."""
    preferred = scores.draws[0].preferred()
    found = []
    for metric in scores.metrics.values():
        scored = metric.of_draw(0) if metric.higher_is_better else -metric.of_draw(0)
        margin = np.nan_to_num((scored[0::2] - scored[1::2]) * preferred)
        for item in np.argsort(margin, kind="stable")[:MOST].tolist():
            if margin[item] >= 0:
                break
            chosen, other = (2 * item, 2 * item + 1) if preferred[item] > 0 else (2 * item + 1, 2 * item)
            found.append(
                Disagreement(
                    metric.key,
                    judged.image_ids[item],
                    judged.candidates[chosen],
                    tuple(judged.references[item]),
                    float(metric.of_draw(0)[chosen]),
                    other=judged.candidates[other],
                    other_score=float(metric.of_draw(0)[other]),
                )
            )
    return found


def _places(column: Floats) -> Floats:
    """Return the place of each number among all, from 0 (lowest) to 1 (highest); NaN stays NaN."""
    places = np.full(len(column), np.nan)
    defined = np.isfinite(column)
    if defined.any():
        places[defined] = (rankdata(column[defined]) - 1) / max(int(defined.sum()) - 1, 1)
    return places
