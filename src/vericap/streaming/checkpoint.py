"""The state of a stream on disk: how far it is, what it has added up, and with which settings, so that it goes on where
it was stopped, or says why it cannot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.streaming.job import Piece
from vericap.written import whole_file

FORMAT = 1


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
        self.notes = list(dict.fromkeys([*self.notes, *piece.notes]))
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


@dataclass
class Checkpoint:
    """`settings` are all that changes the output, by name; `written` says how much of each file counts."""

    settings: Mapping[str, Any]
    totals: Totals = field(default_factory=Totals)
    written: dict[str, int] = field(default_factory=dict)
    finished: bool = False

    def save(self, path: Path) -> None:
        """Writes the state as a whole: a reader finds the old one or the new one."""
        content = {
            "format": FORMAT,
            "hash": settings_hash(self.settings),
            "settings": dict(self.settings),
            "written": self.written,
            "finished": self.finished,
            "totals": self.totals.to_dict(),
        }
        with whole_file(path) as file:
            file.write(json.dumps(content, indent=1).encode())


def settings_hash(settings: Mapping[str, Any]) -> str:
    """SHA-256 of the settings.

    >>> settings_hash({"metrics": ["bleu-4"]})[:8] == settings_hash({"metrics": ["bleu-3"]})[:8]
    False
    """
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def load(path: Path, settings: Mapping[str, Any]) -> Checkpoint:
    """Return the state that a file holds; an error where it belongs to a stream with other settings or other input."""
    source, again = str(path), "delete the output and its state to start again"
    try:
        given = json.loads(path.read_bytes())
        kept, totals = given["settings"], Totals.from_dict(given["totals"])
        hashed, written, finished = given["hash"], dict(given["written"]), bool(given["finished"])
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError("the state of the stream cannot be read", source=source, fix=again) from None
    if given.get("format") != FORMAT or hashed != settings_hash(kept):
        raise InputError("the state of the stream is damaged or of another version", source=source, fix=again)
    # Through JSON, as the state has gone: a tuple is a list there.
    wanted = json.loads(json.dumps(dict(settings)))
    for name in sorted({*wanted, *kept}):
        if wanted.get(name) != kept.get(name):
            raise InputError(
                f"the stream was started with {_shown(kept.get(name))}, now it is {_shown(wanted.get(name))}",
                source=source,
                field=name,
                fix=f"use the same, or {again}",
            )
    return Checkpoint(settings, totals, written, finished)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"
