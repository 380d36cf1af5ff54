"""A batch of a stream as a source of views: the tokens are those that the whole would have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

from vericap.arrays import Ragged
from vericap.corpus import Corpus
from vericap.text.tokenizers import tokenizer
from vericap.text.vocabulary import Tokens
from vericap.views import Source, Views

Following = Callable[[], Iterable[str]]


class BatchCaptions(Sequence[str]):
    """Captions of a batch, behind which those of the next batches can be seen.

    The PTB tokenizer looks at the next caption that is not blank to tell an abbreviation from the end of a sentence,
    for few captions: what follows is read when it asks. Going through this sequence ends with the batch.

    >>> captions = BatchCaptions(["a sign that reads K."], lambda: iter(["", "A man", "a dog"]))
    >>> list(captions), captions[1], captions[2], len(captions)
    (['a sign that reads K.'], '', 'A man', 3)
    """

    def __init__(self, own: Sequence[str], following: Following) -> None:
        self._own, self._following = own, following

    @cached_property
    def _next(self) -> list[str]:
        """Return the text that follows, up to the first caption that is not blank."""
        found: list[str] = []
        for caption in self._following():
            found.append(caption)
            if caption.strip():
                break
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        # Until it is read, there may be one more.
        return len(self._own) + (len(self._next) if "_next" in self.__dict__ else 1)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return self._own[place]
        if place < len(self._own):
            return self._own[place]
        ahead = place - len(self._own)
        return self._next[ahead] if ahead < len(self._next) else ""


class StreamBatch(Source):
    """A batch of a stream. `candidates` and `references` are how the tokenizer sees the captions; where references come
    from a set that has been tokenised, `known` holds its words, and the tokens of the batch's references."""

    def __init__(
        self,
        corpus: Corpus,
        candidates: Sequence[str],
        references: Sequence[str] = (),
        known: tuple[dict[str, int], Ragged] | None = None,
    ) -> None:
        super().__init__(corpus)
        self._candidates, self._references, self._known = candidates, references, known

    def tokens(self, views: Views) -> Tokens:
        encode = tokenizer(views.tokenizer)
        vocabulary = {} if self._known is None else dict(self._known[0])
        candidates = encode(self._candidates, vocabulary)
        references = encode(self._references, vocabulary) if self._known is None else self._known[1]
        captions = Ragged.join([candidates, references])
        return Tokens.in_alphabetical_order(captions, len(self.corpus), list(vocabulary))
