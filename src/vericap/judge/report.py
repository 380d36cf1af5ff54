"""A verdict drawn: the table of agreement, what papers published beside it, and both as a page."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from vericap.judge.verdict import MetricRow, Verdict
from vericap.show.grids import Grid, page, raised
from vericap.stats.significance import letters, marks


def table(verdict: Verdict, scale: float = 100.0, measures: Sequence[str] | None = None) -> Grid:
    """A row a metric, a column a measure, each with half the width of its interval; superscripts name the rows that
    a row beats in the measure the protocol is about."""
    shown = [m for m in measures or verdict.measures() if not m.endswith("p_value")]
    if verdict.measure.startswith("M1."):  # several questions: the one coefficient of each
        shown = [m for m in shown if m.endswith(verdict.measure[2:])]
    rows = []
    for k, row in enumerate(verdict.rows):
        beats = raised(marks(row.beats))
        cells = [_cell(row, m, scale) + (beats if m == verdict.measure else "") for m in shown]
        rows.append([f"{letters(k)} {row.metric}", *cells, f"{row.ties:.1%}" if math.isfinite(row.ties) else "–"])
    heads = [m.removeprefix("accuracy.") for m in shown]
    title = f"{verdict.benchmark.name}, {verdict.protocol.name}, n = {verdict.n:,}"
    return Grid(["metric", *heads, "ties"], rows, title)


def _cell(row: MetricRow, measure: str, scale: float) -> str:
    estimate = row.estimates.get(measure)
    if estimate is None or not math.isfinite(estimate.value):
        return "–"
    digits = 1 if scale >= 10 and measure.startswith("accuracy") else 2 if scale >= 10 else 3
    text = f"{estimate.value * scale:.{digits}f}"
    if estimate.interval is not None:
        text += f" ±{(estimate.interval[1] - estimate.interval[0]) / 2 * scale:.1f}"
    return text


def published(verdict: Verdict) -> Grid:
    """What papers print, beside ours."""
    rows = [
        [
            each.metric,
            each.measure.removeprefix("accuracy."),
            f"{each.published:g}",
            "–" if math.isnan(each.ours) else f"{each.ours:.{_digits(each.published)}f}",
            "–" if math.isnan(each.ours) else f"{each.difference:+.{_digits(each.published)}f}",
            f"{each.paper}, {each.where}",
        ]
        for each in verdict.published
    ]
    return Grid(["metric", "measure", "published", "ours", "difference", "where"], rows, "Beside published values")


def _digits(value: float) -> int:
    """One digit more than was printed, at least two: a value of 64.9 stands beside 65.13."""
    return max(2, len(f"{value:g}".partition(".")[2]) + 1)


def sentences(verdict: Verdict) -> list[str]:
    """What a reader must know of the table."""
    said = [f"protocol {verdict.protocol.name} ({verdict.protocol.of}): {verdict.protocol.spell()}"]
    drawn = "systems" if verdict.protocol.level == "system" else "images"
    if verdict.bootstrap:
        said.append(
            f"± is half the 95 % interval over {verdict.bootstrap:,} resamples of {drawn}; superscripts name the rows "
            f"beaten in {verdict.measure} (paired bootstrap, Holm, 5 %)"
        )
    if verdict.ceiling:
        others = ", ".join(f"{n} {value:.3f}" for n, value in verdict.ceiling.items() if "." not in n)
        pairs = ", ".join(f"{n[6:]} {value:.3f}" for n, value in verdict.ceiling.items() if n.startswith("pairs."))
        said.append(f"people among themselves: each judge with the mean of the others {others}; two judges {pairs}")
    lower = [row.metric for row in verdict.rows if not row.higher_is_better]
    if lower and not verdict.measure.startswith("accuracy"):
        said.append(f"lower is better for {', '.join(lower)}: a negative correlation is agreement")
    return [*said, *verdict.notes, f"cite: {verdict.benchmark.citation}"]


def to_html(verdict: Verdict) -> str:
    """Both tables and the sentences as a page."""
    parts = [f"<p>{html.escape(verdict.benchmark.what)}.</p>", table(verdict).draw("html")]
    if verdict.published:
        parts.append(published(verdict).draw("html"))
    parts.append("<ul>" + "".join(f"<li>{html.escape(each)}</li>" for each in sentences(verdict)) + "</ul>")
    return page(f"{verdict.benchmark.name}: agreement with people", parts)
