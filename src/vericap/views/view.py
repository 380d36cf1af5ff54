"""A view: something of a corpus that several metrics may look at, described by its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from vericap.views.batch import IndexedBatch
    from vericap.views.views import Views

Found = TypeVar("Found")


class View(ABC, Generic[Found]):
    """Subclasses are frozen dataclasses: two with equal fields are the same view, and `views.get` computes it once.

    >>> from dataclasses import dataclass
    >>> from vericap.corpus import Corpus
    >>> from vericap.views import Views
    >>> @dataclass(frozen=True)
    ... class Long(View[list[bool]]):
    ...     words: int
    ...     def compute(self, views):
    ...         return (views.words.candidates.lengths > self.words).tolist()
    >>> views = Views(Corpus.from_lists(["a dog", "a dog runs"]), tokenizer="whitespace")
    >>> views.get(Long(2)), views.get(Long(2)) is views.get(Long(2))
    ([False, True], True)
    """

    @abstractmethod
    def compute(self, views: Views) -> Found:
        """Return what there is to look at."""

    def from_index(self, batch: IndexedBatch, views: Views) -> Found:
        """Return the same for a batch of rewards, whose references are indexed: computed like any other, unless the
        index answers faster."""
        return self.compute(views)
