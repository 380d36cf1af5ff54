"""A table of scores, one row per captioner or group and one column per metric, drawn for each medium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vericap.show.grid import Grid, raised
from vericap.show.numbers import spell


@dataclass(frozen=True)
class Column:
    """A metric's column: its key and which way is better."""

    key: str
    higher_is_better: bool = True

    @property
    def arrow(self) -> str:
        return "↑" if self.higher_is_better else "↓"

    @property
    def heading(self) -> str:
        return f"{self.key} {self.arrow}"


@dataclass(frozen=True)
class Row:
    """Scores of a captioner or a group; `intervals` holds None where none was asked for.

    `marks` are superscripts, one per column: the letters of the rows that this one beats; `letter` is this row's own.
    """

    label: str
    captions: int
    scores: Sequence[float]
    intervals: Sequence[tuple[float, float] | None]
    marks: Sequence[str] = ()
    letter: str = ""

    @property
    def heading(self) -> str:
        return f"{self.letter} {self.label}" if self.letter else self.label

    def cells(self, scale: float) -> list[str]:
        """Each score with half the width of its interval and its superscript."""
        marks = self.marks or [""] * len(self.scores)
        return [
            spell(score, scale) + spread(interval, scale) + raised(mark)
            for score, interval, mark in zip(self.scores, self.intervals, marks, strict=True)
        ]


@dataclass(frozen=True)
class ScoreTable:
    """What `vericap score` prints. `remark` and `signatures` are for the caption that the table has in a paper.

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
        """The table as text: rich, plain, markdown, latex, csv or html."""
        if format == "latex":
            from vericap.show.latex_table import latex_table

            return latex_table(self, scale)
        return (self._exact(scale) if format == "csv" else self.grid(scale)).draw(format)

    def grid(self, scale: float = 1.0) -> Grid:
        """The table for people."""
        head = ["", "captions", *(column.heading for column in self.columns)]
        return Grid(head, [[row.heading, str(row.captions), *row.cells(scale)] for row in self.rows])

    def _exact(self, scale: float) -> Grid:
        """The table for programs: every digit, and the ends of intervals in columns of their own."""
        ends = any(interval for row in self.rows for interval in row.intervals)
        suffixes = ["", " low", " high"] if ends else [""]
        rows = []
        for row in self.rows:
            cells = [row.heading, str(row.captions)]
            for score, interval in zip(row.scores, row.intervals, strict=True):
                cells.append(repr(score * scale))
                if ends:
                    cells += [repr(end * scale) for end in interval] if interval else ["", ""]
            rows.append(cells)
        return Grid(["", "captions", *(f"{column.key}{end}" for column in self.columns for end in suffixes)], rows)


def spread(interval: tuple[float, float] | None, scale: float) -> str:
    """Half the width of an interval."""
    return f" ± {spell((interval[1] - interval[0]) / 2, scale)}" if interval else ""
