"""What users can see of a tree: complete, the same in every run, and different when something is taken away."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.places import ROOT
from benchmarks.speed.environment import PYTHON
from benchmarks.surface import class_facts, names_in_documents, packaging, shown, signature

SOME = """
import sys
from pathlib import Path
from benchmarks.surface import *
tree = Path(sys.argv[1])
use(tree)
found = {*helps("score"), *helps("resources"), *metrics(), *benchmarks(), *module_facts("vericap.reward", set())}
print("\\n".join(sorted({*found, *members("vericap", import_module("vericap"), set())})))
"""


def surface(tree: Path, **environment: str) -> list[str]:
    """Some facts of a tree, in a process of its own."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([PYTHON, "-c", SOME, tree], env=variables, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def ours() -> list[str]:
    return surface(ROOT, PYTHONHASHSEED="1", COLUMNS="200")


def test_it_is_the_same_in_every_run_and_terminal(ours: list[str]) -> None:
    assert surface(ROOT, PYTHONHASHSEED="2", COLUMNS="40", FORCE_COLOR="1") == ours == sorted(ours)


@pytest.mark.parametrize(
    "fact",
    [
        "vericap score --help: Inputs: --references -r <path> Reference captions; repeat the option for text files",
        "vericap score --help: Usage: vericap score [OPTIONS] {candidates}",
        "vericap resources df --help: Count document frequencies for `--df FILE`.",
        'metric cider-r: needs = ["references"]',
        "metric cider-r: parameter k_r: ",
        "benchmark pascal-50s: protocol clipscore",
        "vericap.evaluate(candidates: Any, references: Any = None, *, ",
        "vericap.InputError: class of ",
        "vericap.reward.Reward.self_critical(self, samples: Any, greedy: Any, image_ids: Any) -> Advantages",
        "vericap.reward.Advantages: field baselines",
        "vericap.reward.Vocabulary: field padding: Sequence[int] = ()",
        "vericap.reward: module",
    ],
)
def test_known_facts_are_in_it(ours: list[str], fact: str) -> None:
    assert any(line.startswith(fact) for line in ours)


def test_what_is_taken_away_is_what_a_diff_shows(ours: list[str], tmp_path: Path) -> None:
    """A tree without one method, with another default, and with another name of an option."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "data"))
    (tmp_path / "src" / "vericap" / "data").symlink_to(ROOT / "src" / "vericap" / "data")
    for name, old, new in (
        ("reward/reward.py", "def leave_one_out(self", "def _leave_one_out(self"),
        ("metrics/cider_r.py", "option(0.8", "option(0.7"),
        ("cli/score.py", "worst", "poorest"),
    ):
        path = tmp_path / "src" / "vericap" / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    left = set(surface(tmp_path))
    lost = [line for line in ours if line not in left]
    beginnings = {line.partition(" ")[0] if line.startswith("vericap.") else line[:36] for line in lost}
    assert beginnings == {
        "metric cider-r: parameter k_r: Annot",
        'metric cider-r: parameters = [{"name',
        "vericap score --help: Rows: --worst ",
        "vericap.Reward.leave_one_out(self,",
        "vericap.reward.Reward.leave_one_out(self,",
    }


def test_what_pages_tell_users_to_import_is_found() -> None:
    documented = set(names_in_documents(ROOT))
    assert {
        ("vericap", ""),
        ("vericap", "Metric"),
        ("vericap.judging", "Benchmark"),
        ("vericap.judging", "Ratings"),
        ("vericap.compat.trl", "reward_function"),
        ("vericap.vision.detectors", "Detection"),
    } <= documented


def test_packaging_has_the_script_extras_and_groups_of_plug_ins() -> None:
    facts = list(packaging(ROOT))
    assert "package: script vericap = vericap.cli:main" in facts and "package: extra serve" in facts
    for kind in ("metrics", "readers", "tokenizers", "benchmarks", "detectors"):
        assert f"package: entry points of the group vericap.{kind}" in facts


def test_signatures_do_not_depend_on_how_annotations_are_kept() -> None:
    def text(a: int, b: tuple[str, ...] = ()) -> None: ...  # to Python the annotations of this file are strings

    def types(a, b=()): ...  # type: ignore[no-untyped-def]

    types.__annotations__ = {"a": int, "b": tuple[str, ...], "return": None}
    assert signature(text) == signature(types) == "(a: int, b: tuple[str, ...] = ()) -> None"
    assert shown([object()]) == "[<object object>]"


def test_an_inherited_method_of_another_package_is_not_a_fact() -> None:
    class Several(list): ...  # type: ignore[type-arg]

    Several.__module__ = "vericap.somewhere"
    assert [line for line in class_facts("vericap.Several", Several) if "append" in line] == []
