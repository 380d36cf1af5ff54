"""Names of Hugging Face become OpenAI's, and the measures of a network are read from its tensors."""

from __future__ import annotations

import pytest
import torch

from tests.encoders.clip.tiny import (
    CONTEXT,
    DIMENSIONS,
    HEADS,
    LAYERS,
    PATCH,
    VISION_HEADS,
    VISION_WIDTH,
    WIDTH,
    models,
)
from vericap.encoders.clip.names import architecture, from_hugging_face, plain_names
from vericap.errors import InputError

pytestmark = pytest.mark.torch


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
