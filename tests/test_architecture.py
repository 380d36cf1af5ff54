"""docs/architecture.md lists the folders as the import contract does, in the same order."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_folders_of_the_page_are_the_layers_of_the_contract():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = page.partition("## The folders, from the top")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?`) \|", section, re.M)
    folders = [name.rstrip("/") for cell in cells for name in re.findall(r"`([\w/]+)`", cell)]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [layers] = [each["layers"] for each in contracts if each["type"] == "layers"]
    assert folders == layers
