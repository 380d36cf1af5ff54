"""The grammar: states with their labels, rules grouped for the chart, and the lexicon."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.readers.storage import array_file
from vericap.scene.stanford.lexicon import TagLexicon

NAME, KIND = "englishPCFG of CoreNLP 3.6.0", "Stanford grammar"
SHA256 = "68477720df60756bd2082153c3a99b49603ed2427b87a2c46d8a8a2528830a41"  # of the content of its file
AGAIN = "make it again: vericap resources add FILE, with englishPCFG.ser.gz of CoreNLP 3.6.0 or the jar of its models"
FILE = "englishPCFG.arrays"
GOAL = "ROOT"
Tables = Mapping[str, NDArray[Any]]
_CUTS = "-=|#^~_["  # signs that end the label in a state's name


class Grammar:
    """A grammar, from the tables of its file.

    `names`: the real states, which are the first, one per line; `order`: of each state of the original its number;
    `tags`: the states that are tags. `binary` has parent, left and right child, `unary` parent and child, `closed` the
    chains of unary rules, each with a column of scores. `words`: one per line; `seen_count` is the count of a
    `seen_word` with a `seen_tag`, in the order of words, `seen_of_word`, `seen_of_tag`, `seen_of_all` are the sums;
    `unseen_…` is the same of signatures, which are words too.
    """

    def __init__(self, tables: Tables, sha256: str = SHA256) -> None:
        self.tables, self.sha256 = tables, sha256
        self._states = len(tables["order"])
        names = _lines(tables["names"])
        tags = set(tables["tags"].tolist())
        self.is_tag = [state in tags for state in range(len(names))]
        self.labels = list(map(label, names, self.is_tag))
        self.lexicon = TagLexicon(_lines(tables["words"]), tables)
        self._is_goal = tables["binary"][:, 0] == names.index(GOAL)
        below, score = tables["binary"][self._is_goal, 1], tables["binary_score"][self._is_goal]
        self.goals: list[tuple[int, float]] = list(zip(below.tolist(), score.tolist(), strict=True))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Grammar:
        """Return the grammar of a file that `write_grammar` wrote."""
        _, facts, tables, sha256 = array_file.read(path)
        if facts.get("kind") != KIND or sha256 != SHA256:
            raise InputError("this file is not the grammar that this version reads", source=os.fspath(path), fix=AGAIN)
        return cls(tables, sha256)

    def rules(self) -> tuple[Any, ...]:
        """Return the rules as a `Chart` takes them."""
        tables, states = self.tables, self._states
        parent, left, right = tables["binary"][~self._is_goal].T.astype(np.uint32)
        score = tables["binary_score"][~self._is_goal]
        closed_parent, closed_child = tables["closed"].T
        # Chains are taken by their child, in the original's order of states.
        place = np.argsort(tables["order"])
        start, *chains = grouped(place[closed_child], states, closed_parent, tables["closed_score"])
        is_child = np.diff(start) > 0
        return (
            len(self.labels),
            grouped(left, states, parent << 16 | right, score),
            grouped(parent, states, left << 16 | right, score),
            (tables["order"][is_child].astype(np.int32), np.append(start[:-1][is_child], start[-1:]), *chains),
            grouped(tables["unary"][:, 0], states, tables["unary"][:, 1], tables["unary_score"]),
        )


def write_grammar(path: str | os.PathLike[str], tables: Tables) -> None:
    """Write the file that `Grammar.read` reads."""
    array_file.write(path, NAME, {"kind": KIND}, tables)


def grouped(key: NDArray[Any], size: int, *columns: NDArray[Any]) -> list[NDArray[Any]]:
    """Return columns in the order of a key, stably, and before them the first row of each key.

    >>> grouped(np.array([2, 0, 2]), 3, np.array([7, 8, 9], np.uint16))
    [array([0, 1, 1, 3], dtype=int32), array([8, 7, 9], dtype=int32)]
    """
    order = np.argsort(key, kind="stable")
    start = np.searchsorted(key[order], np.arange(size + 1)).astype(np.int32)
    kinds = (np.int32 if column.dtype == np.uint16 else column.dtype for column in columns)
    return [start, *(np.ascontiguousarray(column[order], kind) for column, kind in zip(columns, kinds, strict=True))]


def label(name: str, is_tag: bool) -> str:
    """Return the label of a state as trees show it; phrases of time keep -TMP, which dependencies ask for.

    >>> [label(name, False) for name in ["NP^S-B", "NP-TMP^VP-B", "NP-ADV^VP-B"]]
    ['NP', 'NP-TMP', 'NP']
    >>> [label(name, True) for name in ["-LRB-^PRN", "#^NP", "PRP$^NP", "NN-TMP^NP"]]
    ['-LRB-', '#', 'PRP$', 'NN']
    """
    end = next((i for i, sign in enumerate(name) if sign in _CUTS and i > 0), len(name))
    if name[0] in _CUTS:  # a second sign of the same kind belongs to the label
        again = name.find(name[0], 2)
        end = next((i for i, sign in enumerate(name) if sign in _CUTS and i > 0 and i != again), len(name))
    return name[:end] + ("-TMP" if "-TMP" in name and not is_tag else "")


def _lines(text: NDArray[Any]) -> list[str]:
    return text.tobytes().decode().split("\n")
