"""What metrics look at: tokens, n-grams, pairs. Each is computed once, when first asked for, and shared."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import Corpus
from vericap.text.ngrams import NGrams, NGramStream, Pairs, count_ngrams, longer_stream, unigram_stream
from vericap.text.tokenizers import encode_sides, tokenizer
from vericap.text.vocabulary import Tokens, split_at_white_space

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies

Computed = TypeVar("Computed")


class Views:
    """The views of a corpus under one text preparation.

    >>> views = Views(Corpus.from_lists(["A dog runs."], [["The dog runs", "One dog"]]), tokenizer="whitespace")
    >>> views.tokens.words
    ['A', 'dog', 'runs.', 'The', 'runs', 'One']
    >>> views.ngrams(1).document_frequency.tolist()
    [0, 1, 0, 1, 1, 1]
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        tokenizer: str = "ptb",
        language: str = "en",
        frequencies: DocumentFrequencies | None = None,
        workers: int = 1,
        starts: Sequence[int] = (),
    ) -> None:
        self.corpus = corpus
        self.starts = starts  # rows from which on candidates are another captioner's, a text of its own
        self.tokenizer = tokenizer
        self.language = language
        self.frequencies = frequencies  # None: document frequencies of the corpus's own references
        self.notes: tuple[str, ...] = frequencies.check(tokenizer, language) if frequencies is not None else ()
        self.workers = workers or os.cpu_count() or 1
        self._ngrams: dict[int, NGrams] = {}
        self._stream: NGramStream | None = None
        self._once: dict[Hashable, Any] = {}

    def note(self, text: str) -> None:
        """Something a result has to say about how it came about."""
        if text not in self.notes:
            self.notes = (*self.notes, text)

    def once(self, key: Hashable, compute: Callable[[], Computed]) -> Computed:
        """What `compute` gives, computed when a metric first asks for it under this key and shared by all."""
        if key not in self._once:
            self._once[key] = compute()
        found: Computed = self._once[key]
        return found

    @cached_property
    def tokens(self) -> Tokens:
        """Candidates and references as token ids of one vocabulary."""
        vocabulary: dict[str, int] = {}
        candidates, cuts = self.corpus.candidates, [0, *self.starts, len(self.corpus)]
        sides = [*(candidates[first:last] for first, last in pairwise(cuts)), self.corpus.references]
        captions = encode_sides(tokenizer(self.tokenizer), sides, vocabulary, self.workers)
        return Tokens.split(captions, len(self.corpus), list(vocabulary))

    @cached_property
    def words(self) -> Tokens:
        """The tokens, split once more at white space inside them, as BLEU and CIDEr see them."""
        tokens = self.tokens
        captions, words = split_at_white_space(tokens.captions, tokens.words)
        return tokens if captions is tokens.captions else Tokens.split(captions, len(self.corpus), words)

    @cached_property
    def pairs(self) -> Pairs:
        """Every candidate with each of its references."""
        return Pairs.of(self.corpus.image, self.corpus.reference_offsets)

    def ngrams(self, order: int) -> NGrams:
        """Counts, document frequencies, matches and tf-idf norms of one order."""
        while order not in self._ngrams:
            stream = self._next_stream()
            self._ngrams[stream.order] = count_ngrams(
                stream,
                self.words,
                self.corpus.image,
                self.corpus.reference_offsets,
                self.pairs,
                None if self.frequencies is None else self._look_up,
                self.workers,
            )
        return self._ngrams[order]

    def _look_up(self, example: NDArray[np.int32], order: int) -> tuple[int, NDArray[np.int32]]:
        """Documents of the table in use, and in how many of them each n-gram stands."""
        if self.frequencies is None:
            raise ValueError("the corpus's own frequencies are counted, not looked up")
        column = self.words.captions.values
        # Longer n-grams than the table counts: BLEU asks for them too, and needs no frequency. CIDEr checks first.
        if not len(column) or order > self.frequencies.order:
            return self.frequencies.documents, np.zeros(len(example), np.int32)
        # Where a corpus has no n-gram of this order, `example` still holds one position.
        words = [column.take(example + k, mode="clip") for k in range(order)]
        return self.frequencies.documents, self.frequencies.lookup(self.words.words, *words).astype(np.int32)

    def _next_stream(self) -> NGramStream:
        size = len(self.words.words)
        if self._stream is None:
            self._stream = unigram_stream(self.words.captions.values, size)
        else:
            self._stream = longer_stream(self._stream, self.words.captions, size)
        return self._stream

    def spell(self, ngrams: NGrams, ngram: int) -> str:
        """The words of an n-gram."""
        start = ngrams.example[ngram]
        return " ".join(self.words.spell(self.words.captions.values[start : start + ngrams.order]))
