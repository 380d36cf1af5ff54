"""The synsets of the words in propositions, looked up once for a whole corpus (WordNet, Fellbaum 1998)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from vericap.lexicon.wordnet import wordnet
from vericap.scene.graph import SynsetsOf
from vericap.scene.rules import Proposition

_MOST_KNOWN = 200_000  # words whose synsets are kept; about 500 bytes each
_known: dict[str, frozenset[int]] = {}  # of words of earlier corpora or batches


def synset_lookup(captions: Iterable[Iterable[Proposition]]) -> SynsetsOf:
    """Return synsets by word, for every word of the captions' propositions; a phrase is looked up as one lemma.

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
    new = [word for word in words if word not in _known]
    rows = wordnet().synsets([word.replace(" ", "_") for word in new])
    found = {word: frozenset(row.tolist()) for word, row in zip(new, rows, strict=True)}
    if len(_known) < _MOST_KNOWN:
        _known.update(found)
        return _known.__getitem__
    return {**{word: _known[word] for word in words if word in _known}, **found}.__getitem__
