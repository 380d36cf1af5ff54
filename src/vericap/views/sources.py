"""Sources of the columns of views: the captions of a corpus, or a few rows of other views."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from vericap.arrays import Integers, gather
from vericap.corpus import Corpus
from vericap.text.ngrams import NGrams, Pairs
from vericap.text.tokenizers import encode_sides, tokenizer
from vericap.text.vocabulary import Tokens

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies
    from vericap.views.batch import IndexedBatch
    from vericap.views.views import Views


class Source:
    """The captions of a corpus, which views tokenise themselves. Other sources override what they know better.

    `first_rows`: where the candidates of each captioner but the first begin; each captioner's are a text of their own.
    """

    whole: Views | None = None  # whose rows these are, if they are not all
    frequencies: DocumentFrequencies | None = None  # that belong to the captions; they are checked already
    word_counts: tuple[Integers, Integers] | None = None  # of candidates and references, where known before `words`
    batch: IndexedBatch | None = None  # what `View.from_index` looks at, where references are indexed

    def __init__(self, corpus: Corpus, first_rows: Sequence[int] = ()) -> None:
        self.corpus, self.first_rows = corpus, first_rows

    @cached_property
    def pairs(self) -> Pairs:
        """Every candidate with each of its references."""
        return Pairs.of(self.corpus.image, self.corpus.reference_offsets)

    def tokens(self, views: Views) -> Tokens:
        """Return candidates and references as token ids of one vocabulary."""
        vocabulary: dict[str, int] = {}
        candidates, cuts = self.corpus.candidates, [0, *self.first_rows, len(self.corpus)]
        sides = [*(candidates[first:last] for first, last in pairwise(cuts)), self.corpus.references]
        captions = encode_sides(tokenizer(views.tokenizer), sides, vocabulary, views.workers)
        return Tokens.in_alphabetical_order(captions, len(self.corpus), list(vocabulary))

    def words(self) -> Tokens | None:
        """Return the tokens split at white space, where they are known; None: the views split them."""
        return None

    def ngrams(self, views: Views, order: int) -> NGrams | None:
        """Return the n-grams of one order, where they are known; None: the views count them."""
        return None


class FewRows(Source):
    """A few rows of other views: what concerns single captions is computed for these alone, while tokens, n-grams and
    document frequencies are those of the whole corpus, so that every number stays what it is there."""

    def __init__(self, whole: Views, rows: Sequence[int]) -> None:
        self.whole: Views = whole
        self.rows: Integers = np.asarray(rows, np.int64)
        super().__init__(whole.corpus.keep(self.rows))
        self.frequencies = whole.frequencies
        images = np.unique(whole.corpus.image[self.rows])
        has_references = whole.corpus.has_references
        self.references = gather(whole.corpus.reference_offsets, images)[0] if has_references else images[:0]

    def tokens(self, views: Views) -> Tokens:
        return self.whole.tokens.take(self.rows, self.references)

    def words(self) -> Tokens:
        return self.whole.words.take(self.rows, self.references)

    def ngrams(self, views: Views, order: int) -> NGrams:
        whole = self.whole
        return whole.ngrams(order).take(self.rows, self.references, whole.pairs, views.pairs)
