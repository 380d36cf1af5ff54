"""Trees with prepositions on top of their nouns, as a phrase grammar has them ("on" over "street" in "on the street"),
and back to Universal Dependencies, where the noun governs its preposition. The attachment of a phrase is then one
decision, taken at the preposition."""

from __future__ import annotations

from collections.abc import Sequence

OBJECT = "pobj"


def raise_prepositions(heads: Sequence[int], relations: Sequence[str]) -> tuple[list[int], list[str]]:
    """Return a tree of Universal Dependencies with prepositions on top; heads are 1-based, 0 is the root.

    >>> raise_prepositions([2, 0, 5, 5, 2], ["det", "root", "case", "det", "nmod"])  # a man on the street
    ([2, 0, 2, 5, 3], ['det', 'root', 'nmod', 'det', 'pobj'])
    """
    up, names = list(heads), list(relations)
    first: dict[int, int] = {}
    for word, (head, relation) in enumerate(zip(heads, relations, strict=True)):
        if relation == "case" and head > word + 1:
            first.setdefault(head - 1, word)
    for noun, preposition in first.items():
        # Other dependents of a preposition could not be told from those of its noun.
        if any(h == preposition + 1 and r != "mwe" for h, r in zip(heads, relations, strict=True)):
            continue
        up[preposition], names[preposition] = up[noun], names[noun]
        up[noun], names[noun] = preposition + 1, OBJECT
        for word in range(preposition):
            if up[word] == noun + 1:
                up[word] = preposition + 1
    return up, names


def lower_prepositions(heads: Sequence[int], relations: Sequence[str]) -> tuple[list[int], list[str]]:
    """Return a tree with prepositions on top as Universal Dependencies.

    >>> lower_prepositions([2, 0, 2, 5, 3], ["det", "root", "nmod", "det", "pobj"])
    ([2, 0, 5, 5, 2], ['det', 'root', 'case', 'det', 'nmod'])
    """
    down, names = list(heads), list(relations)
    for noun, relation in enumerate(relations):
        if relation != OBJECT or names[noun] != OBJECT:
            continue
        preposition = down[noun] - 1
        down[noun], names[noun] = down[preposition], names[preposition]
        down[preposition], names[preposition] = noun + 1, "case"
        for word, head in enumerate(down):
            if head == preposition + 1 and word != noun and names[word] != "mwe":
                down[word] = noun + 1
    return down, names
