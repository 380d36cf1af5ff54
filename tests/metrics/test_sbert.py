"""Cosines of sentence vectors: those of sentence-transformers, per caption and for the corpus."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.encoders.models import add_sentence_modules, write_bert
from tests.encoders.test_encoder import of_sentence_transformers
from vericap import evaluate, explain
from vericap.errors import InputError
from vericap.reward import Reward

CANDIDATES = {"1": "a dog runs on the street", "2": "two cats and a red ball", "3": "the woman is with a man"}
REFERENCES = {
    "1": ["the dog is running in a street", "a dog", "a man with a blue ball"],
    "2": ["two cats", "a cat plays with a ball"],
    "3": ["the woman is with a man"],
}


def expected(folder: Path, candidates: dict[str, str], references: dict[str, list[str]], how: str) -> np.ndarray:
    sets = [[caption, *references[image]] for image, caption in candidates.items()]
    vectors = of_sentence_transformers(folder, [text for texts in sets for text in texts])
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = np.split(vectors, np.cumsum([len(texts) for texts in sets])[:-1])
    return np.array([getattr(row[1:] @ row[0], how)() for row in rows])


@pytest.mark.torch
@pytest.mark.parametrize("how", ["max", "mean"])
@pytest.mark.parametrize("normalised", [True, False])
def test_cosines_are_those_of_sentence_transformers(tmp_path: Path, how: str, normalised: bool) -> None:
    write_bert(tmp_path)
    add_sentence_modules(tmp_path, normalised=normalised)
    key = f"sbert(references={how},model={tmp_path})"
    [found] = evaluate(CANDIDATES, references=REFERENCES, metrics=key).values()
    right = expected(tmp_path, CANDIDATES, REFERENCES, how)
    assert found.captions == pytest.approx(right, abs=1e-5)
    assert found.score == pytest.approx(right.mean(), abs=1e-5)


@pytest.mark.torch
def test_real_weights_on_captions_of_coco(minilm: Path, data: Path) -> None:
    references: dict[str, list[str]] = {}
    for each in json.loads((data / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]:
        if len(references) < 40 or str(each["image_id"]) in references:
            references.setdefault(str(each["image_id"]), []).append(each["caption"])
    candidates = {image: given.pop() for image, given in references.items()}
    found = evaluate(candidates, references=references, metrics="sbert")["sbert"]
    right = expected(minilm, candidates, references, "max")
    assert found.captions == pytest.approx(right, abs=1e-5)
    assert found.score == pytest.approx(right.mean(), abs=1e-5)


def test_a_reference_itself_is_the_maximum_and_the_signature_names_the_weights(minilm: Path) -> None:
    found = evaluate(CANDIDATES, references=REFERENCES, metrics="sbert")["sbert"]
    assert found.captions[2] == pytest.approx(1, abs=1e-6)
    assert found.captions[0] < 1
    assert "over:max|model:all-MiniLM-L6-v2 " in found.signature


def test_explanation_orders_references(minilm: Path) -> None:
    [found] = explain(CANDIDATES, references=REFERENCES, image_id="1", metrics="sbert")
    [parts] = found.sections.values()
    cosines = [part.values["cosine"] for part in parts]
    assert cosines == sorted(cosines, reverse=True)
    assert found.score == cosines[0]
    assert {type(value) for value in found.values.values()} == {float}  # as JSON takes it


def test_a_missing_model_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match="no file or folder 'nowhere'"):
        evaluate(CANDIDATES, references=REFERENCES, metrics="sbert(model=nowhere)")


@pytest.mark.parametrize("key", ["sbert", "bertscore"])
def test_a_reward_is_the_score_of_the_texts_as_they_are_written(minilm: Path, key: str) -> None:
    references = {"1": ["Two dogs, one brown, run.", "A dog & its puppy"], "2": ["A man's red bicycle."]}
    captions = {"1": "Two dogs run!", "2": "The man rides a bicycle."}
    right = evaluate(captions, references, metrics=key)[key].captions
    assert Reward(key, references)(list(captions.values()), list(captions)) == pytest.approx(right, abs=1e-6)
