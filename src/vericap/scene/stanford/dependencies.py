"""A tree of phrases to basic Universal Dependencies 1, as CoreNLP 3.6 makes them."""

from __future__ import annotations

from collections.abc import Sequence

from vericap.scene.dependencies import ROOT, Sentence
from vericap.scene.lemmas import Lemmatizer
from vericap.scene.stanford.constituents import Constituent
from vericap.scene.stanford.heads import find_heads
from vericap.scene.stanford.prepare import prepare
from vericap.scene.stanford.relations import FAR, NEAR
from vericap.scene.stanford.tree import Tree

# A relation that is more exact replaces the one it refines; otherwise the first in the alphabet is taken.
_REFINED = {
    "auxpass": "aux", "cop": "aux", "nsubjpass": "nsubj", "csubjpass": "csubj", "nmod:tmod": "nmod", "neg": "advmod",
}  # fmt: skip


_lemma = Lemmatizer().lemma


def dependencies_of(tree: Tree) -> Sentence:
    """Return the sentence of a tree with its tags, lemmas and basic dependencies.

    >>> dependencies_of(Tree.read("(ROOT (NP (CD two) (NNS dogs)))")).lemmas
    ['two', 'dog']
    """
    tags = tree.tags
    return Sentence(tree.words, tags, list(map(_lemma, tree.words, tags)), *basic_dependencies(tree))


def basic_dependencies(tree: Tree) -> tuple[list[int], list[str]]:
    """Return the governor of each word (-1 for the root) and its relation.

    >>> basic_dependencies(Tree.read("(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ is) (ADJP (JJ red)))))"))
    ([1, 3, 3, -1], ['det', 'nsubj', 'cop', 'root'])
    """
    top = prepare(tree)
    find_heads(top)
    found = _Arcs(len(tree.words), top.top)
    found.read(top)
    found.attach_rest(top)
    heads, relations = found.heads, [_best(names) if names else "root" for names in found.names]
    _repair(heads, relations)
    return heads, relations


def _best(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    refined = {_REFINED.get(name) for name in names}
    return min(name for name in names if name not in refined)


class _Arcs:
    """The arcs of a sentence: `heads[i]` governs word i, -1 is nothing, by the relations `names[i]`."""

    def __init__(self, words: int, root: int) -> None:
        self.heads = [ROOT] * words
        self.names: list[list[str]] = [[] for _ in range(words)]
        self.root = root

    def read(self, phrase: Constituent) -> None:
        """Add the arcs of a phrase and of all below it; a word keeps the governor that the highest phrase gives it."""
        governor, heads, names = phrase.top, self.heads, self.names
        near = NEAR[phrase.label]
        for child in phrase.children:
            dependent = child.top
            if dependent != governor and heads[dependent] in (ROOT, governor):
                for relation, holds in near.get(child.label, ()):
                    if holds(child) and self._may_govern(governor, dependent):
                        heads[dependent] = governor
                        names[dependent].append(relation)
        for each in FAR.get(phrase.label, ()):
            for node in each.found(phrase):
                dependent = node.top
                if (
                    dependent != governor
                    and heads[dependent] in (ROOT, governor)
                    and self._may_govern(governor, dependent)
                ):
                    heads[dependent] = governor
                    names[dependent].append(each.relation)
        for child in phrase.children:
            if child.word < 0:
                self.read(child)

    def _may_govern(self, governor: int, dependent: int) -> bool:
        """Return whether no chain of arcs leads from the dependent to the governor."""
        while governor != ROOT:
            if governor == dependent:
                return False
            governor = self.heads[governor]
        return True

    def attach_rest(self, top: Constituent) -> None:
        """Let the words that no arc connects to the root depend on the head of the phrase above them by `dep`."""
        part = list(range(len(self.heads)))  # each word's neighbour on the way to the name of its part

        def name(word: int) -> int:
            while part[word] != word:
                word = part[word]
            return word

        for word, governor in enumerate(self.heads):
            if governor != ROOT:
                part[name(word)] = name(governor)
        if sum(word == name for word, name in enumerate(part)) == 1:
            return
        for node in top.walk():
            above = node.parent
            if above is not None and node.top != above.top and name(node.top) != name(self.root):
                self.heads[node.top] = above.top
                self.names[node.top] = ["dep"]
                part[name(node.top)] = name(above.top)


def _repair(heads: list[int], relations: list[str]) -> None:
    """Settle prepositions without a noun, relative pronouns and passive subjects."""
    if "prep" in relations:
        for word, relation in enumerate(relations):
            if relation == "prep":
                before = [w for w in range(word) if heads[w] == heads[word] and relations[w] in ("nmod", "rel")]
                if before:
                    heads[word], relations[word], relations[before[0]] = before[0], "case", "nmod"
                else:
                    relations[word] = "nmod"
    if "rel" in relations:
        relations[:] = ["dobj" if relation == "rel" else relation for relation in relations]
    if "auxpass" in relations:
        passive = {head for head, relation in zip(heads, relations, strict=True) if relation == "auxpass"}
        for word, relation in enumerate(relations):
            if relation in ("nsubj", "csubj") and heads[word] in passive:
                relations[word] += "pass"
