"""Retrieval from files or values: every caption with every picture, which has its other captions as references.
R@k is expected over the orders of ties."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vericap import evaluate
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.metrics.faier import retrieve
from vericap.metrics.faier.retrieval import recall

CAPTIONS = {
    7: ["a dog runs on the grass", "a brown dog", "dog near a tree"],
    8: ["two cats on a couch", "cats sleep"],
    9: ["a man rides a horse", "a person on a horse", "man and horse"],
    10: ["a pizza on a table"],
}


OBJECTS = {7: ["dog"], 8: ["cat", "couch"], 9: ["person", "horse"], 10: []}


Make = Callable[..., str]


def by_hand(metric: str, references: int) -> np.ndarray:
    """S [captions, pictures] from scores of each pair by `evaluate`."""
    scores = np.zeros((4, 4))
    for column, (image, own) in enumerate(CAPTIONS.items()):
        given = [own[1 : 1 + references]] * 4 if references else None
        candidates = [texts[0] for texts in CAPTIONS.values()]
        scores[:, column] = evaluate(candidates, given, objects=[OBJECTS[image]] * 4, metrics=[metric], missing="zero")[
            metric
        ].captions
    return scores


@pytest.mark.parametrize("references", [0, 2])
def test_ranks_are_those_of_the_scores(references: int, tiny: Make) -> None:
    metric = f"faier(checkpoint={tiny()})"
    found = retrieve(CAPTIONS, objects=OBJECTS, metric=metric, references=references, ranks=(1, 2, 3))
    scores = by_hand(metric, references)
    own = scores.diagonal()
    for k in (1, 2, 3):
        assert found.text_to_image[k] == np.mean((scores > own[:, None]).sum(axis=1) < k)
        assert found.image_to_text[k] == np.mean((scores > own).sum(axis=0) < k)


def test_pictures_with_the_same_objects_tie(tiny: Make) -> None:
    """A query whose picture looks like another counts as it would on average: half."""
    metric = f"fier(checkpoint={tiny('fier')})"
    found = retrieve({1: ["a dog"], 2: ["a dog"]}, objects={1: ["dog"], 2: ["dog"]}, metric=metric, ranks=(1,))
    assert found.text_to_image == found.image_to_text == {1: 0.5}


def test_regions_serve_as_pictures(tiny: Make) -> None:
    features = np.random.default_rng(0).normal(size=(5, 6)).astype(np.float32)
    regions = Regions([10, 9, 8, 7], np.array([0, 1, 3, 4, 5]), features)
    found = retrieve(CAPTIONS, regions=regions, metric=f"fier(checkpoint={tiny('fier', features=6)})", ranks=(4,))
    assert found.image_to_text == found.text_to_image == {4: 1.0}


def test_what_cannot_be_retrieved_is_named(tiny: Make) -> None:
    with pytest.raises(InputError, match="bleu-4 cannot retrieve pictures; use faier, fier or aier"):
        retrieve(CAPTIONS, objects=OBJECTS, metric="bleu-4")
    with pytest.raises(InputError, match="captions of 1 were given; give those of two or more"):
        retrieve({7: CAPTIONS[7]}, objects=OBJECTS)
    with pytest.raises(InputError, match="neither its objects nor its regions"):
        retrieve(CAPTIONS, metric=f"faier(checkpoint={tiny()})")


def test_the_name_that_was_documented_first_still_works() -> None:
    from vericap.metrics import faier_retrieval

    assert faier_retrieval.retrieve is retrieve


def test_recall_by_hand() -> None:
    scores = np.array([[3.0, 2, 1], [9, 5, 7], [0, 0, 0]])
    found = recall(scores, (1, 2))
    # Captions → images: ranks 1, 3, and a tie of three. Images → captions: 2, 1, 3.
    assert found.text_to_image == {1: pytest.approx((1 + 0 + 1 / 3) / 3), 2: pytest.approx((1 + 0 + 2 / 3) / 3)}
    assert found.image_to_text == {1: pytest.approx(1 / 3), 2: pytest.approx(2 / 3)}


def test_a_tie_counts_as_the_mean_over_its_orders() -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 4, (30, 30)).astype(float)
    expected = np.mean(
        [
            [np.argsort(-(row + 1e-6 * rng.random(30)))[:5].tolist().count(i) for i, row in enumerate(scores)]
            for _ in range(1000)
        ]
    )
    assert recall(scores, (5,)).text_to_image[5] == pytest.approx(expected, abs=0.02)
