"""The recurrent language model learns a toy language, and continues where it was stopped."""

from __future__ import annotations

import pytest

from tests.lexicon.toy_language import CAPTIONS, SMALL
from vericap.errors import InputError
from vericap.lexicon.recurrent import load
from vericap.lexicon.recurrent_training import LanguageModelSettings, train

pytestmark = pytest.mark.torch


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


def test_too_few_captions_and_odd_settings_are_refused(tmp_path):
    with pytest.raises(InputError, match="held out"):
        train(CAPTIONS[:5], tmp_path, SMALL, name="toy", tokenizer="whitespace")
    with pytest.raises(InputError, match="steps"):
        LanguageModelSettings(steps=0)
