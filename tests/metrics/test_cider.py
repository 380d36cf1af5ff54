"""CIDEr, against the paper's formula with dictionaries, and what document frequencies mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from tests.metrics.images import IMAGES, Image, scores, statistics, views_of
from tests.metrics.plain_cider import similarity
from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics.cider import Cider
from vericap.metrics.cider_d import CiderD
from vericap.metrics.cider_r import CiderR


@settings(max_examples=40)
@given(images=IMAGES)
def test_it_is_ten_times_the_mean_cosine(images: list[Image]) -> None:
    expected = [
        [10 * np.mean([similarity(c, r, order, images, clipped=False) for r in said]) for order in (1, 2, 3, 4)]
        for c, said in images
    ]
    np.testing.assert_allclose(statistics("cider", images), expected, atol=1e-9)
    assert scores("cider", images) == pytest.approx(np.mean(expected, axis=1), abs=1e-9)


def test_words_in_every_image_weigh_nothing() -> None:
    assert scores("cider(n=1)", [("a dog", ["a dog"]), ("a cat", ["a bird"])]) == pytest.approx([10, 0])


def test_a_word_said_twice_turns_the_vector_and_none_is_clipped() -> None:
    """tf of "dog" 2 against 1 beside "runs" of weight 1: the cosine of (2, 1) and (1, 1)."""
    images = [("dog dog runs", ["dog runs"]), ("cat", ["cat"])]
    assert scores("cider(n=1)", images)[0] == pytest.approx(10 * 3 / np.sqrt(5 * 2))


@pytest.mark.parametrize("key", ["cider", "cider-d", "cider-r"])
def test_one_image_with_corpus_frequencies_is_undefined_and_says_so(key: str) -> None:
    with pytest.raises(InputError, match=r"of one image is undefined.*--df coco"):
        evaluate({1: "a dog"}, {1: ["a dog"]}, metrics=key)
    assert evaluate({1: "a dog"}, {1: ["a dog"]}, metrics=key, df="coco")[key].score > 0


def test_frequencies_are_named_in_the_signature() -> None:
    captions, references = {1: "a dog", 2: "a cat"}, {1: ["a dog"], 2: ["a cat"]}
    assert "|df:corpus|documents:2" in evaluate(captions, references, metrics="cider")["cider"].signature
    coco = evaluate(captions, references, metrics="cider", df="coco")["cider"]
    assert "|df:coco" in coco.signature and "|documents:2" not in coco.signature


@settings(max_examples=40)
@given(images=IMAGES)
def test_an_explanation_adds_up_to_the_score(images: list[Image]) -> None:
    for metric in (Cider(), Cider(n=2), CiderD(), CiderR()):
        why = metric.explain(views_of(images), 0)
        added = sum(float(part.values["adds"]) for parts in why.sections.values() for part in parts)
        assert added == pytest.approx(why.score, abs=1e-9) == scores(str(metric), images)[0]
        orders = [why.values[f"{metric}_{order}"] for order in range(1, metric.n + 1)]
        assert np.mean(orders) == pytest.approx(why.score)


def test_an_explanation_lists_the_heaviest_first_with_its_idf() -> None:
    views = views_of([("a dog runs", ["a dog runs", "dog"]), ("a cat", ["a cat"])])
    parts = Cider(n=1).explain(views, 0).sections["1-grams, what each adds to the score"]
    assert [part.text for part in parts] == ["dog", "runs", "a"]
    assert [part.values["idf"] for part in parts] == pytest.approx([np.log(2), np.log(2), 0])
