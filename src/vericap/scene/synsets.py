"""The synsets of the words in propositions, looked up once for a whole corpus (WordNet, Fellbaum 1998)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain

from vericap.lexicon.wordnet import wordnet
from vericap.scene.graph import SynsetsOf
from vericap.scene.rules import Proposition

_MOST_KNOWN = 200_000  # words whose synsets are kept; about 500 bytes each


def synset_lookup(captions: Iterable[Iterable[Proposition]]) -> SynsetsOf:
    """Synsets by word, for every word of the captions' propositions; a phrase is looked up as one lemma.

    >>> synsets = synset_lookup([[("bike", "red"), ("man", "bicycle", "be next to")]])
    >>> synsets("bike").isdisjoint(synsets("bicycle")), synsets("next to") == frozenset()
    (False, True)
    """
    words: set[str] = set()
    relations: set[str] = set()
    for proposition in set(chain.from_iterable(captions)):
        words.update(proposition[:2])
        relations.update(proposition[2:])
    words.update(relation.removeprefix("be ") for relation in relations)
    known = _known()
    new = [word for word in words if word not in known]
    rows = wordnet().synsets([word.replace(" ", "_") for word in new])
    found = {word: frozenset(row.tolist()) for word, row in zip(new, rows, strict=True)}
    if len(known) < _MOST_KNOWN:
        known.update(found)
        return known.__getitem__
    return {**{word: known[word] for word in words if word in known}, **found}.__getitem__


@cache
def _known() -> dict[str, frozenset[int]]:
    """The synsets of words that came up, for the next corpus or batch."""
    return {}
