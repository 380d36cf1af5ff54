"""The recurrent language model scores as the n-gram model does."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lexicon.toy_language import CAPTIONS, SMALL
from vericap import evaluate, explain
from vericap.errors import InputError
from vericap.lexicon.recurrent import load
from vericap.lexicon.recurrent_training import train
from vericap.metrics import parse
from vericap.text.vocabulary import encode

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    train(CAPTIONS, folder, SMALL, name="toy", tokenizer="whitespace")
    return folder


def test_fluency_takes_it_by_its_folder(folder):
    key = parse(f"fluency(model={folder})").key
    result = evaluate(["a dog sits on the road", "on a the road sits dog"], metrics=key, tokenizer="whitespace")[key]
    assert result.captions[0] > 0.5 > 0.1 > result.captions[1] and "model:toy@" in result.signature
    [why] = explain({1: "a dog sits on zzyzx"}, image_id=1, metrics=key, tokenizer="whitespace")
    assert [part.text for part in why.sections["surprising words"]][0:1] == ["zzyzx"]
    assert str(why.sections["surprising words"][0].values["expected"]).startswith("the 0.9")


def test_probabilities_sum_to_one_and_are_those_of_the_distribution(folder):
    model = load(folder)
    assert model.distribution(["a", "dog"]).sum() == pytest.approx(1, abs=1e-5)
    vocabulary: dict[str, int] = {}
    ids = encode(["a dog sits", "a", "", "a zzyzx sits on the road"], str.split, vocabulary)
    found = model.probabilities(ids, list(vocabulary))
    assert np.diff(found.offsets).tolist() == [4, 2, 1, 7]
    sits = model.distribution(["a", "dog"])[model.numbers(["sits"])[0]]
    assert found.in_context[2] == pytest.approx(np.log(sits), abs=1e-5)
    assert found.in_context[6] == pytest.approx(np.log(model.distribution([])[0]), abs=1e-5)  # an empty caption's end


def test_a_folder_that_is_no_model_says_so(folder, tmp_path):
    with pytest.raises(InputError, match=r"model\.json cannot be read"):
        load(tmp_path)
    for file in ("model.json", "model.safetensors"):
        (tmp_path / file).write_bytes((folder / file).read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(InputError, match="damaged"):
        load(tmp_path)
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(InputError, match="this is not a recurrent language model"):
        load(tmp_path)
