"""Pages and pieces of HTML without scripts: a file that needs no font and no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from vericap.show.report.assets import style


def page(title: str, parts: Iterable[str]) -> str:
    """A page by itself: a heading, and pieces of HTML one below the other.

    >>> print(page("a & b", [bullets(["1 < 2"])]).partition("<body>")[2])
    <main><h1>a &amp; b</h1>
    <ul><li>1 &lt; 2</li></ul>
    </main></body></html>
    """
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style()}</style>"
    )
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="en"><head>{head}</head>',
            f"<body><main>{heading(title, 1)}",
            *parts,
            "</main></body></html>\n",
        ]
    )


def heading(text: str, level: int) -> str:
    """A heading of a level, from 1."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str) -> str:
    """A paragraph of text."""
    return f"<p>{escape(text)}</p>"


def bullets(lines: Iterable[str], kind: str = "ul") -> str:
    """A list, one item per line; `kind` is ol for a numbered one."""
    return f"<{kind}>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</{kind}>"


def details(summary: str, lines: Iterable[str]) -> str:
    """Lines that a reader unfolds; nothing where there are none.

    >>> details("Notes", ["1 < 2"])
    '<details><summary>Notes</summary><ul><li>1 &lt; 2</li></ul></details>'
    """
    given = list(lines)
    return f"<details><summary>{escape(summary)}</summary>{bullets(given)}</details>" if given else ""
