"""A grid of text for each medium: rich, plain, Markdown, LaTeX, CSV, HTML."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vericap.errors import InputError

_LETTERS, _SUPERSCRIPTS = "abcdefghijklmnoprstuvwxyz,", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ˒"
_LOWERED = str.maketrans(_SUPERSCRIPTS, _LETTERS)
_RAISED = re.compile(f"[{_SUPERSCRIPTS}]+")
_LATEX = {"±": r"$\pm$", "−": "$-$", "↑": r"$\uparrow$", "↓": r"$\downarrow$"}


def raised(letters: str) -> str:
    """Superscript letters as Unicode has them (it has no q), which LaTeX gets as a formula.

    >>> raised("ab"), Grid(["x"], [["1" + raised("ab")]]).draw("latex").splitlines()[4]
    ('ᵃᵇ', '1$^{ab}$ \\\\\\\\')
    """
    return letters.translate(str.maketrans(_LETTERS, _SUPERSCRIPTS))


@dataclass(frozen=True)
class Grid:
    """A heading and rows of cells, all of them text; the first column is left-aligned, the others right.

    >>> grid = Grid(["metric", "tau"], [["bleu-1", "0.32"]], "Agreement")
    >>> print(grid.draw("plain"))
    metric   tau
    bleu-1  0.32
    >>> print(grid.draw("markdown"))
    | metric | tau |
    | --- | ---: |
    | bleu-1 | 0.32 |
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""

    def draw(self, format: str = "plain") -> str:
        """The grid as text: rich, plain, markdown, latex, csv or html."""
        if format not in FORMATS:
            raise InputError(f"{format!r} is not a format of tables", fix=f"use one of {', '.join(FORMATS)}")
        return FORMATS[format](self)


def _plain(grid: Grid) -> str:
    lines = [grid.head, *grid.rows]
    width = [max(len(line[k]) for line in lines) for k in range(len(grid.head))]
    return "\n".join(
        "  ".join([line[0].ljust(width[0]), *(c.rjust(w) for c, w in zip(line[1:], width[1:], strict=True))]).rstrip()
        for line in lines
    )


def _rich(grid: Grid) -> str:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=grid.title or None)
    for k, heading in enumerate(grid.head):
        table.add_column(heading, justify="right" if k else "left", no_wrap=True)
    for row in grid.rows:
        table.add_row(*row)
    out = io.StringIO()
    width = sum(max(len(line[k]) for line in [grid.head, *grid.rows]) + 3 for k in range(len(grid.head))) + 2
    Console(file=out, force_terminal=True, width=max(80, width)).print(table)
    return out.getvalue().rstrip("\n")


def _markdown(grid: Grid) -> str:
    rule = ["---", *["---:"] * (len(grid.head) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [grid.head, rule, *grid.rows])


def _latex(grid: Grid) -> str:
    lines = [" & ".join(map(_escape, line)) + r" \\" for line in [grid.head, *grid.rows]]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{'r' * (len(grid.head) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _escape(text: str) -> str:
    escaped = "".join(rf"\{c}" if c in "&%$#_{}" else _LATEX.get(c, c) for c in text)
    return _RAISED.sub(lambda found: f"$^{{{found[0].translate(_LOWERED)}}}$", escaped)


def _csv(grid: Grid) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([grid.head, *grid.rows])
    return out.getvalue().rstrip("\n")


def _html(grid: Grid) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in grid.head)
    body = "\n".join(
        f"<tr><th>{html.escape(row[0])}</th>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row[1:])}</tr>"
        for row in grid.rows
    )
    caption = f"<caption>{html.escape(grid.title)}</caption>" if grid.title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


FORMATS: dict[str, Callable[[Grid], str]] = {
    "rich": _rich,
    "plain": _plain,
    "markdown": _markdown,
    "latex": _latex,
    "csv": _csv,
    "html": _html,
}
