"""Totals of a stream, span by span: sums of statistics with what rounding lost, and counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.streaming.job import Piece


@dataclass
class Sum:
    """A sum of arrays by Neumaier's method: what an addition loses is added at the end.

    >>> total = Sum()
    >>> for value in (1e16, 1.0, -1e16):
    ...     total.add(np.array([value]))
    >>> total.value.tolist()
    [1.0]
    """

    high: Floats | None = None
    low: Floats | None = None

    def add(self, values: Floats, lost: Floats | float = 0.0) -> None:
        """Adds an array, and what was lost where its values were rounded."""
        if self.high is None or self.low is None:
            self.high, self.low = values.astype(np.float64), np.zeros(len(values)) + lost
            return
        self.low = self.low + lost
        total = self.high + values
        larger = np.abs(self.high) >= np.abs(values)
        self.low += np.where(larger, (self.high - total) + values, (values - total) + self.high)
        self.high = total

    @property
    def value(self) -> Floats:
        """The sum."""
        return np.zeros(0) if self.high is None or self.low is None else self.high + self.low

    def to_lists(self) -> list[list[float]]:
        """Both parts; JSON keeps every bit of a float."""
        return [] if self.high is None or self.low is None else [self.high.tolist(), self.low.tolist()]

    @classmethod
    def from_lists(cls, given: list[list[float]]) -> Sum:
        return cls(*(np.array(part, np.float64) for part in given))


@dataclass
class Totals:
    """The totals of the completed rows: enough for all corpus scores and notes, and small for any number of rows."""

    spans: int = 0
    rows: int = 0  # scored
    read: int = 0  # in the files
    bad: int = 0
    left_out: int = 0
    written: int = 0
    empty: int = 0
    fewest: int | None = None
    most: int | None = None
    share: float = 0.0
    sums: dict[str, Sum] = field(default_factory=dict)
    undefined: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, piece: Piece) -> None:
        """Takes in what a span gave."""
        self.spans += 1
        self.rows += piece.rows
        self.read += piece.span.rows
        self.bad += len(piece.bad)
        self.left_out += piece.left_out
        self.written += piece.written
        self.empty += piece.empty
        self.share += piece.span.share
        if piece.fewest is not None and piece.most is not None:
            self.fewest = piece.fewest if self.fewest is None else min(self.fewest, piece.fewest)
            self.most = piece.most if self.most is None else max(self.most, piece.most)
        for key, sums in piece.sums.items():
            self.sums.setdefault(key, Sum()).add(*sums)
            self.undefined[key] = self.undefined.get(key, 0) + piece.undefined[key]
        for note in piece.notes:
            if note not in self.notes:
                self.notes.append(note)
        for what, seconds in piece.seconds.items():
            self.seconds[what] = self.seconds.get(what, 0.0) + seconds

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {**vars(self), "sums": {key: each.to_lists() for key, each in self.sums.items()}}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Totals:
        """Return the object that `to_dict` wrote."""
        sums = {key: Sum.from_lists(parts) for key, parts in given["sums"].items()}
        return cls(**{**given, "sums": sums})
