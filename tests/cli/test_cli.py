"""The command line as a person uses it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import typer

from tests.cli.program import REFERENCES, STRONG, vericap
from vericap.cli import app
from vericap.show.grid import FORMATS


def test_help_names_every_format_of_tables():
    takes_a_format = {
        name: parameter.help
        for name, command in typer.main.get_command(app).commands.items()
        for parameter in command.params
        if parameter.name == "format"
    }
    assert set(takes_a_format) == {"score", "compare", "judge", "demo"}
    for help in takes_a_format.values():
        assert set(help.rstrip(".").replace(" or ", ", ").split(", ")) == set(FORMATS)


def test_metrics_lists_what_the_contract_asks_for():
    rows = json.loads(vericap("metrics", "--json").stdout)
    keys = {"key", "question", "needs", "range", "higher_is_better", "citation", "parameters"}
    assert all(set(row) == keys for row in rows)
    assert {"bleu-4", "rouge-l", "rouge-su4", "ter", "cider", "cider-d", "cider-r"} <= {row["key"] for row in rows}


def test_version_says_how_the_kernels_run():
    assert vericap("--version").stdout.startswith("vericap ")


def test_importing_the_package_loads_nothing_heavy():
    heavy = ["torch", "ray", "scipy", "pandas", "pyarrow", "numpy", "rich"]
    code = f"import sys, vericap; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_command_line_loads_nothing_heavy():
    heavy = ["torch", "ray", "scipy", "pandas", "pyarrow", "numpy", "rich", "orjson", "importlib.metadata", "tomllib"]
    code = f"import sys, vericap.cli; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_scores_of_captions_import_nothing_for_pictures_explanations_and_other_files():
    others = [
        *("rich", "csv", "html", "hashlib", "zipfile"),
        *("vericap.vision", "vericap.lexicon", "vericap.stats", "vericap.readers.objects", "vericap.readers.regions"),
        *("vericap.corpus.object_table", "vericap.results.explanation", "vericap.options.row_filter"),
    ]
    words = ["vericap", "score", str(STRONG), "-r", str(REFERENCES), "-m", "bleu-4,rouge-l,cider-d", "--json", "-"]
    code = f"""
import sys
from vericap import cli
sys.argv = {words!r}
try:
    cli.main()
finally:
    print([m for m in {others!r} if m in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr.splitlines()[-1] == "[]"


THEIR_METRICS = """
from dataclasses import dataclass
import numpy as np
from vericap import Metric

@dataclass(frozen=True)
class Few(Metric):
    name = "few"
    question = "fluency"
    needs = ()
    citation = "nobody"

    def statistics(self, views): return np.zeros((1, 1))
    def score(self, statistics): return statistics[:, 0]
    def explain(self, views, i): raise NotImplementedError
"""


@pytest.fixture
def package(tmp_path):
    """Return a folder with a package of two metrics: one cannot be imported, one returns too few scores."""
    (tmp_path / "their_metrics.py").write_text(THEIR_METRICS)
    info = tmp_path / "their-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their\nVersion: 1.0\n")
    points = "[vericap.metrics]\nbroken = no_such_module:Metric\nfew = their_metrics:Few\n"
    (info / "entry_points.txt").write_text(points)
    return str(tmp_path)


def test_a_plug_in_that_cannot_be_loaded_is_one_line(package):
    done = vericap("metrics", path=package)
    assert done.returncode == 0 and "few" in done.stdout
    [line] = done.stderr.splitlines()
    assert line.startswith("vericap: warning: metric 'broken' of the package their 1.0 cannot be loaded")


def test_a_metric_that_breaks_its_contract_ends_with_code_1(package):
    done = vericap("score", STRONG, "-r", REFERENCES, "-m", "few", path=package)
    assert done.returncode == 1 and not done.stdout
    [line] = [line for line in done.stderr.splitlines() if "warning" not in line]
    assert line.startswith("vericap: few") and "30" in line
