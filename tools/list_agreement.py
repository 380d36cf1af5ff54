"""Writes src/vericap/data/agreement/agreement.json, the first table of docs/agreement.md, for `vericap metrics NAME`.

python tools/list_agreement.py            writes it
python tools/list_agreement.py --check    exit code 1 when it is out of date
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "agreement.md"
FILE = ROOT / "src" / "vericap" / "data" / "agreement" / "agreement.json"


def agreement(page: str) -> dict[str, dict[str, str]]:
    """Return each metric's figures by benchmark; those that do not exist are left out."""
    lines = page.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("| metric |"))
    heads = _qualified(_cells(lines[first])[1:])
    found = {}
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        key, *values = _cells(line)
        found[key.strip("`")] = {head: value for head, value in zip(heads, values, strict=True) if value != "–"}
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("| ").split(" | ")]


def _qualified(heads: list[str]) -> list[str]:
    """Heads with the benchmark in front, where the page leaves it to the column before."""
    before = {
        "τ-b": "Flickr8k-Expert",
        "0 ref. τ-c": "Composite COCO,",
        "MM": "PASCAL-50S",
        "human / machine": "Composite",
    }
    return [f"{before[head]} {head}" if head in before else head for head in heads]


def main() -> None:
    text = json.dumps(agreement(PAGE.read_text("utf-8")), ensure_ascii=False, indent=1) + "\n"
    if sys.argv[1:] != ["--check"]:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(text, "utf-8")
    elif not FILE.exists() or FILE.read_text("utf-8") != text:
        raise SystemExit(f"{FILE.name} is out of date: run python tools/list_agreement.py, then tools/list_data.py")


if __name__ == "__main__":
    main()
