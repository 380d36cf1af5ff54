"""An encoder of captions: word pieces, the vectors of all of them, and the vector of each caption."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, gather, offsets_of
from vericap.encoders.config import Config
from vericap.encoders.integers import IntegerNetwork
from vericap.encoders.network import Network
from vericap.encoders.weights import Array, FileWeights, Weights, open_weights
from vericap.encoders.wordpiece import Pieces, WordPiece
from vericap.engine.blas import one_blas_thread
from vericap.engine.progress import counted

Answer = TypeVar("Answer")

_BATCH = 1024  # rows of a matrix product: BLAS is at its speed, and all of a batch stays in the processor's cache


class Encoder:
    """Captions as vectors of a BERT-like network.

    The same caption gives the same bits in any batch and with any number of threads. Captions that occur several times
    are encoded once.
    """

    def __init__(self, weights: Weights) -> None:
        self.config: Config = weights.config
        self.name = weights.name
        self._weights = weights
        self._pieces = WordPiece(weights.pieces, lower=weights.config.lower, source=weights.source)
        self._network = IntegerNetwork(weights) if isinstance(weights, FileWeights) else Network(weights)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Encoder:
        """The encoder of a BERT folder or of a file that `weights.write` wrote; the last two stay in memory."""
        return _loaded(str(Path(path).absolute()))

    @property
    def size(self) -> int:
        """Numbers of a vector."""
        return self.config.size

    @property
    def layers(self) -> int:
        """The layers of the network."""
        return self.config.layers

    @property
    def longest(self) -> int:
        """The most pieces that a text may have."""
        return self.config.positions

    @property
    def digest(self) -> str:
        """Twelve digits of a hash of the weights, the vocabulary and the configuration."""
        return self._weights.digest

    @property
    def special(self) -> tuple[int, int]:
        """The ids of the pieces that begin and end every text, [CLS] and [SEP]."""
        return self._pieces.start, self._pieces.end

    def tokens(self, texts: Sequence[str], *, limit: int | None = None) -> Pieces:
        """The word pieces of texts, each with its characters and its word. Texts of more than `limit` pieces (the
        model's limit for sentences) are cut off; `cut` says which."""
        return self._pieces(texts, min(limit or self.config.limit, self.config.positions))

    def spell(self, ids: NDArray[np.integer]) -> list[str]:
        """Pieces as they stand in the vocabulary."""
        return [self._pieces.pieces[i] for i in ids.tolist()]

    def encode(
        self, texts: Sequence[str], *, layers: int | None = None, limit: int | None = None, workers: int = 1
    ) -> Ragged:
        """Vectors of all pieces of texts after so many layers (all; 0: embeddings): row i of the answer, an array
        [pieces, size] from [CLS] to [SEP], is text i. `values` is [all pieces, size] in float32."""
        distinct, place = distinct_texts(texts)
        ids = self.tokens(distinct, limit=limit).ids
        values = np.empty((len(ids.values), self.size), np.float32)
        for rows, vectors in self.batches(ids, lambda vectors: vectors.values, layers, workers):
            values[gather(ids.offsets, rows)[0]] = vectors
        found = Ragged(values, ids.offsets)
        return found if len(distinct) == len(texts) else found.take(place)

    def sentences(self, texts: Sequence[str], *, workers: int = 1) -> Array:
        """One vector for each text, array [texts, size]: the mean over its pieces, or that of [CLS], as the model's
        configuration says; of unit length if it says so."""
        distinct, place = distinct_texts(texts)
        found = np.empty((len(distinct), self.size), np.float32)
        for rows, vectors in self.batches(self.tokens(distinct).ids, self._pool, None, workers):
            found[rows] = vectors
        return found if len(distinct) == len(texts) else found[place]

    def batches(
        self, ids: Ragged, use: Callable[[Ragged], Answer], layers: int | None = None, workers: int = 1
    ) -> Iterator[tuple[Integers, Answer]]:
        """`use` of the vectors of one batch of texts after another, with the numbers of its texts, shortest texts
        first: for what is computed from the vectors of a text and is smaller than they are."""
        order = np.argsort(ids.lengths, kind="stable")
        batches = list(_batches(order, ids.lengths[order]))

        def work(rows: Integers) -> Answer:
            chosen = ids.take(rows)
            return use(Ragged(self._network.run(chosen, layers), chosen.offsets))

        workers = max(1, min(workers, len(batches)))
        # Threads over batches rather than within a product: BLAS's own wait for each other at every product, and the
        # work between products would stay on one of them.
        with one_blas_thread(), ThreadPoolExecutor(workers) as threads:
            answers = threads.map(work, batches) if workers > 1 else map(work, batches)
            yield from zip(counted(batches), answers, strict=True)

    def _pool(self, vectors: Ragged) -> Array:
        values, offsets = vectors.values, vectors.offsets
        if self.config.pooling == "cls":
            found: Array = values[offsets[:-1]]
        else:
            found = np.add.reduceat(values, offsets[:-1])
            found /= vectors.lengths.astype(np.float32)[:, None]
        if self.config.normalised:
            lengths: Array = np.sqrt(np.einsum("ij,ij->i", found, found))
            found /= np.maximum(lengths, np.float32(1e-12))[:, None]
        return found


@lru_cache(maxsize=2)
def _loaded(path: str) -> Encoder:
    return Encoder(open_weights(path))


def distinct_texts(texts: Sequence[str]) -> tuple[list[str], Integers]:
    """The different texts in order of appearance, and the place of each text among them.

    >>> distinct_texts(["a", "b", "a"])
    (['a', 'b'], array([0, 1, 0]))
    """
    number: dict[str, int] = {}
    place = np.fromiter((number.setdefault(text, len(number)) for text in texts), np.int64, len(texts))
    return list(number), place


def _batches(order: Integers, lengths: Integers) -> Iterator[Integers]:
    """Texts in this order, in batches of about `_BATCH` rows; `lengths` are those of the texts in this order.

    >>> [batch.tolist() for batch in _batches(np.array([2, 0, 1]), np.array([500, 500, 512]))]
    [[2, 0], [1]]
    """
    batch = (offsets_of(lengths)[1:] - 1) // _BATCH
    for rows in np.split(order, np.flatnonzero(np.diff(batch)) + 1):
        if len(rows):
            yield rows
