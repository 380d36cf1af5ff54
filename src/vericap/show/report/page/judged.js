// The page of `vericap judge`: how well each metric agrees with people, and where it does not.

import {forest, lines} from "./charts.js";
import {quoted} from "./detail.js";
import {chooser, element, replace, section} from "./dom.js";
import {exportButtons} from "./exports.js";
import {MISSING, bounds} from "./numbers.js";
import {choose, chosen} from "./state.js";

// Agreement as a positive number, also of a metric of which lower is better.
function turned(row, {value, interval}, measure) {
  if (row.higher_is_better || measure.startsWith("accuracy") || value === null) return {difference: value, interval};
  return {difference: -value, interval: interval && [-interval[1], -interval[0]]};
}

export class JudgePage {
  constructor(report) {
    this.report = report;
    this.plot = element("div");
    this.worst = element("div");
  }

  measure() {
    return this.report.measures.includes(chosen().measure) ? chosen().measure : this.report.measure;
  }

  number(value, digits = 2) {
    return value === null || value === undefined ? MISSING : (value * this.report.scale).toFixed(digits).replace("-", "−");
  }

  nodes() {
    const {report} = this;
    return [
      section("answer", "The answer", null, element("div", {class: "card answer"}, report.sentences.map((text, place) => element("p", {class: place ? null : "headline"}, quoted(text))))),
      section("agreement", "Agreement with people", null, chooser("Measure", report.measures.map((each) => [each, each]), this.measure(), (value) => { choose({measure: value}); this.draw(); }), this.plot),
      section("table", "All measures", report.legend, this.table(), exportButtons("the table", "agreement", () => this.grid())),
      report.curves.length ? section("curves", "Curves", null, report.curves.map((curve) => element("figure", {}, element("figcaption", {}, curve.title), lines(curve.title, curve.points, curve.values, curve.spread, curve.across, curve.measure)))) : null,
      report.disagreements.length ? section("worst", "Worst disagreements with people", "Captions that a metric ranks far higher or far lower than people do. Places are among all captions judged: 0 % is the worst, 100 % the best.",
        chooser("Metric", [...new Set(report.disagreements.map((each) => each.metric))].map((each) => [each, each]), chosen().metric, (value) => { choose({metric: value}); this.drawWorst(); }), this.worst) : null,
      report.matrix.benchmarks.length ? section("matrix", "Every metric on every benchmark", "As measured for this version: the stronger the colour, the better the agreement among the metrics of a column.", this.matrix()) : null,
      report.published.length ? section("published", "Published values beside ours", null, element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Published values"}, element("table", {class: "summary"},
        element("thead", {}, element("tr", {}, report.published[0].map((text) => element("th", {scope: "col"}, text)))), element("tbody", {}, report.published.slice(1).map((row) => element("tr", {}, row.map((cell, place) => element(place ? "td" : "th", place ? {} : {scope: "row"}, cell)))))))) : null,
    ];
  }

  table() {
    const {report} = this;
    return element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "All measures"}, element("table", {class: "summary", id: "summary"}, element("caption", {class: "away"}, "Agreement of each metric, by measure"),
      element("thead", {}, element("tr", {}, ["cluster", "metric", ...report.measures, "ties"].map((text, place) => element("th", {scope: "col", class: place > 1 ? "number" : null}, text)))),
      element("tbody", {}, report.rows.map((row) => element("tr", {}, element("td", {}, String(row.cluster)), element("th", {scope: "row"}, row.metric), report.measures.map((measure) => {
        const found = row.estimates[measure];
        return element("td", {class: "number", "data-metric": row.metric, "data-measure": measure}, found ? this.number(found.value) : MISSING, found?.interval ? element("span", {class: "soft"}, ` ±${this.number((found.interval[1] - found.interval[0]) / 2, 1)}`) : null);
      }), element("td", {class: "number"}, row.ties === null ? MISSING : `${(100 * row.ties).toFixed(1)} %`))))));
  }

  matrix() {
    const {benchmarks, rows} = this.report.matrix;
    const value = (cell) => (cell === null ? NaN : Math.abs(Number.parseFloat(cell.replace("−", "-"))));
    const ends = benchmarks.map((_, place) => bounds(rows.map((row) => value(row.cells[place])).filter((each) => !Number.isNaN(each))));
    const cell = (text, place) => {
      const [low, high] = ends[place];
      const strength = text === null ? 0 : Math.round((70 * (value(text) - low)) / (high - low || 1));
      return element("td", {class: "number", style: {background: `color-mix(in srgb, var(--cool) ${strength}%, var(--surface))`}}, text ?? MISSING);
    };
    const mine = new Set(this.report.rows.map((row) => row.metric));
    return element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Every metric on every benchmark"}, element("table", {class: "summary"},
      element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "metric"), benchmarks.map((name) => element("th", {scope: "col", class: "number wrapped"}, name)))),
      element("tbody", {}, rows.map((row) => element("tr", {}, element("th", {scope: "row"}, row.metric, mine.has(row.metric) ? " ●" : ""), row.cells.map(cell))))));
  }

  grid() {
    const {report} = this;
    return {head: ["metric", "cluster", ...report.measures.flatMap((measure) => [measure, `${measure} low`, `${measure} high`]), "ties"],
      rows: report.rows.map((row) => [row.metric, row.cluster, ...report.measures.flatMap((measure) => [row.estimates[measure]?.value ?? "", row.estimates[measure]?.interval?.[0] ?? "", row.estimates[measure]?.interval?.[1] ?? ""]), row.ties ?? ""])};
  }

  draw() {
    const {report} = this;
    const measure = this.measure();
    const ceiling = Object.entries(report.ceiling).filter(([name]) => name === measure);
    const rows = report.rows.filter((row) => row.estimates[measure]).map((row) => ({label: row.higher_is_better || measure.startsWith("accuracy") ? row.metric : `${row.metric} (sign turned)`, ...turned(row, row.estimates[measure], measure), sign: 1, note: `${this.number(row.estimates[measure].value)}   cluster ${row.cluster}`}));
    rows.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
    const people = ceiling.map(([, value]) => ({label: "people with each other", difference: value, interval: null, sign: 0, note: `${this.number(value)}   the ceiling`}));
    replace(this.plot, element("figure", {}, element("figcaption", {}, `${measure}, with its 95 % interval. Metrics of one cluster are not told apart by the test in ${report.measure}.`), forest(`${measure} of each metric`, [...people, ...rows], report.scale)));
  }

  drawWorst() {
    const keys = this.report.disagreements.map((each) => each.metric);
    const key = keys.includes(chosen().metric) ? chosen().metric : keys[0];
    const percent = (part) => `${Math.round(100 * part)} %`;
    const found = this.report.disagreements.filter((each) => each.metric === key);
    const pairs = found.some((each) => each.other !== null);
    const score = (value) => (value === null ? MISSING : value.toFixed(4));
    const references = (each) => (each.references.length ? element("details", {class: "inner"}, element("summary", {}, "references"), element("ul", {}, each.references.map((text) => element("li", {}, quoted(text))))) : null);
    const cells = pairs
      ? (each) => [element("td", {class: "number"}, score(each.score)), element("td", {class: "text"}, quoted(each.other)), element("td", {class: "number"}, score(each.other_score))]
      : (each) => [element("td", {class: "number"}, each.human.toFixed(2)), element("td", {class: "number"}, percent(each.human_place)), element("td", {class: "number"}, score(each.score)), element("td", {class: "number"}, percent(each.metric_place))];
    const heads = pairs ? ["image", "people chose", "its score", "the metric chose", "its score"] : ["image", "caption", "people", "place by people", "score", "place by the metric"];
    replace(this.worst, element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Worst disagreements"}, element("table", {class: "summary"}, element("thead", {}, element("tr", {}, heads.map((text) => element("th", {scope: "col"}, text)))),
      element("tbody", {}, found.map((each) => element("tr", {}, element("th", {scope: "row"}, quoted(String(each.image_id))), element("td", {class: "text"}, quoted(each.caption), references(each)), cells(each)))))));
  }

  start() {
    this.draw();
    if (this.report.disagreements.length) this.drawWorst();
  }

  redraw() {}
}
