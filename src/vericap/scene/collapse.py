"""The collapsed graph with conjunctions processed, as CoreNLP 3.6 gives it to SPICE: prepositions move into the
relation (`nmod:in_front_of`), coordinators too (`conj:and`), and conjuncts share governor and subject."""

from __future__ import annotations

from vericap.scene.dependencies import Dependencies, Sentence

_THREE_WORDS = frozenset(
    "by means of,in accordance with,in addition to,in case of,in front of,in lieu of,in place of,in spite of,"
    "on account of,on behalf of,on top of,with regard to,with respect to".split(",")
)
_TWO_WORDS = frozenset(
    "across from,along with,alongside of,apart from,as for,as from,as of,as per,as to,aside from,based on,"
    "because of,close by,close to,contrary to,compared to,compared with,due to,depending on,except for,"
    "exclusive of,far from,followed by,inside of,instead of,irrespective of,next to,near to,off of,out of,"
    "outside of,owing to,preliminary to,preparatory to,previous to,prior to,pursuant to,regardless of,"
    "subsequent to,such as,thanks to,together with".split(",")
)
# Their first word may also govern the noun: "stands next → (to) tree".
_GOVERNING = frozenset(
    "apart from,as from,aside from,away from,close by,close to,contrary to,far from,next to,near to,out of,"
    "outside of,pursuant to,regardless of,together with".split(",")
)
_FIRST_WORDS = frozenset(phrase.split()[0] for phrase in _TWO_WORDS | _GOVERNING)
_SECOND_OF_THREE = frozenset(phrase.split()[1] for phrase in _THREE_WORDS)
_PREPOSITIONAL = ("nmod", "acl", "advcl")
_SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")
_COORDINATORS = {"as_well_as": "and", "but_not": "negcc"}


def collapse(sentence: Sentence) -> Dependencies:
    """Return the collapsed graph of a sentence.

    >>> on = Sentence("dog sits on top of tree".split(), ["NN", "VBZ", "IN", "NN", "IN", "NN"],
    ...               "dog sit on top of tree".split(), [1, -1, 3, 1, 5, 3],
    ...               ["nsubj", "root", "case", "nmod", "case", "nmod"])
    >>> [(on.words[g], on.words[d], r) for g, d, r in collapse(on).edges() if r.startswith("nmod")]
    [('sits', 'tree', 'nmod:on_top_of')]
    """
    graph = Dependencies(sentence)
    if not _SECOND_OF_THREE.isdisjoint(graph.words):
        _join_three_words(graph)
    if not _FIRST_WORDS.isdisjoint(graph.words):
        _join_two_words(graph)
    if "case" in sentence.relations:
        _name_prepositions(graph)
    if "conj" in sentence.relations and any(r == "conj" for children in graph.children for _, r in children):
        _share_between_conjuncts(graph, _copy_governors(graph))
    return graph


def _join_three_words(graph: Dependencies) -> None:
    """ "in front of X": X takes the place of "front", and the preposition becomes one expression."""
    words = graph.words
    for noun in range(1, len(words) - 1):
        if words[noun] not in _SECOND_OF_THREE or " ".join(words[noun - 1 : noun + 2]) not in _THREE_WORDS:
            continue
        first, last = noun - 1, noun + 1
        marker = graph.relation(noun, first)
        if marker not in ("case", "mark", "advmod"):
            continue
        for target, relation in graph.children[noun]:
            final = graph.relation(target, last)
            if final in ("case", "mark") and relation in (*_PREPOSITIONAL, "acl:relcl"):
                kept = ("conj", "dep", "acl:relcl")
                _promote(graph, noun, target, relation, kept)
                graph.remove(target, first, marker)
                graph.remove(target, last, final)
                graph.add(target, first, final)
                graph.add(first, noun, "mwe")
                graph.add(first, last, "mwe")
                break


def _join_two_words(graph: Dependencies) -> None:
    """ "next to X": both words under X, or X under the first word."""
    words = graph.words
    for first in range(len(words) - 1):
        if words[first] not in _FIRST_WORDS:
            continue
        second, phrase = first + 1, f"{words[first]} {words[first + 1]}"
        if phrase in _TWO_WORDS and graph.governors[first]:
            governor, relation = graph.governors[first][0]
            if relation in ("case", "advmod") and graph.relation(governor, second) == "case":
                if relation == "advmod" and graph.children[first]:
                    continue  # "a skateboard off of a bench": the adverb has its own modifier
                graph.remove(governor, second, "case")
                graph.remove(governor, first, relation)
                graph.add(governor, first, "case")
                graph.add(first, second, "mwe")
                continue
        if phrase in _GOVERNING:
            for target, relation in graph.children[first]:
                if relation in _PREPOSITIONAL and graph.relation(target, second) == "case":
                    _promote(graph, first, target, relation, ("acl:relcl",))
                    graph.remove(target, second, "case")
                    graph.add(target, first, "case")
                    graph.add(first, second, "mwe")
                    break


def _promote(graph: Dependencies, word: int, target: int, relation: str, kept: tuple[str, ...]) -> None:
    """Put the target of a preposition in the place of a word inside it; relations in `kept` stay the word's."""
    graph.remove(word, target, relation)
    if word == graph.root:
        graph.root = target
    for governor, old in list(graph.governors[word]):
        graph.remove(governor, word, old)
        graph.add(governor, target, old if old in kept else relation)
    for dependent, old in list(graph.children[word]):
        graph.remove(word, dependent, old)
        graph.add(target, dependent, old)


def _name_prepositions(graph: Dependencies) -> None:
    for target, governors in enumerate(graph.governors):
        for governor, relation in governors[:]:
            if relation in _PREPOSITIONAL:
                cases = graph.by(target, "case")
                if cases:
                    graph.remove(governor, target, relation)
                    graph.add(governor, target, f"{relation}:{_preposition(graph, governor, cases)}")


def _preposition(graph: Dependencies, governor: int, cases: list[int]) -> str:
    """Return the name of a target's last preposition, even if it comes after it; `agent` for the by of a passive."""
    name = _expression(graph, cases[-1])
    if name == "by" and graph.by(governor, "auxpass"):
        return "agent"
    return name


def _expression(graph: Dependencies, head: int) -> str:
    more = graph.by(head, "mwe")
    if not more:
        return graph.words[head]
    parts = sorted([head, *more], key=graph.position.__getitem__)
    return "_".join(graph.words[p] for p in parts)


def _copy_governors(graph: Dependencies) -> dict[int, str]:
    """Prepositions in conjunction: "walks off the desk and onto a leg", "before and after pictures". The governor
    is copied, and the copy becomes its conjunct; returns the coordinator of each copy."""
    coordinator: dict[int, str] = {}
    for target in range(len(graph.words)):
        for governor, relation in list(graph.governors[target]):
            kind, _, name = relation.partition(":")
            if kind not in _PREPOSITIONAL or name in ("", "poss", "relcl", "npmod", "tmod"):
                continue
            case = graph.by(target, "case")
            for other in graph.by(case[0], "conj") if case else []:
                copy = graph.copy(governor)
                coordinator[copy] = _coordinator(graph, case[0], other)
                graph.add(governor, copy, "conj")
                graph.add(copy, target, f"{kind}:{graph.words[other]}")
            for other in graph.by(target, "conj") if case else []:
                cases = graph.by(other, "case")
                if not cases or graph.tags[other].startswith("V"):
                    continue
                copy = graph.copy(governor)
                coordinator[copy] = _coordinator(graph, target, other)
                for word in graph.by(target, "cc"):
                    if graph.position[word] < graph.position[other]:
                        graph.remove(target, word, "cc")
                        graph.add(governor, word, "cc")
                graph.remove(target, other, "conj")
                graph.add(governor, copy, "conj")
                graph.add(copy, other, f"{kind}:{_preposition(graph, governor, cases)}")
    return coordinator


def _coordinator(graph: Dependencies, first: int, conjunct: int) -> str:
    """Return the coordinator between conjuncts: the last one before the conjunct; empty if there is none."""
    words = graph.by(first, "cc")
    if not words:
        return ""
    before = [w for w in words if graph.position[w] < graph.position[conjunct]] or words
    name = _expression(graph, before[-1])
    return _COORDINATORS.get(name, name.split("_")[0])


def _share_between_conjuncts(graph: Dependencies, coordinators: dict[int, str]) -> None:
    """Let the governors of the first conjunct govern the others; a verb or adjective shares its subject."""
    conjuncts = [
        (first, other, coordinators.get(other, "") or _coordinator(graph, first, other))
        for first in range(len(graph.words))
        for other in graph.by(first, "conj")
    ]
    for first, other, name in conjuncts:
        if name:
            graph.remove(first, other, "conj")
            graph.add(first, other, f"conj:{name}")
    governors = [list(edges) for edges in graph.governors]
    children = [list(edges) for edges in graph.children]
    for first, other, name in conjuncts:
        if not name or graph.tags[first] == "CC":
            continue
        for governor, relation in governors[first]:
            if governor != other and not (other in coordinators and relation.startswith("conj")):
                graph.add(governor, other, relation)
        if graph.tags[other][0] in "VJ" and not any(r in _SUBJECTS for _, r in children[other]):
            for subject, relation in children[first]:
                if relation in _SUBJECTS:
                    graph.add(other, subject, _shared_subject(graph, other, relation))


def _shared_subject(graph: Dependencies, conjunct: int, relation: str) -> str:
    """Return the relation of a shared subject: passive under a passive verb, active under an adjective."""
    if relation == "nsubj" and graph.by(conjunct, "auxpass"):
        return "nsubjpass"
    if relation == "nsubjpass" and graph.tags[conjunct].startswith("J"):
        return "nsubj"
    return relation
