"""What keeps the code small: short functions, few parameters, a docstring for every module, tests that mirror src."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "vericap"
TESTS = ROOT / "tests"
MODULES = sorted(SOURCE.rglob("*.py"))

MOST_LINES = 60
MOST_PARAMETERS = 8

# "module.py:function": why it may be longer.
LONGER: dict[str, str] = {}
# "module.py:function": why it may have more parameters.
MORE_PARAMETERS: dict[str, str] = {}


# Modules whose tests are in the test file of their package: a folder, and that file.
TESTED_TOGETHER = {
    "compat/pycocoevalcap": "compat/test_pycocoevalcap.py",  # one call, spread over the files of the original
    "compat/pyciderevalcap": "compat/test_training_calls.py",  # the calls of the code bases that train with CIDEr-D
    "judge/benchmarks": "judge/test_benchmarks.py",  # every benchmark is tested by the same table of facts
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def named(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, Function]]:
    """Every function with its full name: `Class.method`, `function`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield inside + node.name, node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from functions(node, f"{inside}{node.name}.")
        else:
            yield from functions(node, inside)


def lines_of(function: Function) -> int:
    """From `def` to its end; decorators and the docstring are not counted."""
    documented = ast.get_docstring(function, clean=False) is not None
    first = function.body[0]
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def parameters_of(function: Function) -> int:
    """How many there are but `self`; `*a` and `**b` count one each, and so do Inputs, Settings and metrics."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    own = [each for each in every if each.arg not in ("self", "cls")]
    return len(own) + (given.vararg is not None) + (given.kwarg is not None)


def is_public(name: str) -> bool:
    return not any(part.startswith("_") and part != "__init__" for part in name.split("."))


def defines_something(path: Path) -> bool:
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree_of(path).body)


def files_of(module: str) -> list[str]:
    """Where a module's tests may be: test_NAME.py in the same folder, or test_FOLDER_NAME.py where NAME is taken."""
    *folders, file = module.split("/")
    stem = file.removesuffix(".py")
    folder = "/".join(folders)
    if stem == "__init__":
        stem = folders[-1] if folders else "vericap"
    names = [f"test_{stem}.py", *([f"test_{folders[-1]}_{stem}.py"] if folders else [])]
    found = [f"{folder}/{name}".lstrip("/") for name in names]
    together = [test for package, test in TESTED_TOGETHER.items() if f"{folder}/".startswith(f"{package}/")]
    return found + together


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_functions_are_short(path: Path) -> None:
    known = LONGER.keys()
    long = {f"{named(path)}:{name}": lines_of(function) for name, function in functions(tree_of(path))}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES and name not in known} == {}


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_public_functions_have_few_parameters(path: Path) -> None:
    known = MORE_PARAMETERS.keys()
    found = {f"{named(path)}:{name}": parameters_of(f) for name, f in functions(tree_of(path)) if is_public(name)}
    assert {name: many for name, many in found.items() if many > MOST_PARAMETERS and name not in known} == {}


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_every_module_says_what_it_gives(path: Path) -> None:
    assert ast.get_docstring(tree_of(path)), f"{named(path)} has no docstring"


@pytest.mark.parametrize("path", [path for path in MODULES if defines_something(path)], ids=named)
def test_every_module_has_its_test_file(path: Path) -> None:
    module = named(path)
    names = files_of(module)
    there = [name for name in names if (TESTS / name).exists()]
    assert there, f"{module} has no test file: write {names[0]}"


def test_exceptions_are_needed() -> None:
    """What no longer exceeds a limit is taken off the list, and every reason is a sentence."""
    found = {f"{named(path)}:{name}": function for path in MODULES for name, function in functions(tree_of(path))}
    assert [name for name in LONGER if name not in found or lines_of(found[name]) <= MOST_LINES] == []
    assert [
        name for name in MORE_PARAMETERS if name not in found or parameters_of(found[name]) <= MOST_PARAMETERS
    ] == []
    assert all(len(reason.split()) > 3 for reason in [*LONGER.values(), *MORE_PARAMETERS.values()])


@pytest.mark.parametrize(
    ("code", "lines", "parameters"),
    [
        ("def f(a, b=1, *c, d, **e):\n    return a", 2, 5),
        ('def f(self):\n    """One\n\n    two."""\n    return 1', 2, 0),
    ],
)
def test_how_lines_and_parameters_are_counted(code: str, lines: int, parameters: int) -> None:
    [(name, function)] = functions(ast.parse(code))
    assert (name, lines_of(function), parameters_of(function)) == ("f", lines, parameters)
