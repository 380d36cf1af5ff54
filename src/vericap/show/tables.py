"""A table of scores, a row a system or group and a column a metric, drawn for each medium."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vericap.errors import InputError

SUPERSCRIPTS = str.maketrans("abcdefghijklmnoprstuvwxyz,", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ˒")


@dataclass(frozen=True)
class Column:
    """A metric's column: its key and which way is better."""

    key: str
    higher_is_better: bool = True

    @property
    def heading(self) -> str:
        return f"{self.key} {'↑' if self.higher_is_better else '↓'}"


@dataclass(frozen=True)
class Row:
    """Scores of a system or a group; `intervals` holds None where none was asked for.

    `marks` are superscripts, a string a column: the letters of the rows that this one beats.
    """

    label: str
    captions: int
    scores: Sequence[float]
    intervals: Sequence[tuple[float, float] | None]
    marks: Sequence[str] = ()


@dataclass(frozen=True)
class ScoreTable:
    """What `vericap score` prints.

    >>> table = ScoreTable([Column("bleu-4"), Column("ter", False)], [Row("mine", 2, [0.25, 0.5], [None, None])])
    >>> print(table.draw("plain"))
          captions  bleu-4 ↑   ter ↓
    mine         2    0.2500  0.5000
    >>> print(table.draw("markdown", scale=100))
    |  | captions | bleu-4 ↑ | ter ↓ |
    | --- | ---: | ---: | ---: |
    | mine | 2 | 25.0 | 50.0 |
    """

    columns: Sequence[Column]
    rows: Sequence[Row]

    def draw(self, format: str = "plain", scale: float = 1.0) -> str:
        """The table as text: rich, plain, markdown, latex or csv."""
        if format not in FORMATS:
            raise InputError(f"no table format is called {format!r}", fix=f"use one of {', '.join(FORMATS)}")
        return FORMATS[format](self, scale)

    def cells(self, scale: float, plus_minus: str = "±", raised: str = "{}") -> list[list[str]]:
        """Text of each cell, without the labels; `raised` says how this medium writes a superscript."""
        return [
            [
                str(row.captions),
                *(
                    spell(score, scale) + _spread(interval, scale, plus_minus) + _raise(mark, raised)
                    for score, interval, mark in zip(
                        row.scores, row.intervals, row.marks or [""] * len(row.scores), strict=True
                    )
                ),
            ]
            for row in self.rows
        ]


def spell(score: float, scale: float = 1.0) -> str:
    """A score with the digits its scale deserves; a number that does not exist is a dash.

    >>> spell(0.12345), spell(0.12345, 100), spell(float("nan"))
    ('0.1235', '12.3', '–')
    """
    if math.isnan(score):
        return "–"
    digits = max(0, 4 - round(math.log10(scale)) - (1 if scale >= 10 else 0))
    return f"{score * scale:.{digits}f}"


def _spread(interval: tuple[float, float] | None, scale: float, plus_minus: str) -> str:
    return f" {plus_minus} {spell((interval[1] - interval[0]) / 2, scale)}" if interval else ""


def _raise(mark: str, raised: str) -> str:
    """Superscript letters: signs of their own where the medium has no other way."""
    if not mark:
        return ""
    return mark.translate(SUPERSCRIPTS) if raised == "{}" else raised.format(mark)


def _plain(table: ScoreTable, scale: float) -> str:
    head = ["", "captions", *(column.heading for column in table.columns)]
    body = [[row.label, *cells] for row, cells in zip(table.rows, table.cells(scale), strict=True)]
    width = [max(len(line[k]) for line in [head, *body]) for k in range(len(head))]
    return "\n".join(
        "  ".join([line[0].ljust(width[0]), *(cell.rjust(w) for cell, w in zip(line[1:], width[1:], strict=True))])
        for line in [head, *body]
    )


def _rich(table: ScoreTable, scale: float) -> str:
    from rich.console import Console
    from rich.table import Table

    grid = Table()
    grid.add_column("")
    for heading in ("captions", *(column.heading for column in table.columns)):
        grid.add_column(heading, justify="right", no_wrap=True)
    for row, cells in zip(table.rows, table.cells(scale), strict=True):
        grid.add_row(row.label, *cells)
    out = io.StringIO()
    Console(file=out, force_terminal=True, width=max(80, 14 * (len(table.columns) + 2))).print(grid)
    return out.getvalue().rstrip("\n")


def _markdown(table: ScoreTable, scale: float) -> str:
    lines = [
        ["", "captions", *(column.heading for column in table.columns)],
        ["---", *["---:"] * (len(table.columns) + 1)],
        *(
            [row.label, *cells]
            for row, cells in zip(table.rows, table.cells(scale, raised="<sup>{}</sup>"), strict=True)
        ),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _latex(table: ScoreTable, scale: float) -> str:
    arrow = {True: r"$\uparrow$", False: r"$\downarrow$"}
    head = " & ".join(["", *(f"{_escape(c.key)} {arrow[c.higher_is_better]}" for c in table.columns)])
    body = [
        " & ".join([_escape(row.label), *cells[1:]]) + r" \\"
        for row, cells in zip(table.rows, table.cells(scale, r"$\pm$", r"$^{{{}}}$"), strict=True)
    ]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            r"\toprule",
            head + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _escape(text: str) -> str:
    return "".join(rf"\{c}" if c in "&%$#_{}" else c for c in text)


def _csv(table: ScoreTable, scale: float) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    ends = any(interval for row in table.rows for interval in row.intervals)
    heads = [[column.key, *([f"{column.key} low", f"{column.key} high"] if ends else [])] for column in table.columns]
    writer.writerow(["", "captions", *(head for group in heads for head in group)])
    for row in table.rows:
        cells: list[str] = []
        for score, interval in zip(row.scores, row.intervals, strict=True):
            cells.append(repr(score * scale))
            if ends:
                cells += [repr(end * scale) for end in interval] if interval else ["", ""]
        writer.writerow([row.label, row.captions, *cells])
    return out.getvalue().rstrip("\n")


FORMATS: dict[str, Callable[[ScoreTable, float], str]] = {
    "rich": _rich,
    "plain": _plain,
    "markdown": _markdown,
    "latex": _latex,
    "csv": _csv,
}
