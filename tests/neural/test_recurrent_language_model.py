"""The recurrent language model learns a toy language, goes on where it stopped, and scores as the n-gram model does."""

from __future__ import annotations

import numpy as np
import pytest

from vericap import evaluate, explain
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.text.vocabulary import encode

torch = pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("safetensors", reason="needs the extra neural")

from vericap.neural.language_model import load  # noqa: E402
from vericap.neural.language_model_training import LanguageModelSettings, train  # noqa: E402

SUBJECTS, VERBS, PLACES = ("dog", "cat", "horse"), ("runs", "sleeps", "sits"), ("beach", "grass", "road")
CAPTIONS = [f"a {s} {v} on the {p}" for s in SUBJECTS for v in VERBS for p in PLACES] * 10
SMALL = LanguageModelSettings(
    width=16, steps=120, batch=16, learning_rate=0.02, min_word_count=2, validation=10, save_every=60, dropout=0.1
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    train(CAPTIONS, folder, SMALL, name="toy", tokenizer="whitespace")
    return folder


def test_it_learns_the_language(folder):
    history = load(folder).facts.training["history"]
    assert [point["step"] for point in history] == [60, 120]
    # Three choices of three words each in eight predictions: no model can do better than 27 ** (1 / 8) = 1.51.
    assert 1.5 < history[-1]["perplexity"] < 1.7


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


def test_the_same_seed_gives_the_same_weights_and_a_break_changes_nothing(folder, tmp_path, monkeypatch):
    class Broken(Exception):
        pass

    def stop(what: str, done: int, steps: int) -> None:
        if done == 90:
            raise Broken

    with pytest.raises(Broken):
        train(CAPTIONS, tmp_path, SMALL, name="toy", tokenizer="whitespace", progress=stop)
    assert load(tmp_path).facts.training["history"][-1]["step"] == 60
    seen = []
    train(
        CAPTIONS,
        tmp_path,
        SMALL,
        name="toy",
        tokenizer="whitespace",
        resume=True,
        progress=lambda what, done, steps: seen.append(done),
    )
    assert seen[0] == 61
    assert (tmp_path / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()
    assert load(tmp_path).source == load(folder).source


def test_a_state_of_other_captions_is_refused(folder):
    with pytest.raises(InputError, match="other captions or settings"):
        train(CAPTIONS[1:], folder, SMALL, name="toy", tokenizer="whitespace", resume=True)


def test_a_folder_that_is_no_model_says_so(folder, tmp_path):
    with pytest.raises(InputError, match=r"model\.json cannot be read"):
        load(tmp_path)
    for file in ("model.json", "model.safetensors"):
        (tmp_path / file).write_bytes((folder / file).read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(InputError, match="damaged"):
        load(tmp_path)
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(InputError, match="no recurrent language model"):
        load(tmp_path)


def test_too_few_captions_and_odd_settings_are_refused(tmp_path):
    with pytest.raises(InputError, match="held out"):
        train(CAPTIONS[:5], tmp_path, SMALL, name="toy", tokenizer="whitespace")
    with pytest.raises(InputError, match="steps"):
        LanguageModelSettings(steps=0)
