"""What the README shows is what the program prints."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from vericap.metrics import registry

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_the_demo_table_and_the_signature_are_those_of_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "vericap", "demo", "--format", "plain"], capture_output=True, text=True, encoding="utf-8"
    )
    for line in done.stdout.splitlines():
        assert f"    {line.rstrip()}\n" in README
    assert any(line in README for line in done.stderr.splitlines())


def test_the_comparison_is_that_of_the_program():
    [command] = re.findall(r"^    vericap (compare .*)$", README, re.M)
    done = subprocess.run(
        [sys.executable, "-m", "vericap", *command.split()],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=str(files("vericap") / "data" / "demo"),
    )
    shown = "".join(f"    {line}".rstrip() + "\n" for line in done.stdout.splitlines())
    assert len(shown) > 500 and shown in README


def test_every_metric_stands_in_the_table_with_its_citation():
    for key, entry in registry().items():
        assert re.search(rf"\|.*`{re.escape(key)}`.*\| {re.escape(entry.make().citation)} \|", README)


def test_the_python_example_runs():
    [example] = [code for code in re.findall(r"```python\n(.*?)```", README, re.S) if "evaluate(" in code]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "cider-d" in done.stdout
