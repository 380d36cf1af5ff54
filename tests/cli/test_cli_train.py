"""`vericap train language-model`, from captions to a score."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest

from vericap.cli.train import read_settings
from vericap.errors import InputError

DEMO = files("vericap") / "data" / "demo"
RESULTS, REFERENCES = str(DEMO / "strong.json"), str(DEMO / "references.json")


def vericap(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "vericap", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=300,
        encoding="utf-8",
    )


def test_an_ngram_model_of_ones_own(tmp_path):
    model = tmp_path / "own.lm"
    done = vericap("train", "language-model", REFERENCES, "-o", model, "--order", 3, "--min-count", "1:1:1")
    assert done.returncode == 0 and "150 captions" in done.stdout
    done = vericap("score", RESULTS, "-m", f"fluency(model={model})")
    assert done.returncode == 0 and "model:own@" in done.stderr


@pytest.mark.torch
def test_a_recurrent_model_from_a_settings_file(tmp_path):
    (tmp_path / "small.toml").write_text("width = 8\nsteps = 999\nvalidation = 10\nlearning_rate = 1\n")
    done = vericap(
        *("train", "language-model", REFERENCES, "-o", tmp_path / "rnn", "--kind", "rnn"),
        *("--settings", tmp_path / "small.toml", "--steps", 3),
    )
    assert done.returncode == 0 and "perplexity" in done.stdout
    assert {file.name for file in (tmp_path / "rnn").iterdir()} == {
        "model.json",
        "model.safetensors",
        "state.safetensors",
    }


@pytest.mark.torch
@pytest.mark.parametrize(
    "content, problem",
    [
        ("width = wide", "this file is not valid TOML"),
        ('width = "wide"', "field \"width\": 'wide' is not a whole number"),
        ("breadth = 3", 'field "breadth": there is no such setting; use one of width'),
        ("width = 0", 'field "width": 0 is out of range; use 1 or more'),
    ],
)
def test_wrong_settings_are_named(tmp_path, content, problem):
    from vericap.lexicon.recurrent_training import LanguageModelSettings

    (tmp_path / "wrong.toml").write_text(content)
    with pytest.raises(InputError, match=problem):
        read_settings(LanguageModelSettings, tmp_path / "wrong.toml", {"seed": None})


def test_wrong_counts_are_named(tmp_path):
    done = vericap("train", "language-model", REFERENCES, "-o", tmp_path / "own.lm", "--min-count", "1:x")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "field \"min-count\": '1:x' is not whole numbers separated by colons; write them as in" in done.stderr


@pytest.mark.torch
def test_the_former_names_of_options_and_settings_still_work(tmp_path):
    from vericap.lexicon.recurrent_training import LanguageModelSettings

    options = {"old.lm": ("--least", "1:1", "--known=3"), "new.lm": ("--min-count=1:1", "--min-word-count", 3)}
    for file, words in options.items():
        command = ("train", "language-model", REFERENCES, "-o", tmp_path / file, "--order", 2, "--name", "own")
        assert vericap(*command, *words).returncode == 0
    assert (tmp_path / "old.lm").read_bytes() == (tmp_path / "new.lm").read_bytes()
    assert "--least" not in vericap("train", "language-model", "--help").stdout
    (tmp_path / "old.toml").write_text("known = 7")
    assert read_settings(LanguageModelSettings, tmp_path / "old.toml", {}).min_word_count == 7
