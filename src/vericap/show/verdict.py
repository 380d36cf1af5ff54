"""A verdict for people: the table of agreement, published values, and both as a page."""

from __future__ import annotations

import math

from vericap.options.page import PageOptions
from vericap.results.verdict import MetricRow, Verdict
from vericap.show import note_lines
from vericap.show.grid import Grid, raised
from vericap.show.numbers import contrast_cells
from vericap.stats.significance import letters, marks

MOST_CONTRASTS = 45  # of ten metrics; more would bury the table
TESTS = {"studentised": "studentised bootstrap", "bootstrap": "paired bootstrap"}


def verdict_grid(verdict: Verdict, scale: float = 100.0) -> Grid:
    """Return one row per metric and one column per measure, each with half the width of its interval; superscripts name
    the rows that a row beats in the measure the protocol is about."""
    shown = [measure for measure in verdict.measures() if not measure.endswith("p_value")]
    question, dot, coefficient = verdict.measure.partition(".")
    if dot and question != "accuracy":  # several questions to people: the same coefficient of each
        shown = [measure for measure in shown if measure.endswith(f".{coefficient}")]
    rows = []
    for k, row in enumerate(verdict.rows):
        beats = raised(marks(row.beats))
        cells = [_cell(row, m, scale) + (beats if m == verdict.measure else "") for m in shown]
        rows.append([f"{letters(k)} {row.metric}", *cells, f"{row.ties:.1%}" if math.isfinite(row.ties) else "–"])
    heads = [measure.removeprefix("accuracy.") for measure in shown]
    return Grid(["metric", *heads, "ties"], rows, f"{verdict.benchmark}, {verdict.protocol}, n = {verdict.n:,}")


def contrast_grid(verdict: Verdict, scale: float = 100.0) -> Grid:
    """Return one row per test of two metrics, in the measure that the protocol is about."""
    head = ["metrics", f"difference in {verdict.measure}", "95 % interval", "p (Holm)"]
    rows = [contrast_cells(each.metric, each, scale) for each in verdict.contrasts]
    return Grid(head, rows, "Contrasts: + means closer agreement with people")


def as_table(verdict: Verdict, format: str = "plain", scale: float = 100.0) -> str:
    """Return the table of agreement."""
    return verdict_grid(verdict, scale).draw(format)


def as_text(verdict: Verdict, format: str = "plain", scale: float = 100.0) -> str:
    """Return the table, contrasts and published values next to ours; for a paper or a program the table alone."""
    parts = [verdict_grid(verdict, scale)]
    if format not in ("csv", "latex"):
        parts += [contrast_grid(verdict, scale)] if 0 < len(verdict.contrasts) <= MOST_CONTRASTS else []
        parts += [published_grid(verdict)] if verdict.published else []
    return "\n\n".join(part.draw(format) for part in parts)


def remarks(verdict: Verdict, scale: float = 100.0, signatures: bool = False) -> list[str]:
    """Return the sentences about the table, and the signatures if they are asked for."""
    said = note_lines(sentences(verdict))
    return [*said, *(row.signature for row in verdict.rows if row.signature)] if signatures else said


def _cell(row: MetricRow, measure: str, scale: float) -> str:
    estimate = row.estimates.get(measure)
    if estimate is None or not math.isfinite(estimate.value):
        return "–"
    digits = 1 if scale >= 10 and measure.startswith("accuracy") else 2 if scale >= 10 else 3
    text = f"{estimate.value * scale:.{digits}f}"
    if estimate.interval is not None:
        text += f" ±{(estimate.interval[1] - estimate.interval[0]) / 2 * scale:.1f}"
    return text


def published_grid(verdict: Verdict) -> Grid:
    """Return the values that papers print, next to ours."""
    rows = [
        [
            each.metric,
            each.measure.removeprefix("accuracy."),
            f"{each.published:g}",
            "–" if math.isnan(each.ours) else f"{each.ours:.{_digits(each.published)}f}",
            "–" if math.isnan(each.ours) else f"{each.difference:+.{_digits(each.published)}f}",
            f"{each.paper}, {each.where}{f' ({each.note})' if each.note else ''}",
        ]
        for each in verdict.published
    ]
    return Grid(["metric", "measure", "published", "ours", "difference", "where"], rows, "Published values beside ours")


def _digits(value: float) -> int:
    """Return one digit more than was printed, at least two: 64.9 is next to 65.13."""
    return max(2, len(f"{value:g}".partition(".")[2]) + 1)


def sentences(verdict: Verdict) -> list[str]:
    """Return what a reader must know about the table."""
    said = [f"protocol {verdict.protocol_line}"]
    resampled = "systems" if verdict.choices.get("level") == "system" else "images"
    if verdict.bootstrap:
        said.append(
            f"± is half the 95 % interval over {verdict.bootstrap:,} resamples of {resampled}; superscripts name the "
            f"rows beaten in {verdict.measure} ({TESTS[verdict.test]}, Holm, 5 %)"
        )
    if len(verdict.contrasts) > MOST_CONTRASTS:
        many = f"{len(verdict.contrasts):,}"
        said.append(f"the {many} contrasts are in --json; --against METRIC shows those with one metric")
    if verdict.ceiling:
        others = ", ".join(f"{n} {value:.3f}" for n, value in verdict.ceiling.items() if "." not in n)
        pairs = ", ".join(f"{n[6:]} {value:.3f}" for n, value in verdict.ceiling.items() if n.startswith("pairs."))
        said.append(f"agreement among people: each judge with the mean of the others {others}; two judges {pairs}")
    lower = [row.metric for row in verdict.rows if not row.higher_is_better]
    if lower and not verdict.measure.startswith("accuracy"):
        said.append(f"lower is better for {', '.join(lower)}: a negative correlation means agreement")
    return [*said, *verdict.notes, f"cite: {verdict.citation}"]


def as_page(verdict: Verdict, scale: float = 100.0, options: PageOptions | None = None) -> str:
    """Return the report of the verdict as a page."""
    from vericap.show.page import document
    from vericap.show.report.judge_report import judge_report

    return document(judge_report(verdict, scale), as_fragment(verdict, scale))


def as_fragment(verdict: Verdict, scale: float = 100.0) -> str:
    """Return the tables and the sentences."""
    from vericap.show.page import bullets, paragraph

    parts = [paragraph(f"{verdict.what}."), verdict_grid(verdict, scale).draw("html")]
    if verdict.contrasts:
        parts.append(contrast_grid(verdict, scale).draw("html"))
    if verdict.published:
        parts.append(published_grid(verdict).draw("html"))
    return "\n".join([*parts, bullets(sentences(verdict))])
