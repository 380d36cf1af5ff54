r"""Verity's second network: the word level of AIEr (Wang et al. 2021), a GRU over words in both directions, in NumPy.

It shares nothing with the encoder and errs differently. Word $w$ of a text has a vector $e_w$; the states of both
directions at word $t$ are $h_t$ [128], and $U$ is what AIEr calls the union layer:

| feature | formula | what it says |
|---|---|---|
| second support | $\frac{1}{\lvert c \rvert} \sum_{t \in c} \max_{u \in R} (U h_u) \cdot h_t$ | fidelity: AIEr's $S^o$ |
| second coverage | $\frac{1}{\lvert R \rvert} \sum_r \frac{1}{\lvert r \rvert} \sum_{u \in r} \max_{t \in c} h_u \cdot (U h_t)$ | adequacy: the same the other way round |
"""  # noqa: E501  # a row of the table is one line

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, offsets_of
from vericap.encoders.network import FEWEST_ROWS
from vericap.errors import InputError
from vericap.lexicon.hashes import hash_words, place
from vericap.readers.storage import array_file
from vericap.text.vocabulary import encode

Array = NDArray[np.float32]

KIND, FORMAT = "verity reader", 1
AGAIN = "make it again with python -m tools.verity.second"
TEXTS = 500  # that are read together
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|'s\b")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, those with hyphens whole.

    >>> words_of("A man's T-shirt, 2 dogs.")
    ['a', 'man', "'s", 't-shirt', '2', 'dogs']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True, eq=False)
class Direction:
    """A GRU in one direction, gates in the order r, z, n of `torch.nn.GRU`."""

    inputs: Array  # [e, 3 units]
    inputs_bias: Array
    hidden: Array  # [units, 3 units]
    hidden_bias: Array

    def states(self, projected: Array, running: Sequence[int]) -> Array:
        """States [items, units] of packed items [items, 3 units]: first the first item of each sequence, the longest
        sequence first, then the second items of those that have one, and so on; `running[t]` have more than t items."""
        units = len(self.hidden)
        found = np.empty((len(projected), units), np.float32)
        before = np.zeros((max(max(running, default=0), FEWEST_ROWS), units), np.float32)
        for first, last in pairwise(offsets_of(running).tolist()):
            now = last - first
            # BLAS computes a row in the same way wherever it is, if there are not too few.
            hidden = (before[: max(now, FEWEST_ROWS)] @ self.hidden)[:now] + self.hidden_bias
            given = projected[first:last]
            gates = 1 / (1 + np.exp(-(given[:, : 2 * units] + hidden[:, : 2 * units])))
            new = np.tanh(given[:, 2 * units :] + gates[:, :units] * hidden[:, 2 * units :])
            before[:now] = new + gates[:, units:] * (before[:now] - new)
            found[first:last] = before[:now]
        return found


@dataclass(frozen=True, eq=False)
class Reader:
    """Texts → states of their words. Vectors of words are in 8 bits; `unknown` is that of a word without one."""

    hashes: NDArray[np.uint64]  # [words], sorted
    table: NDArray[np.int8]  # [words, e]
    scale: Array  # [words]
    unknown: Array  # [e]
    onward: Direction
    back: Direction
    union: Array  # [2 units, 2 units]: U
    digest: str = ""

    @classmethod
    def read(cls, path: Path) -> Reader:
        """From a file that `write_reader` wrote."""
        source = str(path)
        _, facts, arrays, digest = array_file.read(path, verify=False)
        array_file.check_format(facts, KIND, FORMAT, source, "a second network of Verity", AGAIN)
        try:
            inputs, units = int(facts["inputs"]), int(facts["units"])

            def floats(name: str, *shape: int) -> Array:
                return arrays[name].view("<f2").astype(np.float32).reshape(shape)

            def direction(name: str) -> Direction:
                weights = (floats(f"{name}.inputs", inputs, 3 * units), floats(f"{name}.inputs_bias", 3 * units))
                return Direction(
                    *weights, floats(f"{name}.hidden", units, 3 * units), floats(f"{name}.hidden_bias", 3 * units)
                )

            return cls(
                hashes=arrays["hashes"],
                table=arrays["table"].view(np.int8).reshape(len(arrays["hashes"]), inputs),
                scale=floats("scale", len(arrays["hashes"])),
                unknown=floats("unknown", inputs),
                onward=direction("onward"),
                back=direction("back"),
                union=floats("union", 2 * units, 2 * units),
                digest=digest[:12],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"the file is damaged ({error})", source=source, fix=AGAIN) from None

    def __call__(self, texts: Sequence[str]) -> list[Array]:
        """The states h of the words of each text, arrays [words, 2 units]."""
        vocabulary: dict[str, int] = {}
        ids = encode(texts, words_of, vocabulary)
        vectors = self._vectors(list(vocabulary))
        projected = [(_product(vectors, way.inputs) + way.inputs_bias) for way in (self.onward, self.back)]
        found: list[Array] = [np.zeros((0, len(self.union)), np.float32)] * len(texts)
        order = np.argsort(-ids.lengths, kind="stable")
        order = order[: int((ids.lengths > 0).sum())]
        for first in range(0, len(order), TEXTS):
            rows = order[first : first + TEXTS]
            states = self._states(ids.take(rows), projected)
            for row, (start, end) in zip(rows.tolist(), pairwise(states.offsets.tolist()), strict=True):
                found[row] = states.values[start:end]
        return found

    def turn(self, states: Array) -> Array:
        """What states of references are compared with, for a caption of these states: U' h above U h."""
        return np.concatenate([states @ self.union, states @ self.union.T])

    def _vectors(self, words: Sequence[str]) -> Array:
        rows = place(self.hashes, hash_words(words))
        found = self.table[rows] * self.scale[rows, None]
        found[rows < 0] = self.unknown
        return np.asarray(found, np.float32)

    def _states(self, ids: Ragged, projected: Sequence[Array]) -> Ragged:
        """States of both directions beside each other, of texts of which the longest come first."""
        packed, running = _pack(ids.lengths, ids.offsets[:-1])
        ends = np.repeat(ids.offsets[:-1] + ids.offsets[1:] - 1, ids.lengths)
        turned = ends - np.arange(len(ids.values))  # the place of the same word counted from the end
        units = len(self.onward.hidden)
        found = np.empty((len(ids.values), 2 * units), np.float32)
        found[packed, :units] = self.onward.states(projected[0][ids.values[packed]], running)
        found[turned[packed], units:] = self.back.states(projected[1][ids.values[turned[packed]]], running)
        return Ragged(found, ids.offsets)


def _pack(lengths: Integers, starts: Integers) -> tuple[Integers, list[int]]:
    """Places of the first items of all sequences, then of the second items, and so on; how many sequences have each."""
    running = [int((lengths > step).sum()) for step in range(int(lengths.max(initial=0)))]
    return np.concatenate([starts[:count] + step for step, count in enumerate(running)]), running


def _product(rows: Array, matrix: Array) -> Array:
    filled = np.zeros((max(len(rows), FEWEST_ROWS), rows.shape[1]), np.float32)
    filled[: len(rows)] = rows
    return np.asarray((filled @ matrix)[: len(rows)], np.float32)


def write_reader(path: str | os.PathLike[str], reader: Reader, about: Mapping[str, Any]) -> None:
    """Writes a second network; `about` says what it was made of."""
    inputs, units = reader.onward.inputs.shape[0], len(reader.onward.hidden)
    given = {"scale": reader.scale, "unknown": reader.unknown, "union": reader.union}
    for name, way in (("onward", reader.onward), ("back", reader.back)):
        given |= {f"{name}.inputs": way.inputs, f"{name}.inputs_bias": way.inputs_bias}
        given |= {f"{name}.hidden": way.hidden, f"{name}.hidden_bias": way.hidden_bias}
    arrays = {name: np.ascontiguousarray(values, "<f2").reshape(-1).view("<u2") for name, values in given.items()}
    arrays |= {"hashes": reader.hashes, "table": np.ascontiguousarray(reader.table).reshape(-1).view(np.uint8)}
    facts = {"kind": KIND, "format": FORMAT, "inputs": inputs, "units": units, "about": dict(about)}
    array_file.write(path, "verity reader", facts, arrays)
