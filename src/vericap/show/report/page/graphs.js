// Scene graphs of a caption and of its references, from tuples such as "girl", "girl – young", "girl – on – court".

import {element, shape} from "./dom.js";
import {shorten} from "./charts.js";

function words(text) {
  return text.split(" – ");
}

// Objects with their attributes and relations; each knows whether it is matched.
function gather(parts, matched) {
  const objects = new Map();
  const relations = [];
  const object = (name) => {
    if (!objects.has(name)) objects.set(name, {name, hit: false, attributes: []});
    return objects.get(name);
  };
  for (const part of parts) {
    const [first, second, third] = words(part.text);
    const hit = matched(part);
    if (third !== undefined) relations.push({from: object(first), to: object(third), name: second, hit});
    else if (second !== undefined) object(first).attributes.push({name: second, hit});
    else object(first).hit = hit;
  }
  return {objects: [...objects.values()], relations};
}

// Objects one below the other, attributes to their left, relations as arcs to their right.
function draw(title, {objects, relations}) {
  const step = 34;
  const place = new Map(objects.map((each, number) => [each, 22 + number * step]));
  const height = Math.max(objects.length * step, relations.length * 14) + 14;
  const box = (text, x, y, width, kind, hit) => shape("g", {class: `node ${kind}${hit ? " hit" : ""}`},
    shape("rect", {x, y: y - 12, width, height: 24, rx: 12}), shape("text", {x: x + width / 2, y: y + 5, class: "middle"}, shorten(text, Math.floor(width / 7.6))));
  const nodes = objects.flatMap((each) => {
    const y = place.get(each);
    let x = 196;
    const attributes = each.attributes.map((attribute) => {
      const width = Math.min(96, 8 * attribute.name.length + 18);
      x -= width + 6;
      return [shape("line", {x1: x + width, x2: 200, y1: y, y2: y, class: `edge${attribute.hit ? " hit" : ""}`}), box(attribute.name, x, y, width, "attribute", attribute.hit)];
    });
    return [attributes, box(each.name, 200, y, 130, "object", each.hit)];
  });
  const used = [];
  // The nearest height at which no other name is.
  const free = (wanted) => {
    for (let step = 0; ; step += 1) {
      const found = [wanted - 7 * step, wanted + 7 * step].find((y) => y > 8 && used.every((other) => Math.abs(other - y) >= 14));
      if (found !== undefined || step > 200) {
        used.push(found ?? wanted);
        return found ?? wanted;
      }
    }
  };
  const arcs = relations.map((relation, number) => {
    const [y1, y2] = [place.get(relation.from), place.get(relation.to)];
    const bend = 352 + 18 * (number % 5) + Math.min(80, Math.abs(y2 - y1) * 0.25);
    const middle = free((y1 + y2) / 2);
    return shape("g", {class: `edge${relation.hit ? " hit" : ""}`},
      shape("path", {d: `M330 ${y1} C${bend} ${y1} ${bend} ${y2} 336 ${y2}`, class: `edge${relation.hit ? " hit" : ""}`}),
      shape("path", {d: `M336 ${y2} l8 -4 l0 8 z`, class: `arrowhead${relation.hit ? " hit" : ""}`}),
      shape("text", {x: 348 + 0.72 * (bend - 336), y: middle + 4, class: `relation${relation.hit ? " hit" : ""}`}, shorten(relation.name, 16)));
  });
  const lowest = Math.min(200, ...objects.map((each) => 196 - each.attributes.reduce((sum, attribute) => sum + Math.min(96, 8 * attribute.name.length + 18) + 6, 0)));
  const svg = shape("svg", {viewBox: `${lowest - 4} 0 ${560 - lowest} ${height}`, role: "img", "aria-label": title, class: "drawing"}, arcs, nodes);
  svg.style.maxWidth = `${560 - lowest}px`;
  return svg;
}

// SPICE: the graph of the caption with what references confirm, and the graph of what they say besides.
export function sceneGraphs(says, besides) {
  const confirmed = says.filter((part) => part.true === "yes");
  const theirs = [...confirmed.map((part) => ({text: part.matches ?? part.text, shared: true})), ...besides];
  const said = says.map((part) => `${part.text}${part.true === "yes" ? " (matched)" : ""}`).join("; ");
  const list = (name, parts, hit) => element("details", {class: "inner"}, element("summary", {}, `${name}, as a list`), element("ul", {class: "tuples"}, parts.map((part) => element("li", {class: hit(part) ? "hit" : null}, part.text, part.matches && part.matches !== part.text ? ` = ${part.matches}` : "", hit(part) ? " ✓" : ""))));
  return element("div", {class: "graphs"},
    element("figure", {}, element("figcaption", {}, `The caption: ${confirmed.length} of ${says.length} tuples matched`),
      says.length ? draw(`Scene graph of the caption: ${said}`, gather(says, (part) => part.true === "yes")) : element("p", {class: "none"}, "no tuples"), list("Tuples of the caption", says, (part) => part.true === "yes")),
    element("figure", {}, element("figcaption", {}, `The references: ${besides.length} more tuples that the caption does not say`),
      theirs.length ? draw("Scene graph of all references", gather(theirs, (part) => part.shared === true)) : element("p", {class: "none"}, "no tuples"), list("Tuples of the references", theirs, (part) => part.shared === true)));
}
