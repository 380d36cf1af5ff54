"""Sentences with their dependency tree, and the graph of typed edges that collapsing and the rules work on
(Universal Dependencies 1, de Marneffe et al. 2014)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

ROOT = -1


@dataclass(frozen=True)
class Sentence:
    """Words with Penn tags, lemmas and the basic tree: `heads[i]` governs word i by `relations[i]`, -1 is the root.

    >>> Sentence(["a", "dog"], ["DT", "NN"], ["a", "dog"], [1, ROOT], ["det", "root"]).heads
    [1, -1]
    """

    words: Sequence[str]
    tags: Sequence[str]
    lemmas: Sequence[str]
    heads: Sequence[int]
    relations: Sequence[str]


class Dependencies:
    """A mutable graph of words. Node i is word i; copies of words (shared by conjuncts) come after the last word.

    `children[g]` holds (dependent, relation), `governors[d]` holds (governor, relation); both keep the order in
    which edges were added.
    """

    def __init__(self, sentence: Sentence) -> None:
        self.words = [word.lower() for word in sentence.words]
        self.spelled = [*sentence.words]  # as written
        self.tags = list(sentence.tags)
        self.lemmas = [lemma.lower() for lemma in sentence.lemmas]
        self.spelled_lemmas = [*sentence.lemmas]
        self.position: list[float] = list(range(len(self.words)))
        self.copied = False  # without copies, words are in the order of their numbers
        self.children: list[list[tuple[int, str]]] = [[] for _ in self.words]
        self.governors: list[list[tuple[int, str]]] = [[] for _ in self.words]
        self.root = 0
        self.shift = 0  # of words in the order of visits
        for dependent, (governor, relation) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
            if governor == ROOT:
                self.root = dependent
            else:  # in a tree every edge is new
                self.children[governor].append((dependent, relation))
                self.governors[dependent].append((governor, relation))

    @classmethod
    def from_edges(cls, sentence: Sentence, edges: Iterable[tuple[float, float, str]]) -> Dependencies:
        """Return a graph from 1-based edges (governor, dependent, relation): 0 governs the root, 3.1 is a copy of 3."""
        graph = cls(sentence)
        graph.children = [[] for _ in graph.words]
        graph.governors = [[] for _ in graph.words]
        nodes: dict[float, int] = {}

        def node(name: float) -> int:
            if name == int(name):
                return int(name) - 1
            if name not in nodes:
                nodes[name] = graph.copy(int(name) - 1, round(10 * (name % 1)))
            return nodes[name]

        for governor, dependent, relation in edges:
            if governor == 0:
                graph.root = node(dependent)
            else:
                graph.add(node(governor), node(dependent), relation)
        return graph

    def add(self, governor: int, dependent: int, relation: str) -> None:
        """Add an edge, once."""
        if (dependent, relation) not in self.children[governor]:
            self.children[governor].append((dependent, relation))
            self.governors[dependent].append((governor, relation))

    def remove(self, governor: int, dependent: int, relation: str) -> None:
        """Remove an existing edge."""
        self.children[governor].remove((dependent, relation))
        self.governors[dependent].remove((governor, relation))

    def copy(self, node: int, number: int = 1) -> int:
        """Return the copy of a word with this number; it is added just after the word, without edges, if it is new."""
        place = self.position[node] + number / 1024
        if self.copied and place in self.position:
            return self.position.index(place)
        self.copied = True
        for column in (self.words, self.spelled, self.tags, self.lemmas, self.spelled_lemmas):
            column.append(column[node])
        self.position.append(place)
        self.children.append([])
        self.governors.append([])
        return len(self.words) - 1

    def by(self, governor: int, relation: str) -> list[int]:
        """Return the dependents of one relation, from left to right."""
        found = [d for d, r in self.children[governor] if r == relation]
        return sorted(found, key=self.position.__getitem__) if len(found) > 1 else found

    def visited(self, governor: int) -> list[tuple[int, str]]:
        """Return dependents with relations in the order in which CoreNLP visits them, that of its hash tables."""
        children = self.children[governor]
        if len(children) < 2:
            return children
        if len(self.words) < 16 and not self.shift and not self.copied:
            return sorted(children, key=itemgetter(0))
        size = 16 if len(children) <= 12 else 32
        place = [(int(position) + 1 + self.shift) % size for position in self.position]
        added: dict[int, int] = {}
        for dependent, _ in children:
            added.setdefault(dependent, len(added))
        # Several edges to one dependent come together.
        return sorted(children, key=lambda edge: (place[edge[0]], added[edge[0]]))

    def visited_by(self, governor: int, relation: str) -> list[int]:
        """Return the dependents of one relation in the order of visits."""
        return [dependent for dependent, r in self.visited(governor) if r == relation]

    def order_of_visits(self) -> tuple[list[int], list[list[tuple[int, str]]]]:
        """Return all words, governors before their dependents, and the dependents of each word, as CoreNLP visits them.

        Words are sorted by a walk from each word in turn that lists dependents first, reversed; if there is a cycle,
        they come from left to right.
        """
        words = range(len(self.words))
        if len(words) < 16 and not self.shift and not self.copied:  # as in `visited`
            children = [sorted(edges, key=itemgetter(0)) if len(edges) > 1 else edges for edges in self.children]
            every = list(words)
        else:
            children = [self.visited(word) for word in words]
            every = sorted(words, key=self.position.__getitem__)
        found: list[int] = []
        state = [0] * len(every)  # 1: being visited, 2: listed, 3: part of a cycle

        def walk(word: int) -> None:
            state[word] = 1
            for dependent, _ in children[word]:
                if not state[dependent]:
                    if children[dependent]:
                        walk(dependent)
                    else:
                        state[dependent] = 2
                        found.append(dependent)
                elif state[dependent] == 1:
                    state[dependent] = 3
            if state[word] == 1:
                state[word] = 2
            found.append(word)

        for word in every:
            if not state[word]:
                walk(word)
        return every if 3 in state else found[::-1], children

    def relation(self, governor: int, dependent: int) -> str | None:
        """Return the relation between governor and dependent; None if there is none."""
        for d, relation in self.children[governor]:
            if d == dependent:
                return relation
        return None

    def edges(self) -> list[tuple[int, int, str]]:
        """Return all edges (governor, dependent, relation), sorted."""
        return sorted((g, d, r) for g, children in enumerate(self.children) for d, r in children)
