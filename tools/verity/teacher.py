"""The teacher: sentence vectors of the whole all-MiniLM-L6-v2 for captions of COCO train2014, computed once.

How alike a caption and the other captions of a picture are to it, averaged, is a soft target for the smaller network:
most captions fit other pictures a little, and a target of 0 for them would be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from tools.verity.captions import EACH, FOLDER, Captions, Likeness
from vericap.encoders import Encoder

PICTURES, SEED, NEIGHBOURS = 15_000, 5, 9


@dataclass(frozen=True, eq=False)
class Teacher:
    """`images` are places among the captions' images, `vectors` [images, 5, size] those of their captions."""

    images: list[int]
    vectors: torch.Tensor

    @cached_property
    def place(self) -> dict[int, int]:
        """The place of each image."""
        return {image: place for place, image in enumerate(self.images)}

    def targets(self, images: Sequence[int], which: Sequence[int]) -> torch.Tensor:
        """Return the similarity of caption `which[j]` of image j and image i, array [j, i]: half the mean cosine of the
        caption with the captions of the image, half the mean cosine of captions of both images. A caption is not
        compared with itself."""
        vectors = self.vectors[[self.place[image] for image in images]]
        number, each = torch.arange(len(images)), vectors.shape[1]
        chosen = vectors[number, list(which)]
        cosine = torch.einsum("jd,ikd->jik", chosen, vectors)
        cosine[number, number, list(which)] = 0
        counts = torch.full((len(images), len(images)), float(each))
        counts[number, number] = each - 1.0
        means = vectors.mean(1)
        pairs = means @ means.T
        # Of an image with itself: the mean over pairs of different captions.
        pairs[number, number] = ((vectors.sum(1) ** 2).sum(1) - each) / (each * (each - 1))
        return 0.5 * cosine.sum(2) / counts + 0.5 * pairs


def choose(captions: Captions, alike: Likeness, pictures: int = PICTURES) -> list[int]:
    """Images with some of their neighbours, so that neighbours are among the chosen."""
    random, number = Random(SEED), len(captions.images)
    chosen: set[int] = set()
    for first in random.sample(range(number), number):
        if len(chosen) >= pictures:
            break
        for image in [first, *random.sample(alike.neighbours[first][1:].tolist(), NEIGHBOURS)]:
            if len(captions.of(image)) == EACH:
                chosen.add(image)
    return sorted(chosen)


def teacher(captions: Captions, alike: Likeness, minilm: Path, folder: Path = FOLDER, workers: int = 2) -> Teacher:
    """Return the vectors, in 16 bits; computed once and kept in a folder."""
    stored = folder / "teacher.npz"
    if not stored.is_file():
        images = choose(captions, alike)
        vectors = _vectors([text for image in images for text in captions.of(image)], minilm, workers)
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(stored, images=np.array(images), vectors=vectors.reshape(len(images), EACH, -1))
    found = np.load(stored)
    return Teacher(found["images"].tolist(), torch.from_numpy(found["vectors"].astype(np.float32)))


def _vectors(texts: Sequence[str], minilm: Path, workers: int) -> NDArray[np.float16]:
    encoder = Encoder.load(minilm)
    parts = [encoder.sentences(texts[first : first + 5000], workers=workers) for first in range(0, len(texts), 5000)]
    return np.concatenate(parts).astype(np.float16)
