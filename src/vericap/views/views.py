"""The views of a corpus, or of a few of its rows, under one text preparation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, gather
from vericap.corpus import Corpus
from vericap.engine.local import in_threads
from vericap.text.ngrams import LookUp, NGramCounter, NGrams, Pairs
from vericap.text.tokenizers import encode_sides, tokenizer
from vericap.text.vocabulary import Seams, Tokens, split_at_white_space
from vericap.views.view import Found, View

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies

LARGE = 1 << 22  # tokens; from here on, what can be made again is not kept


class Views:
    """The views of a corpus under one text preparation.

    `first_rows`: where the candidates of each captioner but the first begin; each captioner's are a text of their own.

    >>> views = Views(Corpus.from_lists(["A dog runs."], [["The dog runs", "One dog"]]), tokenizer="whitespace")
    >>> views.tokens.words
    ['A', 'One', 'The', 'dog', 'runs', 'runs.']
    >>> views.ngrams(1).document_frequency.tolist()
    [0, 1, 1, 1, 1, 0]
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        tokenizer: str = "ptb",
        language: str = "en",
        frequencies: DocumentFrequencies | None = None,
        workers: int = 1,
        first_rows: Sequence[int] = (),
        best_of_image: bool = False,
    ) -> None:
        self.corpus = corpus
        self.first_rows = first_rows
        self.best_of_image = best_of_image  # of several candidates for an image, the best by the first metric counts
        self.tokenizer = tokenizer
        self.language = language
        self.frequencies = frequencies  # None: document frequencies of the corpus's own references
        self.notes: tuple[str, ...] = frequencies.check(tokenizer, language) if frequencies is not None else ()
        self.workers = workers or os.cpu_count() or 1
        self._ngrams: dict[int, NGrams] = {}
        self._found: dict[View[Any], Any] = {}
        self._expected: dict[int, list[View[Any]]] = {}
        self._seams: Seams | None = None  # between the words of the tokens that are made again

    def get(self, view: View[Found]) -> Found:
        """What a view shows, computed when a metric first asks for it and shared by all."""
        if any(view in expected for expected in self._expected.values()):
            self._look_at_expected()
        if view not in self._found:
            self._found[view] = view.compute(self)
        found: Found = self._found[view]
        return found

    def expect(self, views: Iterable[tuple[int, View[Any]]]) -> None:
        """Says what will be asked for, with the order of the n-grams that it looks at. When the first is asked for, all
        are computed: the orders at the same time, or one by one where the corpus is large, so that it need not keep the
        n-grams of all orders."""
        for order, view in views:
            if view not in self._found:
                self._expected.setdefault(order, []).append(view)

    def _look_at_expected(self) -> None:
        expected, self._expected = self._expected, {}
        is_large = len(self.words.captions.values) >= LARGE

        at_once = 1 if is_large else min(self.workers, len(expected))

        def look(order: int) -> None:
            if order not in self._ngrams:
                self._ngrams[order] = self._count(order, self.workers // at_once)
            for view in expected[order]:
                self._found[view] = view.compute(self)
            if is_large:
                del self._ngrams[order]

        # What all orders look at has to be there before threads ask for it.
        _ = self.pairs, self._counter
        in_threads(look, sorted(expected), workers=at_once)
        if is_large:
            del self._counter

    def note(self, text: str) -> None:
        """Something that every result of this run has to say about how it was made."""
        if text not in self.notes:
            self.notes = (*self.notes, text)

    def rows(self, rows: Sequence[int]) -> RowViews:
        """The views of a few rows, in ascending order, with the tokens and the frequencies of the whole corpus."""
        return RowViews(self, rows)

    @property
    def whole(self) -> Views:
        """The views of the whole corpus."""
        return self

    def row_in_whole(self, row: int) -> int:
        """The place in the whole corpus of a row of these views."""
        return row

    @cached_property
    def tokens(self) -> Tokens:
        """Candidates and references as token ids of one vocabulary."""
        if self._seams is not None:
            captions, words = self._seams.rejoin(self.words.captions), self.words.words[: self._seams.words]
            return Tokens.split(captions, len(self.corpus), words)
        vocabulary: dict[str, int] = {}
        candidates, cuts = self.corpus.candidates, [0, *self.first_rows, len(self.corpus)]
        sides = [*(candidates[first:last] for first, last in pairwise(cuts)), self.corpus.references]
        captions = encode_sides(tokenizer(self.tokenizer), sides, vocabulary, self.workers)
        return Tokens.in_alphabetical_order(captions, len(self.corpus), list(vocabulary))

    @cached_property
    def words(self) -> Tokens:
        """The tokens, split once more at white space inside them, as BLEU and CIDEr see them."""
        tokens = self.tokens
        captions, words = split_at_white_space(tokens.captions, tokens.words)
        if captions is tokens.captions:
            return tokens
        if len(captions.values) >= LARGE and type(self).tokens is Views.tokens:
            self._seams = Seams.of(tokens.captions, tokens.words)
            if self._seams is not None:
                del self.tokens  # made again of the words, if somebody asks
        return Tokens.split(captions, len(self.corpus), words)

    @property
    def word_counts(self) -> tuple[Integers, Integers]:
        """How many words each candidate and each reference has."""
        return self.words.candidates.lengths, self.words.references.lengths

    @cached_property
    def pairs(self) -> Pairs:
        """Every candidate with each of its references."""
        return Pairs.of(self.corpus.image, self.corpus.reference_offsets)

    def ngrams(self, order: int) -> NGrams:
        """Counts, document frequencies, matches and tf-idf norms of one order."""
        if order not in self._ngrams:
            self._ngrams[order] = self._count(order, self.workers)
        return self._ngrams[order]

    def _count(self, order: int, workers: int) -> NGrams:
        return self._counter.count(order, self._frequencies_elsewhere, workers)

    @property
    def _frequencies_elsewhere(self) -> LookUp | None:
        return None if self.frequencies is None else self._look_up

    @cached_property
    def _counter(self) -> NGramCounter:
        return NGramCounter(self.words, self.corpus.image, self.corpus.reference_offsets, self.pairs, self.workers)

    def spell(self, ngrams: NGrams, ngram: int) -> str:
        """The words of an n-gram."""
        start = ngrams.example[ngram]
        return " ".join(self.words.spell(self.words.captions.values[start : start + ngrams.order]))

    def _look_up(self, example: NDArray[np.int32], order: int) -> tuple[int, NDArray[np.int32]]:
        """Documents of the table in use, and how many of them hold each n-gram."""
        if self.frequencies is None:
            raise ValueError("the corpus's own frequencies are counted, not looked up")
        column = self.words.captions.values
        # Longer n-grams than the table counts: BLEU asks for them too, and needs no frequency. CIDEr checks first.
        if not len(column) or order > self.frequencies.order:
            return self.frequencies.documents, np.zeros(len(example), np.int32)
        # Where a corpus has no n-gram of this order, `example` still holds one position.
        words = [column.take(example + k, mode="clip") for k in range(order)]
        return self.frequencies.documents, self.frequencies.lookup(self.words.words, *words).astype(np.int32)


class RowViews(Views):
    """The views of a few rows: what concerns single captions is computed for these alone, while tokens, n-grams and
    document frequencies are those of the whole corpus, so that every number stays what it is there.

    >>> whole = Views(Corpus.from_lists(["a dog", "a cat"], [["a dog"], ["a red cat"]]), tokenizer="whitespace")
    >>> few = whole.rows([1])
    >>> few.corpus.candidates, few.ngrams(1).documents, few.ngrams(1).norm == whole.ngrams(1).norm[1]
    (['a cat'], 2, array([ True]))
    """

    def __init__(self, whole: Views, rows: Sequence[int]) -> None:
        self._whole = whole
        self._rows: Integers = np.asarray(rows, np.int64)
        super().__init__(whole.corpus.keep(self._rows), tokenizer=whole.tokenizer, language=whole.language, workers=1)
        self.frequencies = whole.frequencies
        images = np.unique(whole.corpus.image[self._rows])
        has_references = whole.corpus.has_references
        self._references = gather(whole.corpus.reference_offsets, images)[0] if has_references else images[:0]

    @property
    def whole(self) -> Views:
        return self._whole

    def row_in_whole(self, row: int) -> int:
        return int(self._rows[row])

    def note(self, text: str) -> None:
        self._whole.note(text)

    def expect(self, views: Iterable[tuple[int, View[Any]]]) -> None:
        """The n-grams are those of the whole corpus, which computes them when they are asked for."""

    @cached_property
    def tokens(self) -> Tokens:
        return self._whole.tokens.take(self._rows, self._references)

    @cached_property
    def words(self) -> Tokens:
        return self._whole.words.take(self._rows, self._references)

    def ngrams(self, order: int) -> NGrams:
        if order not in self._ngrams:
            whole = self._whole
            self._ngrams[order] = whole.ngrams(order).take(self._rows, self._references, whole.pairs, self.pairs)
        return self._ngrams[order]

    def spell(self, ngrams: NGrams, ngram: int) -> str:
        return self._whole.spell(ngrams, ngram)
