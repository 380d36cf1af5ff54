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

# To be emptied: what exceeds the limits today.
LONGER_TODAY = {
    "judge/__init__.py:judge",
    "kernels/alignment.py:Aligner._search",
    "kernels/decoding.py:_decode",
    "kernels/grammar.py:Grammar._list_states",
    "kernels/grammar.py:Grammar._join",
    "kernels/phrases.py:find_phrases",
    "kernels/phrases.py:find_paraphrases",
    "kernels/transport.py:_solve",
    "readers/storage/pickled.py:_Machine.run",
    "text/ngrams.py:count_ngrams",
}
MORE_PARAMETERS_TODAY = {
    "cli/figure.py:references",
    "cli/figure.py:length",
    "cli/judge.py:judge",
    "judge/__init__.py:judge",
    "judge/curves.py:over_references",
    "judge/curves.py:over_lengths",
    "kernels/alignment.py:Aligner.__init__",
    "kernels/phrases.py:find_phrases",
    "run/compare.py:compare",
}

# Modules whose tests are in the test file of their package: a folder, and that file.
TESTED_TOGETHER = {
    "compat/pycocoevalcap": "compat/test_pycocoevalcap.py",  # one call, spread over the files of the original
    "compat/pyciderevalcap": "compat/test_training_calls.py",  # the calls of the code bases that train with CIDEr-D
    "judge/benchmarks": "judge/test_benchmarks.py",  # every benchmark is tested by the same table of facts
}
# To be emptied: modules that have no test file of their own today.
WITHOUT_TESTS_TODAY = {
    "__init__.py",
    "arrays.py",
    "cli/demo.py",
    "cli/explain.py",
    "cli/figure.py",
    "cli/metrics.py",
    "cli/output.py",
    "cli/resources.py",
    "cli/score.py",
    "corpus/__init__.py",
    "corpus/object_table.py",
    "corpus/region_table.py",
    "data/__init__.py",
    "errors.py",
    "judge/__init__.py",
    "judge/agreement.py",
    "judge/curves.py",
    "judge/external.py",
    "judge/judgements.py",
    "judge/levels.py",
    "judge/pictures.py",
    "judge/protocols.py",
    "judge/published.py",
    "judge/scoring.py",
    "kernels/__init__.py",
    "kernels/alignment.py",
    "kernels/edits.py",
    "kernels/phrases.py",
    "lexicon/bags.py",
    "lexicon/kneser_ney.py",
    "lexicon/matching.py",
    "lexicon/stop_words.py",
    "lexicon/trie.py",
    "lexicon/wordnet.py",
    "metrics/__init__.py",
    "metrics/base.py",
    "metrics/bleu.py",
    "metrics/bleu_smoothed.py",
    "metrics/bleu_unigram.py",
    "metrics/cider.py",
    "metrics/cider_d.py",
    "metrics/cider_r.py",
    "metrics/meteor.py",
    "metrics/rouge_l.py",
    "metrics/spice.py",
    "metrics/vifidel/paper.py",
    "metrics/vifidel/released.py",
    "metrics/wmd.py",
    "plugins.py",
    "readers/captions/caption_columns.py",
    "readers/captions/caption_records.py",
    "readers/captions/caption_shapes.py",
    "readers/captions/caption_tables.py",
    "readers/captions/caption_text.py",
    "readers/captions/references.py",
    "readers/captions/repeated.py",
    "readers/captions/sources.py",
    "readers/captions/systems.py",
    "readers/delimited.py",
    "readers/fields.py",
    "readers/formats.py",
    "readers/id_matching.py",
    "readers/json_values.py",
    "readers/judgements/folders.py",
    "readers/judgements/judgement_tables.py",
    "readers/messages.py",
    "readers/missing.py",
    "readers/objects/labels.py",
    "readers/objects/object_join.py",
    "readers/objects/object_rows.py",
    "readers/objects/object_shapes.py",
    "readers/objects/object_text.py",
    "readers/objects/voc_files.py",
    "readers/plugin_readers.py",
    "readers/regions/bottom_up.py",
    "readers/regions/region_arrays.py",
    "readers/regions/region_join.py",
    "readers/regions/region_parquet.py",
    "readers/regions/region_rows.py",
    "readers/storage/array_file.py",
    "readers/storage/frequency_pickles.py",
    "readers/storage/graph_files.py",
    "readers/storage/mapped_arrays.py",
    "readers/storage/vector_files.py",
    "results/comparison.py",
    "results/drawable.py",
    "results/explanation.py",
    "results/numbers.py",
    "run/evaluate.py",
    "run/inputs.py",
    "run/selection.py",
    "run/settings.py",
    "run/tests.py",
    "stats/concordance.py",
    "stats/contrast.py",
    "stats/corpus_score.py",
    "stats/exchange.py",
    "stats/forced_choice.py",
    "stats/holm.py",
    "stats/pairwise.py",
    "stats/resampling.py",
    "stats/significance.py",
    "stats/williams.py",
    "stats/wilson.py",
    "text/meteor_normalizer.py",
    "text/ngrams.py",
    "text/ptb_characters.py",
    "text/ptb_rules.py",
    "text/stems.py",
    "text/tokenizers.py",
    "text/vocabulary.py",
    "views/bags.py",
    "views/graphs.py",
    "views/pictures.py",
    "views/view.py",
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
    known = LONGER.keys() | LONGER_TODAY
    long = {f"{named(path)}:{name}": lines_of(function) for name, function in functions(tree_of(path))}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES and name not in known} == {}


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_public_functions_have_few_parameters(path: Path) -> None:
    known = MORE_PARAMETERS.keys() | MORE_PARAMETERS_TODAY
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
    assert there or module in WITHOUT_TESTS_TODAY, f"{module} has no test file: write {names[0]}"


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
