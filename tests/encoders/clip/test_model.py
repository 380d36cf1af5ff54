"""The network computes what transformers' CLIPModel computes with the same weights."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.encoders.clip.tiny import DIMENSIONS, SIZE, image_features, models, text_features, vocabulary
from vericap.encoders.clip.encoder import load

pytestmark = pytest.mark.torch

START, END = (vocabulary()[0][mark] for mark in ("<|startoftext|>", "<|endoftext|>"))


@pytest.mark.parametrize("activation", ["quick_gelu", "gelu"])
def test_features_are_those_of_transformers(activation: str) -> None:
    given = models(activation)
    network = load(given.paths["hugging-face"]).network
    rng = np.random.default_rng(1)
    pixels = rng.standard_normal((3, 3, SIZE, SIZE)).astype(np.float32)
    rows = [[START, *rng.integers(0, 500, length).tolist(), END] for length in (1, 8, 75)]
    texts = np.vstack([network.encode_text(torch.tensor([row]), torch.tensor([len(row) - 1])).numpy() for row in rows])
    texts /= np.linalg.norm(texts, axis=1, keepdims=True)
    pictures = network.encode_image(torch.from_numpy(pixels)).numpy()
    pictures /= np.linalg.norm(pictures, axis=1, keepdims=True)
    np.testing.assert_allclose(texts, text_features(given.model, rows), atol=1e-5)
    np.testing.assert_allclose(pictures, image_features(given.model, pixels), atol=1e-5)
    assert texts.shape == pictures.shape == (3, DIMENSIONS)


def test_the_activation_changes_the_numbers() -> None:
    """Why it must be known: with the other one, the same weights give other vectors, and no error."""
    folder = models().paths["open-clip"]
    right = load(folder)
    wrong = load(models().pac, "gelu")  # the same weights, without a configuration
    assert np.abs(right.texts(["a dog"])[0] - wrong.texts(["a dog"])[0]).max() > 1e-3


def test_what_follows_the_end_is_not_seen() -> None:
    network = load(models().paths["hugging-face"]).network
    short, ends = torch.tensor([[START, 5, END]]), torch.tensor([2])
    padded = torch.tensor([[START, 5, END, 7, 9]])
    torch.testing.assert_close(network.encode_text(short, ends), network.encode_text(padded, ends))


def test_the_name_says_size_and_patch() -> None:
    made = load(models().paths["hugging-face"]).checkpoint.made
    assert (made.name, made.image_size) == ("ViT-128/8", SIZE)
