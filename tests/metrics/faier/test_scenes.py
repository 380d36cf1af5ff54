"""Captions as FAIEr takes them, and candidates in their scenes."""

from __future__ import annotations

import numpy as np

from vericap.corpus import Regions
from vericap.metrics.faier.scenes import EMPTY, Caption, Scenes, triplets

DOG, CAT, BIRD = (Caption((word,)) for word in ("dog", "cat", "bird"))


def test_a_candidate_takes_its_own_scene_along() -> None:
    regions = Regions([7, 8, 9], np.array([0, 1, 2, 3]), np.eye(3, dtype=np.float32))
    scenes = Scenes([DOG, CAT, BIRD], np.array([1, 0, 1]), [[CAT], [DOG, BIRD]], regions, np.array([2, 0]))
    alone = scenes.pick(np.array([2]))
    assert alone.candidates == [BIRD] and alone.references == [[DOG, BIRD]]
    assert alone.scene.tolist() == [0] and alone.rows is not None and alone.rows.tolist() == [0]
    without = Scenes([DOG], np.array([0]), [()]).pick(np.array([0]))
    assert without.regions is None and without.rows is None


def test_relations_alone_are_triplets_each_once() -> None:
    said = [("dog", "brown"), ("dog", "grass", "run on"), ("dog",), ("dog", "grass", "run on"), ("dog", "tree", "near")]
    assert triplets(said) == (("dog", "run on", "grass"), ("dog", "near", "tree"))


def test_a_caption_without_words_is_the_empty_one() -> None:
    assert Caption.of([]) == EMPTY and EMPTY.words == (".",)


def test_equal_captions_are_one_key() -> None:
    assert len({Caption.of(["a", "dog"]), Caption.of(("a", "dog")), Caption.of(["a", "dog"], [("dog",)])}) == 1
