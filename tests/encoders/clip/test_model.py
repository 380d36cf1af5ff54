"""The network gives the features of transformers on the same weights, whatever names its tensors have."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.encoders.clip.tiny import (
    CONTEXT,
    DIMENSIONS,
    HEADS,
    LAYERS,
    PATCH,
    SIZE,
    VISION_HEADS,
    VISION_WIDTH,
    WIDTH,
    image_features,
    models,
    text_features,
    vocabulary,
)
from vericap.encoders.clip.encoder import load
from vericap.encoders.clip.model import architecture, from_hugging_face, plain_names
from vericap.errors import InputError

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


def test_tensors_of_hugging_face_are_those_of_openai() -> None:
    given = models()
    found = plain_names(from_hugging_face(given.model.state_dict()))
    wanted = plain_names(given.tensors)
    assert found.keys() == wanted.keys()
    assert all(torch.equal(found[name], wanted[name]) for name in wanted)


def test_measures_are_read_from_shapes() -> None:
    made = architecture(plain_names(models().tensors), "x", "gelu")
    text, vision = made.text, made.vision
    assert (text.width, text.layers, text.heads, text.positions) == (WIDTH, LAYERS, HEADS, CONTEXT)
    assert (vision.width, vision.layers, vision.heads) == (VISION_WIDTH, LAYERS, VISION_HEADS)
    assert (made.patch, made.dimensions, text.hidden) == (PATCH, DIMENSIONS, 4 * WIDTH)


def test_heads_of_the_large_models_of_open_clip() -> None:
    """ViT-H has 16 heads of 80 dimensions, ViT-g 16 of 88, ViT-bigG 16 of 104; OpenAI's have 64 dimensions each."""
    heads = {}
    for width in (768, 1024, 1280, 1408, 1664):
        tensors = dict(plain_names(models().tensors))
        tensors["visual.positional_embedding"] = torch.zeros(17, width)
        heads[width] = architecture(tensors, "x", "gelu").vision.heads
    assert heads == {768: 12, 1024: 16, 1280: 16, 1408: 16, 1664: 16}


def test_a_resnet_is_refused() -> None:
    tensors = {"visual.conv1.weight": torch.zeros(32, 3, 3, 3), "visual.attnpool.c_proj.weight": torch.zeros(1)}
    with pytest.raises(InputError, match=r"rn50.pt: this is a CLIP with a ResNet; one with a vision transformer"):
        architecture(tensors, "rn50.pt", "gelu")
    with pytest.raises(InputError, match="this is not a CLIP"):
        architecture({"bert.weight": torch.zeros(1)}, "bert.pt", "gelu")


def test_wrappers_leave_no_trace() -> None:
    tensors = dict.fromkeys(["module.visual.proj", "text.ln_final.weight", "logit_scale"], torch.zeros(1))
    assert set(plain_names(tensors)) == {"visual.proj", "ln_final.weight"}
