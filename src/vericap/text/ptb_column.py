"""Penn Treebank tokens of many captions at once: what is the same in every caption is found by the compiled kernel in
their bytes; the rest goes through the rules, each chunk once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from vericap.arrays import Integers, Ragged, offsets_of
from vericap.corpus.columns import TextColumn
from vericap.kernels.tokens import Splitter, number_by_appearance

__all__ = ["ColumnEncoder", "text_blocks"]

BLOCK = 1 << 14  # captions at once: their bytes and chunks stay in the cache
_SEPARATOR = "\0"


class ColumnEncoder:
    """Encodes captions block by block, with one vocabulary for all.

    `of_chunk` gives the tokens between two blanks, None where they depend on what is around it;
    `exceptions` are words of letters that are not one token in lower case. A vocabulary that is given is extended.

    >>> encoder = ColumnEncoder({"dog": 0}, lambda chunk: chunk.split("/"), ["cannot"])
    >>> text, offsets = b"A dog.the dog/s", np.array([0, 6, 15])
    >>> rows = encoder.encode(text, offsets, lambda row: [])
    >>> rows.values.tolist(), rows.offsets.tolist(), encoder.vocabulary
    ([1, 0, 2, 0, 3], [0, 2, 5], {'dog': 0, 'a': 1, 'the': 2, 's': 3})
    """

    def __init__(
        self, vocabulary: dict[str, int], of_chunk: Callable[[str], Sequence[str] | None], exceptions: Sequence[str]
    ) -> None:
        self.vocabulary = vocabulary
        self._of_chunk = of_chunk
        self._splitter = Splitter([word.encode() for word in exceptions])
        self._given = bool(vocabulary)
        self._numbers = np.zeros(0, np.int32)  # of each word of the splitter its number in the vocabulary, -1: none

    def encode(self, text: Any, offsets: Integers, of_row: Callable[[int], Sequence[str]], gap: int = 0) -> Ragged:
        """Return the token ids of captions given as UTF-8, caption i as `text[offsets[i]:offsets[i + 1] - gap]`.

        `of_row` gives the tokens of a caption in which a chunk depends on what is around it.
        """
        splitter = self._splitter
        new = splitter.split(text, offsets, gap)
        for chunk, spelled in zip(new.tolist(), _lines(splitter.spell_chunks(new)), strict=True):
            tokens = self._of_chunk(spelled)
            splitter.define(chunk, None if tokens is None else [token.encode() for token in tokens])
        lengths = splitter.lengths()
        others: list[int] = []
        other_lengths = np.zeros(len(lengths), np.int64)
        for row in np.flatnonzero(lengths < 0).tolist():
            numbers = splitter.numbers([token.encode() for token in of_row(row)])
            lengths[row] = other_lengths[row] = len(numbers)
            others += numbers
        ends = offsets_of(lengths)
        ids = splitter.write(ends, np.array(others, np.int32), offsets_of(other_lengths))
        # From the splitter's numbers to those of the vocabulary, in which words stand in the order they appear in.
        first, size = len(self._numbers), splitter.word_count()
        self._numbers = np.append(self._numbers, np.full(size - first, -1, np.int32))
        if self._given:
            number = self.vocabulary.get
            unseen = np.arange(first, size, dtype=np.int32)
            self._numbers[first:] = [number(word, -1) for word in _lines(splitter.spell_words(unseen))]
        known = len(self.vocabulary)
        order = np.zeros(size, np.int32)
        now = number_by_appearance(ids, self._numbers, order, known)
        self.vocabulary.update(zip(_lines(splitter.spell_words(order[: now - known])), range(known, now), strict=True))
        return Ragged(ids, ends)


def _lines(lines: bytes) -> list[str]:
    return lines.decode().split("\n")[:-1]


def text_blocks(captions: Sequence[str], clean: Callable[[str], str]) -> Iterator[tuple[int, Any, Integers, int]]:
    """Captions as UTF-8, block by block: the first row of a block, bytes, where captions begin and end in them, and how
    many bytes are between two. `clean` is asked where text cannot be written as UTF-8. A column is taken as it is.

    >>> [(row, text, offsets.tolist()) for row, text, offsets, gap in text_blocks(["a dog", "é"], str)]
    [(0, b'a dog\\x00\\xc3\\xa9\\x00', [0, 6, 9])]
    """
    for first in range(0, len(captions), BLOCK):
        block = captions[first : first + BLOCK]
        if isinstance(block, TextColumn):
            yield first, block.data, block.offsets, 0
            continue
        try:
            text = _SEPARATOR.join([*block, ""]).encode()
        except UnicodeEncodeError:
            block = [clean(caption) for caption in block]
            text = _SEPARATOR.join([*block, ""]).encode()
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 0)
        if len(ends) == len(block):
            yield first, text, np.append(0, ends + 1), 1
        else:  # a caption holds the separator
            pieces = [caption.encode() for caption in block]
            yield first, b"".join(pieces), offsets_of([len(piece) for piece in pieces]), 0
