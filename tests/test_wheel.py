"""The wheel: what `pip install vericap` brings is complete, compiled and small enough for PyPI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_MEGABYTES = 95  # PyPI takes files under 100

pytestmark = pytest.mark.wheel


def run(*words: str | Path, folder: Path) -> str:
    """What a command prints, in an environment that knows nothing of this tree."""
    hidden = {"PYTHONPATH", "VERICAP_PURE", "VERICAP_NO_COMPILE"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the sources, with what is installed here: nothing is fetched. Kernels that setup.py compiled
    for this tree are there already, so that it does not compile them again."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tree)
    made = shutil.ignore_patterns("*.so", "*.pyd", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "src", tree / "src", ignore=made)
    platform = f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    compiled = tree / "build" / platform / "vericap" / "kernels"
    compiled.mkdir(parents=True)
    for kernel in (ROOT / "src" / "vericap" / "kernels").glob("*.so"):
        copy = Path(shutil.copyfile(kernel, compiled / kernel.name))
        os.utime(copy, (copy.stat().st_mtime + 3600,) * 2)  # newer than the C code that Cython is about to write
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", folder=tree)
    [built] = (tree / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a virtual environment that has the wheel, and the packages that are installed here."""
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", "--without-pip", folder, folder=folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    # A line of a .pth file adds a folder, but not what the folder's own .pth files add: this tree stays out.
    asked = run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder)
    (Path(asked.strip()) / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", programs / "python"]
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, folder=folder)
    return programs


def test_it_is_small_enough_for_pypi(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_MEGABYTES * 10**6


def test_its_demo_runs_elsewhere(installed: Path, tmp_path: Path) -> None:
    where = run(installed / "python", "-c", "import vericap; print(vericap.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    table = run(installed / "vericap", "demo", "--format", "csv", folder=tmp_path)
    assert [line.split(",")[0] for line in table.splitlines()[1:4]] == ["strong", "middling", "weak"]


def test_its_kernels_are_compiled(installed: Path, tmp_path: Path) -> None:
    assert "compiled" in run(installed / "vericap", "--version", folder=tmp_path)
