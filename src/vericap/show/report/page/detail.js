// All that is known about one caption: the picture, the references, its scores, and why it has them.

import {button, element, shape} from "./dom.js";
import {explanationCard} from "./explanations.js";
import {percentiles, spellShown} from "./numbers.js";

// A picture with its boxes; a link to nowhere becomes a sentence.
export function picture(source, id, objects, size) {
  if (!source) return null;
  const boxed = objects.filter((each) => each.box);
  const image = element("img", {src: source, alt: `Picture of image ${id}${objects.length ? `: ${objects.map((each) => each.label).join(", ")}` : ""}`, loading: "lazy"});
  const frame = element("div", {class: "picture large"}, image);
  image.addEventListener("error", () => frame.replaceChildren(element("p", {class: "none"}, `The picture ${source.startsWith("data:") ? "inside the page" : source} cannot be shown.`)));
  if (boxed.length) {
    image.addEventListener("load", () => {
      const [wide, tall] = size || [image.naturalWidth, image.naturalHeight];
      frame.append(shape("svg", {viewBox: `0 0 ${wide} ${tall}`, class: "boxes", "aria-hidden": true, preserveAspectRatio: "none"}, boxed.map(({label, box, confidence, hue}) => shape("g", {class: hue === undefined ? "plain" : `s${hue}`},
        shape("rect", {x: box[0], y: box[1], width: box[2], height: box[3], class: "object-box"}),
        shape("text", {x: box[0] + 3, y: box[1] + Math.max(12, tall / 30), "font-size": Math.max(12, tall / 30), class: "object-name"}, confidence === undefined ? label : `${label} ${confidence.toFixed(2)}`)))));
    });
  }
  return frame;
}

// Text in any direction stays on its own line, in its own direction.
export function quoted(text, properties = {}) {
  return element("bdi", properties, text === "" ? "(an empty caption)" : text);
}

// A caption whose words for objects have the colours of their boxes; marks are [first, behind the last, colour].
function marked(text, marks) {
  if (!marks || !marks.length) return quoted(text);
  const parts = [];
  let at = 0;
  for (const [first, last, hue] of marks) {
    parts.push(text.slice(at, first), element("mark", {class: `s${hue}`}, text.slice(first, last)));
    at = last;
  }
  return element("bdi", {}, parts, text.slice(at));
}

// Each metric's score of a caption, with where it stands among all.
function scoreList(captions, row, scale) {
  captions.ranks = captions.ranks || {};
  return element("dl", {class: "scores"}, captions.metrics.map((metric) => {
    const score = captions.scores[metric.key][row];
    captions.ranks[metric.key] = captions.ranks[metric.key] || percentiles(captions.scores[metric.key]);
    const rank = captions.ranks[metric.key][row];
    const better = metric.higher_is_better ? rank : 1 - rank;
    return element("div", {}, element("dt", {}, metric.key), element("dd", {"data-score": metric.key}, spellShown(score, scale)),
      Number.isNaN(better) || captions.count < 2 ? null : element("dd", {class: "rank"}, element("span", {class: "meter", "aria-hidden": true}, element("span", {style: {width: `${Math.round(100 * better)}%`}})), `better than ${Math.round(100 * better)} %`));
  }));
}

// The panel of a caption. `explained` are its explanations or nothing; `shut` closes the panel.
export function captionDetail({captions, row, explained, scale, command, shut, title}) {
  const id = captions.id(row);
  const objects = captions.objects(row);
  const references = captions.references(row);
  const counts = new Map();
  for (const each of objects) counts.set(each.label, (counts.get(each.label) || 0) + 1);
  const facts = new Map(captions.metrics.map((metric) => [metric.key, metric]));
  return [
    element("header", {}, element("p", {class: "eyebrow"}, title || "Caption", " of image ", element("code", {}, quoted(String(id)))),
      shut ? button("×", shut, {class: "close", "aria-label": "Close this caption", title: "Close (Escape)"}) : null,
      element("h3", {class: "caption-text"}, marked(captions.text[row], captions.mentions[row]))),
    picture(captions.pictures[captions.image[row]], id, objects, captions.sizes[captions.image[row]]),
    references.length ? element("div", {}, element("h4", {}, `${references.length === 1 ? "Reference" : "References"}`), element("ol", {class: "references"}, references.map((text) => element("li", {}, quoted(text))))) : null,
    objects.length ? element("div", {}, element("h4", {}, "Objects in the picture"), element("p", {class: "chips"}, [...counts].map(([label, count]) => [element("span", {class: "chip"}, quoted(label), count > 1 ? ` × ${count}` : ""), " "]))) : null,
    Object.keys(captions.fields).length ? element("dl", {class: "values"}, Object.entries(captions.fields).map(([name, column]) => element("div", {}, element("dt", {}, name), element("dd", {}, quoted(String(column[row])))))) : null,
    element("h4", {}, "Scores"), scoreList(captions, row, scale),
    element("h4", {}, "Why"),
    explained && explained.length ? explained.map((each, place) => explanationCard(each, facts.get(each.metric), explained.length < 4 || place === 0))
      : element("p", {class: "none"}, "The explanation of this caption is not inside the page. ", command ? ["Add ", element("code", {}, "--explain all"), " when you write the page, or run ", element("code", {}, `${command} --id ${id}`)] : null),
  ];
}
