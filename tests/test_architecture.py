"""docs/architecture.md lists the folders as the import contract does, in the same order, and what there is one of."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.test_structure import ONE_OF_EACH

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_the_folders_of_the_page_are_the_layers_of_the_contract():
    section = PAGE.partition("## The folders, from the top")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?`) \|", section, re.M)
    folders = [name.rstrip("/") for cell in cells for name in re.findall(r"`([\w/]+)`", cell)]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [layers] = [each["layers"] for each in contracts if each["type"] == "layers"]
    assert folders == layers


def test_what_there_is_one_of_is_where_the_page_says():
    section = PAGE.partition("## One of each")[2].partition("\n## ")[0]
    places = re.findall(r"\| `([\w/.]+)` \|$", section, re.M)
    assert len(places) > 7 and [place for place in places if not (ROOT / "src" / "vericap" / place).exists()] == []
    assert [file for file in ONE_OF_EACH.values() if not file.startswith(tuple(places))] == []
