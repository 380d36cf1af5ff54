"""Tables go between a page's marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pages import replace, table


def test_a_table_replaces_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n<!-- speed: begin -->\nold\n<!-- speed: end -->\n\nafter\n")
    replace(page, "speed", table([["a", "b"], ["1", "2"]]))
    assert page.read_text() == (
        "# Title\n\n<!-- speed: begin -->\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n<!-- speed: end -->\n\nafter\n"
    )


def test_a_page_without_the_marks_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n")
    with pytest.raises(SystemExit, match=r"page\.md has no place for speed"):
        replace(page, "speed", "text")
    assert page.read_text() == "# Title\n"
