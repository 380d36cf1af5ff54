"""Tests that need torch are skipped and counted without --torch, and run alone with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = {
    "conftest.py": 'pytest_plugins = ["tests.with_torch"]\n',
    "pytest.ini": "[pytest]\nmarkers = torch\naddopts = --doctest-modules --strict-markers -rs -p no:cacheprovider\n",
    "test_all.py": "import pytest\nimport torch\npytestmark = pytest.mark.torch\n"
    "@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n): assert torch.ONE < n + 1\ndef test_b(): assert torch.ONE\n",
    "test_some.py": "import pytest\n@pytest.mark.torch\ndef test_c(): import torch\ndef test_d(): pass\n",
    "with_doctest.py": '"""\n>>> torch.ONE\n1\n"""\nimport torch\n',
    "without_doctest.py": "import torch\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def run(folder: Path, *options: str) -> str:
    """What pytest prints; a torch of the folder's own comes before one that is installed."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:schemathesis", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("installed", [True, False])
def test_they_are_skipped_with_one_reason_whether_torch_is_installed_or_not(folder: Path, installed: bool) -> None:
    (folder / "torch.py").write_text("ONE = 1\n" if installed else "raise ImportError\n")
    found = run(folder)
    assert "1 passed, 3 skipped" in found, found
    assert "SKIPPED [3] " in found and "needs torch: make test-torch" in found


def test_they_run_alone_with_the_option(folder: Path) -> None:
    (folder / "torch.py").write_text("ONE = 1\n")
    found = run(folder, "--torch")
    assert "5 passed, 1 deselected" in found, found


def test_the_option_without_torch_is_an_error(folder: Path) -> None:
    (folder / "conftest.py").write_text('import sys\nsys.modules["torch"] = None\n' + FILES["conftest.py"])
    assert "--torch needs torch, which is not installed: run make test-torch" in run(folder, "--torch")
