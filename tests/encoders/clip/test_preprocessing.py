"""Pictures become the pixels that torchvision's transforms of CLIP give, and transformers' where the two agree."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.encoders.clip.preprocessing import Preprocessing, of_hugging_face, of_open_clip, of_size
from vericap.errors import InputError

MEAN, STD = np.array([0.48145466, 0.4578275, 0.40821073]), np.array([0.26862954, 0.26130258, 0.27577711])


def noise(width: int, height: int) -> np.ndarray:
    return np.random.default_rng(width).integers(0, 256, (height, width, 3), np.uint8)


@pytest.mark.torch
@pytest.mark.parametrize(("width", "height"), [(224, 224), (640, 426), (333, 500), (50, 61), (7, 9)])
def test_pixels_are_those_of_transformers(width: int, height: int) -> None:
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    picture = noise(width, height)
    theirs = CLIPImageProcessorPil()(images=picture, return_tensors="np")["pixel_values"][0]
    np.testing.assert_allclose(Preprocessing().pixels(picture), theirs, atol=1e-5)


def test_the_cut_is_torchvisions() -> None:
    # torchvision: round(3 / 2) = 2 pixels from the left; transformers takes 1.
    picture = noise(227, 224)
    pixels = Preprocessing().pixels(picture)
    assert np.allclose(pixels[:, :, 0], ((picture[:, 2] / 255 - MEAN) / STD).T, atol=1e-5)


def test_the_longer_side_is_rounded_down() -> None:
    assert Preprocessing().size(500, 333) == (336, 224)  # 224 · 500 / 333 = 336.3
    assert Preprocessing().size(333, 500) == (224, 336)


def test_a_very_long_picture_is_cut_before_it_is_resized() -> None:
    picture = np.zeros((4, 40_000, 3), np.uint8)
    picture[:, 19_999:20_001] = 255
    assert Preprocessing().pixels(picture).shape == (3, 224, 224)
    assert Preprocessing().pixels(picture)[0, 0, 112] > 0 > Preprocessing().pixels(picture)[0, 0, 0]


def test_squashed_pictures_lose_no_side() -> None:
    picture = noise(300, 100)
    squashed = of_open_clip({"resize_mode": "squash"}, 32, "x").pixels(picture)
    assert squashed.shape == (3, 32, 32) and not np.allclose(squashed, of_size(32).pixels(picture))


def test_settings_of_hugging_face() -> None:
    old = {"size": 32, "crop_size": 32, "resample": 3, "image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    new = {"image_processor": {**old, "size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}}}
    made = of_hugging_face(old, "x")
    assert made == of_hugging_face(new, "x") == Preprocessing(32, 32, mean=(0.5,) * 3, std=(0.5,) * 3)
    assert "0.5" in str(made) and str(Preprocessing()) == "224-224-bicubic-clip"


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"do_center_crop": False}, "do_center_crop"),
        ({"size": {"height": 3, "width": 4}}, "size"),
        ({"crop_size": 448}, "crop_size"),
        ({"resample": 9}, "resample"),
        ({"image_mean": [0.5]}, "mean"),
    ],
)
def test_other_preprocessing_is_refused(settings: dict[str, object], field: str) -> None:
    with pytest.raises(InputError, match=f'p.json, field "{field}"'):
        of_hugging_face(settings, "p.json")


def test_other_resizing_of_open_clip_is_refused() -> None:
    with pytest.raises(InputError, match="resize_mode is longest"):
        of_open_clip({"resize_mode": "longest"}, 224, "p.json")
