"""Trees of phrases, brought into the form from which relations are read: expressions of several words under a node of
their own, flat coordinations ("a black and white dog") with a node for what belongs together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vericap.scene.stanford.constituents import BE, Constituent, labels
from vericap.scene.stanford.matching import both, first, has, just_precedes, no, only, word
from vericap.scene.stanford.tree import Node, Tree

# Expressions of several words: the parents under which they are one, and the words with their tags; a phrase in the
# place of a tag covers that word alone.
_EXPRESSIONS = [
    (frozenset(parents.split()), [(w.split("/")[0], frozenset(w.split("/")[1].split(","))) for w in words.split()])
    for parents, words in (
        line.split(": ")
        for line in """
CONJP: as/RB well/RB as/IN
ADVP CONJP: as/RB well/IN,RB
PP: such/JJ as/IN
PP: due/JJ,IN to/IN,TO
PP CONJP: because/IN,RB of/IN
PP CONJP: instead/IN,RB of/IN
ADVP SBAR: in/IN,RB case/NN
ADVP PP: of/IN,RB course/NN,RB
SBAR PP: in/IN,RB order/NN,RB,NP
PP CONJP SBAR: rather/IN,RB than/IN
CONJP: not/IN,RB to/TO mention/VB,RB
PP SBAR: so/JJ,IN,RB that/IN,TO
SBAR: as/IN,RB if/IN
PP: prior/JJ,RB to/TO,IN
PP: as/IN to/TO,IN
ADVP: kind/RB,NN of/IN,RB
SBAR: whether/IN,RB or/CC not/RB
CONJP: as/IN opposed/VBN to/TO,IN
ADVP CONJP: let/VB,RB,VBD alone/RB,JJ
ADVP PP: in/IN,RB between/IN,RB,NP,PP,ADVP
ADVP QP ADJP: all/DT,RB but/CC,RB,IN
ADVP INTJ: that/NN,DT,RB is/VBZ,RB
WHADVP: how/WRB come/VB
VP: had/VBD better/PRT,ADVP
VP: 'd/VBD better/PRT,ADVP
QP: more/JJR,RBR,IN than/IN
QP: less/JJR,RBR,IN than/IN
QP: up/JJR,RBR,IN to/IN,TO
ADVP: at/IN,RB least/JJS,RBS
""".strip().splitlines()
    )
]
_LEAST_UNDER = frozenset("S SQ VP ADVP PP".split())
_BOTH = frozenset(("either", "neither", "both"))
_CONJOINED = labels("CC CONJP ,")
_AFTER = frozenset("after before until since during".split())
_CLAUSES = labels("S SBAR SBARQ SINV SQ PP VP NP+")


def prepare(tree: Tree) -> Constituent:
    """Return the prepared form of a tree, which stays as it is.

    >>> top = prepare(Tree.read("(NP (DT a) (JJ black) (CC and) (JJ white) (NN dog))"))
    >>> [(child.label, len(child.children)) for child in top.children]
    [('DT', 0), ('ADJP', 3), ('NN', 0)]
    """
    found: set[str] = set()
    words = [word.lower() for word in tree.words]
    top = _copy(tree.root, words, found)
    present = set(words)
    for parents, expression in _EXPRESSIONS:
        if expression[0][0] in present and expression[-1][0] in present:
            _join_expression(top, parents, expression)
    for label, step in _STEPS:
        if label in found:
            step(top)
    top.link()
    return top


def _copy(node: Node, words: Sequence[str], found: set[str]) -> Constituent:
    label = node.label
    if "-" in label and not label.startswith(("-", "NP-TMP", "UCP-TMP")):
        label = label[: label.index("-")]
    found.add(label)
    if node.word >= 0:
        return Constituent(label, [], node.word, words[node.word])
    return Constituent(label, [_copy(child, words, found) for child in node.children])


def _join_expression(
    top: Constituent, parents: frozenset[str], expression: Sequence[tuple[str, frozenset[str]]]
) -> None:
    size, words = len(expression), [word for word, _ in expression]
    for above in list(top.walk()):
        for at, node in enumerate(above.children):
            if node.label not in parents:
                continue
            for start in range(len(node.children) - size + 1):
                part = node.children[start : start + size]
                if all(
                    c.label in tags and c.is_over(word) for c, (word, tags) in zip(part, expression, strict=True)
                ) and _may_join(words, above, at, size):
                    node.join(start, start + size, "MWE")
                    break


def _may_join(words: list[str], above: Constituent, at: int, size: int) -> bool:
    """Return whether words make one expression here: "as well" alone in its phrase, "at least" not before "once"."""
    if words == ["as", "well"]:
        return len(above.children[at].children) == size
    after = above.children[at + 1] if at + 1 < len(above.children) else None
    once = after and after.label == "RB" and after.text in ("once", "twice")
    return words != ["at", "least"] or (above.label in _LEAST_UNDER and not once)


def _at_superlative(top: Constituent) -> None:
    """ "at most": an adverb over "at" and a noun phrase."""
    for node in list(top.walk()):
        if node.label in ("ADVP", "QP"):
            for i in range(len(node.children) - 1):
                at, most = node.children[i : i + 2]
                if at.text == "at" and at.label in ("IN", "RB") and most.label in ("JJS", "RBS"):
                    at.label = "IN"
                    node.children[i : i + 2] = [Constituent("ADVP", [at, Constituent("NP", [most])])]
                    break


def _conjoined_prepositions(top: Constituent) -> None:
    """ "before and after the game"."""
    for node in list(top.walk()):
        if node.label == "PP" and len(node.children) > 2:
            first, second, third = (child.label for child in node.children[:3])
            if first in ("IN", "TO") and second == "CC" and third in ("IN", "TO"):
                node.join(0, 3, "PCONJP")


def _unlike_conjuncts(top: Constituent) -> None:
    """A coordination of unlike phrases is named after its first."""
    for node in top.walk():
        if node.label.startswith("UCP") and node.children:
            first, last = node.children[0], node.children[-1]
            if first.label == "DT" and len(node.children) > 1:
                first = node.children[1]
            if first.label.startswith(("JJ", "ADJP")) or (
                last.label == "ADJP" and any(c.label == "JJR" and c.text in ("older", "younger") for c in last.children)
            ):
                node.label = "ADJP"
            elif first.label.startswith("N"):
                node.label = "NP"
            elif first.label.startswith("ADVP"):
                node.label = "ADVP"


def _flat_coordination(top: Constituent) -> None:
    while any(_group(node) for node in top.walk() if node.label.startswith("NP")):
        pass


def _group(phrase: Constituent) -> bool:
    """Give the conjuncts of a flat coordination nodes of their own; return whether there was one."""
    children = phrase.children
    for i, child in enumerate(children):
        if child.label == "CC" and 0 < i < len(children) - 2:
            after = children[i + 1 :]
            if after[0].label != "CC" and not any(c.label.startswith("NP") for c in after):
                break
    else:
        return False
    more = next((m for m in range(i + 1, len(children) - 1) if children[m].label == "CC"), 0)
    first = children[0].label
    # "black and white dog"
    if (
        i == 1
        and (first in ("DT", "JJ", "RB") or children[2].label != "DT")
        and not first.startswith(("NP", "ADJP"))
        and first != "NNS"
    ):
        phrase.join(0, 3, _named(children[0]))
        if more:
            _join_rest(phrase, more - 2)
    # "a black and white dog"
    elif i == 2 and first == "DT" and children[1].label != "NNS" and (len(children) == 5 or more == 5):
        phrase.join(1, 4, _named(children[1]))
    # "red , green and blue balls"
    elif i > 2 and children[i - 2].label == "," and children[i - 1].label != "NNS":
        start = i - 3
        while start > 1 and children[start - 1].label == "," and children[start - 2].word >= 0:
            start -= 2
        phrase.join(start, i + 2, _named(children[i - 1]))
    else:
        _join_sides(phrase, i, more)
    return True


def _named(child: Constituent) -> str:
    return "ADJP" if child.label.startswith("JJ") else "NP"


def _join_rest(phrase: Constituent, more: int) -> None:
    """ "black and white dogs and cats": what comes before the second coordinator, and what comes after it."""
    children = phrase.children
    phrase.join(more + 1, len(children), "NP")
    end = more - 1 if children[more - 1].label == "," else more
    if end > 1:
        phrase.join(0, end, _named(children[end - 1]))


def _join_sides(phrase: Constituent, i: int, more: int) -> None:
    """ "a red cup and plate": everything before the coordinator, and everything after it."""
    children = phrase.children
    before, after, rest = children[:i], children[i + 1 : more or None], children[more:] if more else []
    joined: list[Constituent] = []
    if before[0].text in _BOTH:
        before[0].label = "CC"
        joined.append(before.pop(0))
    for side, coordinator in ((before, [children[i]]), (after, [])):
        comma = [side.pop()] if len(side) > 1 and side[-1].label == "," else []
        if side:
            joined.append(Constituent(_named(side[-1]), side))
        joined += comma + coordinator
    phrase.children = [Constituent("NP", joined), *rest] if more else joined


def _amounts(top: Constituent) -> None:
    """ "one or two", "$ 5": the sides of a coordinator, and what follows a dollar sign, get nodes of their own."""
    for node in list(top.walk()):
        kinds = [child.label for child in node.children]
        for i in range(len(kinds) - 1 if node.label == "NP" else 0):
            if kinds[i] == kinds[i + 1] == "QP" and any(c.label == "CC" for c in node.children[i + 1].children):
                node.children[i : i + 2] = [
                    Constituent("QP", [c for qp in node.children[i : i + 2] for c in qp.children])
                ]
                break
        if node.label != "QP" or not all(child.word >= 0 for child in node.children):
            continue
        if "CC" in kinds[1:-1]:
            at = kinds.index("CC", 1)
            node.join(at + 1, len(kinds), "QP" if "$" in kinds[at + 1 :] else "NP")
            node.join(0, at, "QP" if "$" in kinds[:at] else "NP")
        elif "$" in kinds[:-1] and set(kinds[kinds.index("$") :]) <= {"CD", "$"}:
            node.join(kinds.index("$") + 1, len(kinds), "QP")


_ONE_CLAUSE = both(  # of an SQ
    has("VB*", word(BE), no(just_precedes("PP"))),
    no(has("VB*", no(word(BE)))),
    no(has("VP", has("VB*", no(word(BE))))),
    no(first("VB*", just_precedes("NP", has("EX")))),
    no(has("ADJP", has("PP", only("IN TO")))),
)


def _questions(top: Constituent) -> None:
    """ "what is this": the question is one clause."""
    top.link()
    what = has("WP")
    for node in list(top.walk()):
        for i in range(len(node.children) - 1 if node.label == "SBARQ" else 0):
            asked, question = node.children[i : i + 2]
            if asked.label == "WHNP" and what(asked) and question.label == "SQ" and _ONE_CLAUSE(question):
                node.children[i + 1 : i + 2] = question.children
                break


def _after_clauses(top: Constituent) -> None:
    """ "the street after it rains": a clause of time after a noun is a prepositional phrase."""
    for node in top.walk():
        if node.label == "NP":
            for i, child in enumerate(node.children):
                if child.label == "SBAR" and any(c.label == "NP" for c in node.children[:i]):
                    kinds = [c.label for c in child.children]
                    if any(
                        c.label == "IN" and c.text in _AFTER and "S" in kinds[at:]
                        for at, c in enumerate(child.children)
                    ):
                        child.label = "PP"


def _same_over_same(top: Constituent) -> None:
    for node in top.walk():
        while len(node.children) == 1 and node.children[0].label == node.label and node.children[0].word < 0:
            node.children = node.children[0].children


def _adverbs(top: Constituent) -> None:
    """ "eats and then sleeps": an adverb after the coordinator goes into the second conjunct."""
    for node in top.walk():
        if node.label not in _CLAUSES:
            continue
        for i in range(len(node.children) - 3, 0, -1):
            coordinator, adverb, phrase = node.children[i : i + 3]
            if (
                coordinator.label in _CONJOINED
                and phrase.label in _CLAUSES
                and (
                    (adverb.label == "RB" and adverb.text in ("not", "then"))
                    or (adverb.label == "ADVP" and len(adverb.children) == 1 and adverb.children[0].label == "RB")
                )
                and any(child.label in _CLAUSES for child in node.children[:i])
            ):
                phrase.children.insert(0, adverb)
                del node.children[i + 1]


# Each step with a label that a tree must have for it.
_STEPS: tuple[tuple[str, Callable[[Constituent], None]], ...] = (
    ("JJS", _at_superlative),
    ("RBS", _at_superlative),
    ("CC", _conjoined_prepositions),
    ("UCP", _unlike_conjuncts),
    ("CC", _flat_coordination),
    ("QP", _amounts),
    ("SBARQ", _questions),
    ("ROOT", _same_over_same),
    ("RB", _adverbs),
    ("SBAR", _after_clauses),
)
