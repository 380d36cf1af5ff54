"""Progress of long work, told to any listener: the work itself need not know who that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import TypeVar

Item = TypeVar("Item")
_STEPS = 200  # times at most that a stage of work is reported


class _Watcher:
    """Turns the progress of stages, whose number is unknown, into one number that only grows: each
    new stage fills half of what is left."""

    def __init__(self, tell: Callable[[float], None]) -> None:
        self.tell = tell
        self.begun = self.share = self.stage = 0.0
        self.shown = -1
        self.rate = ""  # such as "250 captions/s"
        self.counts: tuple[int, str, float] | None = None  # units of the stage, their name, and when it began

    def report(self, part: float) -> None:
        if part < self.stage or not self.share:
            self.begun += self.share
            self.share = (1 - self.begun) / 2
        self.stage = part
        if self.counts is not None:
            units, name, start = self.counts
            self.rate = f"{units * part / max(perf_counter() - start, 1e-9):,.0f} {name}/s"
        step = int((self.begun + self.share * part) * _STEPS)
        if step > self.shown:
            self.shown = step
            self.tell(step / _STEPS)


_WATCHER: ContextVar[_Watcher | None] = ContextVar("who watches the work", default=None)


@contextmanager
def watched(tell: Callable[[float], None]) -> Iterator[None]:
    """Calls `tell` with a number from 0 to 1 as the work inside advances.

    >>> said = []
    >>> with watched(said.append):
    ...     for stage in (1, 2):
    ...         for item in counted(range(2)):
    ...             pass
    >>> said
    [0.25, 0.5, 0.625, 0.75]
    """
    token = _WATCHER.set(_Watcher(tell))
    try:
        yield
    finally:
        _WATCHER.reset(token)


@contextmanager
def rated(units: int, name: str) -> Iterator[None]:
    """Let the stage inside count this many units, so that `rate` says how many of them are done per second."""
    watcher = _WATCHER.get()
    if watcher is None:
        yield
        return
    watcher.counts = units, name, perf_counter()
    try:
        yield
    finally:
        watcher.counts, watcher.rate = None, ""


def rate() -> str:
    """Return the units per second of the stage that runs, such as `250 captions/s`; empty where none are counted."""
    watcher = _WATCHER.get()
    return "" if watcher is None else watcher.rate


def report(done: int, of: int) -> None:
    """This much of a stage is done; without a watcher nothing happens."""
    if (watcher := _WATCHER.get()) is not None and of:
        watcher.report(done / of)


def counted(items: Sequence[Item]) -> Iterator[Item]:
    """The items, one after the other; each is reported when the next is asked for."""
    if _WATCHER.get() is None:
        yield from items
        return
    for done, item in enumerate(items, 1):
        yield item
        report(done, len(items))
