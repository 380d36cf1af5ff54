"""The views of a batch: samples beside the indexed references of their images, with what the index knows already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, Integers, Ragged, gather, offsets_of
from vericap.corpus import Corpus
from vericap.metrics.bleu import ClippedMatches
from vericap.metrics.cider import Similarity
from vericap.metrics.cider_r import RepeatedWords
from vericap.metrics.meteor import Matching
from vericap.metrics.spice import TupleCounts
from vericap.reward.graphs import tuple_counts
from vericap.reward.index import ReferenceIndex
from vericap.reward.matching import matched_captions
from vericap.reward.samples import Samples
from vericap.text.vocabulary import Tokens
from vericap.views.view import Found, View
from vericap.views.views import Views

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies


class BatchViews(Views):
    """Views of samples, each with the references of its image; `images` are places in the index.

    Similarities, matches and repetitions of n-grams come from one walk over the samples instead of arrays of all
    n-grams; everything else is computed as for any corpus. `ended` says whether the word that ends a caption is among
    the words.

    >>> from vericap.reward.samples import SampleReader
    >>> index = ReferenceIndex.build({1: ["a dog"], 2: ["a cat", "the cat"]}, tokenizer="whitespace")
    >>> views = BatchViews(index, SampleReader(index)(["a cat"]), np.array([1]))
    >>> views.corpus.references, views.words.words
    (['a cat', 'the cat'], ['a', 'cat', 'the'])
    """

    def __init__(self, index: ReferenceIndex, samples: Samples, images: Integers, *, ended: bool = True) -> None:
        self.index, self.samples, self.ended = index, samples, ended
        without = -1 if ended else index.end
        self._as_indexed = without < 0  # norms and document frequencies of the index are of these very words
        number: dict[int, int] = {}  # for fifty ids faster than sorting them
        image = np.array([number.setdefault(each, len(number)) for each in images.tolist()], np.int64)
        self.images: Integers = np.array(list(number), np.int64)
        self._references, offsets = gather(index.image_offsets, self.images)
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
        corpus = Corpus(cast(Any, images), candidates, image, references, offsets)
        super().__init__(corpus, tokenizer=index.tokenizer, language=index.language)

    @property
    def frequencies(self) -> DocumentFrequencies:
        return self.index.frequencies

    @frequencies.setter
    def frequencies(self, given: DocumentFrequencies | None) -> None:
        """The index's own are in use; `Views` has none to set here."""

    def get(self, view: View[Found]) -> Found:
        found, reading = self._found, _READINGS.get(type(view))
        as_indexed = self._as_indexed or isinstance(view, TupleCounts | Matching)  # they count no n-grams
        if reading is not None and as_indexed and view not in found:
            value = reading(self, view)
            if value is not None:
                found[view] = value
        return super().get(view)

    @cached_property
    def matched(self) -> dict[str, Floats]:
        """What samples share with their references; see `NGramMatcher.match`."""
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

    @cached_property
    def word_counts(self) -> tuple[Integers, Integers]:
        return self._words.lengths, self._reference_words.lengths

    @cached_property
    def tokens(self) -> Tokens:
        return self._joined(self.sample_tokens, self.reference_tokens)

    @cached_property
    def words(self) -> Tokens:
        return self._joined(self._words, self._reference_words)

    def _joined(self, samples: Ragged, references: Ragged) -> Tokens:
        """Both sides in numbers of their own, so that nothing has to look at words that do not occur."""
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
    """Captions without a token; -1 is none.

    >>> without_token(Ragged.of([[1, 9], [9], [2]]), 9).offsets.tolist()
    [0, 1, 1, 2]
    """
    if token < 0:
        return captions
    keep = captions.values != token
    return Ragged(captions.values[keep], offsets_of(keep)[captions.offsets])


class _Texts(Sequence[str]):
    """Texts that are spelled, or read from the index, when somebody asks for them."""

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

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return list(self) == other

    def __repr__(self) -> str:
        return repr(list(self))


def _similarity(views: BatchViews, view: Similarity) -> Floats | None:
    if view.order > views.index.order:
        return None
    products = views.matched["clipped" if view.clipped else "dot"]
    similarity: Floats = products[:, view.order - 1] / views.norms[:, view.order - 1]
    return similarity


def _matches(views: BatchViews, view: ClippedMatches) -> Floats | None:
    return views.matched["matches"][:, view.order - 1] if view.order <= views.index.order else None


def _repeated(views: BatchViews, view: RepeatedWords) -> tuple[Floats, Floats]:
    return views.matched["repetition"], views.matched["distinct"]


# Views that the index answers faster than arrays of all n-grams would.
_READINGS: dict[type[View[Any]], Callable[[BatchViews, Any], Any]] = {
    Similarity: _similarity,
    ClippedMatches: _matches,
    RepeatedWords: _repeated,
    TupleCounts: tuple_counts,
    Matching: matched_captions,
}
