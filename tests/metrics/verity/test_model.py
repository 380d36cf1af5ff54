"""The model reads each text once, keeps references, and says what is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.metrics.verity.models import CAPTIONS, REFERENCES, write_small
from tests.metrics.verity.test_head import head
from vericap.errors import InputError
from vericap.metrics.verity import model as module
from vericap.metrics.verity.head import write_head
from vericap.metrics.verity.model import HEAD, Model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verity")
    write_small(folder)
    return folder


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.bits
def test_a_text_has_the_same_bits_in_any_company(folder):
    model = Model(folder)
    together = model.read(CAPTIONS * 50, []).captions
    backwards = model.read(CAPTIONS[::-1], [], workers=3).captions[::-1]
    for number, caption in enumerate(CAPTIONS):
        alone = model.read([caption], []).captions[0]
        assert same(alone, together[number]) and same(alone, together[-len(CAPTIONS) + number])
        assert same(alone, backwards[number])


def test_references_are_encoded_once_and_kept(folder, monkeypatch):
    model = Model(folder)
    first = model.read([], [tuple(REFERENCES)]).pictures[0]
    encoded: list[str] = []
    inside = model._encode
    monkeypatch.setattr(model, "_encode", lambda texts, workers: encoded.extend(texts) or inside(texts, workers))
    again = model.read(CAPTIONS, [tuple(REFERENCES)]).pictures[0]
    assert again is first
    assert encoded == CAPTIONS


@pytest.mark.bits
def test_references_beyond_what_is_kept_are_encoded_again_with_the_same_bits(folder, monkeypatch):
    monkeypatch.setattr(module, "KEPT_PIECES", 0)
    model = Model(folder)
    first, again = (model.read([], [tuple(REFERENCES)]).pictures[0] for _ in range(2))
    assert again is not first
    assert same(first[:6], again[:6])


@pytest.mark.parametrize("text", ["", "   ", "...", "!?", "🐕"])
def test_a_text_without_letters_and_digits_has_no_word(folder, text):
    captions, pictures = Model(folder).read([text], [(text,), (text, "a dog")])
    assert len(captions[0].vectors) == 0
    assert pictures[0] is None and pictures[1].number == 1


def test_long_texts_are_marked(folder):
    captions, (picture,) = Model(folder).read(["dog " * 18, "dog " * 19], [("dog " * 30, "dog")])
    assert [caption.cut for caption in captions] == [False, True]  # 20 pieces with [CLS] and [SEP]
    assert picture.cut == 1


def test_a_folder_that_is_not_a_model_is_named(tmp_path, folder):
    with pytest.raises(InputError, match=r"encoder\.arrays is missing"):
        Model(tmp_path)
    write_small(tmp_path)
    (tmp_path / HEAD).unlink()
    with pytest.raises(InputError, match=r"head\.arrays is missing"):
        Model(tmp_path)
    write_head(tmp_path / HEAD, head(), {})  # for vectors of four numbers
    with pytest.raises(InputError, match="vectors of 4 numbers"):
        Model(Path(tmp_path))
