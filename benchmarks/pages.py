"""Tables in Markdown, and their places in the pages of docs/."""

from __future__ import annotations

from pathlib import Path


def table(lines: list[list[str]]) -> str:
    """A Markdown table; the first line is its head.

    >>> print(table([["metric", "score"], ["bleu-4", "0.25"]]))
    | metric | score |
    | --- | ---: |
    | bleu-4 | 0.25 |
    """
    head, *body = lines
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---", *["---:"] * (len(head) - 1)], *body])


def replace(page: Path, name: str, text: str) -> None:
    """Puts the text between the page's marks `<!-- NAME: begin -->` and `<!-- NAME: end -->`."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, found, rest = page.read_text("utf-8").partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"{page.name} has no place for {name}: it needs {begin} and {end}")
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}", "utf-8")
