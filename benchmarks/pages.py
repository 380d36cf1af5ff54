"""Tables in Markdown, and their places in the pages of docs/."""

from __future__ import annotations

from pathlib import Path


def table(lines: list[list[str]]) -> str:
    """Return a Markdown table; the first line is its head.

    >>> print(table([["metric", "score"], ["bleu-4", "0.25"]]))
    | metric | score |
    | --- | ---: |
    | bleu-4 | 0.25 |
    """
    head, *body = lines
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---", *["---:"] * (len(head) - 1)], *body])


def filled(text: str, name: str, content: str, source: str) -> str:
    """Return the text with this content between its marks `<!-- NAME: begin -->` and `<!-- NAME: end -->`.

    >>> filled("a <!-- x: begin --> old <!-- x: end --> b", "x", "new", "page.md")
    'a <!-- x: begin -->\\n\\nnew\\n\\n<!-- x: end --> b'
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, found, rest = text.partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"{source} has no place for {name}: it needs {begin} and {end}")
    return f"{before}{begin}\n\n{content}\n\n{end}{rest.partition(end)[2]}"


def replace(page: Path, name: str, text: str) -> None:
    """Put the text between the page's marks."""
    page.write_text(filled(page.read_text("utf-8"), name, text, page.name), "utf-8")
