"""Which tests reach a kernel: `make test` runs all with compiled kernels, and those that reach one again without.

The pass with compiled kernels notes of every test whether it asked for memory of a kernel, or started a process, in
which it may have. The pass with `VERICAP_PURE=1` leaves out the tests that did neither, for they would run the same
code again. Tests of the kernels themselves always run, and so do tests that the first pass has not seen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from vericap.kernels.memory import Rows

NOTES = "vericap/tests_that_reach_kernels"
PROCESSES = {"os.fork", "os.posix_spawn", "subprocess.Popen"}
KERNELS = ("tests/kernels/", "src/vericap/kernels/")
PURE = bool(os.environ.get("VERICAP_PURE"))


class Watch:
    """Whether the test at hand has reached a kernel."""

    def __init__(self) -> None:
        self.reached = False
        self.notes: dict[str, bool] = {}

    def start(self) -> None:
        for name in ("zeros", "copy", "view"):
            setattr(Rows, name, self._watched(getattr(Rows, name)))
        sys.addaudithook(self._hear)

    def _watched(self, make: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any) -> Any:
            self.reached = True
            return make(*given)

        return watched

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in PROCESSES:
            self.reached = True


WATCH = Watch()


def needless(seen: dict[str, bool], name: str) -> bool:
    """Whether a test need not run without compiled kernels.

    >>> seen = {"a": True, "b": False, "tests/kernels/test_recurrence.py::test_cells": False}
    >>> [name for name in [*seen, "new"] if needless(seen, name)]
    ['b']
    """
    return not name.startswith(KERNELS) and not seen.get(name, True)


def pytest_configure(config: pytest.Config) -> None:
    if not PURE:
        WATCH.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    WATCH.reached = False
    answer = yield
    WATCH.notes[item.nodeid] = WATCH.reached
    return answer


def pytest_sessionfinish(session: pytest.Session) -> None:
    cache = getattr(session.config, "cache", None)
    if cache is not None and not PURE:
        cache.set(NOTES, {**cache.get(NOTES, {}), **WATCH.notes})


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    cache = getattr(config, "cache", None)
    if cache is None or not PURE:
        return
    seen = cache.get(NOTES, {})
    left_out = [item for item in items if needless(seen, item.nodeid)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not needless(seen, item.nodeid)]
