"""Explanations as one HTML page that needs nothing from elsewhere: no script, no font, no picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from vericap.results.explanation import Explanation, Matrix, Part
from vericap.show.explanations import number
from vericap.show.matrices import shades

_HUES = {"red": "196, 30, 58", "blue": "24, 90, 189"}
_ON_DARK, _ON_LIGHT = "#fff", "#222"
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222 }
h1 { font-size: 1.3em } h2 { font-size: 1.1em; margin-top: 2em; border-top: 1px solid #ccc; padding-top: .8em }
h3 { font-size: 1em; margin: 1.2em 0 .3em } table { border-collapse: collapse } .wide { overflow-x: auto }
td, th { padding: .15em .6em; text-align: left; font-weight: normal }
td.n { text-align: right; font-variant-numeric: tabular-nums }
table.heat td { text-align: right; min-width: 2.6em; font-size: .85em } table.heat th { font-size: .9em; color: #444 }
pre { background: #f6f6f6; padding: .6em; overflow-x: auto } ol { margin: .3em 0 }
"""


def page(explanations: Iterable[Explanation]) -> str:
    """The page; explanations of one caption stand together under it.

    >>> text = page([Explanation("bleu-1", 0.5, "a <dog>", ["the dog"], {"brevity penalty": 1.0})])
    >>> "a &lt;dog&gt;" in text, "http" in text
    (True, False)
    """
    lines = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8"><title>Why these scores</title>']
    lines += [f"<style>{_STYLE}</style></head><body>"]
    for (caption, references), group in groupby(explanations, lambda e: (e.caption, tuple(e.references))):
        lines.append(f"<h1>{escape(caption)}</h1>")
        if references:
            lines.append(f"<ol>{''.join(f'<li>{escape(text)}</li>' for text in references)}</ol>")
        for explanation in group:
            lines += _explanation(explanation)
    return "\n".join([*lines, "</body></html>", ""])


def _explanation(explanation: Explanation) -> Iterator[str]:
    yield f"<h2>{escape(explanation.metric)} = {number(explanation.score)}</h2>"
    if explanation.values:
        yield "<table>"
        for name, value in explanation.values.items():
            yield f"<tr><th>{escape(name)}</th><td>{escape(number(value))}</td></tr>"
        yield "</table>"
    if explanation.drawing:
        yield f"<pre>{escape(chr(10).join(explanation.drawing))}</pre>"
    for name, parts in explanation.sections.items():
        yield f"<h3>{escape(name)}</h3>"
        yield from _parts(list(parts))
    for name, matrix in explanation.matrices.items():
        yield f"<h3>{escape(name)}</h3>"
        yield from _heat_map(matrix)


def _parts(parts: list[Part]) -> Iterator[str]:
    if not parts:
        yield "<p>(none)</p>"
        return
    names = list(dict.fromkeys(name for part in parts for name in part.values))
    yield f"<table><tr><th></th>{''.join(f'<th>{escape(name)}</th>' for name in names)}</tr>"
    for part in parts:
        texts = [escape(number(part.values[name])) if name in part.values else "" for name in names]
        cells = "".join(f'<td class="n">{text}</td>' for text in texts)
        yield f"<tr><td>{escape(part.text)}</td>{cells}</tr>"
    yield "</table>"


def _heat_map(matrix: Matrix) -> Iterator[str]:
    if not matrix.values.size:
        yield "<p>(none)</p>"
        return
    hue = _HUES[matrix.hue]
    yield '<div class="wide"><table class="heat">'
    yield f"<tr><th></th>{''.join(f'<th>{escape(name)}</th>' for name in matrix.columns)}</tr>"
    for name, values, row in zip(matrix.rows, matrix.values.tolist(), shades(matrix).tolist(), strict=True):
        cells = (
            f'<td style="background: rgba({hue}, {shade:.3f}); color: {_ON_DARK if shade > 0.6 else _ON_LIGHT}">'
            f"{value:.2f}</td>"
            for value, shade in zip(values, row, strict=True)
        )
        yield f"<tr><th>{escape(name)}</th>{''.join(cells)}</tr>"
    yield "</table></div>"
