"""VIFIDEL: POT's transport on the paper's formula, what counts, and what the authors' released code does otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vericap import evaluate, explain
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.vifidel import ReleasedVifidel

CAPTIONS = {1: "a brown dog on a couch", 2: "a dog on a couch", 3: "a pizza on a plate"}


DOGS: dict[int, Any] = {i: ["dog", "couch"] for i in CAPTIONS}


def score(captions: dict[int, str], objects: Any, metric: str = "vifidel", references: Any = None) -> np.ndarray:
    return evaluate(captions, references, objects=objects, metrics=metric)[metric].captions


def test_naming_just_the_objects_is_the_maximum() -> None:
    scores = score(CAPTIONS, DOGS)
    assert scores[1] == 1 > scores[0] > scores[2]


def test_labels_in_capitals_and_with_underscores_are_the_same_objects() -> None:
    spelled = {i: ["DOG", "Couch"] for i in CAPTIONS}
    assert np.array_equal(score(CAPTIONS, spelled), score(CAPTIONS, DOGS))
    one = score({1: "a traffic light"}, {1: ["TRAFFIC_LIGHT"]})
    assert np.array_equal(one, score({1: "a traffic light"}, {1: ["traffic light"]}))


def test_the_spelling_of_voc_is_that_of_captions() -> None:
    assert score({1: "airplane"}, {1: ["aeroplane"]})[0] == 1


@pytest.mark.parametrize("caption", ["", "the of a", "xyzzyx"])
def test_a_caption_without_content_words_scores_0(caption: str) -> None:
    assert score({1: caption}, {1: ["dog"]}, "vifidel", {1: ["a dog"]})[0] == 0


def test_a_label_without_a_vector_does_not_count_and_is_named() -> None:
    result = evaluate({1: "a dog"}, objects={1: ["dog", "xyzzyx"]}, metrics="vifidel")
    assert result["vifidel"].score == 1
    assert "vifidel: labels without a vector do not count: xyzzyx" in result.notes
    assert score({1: "a dog"}, {1: ["xyzzyx"]})[0] == 0


def test_missing_objects_are_an_error_or_left_out_or_score_0() -> None:
    with pytest.raises(InputError, match="image 2 is not in the objects"):
        evaluate({1: "a dog", 2: "a cat"}, objects={1: ["dog"]}, metrics="vifidel")
    dropped = evaluate({1: "a dog", 2: "a cat"}, objects={1: ["dog"]}, metrics="vifidel", missing="drop")
    assert dropped["vifidel"].captions.tolist() == [1]
    kept = evaluate({1: "a dog", 2: "a cat"}, objects={1: ["dog"]}, metrics="vifidel", missing="zero")
    assert kept["vifidel"].captions.tolist() == [1, 0]


def test_without_objects_the_metric_is_refused_by_name_and_left_out_of_all() -> None:
    with pytest.raises(InputError, match="vifidel compares with the objects in the picture, and none were given"):
        evaluate({1: "a dog"}, {1: ["a dog"]}, metrics="vifidel")
    result = evaluate({1: "a dog", 2: "a cat"}, {1: ["a dog"], 2: ["a cat"]}, metrics="all")
    [note] = [note for note in result.notes if note.startswith("no objects were given")]
    assert "vifidel" not in result and "vifidel" in note and "--objects" in note
    with pytest.raises(InputError, match="needs objects with a confidence"):
        evaluate({1: "a dog"}, objects={1: ["dog"]}, metrics="vifidel(objects=detections)")


def test_gold_detections_and_their_union() -> None:
    objects = {1: [{"name": "dog"}, {"name": "cat", "score": 0.9}, {"name": "car", "score": 0.1}]}
    assert score({1: "a dog"}, objects, "vifidel(objects=gold)")[0] == 1
    assert score({1: "a cat"}, objects, "vifidel(objects=detections)")[0] == 1
    assert score({1: "a dog and a cat"}, objects)[0] == 1


def test_frequency() -> None:
    objects = {1: ["dog", "dog", "dog", "car"]}
    captions = {1: "a dog, a dog, a dog and a car"}
    assert score(captions, objects)[0] == pytest.approx(1)
    assert score(captions, objects, "vifidel(frequency=no)")[0] < 0.9
    assert score({1: "a dog and a car"}, objects, "vifidel(frequency=no)")[0] == pytest.approx(1)


def test_what_references_mention_weighs_less() -> None:
    """The couch is in the picture and nobody speaks of it: a caption that leaves it out loses less."""
    references = {1: ["a brown dog", "a dog sleeps"]}
    alone, with_references = (score({1: "a dog"}, {1: ["dog", "couch"]}, "vifidel", r)[0] for r in (None, references))
    assert with_references > alone
    assert score({1: "a dog"}, {1: ["dog", "couch"]}, "vifidel(references=no)", references)[0] == alone


def test_objects_of_the_references_graphs_need_no_objects() -> None:
    references = {1: ["a dog on a couch", "a brown dog"], 2: ["a pizza on a table", "a pizza"]}
    result = evaluate({1: "a puppy", 2: "a puppy"}, references, metrics="vifidel(objects=references)")
    scores = result["vifidel(objects=references)"].captions
    assert scores[0] > scores[1] > 0


def test_signature_names_vectors_and_objects() -> None:
    line = evaluate({1: "a dog"}, objects={1: ["dog"]}, metrics="vifidel")["vifidel"].signature
    other = evaluate({1: "a dog"}, objects={1: ["cat"]}, metrics="vifidel")["vifidel"].signature
    assert "vectors:GloVe and COCO train2014 " in line and "objects:union " in line
    assert line != other


def test_signature_counts_the_references_that_weigh() -> None:
    references, objects = {1: ["a dog", "a puppy"]}, {1: ["dog", "toaster"]}

    def signature(key: str, given: dict[int, list[str]] | None) -> str:
        return evaluate({1: "a dog"}, given, objects=objects, metrics=key)[key].signature

    assert "|references:0|" in signature("vifidel", None)
    assert "|references:2|" in signature("vifidel", references)
    alone = "vifidel(references=no)"
    assert signature(alone, None) == signature(alone, references)
    assert "|references:2|" in signature("vifidel(objects=references,references=no)", references)


def test_explanations_link_objects_and_words() -> None:
    [why] = explain({1: "a puppy in a park"}, image_id=1, objects={1: ["dog", "toaster"]}, metrics="vifidel")
    assert any("dog" in line and "▶ puppy" in line for line in why.drawing)
    silent = next(parts for name, parts in why.sections.items() if name.startswith("objects that no word"))
    assert [part.text for part in silent] == ["toaster"]
    moved = [part.values for part in why.sections["links, the dearest first"]]
    assert sum(float(v["mass"]) for v in moved) == pytest.approx(1)
    assert sum(float(v["cost"]) for v in moved) == pytest.approx(float(why.values["distance"]))
    assert json.dumps(why.to_dict())
    [why] = explain({1: "the"}, image_id=1, objects={1: ["dog"]}, metrics="vifidel")
    assert why.score == 0 and why.values["why"] == "no content word"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("vifidel(p=3)", "'3' is not one of 1, 2"),
        ("vifidel(objects=all)", "is not one of union, gold, detections, references"),
        ("vifidel(variant=other)", "is not one of paper, released"),
    ],
)
def test_wrong_parameters(key: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(key)


def places(tmp_path: Path) -> Path:
    path = tmp_path / "own.txt"
    path.write_text("dog 1 0\ncat 0 1\nbird 0.6 0.8\nlake -1 0\n")
    return path


def test_the_way_from_objects_to_words_by_hand(tmp_path: Path) -> None:
    """Half of the caption is the dog; the other half, a cat, comes from the bird, √(0.6² + 0.2²) away."""
    key = f"vifidel(vectors={places(tmp_path)})"
    found = score({1: "dog cat"}, {1: ["dog", "bird"]}, key)[0]
    assert found == pytest.approx(np.exp(-0.5 * np.sqrt(0.4)))
    squared = f"vifidel(p=2,vectors={places(tmp_path)})"
    assert score({1: "dog cat"}, {1: ["dog", "bird"]}, squared)[0] == pytest.approx(np.exp(-0.5 * 0.4))


def test_the_weights_of_the_paper_by_hand(tmp_path: Path) -> None:
    """References "cat" and "dog": ρ of the dog is (1/2 + 0) / 2, of the bird (0.1 + 0.2) / 2; both travel shortened."""
    key = f"vifidel(vectors={places(tmp_path)})"
    found = score({1: "bird"}, {1: ["dog"]}, key, {1: ["cat", "dog", "the"]})[0]
    dog, bird = 0.25 * np.array([1, 0]), 0.15 * np.array([0.6, 0.8])
    assert found == pytest.approx(np.exp(-np.linalg.norm(dog - bird)))
    [why] = explain({1: "bird"}, {1: ["cat", "dog"]}, image_id=1, objects={1: ["dog"]}, metrics=key)
    weights = {part.text: part.values["ρ"] for part in why.sections["weights by references"]}
    assert weights == pytest.approx({"dog": 0.25, "bird": 0.15})


def test_an_image_of_a_corpus_with_references_that_has_none_scores_0() -> None:
    result = evaluate(
        {1: "a dog", 2: "a cat"}, {1: ["a dog"]}, objects={1: ["dog"], 2: ["cat"]}, metrics="vifidel", missing="zero"
    )
    assert result["vifidel"].captions.tolist() == [1, 0]


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
