"""The simulated detector: gold labels at level 0, more errors above it, and confusions of like classes alone."""

from __future__ import annotations

import pytest

from benchmarks.papers.simulated_detector import AP50, RECALL, SIBLINGS, Noise, by_class, detect, sized

MANY = {image: [("dog", 0.7), ("person", 0.4), ("cup", 0.1)] for image in range(2000)}


def share(found: dict, label: str) -> float:
    return sum(any(each["label"] == label for each in shown) for shown in found.values()) / len(found)


def test_level_0_is_gold_and_a_seed_gives_the_same_again() -> None:
    assert all(
        [each["label"] for each in shown] == ["dog", "person", "cup"] for shown in detect(MANY, Noise(0.0), 3).values()
    )
    assert detect(MANY, Noise(), 3) == detect(MANY, Noise(), 3) != detect(MANY, Noise(), 4)


@pytest.mark.parametrize(("level", "dog", "cup"), [(0.5, 0.837, 0.316), (1.0, 0.7, 0.1), (2.0, 0.49, 0.01)])
def test_objects_are_found_at_their_rate_to_the_power_of_the_level(level: float, dog: float, cup: float) -> None:
    found = detect(MANY, Noise(level).only("missed"), 0)
    assert share(found, "dog") == pytest.approx(dog, abs=0.03)
    assert share(found, "cup") == pytest.approx(cup, abs=0.03)


def test_confusions_stay_within_a_supercategory() -> None:
    assert len(SIBLINGS) == 80 and SIBLINGS["person"] == []
    found = detect(MANY, Noise().only("confused"), 0)
    seen = {str(each["label"]) for shown in found.values() for each in shown}
    assert seen == {"dog", "person", "cup", *SIBLINGS["dog"], *SIBLINGS["cup"]}
    assert share(found, "dog") == pytest.approx(0.9, abs=0.03)


def test_false_objects_are_of_the_labels_and_less_sure_than_right_ones() -> None:
    found = detect(MANY, Noise().only("false"), 0)
    extra = [each for shown in found.values() for each in shown[3:]]
    right = [each for shown in found.values() for each in shown[:3]]
    assert len(extra) == pytest.approx(0.25 * len(MANY), rel=0.15)
    assert {each["label"] for each in extra} == {"dog", "person", "cup"}
    means = [sum(float(each["confidence"]) for each in some) / len(some) for some in (extra, right)]
    assert 0.5 < means[0] < means[1] < 1


def test_large_objects_are_found_more_often_and_the_mean_over_classes_is_the_published_one() -> None:
    boxes = {"a": [{"name": "dog", "bbox": [0, 0, side, side]} for side in (20, 50, 90)]}
    assert [rate for _, rate in sized(boxes, 640 / 500)["a"]] == list(RECALL)
    # One object per label at most: then the mean rate of labels is that of objects, but for those with several.
    found = by_class({1: ["dog", "cup"]}, {"dog": 1.0, "cup": 0.0})[1]
    assert sum(rate for _, rate in found) / 2 > AP50
