"""Moving words at the least cost: links, their order and drawing, and captions with too many words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics.transport import MOST_WORDS, draw_links, link_parts, links, travel_cost
from vericap.metrics.wmd import Wmd

PLAN, COST = np.array([[0.25, 0.5], [0.0, 0.25]]), np.array([[0.0, 1.0], [1.0, 3.0]])


def test_links_are_what_moves_the_most_of_each_word_first() -> None:
    assert links(["dog", "grass"], ["puppy", "park"], PLAN, COST) == [
        (0, 1, 0.5, 1.0),
        (0, 0, 0.25, 0.0),
        (1, 1, 0.25, 3.0),
    ]
    drawn = draw_links(["dog", "grass"], ["puppy", "park"], PLAN, COST)
    assert [line.split()[0] for line in drawn] == ["dog", "──0.25──▶", "grass"]


def test_the_dearest_link_comes_first_and_costs_sum_to_the_distance() -> None:
    parts = link_parts(["dog", "grass"], ["puppy", "park"], PLAN, COST)
    assert [part.text for part in parts] == ["grass → park", "dog → park", "dog → puppy"]
    assert sum(float(part.values["cost"]) for part in parts) == pytest.approx((PLAN * COST).sum())


def test_the_score_is_the_exponential_of_the_way() -> None:
    assert Wmd().score(np.array([[0.0], [np.log(2)], [np.inf]])).tolist() == pytest.approx([1, 0.5, 0])
    assert travel_cost(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]), 1).tolist() == [[5.0]]


def test_wmd_and_vifidel_move_a_limited_number_of_words(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(MOST_WORDS + 1)]
    (tmp_path / "v.txt").write_text("".join(f"{word} 1 {number}\n" for number, word in enumerate(words)))
    long = " ".join(words)
    metric = f"wmd(vectors={tmp_path / 'v.txt'})"
    with pytest.raises(InputError, match=r"candidate 2 has 501 different content words, and wmd.* at most 500"):
        evaluate({1: "w1", 2: long}, {1: ["w1"], 2: ["w2"]}, metrics=metric)
    with pytest.raises(InputError, match=r"reference 2 has 501 different content words"):
        evaluate({1: "w1", 2: "w2"}, {1: ["w1"], 2: [long]}, metrics=metric)
    with pytest.raises(InputError, match=r"candidate 1 has 501 different content words, and vifidel"):
        evaluate({1: long}, objects={1: ["w1"]}, metrics=metric.replace("wmd", "vifidel", 1))
