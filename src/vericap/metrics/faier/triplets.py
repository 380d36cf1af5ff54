"""A caption as FAIEr takes it: its words, and the relation triplets of its scene graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

Triplet: TypeAlias = tuple[str, str, str]


class Caption(NamedTuple):
    """Words as the tokenizer gives them, and (subject, relation, object) triplets.

    >>> Caption.of(["two", "kids", "stand", "in", "grass"], [("kid", "two"), ("kid", "grass", "stand in"), ("kid",)])
    Caption(words=('two', 'kids', 'stand', 'in', 'grass'), triplets=(('kid', 'stand in', 'grass'),))
    """

    words: tuple[str, ...]
    triplets: tuple[Triplet, ...] = ()

    @classmethod
    def of(cls, words: Iterable[str], propositions: Iterable[tuple[str, ...]] = ()) -> Caption:
        """A caption from its words and its propositions, as `vericap.scene.caption_graphs` gives them."""
        return cls(tuple(words) or EMPTY.words, triplets(propositions))


# "In case that no reference caption is available, we use '.' as an empty reference sentence" (section 3.1).
EMPTY = Caption((".",))


def triplets(propositions: Iterable[tuple[str, ...]]) -> tuple[Triplet, ...]:
    """The relations among propositions, each once, as (subject, relation, object).

    >>> triplets([("girl", "horse", "ride"), ("girl", "young"), ("girl",), ("girl", "horse", "ride")])
    (('girl', 'ride', 'horse'),)
    """
    return tuple(dict.fromkeys((p[0], p[2], p[1]) for p in propositions if len(p) == 3))
