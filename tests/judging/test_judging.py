"""`vericap.judge` is the function, and the names of its former module are still found there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import vericap
from tests.judging import benchmark_folders as folders
from vericap import judging


def test_the_function_is_called_however_it_was_imported(tmp_path):
    folder = folders.nebula(tmp_path / "nebula")
    for call in (vericap.judge, judging.judge):
        assert call("nebula", folder, metrics="bleu-1", bootstrap=0).n == 3


@pytest.mark.parametrize(
    "statement",
    [
        "from vericap.judge import Benchmark, Protocol, Ratings",
        "import vericap.judge.judgements; Benchmark = vericap.judge.judgements.Benchmark",
        "from vericap.judge.judgements import Benchmark",
    ],
)
def test_the_former_module_gives_the_same_classes_and_says_when_it_goes(statement):
    code = f"{statement}\nimport vericap, vericap.judging as now\nassert Benchmark is now.Benchmark"
    code += "\nassert vericap.judge is now.judge"
    found = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert "the module vericap.judge goes in 0.4" in found.stderr


def test_the_options_of_the_command_line_need_no_numpy():
    code = "import sys; import vericap.judging.protocols; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
