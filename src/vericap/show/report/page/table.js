// A table of any length: only the rows in view are in the document. Sorted by its headings, moved in by the keyboard.

import {announce, button, element, replace} from "./dom.js";
import {parseFilter} from "./filter.js";
import {counted} from "./numbers.js";
import {chosen} from "./state.js";

const MARGIN = 8; // rows drawn above and below those in view

// Rows of captions in the order of a column; what is undefined comes last, equal ones keep their order.
export function sortRows(rows, column, descending) {
  const sign = descending ? -1 : 1;
  if (typeof column[rows[0]] === "number" || column instanceof Float64Array) {
    return rows.sort((a, b) => {
      const [x, y] = [column[a], column[b]];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a - b;
      return sign * (x - y) || a - b;
    });
  }
  const words = new Intl.Collator("en", {numeric: true});
  return rows.sort((a, b) => sign * words.compare(String(column[a]), String(column[b])) || a - b);
}

export class WindowedTable {
  // `columns`: [{name, title, label, draw(row), numeric, width}]; `opened(row)` when a row is pressed.
  constructor({label, columns, opened, sorted, rowHeight}) {
    Object.assign(this, {label, columns, opened, sorted, rowHeight, rows: [], first: -1, last: -1, focused: 0});
    this.above = element("tr", {"aria-hidden": true, class: "space"}, element("td", {colspan: columns.length}));
    this.below = element("tr", {"aria-hidden": true, class: "space"}, element("td", {colspan: columns.length}));
    this.body = element("tbody");
    this.head = element("tr", {"aria-rowindex": 1}, columns.map((column) => this.heading(column)));
    this.table = element("table", {role: "grid", "aria-label": label, class: "windowed"}, element("thead", {}, this.head), this.body);
    this.node = element("div", {class: "window", tabindex: 0, role: "group", "aria-label": `${label}, scrollable`}, this.table);
    this.node.addEventListener("scroll", () => this.draw(), {passive: true});
    this.body.addEventListener("click", (event) => this.press(event));
    this.body.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.node);
    addEventListener("beforeprint", () => this.draw(true));
    addEventListener("afterprint", () => this.draw());
  }

  heading(column) {
    const sign = element("span", {class: "arrow", "aria-hidden": true});
    const control = button([column.title, sign], () => this.sorted(column.name), {title: column.label || column.title});
    return element("th", {scope: "col", "data-name": column.name, class: column.numeric ? "number" : column.class, "aria-sort": "none"}, control);
  }

  // Shows rows in their order, and by which column they are sorted.
  show(rows, sortedBy, descending, opened) {
    Object.assign(this, {rows, openedRow: opened, first: -1});
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    for (const cell of this.head.children) {
      const mine = cell.dataset.name === sortedBy;
      cell.setAttribute("aria-sort", mine ? (descending ? "descending" : "ascending") : "none");
      cell.querySelector(".arrow").textContent = mine ? (descending ? " ▼" : " ▲") : "";
    }
    this.focused = Math.max(0, Math.min(this.focused, rows.length - 1));
    this.draw();
  }

  // The row that is open is marked; `reveal` scrolls to it.
  mark(row, reveal) {
    this.openedRow = row;
    const place = this.rows.indexOf(row);
    if (place >= 0) {
      this.focused = place;
      if (reveal) this.reveal(place);
    }
    this.first = -1;
    this.draw();
  }

  reveal(place) {
    const top = place * this.rowHeight;
    const room = this.node.clientHeight - this.head.offsetHeight - this.rowHeight;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top > this.node.scrollTop + room) this.node.scrollTop = top - room;
  }

  draw(printed = false) {
    const seen = Math.ceil((this.node.clientHeight || 600) / this.rowHeight);
    const from = printed ? 0 : Math.max(0, Math.floor(this.node.scrollTop / this.rowHeight) - MARGIN);
    const to = Math.min(this.rows.length, printed ? 60 : from + seen + 2 * MARGIN);
    if (!printed && from === this.first && to === this.last) return;
    [this.first, this.last] = printed ? [-1, -1] : [from, to];
    const held = this.body.contains(document.activeElement);
    this.above.firstChild.style.height = `${printed ? 0 : from * this.rowHeight}px`;
    this.below.firstChild.style.height = `${printed ? 0 : (this.rows.length - to) * this.rowHeight}px`;
    const drawn = [];
    for (let place = from; place < to; place += 1) drawn.push(this.row(place));
    const none = this.rows.length ? null : element("tr", {}, element("td", {colspan: this.columns.length, class: "none"}, "No caption matches. Clear the search or the filter."));
    replace(this.body, from > 0 && !printed ? this.above : null, drawn, none, to < this.rows.length && !printed ? this.below : null);
    if (held) this.body.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
  }

  row(place) {
    const row = this.rows[place];
    const open = row === this.openedRow;
    return element("tr", {"aria-rowindex": place + 2, "aria-selected": open ? "true" : "false", tabindex: place === this.focused ? 0 : -1, "data-place": place, class: open ? "open" : null, style: {height: `${this.rowHeight}px`}},
      this.columns.map((column) => element("td", {class: column.numeric ? "number" : column.class}, column.draw(row))));
  }

  press(event) {
    const line = event.target.closest("tr[data-place]");
    if (!line || event.target.closest("a, button") || String(getSelection())) return;
    this.focused = Number(line.dataset.place);
    this.opened(this.rows[this.focused]);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.rowHeight) - 2);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length};
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.opened(this.rows[this.focused]);
    } else if (event.key in steps) {
      event.preventDefault();
      this.focused = Math.max(0, Math.min(this.rows.length - 1, this.focused + steps[event.key]));
      this.reveal(this.focused);
      this.first = -1;
      this.draw();
      this.body.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
    }
  }
}

// Says how many rows are shown, on the page and to a screen reader.
export function sayCount(place, shown, all, what) {
  const text = shown === all ? `${counted(all)} ${what}` : `${counted(shown)} of ${counted(all)} ${what}`;
  if (place.textContent !== text) {
    place.textContent = text;
    announce(text);
  }
}

// The rows of captions that pass the filter and hold every word searched for; `wrong` shows what a filter lacks.
export function passingRows(captions, wrong) {
  let kept = () => true;
  try {
    kept = parseFilter(chosen().filter || "", captions);
    wrong.hidden = true;
  } catch (error) {
    wrong.textContent = error.message;
    wrong.hidden = false;
  }
  const words = (chosen().search || "").toLowerCase().split(/\s+/u).filter(Boolean);
  const passing = [];
  for (let row = 0; row < captions.count; row += 1) {
    if (words.every((word) => captions.searched(row).includes(word)) && kept(row)) passing.push(row);
  }
  return passing;
}
