"""What the pages of docs/ show runs, and prints what they say."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import DEMO, python, vericap

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
PYTHON = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.M | re.S)


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def with_code(code: re.Pattern[str]) -> list[Any]:
    """The pages that have some."""
    return [pytest.param(page, id=named(page)) for page in PAGES if code.search(page.read_text("utf-8"))]


@pytest.mark.parametrize("page", with_code(PYTHON))
def test_python_runs(
    page: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks of a page, one after the other in one program, beside the captions that ship; "DATA" is the folder of
    shared data."""
    shutil.copytree(DEMO, tmp_path, dirs_exist_ok=True)
    program = "\n".join(PYTHON.findall(page.read_text("utf-8")))
    if '"DATA' in program:
        program = program.replace('"DATA', f'"{request.getfixturevalue("data")}')
    monkeypatch.chdir(tmp_path)
    done = python(program)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", with_code(CONSOLE))
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`$ vericap …` and the lines below it; a line that begins with … stands for all that follows."""
    shutil.copytree(DEMO, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for block in CONSOLE.findall(page.read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *shown = part.rstrip().splitlines()
            program, *words = shlex.split(command.partition("  #")[0])
            assert program == "vericap"
            done = vericap(*words)
            assert done.returncode == 0, f"{command}: {done.stderr}"
            printed = [line.rstrip() for line in done.stdout.splitlines()]
            cut = next((number for number, line in enumerate(shown) if line.startswith("…")), len(shown))
            assert [line.rstrip() for line in shown[:cut]] == printed[:cut], command
