"""The plots of a page as static figures for papers, drawn by matplotlib from the report that the page holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.show.figures import COLOURS, plain, saved, with_figures
from vericap.show.page import unpack

WIDTHS = {"column": 3.3, "text": 6.9}  # inches, as two-column papers have them
FORMATS = ("pdf", "svg", "png")
_REPORT = re.compile(r'<script type="application/octet-stream" id="report">([A-Za-z0-9+/=]+)</script>')
_BETTER, _WORSE, _UNCLEAR = COLOURS[0], COLOURS[1], COLOURS[7]
_MOST_BARS = 24


def report_in(path: Path) -> dict[str, Any]:
    """Return the report inside a page that Vericap wrote."""
    try:
        found = _REPORT.search(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the page cannot be read ({error})", source=str(path), fix="check the path") from None
    if found is None:
        raise InputError(
            "there is no report in the file", source=str(path), fix="give a page of score, compare or judge --html"
        )
    report: dict[str, Any] = unpack(found[1])
    return report


def draw_figures(report: Mapping[str, Any], format: str = "pdf", width: str = "column") -> dict[str, bytes]:
    """Return every plot of the page by name; the same report gives the same bytes."""
    if format not in FORMATS:
        raise InputError(f"{format!r} is not a format of figures", field="format", fix=f"use {', '.join(FORMATS)}")
    if report["kind"] not in _PLOTS:
        raise InputError(f"a page of {report['kind']} has no plots", fix="give a page of score, compare or judge")
    return {name: _drawn(plot, format, WIDTHS[width]) for name, plot in _PLOTS[report["kind"]](report)}


def _drawn(plot: Callable[[Any], float], format: str, width: float) -> bytes:
    """Return a figure as a file: `plot` draws into it and returns its height as a fraction of its width."""
    matplotlib = with_figures()
    # Fonts as text that can be searched, and the same bytes for the same figure.
    style = {"svg.hashsalt": "vericap", "pdf.fonttype": 42, "svg.fonttype": "none", "font.size": 7}
    with matplotlib.rc_context(style):
        figure = matplotlib.figure.Figure((width, width), layout="constrained")
        figure.set_size_inches(width, width * plot(figure))
        return saved(figure, format, 300)


_Plots = Iterator[tuple[str, Callable[[Any], float]]]


def _score_plots(report: Mapping[str, Any]) -> _Plots:
    columns = {key: _column(values) * report["scale"] for key, values in report["captions"]["scores"].items()}
    yield "distributions", partial(_distributions, columns)
    if len(columns) > 1:
        yield "scatter", partial(_scatter, columns, next(iter(columns)), next(reversed(columns)))
    rows = [(each["key"], each["score"], each["interval"], 1) for each in report["metrics"] if each["interval"]]
    if rows:
        yield "intervals", partial(_forest, _scaled(rows, report["scale"]), "score")


def _compare_plots(report: Mapping[str, Any]) -> _Plots:
    pairs = [(each["system"], each["against"]) for each in report["metrics"][0]["pairs"]] if report["metrics"] else []
    for place, (system, against) in enumerate(pairs):
        names, name = (system, against), f"{_slug(system)}-{_slug(against)}"
        found = [(metric, metric["pairs"][place]) for metric in report["metrics"]]
        rows = [_contrast(metric, pair) for metric, pair in found]
        label = f"{system} − {against}, standard deviations, + is better"
        yield f"differences-{name}", partial(_forest, rows, label)
        shares = [(metric["key"], pair["wins"], pair["ties"], pair["losses"]) for metric, pair in found]
        yield f"wins-{name}", partial(_shares, shares, names)
        parts = [each for each in report["slices"] if (each["system"], each["against"]) == names]
        for metric in report["metrics"]:
            if of := [_part(metric, each) for each in parts if each["metric"] == metric["key"]]:
                label = f"{metric['key']}, {system} − {against}, + is better"
                where = f"where-{name}-{_slug(metric['key'])}"
                yield where, partial(_forest, _scaled(of, report["scale"]), label)


def _judge_plots(report: Mapping[str, Any]) -> _Plots:
    measure, scale = report["measure"], report["scale"]
    rows = []
    for row in report["rows"]:
        found = row["estimates"].get(measure)
        if found is not None and found["value"] is not None:
            upwards = row.get("higher_is_better", True) or measure.startswith("accuracy")
            rows.append((row["metric"], *_turned(upwards, found["value"], found["interval"]), 1))
    rows.sort(key=lambda row: -row[1])
    if report["ceiling"].get(measure) is not None:
        rows.insert(0, ("people", report["ceiling"][measure], None, 0))
    yield "agreement", partial(_forest, _scaled(rows, scale), measure)
    for place, curve in enumerate(report["curves"], 1):
        yield f"curve-{place}", partial(_lines, curve)


_PLOTS: dict[str, Callable[[Mapping[str, Any]], _Plots]] = {
    "score": _score_plots,
    "compare": _compare_plots,
    "judge": _judge_plots,
}

# A row of a forest plot: its name, a number, the ends of its interval, and 1, −1 or 0: better, worse, unclear.
_Row = tuple[str, float, Sequence[float] | None, int]


def _contrast(metric: Mapping[str, Any], pair: Mapping[str, Any]) -> _Row:
    value, ends = _turned(metric["higher_is_better"], pair.get("scaled", 0.0), pair.get("scaled_interval"))
    sure = pair["corrected"] is not None and pair["corrected"] < 0.05
    return metric["key"], value, ends, int(np.sign(value)) * sure


def _part(metric: Mapping[str, Any], each: Mapping[str, Any]) -> _Row:
    """Return a row for a part of the images; its interval says whether one captioner is better there."""
    value, ends = _turned(metric["higher_is_better"], each["difference"] or 0.0, each["interval"])
    sign = 0 if ends is None or ends[0] <= 0 <= ends[1] else int(np.sign(ends[0]))
    return f"{each['label']} ({each['images']})", value, ends, sign


def _turned(upwards: bool, value: float, ends: Sequence[float] | None) -> tuple[float, list[float] | None]:
    """Return a number and its interval with + for better, if it is not `upwards` already."""
    sign = 1 if upwards else -1
    return sign * value, sorted(sign * end for end in ends) if ends else None


def _scaled(rows: Sequence[_Row], scale: float) -> list[_Row]:
    return [(name, value * scale, ends and [end * scale for end in ends], sign) for name, value, ends, sign in rows]


def _forest(rows: Sequence[_Row], label: str, figure: Any) -> float:
    axes = figure.subplots()
    for place, (_, value, ends, sign) in enumerate(rows):
        colour = _BETTER if sign > 0 else _WORSE if sign < 0 else _UNCLEAR
        if ends is not None:
            axes.plot(ends, [place, place], color=colour, linewidth=1.4, solid_capstyle="round")
        face = "white" if sign == 0 else colour
        axes.plot(
            [value], [place], marker="o" if sign == 0 else "s", color=colour, markerfacecolor=face, markersize=3.5
        )
    axes.axvline(0, color="black", linewidth=0.6)
    _name_rows(axes, [row[0] for row in rows], label)
    axes.grid(axis="x", linewidth=0.4, alpha=0.5)
    return 0.18 + 0.05 * len(rows)


def _name_rows(axes: Any, names: Sequence[str], label: str) -> None:
    axes.set_yticks(range(len(names)), list(map(plain, names)))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(plain(label))
    axes.spines[["top", "right", "left"]].set_visible(False)


def _shares(rows: Sequence[tuple[str, int, int, int]], names: tuple[str, str], figure: Any) -> float:
    axes = figure.subplots()
    left = np.zeros(len(rows))
    for part, (label, colour) in enumerate([(names[0], COLOURS[5]), ("tied", "#d9dfe5"), (names[1], COLOURS[4])], 1):
        sizes = np.array([row[part] for row in rows], float)
        axes.barh(range(len(rows)), sizes, left=left, color=colour, label=plain(label), height=0.8)
        left += sizes
    _name_rows(axes, [row[0] for row in rows], "images won")
    axes.legend(frameon=False, ncols=3, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0)
    return 0.24 + 0.05 * len(rows)


def _distributions(columns: Mapping[str, Floats], figure: Any) -> float:
    across = 3
    down = max(1, -(-len(columns) // across))
    grid = figure.subplots(down, across, squeeze=False)
    for axes in grid.flat[len(columns) :]:
        axes.set_visible(False)
    for axes, (key, column) in zip(grid.flat, columns.items(), strict=False):
        axes.hist(column[np.isfinite(column)], bins=_MOST_BARS, color=_BETTER)
        axes.set_title(plain(key), fontsize=6, loc="left")
        axes.tick_params(labelsize=5, length=2)
        axes.set_yticks([])
        axes.spines[["top", "right", "left"]].set_visible(False)
    return 0.24 * down


def _scatter(columns: Mapping[str, Floats], x: str, y: str, figure: Any) -> float:
    axes = figure.subplots()
    many = len(columns[x]) > 2000
    axes.scatter(columns[x], columns[y], s=1 if many else 6, alpha=0.4, color=_BETTER, linewidths=0, rasterized=many)
    axes.set_xlabel(plain(x))
    axes.set_ylabel(plain(y))
    axes.spines[["top", "right"]].set_visible(False)
    return 0.75


def _lines(curve: Mapping[str, Any], figure: Any) -> float:
    axes = figure.subplots()
    for place, (key, values) in enumerate(curve["values"].items()):
        colour, line = COLOURS[place % len(COLOURS)], _column(values)
        axes.plot(curve["points"], line, color=colour, label=plain(key), linewidth=1.2, marker="o", markersize=2)
        if key in curve["spread"]:
            band = _column(curve["spread"][key])
            axes.fill_between(curve["points"], line - band, line + band, color=colour, alpha=0.12, linewidth=0)
    axes.set_xlabel(plain(curve["across"]))
    axes.set_ylabel(plain(curve["measure"]))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=6)
    return 0.7


def _column(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], float)


def _slug(name: str) -> str:
    """Return a name as part of the name of a file.

    >>> _slug("runs/a b")
    'runs_a_b'
    """
    return re.sub(r"[^\w.-]+", "_", name)[:60] or "_"
