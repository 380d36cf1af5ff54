"""The head of each phrase: head rules for English after Collins (1999), changed so that content words are heads, as
Universal Dependencies have it: "red" in "is red", "room" in "is in a room"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from vericap.scene.stanford.constituents import BE, Constituent, labels

# For each phrase, steps until one finds a child. left: the leftmost of the first label that is there; right: the
# rightmost; any: the rightmost child with one of the labels. The last step takes a child without a listed label.
_TABLE = """
NP NP-TMP NX | any NN NNP NNPS NNS NX JJR WP / left NP PRP / any $ ADJP FW CD JJ QP /
             | any JJS DT WDT PRN RB RBR ADVP / left POS
WHNP         | any NN NNP NNPS NNS NX JJR WP / left WHNP NP / any $ ADJP PRN FW / right CD / any JJ JJS RB QP /
             | left WHPP WHADJP WP$ WDT
ADJP         | left $ / any NNS NN NNP JJ QP VBN VBG / left ADJP / any JJR JJS DT RB RBR CD IN VBD / left ADVP NP
ADVP         | any RB RBR RBS JJ JJR JJS / any RP DT NN CD NP VBN NNP CC FW NNS ADJP / left
PP WHPP      | left NP S SBAR SBARQ ADVP PP VP ADJP FRAG UCP PRN / right
S            | left VP S FRAG SBAR ADJP UCP TO / right NP
SBAR         | left S SQ SINV SBAR FRAG VP WHNP WHPP WHADVP WHADJP IN DT
VP           | left TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS JJ NP NNP
SQ           | left VP SQ ADJP VB VBZ VBD VBP MD
SINV         | left VBZ VBD VBP VB MD VBN VP S SINV ADJP NP
SBARQ        | left SQ S SINV SBARQ FRAG SBAR
FRAG         | left IN / right RB / left NP / left ADJP ADVP FRAG S SBAR VP
QP           | right $ NNS NN CD JJ PDT DT IN RB QP JJR JJS
WHADJP       | left ADJP JJ JJR WP / right RB / right
WHADVP       | any WRB WHADVP RB JJ
CONJP        | right JJ RB / left CC IN / right VB
PRN          | left VP SQ S SINV SBAR NP ADJP PP ADVP INTJ WHNP NAC VBP JJ NN NNP
X            | right S VP ADJP NP SBAR PP X
ROOT         | left S SQ SINV SBAR FRAG
RRC          | left RRC / right VP ADJP NP PP ADVP
INTJ         | any NNS NN NNP / left
NAC          | left NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PRT          | right RP
LST          | right LS :
UCP UCP-TMP MWE PCONJP | left
"""
GET = frozenset("get getting gets got gotten".split())
_AUXILIARIES = GET | frozenset(
    "will wo shall sha may might should would can could ca must 'll ll -ll cold has have had having 've ve v of hav "
    "hvae as do does did 'd d du to 2 na a ot ta the too".split()
)
_PUNCTUATION = labels("'' `` -LRB- -RRB- . : ,")
_SKIPPED = _PUNCTUATION | labels("UH INTJ")
_VERBS = labels("TO MD VB*")
_PARTICIPLES = labels("VBN VBG VBD")
_NOT_TIME = labels("VP VB* NN* NP JJ ADJP S")

# A step: children → the place of the head, -1 if it is none of them.
_Step = Callable[[Sequence[Constituent]], int]


def _step(text: str, last: bool) -> _Step:
    side, *names = text.split()
    order = 1 if side == "left" else -1
    # Children count by family: NP-TMP as NP.
    wanted = [labels("NP+") if name == "NP" else frozenset((name,)) for name in names]
    if side == "any":
        wanted = [frozenset().union(*wanted)]

    def find(children: Sequence[Constituent]) -> int:
        places = range(len(children))[::order]
        for group in wanted:
            for i in places:
                if children[i].label in group:
                    return _first_conjunct(children, i)
        if not last:
            return -1
        rest = (i for i in places if children[i].label not in _PUNCTUATION)
        return _first_conjunct(children, next(rest, places[0]))

    return find


def _first_conjunct(children: Sequence[Constituent], i: int) -> int:
    """Return the place of the first of the conjuncts to which child `i` belongs."""
    if i < 2 or children[i - 1].label not in ("CC", "CONJP"):
        return i
    skipped = _PUNCTUATION if children[i].label == "UH" else _SKIPPED
    at = i - 2
    while at > 0 and children[at].label in skipped:
        at -= 1
    while at >= 2:
        left = at - 1
        while left >= 0 and children[left].label in skipped:
            left -= 1
        if left < 0 or not any(c.label in (",", ":") for c in children[left + 1 : at]):
            break
        at = left
    return at


_RULES: dict[str, list[_Step]] = {}
for _line in _TABLE.replace("/\n             |", "/").strip().splitlines():
    _names, _, _steps = _line.partition(" | ")
    _texts = _steps.split(" / ")
    for _name in _names.split():
        _RULES[_name] = [_step(text, text is _texts[-1]) for text in _texts]
_PREDICATES = {
    last: _step(f"left {names}", False)
    for last, names in {"VP": "VP", "ADJP": "VP ADJP", "WHNP": "VP ADJP NP UCP PP WHADJP WHNP"}.items()
}


def find_heads(top: Constituent) -> None:
    """Set the heads of all phrases of a prepared tree."""
    for child in top.children:
        if child.word < 0:
            find_heads(child)
    children = top.children
    if len(children) == 1:
        head = plain = children[0]
    elif top.label in ("VP", "SQ", "SINV", "SBARQ"):
        plain, copular = _verb_head(top)
        head = _by_table(top) if copular and _is_existential(top) else plain
    elif top.label == "CONJP":
        head = plain = _conjunction_head(top)
    else:
        head = plain = _by_table(top)
    top.head, top.plain_head, top.top = head, plain, head.top


def _by_table(phrase: Constituent) -> Constituent:
    for step in _RULES[phrase.label]:
        at = step(phrase.children)
        if at >= 0:
            return phrase.children[at]
    raise AssertionError("the last step finds a child")


def _verb_head(phrase: Constituent) -> tuple[Constituent, bool]:
    """Return the head of a verb phrase or question, and whether it is the predicate of a form of "be"."""
    children = phrase.children
    if phrase.label in ("SINV", "SBARQ"):
        head = _inverted_head(phrase)
        if head is not None or phrase.label == "SBARQ":
            return head or _by_table(phrase), False
    verbs = [child for child in children if child.label in _VERBS]
    copula = any(child.text in BE for child in verbs)
    may = [child for child in children if not _is_time(child)]
    modal = any(child.label in ("TO", "MD") for child in verbs)
    if (
        modal
        or any(child.text in _AUXILIARIES for child in verbs)
        or (any(child.text in BE or child.text in GET for child in verbs) and any(map(_is_participial, children)))
    ):
        at = _PREDICATES["ADJP" if copula or modal else "VP"](may)
        if at >= 0:
            return may[at], False
    if copula:
        at = _question_predicate(phrase, may) if phrase.label == "SQ" else _PREDICATES["WHNP"](may)
        if at >= 0:
            return may[at], True
    return _by_table(phrase), False


def _is_time(child: Constituent) -> bool:
    """Return whether a child is a time alone: "this morning"."""
    if child.label == "VP":
        inside = {c.label for c in child.children}
        return "NP-TMP" in inside and inside.isdisjoint(_NOT_TIME)
    return child.label.endswith("-TMP")


def _is_participial(child: Constituent) -> bool:
    """Return whether a child is a verb phrase with a participle, or one whose first conjunct has one."""
    if child.label != "VP":
        return False
    phrase: Constituent | None = None
    for inner in child.children:
        if inner.label in _PARTICIPLES:
            return True
        if inner.label == "CC" and phrase and any(c.label in _PARTICIPLES for c in phrase.children):
            return True
        if inner.word < 0:
            phrase = inner
    return False


def _question_predicate(question: Constituent, may: Sequence[Constituent]) -> int:
    above = question.parent
    if above and above.label == "SBARQ" and any(c.label.startswith("WH") for c in above.children):
        return -1
    for label in "VP ADJP NP UCP PP WHADJP WHNP".split():
        for i in reversed(range(len(may))):
            if may[i].label == label and (label != "NP" or any(c.label.startswith("NP") for c in may[:i])):
                return _first_conjunct(may, i)
    return -1


def _inverted_head(phrase: Constituent) -> Constituent | None:
    """Return the head of "what is red", "what is this", and of a noun phrase before subject and copula."""
    children = phrase.children
    if phrase.label == "SINV":
        nouns = [c for c in children if c.label == "NP"]
        verbs = [
            c for c in children if c.label == "VP" and any(v.label[:2] == "VB" and v.text in BE for v in c.children)
        ]
        return nouns[0] if len(nouns) > 1 and verbs and verbs[-1].place > nouns[1].place else None
    asked = [c for c in children if c.label == "WHNP"]
    copulas = [c for c in children if c.label[:2] == "VB" and c.text in BE and asked and c.place > asked[0].place]
    if not copulas:
        return None
    after = children[copulas[0].place + 1 :]
    adjectives = [c for c in after if c.label == "ADJP"]
    if adjectives:
        return adjectives[-1]
    return asked[0] if after and after[0].label == "NP" else None


def _is_existential(phrase: Constituent) -> bool:
    """Return whether "there" is the subject: in "there is a man", "is" stays the head."""
    if phrase.parent is None:
        return False
    sisters = phrase.parent.children
    if phrase.label == "VP":
        first = next(c.place for c in sisters if c.label == "VP")
        return any(node.label == "EX" for c in sisters[:first] for node in c.walk())
    return phrase.label == "SQ" and any(
        node.label == "EX" for c in sisters if not c.label.startswith("VB") for node in c.walk()
    )


def _conjunction_head(phrase: Constituent) -> Constituent:
    """Return the adverb after a coordinator as head ("but not", "and yet"), else what the table says."""
    for before, after in pairwise(phrase.children):
        for word in ("not", "also", "rather", "yet"):
            if (
                before.label == "CC"
                and before.text in {"not": ("and", "but"), "yet": ("and",)}.get(word, ("but",))
                and (after.label == "RB" or (word != "not" and after.label == "ADVP"))
                and after.is_over(word)
            ):
                return after
    return _by_table(phrase)
