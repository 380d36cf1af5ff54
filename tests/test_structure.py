"""What keeps the code readable: a docstring for every module, and tests that mirror src. Limits of length, parameters
and complexity are ruff's (pyproject.toml)."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "vericap"
TESTS = ROOT / "tests"
MODULES = sorted(SOURCE.rglob("*.py"))

# Modules whose tests are in the test file of their package: a folder, and that file.
TESTED_TOGETHER = {
    "compat/pycocoevalcap": "compat/test_pycocoevalcap.py",  # one call, spread over the files of the original
    "compat/pyciderevalcap": "compat/test_training_calls.py",  # the calls of the code bases that train with CIDEr-D
    "judging/benchmarks": "judging/test_benchmarks.py",  # every benchmark is tested by the same table of facts
}


def named(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


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


def test_every_module_says_what_it_gives() -> None:
    silent = [named(path) for path in MODULES if not ast.get_docstring(tree_of(path))]
    assert silent == [], "write a docstring"


def test_every_module_has_its_test_file() -> None:
    wanted = {named(path): files_of(named(path)) for path in MODULES if defines_something(path)}
    lacking = {
        module: names[0] for module, names in wanted.items() if not any((TESTS / name).exists() for name in names)
    }
    assert lacking == {}, "write these test files"
