"""What the README shows is what the program prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_demo_table_and_the_signature_are_those_of_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "vericap", "demo", "--format", "plain"], capture_output=True, text=True, encoding="utf-8"
    )
    for line in done.stdout.splitlines():
        assert f"    {line.rstrip()}\n" in README
    assert any(line in README for line in done.stderr.splitlines())


def test_its_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 8
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_python_example_runs():
    [example] = [code for code in re.findall(r"```python\n(.*?)```", README, re.S) if "evaluate(" in code]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "cider-d" in done.stdout


def test_ci_runs_its_test_commands():
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert re.findall(r"^make (\S+)", script, re.M) == re.findall(r"^    make (test\S*)", README, re.M)
