"""COCO's captions of 2014, five of each image, and for each image those whose captions are most like its own.

Images are alike by the words of their captions: tf-idf weights of the 8,000 words that most images have (not those that
more than 40 % have), in 96 dimensions of a randomised singular value decomposition (Halko et al. 2011).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import scipy.sparse
import torch
from numpy.typing import NDArray

from benchmarks.coco import annotations
from benchmarks.places import INPUT

FOLDER = INPUT / "verity"
EACH = 5  # captions of an image; a few images have more
WORDS, FREQUENT = 8000, 0.4
DIMENSIONS, SAMPLED, ROUNDS = 96, 160, 2
NEIGHBOURS = 33  # an image itself is the first


@dataclass(frozen=True, eq=False)
class Captions:
    """Captions by image: those of image i are `texts[offsets[i]:offsets[i + 1]]`."""

    images: list[int]
    texts: list[str]
    offsets: list[int]

    def of(self, image: int) -> list[str]:
        """Return the captions of an image, by its place."""
        return self.texts[self.offsets[image] : self.offsets[image + 1]]


@dataclass(frozen=True, eq=False)
class Likeness:
    """`vectors` [images, 96] of unit length, and `neighbours` [images, 33], the most alike first."""

    vectors: NDArray[np.float32]
    neighbours: NDArray[np.int32]


@cache
def read_captions(part: str) -> Captions:
    """Return the captions of train2014 or val2014, images in order of their ids."""
    by_image: dict[int, list[str]] = {}
    for annotation in json.loads(annotations(part))["annotations"]:
        by_image.setdefault(annotation["image_id"], []).append(" ".join(annotation["caption"].split()))
    images = sorted(by_image)
    texts = [text for image in images for text in by_image[image][:EACH]]
    offsets = [0, *np.cumsum([len(by_image[image][:EACH]) for image in images]).tolist()]
    return Captions(images, texts, offsets)


def likeness(part: str, folder: Path = FOLDER) -> Likeness:
    """Return the similarity of images; computed once and kept in a folder."""
    stored = folder / f"{part}.vectors.npy", folder / f"{part}.neighbours.npy"
    if not all(path.is_file() for path in stored):
        captions = read_captions(part)
        vectors = word_vectors([" ".join(captions.of(image)) for image in range(len(captions.images))])
        folder.mkdir(parents=True, exist_ok=True)
        np.save(stored[0], vectors.astype(np.float16))
        np.save(stored[1], nearest(vectors))
    return Likeness(np.load(stored[0]).astype(np.float32), np.load(stored[1]))


def word_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return a vector of unit length for each text."""
    words = [re.findall(r"[a-z]+", text.lower()) for text in texts]
    frequency = Counter(word for each in words for word in set(each))
    most = enumerate(frequency.most_common(WORDS))
    column = {word: place for place, (word, images) in most if images < FREQUENT * len(texts)}
    entries = [
        (row, column[word], (1 + np.log(count)) * np.log(len(texts) / frequency[word]))
        for row, each in enumerate(words)
        for word, count in Counter(each).items()
        if word in column
    ]
    rows, columns, weights = zip(*entries, strict=True)
    matrix = scipy.sparse.csr_matrix((weights, (rows, columns)), shape=(len(texts), WORDS), dtype=np.float32)
    sampled = matrix @ np.random.default_rng(0).standard_normal((WORDS, SAMPLED)).astype(np.float32)
    for _ in range(ROUNDS):
        basis, _ = np.linalg.qr(sampled)
        sampled = matrix @ (matrix.T @ basis)
    basis, _ = np.linalg.qr(sampled)
    left, values, _ = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    vectors = (basis @ left[:, :DIMENSIONS]) * values[:DIMENSIONS]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    return np.asarray(vectors, np.float32)


def nearest(vectors: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the places of the nearest vectors of each, array [vectors, 33]."""
    given = torch.from_numpy(vectors)
    most = min(NEIGHBOURS, len(given))
    found = [(given[first : first + 512] @ given.T).topk(most).indices for first in range(0, len(given), 512)]
    return np.asarray(torch.cat(found).numpy(), np.int32)
