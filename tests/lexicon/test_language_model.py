"""The n-gram language model against a slow one that is read off Chen and Goodman's formulas."""

from __future__ import annotations

import math
from importlib.resources import files

import numpy as np
import pytest

from tests.lexicon.slow_kneser_ney import CAPTIONS, SlowKneserNey
from vericap.arrays import Ragged
from vericap.errors import InputError
from vericap.lexicon.kneser_ney import estimate
from vericap.lexicon.language_model import NGramLanguageModel, load
from vericap.text.vocabulary import encode

HELD_OUT = ["a dog runs on the zzyzx", "zzyzx", "", "the the the", "a man in a red hat sits", CAPTIONS[0]]


def fast(captions: list[str], order: int, least: tuple[int, ...], known: int) -> NGramLanguageModel:
    vocabulary: dict[str, int] = {}
    ids = encode(captions, str.split, vocabulary)
    estimates = estimate(ids, list(vocabulary), order=order, least=least, known=known)
    return NGramLanguageModel.of(estimates, name="test", tokenizer="whitespace")


def probabilities(model: NGramLanguageModel, captions: list[str]) -> list[list[float]]:
    vocabulary: dict[str, int] = {}
    ids = encode(captions, str.split, vocabulary)
    found = model.probabilities(ids, list(vocabulary))
    return [found.in_context[a:b].tolist() for a, b in zip(found.offsets[:-1], found.offsets[1:], strict=True)]


@pytest.mark.parametrize(
    "order, least, known",
    [(1, (1,), 1), (2, (1, 1), 2), (3, (1, 1, 2), 2), (5, (1, 1, 1, 1, 1), 1), (5, (1, 1, 2, 2, 3), 2)],
)
def test_probabilities_are_those_of_the_formulas(order, least, known):
    slow, quick = SlowKneserNey(CAPTIONS, order, least, known), fast(CAPTIONS, order, least, known)
    captions = HELD_OUT + CAPTIONS[::10]
    for caption, found in zip(captions, probabilities(quick, captions), strict=True):
        assert found == pytest.approx(slow.caption(caption), rel=1e-11)


@pytest.mark.parametrize("least", [(1, 1, 1, 1), (1, 1, 2, 3)])
def test_probabilities_after_any_context_sum_to_one(least, tmp_path):
    model = fast(CAPTIONS, 4, least, 2)
    model.save(tmp_path / "small.lm")
    contexts = [caption.split()[:n] for n, caption in enumerate(CAPTIONS[:12])] + [["zzyzx", "a"], ["on", "the", "the"]]
    for each in (model, load(tmp_path / "small.lm")):
        for context in contexts:
            assert each.distribution(context).sum() == pytest.approx(1, abs=1e-12)


def test_the_distribution_holds_the_probabilities_of_captions():
    model = fast(CAPTIONS, 4, (1, 1, 1, 2), 2)
    words = CAPTIONS[3].split()
    [logs] = probabilities(model, [CAPTIONS[3]])
    known = [word in model.trie.words for word in words]
    for i, word in enumerate(words):
        if known[i]:
            at = model.trie.words.index(word)
            assert math.log(model.distribution(words[:i])[at]) == pytest.approx(logs[i], rel=1e-12)


def test_a_saved_model_is_nearly_the_same_and_small(tmp_path):
    model = fast(CAPTIONS, 5, (1, 1, 1, 1, 1), 2)
    model.save(tmp_path / "small.lm")
    loaded = load(tmp_path / "small.lm")
    assert loaded.source.startswith("test@") and loaded.order == 5 and len(loaded) == len(model)
    exact, rounded = (np.concatenate(probabilities(each, CAPTIONS)) for each in (model, loaded))
    assert np.abs(exact - rounded).max() < 0.05 and abs(exact.mean() - rounded.mean()) < 0.002


def test_unknown_words_are_less_likely_than_any_known_word_and_marks_in_a_text_are_unknown():
    model = fast(CAPTIONS, 3, (1, 1, 1), 2)
    [zzyzx], [mark], [known] = ([row[0]] for row in probabilities(model, ["zzyzx", "</s>", "a"]))
    assert zzyzx == mark < known


def test_blocks_do_not_change_the_numbers(monkeypatch):
    model = fast(CAPTIONS, 4, (1, 1, 1, 1), 2)
    whole = probabilities(model, CAPTIONS)
    monkeypatch.setattr("vericap.lexicon.language_model.BLOCK", 7)
    assert probabilities(model, CAPTIONS) == whole


def test_no_captions():
    model = fast(CAPTIONS, 2, (1, 1), 2)
    found = model.probabilities(Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64)), [])
    assert len(found.in_context) == 0 and found.offsets.tolist() == [0]


def test_another_file_is_refused_and_a_cut_one_too(tmp_path):
    fast(CAPTIONS, 3, (1, 1, 1), 1).save(tmp_path / "small.lm")
    content = (tmp_path / "small.lm").read_bytes()
    (tmp_path / "cut.lm").write_bytes(content[:-100])
    (tmp_path / "text.lm").write_text("a dog")
    for name in ("cut.lm", "text.lm"):
        with pytest.raises(InputError, match="damaged"):
            load(tmp_path / name)
    frequencies = files("vericap") / "data" / "coco_df" / "train2014.df"
    with pytest.raises(InputError, match="this file is not an n-gram language model; train it again"):
        load(str(frequencies))
