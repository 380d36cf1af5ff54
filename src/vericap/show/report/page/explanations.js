// Why a caption has its score: each part of an explanation drawn as what it is, by the shape of its data.

import {drawing, element, shape} from "./dom.js";
import {sceneGraphs} from "./graphs.js";
import {spellValue} from "./numbers.js";
import {shorten} from "./charts.js";

// Sections of a combination are named "spice: …": the same drawing, under the same name.
function plainName(name) {
  return name.replace(/^[\w.-]+(\([^)]*\))?: /u, "");
}

// One metric's explanation of one caption.
export function explanationCard(explanation, metric, open) {
  const parts = [...drawnSections(explanation), ...Object.entries(explanation.matrices).map(([name, matrix]) => heatMap(name, matrix))];
  const values = Object.entries(explanation.values);
  return element("details", {class: "explanation", open, "data-metric": explanation.metric},
    element("summary", {}, element("span", {class: "key"}, explanation.metric), element("span", {class: "value"}, spellValue(explanation.score)),
      metric ? element("span", {class: "question"}, metric.question) : null),
    values.length ? element("dl", {class: "values"}, values.map(([name, value]) => element("div", {class: String(spellValue(value)).length > 14 ? "long" : null}, element("dt", {}, name), element("dd", {}, spellValue(value))))) : null,
    parts);
}

function drawnSections(explanation) {
  const sections = Object.entries(explanation.sections);
  const byName = Object.fromEntries(sections.map(([name, parts]) => [plainName(name), parts]));
  const found = [];
  const done = new Set();
  const take = (...names) => names.forEach((name) => done.add(name));
  if ("the caption says" in byName) {
    found.push(sceneGraphs(byName["the caption says"], byName["the references say besides"] || []));
    take("the caption says", "the references say besides");
  }
  if ("matches" in byName && explanation.drawing.length >= 4) {
    found.push(alignment(explanation.drawing), partTable("matches", byName.matches));
    take("matches", "not matched", "not matched in the reference");
  }
  if ("edits" in byName) {
    found.push(editScript(byName.edits, byName.shifts || []));
    take("edits", "shifts");
  }
  if ("in the picture" in byName) {
    found.push(mentions(byName));
    take("in the picture", "hallucinated", "not mentioned");
  }
  for (const [full, parts] of sections) {
    const name = plainName(full);
    if (done.has(name)) continue;
    if (name.startsWith("links")) found.push(links(parts));
    else if (/what each adds/u.test(name)) found.push(bars(full, parts, "adds", "idf"));
    else if (/^\d-grams$/u.test(name)) found.push(matchedGrams(full, parts));
    else if (name === "words" && parts.length && "bits" in parts[0]) found.push(surprise(parts));
    else found.push(partTable(full, parts));
  }
  return found;
}

function figure(title, ...children) {
  return element("figure", {}, element("figcaption", {}, title), ...children);
}

// Any list of parts as a table.
function partTable(name, parts) {
  if (!parts.length) return figure(name, element("p", {class: "none"}, "none"));
  const columns = [...new Set(parts.flatMap((part) => Object.keys(part).filter((each) => each !== "text")))];
  return figure(name, element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": name}, element("table", {class: "small"},
    element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "part"), columns.map((each) => element("th", {scope: "col"}, each)))),
    element("tbody", {}, parts.map((part) => element("tr", {}, element("th", {scope: "row"}, part.text), columns.map((each) => element("td", {}, each in part ? spellValue(part[each]) : ""))))))));
}

// Words of a fixed-width line, and where each starts.
function cells(line) {
  const letters = Array.from(line);
  const found = [];
  let word = "";
  letters.forEach((letter, at) => {
    if (letter !== " ") word += letter;
    if (word && (letter === " " || at === letters.length - 1)) {
      found.push({text: word, at: at + (letter === " " ? 0 : 1) - Array.from(word).length});
      word = "";
    }
  });
  return found;
}

// METEOR's alignment: the caption above, the reference below, a line for each match.
function alignment([top, topMarks, bottomMarks, bottom]) {
  const row = (words, marks) => {
    const numbers = new Map(cells(marks).map((each) => [each.at, each.text]));
    let x = 8;
    return cells(words).slice(1).map(({text, at}) => {
      const width = 9 * Array.from(text).length + 14;
      const placed = {text, mark: numbers.get(at), x, width};
      x += width + 6;
      return placed;
    });
  };
  const [above, below] = [row(top, topMarks), row(bottom, bottomMarks)];
  const width = Math.max(...[...above, ...below].map((word) => word.x + word.width), 100) + 8;
  const lines = above.filter((word) => word.mark).flatMap((word) => below.filter((other) => other.mark === word.mark).map((other) =>
    shape("line", {x1: word.x + word.width / 2, x2: other.x + other.width / 2, y1: 36, y2: 98, class: `link ${matcher(word.mark)}`})));
  const boxes = [[above, 8], [below, 98]].flatMap(([words, y]) => words.map((word) => shape("g", {class: word.mark ? `word ${matcher(word.mark)}` : "word left"},
    shape("rect", {x: word.x, y, width: word.width, height: 28, rx: 5}), shape("text", {x: word.x + word.width / 2, y: y + 19, class: "middle"}, word.text))));
  const svg = drawing(width, 134, "Words of the caption, above, aligned with words of its best reference, below", lines, boxes);
  svg.style.minWidth = `${width * 0.8}px`;
  svg.style.maxWidth = `${width * 1.15}px`;
  return figure("Caption (above) aligned with its best reference (below)", element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Alignment"}, svg),
    legend([["exact", "the same word"], ["stem", "the same stem"], ["synonym", "a synonym"], ["paraphrase", "a paraphrase"], ["left", "not matched"]]));
}

function matcher(mark) {
  return {"'": "stem", "~": "synonym", "*": "paraphrase"}[mark[mark.length - 1]] || "exact";
}

function legend(entries) {
  return element("ul", {class: "legend"}, entries.map(([kind, text]) => element("li", {}, element("span", {class: `swatch ${kind}`, "aria-hidden": true}), text)));
}

// TER's edit script: what is moved, then each word as it is kept, replaced, left out or put in.
function editScript(edits, shifts) {
  const chip = (part) => {
    const [ours, theirs] = part.text.split(" → ");
    if (part.edit === "substitute") return element("span", {class: "chip substitute"}, element("del", {}, ours), " ", element("ins", {}, theirs ?? ""));
    if (part.edit === "delete") return element("span", {class: "chip delete"}, element("del", {}, part.text));
    if (part.edit === "insert") return element("span", {class: "chip insert"}, element("ins", {}, part.text));
    return element("span", {class: "chip match"}, part.text);
  };
  const moved = shifts.map((shift) => element("li", {}, `“${shift.text}” moves from word ${shift["from word"]} by ${shift.by}`));
  return figure("Edits that turn the caption into its nearest reference", moved.length ? element("ul", {class: "moves"}, moved) : null,
    element("p", {class: "chips"}, edits.map((part) => [chip(part), " "])),
    legend([["match", "kept"], ["substitute", "replaced"], ["delete", "left out"], ["insert", "put in"]]));
}

// Words and objects in two columns, with lines between them; thicker is more, the first of a pair is on the left.
function bipartite(title, left, right, joined) {
  const height = 26 * Math.max(left.length, right.length, 1) + 8;
  const y = (place, many) => 17 + place * 26 + (13 * (Math.max(left.length, right.length) - many)) ;
  const lines = joined.map((link) => shape("line", {x1: 176, x2: 344, y1: y(link.from, left.length), y2: y(link.to, right.length), class: `link ${link.kind || ""}`, style: {strokeWidth: `${link.width}px`}},
    shape("title", {}, link.title)));
  const words = (list, x, side) => list.map((each, place) => shape("g", {class: `word ${each.kind || ""}`},
    shape("rect", {x: side === "left" ? x - 168 : x, y: y(place, list.length) - 11, width: 168, height: 22, rx: 5}),
    shape("text", {x: side === "left" ? x - 84 : x + 84, y: y(place, list.length) + 5, class: "middle"}, shorten(each.text, 20))));
  const svg = drawing(520, height, title, lines, words(left, 176, "left"), words(right, 344, "right"));
  svg.style.maxWidth = "640px";
  return svg;
}

// What moves where, for WMD and VIFIDEL: near pairs are dark, far ones are dashed.
function links(parts) {
  const pairs = parts.map((part) => ({...part, ends: part.text.split(" → ")}));
  const left = [...new Set(pairs.map((pair) => pair.ends[0]))];
  const right = [...new Set(pairs.map((pair) => pair.ends[1] ?? ""))];
  const most = Math.max(...pairs.map((pair) => pair.mass), 1e-9);
  const far = Math.max(...pairs.map((pair) => pair.distance), 1e-9);
  const joined = pairs.map((pair) => ({from: left.indexOf(pair.ends[0]), to: right.indexOf(pair.ends[1] ?? ""), width: 1 + (6 * pair.mass) / most,
    kind: pair.distance > 0.66 * far ? "far" : pair.distance > 0.33 * far ? "between" : "near",
    title: `${pair.text}: mass ${spellValue(pair.mass)} at distance ${spellValue(pair.distance)}`}));
  return figure("What each word is linked with: the wider, the more of it; dashed where it is far", bipartite("Words linked with what they are nearest to", left.map((text) => ({text})), right.map((text) => ({text})), joined),
    element("details", {class: "inner"}, element("summary", {}, "As a table"), partTable("links, the dearest first", parts)));
}

// CHAIR: what the caption mentions, linked with the object in the picture; what is not there stays alone.
function mentions(byName) {
  const there = byName["in the picture"];
  const made = byName.hallucinated || [];
  const unsaid = byName["not mentioned"] || [];
  const left = [...there.map((part) => ({text: part.text})), ...made.map((part) => ({text: part.text, kind: "wrong"}))];
  const objects = [...new Set(there.map((part) => part.object))];
  const right = [...objects.map((text) => ({text})), ...unsaid.map((part) => ({text: part.text, kind: "left"}))];
  const joined = there.map((part, place) => ({from: place, to: objects.indexOf(part.object), width: 2, kind: "near", title: `${part.text}: ${part.object}`}));
  return figure("Objects that the caption mentions (left) and that are in the picture (right)",
    left.length + right.length ? bipartite("Mentions linked with objects", left, right, joined) : element("p", {class: "none"}, "The caption mentions no object."),
    legend([["exact", "in the picture"], ["wrong", "hallucinated"], ["left", "not mentioned"]]));
}

// n-grams with what each adds to the score; beside it, how rare it is.
function bars(name, parts, size, beside) {
  const most = Math.max(...parts.map((part) => part[size]), 1e-9);
  const shown = parts.filter((part, place) => part[size] > 0 || place < 4);
  const rest = parts.length - shown.length;
  const drawn = shown.map((part, place) => shape("g", {},
    shape("text", {x: 190, y: 16 + place * 22, class: "label end"}, shorten(part.text, 26)),
    shape("rect", {x: 198, y: 4 + place * 22, width: Math.max(1, (220 * part[size]) / most), height: 15, rx: 2, class: part[size] > 0 ? "bar" : "bar faded"}),
    shape("text", {x: 206 + (220 * part[size]) / most, y: 16 + place * 22, class: "tick"}, `${spellValue(part[size])}  (${beside} ${part[beside].toFixed(2)})`)));
  const svg = drawing(600, shown.length * 22 + 6, `${name}: ${shown.map((part) => `${part.text} ${spellValue(part[size])}`).join(", ")}`, drawn);
  svg.style.maxWidth = "640px";
  return figure(name, svg, rest > 0 ? element("p", {class: "none"}, `and ${rest} that add nothing`) : null);
}

function matchedGrams(name, parts) {
  return figure(name, element("p", {class: "chips"}, parts.map((part) => [element("span", {class: part.matched >= part.count ? "chip hit" : part.matched > 0 ? "chip substitute" : "chip miss"},
    part.text, part.count > 1 || (part.matched > 0 && part.matched < part.count) ? element("sup", {}, `${part.matched}/${part.count}`) : null), " "])),
  legend([["hit", "in a reference"], ["miss", "in none"]]));
}

// How surprising each word is, in bits: the taller, the less likely after the words before it.
function surprise(parts) {
  const bits = parts.map((part) => Number(part.bits));
  const most = Math.max(...bits, 1);
  let x = 4;
  const drawn = parts.map((part, place) => {
    const width = Math.max(9 * Array.from(part.text).length, 26) + 8;
    const tall = (70 * bits[place]) / most;
    const strong = bits[place] > 8;
    const one = shape("g", {}, shape("title", {}, `${part.text}: probability ${part.probability}, ${part.bits} bits`),
      shape("rect", {x, y: 92 - tall, width: width - 4, height: tall, rx: 2, class: strong ? "bar chosen" : "bar faded"}),
      shape("text", {x: x + width / 2 - 2, y: 110, class: "label middle"}, part.text), shape("text", {x: x + width / 2 - 2, y: 86 - tall, class: "tick middle"}, part.bits));
    x += width;
    return one;
  });
  const svg = drawing(x + 4, 118, `Surprise in bits: ${parts.map((part) => `${part.text} ${part.bits}`).join(", ")}`, drawn);
  svg.style.minWidth = `${x * 0.8}px`;
  svg.style.maxWidth = `${x * 1.15}px`;
  return figure("Surprise of each word, in bits", element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": "Surprise of each word"}, svg));
}

// A matrix on one scale for all maps of a kind: 0 is the colour of the page, warm is positive, cool is negative.
function heatMap(name, matrix) {
  const reach = matrix.reach || 1;
  const cell = (value) => {
    const strength = Math.min(1, Math.abs(value) / reach);
    return element("td", {class: value < 0 ? "cool" : "warm", style: {background: `color-mix(in srgb, var(--${value < 0 ? "cool" : "warm"}) ${Math.round(100 * strength)}%, var(--surface))`}}, value.toFixed(2).replace("-", "−"));
  };
  return figure(`${name} (colours from −${reach.toFixed(1)} to ${reach.toFixed(1)}, the same in all maps of this metric)`,
    matrix.values.length ? element("div", {class: "wide", tabindex: 0, role: "group", "aria-label": name}, element("table", {class: "heat"},
      element("thead", {}, element("tr", {}, element("td"), matrix.columns.map((each) => element("th", {scope: "col"}, each)))),
      element("tbody", {}, matrix.rows.map((row, place) => element("tr", {}, element("th", {scope: "row"}, row), matrix.values[place].map(cell)))))) : element("p", {class: "none"}, "none"));
}
