"""Pictures as CLIP takes them: the shorter side resized, the centre cut out, channels centred and scaled. Sizes and
numbers come from preprocessor_config.json (Hugging Face) or open_clip_config.json (OpenCLIP) where they are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError

_METHODS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3}  # numbers of Pillow, which Hugging Face writes
_NAMES = {number: name for name, number in _METHODS.items()}


@dataclass(frozen=True)
class Preprocessing:
    """`resize` pixels for the shorter side, or for both where `squash`; then the central `crop` × `crop` pixels.

    The cut is torchvision's, which rounds half a pixel to the even side; transformers rounds it down.

    >>> Preprocessing().box(224, 227)
    (0, 2, 224, 226)
    """

    resize: int = 224
    crop: int = 224
    squash: bool = False
    method: str = "bicubic"
    mean: tuple[float, ...] = (0.48145466, 0.4578275, 0.40821073)
    std: tuple[float, ...] = (0.26862954, 0.26130258, 0.27577711)

    def __str__(self) -> str:
        own = (self.mean, self.std) == (Preprocessing.mean, Preprocessing.std)
        numbers = "clip" if own else f"{self.mean}{self.std}"
        kind = "squashed" if self.squash else self.method
        return f"{self.resize}-{self.crop}-{kind}-{numbers.replace(' ', '')}"

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Width and height after the resizing; the longer side is rounded down.

        >>> Preprocessing().size(640, 427), Preprocessing().size(3, 1000)
        ((335, 224), (224, 74666))
        """
        if self.squash:
            return self.resize, self.resize
        short, long = sorted((width, height))
        longer = int(self.resize * long / short)
        return (self.resize, longer) if width <= height else (longer, self.resize)

    def box(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the cut in a picture of this size."""
        left, top = round((width - self.crop) / 2), round((height - self.crop) / 2)
        return left, top, left + self.crop, top + self.crop

    def pixels(self, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return a picture [height, width, 3] as the network takes it, [3, crop, crop]."""
        from PIL import Image

        image = Image.fromarray(picture)
        width, height = self.size(*image.size)
        left, top, right, bottom = self.box(width, height)
        # Only what is cut out is resized: of a very long picture the rest would fill the memory.
        across, down = image.width / width, image.height / height
        part = (left * across, top * down, right * across, bottom * down)
        if max(width, height) <= 32 * self.crop:
            image = image.resize((width, height), _METHODS[self.method]).crop((left, top, right, bottom))
        else:
            image = image.resize((self.crop, self.crop), _METHODS[self.method], box=part)
        scaled = np.asarray(image, np.float32) / np.float32(255)
        centred = (scaled - np.array(self.mean, np.float32)) / np.array(self.std, np.float32)
        return np.ascontiguousarray(centred.transpose(2, 0, 1))


def of_hugging_face(settings: Mapping[str, Any], source: str) -> Preprocessing:
    """From the content of preprocessor_config.json, or of processor_config.json, which holds it inside."""
    inside = settings.get("image_processor")
    given = inside if isinstance(inside, dict) else settings
    for step in ("do_resize", "do_center_crop", "do_rescale", "do_normalize"):
        if given.get(step, True) is not True:
            raise _unknown(f"{step} is {given[step]}", step, source)
    size, crop = given.get("size", 224), given.get("crop_size", 224)
    squash = isinstance(size, dict) and "shortest_edge" not in size
    made = Preprocessing(
        _edge(size, "size", source),
        _edge(crop, "crop_size", source),
        squash,
        _NAMES.get(given.get("resample", 3), "unknown"),
        tuple(given.get("image_mean", Preprocessing.mean)),
        tuple(given.get("image_std", Preprocessing.std)),
    )
    return _checked(made, source)


def of_open_clip(settings: Mapping[str, Any], image_size: int, source: str) -> Preprocessing:
    """From `preprocess_cfg` of open_clip_config.json."""
    mode = settings.get("resize_mode") or "shortest"
    if mode not in ("shortest", "squash"):
        raise _unknown(f"resize_mode is {mode}", "resize_mode", source)
    made = Preprocessing(
        image_size,
        image_size,
        mode == "squash",
        settings.get("interpolation") or "bicubic",
        tuple(settings.get("mean") or Preprocessing.mean),
        tuple(settings.get("std") or Preprocessing.std),
    )
    return _checked(made, source)


def of_size(image_size: int) -> Preprocessing:
    """CLIP's own for a network of this size."""
    return replace(Preprocessing(), resize=image_size, crop=image_size)


def _edge(size: Any, field: str, source: str) -> int:
    sides = set(size.values()) if isinstance(size, dict) else {size}
    if len(sides) != 1 or not all(type(side) is int and side > 0 for side in sides):
        raise _unknown(f"{field} is {size}", field, source)
    return int(sides.pop())


def _checked(made: Preprocessing, source: str) -> Preprocessing:
    if made.method not in _METHODS:
        raise _unknown("the method of resizing is not one of nearest, lanczos, bilinear, bicubic", "resample", source)
    if made.crop > made.resize:
        raise _unknown(f"crop_size {made.crop} is larger than size {made.resize}", "crop_size", source)
    for field, numbers in (("mean", made.mean), ("std", made.std)):
        if len(numbers) != 3 or not all(isinstance(number, int | float) for number in numbers) or not all(made.std):
            raise _unknown(f"{field} is not three numbers", field, source)
    return made


def _unknown(problem: str, field: str, source: str) -> InputError:
    return InputError(problem, source=source, field=field, fix="only the preprocessing of CLIP models is supported")
