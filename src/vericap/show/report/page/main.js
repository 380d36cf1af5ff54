// Reads the report inside the page and draws it.

import {ComparePage} from "./compared.js";
import {readReport} from "./data.js";
import {element, replace} from "./dom.js";
import {ExplainPage} from "./explained.js";
import {JudgePage} from "./judged.js";
import {ScorePage} from "./score.js";
import {startState} from "./state.js";
import {themeSwitch} from "./theme.js";

const PAGES = {score: ScorePage, compare: ComparePage, explain: ExplainPage, judge: JudgePage};

function notes(report) {
  const lines = [...report.notes];
  return element("section", {id: "notes", "aria-labelledby": "notes-title"}, element("h2", {id: "notes-title"}, "Notes"),
    lines.length ? element("ul", {}, lines.map((text) => element("li", {}, element("bdi", {}, text)))) : null,
    element("p", {class: "soft"}, `Made by Vericap ${report.vericap}. Everything is inside this file: nothing is sent, nothing is fetched.`));
}

async function main() {
  startState();
  const place = document.getElementById("page");
  try {
    const report = await readReport();
    const page = new PAGES[report.kind](report);
    const nodes = page.nodes();
    replace(place, nodes, notes(report));
    page.start();
    const links = [...place.querySelectorAll("section[id] > h2")].map((heading) => element("a", {href: `#${heading.parentNode.id}`, onclick: (event) => {
      event.preventDefault();
      heading.parentNode.scrollIntoView();
      heading.setAttribute("tabindex", "-1");
      heading.focus({preventScroll: true});
    }}, heading.textContent));
    document.getElementById("contents-list").append(...links);
    document.getElementById("tools").append(themeSwitch(() => page.redraw()));
    performance.mark("drawn");
    document.body.dataset.ready = "yes";
  } catch (error) {
    place.prepend(element("p", {class: "wrong", role: "alert"}, `The page could not be drawn: ${error.message}. A newer browser may help (Chrome 80, Firefox 113, Safari 16.4 or later).`));
    throw error;
  }
}

main();
