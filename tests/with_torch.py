"""Tests that need torch: `make test` counts them as skipped, and `make test-torch` (`pytest --torch`) runs them alone.

A test that needs torch, or a package that requires it, has the marker `torch`. A file all of whose tests need it says
`pytestmark = pytest.mark.torch`; without the option it is not imported, and each of its functions counts as one test.
Doctests need torch where their file imports it. Whether torch is installed makes no difference to which tests run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

REASON = "needs torch: make test-torch"
WHOLE_FILE = re.compile(r"^pytestmark = .*pytest\.mark\.torch\b", re.M)
IMPORTS_TORCH = re.compile(r"^(import|from) torch\b", re.M)


class Unread(pytest.File):
    """A file whose tests all need torch."""

    def collect(self) -> Iterator[pytest.Item]:
        self.add_marker("torch")
        for name in re.findall(r"^def (test_\w+)", self.path.read_text("utf-8"), re.M):
            yield Skipped.from_parent(self, name=name)


class Skipped(pytest.Item):
    """A test of such a file, skipped before it runs."""

    def runtest(self) -> None:
        raise NotImplementedError


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--torch", action="store_true", help="run the tests that need torch, and no others")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.torch and find_spec("torch") is None:
        raise pytest.UsageError("--torch needs torch, which is not installed: run make test-torch")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    """Of a Python file, its tests and its doctests, where they belong to this run."""
    found = yield
    if file_path.suffix != ".py":
        return found
    text, with_torch = file_path.read_text("utf-8"), parent.config.option.torch
    if WHOLE_FILE.search(text) and not with_torch:
        return [Unread.from_parent(parent, path=file_path)]
    has_doctests = ">>>" in text and (IMPORTS_TORCH.search(text) is not None) == with_torch
    has_tests = "pytest.mark.torch" in text or not with_torch
    return [each for each in found if (has_tests if type(each) is pytest.Module else has_doctests)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With the option, tests without the marker that share a file with marked ones are left out."""
    if config.option.torch:
        left_out = [item for item in items if not _needs_torch(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _needs_torch(item)]


def _needs_torch(item: pytest.Item) -> bool:
    return isinstance(item, pytest.DoctestItem) or item.get_closest_marker("torch") is not None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("torch") and not item.config.option.torch:
        pytest.skip(REASON)
