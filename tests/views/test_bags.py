"""Bags of a corpus: candidates first, then references, with the words that metrics see."""

from __future__ import annotations

import numpy as np

from vericap.corpus import Corpus
from vericap.views import Views
from vericap.views.bags import ContentBags

CORPUS = Corpus.from_lists(["A dog on the grass.", "the"], [["two dogs", "a Dog"], ["a hot dog"]])
BAGS = ContentBags("shipped", "english", True)


def spelled(views: Views, view: ContentBags = BAGS) -> list[dict[str, int]]:
    bags, _ = views.get(view)
    return [{bags.words[i]: int(n) for i, n in zip(*bags[row], strict=True)} for row in range(len(bags))]


def test_candidates_come_first_and_then_the_references() -> None:
    assert spelled(Views(CORPUS)) == [{"dog": 1, "grass": 1}, {}, {"dogs": 1}, {"dog": 1}, {"hot": 1, "dog": 1}]


def test_stop_words_are_those_asked_for() -> None:
    assert {"a", "on", "the"} <= set(spelled(Views(CORPUS), ContentBags("shipped", "none", True))[0])


def test_the_bags_of_some_rows_are_those_of_the_whole() -> None:
    views = Views(CORPUS)
    assert spelled(views.rows([1])) == [spelled(views)[row] for row in (1, 4)]


def test_labels_have_their_place_among_the_words() -> None:
    bags, places = Views(CORPUS).get(ContentBags("shipped", "english", True, ("dog", "traffic light", "xyzzyx")))
    assert [bags.words[at] if at >= 0 else None for at in places] == ["dog", "traffic light", None]
    lengths = np.linalg.norm(bags.vectors[places[:2]], axis=1)
    assert np.allclose(lengths, 1)
    plain, places = Views(CORPUS).get(ContentBags("shipped", "english", False, ("dog",)))
    assert not np.isclose(np.linalg.norm(plain.vectors[places[0]]), 1)
