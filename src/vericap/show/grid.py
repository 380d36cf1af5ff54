"""A grid of text for each medium: rich, plain, Markdown, LaTeX, CSV, HTML."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from shutil import get_terminal_size

from vericap.errors import InputError
from vericap.show.screen import WIDTH, screen_width, visible

_LETTERS, _SUPERSCRIPTS = "abcdefghijklmnoprstuvwxyz,", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ˒"
_LOWERED = str.maketrans(_SUPERSCRIPTS, _LETTERS)
_RAISED = re.compile(f"[{_SUPERSCRIPTS}]+")
_LATEX = {
    **{sign: rf"\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "×": r"$\times$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "≤": r"$\leq$",
}
_FORMULA = re.compile(r"[=+\-@\t\r]")
BOOKTABS = r"% needs \usepackage{booktabs}"


def raised(letters: str) -> str:
    """Return superscript letters as Unicode has them (it has no q), which LaTeX gets as a formula.

    >>> raised("ab"), Grid(["x"], [["1" + raised("ab")]]).draw("latex").splitlines()[5]
    ('ᵃᵇ', '1$^{ab}$ \\\\\\\\')
    """
    return letters.translate(str.maketrans(_LETTERS, _SUPERSCRIPTS))


@dataclass(frozen=True)
class Grid:
    """A heading and rows of cells, all of them text; the first column is left-aligned, the others right.

    `names` is the number of columns that say what a row is: they are repeated when a wide grid is folded. A grid with
    one such column whose rows fit next to each other is transposed instead.

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
    names: int = 1

    def draw(self, format: str = "plain") -> str:
        """Return the grid as text: rich, plain, markdown, latex, csv or html."""
        if format not in FORMATS:
            raise InputError(f"{format!r} is not a format of tables", fix=f"use one of {', '.join(FORMATS)}")
        return FORMATS[format](self)

    def changed(self, change: Callable[[str], str]) -> Grid:
        """Return the grid with every cell changed."""
        rows = [[change(cell) for cell in row] for row in self.rows]
        return replace(self, head=[change(cell) for cell in self.head], rows=rows)

    def widths(self) -> list[int]:
        """Return the width of each column on a screen."""
        lines = [self.head, *self.rows]
        return [max(screen_width(line[k]) for line in lines) for k in range(len(self.head))]

    def fitted(self, screen: int, between: int, around: int = 0) -> Iterator[Grid]:
        """Yield grids that fit on the screen: this one, this one transposed, or its columns in several blocks.
        `between` is the space from one column to the next, `around` the width that a grid takes besides its columns."""
        widths = self.widths()
        if around + sum(widths) + between * (len(widths) - 1) <= screen:
            yield self
            return
        turned = self._turned()
        if self.names == 1 and around + sum(turned.widths()) + between * len(self.rows) <= screen:
            yield turned
            return
        kept = list(range(self.names))
        free = screen - around - sum(widths[: self.names]) - between * (self.names - 1)
        block: list[int] = []
        for column in range(self.names, len(widths)):
            if block and sum(widths[k] + between for k in [*block, column]) > free:
                yield self._columns([*kept, *block])
                block = []
            block.append(column)
        yield self._columns([*kept, *block])

    def _turned(self) -> Grid:
        head, *rows = zip(self.head, *self.rows, strict=True)
        return replace(self, head=head, rows=rows)

    def _columns(self, columns: Sequence[int]) -> Grid:
        rows = [[row[k] for k in columns] for row in self.rows]
        return replace(self, head=[self.head[k] for k in columns], rows=rows)


def _plain(grid: Grid) -> str:
    grid = grid.changed(visible)
    blocks = []
    for block in [grid] if (screen := WIDTH.get()) is None else grid.fitted(screen, between=2):
        widths, lines = block.widths(), []
        for line in [block.head, *block.rows]:
            blanks = [" " * (width - screen_width(cell)) for cell, width in zip(line, widths, strict=True)]
            others = [space + cell for space, cell in zip(blanks[1:], line[1:], strict=True)]
            lines.append("  ".join([line[0] + blanks[0], *others]).rstrip())
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _rich(grid: Grid) -> str:
    screen = WIDTH.get() or get_terminal_size().columns
    return "\n".join(map(_rich_block, grid.changed(visible).fitted(screen, between=3, around=4)))


def _rich_block(grid: Grid) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # As Text, a cell is what it says: `m[v1]` is a name, not a style.
    table = Table(title=Text(visible(grid.title)) if grid.title else None)
    for k, heading in enumerate(grid.head):
        table.add_column(Text(heading), justify="right" if k else "left", no_wrap=True)
    for row in grid.rows:
        table.add_row(*map(Text, row))
    out = io.StringIO()
    width = sum(grid.widths()) + 3 * len(grid.head) + 1
    Console(file=out, force_terminal=True, width=max(width, len(grid.title))).print(table)
    return out.getvalue().rstrip("\n")


def _markdown(grid: Grid) -> str:
    rule = ["---", *["---:"] * (len(grid.head) - 1)]
    grid = grid.changed(_markdown_cell)
    return "\n".join(f"| {' | '.join(line)} |" for line in [grid.head, rule, *grid.rows])


def _markdown_cell(text: str) -> str:
    """Return a cell that cannot end its cell or its row."""
    one_line = " ".join(text.splitlines()) if not text.isprintable() else text
    return visible(one_line).replace("\\", "\\\\").replace("|", r"\|")


def _latex(grid: Grid) -> str:
    return "\n".join([BOOKTABS, *tabular(grid.changed(latex_text))])


def tabular(grid: Grid) -> list[str]:
    """Return the lines of a `tabular` whose cells are LaTeX already."""
    lines = [" & ".join(line) + r" \\" for line in [grid.head, *grid.rows]]
    return [
        rf"\begin{{tabular}}{{l{'r' * (len(grid.head) - 1)}}}",
        r"\toprule",
        lines[0],
        r"\midrule",
        *lines[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]


def latex_text(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    >>> print(latex_text(r"100 % of C:\x_1 ^ ~"))
    100 \% of C:\textbackslash{}x\_1 \textasciicircum{} \textasciitilde{}
    """
    escaped = "".join(_LATEX.get(character, character) for character in visible(" ".join(text.splitlines())))
    return _RAISED.sub(lambda found: f"$^{{{found[0].translate(_LOWERED)}}}$", escaped)


def _csv(grid: Grid) -> str:
    import csv

    out = io.StringIO()
    rows = [[*map(spreadsheet_text, row[: grid.names]), *row[grid.names :]] for row in grid.rows]
    csv.writer(out, lineterminator="\n").writerows([grid.head, *rows])
    return out.getvalue().rstrip("\n")


def spreadsheet_text(text: str) -> str:
    """Return a cell that a spreadsheet does not take for a formula, by an apostrophe before it. Numbers stay.

    >>> spreadsheet_text('=HYPERLINK("x")'), spreadsheet_text("a dog"), spreadsheet_text("-0.5")
    ('\\'=HYPERLINK("x")', 'a dog', '-0.5')
    """
    if _FORMULA.match(text):
        try:
            float(text)
        except ValueError:
            return f"'{text}"
    return text


def _html(grid: Grid) -> str:
    import html

    grid = grid.changed(lambda cell: html.escape(visible(cell)))
    head = "".join(f"<th>{cell}</th>" for cell in grid.head)
    body = "\n".join(
        f"<tr><th>{row[0]}</th>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>" for row in grid.rows
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
