"""Inside `remembering_vectors` a caption is encoded once, and its vector is the same as outside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vericap.encoders.remembered import remembering_vectors, sentence_vectors


class Counting:
    """An encoder whose vectors are lengths of texts, and which knows what it was asked."""

    def __init__(self, digest: str) -> None:
        self.digest, self.asked = digest, list[str]()

    def sentences(self, texts: Sequence[str], *, workers: int = 1) -> np.ndarray:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(-1, 2)


def test_a_caption_is_encoded_once_by_each_encoder() -> None:
    one, other = Counting("one"), Counting("other")
    with remembering_vectors():
        assert sentence_vectors(one, ["a", "bcd", "a"]).tolist() == [[1, 1], [3, 1], [1, 1]]
        assert sentence_vectors(one, ["ef", "bcd"]).tolist() == [[2, 1], [3, 1]]
        assert sentence_vectors(other, ["bcd"]).tolist() == [[3, 1]]
        assert sentence_vectors(one, []).shape == (0, 2)
    assert one.asked == ["a", "bcd", "ef"]
    assert other.asked == ["bcd"]


def test_nothing_is_kept_afterwards() -> None:
    encoder = Counting("one")
    for _ in range(2):
        with remembering_vectors():
            sentence_vectors(encoder, ["a"])
        sentence_vectors(encoder, ["a"])
    assert encoder.asked == ["a"] * 4
