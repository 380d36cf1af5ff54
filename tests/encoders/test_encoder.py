"""Vectors of captions: those of sentence-transformers on the same weights, and the same bits in any company."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.encoders.models import CAPTIONS, add_sentence_modules, write_bert
from tests.encoders.test_weights import pack
from vericap.encoders import Encoder
from vericap.encoders.encoder import remembering_vectors


def of_sentence_transformers(folder: Path, texts: list[str]) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(folder), device="cpu").encode(texts, show_progress_bar=False)


@pytest.mark.torch
@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("normalised", [True, False])
def test_sentences_are_those_of_sentence_transformers(tmp_path: Path, pooling: str, normalised: bool) -> None:
    write_bert(tmp_path)
    add_sentence_modules(tmp_path, pooling, normalised=normalised)  # the last caption is longer than 20 pieces
    found = Encoder.load(tmp_path).sentences(CAPTIONS)
    assert found == pytest.approx(of_sentence_transformers(tmp_path, CAPTIONS), abs=2e-6 if normalised else 1e-5)


@pytest.mark.torch
def test_minilm_on_captions_of_coco(minilm: Path, data: Path) -> None:
    annotations = json.loads((data / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]
    captions = [annotation["caption"] for annotation in annotations[:200]]
    found = Encoder.load(minilm).sentences(captions)
    assert found == pytest.approx(of_sentence_transformers(minilm, captions), abs=1e-6)


@pytest.mark.bits
def test_a_caption_has_the_same_bits_in_any_batch_and_with_any_number_of_threads(minilm: Path) -> None:
    encoder = Encoder.load(minilm)
    where = ("", "on a beach", "under a tree in the park", "behind a fence next to an old red barn")
    animals = ("dog", "zebra", "giraffe", "cat", "polar bear", "horse", "sheep", "elephant")
    captions = [f"two {animal}s {place}" for animal in animals for place in where]
    together, threaded = encoder.sentences(captions * 5), encoder.sentences(captions, workers=3)
    for i in range(0, len(captions), 5):
        alone = encoder.sentences([captions[i]])[0]
        assert alone.tobytes() == together[i].tobytes() == threaded[i].tobytes()


def test_vectors_of_pieces(tmp_path: Path) -> None:
    write_bert(tmp_path)
    encoder = Encoder.load(tmp_path)
    pieces, vectors = encoder.tokens(CAPTIONS), encoder.encode(CAPTIONS)
    assert vectors.offsets.tolist() == pieces.ids.offsets.tolist()
    means = np.stack([row.mean(axis=0) for row in vectors])
    expected = means / np.linalg.norm(means, axis=1, keepdims=True)
    assert encoder.sentences(CAPTIONS) == pytest.approx(expected, abs=1e-6)
    assert encoder.encode(CAPTIONS, layers=1).values.shape == vectors.values.shape
    assert not np.allclose(encoder.encode(CAPTIONS, layers=1).values, vectors.values, atol=0.1)


def test_no_captions(tmp_path: Path) -> None:
    write_bert(tmp_path)
    encoder = Encoder.load(tmp_path)
    assert encoder.sentences([]).shape == (0, 24)
    assert encoder.encode([]).values.shape == (0, 24)


def test_eight_bits_of_minilm_are_close_to_its_floats(minilm: Path, tmp_path: Path) -> None:
    pack(minilm, tmp_path / "minilm.arrays")
    assert (tmp_path / "minilm.arrays").stat().st_size < 23_500_000
    captions = ["a dog on a beach", "two zebras grazing in a field", "a man in a suit speaks on his phone", "a pizza"]
    exact, packed = (Encoder.load(path).sentences(captions) for path in (minilm, tmp_path / "minilm.arrays"))
    assert (exact * packed).sum(axis=1).min() > 0.995


class Counting(Encoder):
    """An encoder whose vectors are lengths of texts, and which knows what it was asked."""

    digest, size = "", 2  # type: ignore[assignment]

    def __init__(self, digest: str) -> None:
        self.digest, self.asked = digest, list[str]()

    def _sentences(self, texts: Sequence[str], workers: int) -> np.ndarray:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(-1, 2)


def test_a_caption_is_encoded_once_by_each_encoder() -> None:
    one, other = Counting("one"), Counting("other")
    with remembering_vectors():
        assert one.sentences(["a", "bcd", "a"]).tolist() == [[1, 1], [3, 1], [1, 1]]
        assert one.sentences(["ef", "bcd"]).tolist() == [[2, 1], [3, 1]]
        assert other.sentences(["bcd"]).tolist() == [[3, 1]]
        assert one.sentences([]).shape == (0, 2)
    assert one.asked == ["a", "bcd", "ef"]
    assert other.asked == ["bcd"]


def test_nothing_is_kept_afterwards() -> None:
    encoder = Counting("one")
    for _ in range(2):
        with remembering_vectors():
            encoder.sentences(["a"])
        encoder.sentences(["a"])
    assert encoder.asked == ["a"] * 4
