// The page of `vericap explain`: a few captions, each with all that its scores are made of.

import {Captions} from "./data.js";
import {captionDetail, quoted} from "./detail.js";
import {element, section} from "./dom.js";
import {spellRange} from "./numbers.js";

export class ExplainPage {
  constructor(report) {
    this.report = report;
    this.captions = new Captions(report.captions, report.metrics, report.scale);
  }

  nodes() {
    const {report, captions} = this;
    const rows = captions.text.map((_, row) => row);
    return [
      section("contents", "Captions explained", null, element("ol", {}, rows.map((row) => element("li", {}, element("a", {href: `#caption-${row + 1}`}, quoted(captions.text[row])), ` (image ${captions.id(row)})`)))),
      rows.map((row) => element("article", {id: `caption-${row + 1}`, class: "card detail"}, captionDetail({captions, row, explained: report.explanations[row], scale: report.scale}))),
      section("metrics", "Metrics", "What each number is, with the signature that makes it reproducible.", element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Metrics"}, element("table", {class: "summary"},
        element("thead", {}, element("tr", {}, ["metric", "question", "range", "better is", "signature"].map((text) => element("th", {scope: "col"}, text)))),
        element("tbody", {}, report.metrics.map((metric) => element("tr", {}, element("th", {scope: "row"}, metric.key), element("td", {}, metric.question),
          element("td", {}, spellRange(metric.range)), element("td", {}, metric.higher_is_better ? "higher" : "lower"), element("td", {class: "signature"}, element("code", {tabindex: 0}, metric.signature)))))))),
    ];
  }

  start() {
    document.querySelectorAll("article details.explanation").forEach((each) => { each.open = true; });
    if (/^#caption-\d+$/u.test(location.hash)) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  redraw() {}
}
