"""Token ids: one vocabulary for a corpus, and ragged columns of ids."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Ragged:
    """Rows of different length in one array: row i is `values[offsets[i]:offsets[i + 1]]`.

    >>> rows = Ragged(np.array([7, 8, 9]), np.array([0, 2, 2, 3]))
    >>> [row.tolist() for row in rows], rows.lengths.tolist()
    ([[7, 8], [], [9]], [2, 0, 1])
    """

    values: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> NDArray[np.int32]:
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[row] for row in range(len(self)))

    @classmethod
    def join(cls, columns: Sequence[Ragged]) -> Ragged:
        """The rows of several columns, one column after the other."""
        lengths = np.concatenate([column.lengths for column in columns])
        values = np.concatenate([column.values for column in columns])
        return cls(values, np.concatenate([[0], np.cumsum(lengths)]))

    def window(self, first: int, last: int) -> Ragged:
        """The rows first … last - 1."""
        start, end = self.offsets[first], self.offsets[last]
        return Ragged(self.values[start:end], self.offsets[first : last + 1] - start)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


@dataclass(frozen=True, eq=False)
class Tokens:
    """The captions of a corpus as token ids; the same word has the same id on both sides.

    `captions` holds the candidates, then the references; the other two ragged columns are windows on it.
    """

    captions: Ragged
    candidates: Ragged
    references: Ragged
    words: Sequence[str]

    @classmethod
    def split(cls, captions: Ragged, candidates: int, words: Sequence[str]) -> Tokens:
        """Tokens from one ragged column whose first rows are the candidates."""
        middle = captions.offsets[candidates]
        return cls(
            captions,
            Ragged(captions.values[:middle], captions.offsets[: candidates + 1]),
            Ragged(captions.values[middle:], captions.offsets[candidates:] - middle),
            words,
        )

    def spell(self, ids: Sequence[int] | NDArray[np.int32]) -> list[str]:
        """The words of some ids."""
        words = self.words
        # Python's own integers: an array's are made one by one, and cost more than the words.
        return [words[i] for i in (ids.tolist() if isinstance(ids, np.ndarray) else ids)]


def encode(
    captions: Sequence[str], tokenize: Callable[[str], list[str]], vocabulary: dict[str, int]
) -> Ragged:
    """Token ids of captions; `vocabulary` grows by the words it has not seen.

    >>> vocabulary: dict[str, int] = {}
    >>> encode(["a dog", "", "a cat"], str.split, vocabulary).values.tolist(), vocabulary
    ([0, 1, 0, 2], {'a': 0, 'dog': 1, 'cat': 2})
    """
    ids = array("i")
    ends = array("q", [0])
    number = vocabulary.setdefault
    for caption in captions:
        ids.extend([number(word, len(vocabulary)) for word in tokenize(caption)])
        ends.append(len(ids))
    return Ragged(np.array(ids, np.int32), np.array(ends, np.int64))


def split_at_white_space(captions: Ragged, words: Sequence[str]) -> tuple[Ragged, list[str]]:
    """Captions and vocabulary with every token split at the white space inside it, as BLEU and CIDEr see them.

    PTB keeps a mixed fraction (22 3/4) together with a no-break space; COCO's BLEU and CIDEr split there, its
    ROUGE-L does not. Other tokens keep their ids.

    >>> split, words = split_at_white_space(Ragged(np.array([0, 1], np.int32), np.array([0, 2])), ["22\\xa03/4", "mm"])
    >>> [words[i] for i in split.values], split.offsets.tolist()
    (['22', '3/4', 'mm'], [0, 3])
    """
    odd = [i for i, word in enumerate(words) if len(word.split()) != 1]
    if not odd:
        return captions, list(words)
    vocabulary = {word: i for i, word in enumerate(words)}
    parts = {i: [vocabulary.setdefault(part, len(vocabulary)) for part in words[i].split()] for i in odd}
    is_odd = np.zeros(len(words), bool)
    is_odd[odd] = True
    where = np.flatnonzero(is_odd[captions.values])
    inserted = [parts[token] for token in captions.values[where].tolist()]
    count = np.array([len(part) for part in inserted], np.int64)
    values = np.insert(
        np.delete(captions.values, where),
        np.repeat(where - np.arange(len(where)), count),
        [i for part in inserted for i in part],
    )
    longer = np.concatenate([[0], np.cumsum(count - 1)])
    return Ragged(values, captions.offsets + longer[np.searchsorted(where, captions.offsets)]), list(vocabulary)
