"""Captions and references that a script adds one after the other, as it does with the originals' scorer objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from vericap.compat.pycocoevalcap.captions import CaptionsError, views_of
from vericap.views import Views

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies


class Rows:
    """`ctest` holds the captions, None where there are references alone; `crefs` their references.

    >>> rows = Rows("a dog", ["the dog"])
    >>> rows += ("a cat", ["a cat", "one cat"])
    >>> rows.size(), rows.views().corpus.candidates
    (2, ['a dog', 'a cat'])
    """

    def __init__(self, test: str | None = None, refs: Sequence[str] | None = None) -> None:
        self.ctest: list[str | None] = []
        self.crefs: list[list[str]] = []
        self.cook_append(test, refs)

    def cook_append(self, test: str | None, refs: Sequence[str] | None) -> None:
        """Add one caption with its references, or, without a caption, references alone."""
        if refs is not None:
            self.crefs.append(list(refs))
            self.ctest.append(test)

    def __iadd__(self, other: tuple[str | None, Sequence[str]] | Rows) -> Self:
        if isinstance(other, tuple):
            self.cook_append(*other)
        else:
            self.ctest.extend(other.ctest)
            self.crefs.extend(other.crefs)
        return self

    def size(self) -> int:
        return len(self.crefs)

    def clear(self) -> None:
        self.ctest, self.crefs = [], []

    def views(self, frequencies: DocumentFrequencies | None = None) -> Views:
        """Views of all rows."""
        captions = []
        for row, (caption, references) in enumerate(zip(self.ctest, self.crefs, strict=True), 1):
            if caption is None:
                raise CaptionsError("the row has references, but no caption", row=row)
            if not references:
                raise CaptionsError("the row has no references", row=row)
            captions.append(caption)
        return views_of(captions, self.crefs, frequencies)
