"""The parser: tags of words by the lexicon, a chart of each batch of sentences by a kernel, trees with their labels."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TypeVar

import numpy as np

from vericap.engine.local import in_processes
from vericap.kernels.chart import CLOSE, Chart
from vericap.scene.stanford.grammar import Grammar
from vericap.scene.stanford.installed import load_grammar
from vericap.scene.stanford.tree import Node, Tree

Answer = TypeVar("Answer")

# The original has no limit but its memory. A chart of this many words takes 300 MB; longer sentences are given the tree
# of those without a parse.
MAX_WORDS = 200
_MANY = 100  # sentences; with fewer a second process does not pay
# What is searched together: sentences, and their spans (52 KB each at most, and about half of that in captions).
_MOST, _SPANS = 64, 4000


class StanfordParser:
    """Sentences to trees; see `vericap.scene.stanford`."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._rules = grammar.rules()
        self._of_thread = threading.local()

    @property
    def _chart(self) -> Chart:
        """The chart of this thread: charts are not to be shared."""
        if not hasattr(self._of_thread, "chart"):
            self._of_thread.chart = Chart(*self._rules)
        found: Chart = self._of_thread.chart
        return found

    @staticmethod
    @cache
    def load() -> StanfordParser:
        """Return the parser with the grammar that is installed; an error says how to get it."""
        return StanfordParser(load_grammar())

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return the trees of sentences, given as lists of words."""
        return self.parse_each(sentences, lambda tree: tree)

    def parse_each(
        self, sentences: Sequence[Sequence[str]], use: Callable[[Tree], Answer], workers: int = 1
    ) -> list[Answer]:
        """Apply `use` to the tree of each sentence, in this many processes."""
        batches = list(batches_by_length(sentences))
        work = partial(self._parse_batch, sentences, use)
        found: dict[int, Answer] = {}
        if len(sentences) < _MANY:
            workers = 1
        for batch, answers in zip(batches, in_processes(work, batches, workers), strict=True):
            found.update(zip(batch, answers, strict=True))
        return [found[i] for i in range(len(sentences))]

    def _parse_batch(
        self, every: Sequence[Sequence[str]], use: Callable[[Tree], Answer], batch: list[int]
    ) -> list[Answer]:
        trees: dict[int, Tree] = {}
        for flooded in (False, True):  # what has no tree is parsed again, with all tags for all words
            left = [i for i in batch if i not in trees and 0 < len(every[i]) <= MAX_WORDS]
            if left:
                found = zip(left, self._trees([every[i] for i in left], flooded), strict=True)
                trees.update((i, tree) for i, tree in found if tree is not None)
        return [use(trees.get(i) or _no_parse(every[i])) for i in batch]

    def _trees(self, sentences: Sequence[Sequence[str]], flooded: bool) -> list[Tree | None]:
        """Return the best tree of each sentence, None where there is none."""
        longest = max(map(len, sentences))
        lanes = len(sentences)
        nothing = np.zeros(0, np.int32), np.zeros(0, np.float32)
        tagged = [nothing] * (longest * lanes)
        for lane, words in enumerate(sentences):
            for place, word in enumerate(words):
                tagged[place * lanes + lane] = self.grammar.lexicon.tags(word, place == 0, flooded)
        start = np.zeros(len(tagged) + 1, np.int32)
        np.cumsum([len(tags) for tags, _ in tagged], out=start[1:])
        tags, scores = (np.concatenate(each) for each in zip(*tagged, strict=True))
        chart = self._chart
        chart.fill(longest, lanes, start, tags, scores)
        return [self._tree(chart, lane, words) for lane, words in enumerate(sentences)]

    def _tree(self, chart: Chart, lane: int, words: Sequence[str]) -> Tree | None:
        best, score = -1, -math.inf
        for state, rule in self.grammar.goals:
            value = rule + chart.score(lane, state, len(words))
            if value > score:
                best, score = state, value
        if best < 0:
            return None
        top = Node("ROOT")
        path = [top]
        labels, is_tag, word = self.grammar.labels, self.grammar.is_tag, 0
        for state in chart.read_tree(lane, best, len(words)):
            if state == CLOSE:
                path.pop()
                continue
            if is_tag[state]:
                path[-1].children.append(Node(labels[state], [], word))
                word += 1
            else:
                node = Node(labels[state])
                path[-1].children.append(node)
                path.append(node)
        # The original prints the remainder by 10,000.
        return Tree(words, top, math.fmod(score, 10_000.0))


def _no_parse(words: Sequence[str]) -> Tree:
    return Tree(words, Node("X", [Node("XX", [], place) for place in range(len(words))]))


def batches_by_length(sentences: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield batches of indices of sentences, the longest first, sentences with the same first words together: they have
    states in common.

    >>> list(batches_by_length([["a"], ["a", "dog"], ["a"] * 110, ["a", "cat"]]))
    [[2], [3, 1, 0]]
    """
    order = sorted(range(len(sentences)), key=lambda i: (-len(sentences[i]), sentences[i]))
    at = 0
    while at < len(order):
        lanes = lanes_for(len(sentences[order[at]]))
        yield order[at : at + lanes]
        at += lanes


def lanes_for(words: int) -> int:
    """Return how many sentences of up to so many words are parsed together.

    >>> [lanes_for(words) for words in (10, 12, 20, 40, 80, 160)]
    [64, 48, 16, 4, 1, 1]
    """
    lanes = min(_MOST, 2 * _SPANS // (words * (words + 1) or 1)) or 1
    return lanes - lanes % 4 if lanes > 4 else lanes  # processors take numbers by four
