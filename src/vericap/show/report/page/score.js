// The page of `vericap score`: one captioner, in the order of the three questions.

import {Scatter, histogram, intervalBar} from "./charts.js";
import {Captions} from "./data.js";
import {captionDetail, quoted} from "./detail.js";
import {button, chooser, element, replace, section} from "./dom.js";
import {exportButtons} from "./exports.js";
import {counted, spell, spellRange, spellShown} from "./numbers.js";
import {choose, chosen, watch} from "./state.js";
import {WindowedTable, passingRows, sayCount, sortRows} from "./table.js";

export const QUESTIONS = {
  fidelity: "Fidelity: is what it says in the picture?",
  adequacy: "Adequacy: does it say what people would say?",
  fluency: "Fluency: is it well said?",
};

// "bleu-4 ↑"
export function headed(metric) {
  return `${metric.key} ${metric.higher_is_better ? "↑" : "↓"}`;
}

// The ends of a metric's scale; where it has none, those of its scores.
function scaleOf(metric, column, scale) {
  let [low, high] = metric.range;
  if (low === null || high === null) {
    for (const value of column) {
      if (low === null || value / scale < low) low = value / scale;
      if (high === null || value / scale > high) high = value / scale;
    }
  }
  return [low ?? 0, high ?? 1];
}

function half(interval, scale) {
  return interval ? `± ${spell((interval[1] - interval[0]) / 2, scale)}` : "";
}

// Scores by question, each with its interval, its distribution and its signature.
function scoreTable(report, captions) {
  const {scale} = report;
  const asked = Object.keys(QUESTIONS).filter((question) => report.metrics.some((metric) => metric.question === question));
  const rows = (question) => report.metrics.filter((metric) => metric.question === question).map((metric) => {
    const [low, high] = scaleOf(metric, captions.scores[metric.key], scale);
    const ends = metric.interval ? ` (95 % interval ${spell(metric.interval[0], scale)} to ${spell(metric.interval[1], scale)})` : "";
    return element("tr", {}, element("th", {scope: "row"}, headed(metric)),
      element("td", {class: "number score", "data-metric": metric.key}, spell(metric.score, scale)), element("td", {class: "number"}, half(metric.interval, scale)),
      element("td", {class: "bar-cell"}, intervalBar(metric.score, metric.interval, low, high, `${metric.key} ${spell(metric.score, scale)}${ends} on a scale from ${spell(low, scale)} to ${spell(high, scale)}`)),
      element("td", {class: "number soft"}, spellRange(metric.range, scale)),
      element("td", {class: "signature"}, element("code", {tabindex: 0}, metric.signature)));
  });
  const head = element("tr", {}, ["metric", "score", "95 %", "on its scale", "scale", "signature"].map((text, place) => element("th", {scope: "col", class: place && place < 3 ? "number" : null}, text)));
  return element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Scores"}, element("table", {class: "summary", id: "summary"},
    element("caption", {class: "away"}, "Scores of all captions by metric"), element("thead", {}, head),
    asked.map((question) => element("tbody", {}, element("tr", {class: "question-row"}, element("th", {colspan: 6, scope: "rowgroup"}, QUESTIONS[question])), rows(question)))));
}

function groupTable(report) {
  if (!report.groups.length) return null;
  return section("groups", "Groups", `Scores of the captions of each ${report.group_by || "group"}.`, element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Scores of groups"}, element("table", {class: "summary"},
    element("thead", {}, element("tr", {}, ["group", "captions", ...report.metrics.map(headed)].map((text) => element("th", {scope: "col"}, text)))),
    element("tbody", {}, report.groups.map((group) => element("tr", {}, element("th", {scope: "row"}, quoted(group.label)), element("td", {class: "number"}, counted(group.captions)),
      report.metrics.map((metric) => element("td", {class: "number"}, spell(group.scores[metric.key], report.scale), " ", half(group.intervals?.[metric.key], report.scale)))))))));
}

const MANY = 5000;

export class ScorePage {
  constructor(report) {
    this.report = report;
    this.captions = new Captions(report.captions, report.metrics, report.scale);
    this.filtered = Array.from({length: this.captions.count}, (_, row) => row);
    this.scatter = new Scatter(this.captions, report.scale, (row) => this.open(row), (ranges) => this.select(ranges));
    this.panel = element("aside", {id: "detail", "aria-label": "One caption", tabindex: -1, hidden: true});
    this.count = element("p", {class: "count", role: "status"});
    this.wrong = element("p", {class: "wrong", role: "alert", hidden: true});
    this.histograms = element("div", {class: "small-multiples"});
    this.axes = element("div", {class: "controls"});
    this.looked = element("div", {class: "columns"});
    this.table = this.makeTable();
    watch((changed) => this.update(changed));
    addEventListener("keydown", (event) => event.key === "Escape" && chosen().caption && this.close());
  }

  keys() {
    return this.report.metrics.map((metric) => metric.key);
  }

  makeTable() {
    const {captions, report} = this;
    const tall = report.metrics.length ? 46 : 40;
    const references = (row) => (chosen().references ? element("ul", {class: "inline-references"}, captions.references(row).map((text) => element("li", {}, quoted(text)))) : null);
    const columns = [
      {name: "image", title: "image", class: "id", draw: (row) => quoted(String(captions.id(row)))},
      {name: "caption", title: "caption", class: "text", draw: (row) => [quoted(captions.text[row].slice(0, 400), {class: "clamped"}), references(row)]},
      ...Object.keys(captions.fields).map((name) => ({name, title: name, class: "field", draw: (row) => quoted(String(captions.fields[name][row]))})),
      {name: "length", title: "words", numeric: true, label: "Words of the caption", draw: (row) => String(captions.length[row])},
      ...report.metrics.map((metric) => ({name: metric.key, title: headed(metric), label: `Sort by ${metric.key}`, numeric: true, draw: (row) => spellShown(captions.scores[metric.key][row], report.scale)})),
      ...(report.metrics.length > 1 ? [{name: "disagreement", title: "disagreement", label: "How far the metrics are apart: standard deviation of the caption's places", numeric: true, draw: (row) => spell(captions.disagreement()[row])}] : []),
    ];
    return new WindowedTable({label: "Captions", columns, rowHeight: tall, opened: (row) => this.open(row), sorted: (name) => this.sort(name)});
  }

  nodes() {
    const {report, captions} = this;
    const [x, y] = this.chosenAxes();
    this.drawAxes(x, y);
    return [
      section("scores", "Scores", null, scoreTable(report, captions), exportButtons("the scores", "scores", () => ({
        head: ["metric", "score", "low", "high", "signature"],
        rows: report.metrics.map((metric) => [metric.key, metric.score ?? "", metric.interval?.[0] ?? "", metric.interval?.[1] ?? "", metric.signature]),
      }))),
      groupTable(report),
      section("look", "Where to look first", "Press a caption to see why it has its scores.", this.looked),
      section("plots", "How the scores are spread", "Press a bar, or draw a rectangle in the scatter plot, to select captions: every plot and the table follow.",
        this.histograms, report.metrics.length > 1 ? [this.axes, this.scatter.node] : null),
      section("captions", "Captions", null, this.controls(), this.wrong, element("div", {class: "split"}, element("div", {class: "list"}, this.count, this.table.node), this.panel),
        exportButtons("the captions shown", "captions", () => this.exported())),
    ];
  }

  exported() {
    const {captions, report} = this;
    const fields = Object.keys(captions.fields);
    return {head: ["image_id", "caption", ...fields, ...this.keys()],
      rows: this.filtered.map((row) => [captions.id(row), captions.text[row], ...fields.map((name) => captions.fields[name][row]), ...report.metrics.map((metric) => {
        const score = captions.scores[metric.key][row];
        return Number.isNaN(score) ? "" : Number((score / report.scale).toPrecision(6));
      })])};
  }

  controls() {
    const typed = (name) => {
      let waiting;
      return (event) => {
        clearTimeout(waiting);
        waiting = setTimeout(() => choose({[name]: event.target.value}), 150);
      };
    };
    this.search = element("input", {type: "search", id: "search", placeholder: "dog, frisbee …", oninput: typed("search"), value: chosen().search || ""});
    this.filter = element("input", {type: "text", id: "filter", spellcheck: "false", autocomplete: "off", placeholder: `${this.keys()[0] || "length"} < 0.2 and length > 8`, oninput: typed("filter"), value: chosen().filter || ""});
    const references = element("input", {type: "checkbox", id: "unfold", onchange: (event) => choose({references: event.target.checked ? "1" : ""})});
    references.checked = Boolean(chosen().references);
    return element("div", {class: "controls"},
      element("label", {class: "grow"}, element("span", {}, "Search text"), this.search),
      element("label", {class: "grow"}, element("span", {}, "Filter"), this.filter),
      this.captions.referencesOfImage.length ? element("label", {class: "check"}, references, element("span", {}, "Show references")) : null,
      button("Clear", () => this.clear(), {class: "quiet", id: "clear"}));
  }

  clear() {
    this.search.value = "";
    this.filter.value = "";
    choose({search: "", filter: ""});
  }

  chosenAxes() {
    const keys = this.keys();
    const x = keys.includes(chosen().x) ? chosen().x : keys[0];
    const y = keys.includes(chosen().y) ? chosen().y : keys.find((key) => key !== x && key.split("-")[0] !== (x || "").split("-")[0]) || keys[1] || keys[0];
    return [x, y];
  }

  drawAxes(x, y) {
    const options = this.keys().map((key) => [key, key]);
    replace(this.axes, chooser("Across", options, x, (value) => choose({x: value})), chooser("Up", options, y, (value) => choose({y: value})));
  }

  sortedBy() {
    const wanted = chosen().sort || "";
    const name = wanted.replace(/^-/u, "");
    return this.captions.column(name) === undefined ? ["", false] : [name, wanted.startsWith("-")];
  }

  sort(name) {
    const [now, descending] = this.sortedBy();
    choose({sort: now === name ? (descending ? "" : `-${name}`) : name});
  }

  // Scores within ranges: they are put into the filter, where the reader can see and change them.
  select(ranges) {
    const digits = (value) => Number(value.toPrecision(4));
    const text = ranges.map(([name, low, high]) => `${name} >= ${digits(low)} and ${name} <= ${digits(high)}`).join(" and ");
    this.filter.value = text;
    choose({filter: text});
  }

  start() {
    this.update(new Set(["filter", "sort", "caption", "x", "references"]));
    // Of many captions the table comes first, and what all of them are ranked for afterwards.
    if (this.captions.count > MANY) setTimeout(() => this.look(), 50);
    else this.look();
  }

  update(changed) {
    if (["filter", "search", "sort", "references"].some((name) => changed.has(name))) {
      if (changed.has("filter") || changed.has("search")) {
        if (document.activeElement !== this.filter) this.filter.value = chosen().filter || "";
        if (document.activeElement !== this.search) this.search.value = chosen().search || "";
        this.refilter();
      }
      this.list();
    }
    if (["filter", "search", "x", "y"].some((name) => changed.has(name))) this.plot();
    if (changed.has("caption")) this.detail();
  }

  refilter() {
    this.filtered = passingRows(this.captions, this.wrong);
  }

  list() {
    const [name, descending] = this.sortedBy();
    if (name) sortRows(this.filtered, this.captions.column(name), descending);
    else this.filtered.sort((a, b) => a - b);
    const most = chosen().references ? Math.min(8, Math.max(0, ...this.captions.referencesOfImage.slice(0, 200).map((each) => each.length))) : 0;
    this.table.rowHeight = 46 + most * 21;
    this.table.show(this.filtered, name, descending, this.openRow());
    sayCount(this.count, this.filtered.length, this.captions.count, this.captions.count === 1 ? "caption" : "captions");
  }

  plot() {
    const {captions, report} = this;
    const [x, y] = this.chosenAxes();
    const some = this.filtered.length < captions.count ? this.filtered : null;
    replace(this.histograms, report.metrics.map((metric) => element("figure", {}, element("figcaption", {}, headed(metric)),
      histogram(metric.key, captions.scores[metric.key], {selected: some, mean: metric.score * report.scale, scale: report.scale, picked: (low, high) => this.select([[metric.key, low, high]])}))));
    if (report.metrics.length > 1) this.scatter.show(x, y, some, this.openRow());
  }

  openRow() {
    return chosen().caption === undefined ? undefined : this.captions.rowOf(chosen().caption);
  }

  open(row) {
    choose({caption: this.captions.names[row]}, true);
    this.panel.focus({preventScroll: true});
    if (matchMedia("(max-width: 70rem)").matches) this.panel.scrollIntoView();
    else if (this.panel.getBoundingClientRect().top > innerHeight * 0.6 || this.panel.getBoundingClientRect().bottom < 80) document.getElementById("captions").scrollIntoView();
  }

  close() {
    choose({caption: ""}, true);
    this.table.body.querySelector('[tabindex="0"]')?.focus();
  }

  detail() {
    const row = this.openRow();
    this.panel.hidden = row === undefined;
    document.body.classList.toggle("with-detail", row !== undefined);
    if (row !== undefined) {
      replace(this.panel, captionDetail({captions: this.captions, row, explained: this.report.explanations[row], scale: this.report.scale, command: this.report.command, shut: () => this.close()}));
      this.panel.scrollTop = 0;
    }
    this.table.mark(row, true);
    if (this.report.metrics.length > 1 && this.scatter.across) {
      this.scatter.row = row;
      this.scatter.draw();
    }
  }

  // The captions that a metric scores lowest, and those on which the metrics are furthest apart.
  look() {
    const {captions, report} = this;
    const every = Array.from({length: captions.count}, (_, row) => row);
    const item = (row, text) => element("li", {}, button([quoted(captions.text[row].slice(0, 200)), element("span", {class: "value"}, text)], () => this.open(row), {class: "caption-link"}));
    const worst = element("div");
    const show = (key) => {
      const metric = report.metrics.find((each) => each.key === key);
      const rows = sortRows([...every], captions.scores[key], !metric.higher_is_better).slice(0, 5);
      replace(worst, element("ol", {class: "captions-list"}, rows.map((row) => item(row, spellShown(captions.scores[key][row], report.scale)))));
    };
    const first = this.keys().includes("cider-d") ? "cider-d" : this.keys()[0];
    if (first === undefined) return;
    show(first);
    const apart = report.metrics.length > 1 ? sortRows([...every], captions.disagreement(), true).slice(0, 5) : [];
    replace(this.looked,
      element("div", {class: "card"}, element("h3", {}, "Worst captions"), chooser("by", this.keys().map((key) => [key, key]), first, show), worst),
      apart.length ? element("div", {class: "card"}, element("h3", {}, "Where metrics disagree most"), element("ol", {class: "captions-list"}, apart.map((row) => item(row, this.extremes(row))))) : null);
  }

  // "high cider-d, low spice"
  extremes(row) {
    const {captions, report} = this;
    this.places = this.places || report.metrics.map((metric) => {
      const column = captions.scores[metric.key];
      const order = sortRows(Array.from({length: captions.count}, (_, each) => each), column, !metric.higher_is_better);
      const places = new Float64Array(captions.count);
      order.forEach((each, place) => { places[each] = place; });
      return places;
    });
    const found = report.metrics.map((metric, number) => [this.places[number][row], metric.key]).sort((a, b) => a[0] - b[0]);
    return `low ${found[0][1]}, high ${found[found.length - 1][1]}`;
  }

  redraw() {
    this.scatter.draw();
  }
}
