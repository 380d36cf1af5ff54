"""The synsets of the words in propositions, looked up once for a whole corpus (WordNet, Fellbaum 1998)."""

from __future__ import annotations

from collections.abc import Iterable

from vericap.lexicon.wordnet import wordnet
from vericap.scene.graph import SynsetsOf
from vericap.scene.rules import Proposition


def synset_lookup(captions: Iterable[Iterable[Proposition]]) -> SynsetsOf:
    """Synsets by word, for every word of the captions' propositions; a phrase is looked up as one lemma.

    >>> synsets = synset_lookup([[("bike", "red"), ("man", "bicycle", "be next to")]])
    >>> synsets("bike").isdisjoint(synsets("bicycle")), synsets("next to") == frozenset()
    (False, True)
    """
    words = list(
        dict.fromkeys(
            word.removeprefix("be ") if place == 2 else word
            for propositions in captions
            for proposition in propositions
            for place, word in enumerate(proposition)
        )
    )
    rows = wordnet().synsets([word.replace(" ", "_") for word in words])
    return {word: frozenset(row.tolist()) for word, row in zip(words, rows, strict=True)}.__getitem__
