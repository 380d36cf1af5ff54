"""Captions as the word pieces of BERT (Devlin et al. 2019): text is cleaned, lower-cased, stripped of accents and split
at white space, punctuation and Chinese characters; a word becomes the longest pieces that the vocabulary has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vericap.arrays import Booleans, Integers, Ragged, offsets_of
from vericap.errors import InputError

LONGEST_WORD = 100  # characters; a longer word is unknown
REMEMBERED = 200_000  # words whose pieces are kept; a very long run over an open vocabulary starts afresh
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# Other white space of Python (such as U+0085 and U+001C) is control characters here, and removed.
_CHUNK = re.compile("[^ \t\n\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Pieces:
    """The word pieces of texts: ids from [CLS] to [SEP], and for each piece the characters `first` … `last` - 1 of its
    text that it is made of and the word it belongs to. [CLS] and [SEP] have no characters, and the word -1.

    `cut` says which texts were longer than the limit and lost their last pieces.
    """

    ids: Ragged
    first: Integers
    last: Integers
    word: Integers
    cut: Booleans

    def __len__(self) -> int:
        return len(self.ids)

    def spans(self, text: int) -> list[tuple[int, int]]:
        """Return the characters of each piece of a text."""
        rows = slice(self.ids.offsets[text], self.ids.offsets[text + 1])
        return list(zip(self.first[rows].tolist(), self.last[rows].tolist(), strict=True))


class _Split(NamedTuple):
    """The pieces of the text between two spaces; places count from its first character, words from its first."""

    ids: list[int]
    first: list[int]
    last: list[int]
    word: list[int]
    words: int


class WordPiece:
    """A vocabulary of word pieces: `pieces[i]` has id i, and `##ing` continues a word.

    >>> pieces = WordPiece(["[UNK]", "[CLS]", "[SEP]", "a", "dog", "runn", "##ing", "."])
    >>> found = pieces(["A dog running.", "cat"])
    >>> [ids.tolist() for ids in found.ids]
    [[1, 3, 4, 5, 6, 7, 2], [1, 0, 2]]
    >>> found.spans(0)
    [(0, 0), (0, 1), (2, 5), (6, 10), (10, 13), (13, 14), (14, 14)]
    >>> found.word.tolist()
    [-1, 0, 1, 2, 2, 3, -1, -1, 0, -1]
    """

    def __init__(self, pieces: Sequence[str], *, lower: bool = True, source: str = "the vocabulary") -> None:
        self.pieces = pieces
        self.lower = lower
        self._ids = {piece: i for i, piece in enumerate(pieces)}
        missing = [piece for piece in ("[UNK]", "[CLS]", "[SEP]") if piece not in self._ids]
        if missing:
            fix = "give the vocab.txt of a BERT model, one piece per line"
            raise InputError(f"the vocabulary has no piece {missing[0]}", source=source, fix=fix)
        self.unknown, self.start, self.end = (self._ids[piece] for piece in ("[UNK]", "[CLS]", "[SEP]"))
        special = [piece for piece in _SPECIAL if piece in self._ids]
        self._special = re.compile("|".join(map(re.escape, special)))
        self._split: dict[str, _Split] = {}

    def __call__(self, texts: Sequence[str], limit: int | None = None) -> Pieces:
        """Return the pieces of texts; of each no more than `limit`, [CLS] and [SEP] among them."""
        ids: list[int] = []
        first: list[int] = []
        last: list[int] = []
        word: list[int] = []
        lengths, cut = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.bool_)
        for i, text in enumerate(texts):
            before, words = len(ids), 0
            ids.append(self.start)
            first.append(0)
            last.append(0)
            word.append(-1)
            for at, split in self._chunks(text):
                ids += split.ids
                first += [at + place for place in split.first]
                last += [at + place for place in split.last]
                word += [words + number for number in split.word]
                words += split.words
            end = len(text)
            if limit is not None and len(ids) - before >= limit:
                cut[i] = True
                for column in (ids, first, last, word):
                    del column[before + limit - 1 :]
                end = last[-1]
            ids.append(self.end)
            first.append(end)
            last.append(end)
            word.append(-1)
            lengths[i] = len(ids) - before
        spans = np.array(first, np.int64), np.array(last, np.int64)
        return Pieces(Ragged(np.array(ids, np.int32), offsets_of(lengths)), *spans, np.array(word, np.int64), cut)

    def _chunks(self, text: str) -> Iterator[tuple[int, _Split]]:
        """Return the text between spaces and names such as [MASK], with its place, split into pieces."""
        if "[" not in text:
            yield from self._plain_chunks(text, 0)
            return
        done = 0
        for found in self._special.finditer(text):
            yield from self._plain_chunks(text[done : found.start()], done)
            yield found.start(), _Split([self._ids[found[0]]], [0], [len(found[0])], [0], 1)
            done = found.end()
        yield from self._plain_chunks(text[done:], done)

    def _plain_chunks(self, text: str, start: int) -> Iterator[tuple[int, _Split]]:
        known = self._split
        for found in _CHUNK.finditer(text):
            chunk = found[0]
            split = known.get(chunk)
            if split is None:
                if len(known) >= REMEMBERED:
                    known.clear()
                split = known[chunk] = self._split_chunk(chunk)
            yield start + found.start(), split

    def _split_chunk(self, chunk: str) -> _Split:
        ids: list[int] = []
        first: list[int] = []
        last: list[int] = []
        number: list[int] = []
        words = 0
        for letters, places in _words(chunk, self.lower):
            for piece, start, end in self._split_word(letters):
                ids.append(piece)
                first.append(places[start])
                last.append(places[end - 1] + 1)
                number.append(words)
            words += 1
        return _Split(ids, first, last, number, words)

    def _split_word(self, word: str) -> list[tuple[int, int, int]]:
        """Return a word's pieces, longest first from the left: id, first and last character; all of it unknown if one
        is."""
        unknown = [(self.unknown, 0, len(word))]
        if len(word) > LONGEST_WORD:
            return unknown
        found: list[tuple[int, int, int]] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = self._ids.get(word[start:end] if not start else f"##{word[start:end]}")
                if piece is not None:
                    found.append((piece, start, end))
                    start = end
                    break
            else:
                return unknown
        return found


def _words(chunk: str, lower: bool) -> Iterator[tuple[str, list[int]]]:
    """Return the words of the text between two spaces, cleaned, each with the place of every character in the chunk.

    >>> [word for word, _ in _words("Café-bar's", True)]
    ['cafe', '-', 'bar', "'", 's']
    """
    letters: list[str] = []
    places: list[int] = []
    for letter, place in _clean(chunk, lower):
        alone = _stands_alone(letter)
        if alone and letters:
            yield "".join(letters), places
            letters, places = [], []
        if alone:
            yield letter, [place]
        else:
            letters.append(letter)
            places.append(place)
    if letters:
        yield "".join(letters), places


def _clean(chunk: str, lower: bool) -> Iterator[tuple[str, int]]:
    """The characters that count, each with its place: no control characters; lower case without accents if asked."""
    for place, character in enumerate(chunk):
        # A surrogate, which no file in UTF-8 holds, is as unknown as what is not assigned.
        if character in "\0\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co"):
            continue
        if not lower:
            yield character, place
            continue
        for part in unicodedata.normalize("NFD", character):
            if unicodedata.category(part) != "Mn":
                # One by one: at the end of a word Python would write Σ as ς.
                for letter in part.lower():
                    yield letter, place


def _stands_alone(character: str) -> bool:
    """Return whether a character is a word of its own: punctuation, signs of ASCII, Chinese characters."""
    code = ord(character)
    if code < 128:
        return not character.isalnum()
    return unicodedata.category(character)[0] == "P" or any(low <= code <= high for low, high in _CHINESE)
