"""The collapsed graph with conjunctions processed, as CoreNLP 3.6 gives it to SPICE: prepositions move into the
relation (`nmod:in_front_of`), coordinators too (`conj:and`), and conjuncts share governor and subject."""

from __future__ import annotations

from collections.abc import Callable

from vericap.scene.dependencies import Dependencies, Sentence

_THREE_WORDS = frozenset(
    "by means of,in accordance with,in addition to,in case of,in front of,in lieu of,in place of,in spite of,"
    "on account of,on behalf of,on top of,with regard to,with respect to".split(",")
)
_TWO_WORDS = frozenset(
    "across from,along with,alongside of,apart from,as for,as from,as of,as per,as to,aside from,based on,close by,"
    "close to,contrary to,compared to,compared with,except for,exclusive of,far from,followed by,inside of,"
    "irrespective of,next to,near to,off of,out of,outside of,owing to,preliminary to,preparatory to,previous to,"
    "pursuant to,regardless of,subsequent to,thanks to,together with".split(",")
)
# Their first word may also govern the noun: "stands next → (to) tree".
_GOVERNING = frozenset(
    "apart from,as from,aside from,away from,close by,close to,contrary to,far from,next to,near to,out of,"
    "outside of,pursuant to,regardless of,together with".split(",")
)
_FIRST_WORDS = frozenset(phrase.split()[0] for phrase in _TWO_WORDS | _GOVERNING)
_SECOND_OF_THREE = frozenset(phrase.split()[1] for phrase in _THREE_WORDS)
_PREPOSITIONAL = ("nmod", "acl", "advcl")
# A noun after "next to" with a copula takes over these relations of "next".
_TAKEN_OVER = frozenset(("conj", "xcomp", "ccomp", "acl", "advcl", "acl:relcl", "parataxis", "appos", "list"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass"))
# Coordinators of several words; those with "but" are headed by the word after it.
_COORDINATORS = {
    "but not": "negcc", "but rather": "negcc", "but also": "and", "if not": "negcc", "instead of": "negcc",
    "rather than": "negcc", "as well": "and", "not to mention": "and",
}  # fmt: skip


def collapse(sentence: Sentence, number: int = 0) -> Dependencies:
    """Return the collapsed graph of a sentence, which is the `number`-th of its text.

    >>> on = Sentence("dog sits on top of tree".split(), ["NN", "VBZ", "IN", "NN", "IN", "NN"],
    ...               "dog sit on top of tree".split(), [1, -1, 3, 1, 5, 3],
    ...               ["nsubj", "root", "case", "nmod", "case", "nmod"])
    >>> [(on.words[g], on.words[d], r) for g, d, r in collapse(on).edges() if r.startswith("nmod")]
    [('sits', 'tree', 'nmod:on_top_of')]
    """
    graph = Dependencies(sentence)
    graph.shift = 29 * number
    if "case" in sentence.relations:
        if not _FIRST_WORDS.isdisjoint(graph.words):
            _join_two_words(graph)
        if not _SECOND_OF_THREE.isdisjoint(graph.words):
            _join_three_words(graph)
        if "cc" in sentence.relations:
            _copy_governors(graph)
        _name_prepositions(graph)
    if "cc" in sentence.relations:
        _name_conjuncts(graph)
        _share_between_conjuncts(graph)
    return graph


def _is_leaf(graph: Dependencies, governor: int, dependent: int, *relations: str) -> bool:
    return not graph.children[dependent] and graph.relation(governor, dependent) in relations


def _join_two_words(graph: Dependencies) -> None:
    """ "next to X": both words under X, or X under the first word."""
    words = graph.words
    places = [i for i in range(len(words) - 1) if words[i] in _FIRST_WORDS]
    for first in places:
        second = first + 1
        if f"{words[first]} {words[second]}" in _TWO_WORDS and graph.governors[first]:
            governor, relation = graph.governors[first][0]
            if _is_leaf(graph, governor, first, "case", "advmod") and _is_leaf(graph, governor, second, "case"):
                graph.remove(governor, second, "case")
                graph.remove(governor, first, relation)
                graph.add(governor, first, "case")
                graph.add(first, second, "mwe")
    for first in places:
        second = first + 1
        if f"{words[first]} {words[second]}" in _GOVERNING:
            target = next((n for n in graph.visited_by(first, "nmod") if _is_leaf(graph, n, second, "case")), None)
            if target is not None:
                copular = bool(graph.by(first, "cop"))
                graph.remove(first, target, "nmod")
                _replace(graph, first, target, lambda old: old if copular and old in _TAKEN_OVER else "nmod")  # noqa: B023
                _attach(graph, target, "case", first, second)


def _join_three_words(graph: Dependencies) -> None:
    """ "in front of X": X takes the place of "front", and the preposition becomes one expression."""
    words = graph.words
    for noun in range(1, len(words) - 1):
        if words[noun] not in _SECOND_OF_THREE or " ".join(words[noun - 1 : noun + 2]) not in _THREE_WORDS:
            continue
        first, third = noun - 1, noun + 1
        if not _is_leaf(graph, noun, first, "case"):
            continue
        for target, relation in graph.visited(noun):
            if relation in _PREPOSITIONAL and _is_leaf(graph, target, third, "case", "mark"):
                clausal = relation != "nmod" and any(old == "nmod" for _, old in graph.governors[noun])
                graph.remove(noun, target, relation)
                graph.remove(noun, first, "case")
                _replace(graph, noun, target, lambda old: relation if clausal else old)  # noqa: B023
                _attach(graph, target, "mark" if clausal else "case", first, noun, third)
                break


def _replace(graph: Dependencies, word: int, target: int, relation: Callable[[str], str]) -> None:
    """Put the target of a preposition in the place of a word inside it."""
    if word == graph.root:
        graph.root = target
    for governor, old in list(graph.governors[word]):
        graph.remove(governor, word, old)
        graph.add(governor, target, relation(old))
    for dependent, old in list(graph.children[word]):
        graph.remove(word, dependent, old)
        graph.add(target, dependent, old)


def _attach(graph: Dependencies, target: int, relation: str, first: int, *rest: int) -> None:
    """Attach an expression of several words to a noun."""
    graph.add(target, first, relation)
    for word in rest:
        for governor, old in list(graph.governors[word]):
            graph.remove(governor, word, old)
        graph.add(first, word, "mwe")


def _copy_governors(graph: Dependencies) -> None:
    """Prepositions in conjunction: "walks off the desk and onto a leg", "before and after pictures". The governor
    is copied, and the copy becomes its conjunct."""
    for word, children in list(enumerate(graph.children)):
        if not graph.governors[word] or not any(relation == "cc" for _, relation in children):
            continue
        coordinators, conjuncts = graph.visited_by(word, "cc"), graph.visited_by(word, "conj")
        if not conjuncts:
            continue
        governor, relation = graph.governors[word][0]
        name = f"conj:{_coordinator(graph, coordinators[0])}"
        cases = graph.by(word, "case")
        with_case = [c for c in conjuncts if graph.by(c, "case")]
        if relation in _PREPOSITIONAL and cases and with_case:
            # The original makes a copy for every combination of prepositions, coordinator and conjunct; the first
            # ones get the conjuncts.
            every = len(cases) * len(coordinators) * sum(len(graph.by(c, "case")) for c in with_case)
            for number in range(every):
                copy = graph.copy(governor, number + 1)
                graph.add(governor, copy, name)
                for conjunct in with_case[number : number + 1]:
                    graph.remove(word, conjunct, "conj")
                    graph.add(copy, conjunct, relation)
            for coordinator in coordinators:
                graph.remove(word, coordinator, "cc")
                graph.add(governor, coordinator, "cc")
        elif relation == "case" and graph.governors[governor]:
            above, kind = graph.governors[governor][0]
            for copies, conjunct in enumerate(conjuncts, 1):
                copy = graph.copy(above, copies)
                graph.add(above, copy, name)
                named = f"{kind}:{graph.words[conjunct]}" if kind in _PREPOSITIONAL else kind
                graph.add(copy, governor, named)


def _name_prepositions(graph: Dependencies) -> None:
    for target, governors in enumerate(graph.governors):
        for at, (governor, relation) in enumerate(governors):
            if relation in _PREPOSITIONAL and (name := _preposition(graph, governor, target, relation)):
                children, named = graph.children[governor], f"{relation}:{name}"
                governors[at] = governor, named
                children[children.index((target, relation))] = target, named


def _preposition(graph: Dependencies, governor: int, target: int, relation: str) -> str:
    """Return the name of a target's last preposition, the longest first; `agent` for the by of a passive."""
    cases = [dependent for dependent, r in graph.children[target] if r == "case"]
    if len(cases) > 1:
        cases = graph.visited_by(target, "case")
    names = []
    for case in cases:
        more = graph.children[case]
        names.append([graph.words[w] for w in sorted([case, *graph.by(case, "mwe")])] if more else [graph.words[case]])
    if ["by"] in names and relation == "nmod" and graph.by(governor, "auxpass"):
        return "agent"
    for size in (3, 2, 1):
        for name in reversed(names):
            if len(name) == size:
                return "_".join(name)
    return ""


def _coordinator(graph: Dependencies, word: int) -> str:
    words = graph.words
    if word and words[word - 1] == "but":
        return _COORDINATORS.get(f"but {words[word]}", words[word])
    two, three = (" ".join(words[word : word + size]) for size in (2, 3))
    return words[word] if words[word] == "but" else _COORDINATORS.get(two) or _COORDINATORS.get(three) or words[word]


def _name_conjuncts(graph: Dependencies) -> None:
    """A conjunct takes the last coordinator before it, else the first."""
    for word, children in enumerate(graph.children):
        if not any(relation == "cc" for _, relation in children):
            continue
        for coordinator in graph.visited_by(word, "cc"):
            name = f"conj:{_coordinator(graph, coordinator)}"
            for conjunct, relation in children[:]:
                after = relation.startswith("conj:") and graph.position[conjunct] > graph.position[coordinator]
                if (relation == "conj" or after) and relation != name:
                    graph.remove(word, conjunct, relation)
                    graph.add(word, conjunct, name)


def _share_between_conjuncts(graph: Dependencies) -> None:
    """Let the governors of the first conjunct govern the others; a verb or adjective shares its subject."""
    conjuncts = [
        (first, other, graph.governors[first][:], children[:], graph.children[other][:])
        for first, children in enumerate(graph.children)
        for other, name in children
        if name.startswith("conj:")
    ]
    for first, other, above, below, of_other in conjuncts:
        relative = all(any(r == "acl:relcl" for _, r in children) for children in (below, of_other))
        for governor, relation in above:
            if governor != other and relation != "case" and not (relative and relation in ("dobj", "nsubj")):
                graph.add(governor, other, relation)
        if graph.tags[other].startswith(("VB", "JJ")) and not any(r in _SUBJECTS for _, r in of_other):
            for subject, relation in graph.visited(first):
                if relation in _SUBJECTS and (subject, relation) in below:
                    graph.add(other, subject, _shared_subject(graph, other, relation))
                    break


def _shared_subject(graph: Dependencies, conjunct: int, relation: str) -> str:
    """Return the relation of a shared subject: passive under a passive verb, active under others in the present."""
    if relation.endswith("pass"):
        active = graph.tags[conjunct] in ("VB", "VBZ", "VBP") or graph.tags[conjunct].startswith("JJ")
        return relation.removesuffix("pass") if active else relation
    return relation + "pass" if graph.by(conjunct, "auxpass") else relation
