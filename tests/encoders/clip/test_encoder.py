"""Texts and pictures become the unit vectors of transformers' CLIPModel, from every layout of the same weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.encoders.clip.tiny import CAPTIONS, image_features, models, picture_files, text_features
from vericap.encoders.clip.encoder import device_of, load
from vericap.errors import InputError

pytestmark = pytest.mark.torch

PROMPT = "A photo depicts"
LAYOUTS = ["hugging-face", "openai-archive", "openai-state", "open-clip", "open-clip-training", "safetensors"]


def transformers_rows(texts: list[str]) -> list[list[int]]:
    from transformers import CLIPTokenizer

    tokenizer = CLIPTokenizer.from_pretrained(models().paths["hugging-face"])
    rows: list[list[int]] = tokenizer([f"{PROMPT} {text}" for text in texts])["input_ids"]
    return rows


@pytest.mark.parametrize("layout", LAYOUTS)
def test_vectors_are_those_of_transformers(layout: str, tmp_path: Path) -> None:
    encoder = load(models().paths[layout])
    texts, longer = encoder.texts(CAPTIONS, PROMPT, batch=2)
    np.testing.assert_allclose(texts, text_features(models().model, transformers_rows(CAPTIONS)), atol=1e-5)
    files = picture_files(tmp_path, [(32, 32), (64, 96), (100, 33)])
    rgb = [np.asarray(Image.open(file)) for file in files]
    pixels = np.stack([encoder.checkpoint.preprocessing.pixels(picture) for picture in rgb])
    np.testing.assert_allclose(encoder.pictures(pixels), image_features(models().model, pixels), atol=1e-5)
    assert longer == 0


def test_identical_texts_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load(models().paths["hugging-face"])
    seen: list[int] = []
    plain = encoder.network.encode_text
    monkeypatch.setattr(encoder.network, "encode_text", lambda t, e: (seen.append(len(t)), plain(t, e))[1])
    vectors, _ = encoder.texts(["a dog", "a cat", "a dog"], PROMPT)
    assert seen == [2] and (vectors[0] == vectors[2]).all()


def test_a_long_text_in_pieces_has_the_mean_direction() -> None:
    encoder = load(models().paths["hugging-face"])
    words = ["snow"] * 40 + ["dog"] * 40
    vectors, longer = encoder.texts([" ".join(words), "a dog"], "", "chunks")
    from vericap.encoders.clip.tokenizer import windows

    rows = windows([" ".join(words)], encoder.checkpoint.tokenizer, "", 77, "chunks").rows
    mean = text_features(models().model, rows).mean(0)
    assert len(rows) > 1 and longer == 1
    np.testing.assert_allclose(vectors[0], mean / np.linalg.norm(mean), atol=1e-5)
    np.testing.assert_allclose(vectors[1], encoder.texts(["a dog"])[0][0], atol=1e-6)


def test_no_texts() -> None:
    assert load(models().paths["hugging-face"]).texts([])[0].shape == (0, 24)


def test_devices() -> None:
    assert device_of("cpu").type == "cpu"
    with pytest.raises(InputError, match="`gpu` is not a device; use auto, cpu, cuda or cuda:1"):
        device_of("gpu")
    with pytest.raises(InputError, match="this machine has no device"):
        device_of("xpu")
    with pytest.raises(InputError, match="16 bits are for graphics cards"):
        load(models().paths["hugging-face"], device="cpu", precision="float16")
