"""Token ids: one vocabulary for a corpus, and its captions as ragged columns of ids."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, offsets_of


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
    def in_alphabetical_order(cls, captions: Ragged, candidates: int, words: Sequence[str]) -> Tokens:
        """Return tokens whose words, and the parts that `split_at_white_space` will make of them, have ids in
        alphabetical order. Sums over the words of a caption run in the order of ids: so they have the same bits in any
        company.

        >>> tokens = Tokens.in_alphabetical_order(Ragged(np.array([0, 1], np.int32), np.array([0, 2])), 1, ["dog", "a"])
        >>> tokens.words, tokens.captions.values.tolist()
        (['a', 'dog'], [1, 0])
        """
        every = sorted({*words, *(part for word in words if not word.isalnum() for part in word.split())})
        number = dict(zip(every, range(len(every)), strict=True))
        ids = np.fromiter(map(number.__getitem__, words), np.int32, len(words))
        return cls.split(Ragged(ids[captions.values], captions.offsets), candidates, every)

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

    def take(self, candidates: Integers, references: Integers) -> Tokens:
        """Return the tokens of some candidates and some references, with the same ids."""
        captions = Ragged.join([self.candidates.take(candidates), self.references.take(references)])
        return Tokens.split(captions, len(candidates), self.words)

    def spell(self, ids: Sequence[int] | NDArray[np.int32]) -> list[str]:
        """Return the words of some ids."""
        words = self.words
        # Python's own integers: an array's are made one by one, and cost more than the words.
        return [words[i] for i in (ids.tolist() if isinstance(ids, np.ndarray) else ids)]


def encode(captions: Sequence[str], tokenize: Callable[[str], list[str]], vocabulary: dict[str, int]) -> Ragged:
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


@dataclass(frozen=True, eq=False)
class Seams:
    """The split of tokens at white space: `first[i]` is the place of the first part of `token[i]`, `others` are the
    places of all further parts. `words` is the number of words before the split, to which it added others."""

    first: Integers
    token: NDArray[np.int32]
    others: Integers
    words: int

    @classmethod
    def of(cls, tokens: Ragged, words: Sequence[str]) -> Seams | None:
        """Return the seams of what `split_at_white_space` makes of tokens; None where a token has no part at all."""
        parts = np.array([len(word.split()) for word in words], np.int64)
        if not parts.all():
            return None
        where = np.flatnonzero((parts != 1)[tokens.values])
        token = tokens.values[where]
        first = where + offsets_of(parts[token] - 1)[:-1]
        return cls(first, token, Ragged.spans(first + 1, first + parts[token]).values, len(words))

    def rejoin(self, captions: Ragged) -> Ragged:
        """Return the tokens, of captions that were split.

        >>> tokens, words = Ragged(np.array([0, 1, 0], np.int32), np.array([0, 2, 3])), ["22\\xa03/4", "mm"]
        >>> seams, (split, _) = Seams.of(tokens, words), split_at_white_space(tokens, words)
        >>> seams.rejoin(split).values.tolist(), seams.rejoin(split).offsets.tolist()
        ([0, 1, 0], [0, 2, 3])
        """
        values = captions.values.copy()
        values[self.first] = self.token
        offsets = captions.offsets - np.searchsorted(self.others, captions.offsets)
        return Ragged(np.delete(values, self.others), offsets)


def split_at_white_space(captions: Ragged, words: Sequence[str]) -> tuple[Ragged, list[str]]:
    """Captions and vocabulary with every token split at the white space inside it, as BLEU and CIDEr see them.

    PTB keeps a mixed fraction (22 3/4) together with a no-break space; COCO's BLEU and CIDEr split there, its
    ROUGE-L does not. Other tokens keep their ids.

    >>> split, words = split_at_white_space(Ragged(np.array([0, 1], np.int32), np.array([0, 2])), ["22\\xa03/4", "mm"])
    >>> [words[i] for i in split.values], split.offsets.tolist()
    (['22', '3/4', 'mm'], [0, 3])
    """
    odd = [i for i, word in enumerate(words) if not word.isalnum() and len(word.split()) != 1]
    if not odd:
        return captions, list(words)
    vocabulary = {word: i for i, word in enumerate(words)}
    parts = {
        i: np.array([vocabulary.setdefault(part, len(vocabulary)) for part in words[i].split()], np.int32) for i in odd
    }
    is_odd = np.zeros(len(words), bool)
    is_odd[odd] = True
    where = np.flatnonzero(is_odd[captions.values])
    inserted = [parts[token] for token in captions.values[where].tolist()]
    longer = offsets_of(np.array([len(part) for part in inserted], np.int64) - 1)
    # Such tokens are rare: the long pieces of the column between them are copied as they are.
    pieces, last = [], 0
    for place, part in zip(where.tolist(), inserted, strict=True):
        pieces += [captions.values[last:place], part]
        last = place + 1
    values = np.concatenate([*pieces, captions.values[last:]])
    return Ragged(values, captions.offsets + longer[np.searchsorted(where, captions.offsets)]), list(vocabulary)
