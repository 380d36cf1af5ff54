"""Word Mover's Distance: POT's transport on vectors of one's own, and what counts and what does not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import ot
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap import evaluate, explain
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.wmd import Wmd
from vericap.views import Views

PLACES = {"dog": (1.0, 0.0), "cat": (0.0, 2.0), "bird": (3.0, 4.0), "lake": (-1.0, 1.0)}
CAPTION = st.lists(st.sampled_from([*PLACES, "the"]), max_size=6)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("vectors") / "own.txt"
    path.write_text("".join(f"{word} {x} {y}\n" for word, (x, y) in PLACES.items()))
    return path


def moved(left: list[str], right: list[str], p: int) -> float:
    """The definition, with POT."""
    bags = [Counter(word for word in side if word in PLACES) for side in (left, right)]
    if not all(bags):
        return float("inf")
    places = [np.array([PLACES[word] for word in bag]) for bag in bags]
    cost = np.linalg.norm(places[0][:, None] - places[1][None], axis=2) ** p
    mass = [np.array(list(bag.values())) / bag.total() for bag in bags]
    return float(ot.emd2(*mass, cost))


@pytest.mark.parametrize("p", [1, 2])
@given(candidate=CAPTION, references=st.lists(CAPTION, min_size=1, max_size=3))
def test_it_is_the_least_transport(vectors: Path, p: int, candidate: list[str], references: list[list[str]]) -> None:
    corpus = Corpus.from_lists([" ".join(candidate)], [[" ".join(reference) for reference in references]])
    every = np.array([moved(candidate, reference, p) for reference in references])
    finite = every[np.isfinite(every)]
    wanted = {"best": min, "worst": max, "mean": np.mean}
    for reduce, choose in wanted.items():
        metric = Wmd(reduce, p, str(vectors), False, "none")  # type: ignore[arg-type]
        found = metric.statistics(Views(corpus, tokenizer="whitespace"))[0, 0]
        assert found == pytest.approx(choose(finite) if len(finite) else np.inf, abs=1e-9)


@pytest.mark.parametrize("caption", ["", "the of a", "xyzzyx"])
def test_a_caption_without_content_words_scores_0(caption: str) -> None:
    assert evaluate({1: caption}, {1: ["a dog"]}, metrics="wmd")["wmd"].captions[0] == 0


def test_the_reference_itself_scores_1_and_a_synonym_more_than_a_stranger() -> None:
    captions = {1: "a dog", 2: "a puppy", 3: "a pizza"}
    scores = evaluate(captions, {key: ["the dog"] for key in captions}, metrics="wmd")["wmd"].captions
    assert scores[0] == 1 > scores[1] > scores[2] > 0


def test_nearest_farthest_and_mean_reference() -> None:
    """A reference of stop words alone is no reference: neither the farthest nor part of the mean."""
    references = {1: ["a dog", "a pizza", "the"]}
    keys = ("wmd", "wmd(reduce=worst)", "wmd(reduce=mean)")
    best, worst, mean = (evaluate({1: "a dog"}, references, metrics=key)[key].score for key in keys)
    assert best == 1 > mean > worst > 0
    assert mean == pytest.approx(np.sqrt(best * worst))


def test_vectors_are_brought_to_unit_length_unless_asked_otherwise(vectors: Path) -> None:
    """dog at (1, 0), cat at (0, 2): √2 apart as directions, √5 as they are."""
    for asked, apart in {"": 2**0.5, ",normalised=no": 5**0.5}.items():
        key = str(parse(f"wmd(vectors={vectors}{asked})"))
        assert parse(key) == parse(f"wmd(vectors={vectors}{asked})")
        assert evaluate({1: "a dog"}, {1: ["a cat"]}, metrics=key)[key].statistics[0, 0] == pytest.approx(apart)


def test_the_signature_names_the_vectors(vectors: Path) -> None:
    signature = evaluate({1: "a dog"}, {1: ["a cat"]}, metrics=f"wmd(vectors={vectors})")
    [key] = signature
    assert "vectors:own" in signature[key].signature and "reduce:best" in signature[key].signature


def test_an_explanation_draws_the_way_to_the_reference_that_counts() -> None:
    references = {1: ["a cat", "the dog", "a pizza"]}
    [why] = explain({1: "a puppy"}, references, image_id=1, metrics="wmd")
    assert why.drawing[0] == "to reference 2:" and "▶ dog" in why.drawing[1]
    assert why.values["distance"] == min(float(why.values[f"reference {number}"]) for number in (1, 2, 3))
    [why] = explain({1: "a puppy"}, references, image_id=1, metrics="wmd(reduce=worst)")
    assert why.drawing[0] == "to reference 3:"
    [why] = explain({1: "the"}, references, image_id=1, metrics="wmd")
    assert why.score == 0 and not why.drawing


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("wmd(p=3)", "'3' is not one of 1, 2"),
        ("wmd(reduce=median)", "is not one of best, worst, mean"),
    ],
)
def test_wrong_parameters_are_named(key: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(key)


@pytest.mark.parametrize("field", ["vectors", "stop_words"])
def test_a_resource_without_a_name_is_refused(field: str) -> None:
    with pytest.raises(InputError, match=f"{field} is empty") as error:
        Wmd(**{field: ""})  # type: ignore[arg-type]
    assert error.value.field == field


def test_stop_words_that_are_no_file_are_refused() -> None:
    with pytest.raises(InputError, match="neither english nor none"):
        evaluate({1: "a"}, {1: ["b"]}, metrics="wmd(stop_words=nothing-here)")
