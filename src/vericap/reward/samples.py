"""Samples of a policy as token numbers of the index: from strings, lists of words, or the model's own numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Booleans, Ragged, offsets_of
from vericap.errors import InputError, not_a_set
from vericap.text.tokenizers import tokenizer
from vericap.text.vocabulary import split_at_white_space
from vericap.views.batch import Samples
from vericap.views.index import IndexedReferences, append_to_each

END = "<eos>"
PADDING = -1


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words behind a model's token numbers: a list, {number: word} or {word: number}.

    `end` is the number that ends a sample: what comes after it is left out. Numbers in `padding`, and negative ones,
    are left out wherever they are.

    >>> Vocabulary(["<pad>", "a", "dog"], end=0).spell([1, 2, 0, 2])
    ['a', 'dog']
    """

    words: Sequence[str] | Mapping[int, str] | Mapping[str, int]
    end: int | None = None
    padding: Sequence[int] = ()

    @cached_property
    def by_number(self) -> dict[int, str]:
        """The word of each number that is one."""
        special = {*self.padding, self.end}
        return {number: word for number, word in self._given.items() if number not in special and number >= 0}

    @cached_property
    def _given(self) -> dict[int, str]:
        if isinstance(self.words, Mapping):
            pairs = [(k, v) if isinstance(v, str) else (v, k) for k, v in self.words.items()]
            found = {int(number): str(word) for number, word in pairs}
            if len(found) < len(pairs):
                raise InputError("two words have the same number", field="vocabulary", fix="number words one to one")
            return found
        return dict(enumerate(not_a_set(self.words, "vocabulary")))

    @property
    def end_word(self) -> str:
        """The word that ends a sample: the vocabulary's own word, or `<eos>`."""
        return END if self.end is None else self._given.get(self.end, END)

    def spell(self, numbers: Any) -> list[str]:
        """The words of one sample."""
        words = []
        for number in as_array(numbers).tolist():
            if number == self.end:
                break
            if number < 0 or number in self.padding:
                continue
            if number not in self.by_number:
                raise InputError(f"the vocabulary has no number {number}", field="vocabulary", fix="give all words")
            words.append(self.by_number[number])
        return words


class SampleReader:
    """Reads samples for one index and one vocabulary, whose numbers are mapped once.

    >>> index = IndexedReferences.build({1: ["a dog", "a cat"]}, tokenizer="whitespace")
    >>> read = SampleReader(index, Vocabulary(["<end>", "dog", "a"], end=0))
    >>> one, two = read(["a dog"]), read(np.array([[2, 1, 0, 0]]))
    >>> one.words.values.tolist() == two.words.values.tolist()
    True
    """

    def __init__(self, index: IndexedReferences, vocabulary: Vocabulary | None = None) -> None:
        self.index, self.vocabulary = index, vocabulary
        self._encode = tokenizer(index.tokenizer)
        self._end = index.end
        if vocabulary is not None:
            self._numbers = _mapping(vocabulary, index.number)

    def __call__(self, samples: Any) -> Samples:
        """The samples, whatever they come as."""
        if is_array(samples):
            return self._from_matrix(as_array(samples))
        if isinstance(samples, str) or not isinstance(samples, Sequence):
            raise InputError(
                f"samples are of type {type(samples).__name__}",
                field="samples",
                fix="give a list of strings, of lists of words or of token numbers, or an array [samples, length]",
            )
        first = samples[0] if len(samples) else ""
        if isinstance(first, int):
            raise InputError(
                "the samples are numbers; are samples and image ids swapped?",
                field="samples",
                fix="call reward(samples, image_ids); a sample is a string, a list of words or a row of token numbers",
            )
        if isinstance(first, str):
            return self._from_strings(samples)
        if not {set, frozenset}.isdisjoint(map(type, samples)):
            raise InputError("a sample is a set, which has no order", field="samples", fix="give its words as a list")
        if (known := self._from_known_words(samples)) is not None:
            return known
        if is_array(first) or (first and not isinstance(first[0], str)) or not all(map(_all_strings, samples)):
            return self._from_rows([as_array(sample) for sample in samples])
        return self._from_words(samples)

    def _from_strings(self, samples: Sequence[str]) -> Samples:
        for row, sample in enumerate(samples):
            if not isinstance(sample, str):
                raise _not_alike(row, sample)
        words: dict[str, int] = {}
        return self._numbered(self._encode(samples, words), list(words), samples)

    def _from_words(self, samples: Sequence[Sequence[str]]) -> Samples:
        words: dict[str, int] = {}
        number = words.setdefault
        values = [number(word, len(words)) for sample in samples for word in sample]
        return self._numbered(Ragged(np.array(values, np.int32), offsets_of(list(map(len, samples)))), list(words))

    def _from_known_words(self, samples: Sequence[Any]) -> Samples | None:
        """Lists of words that all have numbers, which is nearly every batch; None for anything else."""
        number = self.index.plain_number.get
        try:
            values = np.array([number(word, -1) for sample in samples for word in sample], np.int32)
        except TypeError:  # no lists, or nothing that could be a word
            return None
        if values.size == 0 or values.min() < 0:
            return None
        words = Ragged(values, offsets_of(list(map(len, samples))))
        if self._end >= 0:
            words = append_to_each(words, self._end)
        return Samples(words, words, ())

    def _numbered(self, column: Ragged, words: list[str], texts: Sequence[str] | None = None) -> Samples:
        """Samples whose numbers are places in `words`; every one of them has ended."""
        split, words = split_at_white_space(column, words)
        known, size = self.index.number, len(self.index.number)
        new: dict[str, int] = {}
        numbers = [known[word] if word in known else new.setdefault(word, size + len(new)) for word in words]
        number = np.array(numbers, np.int32)
        kinds = [split] if split is column else [split, column]
        sides = [Ragged(number[each.values], each.offsets) for each in kinds]
        if self._end >= 0:
            sides = [append_to_each(side, self._end) for side in sides]
        return Samples(sides[0], sides[-1], list(new), texts)

    def _from_rows(self, rows: Sequence[NDArray[Any]]) -> Samples:
        width = max((row.size for row in rows), default=0)
        matrix = np.full((len(rows), width), PADDING, np.int64)
        for row, numbers in enumerate(rows):
            if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
                raise _not_alike(row, numbers)
            matrix[row, : numbers.size] = numbers
        return self._from_matrix(matrix)

    def _from_matrix(self, matrix: NDArray[Any]) -> Samples:
        if matrix.ndim != 2 or matrix.dtype.kind not in "iu":
            raise InputError(
                f"samples are an array of shape {list(matrix.shape)} and type {matrix.dtype}",
                field="samples",
                fix="give token numbers as integers, [samples, length]",
            )
        if self.vocabulary is None:
            raise InputError(
                "samples are token numbers, and no vocabulary says which words they are",
                field="vocabulary",
                fix="add vocabulary=WORDS when you make the reward",
            )
        # The last place is for negative numbers alone.
        last = len(self._numbers) - 1
        if matrix.size and int(matrix.max()) >= last:
            raise _no_word(matrix, matrix >= last)
        numbers = self._numbers[np.where(matrix < 0, last, matrix)]
        ends = matrix == self.vocabulary.end
        behind = np.cumsum(ends, axis=1)
        if (unknown := (numbers == _NO_WORD) & (behind == 0)).any():
            raise _no_word(matrix, unknown)
        keep = (numbers >= 0) & (behind == 0)
        if self._end >= 0:
            first = ends & (behind == 1)  # the end itself, once
            numbers = np.where(first, self._end, numbers)
            keep |= first
        words = Ragged(numbers[keep], offsets_of(keep.sum(axis=1)))
        return Samples(words, words, ())


_NO_WORD = -2


def _mapping(vocabulary: Vocabulary, number: Mapping[str, int]) -> NDArray[np.int32]:
    """The index's number of each of the model's; padding at the end, where negative numbers are sent."""
    by_number = vocabulary.by_number
    special = [n for n in (*vocabulary.padding, vocabulary.end) if n is not None and n >= 0]
    size = max([*by_number, *special], default=0) + 1
    numbers = np.full(size + 1, _NO_WORD, np.int32)
    for model_number, word in by_number.items():
        numbers[model_number] = number[word]
    numbers[special] = PADDING
    numbers[-1] = PADDING
    return numbers


def is_array(value: Any) -> bool:
    """Return whether it is a NumPy array, a PyTorch tensor or the like; nothing is imported to find out."""
    return hasattr(value, "__array__") or hasattr(value, "detach")


def as_array(value: Any) -> NDArray[Any]:
    """A NumPy array of what is one already, of a tensor on any device, or of a list.

    >>> as_array([3, 4]).tolist(), as_array([]).shape
    ([3, 4], (0,))
    """
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    return np.asarray(value)


def _all_strings(sample: Any) -> bool:
    return isinstance(sample, Sequence) and not isinstance(sample, str) and all(isinstance(w, str) for w in sample)


def _no_word(matrix: NDArray[Any], unknown: Booleans) -> InputError:
    row, column = np.argwhere(unknown)[0].tolist()
    return InputError(
        f"the vocabulary has no number {matrix[row, column]}", row=row, field="samples", fix="give all words"
    )


def _not_alike(row: int, sample: Any) -> InputError:
    return InputError(
        f"the sample is of type {type(sample).__name__}, others are not",
        row=row,
        field="samples",
        fix="give all as strings, all as lists of words, or all as token numbers",
    )
