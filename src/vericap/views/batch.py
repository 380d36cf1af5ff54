"""A batch of rewards as a source of views: samples with the indexed references of their images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, Integers, Ragged, gather, offsets_of
from vericap.corpus import Corpus
from vericap.text.ngrams import Pairs
from vericap.text.vocabulary import Tokens
from vericap.views.index import IndexedReferences
from vericap.views.sources import Source
from vericap.views.views import Views


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples as numbers of the index; from `len(index.vocabulary)` on they are places in `new_words`. `texts` are the
    strings, where strings were given."""

    words: Ragged
    tokens: Ragged
    new_words: Sequence[str]
    texts: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.words)


class IndexedBatch(Source):
    """Samples, each with the references of its image; `images` are places in the index.

    Views are answered by `View.from_index`: similarities, matches and repetitions of n-grams up to `order` come from
    one walk over the samples instead of arrays of all n-grams. `ended` says whether the word that ends a caption is
    among the words.

    >>> from vericap.reward.samples import SampleReader
    >>> index = IndexedReferences.build({1: ["a dog"], 2: ["a cat", "the cat"]}, tokenizer="whitespace")
    >>> views = Views(IndexedBatch(index, SampleReader(index)(["a cat"]), np.array([1])), tokenizer="whitespace")
    >>> views.corpus.references, views.words.words
    (['a cat', 'the cat'], ['a', 'cat', 'the'])
    """

    def __init__(self, index: IndexedReferences, samples: Samples, images: Integers, *, ended: bool = True) -> None:
        self.index, self.samples, self.ended = index, samples, ended
        without = -1 if ended else index.end
        # Norms and document frequencies of the index are of all its words, the one that ends a caption among them.
        self.order = index.order if without < 0 else 0
        number: dict[int, int] = {}  # for fifty ids faster than sorting them
        image = np.array([number.setdefault(each, len(number)) for each in images.tolist()], np.int64)
        self.images: Integers = np.array(list(number), np.int64)
        self._references, offsets = gather(index.offsets, self.images)
        self._words = without_token(samples.words, without)
        self._reference_words = without_token(index.words.take(self._references), without)
        same = samples.tokens is samples.words and index.tokens is index.words
        self.sample_tokens = self._words if same else without_token(samples.tokens, without)
        self.reference_tokens = (
            self._reference_words if same else without_token(index.tokens.take(self._references), without)
        )
        candidates = samples.texts or _Texts(len(self._words), lambda row: self._spelled(self._words[row]))
        read = self._written if index.has_texts else lambda row: self._spelled(self.reference_tokens[row])
        references = _Texts(len(self._references), read)
        self.corpus, self.batch = Corpus(cast(Any, images), candidates, image, references, offsets), self
        self.pairs, self.frequencies = Pairs.of(image, offsets), index.frequencies
        self.word_counts = self._words.lengths, self._reference_words.lengths

    @cached_property
    def matched(self) -> dict[str, Floats]:
        """Return the n-grams that samples share with their references; see `NGramMatcher.match`."""
        ours, theirs, pairs = self._words, self._reference_words, self.pairs
        return self.index.matcher().match(
            (ours.values, ours.offsets), (theirs.values, theirs.offsets), (pairs.reference, pairs.offsets)
        )

    @cached_property
    def norms(self) -> Floats:
        """‖g(c)‖ ‖g(s)‖ of every pair and order; 1 where a vector has no weight, as its products are 0."""
        pairs = self.pairs
        references = self.index.norms[self._references]
        norms = self.matched["norm"][pairs.candidate] * references[pairs.reference]
        return np.where(norms > 0, norms, 1.0)

    def tokens(self, views: Views) -> Tokens:
        return self._joined(self.sample_tokens, self.reference_tokens)

    def words(self) -> Tokens:
        return self._joined(self._words, self._reference_words)

    def _joined(self, samples: Ragged, references: Ragged) -> Tokens:
        """Return both sides in numbers of their own, so that nothing has to look at words that do not occur."""
        captions = Ragged.join([samples, references])
        ids, values = np.unique(captions.values, return_inverse=True)
        captions = Ragged(values.astype(np.int32), captions.offsets)
        return Tokens.in_alphabetical_order(captions, len(samples), self._spell(ids))

    def _written(self, row: int) -> str:
        return self.index.text(int(self._references[row]))

    def _spelled(self, ids: NDArray[np.int32]) -> str:
        return " ".join(self._spell(ids))

    def _spell(self, ids: NDArray[np.int32]) -> list[str]:
        words, new, size = self.index.vocabulary, self.samples.new_words, len(self.index.vocabulary)
        return [words[i] if i < size else new[i - size] for i in ids.tolist()]


def without_token(captions: Ragged, token: int) -> Ragged:
    """Return captions without a token; -1 leaves them as they are.

    >>> without_token(Ragged.of([[1, 9], [9], [2]]), 9).offsets.tolist()
    [0, 1, 1, 2]
    """
    if token < 0:
        return captions
    keep = captions.values != token
    return Ragged(captions.values[keep], offsets_of(keep)[captions.offsets])


class _Texts(Sequence[str]):
    """Texts that are spelled, or read from the index, on demand."""

    def __init__(self, count: int, read: Callable[[int], str]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        return self._read(range(len(self))[row])

    def __eq__(self, other: object) -> bool:
        return list(self) == other

    def __repr__(self) -> str:
        return repr(list(self))
