"""Views: tokens, n-grams and whatever else metrics look at, computed once, from any source."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers
from vericap.corpus import Corpus
from vericap.engine.local import in_threads
from vericap.text.ngrams import NGramCounter, NGrams, Pairs
from vericap.text.vocabulary import Seams, Tokens, split_at_white_space
from vericap.views.facts import Facts
from vericap.views.sources import FewRows, Source
from vericap.views.view import Found, View

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies

_NOTHING: Any = object()  # not found yet
LARGE = 1 << 22  # tokens; from here on, what can be made again is not kept


class Views(Facts):
    """The views of a source under one text preparation: of a corpus, or of any other `Source`.

    `first_rows`: where the candidates of each captioner but the first begin; each captioner's are a text of their own.
    `best_of_image`: of several candidates for an image, the best by the first metric counts.
    `graph_folder`: where graphs of captions are kept for the next run.

    >>> views = Views(Corpus.from_lists(["A dog runs."], [["The dog runs", "One dog"]]), tokenizer="whitespace")
    >>> views.tokens.words
    ['A', 'One', 'The', 'dog', 'runs', 'runs.']
    >>> views.ngrams(1).document_frequency.tolist()
    [0, 1, 1, 1, 1, 0]
    """

    corpus: Corpus

    def __init__(
        self,
        source: Corpus | Source,
        *,
        tokenizer: str = "ptb",
        language: str = "en",
        frequencies: DocumentFrequencies | None = None,
        workers: int = 1,
        first_rows: Sequence[int] = (),
        best_of_image: bool = False,
        graph_folder: Path | None = None,
    ) -> None:
        self.source = Source(source, first_rows) if isinstance(source, Corpus) else source
        super().__init__(self.source.corpus, tokenizer, language, frequencies or self.source.frequencies)
        if frequencies is not None:
            self.notes = frequencies.check(tokenizer, language)
        self.best_of_image, self.graph_folder = best_of_image, graph_folder
        self.workers = workers or os.cpu_count() or 1
        self._ngrams: dict[int, NGrams] = {}
        self._found: dict[View[Any], Any] = {}
        self._seams: Seams | None = None  # between the words of the tokens that are made again

    def get(self, view: View[Found]) -> Found:
        """Return what a view shows, computed when a metric first asks for it and shared by all."""
        found: Found = self._found.get(view, _NOTHING)
        if found is _NOTHING:
            batch = self.source.batch
            found = view.compute(self) if batch is None else view.from_index(batch, self)
            self._found[view] = found
        return found

    def look_at(self, views: Iterable[tuple[int, View[Any]]]) -> None:
        """Compute views of n-grams, each given with the order that it looks at: the orders at the same time, or one by
        one where the corpus is large, so that it need not keep the n-grams of all orders."""
        if self.whole is not self:
            return  # the n-grams are those of the whole corpus, which counts them when they are asked for
        orders: dict[int, list[View[Any]]] = {}
        for order, view in views:
            if view not in self._found:
                orders.setdefault(order, []).append(view)
        is_large = len(self.words.captions.values) >= LARGE
        at_once = 1 if is_large else min(self.workers, len(orders))

        def look(order: int) -> None:
            if order not in self._ngrams:
                self._ngrams[order] = self._count(order, self.workers // at_once)
            for view in orders[order]:
                self.get(view)
            if is_large:
                del self._ngrams[order]

        if orders:
            # What all orders look at has to be there before threads ask for it.
            _ = self.pairs, self._counter
            in_threads(look, sorted(orders), workers=at_once)
            if is_large:
                del self._counter

    def note(self, text: str) -> None:
        if self.whole is self:
            super().note(text)
        else:
            self.whole.note(text)

    def rows(self, rows: Sequence[int]) -> Views:
        """Return the views of a few rows, in ascending order, with the tokens and the frequencies of the whole corpus.

        >>> corpus = Corpus.from_lists(["a dog", "a cat"], [["a dog"], ["a red cat"]])
        >>> whole = Views(corpus, tokenizer="whitespace")
        >>> few = whole.rows([1])
        >>> few.corpus.candidates, few.ngrams(1).documents, few.ngrams(1).norm == whole.ngrams(1).norm[1]
        (['a cat'], 2, array([ True]))
        """
        return Views(FewRows(self, rows), tokenizer=self.tokenizer, language=self.language)

    @property
    def whole(self) -> Views:
        """The views of the whole corpus."""
        return self if self.source.whole is None else self.source.whole

    def row_in_whole(self, row: int) -> int:
        """Return the place in the whole corpus of a row of these views."""
        return int(self.source.rows[row]) if isinstance(self.source, FewRows) else row

    @cached_property
    def tokens(self) -> Tokens:
        """Candidates and references as token ids of one vocabulary."""
        if self._seams is None:
            return self.source.tokens(self)
        captions, words = self._seams.rejoin(self.words.captions), self.words.words[: self._seams.words]
        return Tokens.split(captions, len(self.corpus), words)

    @cached_property
    def words(self) -> Tokens:
        """The tokens, split once more at white space inside them, as BLEU and CIDEr see them."""
        if (known := self.source.words()) is not None:
            return known
        tokens = self.tokens
        captions, words = split_at_white_space(tokens.captions, tokens.words)
        if captions is tokens.captions:
            return tokens
        if len(captions.values) >= LARGE:
            self._seams = Seams.of(tokens.captions, tokens.words)
            if self._seams is not None:
                del self.tokens  # made again of the words, on demand
        return Tokens.split(captions, len(self.corpus), words)

    @property
    def word_counts(self) -> tuple[Integers, Integers]:
        """The number of words of each candidate and of each reference."""
        return self.source.word_counts or (self.words.candidates.lengths, self.words.references.lengths)

    @cached_property
    def pairs(self) -> Pairs:
        """Every candidate with each of its references."""
        return self.source.pairs

    def ngrams(self, order: int) -> NGrams:
        """Return counts, document frequencies, matches and tf-idf norms of one order."""
        if order not in self._ngrams:
            known = self.source.ngrams(self, order)
            self._ngrams[order] = self._count(order, self.workers) if known is None else known
        return self._ngrams[order]

    def _count(self, order: int, workers: int) -> NGrams:
        known = self.frequencies
        return self._counter.count(order, None if known is None else partial(self._look_up, known), workers)

    @cached_property
    def _counter(self) -> NGramCounter:
        return NGramCounter(self.words, self.corpus.image, self.corpus.reference_offsets, self.pairs, self.workers)

    def spell(self, ngrams: NGrams, ngram: int) -> str:
        """Return the words of an n-gram."""
        start, words = ngrams.example[ngram], self.whole.words
        return " ".join(words.spell(words.captions.values[start : start + ngrams.order]))

    def _look_up(
        self, known: DocumentFrequencies, example: NDArray[np.int32], order: int
    ) -> tuple[int, NDArray[np.int32]]:
        """Return the number of documents of a table, and how many of them hold each n-gram."""
        column = self.words.captions.values
        # Longer n-grams than the table counts: BLEU asks for them too, and needs no frequency. CIDEr checks first.
        if not len(column) or order > known.order:
            return known.documents, np.zeros(len(example), np.int32)
        # Where a corpus has no n-gram of this order, `example` still holds one position.
        words = [column.take(example + k, mode="clip") for k in range(order)]
        return known.documents, known.lookup(self.words.words, *words).astype(np.int32)
