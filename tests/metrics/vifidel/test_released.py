"""VIFIDEL as the released code computes it: where it differs from the paper."""

from __future__ import annotations

import numpy as np
import pytest

from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.vifidel.released import ReleasedVifidel

KEY = "vifidel(variant=released)"


def distance(caption: str, labels: list[str], key: str = KEY, references: list[str] | None = None) -> float:
    said = None if references is None else {1: references}
    return float(evaluate({1: caption}, said, objects={1: labels}, metrics=key)[key].captions[0])


def test_the_number_is_the_distance_so_lower_is_better() -> None:
    metric = parse(KEY)
    assert isinstance(metric, ReleasedVifidel)
    assert str(metric) == str(ReleasedVifidel()) == KEY
    assert not metric.higher_is_better and metric.range == (0, None)
    assert distance("a puppy", ["dog"]) == pytest.approx(-np.log(distance("a puppy", ["dog"], "vifidel")))
    assert distance("a puppy", ["dog"]) < distance("a pizza", ["dog"])


def test_where_no_two_words_differ_it_is_infinite() -> None:
    """Nothing has to move, and the code says infinity; with a second word on both sides it says 0."""
    assert distance("a dog", ["dog"]) == np.inf
    assert distance("a dog on a couch", ["dog", "couch"]) == pytest.approx(0, abs=1e-12)
    assert distance("a dog", []) == np.inf


def test_a_label_of_two_words_is_two_objects() -> None:
    assert distance("a traffic light", ["traffic light"]) == pytest.approx(0, abs=1e-12)
    assert distance("a traffic light", ["traffic light"]) == distance("a traffic light", ["traffic", "light"])
    two, one = distance("a light", ["traffic light", "light"]), distance("a light", ["traffic", "light"])
    assert two < one  # "light" is counted twice of three


def test_words_are_runs_of_two_letters_and_more_and_stop_words_leave_labels_too() -> None:
    assert distance("a dog, a couch", ["dog", "couch", "x", "the"]) == pytest.approx(0, abs=1e-12)
    assert distance("A DOG on a COUCH!", ["dog", "couch"]) == pytest.approx(0, abs=1e-12)


def test_references_weigh_as_in_the_paper() -> None:
    alone, weighed = distance("a dog", ["dog", "couch"]), distance("a dog", ["dog", "couch"], KEY, ["a dog sleeps"])
    assert weighed < alone


@pytest.mark.parametrize(("given", "field"), [("p=2", "p"), ("normalised=no", "normalised")])
def test_the_released_code_has_no_other_choice(given: str, field: str) -> None:
    with pytest.raises(InputError, match=f"the released code has {field}=.* only"):
        parse(f"vifidel(variant=released,{given})")
