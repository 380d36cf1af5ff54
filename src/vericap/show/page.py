"""The frame of every HTML page and its style sheet: one file that needs no script, no font and no picture from
elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a }
h1 { font-size: 1.4rem } h2 { font-size: 1.2rem; margin-top: 2rem } h4 { margin: 1.2rem 0 .3rem }
h3 { font-size: 1.1rem; margin-top: 2rem; border-top: 1px solid #bbb; padding-top: .8rem }
p, li { max-width: 60rem } svg { max-width: 100%; height: auto } .wide { overflow-x: auto }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { padding: .2rem .7rem; text-align: right; font-weight: normal; border-bottom: 1px solid #ddd }
th:first-child { text-align: left } thead th { font-weight: 600; border-bottom: 2px solid #555 }
table.heat td { min-width: 2.6em; font-size: .85em; border: 0 } table.heat th { font-size: .9em; border: 0 }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto }
@media (prefers-color-scheme: dark) {
  body { background: #161616; color: #e8e8e8 } pre { background: #242424 } th, td { border-color: #444 }
}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """A page by itself: a heading, and pieces of HTML one below the other.

    >>> print(page("a & b", [bullets(["1 < 2"])]).partition("<body>")[2])
    <h1>a &amp; b</h1>
    <ul><li>1 &lt; 2</li></ul>
    </body></html>
    """
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>"
    )
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="en"><head>{head}</head>',
            f"<body>{heading(title, 1)}",
            *parts,
            "</body></html>\n",
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
