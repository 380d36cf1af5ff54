"""What metrics look at: tokens, n-grams, pairs. Each is computed once, when first asked for, and shared."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import Corpus
from vericap.text.ngrams import NGrams, NGramStream, Pairs, count_ngrams, longer_stream, unigram_stream
from vericap.text.tokenizers import tokenizer
from vericap.text.vocabulary import Ragged, Tokens

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies


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
    ) -> None:
        self.corpus = corpus
        self.tokenizer = tokenizer
        self.language = language
        self.frequencies = frequencies  # None: document frequencies of the corpus's own references
        self._ngrams: dict[int, NGrams] = {}
        self._stream: NGramStream | None = None

    @cached_property
    def tokens(self) -> Tokens:
        """Candidates and references as token ids of one vocabulary."""
        encode = tokenizer(self.tokenizer)
        vocabulary: dict[str, int] = {}
        candidates = encode(self.corpus.candidates, vocabulary)
        references = encode(self.corpus.references, vocabulary)
        return Tokens(candidates, references, list(vocabulary))

    @cached_property
    def pairs(self) -> Pairs:
        """Every candidate with each of its references."""
        return Pairs.of(self.corpus.image, self.corpus.reference_offsets)

    @cached_property
    def token_column(self) -> NDArray[np.int32]:
        """The candidates' tokens, then the references'."""
        return np.concatenate([self.tokens.candidates.values, self.tokens.references.values])

    def ngrams(self, order: int) -> NGrams:
        """Counts, document frequencies and matches of one order."""
        while order not in self._ngrams:
            stream = self._next_stream()
            self._ngrams[stream.order] = count_ngrams(
                stream,
                self.tokens.candidates,
                self.tokens.references,
                self.corpus.image,
                self.corpus.reference_offsets,
                self.pairs,
            )
        return self._ngrams[order]

    def _next_stream(self) -> NGramStream:
        size = len(self.tokens.words)
        if self._stream is None:
            self._stream = unigram_stream(self.token_column, size)
        else:
            self._stream = longer_stream(self._stream, self.token_column, self._caption_end, size)
        return self._stream

    @cached_property
    def _caption_end(self) -> NDArray[np.int32]:
        both: list[Ragged] = [self.tokens.candidates, self.tokens.references]
        lengths = np.concatenate([side.lengths for side in both])
        return np.repeat(np.cumsum(lengths), lengths).astype(np.int32)

    def spell(self, ngrams: NGrams, ngram: int) -> str:
        """The words of an n-gram."""
        start = ngrams.example[ngram]
        return " ".join(self.tokens.spell(self.token_column[start : start + ngrams.order]))
