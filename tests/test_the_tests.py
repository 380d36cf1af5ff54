"""Every test can fail, and none fails because the machine is busy."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
FILES = sorted(TESTS.rglob("*.py"))

Function = ast.FunctionDef | ast.AsyncFunctionDef

CLOCKS = {"time", "time_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "monotonic"}
NEED_TORCH = {"bert_score", "lightning", "sentence_transformers", "torch", "torchmetrics", "transformers", "trl"}
# Files that may read a clock, and why.
MAY_READ_A_CLOCK = {
    "engine/test_orphans.py": "it waits for processes to start and to end, with a limit so that it never hangs",
}


def named(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def called(node: ast.AST) -> Iterator[str]:
    """The last part of the name of everything that is called."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            if isinstance(each.func, ast.Attribute):
                yield each.func.attr
            elif isinstance(each.func, ast.Name):
                yield each.func.id


def can_fail(node: ast.AST) -> bool:
    """Whether it asserts something itself: `assert`, `pytest.raises`, `np.testing.assert_…` and the like."""
    if any(isinstance(each, ast.Assert) for each in ast.walk(node)):
        return True
    return any(
        name in ("raises", "warns", "deprecated_call", "fail") or name.startswith("assert_") for name in called(node)
    )


@cache
def asserting_helpers() -> frozenset[str]:
    """Names of the functions and fixtures in tests that assert something, by themselves or by what they call."""
    helpers = [each for path in FILES for each in functions(path) if not each.name.startswith("test")]
    found = {each.name for each in helpers if can_fail(each)}
    while True:
        more = {each.name for each in helpers if found & set(called(each))} - found
        if not more:
            return frozenset(found)
        found |= more


def the_tests_in(path: Path) -> list[Function]:
    return [each for each in functions(path) if each.name.startswith("test")]


def test_every_test_asserts_something() -> None:
    found = {path: the_tests_in(path) for path in FILES if path.name.startswith("test_")}
    assert [named(path) for path, tests in found.items() if not tests] == [], "these files have no test"
    silent = [
        f"{named(path)}: {each.name}"
        for path, tests in found.items()
        for each in tests
        if not can_fail(each) and not asserting_helpers() & set(called(each))
    ]
    assert silent == [], "these cannot fail but by an exception; say what must hold"


def test_no_assertion_is_always_true() -> None:
    empty = [
        f"{named(path)}, line {node.lineno}"
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant | ast.Tuple)
    ]
    assert empty == [], "what is asserted is a constant"


def reads_a_clock(tree: ast.Module) -> list[int]:
    """Lines that read a clock, called by module or imported by name."""
    imported = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "time"
        for name in node.names
        if name.name in CLOCKS
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id in imported)
        or (
            isinstance(node, ast.Attribute)
            and node.attr in CLOCKS
            and isinstance(node.value, ast.Name)
            and node.value.id == "time"
        )
    ]


def test_no_test_reads_a_clock() -> None:
    """How long something takes is measured in benchmarks/; `bounded` of conftest.py limits processor time."""
    found = {named(path): reads_a_clock(tree_of(path)) for path in FILES}
    assert {name: lines for name, lines in found.items() if lines and name not in MAY_READ_A_CLOCK} == {}


@pytest.mark.parametrize(
    ("code", "fails"),
    [
        ("def test_a():\n    assert f(1) == 2", True),
        ("def test_a():\n    with pytest.raises(ValueError): f(1)", True),
        ("def test_a():\n    np.testing.assert_allclose(f(1), 2)", True),
        ("def test_a():\n    f(1)", False),
        ("def test_a():\n    f(1) == 2", False),
    ],
)
def test_what_counts_as_an_assertion(code: str, fails: bool) -> None:
    assert can_fail(ast.parse(code)) is fails


@pytest.mark.parametrize(
    "code", ["import time\nstart = time.perf_counter()", "from time import process_time as now\nassert now() < 5"]
)
def test_what_counts_as_a_clock(code: str) -> None:
    assert reads_a_clock(ast.parse(code)) == [2]


def test_torch_is_asked_for_by_its_marker() -> None:
    """Where a test skips itself, `make test-torch` would skip it as well."""
    found = [
        f"{named(path)}, line {node.lineno}"
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "importorskip"
        for name in node.args
        if isinstance(name, ast.Constant) and name.value in NEED_TORCH
    ]
    assert found == [], "use pytest.mark.torch"


def test_examples_are_drawn_by_one_profile() -> None:
    registered = [
        path.relative_to(ROOT).as_posix()
        for path in [ROOT / "conftest.py", *FILES]
        if path.name != "test_the_tests.py" and "register_profile(" in path.read_text("utf-8")
    ]
    assert registered == ["conftest.py"]
