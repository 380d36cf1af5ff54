"""What keeps the code readable: a docstring for every module, and tests that mirror src. Limits of length, parameters
and complexity are ruff's (pyproject.toml)."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from tests.rooms import PURE
from vericap.metrics import BUILT_IN

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


# What there is one of: what its definition looks like, and the only file that has it.
ONE_OF_EACH = {
    r"^class Views\b": "views/views.py",
    r"def get\(self, view\b": "views/views.py",
    r"^def measure\(": "run/measure.py",
    r"^def measure_metric\(": "run/measure.py",
    r"^class References\b": "corpus/references.py",
    r"^class NGramCounter\b": "text/ngrams.py",
    r"\bos\.fork\(": "engine/local.py",
}

FORMAT = re.compile(r"\bFormat\(\s*\"([\w-]+)\"")  # a format of files

# Files outside metrics/ and compat/ that name metrics, and why.
NAMES_METRICS = {
    "cli/demo.py": "the table of the demo",
    "cli/figure.py": "the columns of a published figure",
    "cli/train.py": "the word of its verb: vericap train faier",
    "judging/benchmarks": "what papers report on a benchmark",
    "judging/curves.py": "the curves of a published figure",
    "judging/published.py": "published values",
    "lexicon/matching.py": "the folder of METEOR's data",
    "scene/factual.py": "the key that its weights serve",
    "show/metric_list.py": "fluency as a question",
    "show/score_table.py": "the metric of an example of a footnote",
}

# Names of public classes that two rooms have, and why. The classes of kernels/ and compat/ are not counted: kernels are
# not public, and compat/ has the names of the originals.
SAME_NAME: dict[str, str] = {}


def test_there_is_one_of_each() -> None:
    texts = {named(path): path.read_text("utf-8") for path in MODULES}
    found = {
        pattern: [name for name, text in texts.items() if re.search(pattern, text, re.M)] for pattern in ONE_OF_EACH
    }
    assert found == {pattern: [name] for pattern, name in ONE_OF_EACH.items()}
    readers = [
        name for path in (SOURCE / "readers" / "captions").glob("*.py") for name in FORMAT.findall(texts[named(path)])
    ]
    assert len(readers) > 5 and len(readers) == len(set(readers)), "one reader of captions per format"
    subclasses = [name for name, text in texts.items() if re.search(r"^class \w+\([^)]*\bViews\b", text, re.M)]
    assert subclasses == [], "what differs between views is their Source"


def test_metrics_are_named_in_their_room_alone() -> None:
    elsewhere = {
        name
        for name, path in ((named(path), path) for path in MODULES)
        if not name.startswith(("metrics/", "compat/"))
        and any(all(map(is_metric, re.split(r"[,\s]+", text))) for text in strings(tree_of(path)))
    }
    excused = {name for name in elsewhere if name.startswith(tuple(NAMES_METRICS))}
    assert elsewhere - excused == set(), "what is known of a metric is said by its class"
    assert [each for each in NAMES_METRICS if not any(name.startswith(each) for name in elsewhere)] == []


def is_metric(word: str) -> bool:
    return word.partition("(")[0] in BUILT_IN


def strings(tree: ast.Module) -> list[str]:
    """Return the texts of a module without its docstrings."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docstrings = {id(node.body[0].value) for node in nodes if ast.get_docstring(node) is not None}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return [node.value for node in constants if isinstance(node.value, str)]


def test_no_two_rooms_have_a_public_class_of_one_name() -> None:
    rooms: dict[str, set[str]] = {}
    for path in MODULES:
        room = named(path).partition("/")[0]
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and room not in ("kernels", "compat"):
                rooms.setdefault(node.name, set()).add(room)
    twice = {name for name, where in rooms.items() if len(where) > 1}
    assert twice == set(SAME_NAME)


def test_rooms_that_call_kernels_are_tested_without_compiling() -> None:
    """Those that only ask whether kernels are compiled need no such tests."""
    calls = re.compile(r"^ *(from vericap\.kernels\.\w+ import|from vericap\.kernels import (?!compiled\b))", re.M)
    rooms = {named(path).partition("/")[0] for path in MODULES if calls.search(path.read_text("utf-8"))}
    assert rooms - PURE == {"readers"}, "tests/rooms.py lists the rooms; readers scan JSON as they do with kernels"
