"""The nodes of a prepared tree, and lists of labels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

# The labels of the grammar, and two that `prepare` makes: MWE (expressions) and PCONJP (conjoined prepositions).
_LABELS = (
    "ADJP ADVP CONJP FRAG INTJ LST MWE NAC NP NP-TMP NX PCONJP PP PRN PRT QP ROOT RRC S SBAR SBARQ SINV SQ UCP UCP-TMP "
    "VP WHADJP WHADVP WHNP WHPP X # $ '' , -LRB- -RRB- . : `` CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT "
    "POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB XX"
).split()
_GROUPS = {
    "NP+": "NP NP-TMP",
    "N+": "NP NP-TMP NX WHNP",
    "WH+": "NP NP-TMP WHNP",
    "PP+": "PP WHPP",
    "PUN": "PRN `` '' -LRB- -RRB- , : .",
}


@cache
def labels(text: str) -> frozenset[str]:
    """Return the labels that a list names: `VB*` are those that begin with VB, `NP+` and the like are groups, and
    `but` in front means all others.

    >>> sorted(labels("NN* PP+")), "DT" in labels("but PRN DT"), "NN" in labels("but PRN DT")
    (['NN', 'NNP', 'NNPS', 'NNS', 'PP', 'WHPP'], False, True)
    """
    found: set[str] = set()
    others = text.startswith("but ")
    for name in text.removeprefix("but ").split():
        if name in _GROUPS:
            found |= labels(_GROUPS[name])
        elif name.endswith("*"):
            found |= {label for label in _LABELS if label.startswith(name[:-1])}
        else:
            found.add(name)
    return frozenset(_LABELS) - found if others else frozenset(found)


# Words of "to be", as they are found in text.
BE = frozenset("be being been am are r is ai was were 'm m 're 's s `s art ar wase".split())


class Constituent:
    """A node of a prepared tree. `text` is its word in lower case, empty for a phrase; `word` is the word's position,
    -1 for a phrase; `place` is its place among the children of `parent`. Heads are set by `heads.find_heads`: `head`
    is the head child, `plain_head` the one that is found without looking at the parent, `top` the head word."""

    __slots__ = ("children", "head", "label", "parent", "place", "plain_head", "text", "top", "word")

    def __init__(self, label: str, children: list[Constituent], word: int = -1, text: str = "") -> None:
        self.label, self.children, self.word, self.text = label, children, word, text
        self.parent: Constituent | None = None
        self.place = 0
        self.head = self.plain_head = self
        self.top = word

    def walk(self) -> Iterator[Constituent]:
        """Yield this node and all below it, parents first, from left to right."""
        yield self
        for child in self.children:
            yield from child.walk()

    def is_over(self, word: str) -> bool:
        """Return whether this node covers one word alone, which is this one."""
        node = self
        while len(node.children) == 1:
            node = node.children[0]
        return node.text == word

    def link(self) -> None:
        """Set parents and places of all nodes below."""
        for place, child in enumerate(self.children):
            child.parent, child.place = self, place
            if child.word < 0:
                child.link()

    def join(self, start: int, stop: int, label: str) -> None:
        """Put the children from `start` to `stop` under a new node."""
        self.children[start:stop] = [Constituent(label, self.children[start:stop])]
