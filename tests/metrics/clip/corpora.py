"""A few captions, references and pictures for the metrics of CLIP, with transformers' vectors of the same weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.encoders.clip.tiny import image_features, models, picture_files, text_features

SIZES = [(40, 60), (100, 36), (32, 32), (70, 50)]
CAPTIONS = {1: "a dog runs on the beach", 2: "Two cats!", 3: "a man's red bicycle, 2019", 4: "snow"}
REFERENCES = {1: ["a dog", "the dog runs"], 2: ["cats"], 3: ["a bicycle", "a red bike", "wheels"], 4: ["white snow"]}


@dataclass(frozen=True)
class Originals:
    """What transformers gives: unit vectors of captions and references behind a prompt, and of pictures."""

    captions: np.ndarray
    references: list[np.ndarray]
    pictures: np.ndarray


def transformers_tokens(texts: list[str]) -> list[list[int]]:
    from transformers import CLIPTokenizer

    rows: list[list[int]] = CLIPTokenizer.from_pretrained(models().paths["hugging-face"])(texts)["input_ids"]
    return rows


def transformers_pixels(files: list[Path]) -> np.ndarray:
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    processor: Any = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    pictures = [np.asarray(Image.open(file)) for file in files]
    return np.asarray(processor(images=pictures, return_tensors="np")["pixel_values"], np.float32)


def originals(folder: Path, prompt: str = "A photo depicts ") -> Originals:
    """Writes the pictures to a folder, and gives transformers' vectors."""
    model = models().model

    def texts(given: list[str]) -> np.ndarray:
        return text_features(model, transformers_tokens([prompt + text for text in given]))

    files = picture_files(folder, SIZES)
    return Originals(
        texts(list(CAPTIONS.values())),
        [texts(given) for given in REFERENCES.values()],
        image_features(model, transformers_pixels(files)),
    )
