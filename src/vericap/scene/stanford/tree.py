"""Trees of phrases, and their bracketed form as the Penn Treebank has it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(eq=False, slots=True)
class Node:
    """A phrase over its children, or the tag of a word: then `word` is the word's position."""

    label: str
    children: list[Node] = field(default_factory=list)
    word: int = -1

    def leaves(self) -> Iterator[Node]:
        """Yield the tags below this node, from left to right."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.word >= 0:
                yield node
            waiting += reversed(node.children)


@dataclass(frozen=True, slots=True)
class Tree:
    """A sentence with its tree; `score` is the logarithm of its probability.

    >>> tree = Tree.read("(ROOT (NP (DT a) (NN dog)))")
    >>> tree.words, tree.tags, str(tree)
    (['a', 'dog'], ['DT', 'NN'], '(ROOT (NP (DT a) (NN dog)))')
    """

    words: Sequence[str]
    root: Node
    score: float = math.nan

    @property
    def tags(self) -> list[str]:
        """Return the tag of each word."""
        return [leaf.label for leaf in self.root.leaves()]

    @classmethod
    def read(cls, text: str, score: float = math.nan) -> Tree:
        """Return the tree of a bracketed form; a word is what follows a label directly."""
        words: list[str] = []
        top = Node("")
        open_nodes = [top]
        tokens = iter(_TOKEN.findall(text))
        for token in tokens:
            if token == "(":
                node = Node(next(tokens))
                open_nodes[-1].children.append(node)
                open_nodes.append(node)
            elif token == ")":
                open_nodes.pop()
            else:
                open_nodes[-1].word = len(words)
                words.append(token)
        return cls(words, top.children[0], score)

    def __str__(self) -> str:
        written: list[str] = []
        waiting: list[Node | None] = [self.root]  # None closes a phrase
        while waiting:
            node = waiting.pop()
            if node is None:
                written.append(")")
            elif node.word >= 0:
                written.append(f" ({node.label} {self.words[node.word]})")
            else:
                written.append(f" ({node.label}")
                waiting += [None, *reversed(node.children)]
        return "".join(written)[1:]
