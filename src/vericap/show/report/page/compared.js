// The page of `vericap compare`: which captioner is better, by how much, how sure, where, and on which captions.

import {forest, intervalBar, shares} from "./charts.js";
import {Captions} from "./data.js";
import {captionDetail, quoted} from "./detail.js";
import {button, chooser, element, replace, section} from "./dom.js";
import {exportButtons} from "./exports.js";
import {counted, spell, spellSigned} from "./numbers.js";
import {QUESTIONS, headed} from "./score.js";
import {choose, chosen, watch} from "./state.js";
import {WindowedTable, passingRows, sayCount, sortRows} from "./table.js";

// How much better a captioner is: + is better, whatever the direction of the metric.
function betterBy(metric, difference) {
  return difference === null ? null : metric.higher_is_better ? difference : -difference;
}

function flipped(metric, interval) {
  if (!interval) return null;
  return metric.higher_is_better ? interval : [-interval[1], -interval[0]];
}

function signOf(pair, metric) {
  if (pair.corrected === null || pair.corrected > 0.05) return 0;
  return Math.sign(betterBy(metric, pair.difference));
}

// The images of two captioners as rows: their captions, and by how much the first is better on each metric.
class Differences {
  constructor(report, system, against) {
    this.systems = [system, against].map((name) => report.captions[report.systems.indexOf(name)]);
    this.captions = this.systems.map((given) => new Captions(given, report.metrics, report.scale));
    this.metrics = report.metrics;
    const [mine, theirs] = this.captions;
    this.imageIds = mine.imageIds;
    this.count = this.imageIds.length;
    this.rows = this.captions.map((each) => {
      const first = new Array(this.count);
      each.image.forEach((image, row) => { if (first[image] === undefined) first[image] = row; });
      return first;
    });
    this.columns = Object.fromEntries(report.metrics.map((metric) => [metric.key, Float64Array.from({length: this.count}, (_, image) =>
      (metric.higher_is_better ? 1 : -1) * (mine.scores[metric.key][this.rows[0][image]] - theirs.scores[metric.key][this.rows[1][image]]))]));
    this.columns.overall = this.overall();
    this.length = Float64Array.from({length: this.count}, (_, image) => mine.length[this.rows[0][image]]);
  }

  // The mean over the metrics of the difference, each in its standard deviations.
  overall() {
    const spreads = this.metrics.map((metric) => {
      const column = Array.from(this.columns[metric.key]).filter((value) => !Number.isNaN(value));
      const mean = column.reduce((sum, value) => sum + value, 0) / (column.length || 1);
      return Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (column.length || 1));
    });
    return Float64Array.from({length: this.count}, (_, image) => this.metrics.reduce((sum, metric, number) => {
      const value = this.columns[metric.key][image];
      return sum + (spreads[number] > 0 && !Number.isNaN(value) ? value / spreads[number] / this.metrics.length : 0);
    }, 0));
  }

  columnNames() {
    return ["image", "caption", "references", "length", ...Object.keys(this.columns), ...Object.keys(this.captions[0].fields)];
  }

  column(name) {
    if (name in this.columns) return this.columns[name];
    if (name === "image") return this.imageIds;
    if (name === "length") return this.length;
    if (name === "caption") return this.captions[0].text;
    const field = this.captions[0].fields[name];
    return field === undefined ? undefined : this.rows[0].map((row) => field[row]);
  }

  references(image) {
    return this.captions[0].references(this.rows[0][image]);
  }

  searched(image) {
    return this.captions.map((each, place) => each.searched(this.rows[place][image])).join("\n");
  }
}

export class ComparePage {
  constructor(report) {
    this.report = report;
    this.pairs = report.metrics.length ? report.metrics[0].pairs.map((pair) => [pair.system, pair.against]) : [];
    this.panel = element("aside", {id: "detail", "aria-label": "One image", tabindex: -1, hidden: true});
    this.count = element("p", {class: "count", role: "status"});
    this.wrong = element("p", {class: "wrong", role: "alert", hidden: true});
    this.plots = element("div");
    this.slices = element("div");
    this.place = element("div", {class: "list"});
    this.proofs = element("div", {class: "columns"});
    watch((changed) => this.update(changed));
    addEventListener("keydown", (event) => event.key === "Escape" && chosen().caption && choose({caption: ""}, true));
  }

  pair() {
    const wanted = Number(chosen().pair || 0);
    return this.pairs[wanted] || this.pairs[0];
  }

  nodes() {
    const {report} = this;
    const options = this.pairs.map(([system, against], place) => [String(place), `${system} against ${against}`]);
    return [
      section("answer", "The answer", null, element("div", {class: "card answer"}, report.sentences.map((text, place) => element("p", {class: place ? null : "headline"}, quoted(text))),
        report.unsupported.length ? [element("h3", {}, "What the data do not show"), element("ul", {class: "unsupported"}, report.unsupported.map((text) => element("li", {}, quoted(text))))] : null)),
      section("scores", "Scores", "± is half the 95 % interval.", this.scoreTable(), exportButtons("the scores", "scores", () => this.scoreGrid())),
      this.pairs.length > 1 ? element("div", {class: "controls sticky"}, chooser("Compare", options, chosen().pair || "0", (value) => choose({pair: value, caption: ""}))) : null,
      section("differences", "Differences", report.legend, this.plots, exportButtons("the differences", "differences", () => this.contrastGrid())),
      section("proofs", "Captions that show it", "The images on which the two differ most. Press one to see why.", this.proofs),
      report.slices.length ? section("where", "Where one is better", "The mean difference of caption scores in parts of the images, with its 95 % interval. Parts are looked at one by one, without correction: take them as hints.", this.slices) : null,
      section("captions", "All images", null, this.controls(), this.wrong, element("div", {class: "split"}, this.place, this.panel), exportButtons("the images shown", "images", () => this.exported())),
    ];
  }

  scoreTable() {
    const {report} = this;
    const asked = Object.keys(QUESTIONS).filter((question) => report.metrics.some((metric) => metric.question === question));
    return element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Scores"}, element("table", {class: "summary", id: "summary"}, element("caption", {class: "away"}, "Scores of each captioner by metric"),
      element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "metric"), report.systems.map((name, place) => element("th", {scope: "col"}, element("sup", {}, report.metrics[0]?.systems[place].letter), " ", quoted(name))))),
      asked.map((question) => element("tbody", {}, element("tr", {class: "question-row"}, element("th", {colspan: report.systems.length + 1, scope: "rowgroup"}, QUESTIONS[question])),
        report.metrics.filter((metric) => metric.question === question).map((metric) => {
          const scores = metric.systems.map((system) => system.score);
          const ends = metric.systems.flatMap((system) => [system.score, ...(system.interval || [])]).filter((value) => value !== null);
          const best = metric.higher_is_better ? Math.max(...scores) : Math.min(...scores);
          const [low, high] = [Math.min(...ends), Math.max(...ends)];
          return element("tr", {}, element("th", {scope: "row"}, headed(metric)), metric.systems.map((system, place) => element("td", {class: system.score === best ? "best" : null},
            element("span", {class: "number score", "data-metric": metric.key, "data-system": report.systems[place]}, spell(system.score, report.scale)), system.interval ? element("span", {class: "soft"}, ` ± ${spell((system.interval[1] - system.interval[0]) / 2, report.scale)}`) : null,
            system.marks ? element("sup", {title: "beats these captioners"}, system.marks) : null,
            intervalBar(system.score, system.interval, low, high, `${report.systems[place]}, ${metric.key} ${spell(system.score, report.scale)}`))));
        })))));
  }

  scoreGrid() {
    const {report} = this;
    return {head: ["system", ...report.metrics.map((metric) => metric.key)], rows: report.systems.map((name, place) => [name, ...report.metrics.map((metric) => metric.systems[place].score ?? "")])};
  }

  contrastGrid() {
    const rows = this.report.metrics.flatMap((metric) => metric.pairs.map((pair) => [metric.key, pair.system, pair.against, pair.difference ?? "", pair.interval?.[0] ?? "", pair.interval?.[1] ?? "", pair.corrected ?? "", pair.effect ?? "", pair.wins, pair.ties, pair.losses]));
    return {head: ["metric", "system", "against", "difference", "low", "high", "p (Holm)", "effect", "won", "tied", "lost"], rows};
  }

  start() {
    this.drawPair();
    this.list();
    this.detail();
  }

  update(changed) {
    if (changed.has("pair")) this.drawPair();
    if (["pair", "filter", "search", "sort"].some((name) => changed.has(name))) this.list();
    if (changed.has("caption") || changed.has("pair")) this.detail();
  }

  drawPair() {
    const {report} = this;
    const [system, against] = this.pair();
    this.data = new Differences(report, system, against);
    const found = report.metrics.map((metric) => [metric, metric.pairs.find((pair) => pair.system === system && pair.against === against)]);
    const effects = found.map(([metric, pair]) => ({label: metric.key, difference: pair.scaled === undefined ? null : betterBy(metric, pair.scaled), interval: flipped(metric, pair.scaled_interval), sign: signOf(pair, metric),
      note: `${spellSigned(pair.difference, report.scale)}${pair.interval ? ` [${spellSigned(pair.interval[0], report.scale)}, ${spellSigned(pair.interval[1], report.scale)}]` : ""}  p ${pair.p}`}));
    const names = [system, against];
    replace(this.plots, element("figure", {}, element("figcaption", {}, element("b", {}, quoted(system)), " against ", element("b", {}, quoted(against)), ": right of the line the first is better. Differences are in standard deviations of the caption scores of a metric; filled squares are significant, open circles are not."),
      forest(`Differences between ${system} and ${against}`, effects)),
    element("figure", {}, element("figcaption", {}, "Images won by ", element("span", {class: "swatch win"}), quoted(` ${system}`), ", ", element("span", {class: "swatch tie"}), " tied, and won by ", element("span", {class: "swatch lose"}), quoted(` ${against}`)),
      element("dl", {class: "shares"}, found.map(([metric, pair]) => element("div", {}, element("dt", {}, metric.key), element("dd", {}, shares(metric.key, pair.wins, pair.ties, pair.losses, names)))))));
    this.drawSlices(system, against);
    this.table = this.makeTable();
    replace(this.place, this.count, this.table.node);
    this.drawProofs(system, against);
  }

  drawProofs(system, against) {
    const {data} = this;
    const order = Array.from({length: data.count}, (_, image) => image);
    const item = (image) => element("li", {}, button([element("span", {class: "versus"}, data.captions.map((each, place) => element("span", {}, element("b", {}, quoted(place ? against : system)), " ", quoted(each.text[data.rows[place][image]].slice(0, 200))))),
      element("span", {class: "value"}, `${spellSigned(data.columns.overall[image]).slice(0, -2)} sd`)], () => this.open(image), {class: "caption-link"}));
    const best = sortRows([...order], data.columns.overall, true).filter((image) => data.columns.overall[image] > 0).slice(0, 4);
    const worst = sortRows([...order], data.columns.overall, false).filter((image) => data.columns.overall[image] < 0).slice(0, 4);
    const card = (title, images) => element("div", {class: "card"}, element("h3", {}, title), images.length ? element("ol", {class: "captions-list"}, images.map(item)) : element("p", {class: "none"}, "none"));
    replace(this.proofs, card([quoted(system), " is better"], best), card([quoted(against), " is better"], worst));
  }

  drawSlices(system, against) {
    const {report} = this;
    const mine = report.slices.filter((slice) => slice.system === system && slice.against === against);
    if (!mine.length) {
      replace(this.slices, element("p", {class: "none"}, "There are too few images to look at parts of them."));
      return;
    }
    const keys = [...new Set(mine.map((slice) => slice.metric))];
    const metric = keys.includes(chosen().slice) ? chosen().slice : keys.includes("cider-d") ? "cider-d" : keys[0];
    const facts = report.metrics.find((each) => each.key === metric);
    const kinds = [...new Set(mine.map((slice) => slice.kind))];
    replace(this.slices, chooser("by", keys.map((key) => [key, key]), metric, (value) => { choose({slice: value}); this.drawSlices(system, against); }),
      kinds.map((kind) => element("figure", {}, element("figcaption", {}, kind), forest(`${system} against ${against} by ${kind}`, mine.filter((slice) => slice.kind === kind && slice.metric === metric).map((slice) => {
        const interval = flipped(facts, slice.interval);
        return {label: `${slice.label} (${counted(slice.images)})`, difference: betterBy(facts, slice.difference), interval, sign: interval && interval[0] > 0 ? 1 : interval && interval[1] < 0 ? -1 : 0, note: `${spellSigned(slice.difference, report.scale)}`};
      }), report.scale))));
  }

  makeTable() {
    const {data, report} = this;
    const [system, against] = this.pair();
    const columns = [
      {name: "image", title: "image", class: "id", draw: (image) => quoted(String(data.imageIds[image]))},
      {name: "caption", title: "captions", class: "text", draw: (image) => data.captions.map((each, place) => element("div", {class: "clamped one"}, element("b", {}, quoted(place ? against : system)), " ", quoted(each.text[data.rows[place][image]].slice(0, 300))))},
      {name: "overall", title: "overall", label: "Mean over the metrics, in standard deviations", numeric: true, draw: (image) => spellSigned(data.columns.overall[image]).slice(0, -2)},
      ...report.metrics.map((metric) => ({name: metric.key, title: metric.key, label: `By how much ${system} is better, ${metric.key}`, numeric: true, draw: (image) => spellSigned(data.columns[metric.key][image] / report.scale, report.scale)})),
    ];
    return new WindowedTable({label: `Images: how much better ${system} is than ${against}`, columns, rowHeight: 58, opened: (image) => this.open(image), sorted: (name) => this.sort(name)});
  }

  controls() {
    const typed = (name) => {
      let waiting;
      return (event) => {
        clearTimeout(waiting);
        waiting = setTimeout(() => choose({[name]: event.target.value}), 150);
      };
    };
    this.search = element("input", {type: "search", id: "search", oninput: typed("search"), value: chosen().search || "", placeholder: "dog, frisbee …"});
    this.filter = element("input", {type: "text", id: "filter", spellcheck: "false", oninput: typed("filter"), value: chosen().filter || "", placeholder: "overall < -1 and length > 8"});
    return element("div", {class: "controls"}, element("label", {class: "grow"}, element("span", {}, "Search text"), this.search), element("label", {class: "grow"}, element("span", {}, "Filter differences (+ is better)"), this.filter),
      button("Clear", () => { this.search.value = ""; this.filter.value = ""; choose({search: "", filter: ""}); }, {class: "quiet", id: "clear"}));
  }

  sortedBy() {
    const wanted = chosen().sort || "";
    const name = wanted.replace(/^-/u, "");
    return this.data.column(name) === undefined ? ["", false] : [name, wanted.startsWith("-")];
  }

  sort(name) {
    const [now, descending] = this.sortedBy();
    choose({sort: now === name ? (descending ? "" : `-${name}`) : name});
  }

  list() {
    const {data} = this;
    this.filtered = passingRows(data, this.wrong);
    const [name, descending] = this.sortedBy();
    if (name) sortRows(this.filtered, data.column(name), descending);
    this.table.show(this.filtered, name, descending, this.openImage());
    sayCount(this.count, this.filtered.length, data.count, "images");
  }

  exported() {
    const {data, report} = this;
    return {head: ["image_id", ...this.pair(), ...report.metrics.map((metric) => `${metric.key}, better by`)],
      rows: this.filtered.map((image) => [data.imageIds[image], ...data.captions.map((each, place) => each.text[data.rows[place][image]]), ...report.metrics.map((metric) => Number((data.columns[metric.key][image] / report.scale).toPrecision(6)))])};
  }

  openImage() {
    const wanted = chosen().caption;
    if (wanted === undefined) return undefined;
    const place = this.data.imageIds.findIndex((id) => String(id) === wanted);
    return place < 0 ? undefined : place;
  }

  open(image) {
    choose({caption: String(this.data.imageIds[image])}, true);
    this.panel.scrollIntoView({block: "nearest"});
    this.panel.focus({preventScroll: true});
  }

  detail() {
    const image = this.openImage();
    this.panel.hidden = image === undefined;
    document.body.classList.toggle("with-detail", image !== undefined);
    if (image !== undefined) {
      const {data, report} = this;
      const both = element("div", {class: "versus both"}, this.pair().map((name, place) => element("p", {}, element("b", {}, quoted(name)), " ", quoted(data.captions[place].text[data.rows[place][image]]))));
      replace(this.panel, both, data.captions.map((captions, place) => {
        const row = data.rows[place][image];
        const name = this.pair()[place];
        return element("article", {class: "one-of-two"}, captionDetail({captions, row, explained: report.explanations[report.systems.indexOf(name)]?.[row], scale: report.scale, title: name, command: report.command, shut: place ? null : () => choose({caption: ""}, true)}));
      }));
      this.panel.scrollTop = 0;
    }
    this.table.mark(image, true);
  }

  redraw() {}
}
