"""From the collapsed graph to propositions: the repairs and tuple rules of the Stanford scene graph parser
(Schuster et al. 2015) in the form SPICE uses (Anderson et al. 2016)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from vericap.scene.dependencies import Dependencies

# (object), (object, attribute) or (subject, object, relation): the order in which the original proposes them.
Proposition: TypeAlias = tuple[str, ...]

NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS"))
_SINGULAR_NOUNS = frozenset(("NN", "NNP"))
_PLURAL_NOUNS = frozenset(("NNS", "NNPS"))
_PRONOUNS = frozenset(("PRP", "PRP$"))
_PLURAL_PRONOUNS = frozenset(
    "they them their theirs themselves we us our ours ourselves you your yours yourselves".split()
)

_AFTER_ARTICLE = frozenset(
    "lot assortment number couple bunch handful litany sheaf slew dozen series variety multitude wad clutch wave "
    "mountain array spate string ton range plethora heap sort form kind type version bit pair triple total".split()
)
_PLURAL_QUANTIFIERS = frozenset(
    "lots many several plenty tons dozens multitudes mountains loads pairs tens hundreds thousands millions "
    "billions trillions".split()
)
_PARTITIVES = frozenset(
    "some all both neither everyone nobody one two three four five six seven eight nine ten hundred thousand "
    "million billion trillion".split()
)
_QUANTIFIERS = _AFTER_ARTICLE | _PLURAL_QUANTIFIERS | _PARTITIVES


def propositions(graph: Dependencies) -> list[Proposition]:
    """Return what a sentence says of its scene, after repairing its graph.

    >>> from vericap.scene.dependencies import Sentence
    >>> from vericap.scene.collapse import collapse
    >>> sentence = Sentence("a young girl on grass".split(), ["DT", "JJ", "NN", "IN", "NN"],
    ...     "a young girl on grass".split(), [2, 2, -1, 4, 2], ["det", "amod", "root", "case", "nmod"])
    >>> propositions(collapse(sentence))
    [('girl', 'young'), ('girl', 'grass', 'on'), ('girl',), ('grass',)]
    """
    if "of" in graph.words:
        promote_quantified(graph)
    if not _PRONOUNS.isdisjoint(graph.tags):
        resolve_pronouns(graph)
    rules = _Rules(graph)
    found: list[Proposition] = []
    for rule, needed in RULES:
        if not needed or not needed.isdisjoint(rules.edges):
            found.extend(rule(rules))
    return found


def promote_quantified(graph: Dependencies) -> None:
    """ "a couple of people": people takes the quantifier's place and governs it by `det:qmod`; its first word
    heads it. The quantifier's other dependents stay with it."""
    for expression in (_article_quantifier, _plural_quantifier, _partitive):
        for quantifier in range(len(graph.words)):
            word = graph.words[quantifier]
            if word not in _QUANTIFIERS and not word[0].isdigit():
                continue
            for noun, relation in graph.children[quantifier]:
                if not relation.startswith("nmod") or not graph.tags[noun].startswith(("NN", "PRP")):
                    continue
                of = [c for c in graph.by(noun, "case") if graph.words[c] == "of"]
                if not of or graph.position[of[0]] != graph.position[quantifier] + 1:
                    continue
                left = expression(graph, quantifier, noun)
                if left is not None:
                    _promote(graph, quantifier, noun, relation, [*left, quantifier, of[0]])
                    break


def _left_of(graph: Dependencies, word: int) -> list[int]:
    left = [d for d, _ in graph.children[word] if graph.position[d] < graph.position[word]]
    return sorted(left, key=graph.position.__getitem__)


def _article_quantifier(graph: Dependencies, quantifier: int, noun: int) -> list[int] | None:
    if graph.words[quantifier] not in _AFTER_ARTICLE:
        return None
    article = [d for d in graph.by(quantifier, "det") if graph.words[d] in ("a", "an")]
    if not article:
        return None
    adjectives = set(graph.by(quantifier, "amod"))
    return [d for d in _left_of(graph, quantifier) if d in article or d in adjectives]


def _plural_quantifier(graph: Dependencies, quantifier: int, noun: int) -> list[int] | None:
    word = graph.words[quantifier]
    if word not in _PLURAL_QUANTIFIERS and not re.fullmatch(r"[0-9]+s", word):
        return None
    return _left_of(graph, quantifier)


def _partitive(graph: Dependencies, quantifier: int, noun: int) -> list[int] | None:
    word = graph.words[quantifier]
    if word not in _PARTITIVES and not re.fullmatch(r"[0-9]+", word):
        return None
    if not graph.tags[noun].startswith("PRP") and not graph.by(noun, "det"):
        return None
    return _left_of(graph, quantifier)


def _promote(graph: Dependencies, quantifier: int, noun: int, relation: str, expression: list[int]) -> None:
    graph.remove(quantifier, noun, relation)
    governors = sorted(graph.governors[quantifier], key=lambda edge: graph.position[edge[0]])
    if governors:
        graph.add(governors[0][0], noun, governors[0][1])
    if graph.root == quantifier:
        graph.root = noun
    for word in expression:
        for governor, old in list(graph.governors[word]):
            graph.remove(governor, word, old)
    head, *rest = expression
    graph.add(noun, head, "det:qmod")
    for word in rest:
        graph.add(head, word, "mwe")


def resolve_pronouns(graph: Dependencies) -> None:
    """Replace a pronoun by the first noun found breadth-first from the root, if that noun comes before it."""
    for pronoun in graph.order_of_visits()[0]:
        if not graph.tags[pronoun].startswith("PRP") or graph.position[pronoun] == 0 or not graph.governors[pronoun]:
            continue
        kinds = NOUNS if graph.words[pronoun] in _PLURAL_PRONOUNS else _SINGULAR_NOUNS
        noun = _breadth_first([graph.root], graph.children, graph, kinds)
        if noun is None:
            noun = _breadth_first([graph.governors[pronoun][0][0]], graph.governors, graph, kinds)
        if noun is None or graph.position[noun] >= graph.position[pronoun]:
            continue
        for governor, relation in list(graph.governors[pronoun]):
            graph.remove(governor, pronoun, relation)
            graph.add(governor, noun, relation)
        for dependent, relation in list(graph.children[pronoun]):
            graph.remove(pronoun, dependent, relation)
            graph.add(noun, dependent, relation)


def _breadth_first(
    start: list[int], edges: list[list[tuple[int, str]]], graph: Dependencies, tags: frozenset[str]
) -> int | None:
    queue, seen = deque(start), set(start)
    while queue:
        node = queue.popleft()
        if graph.tags[node] in tags:
            return node
        for neighbour, _ in sorted(edges[node], key=lambda edge: graph.position[edge[0]]):
            if neighbour not in seen:
                seen.add(neighbour)
                queue.append(neighbour)
    return None


class _Rules:
    """A repaired graph, and the rules: each is one method below and one line of `RULES`."""

    def __init__(self, graph: Dependencies) -> None:
        self.graph, self.lemmas, self.tags = graph, graph.lemmas, graph.tags
        self.noun = [tag in NOUNS for tag in graph.tags]
        # The original's order: propositions come in the order of these visits, and merging depends on it.
        self.words, self.children = graph.order_of_visits()
        # (governor, dependent) by relation.
        self.edges: dict[str, list[tuple[int, int]]] = {}
        for word in self.words:
            for dependent, relation in self.children[word]:
                self.edges.setdefault(relation, []).append((word, dependent))
        self.subjects: dict[int, list[int]] = {}
        for word, subject in self.edges.get("nsubj", ()):
            if self.noun[subject]:
                self.subjects.setdefault(word, []).append(subject)
        self.copular = {word for word, _ in self.edges.get("cop", ())}

    def objects(self, word: int) -> list[tuple[int, str]]:
        """Return the nouns that a predicate is about besides its subject, each with its relation."""
        return [
            (d, r) for d, r in self.children[word] if self.noun[d] and (r in ("dobj", "iobj") or r.startswith("nmod:"))
        ]

    def predicate(self, word: int, relation: str) -> str:
        """Return the lemma with its particle, which replaces "be", and the preposition of the relation."""
        lemma = self.graph.spelled_lemmas[word]
        for particle in self.graph.by(word, "compound:prt")[:1]:
            lemma = f"{'' if lemma == 'be' else lemma + ' '}{self.graph.spelled[particle]}"
        return f"{lemma} {preposition}" if (preposition := _preposition(relation)) else lemma

    def triple(self) -> Iterator[Proposition]:
        """A predicate with a subject and an object."""
        for word, subjects in self.subjects.items():
            if word not in self.copular:
                for subject in subjects:
                    for target, relation in self.objects(word):
                        yield self.lemmas[subject], self.lemmas[target], self.predicate(word, relation)

    def participle(self) -> Iterator[Proposition]:
        """ "a man riding a horse": the verb of an `acl` with its object."""
        for word, verb in self.edges["acl"]:
            if self.tags[verb].startswith("V"):
                for target, by in self.objects(verb):
                    yield self.lemmas[word], self.lemmas[target], self.predicate(verb, by)

    def pair(self) -> Iterator[Proposition]:
        """A predicate with a subject, without object and copula; its preposition makes it a relation."""
        for word in self.subjects:
            if word not in self.copular and not self.objects(word):
                yield from self._pairs(word)

    def copula(self) -> Iterator[Proposition]:
        """A predicate with a subject and a copula."""
        for word in self.subjects:
            if word in self.copular:
                yield from self._pairs(word)

    def _pairs(self, word: int) -> Iterator[Proposition]:
        case = self.graph.visited_by(word, "case")
        for subject in self.subjects[word]:
            if case:
                expression = [case[0], *self.graph.visited_by(case[0], "mwe")]
                relation = " ".join(self.graph.spelled[w] for w in expression)
                yield self.lemmas[subject], self.lemmas[word], relation
            elif self.lemmas[word] != "be":
                yield self.lemmas[subject], self.lemmas[word]

    def adjective(self) -> Iterator[Proposition]:
        for word, adjective in self.edges["amod"]:
            yield self.lemmas[word], self.lemmas[adjective]

    def adjective_predicate(self) -> Iterator[Proposition]:
        for word, subject in self.edges["nsubj"]:
            if self.tags[word].startswith("J"):
                yield self.lemmas[subject], self.lemmas[word]

    def preposition(self) -> Iterator[Proposition]:
        if any(map(_preposition, self.edges)):
            for word in self.words:
                if self.noun[word]:
                    for target, relation in self.children[word]:
                        if preposition := _preposition(relation):
                            yield self.lemmas[word], self.lemmas[target], preposition

    def possession(self) -> Iterator[Proposition]:
        for word, owner in self.edges["nmod:poss"]:
            if self.noun[word] and self.noun[owner]:
                yield self.lemmas[owner], self.lemmas[word], "have"

    def agent(self) -> Iterator[Proposition]:
        for word, agent in self.edges["nmod:agent"]:
            if self.noun[agent] and self.tags[word].startswith("V"):
                for subject in self.graph.by(word, "nsubjpass"):
                    if self.noun[subject]:
                        yield self.lemmas[agent], self.lemmas[subject], self.predicate(word, "")

    def number(self) -> list[Proposition]:
        """Numbers and quantifiers of plural nouns, in this order: a subject that has a plural object beside it, and
        that object; other subjects, and the root; all others, unless a plural subject is beside them."""
        position = self.graph.position
        found: list[tuple[int, Proposition]] = []
        for word in self.words:
            if self.tags[word] not in _PLURAL_NOUNS:
                continue
            numbers = self.graph.by(word, "nummod")
            if numbers:
                numbers = [d for d in numbers if position[d] < position[word]]
            else:
                numbers = self.graph.by(word, "det:qmod")
            if numbers and (rank := self._rank(word)) is not None:
                found.append((rank, (self.lemmas[word], self.lemmas[numbers[0]])))
        return [proposition for _, proposition in sorted(found, key=itemgetter(0))]

    def _rank(self, noun: int) -> int | None:
        """Return when the number of a plural noun is looked for; None if it is not."""
        ranks = {2} if noun == self.graph.root else set()
        for word, relation in self.graph.governors[noun]:
            subjects = [s for s in self.graph.visited_by(word, "nsubj") if self.tags[s] in _PLURAL_NOUNS]
            objects = [(d, r) for d, r in self.objects(word) if self.tags[d] in _PLURAL_NOUNS]
            if relation == "nsubj":
                ranks.add(2 if not objects else 0 if noun == subjects[0] else 4)
            elif subjects and (noun, relation) in objects:
                direct = [d for d, r in objects if not r.startswith("nmod")]
                ranks.add(1 if noun in direct or (not direct and self.graph.by(noun, "case")) else 4)
        rank = min(ranks, default=3)
        return rank if rank < 4 else None

    def compound(self) -> Iterator[Proposition]:
        for word, part in self.edges["compound"]:
            if self.noun[word] and self.noun[part]:
                yield self.lemmas[word], self.lemmas[part]

    def plain_object(self) -> Iterator[Proposition]:
        """Every noun that is not part of a compound."""
        pairs = [pair for pair in self.edges.get("compound", ()) if all(self.noun[word] for word in pair)]
        compounds = {word for pair in pairs for word in pair}
        graph = self.graph
        for word in self.words:
            if (
                self.noun[word]
                and word not in compounds
                and (word == graph.root or graph.governors[word] or graph.children[word])
            ):
                yield (self.lemmas[word],)


@lru_cache(4096)
def _preposition(relation: str) -> str:
    """Return "in" for `nmod:in`, and nothing for other relations."""
    if not relation.startswith("nmod:") or relation in ("nmod:poss", "nmod:agent"):
        return ""
    return relation[5:].replace("_", " ")


# In the order in which the original applies them: merging of synonyms depends on it. A rule runs if the
# graph has one of its relations, or always if it names none.
RULES: tuple[tuple[Callable[[_Rules], Iterable[Proposition]], frozenset[str]], ...] = (
    (_Rules.triple, frozenset({"nsubj"})),
    (_Rules.participle, frozenset({"acl"})),
    (_Rules.pair, frozenset({"nsubj"})),
    (_Rules.copula, frozenset({"cop"})),
    (_Rules.adjective, frozenset({"amod"})),
    (_Rules.adjective_predicate, frozenset({"nsubj"})),
    (_Rules.preposition, frozenset()),
    (_Rules.possession, frozenset({"nmod:poss"})),
    (_Rules.agent, frozenset({"nmod:agent"})),
    (_Rules.number, frozenset({"nummod", "det:qmod"})),
    (_Rules.compound, frozenset({"compound"})),
    (_Rules.plain_object, frozenset()),
)
