"""A table of scores, one row per captioner or group and one column per metric, drawn for each medium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vericap.show.grid import BOOKTABS, Grid, latex_text, raised, tabular
from vericap.show.numbers import ARROWS, in_one_line, paper_name, spell


@dataclass(frozen=True)
class Column:
    """A metric's column: its key and direction."""

    key: str
    higher_is_better: bool = True


@dataclass(frozen=True)
class Row:
    """Scores of a captioner or a group; `intervals` holds None for each interval that was not asked for.

    `marks` are superscripts, one per column: the letters of the rows that this one beats; `letter` is this row's own.
    """

    label: str
    captions: int
    scores: Sequence[float]
    intervals: Sequence[tuple[float, float] | None]
    marks: Sequence[str] = ()
    letter: str = ""


@dataclass(frozen=True)
class ScoreTable:
    """The table that `vericap score` prints. `remark` and `signatures` are for its caption in a paper.

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
    remark: str = ""
    signatures: Sequence[str] = ()

    def draw(self, format: str = "plain", scale: float = 1.0) -> str:
        """Return the table as text: rich, plain, markdown, latex, csv or html."""
        return latex_table(self, scale) if format == "latex" else self.grid(scale, exact=format == "csv").draw(format)

    def grid(self, scale: float = 1.0, *, exact: bool = False) -> Grid:
        """Return the table for people: each score with half the width of its interval and its superscript. For programs
        (`exact`) it has every digit, and the ends of intervals in columns of their own."""
        ends = exact and any(interval for row in self.rows for interval in row.intervals)
        rows = []
        for row in self.rows:
            cells = [f"{row.letter} {row.label}" if row.letter else row.label, str(row.captions)]
            marks = row.marks or [""] * len(row.scores)
            for score, interval, mark in zip(row.scores, row.intervals, marks, strict=True):
                if exact:
                    cells.append(repr(score * scale))
                    cells += [repr(end * scale) if interval else "" for end in interval or (0, 0)] if ends else []
                else:
                    cells.append(spell(score, scale) + (spread(interval, scale) if interval else "") + raised(mark))
            rows.append(cells)
        suffixes = ["", " low", " high"] if ends else [""]
        exact_head = (f"{column.key}{end}" for column in self.columns for end in suffixes)
        head = exact_head if exact else (f"{column.key} {ARROWS[column.higher_is_better]}" for column in self.columns)
        return Grid(["", "captions", *head], rows)


def spread(interval: tuple[float, float], scale: float) -> str:
    """Return half the width of an interval."""
    return f" ± {spell((interval[1] - interval[0]) / 2, scale)}"


def latex_table(table: ScoreTable, scale: float = 1.0) -> str:
    r"""Return a table as a paper prints it, with the best of each column in bold and significance as superscripts: a
    `table` environment whose caption makes the numbers reproducible, or the `tabular` alone if there is no caption.

    >>> two = ScoreTable([Column("bleu-4")], [Row("a_1", 2, [0.5], [None]), Row("b", 2, [0.25], [None], ["a"], "b")])
    >>> print(latex_table(two, 100))
    % needs \usepackage{booktabs}
    \begin{tabular}{lr}
    \toprule
     & BLEU-4 $\uparrow$ \\
    \midrule
    a\_1 & \textbf{50.0} \\
    $^{b}$ b & 25.0$^{a}$ \\
    \bottomrule
    \end{tabular}
    """
    head = ["", *(latex_text(f"{paper_name(each.key)} {ARROWS[each.higher_is_better]}") for each in table.columns)]
    best = [_best(table, column, scale) for column in range(len(table.columns))]
    lines = tabular(Grid(head, [_cells(row, best, scale) for row in table.rows]))
    caption = _caption(table, scale)
    if not caption:
        return "\n".join([BOOKTABS, *lines])
    around = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", r"\label{tab:captions}"]
    return "\n".join([BOOKTABS, *around, *lines, r"\end{table}"])


def _best(table: ScoreTable, column: int, scale: float) -> str | None:
    """Return the best score of a column as it is printed, so that equal numbers look equal; None if it has no rival."""
    there = [row.scores[column] for row in table.rows if row.scores[column] == row.scores[column]]
    if len(table.rows) < 2 or not there:
        return None
    return spell(max(there) if table.columns[column].higher_is_better else min(there), scale)


def _cells(row: Row, best: Sequence[str | None], scale: float) -> list[str]:
    name = latex_text(row.label)
    cells = [f"$^{{{row.letter}}}$ {name}" if row.letter else name]
    marks = row.marks or [""] * len(row.scores)
    for score, interval, mark, highest in zip(row.scores, row.intervals, marks, best, strict=True):
        shown = latex_text(spell(score, scale))
        cell = rf"\textbf{{{shown}}}" if spell(score, scale) == highest else shown
        cells.append(
            cell + (latex_text(spread(interval, scale)) if interval else "") + (f"$^{{{mark}}}$" if mark else "")
        )
    return cells


def _caption(table: ScoreTable, scale: float) -> str:
    scores = "Scores" if scale == 1 else f"Scores × {scale:g}"
    said = [f"{scores} of {table.remark}"] if table.remark else []
    if said and any(column.key.partition("(")[0] == "cider-d" for column in table.columns):
        said.append("CIDEr-D is what COCO's evaluation calls CIDEr")
    text = f"{latex_text('; '.join(said))}." if said else ""
    if not table.signatures:
        return text
    # A line may break after each part of the signature.
    signature = latex_text(in_one_line(table.signatures)).replace(r"\textbar{}", r"\textbar\allowbreak{}")
    return rf"{text} Signature: \texttt{{{signature}}}".strip()
