"""The public surface of a tree, one fact per line: help texts, metrics, signatures, entry points, extras.

    python -m benchmarks.surface [TREE] > FILE

TREE is a folder that holds a tree of Vericap; without it, the tree at hand. The output is sorted and always the same,
so that `diff` of two trees shows what a user loses:

    diff <(python -m benchmarks.surface BASE) <(python -m benchmarks.surface)
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import inspect
import io
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from benchmarks.places import ROOT

# What users import besides `vericap` itself; the modules that the documentation names are added to them.
MODULES = ("vericap.judge", "vericap.judging", "vericap.metrics", "vericap.reward", "vericap.vision.detectors")
COMPAT = "vericap.compat"
# Modules of compat that no other package has: what the others share.
SHARED = ("aligned", "redirect", "captions", "consensus", "document_frequency", "rows")
SPECIAL = ("__call__", "__contains__", "__getitem__", "__iter__", "__len__")  # that count as methods for users
COLUMNS = 1_000  # so wide that no line of a help text is broken
COLOURS = ("FORCE_COLOR", "PY_COLORS", "CLICOLOR_FORCE", "GITHUB_ACTIONS")


def use(tree: Path) -> None:
    """Let this process import the Vericap of a tree, and print in wide lines without colours."""
    for name in COLOURS:
        os.environ.pop(name, None)
    os.environ |= {"COLUMNS": str(COLUMNS), "TERMINAL_WIDTH": str(COLUMNS), "NO_COLOR": "1", "TERM": "dumb"}
    sys.path.insert(0, str(tree / "src"))


def facts(tree: Path) -> list[str]:
    """Everything about a tree that `use` was called for."""
    documented = list(names_in_documents(tree))
    names = sorted({*MODULES, *(module for module, _ in documented), *adapters()} - {"vericap"})
    found = {
        *helps(),
        *metrics(),
        *benchmarks(),
        *(f"documented: {module}{f': {name}' if name else ''}" for module, name in documented),
        *members("vericap", import_module("vericap"), set()),
        *(line for name in names for line in module_facts(name, {own for of, own in documented if of == name})),
        *packaging(tree),
    }
    return sorted(found)


def said(*words: str) -> str:
    """Return what `vericap` prints for a command line."""
    from vericap.cli import main

    out, given = io.StringIO(), sys.argv
    sys.argv = ["vericap", *words]
    try:
        with redirect_stdout(out), redirect_stderr(out), suppress(SystemExit):
            main()
    finally:
        sys.argv = given
    return out.getvalue()


def helps(*verbs: str) -> Iterator[str]:
    """Yield the lines of `--help` of a verb and of those below it, without the boxes around them."""
    text = said(*verbs, "--help")
    name, panel = " ".join(("vericap", *verbs)), ""
    for line in text.splitlines():
        heading = re.match(r"╭─+ (.+?) ─+╮", line)
        words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", line).split())
        if heading:
            panel = heading[1]
        elif words:
            yield f"{name} --help: {f'{panel}: ' if panel and '│' in line else ''}{words}"
            if panel == "Commands" and re.match(r"│ [a-z]", line):
                yield from helps(*verbs, words.split()[0])


def metrics() -> Iterator[str]:
    """Yield the fields of `vericap metrics --json`, and the parameters of each metric."""
    from vericap.metrics import parse

    for entry in json.loads(said("metrics", "--json")):
        key = entry.pop("key")
        yield from (f"metric {key}: {name} = {json.dumps(value)}" for name, value in entry.items())
        metric = parse(key)
        for field in dataclasses.fields(metric):  # type: ignore[arg-type]  # a metric is a dataclass
            value = getattr(metric, field.name)
            yield f"metric {key}: parameter {field.name}: {field.type} = {shown(value)}"


def benchmarks() -> Iterator[str]:
    """Yield the lines of `vericap judge list`, each with its benchmark."""
    name = ""
    for line in said("judge", "list").splitlines():
        if not line.startswith(" "):
            name = line.partition(":")[0]
        yield f"benchmark {name}: {line.removeprefix(f'{name}:').strip()}"


def names_in_documents(tree: Path) -> Iterator[tuple[str, str]]:
    """Modules that README, CONTRIBUTING and docs/ import, each with a name from it, or with ""."""
    for page in sorted([*tree.glob("*.md"), *tree.glob("docs/**/*.md")]):
        for line in page.read_text("utf-8").splitlines():
            statement = line.removeprefix("- ").strip().removeprefix(">>> ")
            if match := re.match(r"from (vericap[\w.]*) import ([\w, ]+)", statement):
                names = [name.split()[0] for name in match[2].split(",") if name.strip()]
                yield from ((match[1], name) for name in names)
            elif match := re.match(r"import (vericap[\w.]*)", statement):
                yield match[1], ""


def adapters() -> Iterator[str]:
    """Yield the modules of `vericap.compat` that scripts written for other packages import."""
    for each in walk_packages(import_module(COMPAT).__path__, f"{COMPAT}."):
        if each.name.rpartition(".")[2] not in (*SHARED, "__main__"):
            yield each.name


def module_facts(name: str, documented: set[str]) -> Iterator[str]:
    """Yield the public names of a module; why it cannot be imported, if so."""
    try:
        module = import_module(name)
    except ImportError as error:
        yield f"{name}: cannot be imported, as {error.name or error} is missing"
        return
    yield f"{name}: module"
    yield from members(name, module, documented)


def members(path: str, module: ModuleType, documented: set[str]) -> Iterator[str]:
    """Yield what a module offers: `__all__`, or else what it defines itself and what the documentation takes from
    it."""
    names = getattr(module, "__all__", None) or {*defined(module), *documented - {""}}
    for name in sorted(names):
        if not hasattr(module, name):
            yield f"{path}.{name}: absent"
            continue
        value = getattr(module, name)
        if isinstance(value, ModuleType):
            yield f"{path}.{name}: module"
        elif inspect.isclass(value):
            yield from class_facts(f"{path}.{name}", value)
        elif callable(value):
            yield f"{path}.{name}{signature(value)}"
        else:
            yield f"{path}.{name}: {type(value).__name__}"


def defined(module: ModuleType) -> Iterator[str]:
    """Yield the public names that a module's own lines define, without what it imports."""
    if module.__file__ is None:
        return
    for node in ast.parse(Path(module.__file__).read_text("utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def class_facts(path: str, kind: type[Any]) -> Iterator[str]:
    """Bases outside Vericap, constructor, fields, methods and properties of a class, inherited ones included."""
    bases = [base.__name__ for base in kind.__mro__ if not base.__module__.startswith("vericap")]
    yield f"{path}: class of {', '.join(bases)}"
    yield f"{path}{signature(kind)}"
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    for field in fields:
        if not field.name.startswith("_"):
            yield f"{path}: field {field.name}: {field.type}{default(field)}"
    for name in getattr(kind, "_fields", ()):  # of a named tuple
        yield f"{path}: field {name}"
    names = {field.name for field in fields}
    for each in inspect.classify_class_attrs(kind):
        ours = each.defining_class.__module__.startswith("vericap")
        if not ours or each.name in names or (each.name.startswith("_") and each.name not in SPECIAL):
            continue
        if each.kind == "property" or isinstance(each.object, cached_property):
            yield f"{path}.{each.name}: property"
        elif each.kind in ("method", "class method", "static method"):
            yield f"{path}.{each.name}{signature(getattr(kind, each.name))}"
        elif not hasattr(kind, "_fields"):
            yield f"{path}.{each.name}: attribute"


def default(field: dataclasses.Field[Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return f" = {shown(field.default)}"
    return " = …" if field.default_factory is not dataclasses.MISSING else ""


@dataclasses.dataclass(frozen=True)
class Annotation:
    """An annotation that is printed as it is written, whether or not it is a string to Python."""

    given: Any

    def __repr__(self) -> str:
        return self.given if isinstance(self.given, str) else inspect.formatannotation(self.given)


def signature(value: Any) -> str:
    """Return the signature in brackets; "(…)" where Python knows none.

    >>> signature(signature)
    '(value: Any) -> str'
    """
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(…)"
    parameters = [
        each if each.annotation is each.empty else each.replace(annotation=Annotation(each.annotation))
        for each in found.parameters.values()
    ]
    answer = found.return_annotation
    return shown(
        found.replace(parameters=parameters, return_annotation=answer if answer is found.empty else Annotation(answer)),
        str,
    )


def shown(value: Any, write: Any = repr) -> str:
    """Return the value as text, without addresses of memory and of files.

    >>> shown(ROOT), shown(open)
    ("PosixPath('…')", '<built-in function open>')
    """
    text = re.sub(r" at 0x[0-9a-f]+", "", write(value))
    return re.sub(r"(?<=['\"])/[^'\"]*(?=['\"])", "…", text)


def packaging(tree: Path) -> Iterator[str]:
    """Scripts, extras and the Python of pyproject.toml, and the groups of entry points that other packages may fill."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    yield f"package: requires Python {project['requires-python']}"
    yield from (f"package: script {name} = {point}" for name, point in project["scripts"].items())
    yield from (f"package: extra {name}" for name in project["optional-dependencies"])
    page = (tree / "CONTRIBUTING.md").read_text("utf-8")
    for group in re.findall(r'\[project\.entry-points\."(.+?)"\]', page):
        yield f"package: entry points of the group {group}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", type=Path, default=ROOT, metavar="TREE", help="a folder that holds a tree")
    tree = parser.parse_args().tree.resolve()
    use(tree)
    print("\n".join(facts(tree)))


if __name__ == "__main__":
    main()
