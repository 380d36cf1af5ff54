"""The model of Verity: an encoder of texts and a head, and the references that it has read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeAlias

import numpy as np

import vericap.data
from vericap.arrays import Ragged
from vericap.encoders import Encoder
from vericap.encoders.products import Product
from vericap.errors import InputError
from vericap.metrics.verity.head import Head
from vericap.metrics.verity.matching import EncodedReferences, Text, gather_references

Picture: TypeAlias = tuple[str, ...]  # the reference captions of a picture

SHIPPED = vericap.data.FOLDER / "verity"
ENCODERS, HEAD = ("encoder.arrays", "encoder"), "head.arrays"  # an encoder is one 8-bit file or a folder
KEPT_PIECES = 300_000  # of references in memory, about 200 MB or 5,000 pictures of COCO; others are encoded again


class Read(NamedTuple):
    """Captions and pictures as `matching` takes them; None for a picture whose references have no word."""

    captions: list[Text]
    pictures: list[EncodedReferences | None]


class Words(NamedTuple):
    """The words of a text: how they are written, and which word each piece belongs to."""

    spelled: list[str]
    word: list[int]


class Model:
    """Texts → what `matching` takes. Each distinct text of a call is encoded once, and references are kept: those of
    a reward come again and again."""

    def __init__(self, folder: Path) -> None:
        there = [folder / name for name in ENCODERS if (folder / name).exists()]
        missing = [] if there else [ENCODERS[0]]
        missing += [] if (folder / HEAD).is_file() else [HEAD]
        if missing:
            fix = "leave `model` out for the one that ships, or give a folder that tools/verity/export.py wrote"
            raise InputError(f"this is not a model of Verity: {missing[0]} is missing", source=str(folder), fix=fix)
        self.encoder = Encoder.load(there[0])
        self.head = Head.read(folder / HEAD)
        size, self._dimension = self.head.projection.shape
        if size != self.encoder.size:
            raise InputError(
                f"the head is for vectors of {size} numbers, and those of the encoder have {self.encoder.size}",
                source=str(folder),
                fix="export both again",
            )
        # Vectors and weights come from one product.
        self._project = Product(np.column_stack([self.head.projection, self.head.weigh]))
        self._kept: dict[Picture, EncodedReferences | None] = {}
        self._kept_pieces = 0
        self._lock = Lock()

    @property
    def digest(self) -> str:
        """Hashes of the encoder and the head."""
        return f"{self.encoder.digest}-{self.head.digest}"

    def read(self, captions: Sequence[str], pictures: Sequence[Picture], workers: int = 1) -> Read:
        """Captions, and pictures by their references."""
        found = {picture: self._kept[picture] for picture in pictures if picture in self._kept}
        new = [picture for picture in dict.fromkeys(pictures) if picture not in found]
        distinct = list(dict.fromkeys([*captions, *(text for picture in new for text in picture)]))
        texts = dict(zip(distinct, self._encode(distinct, workers), strict=True))
        made = {picture: gather_references([texts[text] for text in picture]) for picture in new}
        with self._lock:
            for picture, references in made.items():
                size = 1 if references is None else len(references.vectors)
                if self._kept_pieces + size <= KEPT_PIECES and picture not in self._kept:
                    self._kept[picture] = references
                    self._kept_pieces += size
        found.update(made)
        return Read([texts[caption] for caption in captions], [found[picture] for picture in pictures])

    def _encode(self, texts: Sequence[str], workers: int) -> list[Text]:
        pieces = self.encoder.tokens(texts)
        made: list[Text | None] = [None] * len(texts)
        for rows, batch in self.encoder.batches(pieces.ids, self._read_batch, None, workers):
            for row, text in zip(rows.tolist(), batch, strict=True):
                if not has_word(texts[row]):
                    text = Text(text.vectors[:0], text.weights[:0], text.whole)
                made[row] = text._replace(cut=True) if pieces.cut[row] else text
        return [text for text in made if text is not None]

    def _read_batch(self, vectors: Ragged) -> list[Text]:
        values, offsets = vectors.values, vectors.offsets
        wholes = np.add.reduceat(values, offsets[:-1])
        wholes /= np.sqrt(np.einsum("ij,ij->i", wholes, wholes))[:, None]
        product = self._project(values)
        projected = np.ascontiguousarray(product[:, : self._dimension])
        lengths = np.sqrt(np.einsum("ij,ij->i", projected, projected))
        projected /= np.maximum(lengths, np.float32(1e-12))[:, None]
        weights = np.logaddexp(np.float32(0), product[:, self._dimension] + np.float32(self.head.weigh_bias))
        return [
            # [CLS] and [SEP] are not words.
            Text(projected[first + 1 : last - 1], weights[first + 1 : last - 1], whole)
            for first, last, whole in zip(offsets[:-1].tolist(), offsets[1:].tolist(), wholes, strict=True)
        ]


def words_of(encoder: Encoder, text: str) -> Words:
    """Return words as a text writes them, with the number of the word of each piece."""
    pieces = encoder.tokens([text])
    spans, word = pieces.spans(0)[1:-1], pieces.word.tolist()[1:-1]
    ends: dict[int, list[int]] = {}
    for (first, last), number in zip(spans, word, strict=True):
        ends.setdefault(number, [first, last])[1] = last
    place = {number: k for k, number in enumerate(ends)}
    return Words([text[first:last] for first, last in ends.values()], [place[number] for number in word])


def has_word(text: str) -> bool:
    """Return whether a text has a letter or a digit.

    >>> has_word("a"), has_word(" ."), has_word("")
    (True, False, False)
    """
    return any(character.isalnum() for character in text)


@lru_cache(maxsize=2)
def load(folder: str = "") -> Model:
    """Return the model in a folder, or the one that ships, read once."""
    return Model(Path(folder) if folder else SHIPPED)
