"""The site is built from docs/ without a warning, holds every page, and makes no request to elsewhere."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
pytest.importorskip("zensical", reason="the site needs zensical, of the extra dev")
TOOL = runpy.run_path(str(ROOT / "tools" / "make_site.py"))


@pytest.fixture(scope="module")
def site() -> Path:
    TOOL["main"]()
    return ROOT / "build" / "site"


def listed(nav: Any) -> list[str]:
    """The pages of the site's contents: a path, {title: path or list}, or a list of these."""
    if isinstance(nav, str):
        return [nav]
    return [page for entry in (nav.values() if isinstance(nav, dict) else nav) for page in listed(entry)]


def test_every_page_of_docs_is_in_the_contents() -> None:
    nav = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert set(listed(nav)) == pages | {"contributing.md"}


def test_no_page_requests_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    loads = re.compile(r'<(?:script|img|iframe|source)[^>]+src="(?:https?:)?//|<link[^>]+href="(?:https?:)?//[^>]*>')
    for page in pages:
        requests = [tag for tag in loads.findall(page.read_text("utf-8")) if "canonical" not in tag]
        assert not requests, f"{page.name} loads {requests[0]}"


def test_formulas_are_drawn_and_code_is_left_alone(site: Path) -> None:
    assert "<math" in (site / "metrics" / "cider-d.html").read_text("utf-8")
    assert TOOL["drawn"]("`$x$`\n```\n$$ y $$\n```\n") == "`$x$`\n```\n$$ y $$\n```\n"
    assert TOOL["drawn"]("costs 5$ and 6$") == "costs 5$ and 6$"
