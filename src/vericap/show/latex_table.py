"""A table of scores as a paper prints it: booktabs, the papers' names of metrics, the best of each column in bold,
significance as superscripts, and a caption that makes the numbers reproducible."""

from __future__ import annotations

from collections.abc import Sequence

from vericap.show.grid import BOOKTABS, Grid, latex_text, tabular
from vericap.show.numbers import spell
from vericap.show.paper_names import paper_name
from vericap.show.score_table import Row, ScoreTable, spread
from vericap.show.signatures import in_one_line


def latex_table(table: ScoreTable, scale: float = 1.0) -> str:
    r"""A `table` environment; where there is nothing to say below the table, the `tabular` alone.

    >>> from vericap.show.score_table import Column
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
    head = ["", *(latex_text(f"{paper_name(each.key)} {each.arrow}") for each in table.columns)]
    best = [_best(table, column, scale) for column in range(len(table.columns))]
    lines = tabular(Grid(head, [_cells(row, best, scale) for row in table.rows]))
    caption = _caption(table, scale)
    if not caption:
        return "\n".join([BOOKTABS, *lines])
    around = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", r"\label{tab:captions}"]
    return "\n".join([BOOKTABS, *around, *lines, r"\end{table}"])


def _best(table: ScoreTable, column: int, scale: float) -> str | None:
    """The best score of a column as it is printed, so that equal numbers look equal; None where it has no rival."""
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
        cells.append(cell + latex_text(spread(interval, scale)) + (f"$^{{{mark}}}$" if mark else ""))
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
