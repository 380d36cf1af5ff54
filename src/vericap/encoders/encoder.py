"""Encoders of captions: word pieces, the vectors of all of them, and the vector of each caption. One class for whatever
runs the network, and the one that NumPy runs."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, gather, offsets_of
from vericap.encoders.config import Config
from vericap.encoders.network import Network
from vericap.encoders.weights import Array, RoundedWeights, Weights, open_weights
from vericap.encoders.wordpiece import Pieces, WordPiece
from vericap.engine.blas import one_blas_thread
from vericap.engine.progress import counted

Answer = TypeVar("Answer")

_BATCH = 1024  # rows of a matrix product: BLAS is at its speed, and all of a batch stays in the processor's cache


class TextEncoder(ABC):
    """The methods that metrics use of an encoder; our kernels or transformers run its network.

    A caption that occurs several times is encoded once. `name` and `digest` (twelve digits of a hash of all that
    changes a vector) are for signatures; `longest` is the most pieces that a text may have, `size` the length of a
    vector.
    """

    name: str
    digest: str
    layers: int
    longest: int
    size: int
    special: tuple[int, int]
    """The ids of the pieces that begin and end every text, [CLS] and [SEP]."""

    @abstractmethod
    def tokens(self, texts: Sequence[str], *, limit: int | None = None) -> Pieces:
        """Return the word pieces of texts, each with its characters and its word. Texts of more than `limit` pieces
        (the model's limit for sentences) are cut off; `cut` says which."""

    @abstractmethod
    def spell(self, ids: NDArray[np.integer]) -> list[str]:
        """Return pieces as the vocabulary spells them."""

    @abstractmethod
    def batches(
        self, ids: Ragged, use: Callable[[Ragged], Answer], layers: int | None = None, workers: int = 1
    ) -> Iterator[tuple[Integers, Answer]]:
        """Yield `use` of the vectors of one batch of texts after another, with the numbers of its texts, shortest texts
        first: for what is computed from the vectors of a text and is smaller than they are."""

    @abstractmethod
    def pool(self, vectors: Ragged) -> Array:
        """Return the vector of each text, [texts, size], from those of its pieces: their mean, or that of [CLS], as the
        model's configuration says; of unit length if it says so."""

    def encode(
        self, texts: Sequence[str], *, layers: int | None = None, limit: int | None = None, workers: int = 1
    ) -> Ragged:
        """Return the vectors of all pieces of texts after this many layers (all; 0: embeddings): row i of the answer,
        an array [pieces, size] from [CLS] to [SEP], is text i. `values` is [all pieces, size] in float32."""
        distinct, place = distinct_texts(texts)
        ids = self.tokens(distinct, limit=limit).ids
        values = np.empty((len(ids.values), self.size), np.float32)
        for rows, vectors in self.batches(ids, lambda vectors: vectors.values, layers, workers):
            values[gather(ids.offsets, rows)[0]] = vectors
        found = Ragged(values, ids.offsets)
        return found if len(distinct) == len(texts) else found.take(place)

    def sentences(self, texts: Sequence[str], *, workers: int = 1) -> Array:
        """Return one vector for each text, array [texts, size]; inside `remembering_vectors` those that were computed
        before are not computed again."""
        distinct, place = distinct_texts(texts)
        known = _known.get()
        if known is None:
            found = self._sentences(distinct, workers)
            return found if len(distinct) == len(texts) else found[place]
        vectors = known.setdefault(self.digest, {})
        new = [text for text in distinct if text not in vectors]
        vectors.update(zip(new, self._sentences(new, workers), strict=True))
        return np.array([vectors[text] for text in distinct], np.float32).reshape(-1, self.size)[place]

    def _sentences(self, texts: Sequence[str], workers: int) -> Array:
        found = np.empty((len(texts), self.size), np.float32)
        for rows, vectors in self.batches(self.tokens(texts).ids, self.pool, None, workers):
            found[rows] = vectors
        return found


_known: ContextVar[dict[str, dict[str, Array]] | None] = ContextVar("encoded captions", default=None)


@contextmanager
def remembering_vectors() -> Iterator[None]:
    """Inside it, a caption that was encoded once is not encoded again by the same encoder, whatever corpus it is in: a
    benchmark is judged with one set of its references after another, and the captions are the same."""
    known = _known.get()
    token = _known.set({} if known is None else known)
    try:
        yield
    finally:
        _known.reset(token)


class Encoder(TextEncoder):
    """Captions as vectors of a BERT-like network in NumPy.

    The same caption gives the same bits in any batch and with any number of threads.
    """

    def __init__(self, weights: Weights) -> None:
        self.config: Config = weights.config
        self.name, self.size, self.layers = weights.name, self.config.size, self.config.layers
        self.longest = self.config.positions
        self._weights = weights
        self._pieces = WordPiece(weights.pieces, lower=weights.config.lower, source=weights.source)
        self.special = self._pieces.start, self._pieces.end
        self._network = Network(weights)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, rounded: bool = False) -> Encoder:
        """Return the encoder of a BERT folder, with its weights rounded to 8 bits if asked, or of a file that
        `weights.write` wrote; the last two stay in memory."""
        return _loaded(str(Path(path).absolute()), rounded)

    @property
    def digest(self) -> str:  # type: ignore[override]  # computed when it is asked for
        """Twelve digits of a hash of the weights, the vocabulary and the configuration."""
        return self._weights.digest

    def tokens(self, texts: Sequence[str], *, limit: int | None = None) -> Pieces:
        return self._pieces(texts, min(limit or self.config.limit, self.config.positions))

    def spell(self, ids: NDArray[np.integer]) -> list[str]:
        return [self._pieces.pieces[i] for i in ids.tolist()]

    def batches(
        self, ids: Ragged, use: Callable[[Ragged], Answer], layers: int | None = None, workers: int = 1
    ) -> Iterator[tuple[Integers, Answer]]:
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

    def pool(self, vectors: Ragged) -> Array:
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
def _loaded(path: str, rounded: bool) -> Encoder:
    return Encoder(RoundedWeights(Path(path)) if rounded else open_weights(path))


def distinct_texts(texts: Sequence[str]) -> tuple[list[str], Integers]:
    """Return the different texts in order of appearance, and the place of each text among them.

    >>> distinct_texts(["a", "b", "a"])
    (['a', 'b'], array([0, 1, 0]))
    """
    number: dict[str, int] = {}
    place = np.fromiter((number.setdefault(text, len(number)) for text in texts), np.int64, len(texts))
    return list(number), place


def _batches(order: Integers, lengths: Integers) -> Iterator[Integers]:
    """Yield texts in this order, in batches of about `_BATCH` rows; `lengths` are those of the texts in this order.

    >>> [batch.tolist() for batch in _batches(np.array([2, 0, 1]), np.array([500, 500, 512]))]
    [[2, 0], [1]]
    """
    batch = (offsets_of(lengths)[1:] - 1) // _BATCH
    for rows in np.split(order, np.flatnonzero(np.diff(batch)) + 1):
        if len(rows):
            yield rows
