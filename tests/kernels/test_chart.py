"""The chart equals a search written as plainly as it can be, for any grammar, batch and length."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.kernels.chart import CLOSE, Chart
from vericap.scene.stanford.grammar import grouped

TAGS, REAL, STATES = 3, 7, 14  # tags, tags and phrases, all states
F = np.float32


class Plain:
    """Random rules, and the scores of all spans of a sentence by them, one by one."""

    def __init__(self, seed: int) -> None:
        self.random = random = np.random.default_rng(seed)
        self.binary = []
        for parent in range(TAGS, STATES):
            for _ in range(4):
                children = [int(random.integers(REAL)), int(random.integers(REAL, STATES))]
                random.shuffle(children)
                self.binary.append((parent, *children, F(random.integers(-3, 2) / 2)))
        self.unary = [(p, int(random.integers(p)), F(random.integers(-4, 0) / 2)) for p in range(TAGS, STATES)]

    def chart(self) -> Chart:
        parent, left, right = np.array([rule[:3] for rule in self.binary], np.uint32).T
        score = np.array([rule[3] for rule in self.binary], F)
        above, below = np.array([rule[:2] for rule in self.unary], np.uint16).T
        unary = np.array([rule[2] for rule in self.unary], F)
        return Chart(
            REAL,
            grouped(left, STATES, parent << 16 | right, score),
            grouped(parent, STATES, left << 16 | right, score),
            (np.arange(STATES, dtype=np.int32), *grouped(below, STATES, above, unary)),
            grouped(above, STATES, below, unary),
        )

    def sentence(self, length: int) -> list[dict[int, np.float32]]:
        words = (self.random.permutation(TAGS)[: self.random.integers(1, TAGS + 1)] for _ in range(length))
        return [{int(tag): F(-self.random.integers(1, 9) / 3) for tag in tags} for tags in words]

    def scores(self, words: list[dict[int, np.float32]]) -> dict[tuple[int, int, int], np.float32]:
        found: dict[tuple[int, int, int], np.float32] = {}

        def keep(state: int, first: int, last: int, score: np.float32) -> None:
            if score > found.get((state, first, last), -np.inf):
                found[state, first, last] = score

        for width in range(1, len(words) + 1):
            for first in range(len(words) + 1 - width):
                last = first + width
                for tag, score in words[first].items() if width == 1 else ():
                    keep(tag, first, last, score)
                for cut in range(first + 1, last):
                    for parent, left, right, rule in self.binary:
                        if (left, first, cut) in found and (right, cut, last) in found:
                            keep(parent, first, last, rule + found[left, first, cut] + found[right, cut, last])
                for child in range(STATES):
                    for parent, below, rule in self.unary:
                        if below == child and (child, first, last) in found:
                            keep(parent, first, last, found[child, first, last] + rule)
        return found


@pytest.mark.parametrize("seed", range(12))
def test_scores_are_those_of_a_plain_search(seed: int) -> None:
    plain = Plain(seed)
    lanes = 1 << seed % 4
    batch = [plain.sentence(int(length)) for length in plain.random.integers(1, 8, lanes)]
    longest = max(map(len, batch))
    given = [words[w] if w < len(words) else {} for w in range(longest) for words in batch]
    start = np.cumsum([0, *map(len, given)]).astype(np.int32)
    tags = np.array([tag for word in given for tag in word], np.int32)
    chart = plain.chart()
    for _ in range(2):  # the second time in the memory of the first
        chart.fill(longest, lanes, start, tags, np.array([score for word in given for score in word.values()], F))
        for lane, words in enumerate(batch):
            scores = plain.scores(words)
            for state in range(STATES):
                for last in range(1, len(words) + 1):
                    assert chart.score(lane, state, last) == scores.get((state, 0, last), -np.inf)
                    if (state, 0, last) in scores:
                        read = chart.read_tree(lane, state, last)
                        assert sum(0 <= each < TAGS for each in read) == last, "a tree has each word once"
                        assert read.count(CLOSE) == sum(each >= TAGS for each in read), "all phrases are closed"


def test_of_equal_trees_that_with_the_first_cut_wins() -> None:
    plain = Plain(0)
    plain.binary = [(3, 4, 7, F(0)), (4, 0, 8, F(0)), (5, 0, 8, F(0))]
    plain.unary = [(4, 0, F(0)), (5, 0, F(0)), (8, 0, F(0)), (7, 5, F(0))]
    chart = plain.chart()
    chart.fill(3, 1, np.arange(4, dtype=np.int32), np.zeros(3, np.int32), np.zeros(3, F))
    # 3 is 4 and 5, one of them over two words.
    assert chart.read_tree(0, 3, 3) == [3, 4, 0, CLOSE, 5, 0, 0, CLOSE, CLOSE]


def test_rules_that_lead_nowhere_end_with_an_error() -> None:
    plain = Plain(0)
    plain.binary = [(3, 0, 7, F(0))]
    plain.unary = [(4, 5, F(0)), (4, 0, F(-1)), (5, 4, F(0))]
    chart = plain.chart()
    chart.fill(1, 1, np.array([0, 1], np.int32), np.zeros(1, np.int32), np.zeros(1, F))
    with pytest.raises(ValueError, match="go in circles"):
        chart.read_tree(0, 5, 1)
