"""Sentences with their trees, written as word/tag/lemma/head/relation."""

from __future__ import annotations

from vericap.scene.dependencies import Sentence


def tree(text: str) -> Sentence:
    """`a/DT/a/2/det dog/NN/dog/0/root`: heads count from 1, and 0 is the root."""
    words, tags, lemmas, heads, relations = zip(*(word.split("/") for word in text.split()), strict=True)
    return Sentence(list(words), list(tags), list(lemmas), [int(head) - 1 for head in heads], list(relations))
