"""Parts of the images, and who is better there."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

import vericap
from vericap.show.report.slices import mean_with_interval, slices

ANIMALS = ["dog", "cat"] * 6
REFERENCES = {i: [f"a {animal} runs fast"] for i, animal in enumerate(ANIMALS)}
# One knows dogs and the other knows cats.
DOGS = {i: f"a {animal} runs fast" if animal == "dog" else "nothing here" for i, animal in enumerate(ANIMALS)}
CATS = {i: f"a {animal} runs fast" if animal == "cat" else "nothing here" for i, animal in enumerate(ANIMALS)}
OBJECTS = {i: [animal] for i, animal in enumerate(ANIMALS)}


def test_each_captioner_is_better_where_its_animal_is() -> None:
    found = vericap.compare({"dogs": DOGS, "cats": CATS}, REFERENCES, objects=OBJECTS, metrics="rouge-l", bootstrap=50)
    of = {each["label"]: each for each in slices(found) if each["kind"] == "object in the picture"}
    assert {label: (each["difference"], each["images"]) for label, each in of.items()} == {
        "dog": (-1.0, 6),
        "cat": (1.0, 6),
    }


def test_parts_by_length_have_all_images_once() -> None:
    texts = {i: " ".join(["word"] * (i + 1)) for i in range(18)}
    found = vericap.compare({"a": texts, "b": texts}, texts, metrics="rouge-l", bootstrap=50)
    of = [each for each in slices(found) if each["kind"] == "caption length"]
    assert [each["images"] for each in of] == [6, 6, 6]
    assert of[0]["label"].startswith("short (up to 6.67")


def test_parts_with_few_images_are_left_out() -> None:
    few = {i: REFERENCES[i] for i in range(4)}
    texts = dict.fromkeys(few, "a dog")
    assert slices(vericap.compare({"a": texts, "b": texts}, few, metrics="rouge-l", bootstrap=20)) == []


def test_the_interval_is_that_of_students_t() -> None:
    column = np.array([0.1, 0.4, -0.2, 0.3, np.nan])
    mean, interval = mean_with_interval(column)
    expected = ttest_1samp(column[:4], 0).confidence_interval(0.95)
    assert mean == pytest.approx(0.15) and interval == pytest.approx([expected.low, expected.high])
    assert mean_with_interval(np.array([np.nan])) == (None, None) and mean_with_interval(np.array([2.0])) == (2.0, None)
