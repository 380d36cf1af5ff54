// Plots: intervals, distributions, scatter, differences, shares and lines. All but the scatter are SVG.

import {drawing, element, shape} from "./dom.js";
import {bounds, counted, spellShown, spellTick, ticks} from "./numbers.js";

// A score on its scale, with its interval as a bar.
export function intervalBar(score, interval, low, high, label) {
  const place = (value) => 4 + (292 * (Math.min(Math.max(value, low), high) - low)) / (high - low || 1);
  const marks = [shape("line", {x1: 4, x2: 296, y1: 12, y2: 12, class: "track"})];
  if (interval) {
    marks.push(shape("line", {x1: place(interval[0]), x2: place(interval[1]), y1: 12, y2: 12, class: "whisker"}));
    for (const end of interval) marks.push(shape("line", {x1: place(end), x2: place(end), y1: 7, y2: 17, class: "whisker thin"}));
  }
  if (score !== null) marks.push(shape("circle", {cx: place(score), cy: 12, r: 5, class: "dot"}));
  return drawing(300, 24, label, ...marks);
}

function binned(column, low, high, bins) {
  const counts = new Array(bins).fill(0);
  for (const value of column) {
    if (Number.isNaN(value)) continue;
    counts[Math.min(bins - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * bins)))] += 1;
  }
  return counts;
}

// The distribution of a column, with the part that is selected in a second colour; `picked(low, high)` on a press.
export function histogram(key, column, {selected, picked, mean, scale = 1, bins = 24} = {}) {
  const [low, high] = bounds(column);
  const all = binned(column, low, high, bins);
  const some = selected ? binned(Float64Array.from(selected, (row) => column[row]), low, high, bins) : null;
  const top = Math.max(...all, 1);
  const width = 288 / bins;
  const bars = all.map((count, bin) => {
    const [from, to] = [low + ((high - low) * bin) / bins, low + ((high - low) * (bin + 1)) / bins];
    const tall = (count / top) * 84;
    const part = some ? (some[bin] / top) * 84 : 0;
    return shape("g", {onclick: picked && (() => picked(from, to))},
      shape("title", {}, `${spellShown(from, scale)} to ${spellShown(to, scale)}: ${counted(count)} captions`),
      shape("rect", {x: 6 + bin * width, y: 6, width: width - 1, height: 84, class: "hit"}),
      shape("rect", {x: 6 + bin * width, y: 90 - tall, width: width - 1, height: tall, class: some ? "bar faded" : "bar"}),
      some ? shape("rect", {x: 6 + bin * width, y: 90 - part, width: width - 1, height: part, class: "bar chosen"}) : null);
  });
  const place = (value) => 6 + (288 * (value - low)) / (high - low || 1);
  const middle = mean === null || mean === undefined || mean < low || mean > high ? null
    : shape("line", {x1: place(mean), x2: place(mean), y1: 2, y2: 92, class: "mean"});
  return drawing(300, 112, `Distribution of ${key}: from ${spellShown(low, scale)} to ${spellShown(high, scale)}`, bars, middle,
    shape("line", {x1: 6, x2: 294, y1: 90.5, y2: 90.5, class: "axis"}),
    shape("text", {x: 6, y: 106, class: "tick"}, spellShown(low, scale)),
    shape("text", {x: 294, y: 106, class: "tick end"}, spellShown(high, scale)));
}

// Metric × metric. A dot per caption on a canvas; a rectangle drawn with the mouse selects, a press opens a caption.
export class Scatter {
  constructor(captions, scale, opened, selected) {
    Object.assign(this, {captions, scale, opened, selected, rectangle: null, kept: null});
    this.canvas = element("canvas", {width: 1200, height: 760, role: "img", class: "scatter"});
    this.tip = element("div", {class: "tip", hidden: true});
    this.node = element("div", {class: "plot"}, this.canvas, this.tip);
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.lift(event));
    this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
  }

  show(x, y, kept, opened) {
    Object.assign(this, {x, y, kept, row: opened});
    this.across = this.captions.column(x);
    this.up = this.captions.column(y);
    this.horizontal = bounds(this.across);
    this.vertical = bounds(this.up);
    this.canvas.setAttribute("aria-label", `Scatter plot of ${y} against ${x}, ${counted(kept ? kept.length : this.captions.count)} captions. The table below has the same data.`);
    this.draw();
  }

  placeX(value) {
    const [low, high] = this.horizontal;
    return 90 + (1080 * (value - low)) / (high - low || 1);
  }

  placeY(value) {
    const [low, high] = this.vertical;
    return 690 - (660 * (value - low)) / (high - low || 1);
  }

  draw() {
    if (!this.across) return;
    const pen = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    pen.clearRect(0, 0, 1200, 760);
    this.axes(pen, colour("--ink-soft"), colour("--line"));
    const selected = this.kept && this.kept.length < this.captions.count ? new Set(this.kept) : null;
    const small = this.captions.count > 5000;
    const dots = (rows, fill, alpha) => {
      pen.fillStyle = fill;
      pen.globalAlpha = alpha;
      for (const row of rows) {
        const [x, y] = [this.placeX(this.across[row]), this.placeY(this.up[row])];
        if (Number.isNaN(x + y)) continue;
        if (small) pen.fillRect(x - 2, y - 2, 4, 4);
        else {
          pen.beginPath();
          pen.arc(x, y, 7, 0, 7);
          pen.fill();
        }
      }
      pen.globalAlpha = 1;
    };
    const every = Array.from({length: this.captions.count}, (_, row) => row);
    dots(every, colour(selected ? "--faded" : "--accent"), selected ? 0.5 : small ? 0.35 : 0.6);
    if (selected) dots(this.kept, colour("--second"), small ? 0.5 : 0.8);
    if (this.row !== undefined) {
      pen.strokeStyle = colour("--ink");
      pen.lineWidth = 4;
      pen.beginPath();
      pen.arc(this.placeX(this.across[this.row]), this.placeY(this.up[this.row]), 13, 0, 7);
      pen.stroke();
    }
    if (this.rectangle) {
      const [x1, y1, x2, y2] = this.rectangle;
      pen.strokeStyle = colour("--second");
      pen.lineWidth = 3;
      pen.strokeRect(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
    }
  }

  axes(pen, ink, line) {
    pen.font = "24px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.strokeStyle = line;
    pen.lineWidth = 1.5;
    pen.textAlign = "center";
    for (const at of ticks(...this.horizontal)) {
      pen.fillText(String(at), this.placeX(at), 722);
      pen.beginPath();
      pen.moveTo(this.placeX(at), 30);
      pen.lineTo(this.placeX(at), 690);
      pen.stroke();
    }
    pen.textAlign = "right";
    for (const at of ticks(...this.vertical)) {
      pen.fillText(String(at), 80, this.placeY(at) + 8);
      pen.beginPath();
      pen.moveTo(90, this.placeY(at));
      pen.lineTo(1170, this.placeY(at));
      pen.stroke();
    }
    pen.fillText(this.x, 1170, 752);
    pen.textAlign = "left";
    pen.fillText(this.y, 8, 22);
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [((event.clientX - box.left) * 1200) / box.width, ((event.clientY - box.top) * 760) / box.height];
  }

  nearest(x, y) {
    let best;
    let least = 30 ** 2;
    for (let row = 0; row < this.captions.count; row += 1) {
      const distance = (this.placeX(this.across[row]) - x) ** 2 + (this.placeY(this.up[row]) - y) ** 2;
      if (distance < least) [best, least] = [row, distance];
    }
    return best;
  }

  press(event) {
    const [x, y] = this.at(event);
    this.rectangle = [x, y, x, y];
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    const [x, y] = this.at(event);
    if (this.rectangle) {
      this.rectangle = [this.rectangle[0], this.rectangle[1], x, y];
      this.draw();
      return;
    }
    const row = this.nearest(x, y);
    this.tip.hidden = row === undefined;
    if (row !== undefined) {
      this.tip.textContent = `${this.captions.text[row].slice(0, 120)} · ${this.x} ${spellShown(this.across[row], this.scale)} · ${this.y} ${spellShown(this.up[row], this.scale)}`;
      this.tip.style.left = `${Math.min(70, (100 * x) / 1200)}%`;
      this.tip.style.top = `${(100 * y) / 760 + 3}%`;
    }
  }

  lift(event) {
    const [x, y] = this.at(event);
    const [x1, y1] = this.rectangle || [x, y];
    this.rectangle = null;
    if (Math.abs(x - x1) + Math.abs(y - y1) < 12) {
      const row = this.nearest(x, y);
      if (row !== undefined) this.opened(row);
      this.draw();
      return;
    }
    const value = ([low, high], part) => low + (high - low) * part;
    const horizontal = [x1, x].map((each) => value(this.horizontal, (each - 90) / 1080)).sort((a, b) => a - b);
    const vertical = [y1, y].map((each) => value(this.vertical, (690 - each) / 660)).sort((a, b) => a - b);
    this.selected([[this.x, ...horizontal], [this.y, ...vertical]]);
  }
}

// Differences with their intervals, one row each: [{label, difference, interval, note, sign}]. The line of 0 is drawn.
export function forest(title, rows, scale = 1) {
  const ends = rows.flatMap((row) => [row.difference, ...(row.interval || [])]).filter((value) => value !== null);
  const span = Math.max(...ends, 0) - Math.min(...ends, 0) || 1;
  const [low, high] = [Math.min(...ends, 0) - 0.06 * span, Math.max(...ends, 0) + 0.06 * span];
  const place = (value) => 220 + (500 * (value - low)) / (high - low);
  const height = 40 + rows.length * 30;
  const marks = ticks(low, high, 6).map((at) => shape("g", {},
    shape("line", {x1: place(at), x2: place(at), y1: 6, y2: height - 28, class: at === 0 ? "zero" : "grid"}),
    shape("text", {x: place(at), y: height - 10, class: "tick middle"}, spellTick(at * scale, true))));
  const drawn = rows.map((row, number) => {
    const y = 20 + number * 30;
    const kind = row.sign > 0 ? "better" : row.sign < 0 ? "worse" : "unclear";
    return shape("g", {class: `contrast ${kind}`},
      shape("text", {x: 206, y: y + 5, class: "label end"}, shorten(row.label, 30)),
      row.interval ? shape("line", {x1: place(row.interval[0]), x2: place(row.interval[1]), y1: y, y2: y, class: "whisker"}) : null,
      row.difference === null ? null : shape(kind === "unclear" ? "circle" : "rect", kind === "unclear"
        ? {cx: place(row.difference), cy: y, r: 6, class: "dot open"}
        : {x: place(row.difference) - 6, y: y - 6, width: 12, height: 12, class: "dot"}),
      shape("text", {x: 730, y: y + 5, class: "label"}, row.note));
  });
  return drawing(960, height, title, marks, drawn);
}

// How many images each of two wins: a bar in three parts.
export function shares(label, wins, ties, losses, names) {
  const all = wins + ties + losses || 1;
  const parts = [[wins, "win"], [ties, "tie"], [losses, "lose"]];
  let from = 0;
  const bars = parts.map(([count, kind]) => {
    const wide = (600 * count) / all;
    const bar = shape("g", {}, shape("rect", {x: from, y: 0, width: wide, height: 26, class: `share ${kind}`}),
      wide > 34 ? shape("text", {x: from + wide / 2, y: 18, class: "tick middle on"}, String(count)) : null);
    from += wide;
    return bar;
  });
  return drawing(600, 26, `${label}: ${names[0]} wins ${wins}, ${ties} tied, ${names[1]} wins ${losses}`, bars);
}

const COLOURS = 8;

// Lines over points with bands: {values: {key: [..]}, spread}.
export function lines(title, points, values, spread = {}, across = "", up = "") {
  const every = Object.entries(values).flatMap(([key, column]) => column.flatMap((value, k) => (value === null ? [] : [value - (spread[key]?.[k] || 0), value + (spread[key]?.[k] || 0)])));
  const [low, high] = bounds(every);
  const [first, last] = [points[0], points[points.length - 1]];
  const x = (point) => 60 + (640 * (point - first)) / (last - first || 1);
  const y = (value) => 300 - (270 * (value - low)) / (high - low || 1);
  const grid = ticks(low, high).map((at) => shape("g", {}, shape("line", {x1: 60, x2: 700, y1: y(at), y2: y(at), class: "grid"}),
    shape("text", {x: 52, y: y(at) + 4, class: "tick end"}, spellTick(at))));
  const bottom = ticks(first, last, 8).map((at) => shape("text", {x: x(at), y: 320, class: "tick middle"}, String(at)));
  const drawn = Object.entries(values).map(([key, column], number) => {
    const there = column.map((value, k) => [k, value]).filter(([, value]) => value !== null);
    const path = there.map(([k, value], n) => `${n ? "L" : "M"}${x(points[k]).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    return shape("g", {class: `series s${number % COLOURS}`},
      shape("path", {d: path, class: "curve"}), there.map(([k, value]) => shape("circle", {cx: x(points[k]), cy: y(value), r: 3, class: "point"})),
      there.length ? shape("text", {x: 708, y: y(there[there.length - 1][1]) + 4, class: "label"}, key) : null);
  });
  return drawing(820, 350, title, grid, bottom, drawn, shape("text", {x: 380, y: 344, class: "tick middle"}, across), shape("text", {x: 4, y: 16, class: "tick"}, up));
}

// Text that fits; the whole of it is elsewhere on the page.
export function shorten(text, most) {
  const letters = Array.from(String(text));
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : String(text);
}
