"""Scene graphs (Johnson et al. 2015) as SPICE builds them: objects, their attributes and the relations between them,
with synonyms merged (Anderson et al. 2016, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from vericap.scene.rules import Proposition

SynsetsOf: TypeAlias = Callable[[str], frozenset[int]]
_NONE: frozenset[int] = frozenset()


@dataclass(eq=False, slots=True)
class Concept:
    """Words that mean the same in a graph, in order of appearance, and the synsets of all of them."""

    words: tuple[str, ...]
    synsets: frozenset[int]

    def matches(self, other: Concept) -> bool:
        """Return whether two concepts share a word or a synset."""
        if self.words[0] in other.words or not self.synsets.isdisjoint(other.synsets):
            return True
        return len(self.words) > 1 and any(word in other.words for word in self.words)

    def similarity(self, word: str, synsets: frozenset[int]) -> float:
        """Return 1 for a shared word, else the share of synsets they have in common."""
        if word in self.words:
            return 1.0
        shared = len(self.synsets & synsets)
        return shared / (len(self.synsets) + len(synsets) - shared) if shared else 0.0

    def merge(self, word: str, synsets: frozenset[int]) -> None:
        """Add a word and its synsets."""
        if word not in self.words:
            self.words = (*self.words, word)
            self.synsets = self.synsets | synsets

    def __str__(self) -> str:
        return "/".join(self.words)


# (object), (object, attribute) or (subject, relation, object), which are compared.
GraphTuple: TypeAlias = tuple[Concept, ...]


@dataclass
class SceneGraph:
    """Objects with their attributes, and relations between them, in order of appearance.

    >>> graph = SceneGraph.of([("girl", "young"), ("girl", "court", "stand on"), ("girl",), ("court", "tennis")])
    >>> [" ".join(map(str, t)) for t in graph.tuples()]
    ['girl', 'court', 'girl young', 'court tennis', 'girl stand on court']
    """

    objects: list[Concept] = field(default_factory=list)
    attributes: dict[Concept, list[Concept]] = field(default_factory=dict)
    relations: dict[tuple[Concept, Concept], list[Concept]] = field(default_factory=dict)
    # Objects of a single word, by that word.
    _alone: dict[str, Concept] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, propositions: Iterable[Proposition], synsets: SynsetsOf | None = None) -> SceneGraph:
        """Return the graph of propositions; with `synsets`, synonyms are merged."""
        graph = cls()
        lookup = synsets or _no_synsets
        for proposition in dict.fromkeys(propositions):
            subject = graph._object(proposition[0], lookup)
            if len(proposition) == 2:
                _join(graph.attributes[subject], proposition[1], lookup(proposition[1]))
            elif len(proposition) == 3:
                target = graph._object(proposition[1], lookup)
                relation = proposition[2].removeprefix("be ")
                _join(graph.relations.setdefault((subject, target), []), relation, lookup(relation))
        return graph

    def _object(self, word: str, lookup: SynsetsOf) -> Concept:
        known = self._alone.get(word)
        if known is not None:
            return known
        synsets = lookup(word)
        best, similarity = None, 0.0
        for concept in self.objects:
            if len(concept.words) == 1 and concept.synsets.isdisjoint(synsets):
                continue  # another word, not a synonym
            now = concept.similarity(word, synsets)
            if now > similarity:
                best, similarity = concept, now
        if best is None:
            best = self._alone[word] = Concept((word,), synsets)
            self.objects.append(best)
            self.attributes[best] = []
        else:
            self._alone.pop(best.words[0], None)
            best.merge(word, synsets)
        return best

    def tuples(self) -> list[GraphTuple]:
        """Return objects, then (object, attribute), then (subject, relation, object)."""
        found: list[GraphTuple] = [(concept,) for concept in self.objects]
        found += [(concept, a) for concept, attributes in self.attributes.items() for a in attributes]
        found += [
            (subject, relation, target)
            for (subject, target), relations in self.relations.items()
            for relation in relations
        ]
        return found


def matched(candidate: GraphTuple, references: Iterable[GraphTuple]) -> GraphTuple | None:
    """Return the first reference tuple of the same size that agrees with the candidate in each position."""
    size, first = len(candidate), candidate[0]
    for reference in references:
        if (
            len(reference) == size
            and first.matches(reference[0])
            and (size < 2 or candidate[1].matches(reference[1]))
            and (size < 3 or candidate[2].matches(reference[2]))
        ):
            return reference
    return None


def _join(concepts: list[Concept], word: str, synsets: frozenset[int]) -> None:
    """Add an attribute or relation, or merge it with the first that means the same."""
    for concept in concepts:
        if word in concept.words or not concept.synsets.isdisjoint(synsets):
            concept.merge(word, synsets)
            return
    concepts.append(Concept((word,), synsets))


def _no_synsets(word: str) -> frozenset[int]:
    return _NONE
