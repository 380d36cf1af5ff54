"""Sentence vectors that were computed before: a benchmark is judged with one set of its references after another, and
the captions are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

import numpy as np

from vericap.encoders.encoder import distinct_texts
from vericap.encoders.weights import Array

_known: ContextVar[dict[str, dict[str, Array]] | None] = ContextVar("encoded captions", default=None)


class SentenceEncoder(Protocol):
    """Whatever gives one vector for each text."""

    @property
    def digest(self) -> str: ...

    def sentences(self, texts: Sequence[str], *, workers: int = 1) -> Array: ...


@contextmanager
def remembering_vectors() -> Iterator[None]:
    """Inside it, a caption that was encoded once is not encoded again by the same encoder, whatever corpus it is in."""
    known = _known.get()
    token = _known.set({} if known is None else known)
    try:
        yield
    finally:
        _known.reset(token)


def sentence_vectors(encoder: SentenceEncoder, texts: Sequence[str], workers: int = 1) -> Array:
    """One vector for each text, array [texts, size]; those that are remembered are not computed."""
    known = _known.get()
    if known is None:
        return encoder.sentences(texts, workers=workers)
    vectors = known.setdefault(encoder.digest, {})
    distinct, place = distinct_texts(texts)
    new = [text for text in distinct if text not in vectors]
    vectors.update(zip(new, encoder.sentences(new, workers=workers), strict=True))
    if not distinct:
        return encoder.sentences([])
    return np.stack([vectors[text] for text in distinct])[place]
