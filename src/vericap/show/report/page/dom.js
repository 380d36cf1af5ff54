// Elements made from names and text. Text is only ever set as text, so that a caption cannot become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(node.style, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

// An HTML element: element("p", {class: "note", onclick: f}, "text", child).
export function element(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

// The same for SVG.
export function shape(name, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

// A drawing of a size in its own units, with a title for people who cannot see it.
export function drawing(width, height, title, ...children) {
  return shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, class: "drawing"}, ...children);
}

// A button.
export function button(text, pressed, properties = {}) {
  return element("button", {type: "button", onclick: pressed, ...properties}, text);
}

// A list to choose from; `options` are [value, text].
export function chooser(label, options, chosen, changed) {
  const list = element("select", {onchange: (event) => changed(event.target.value)},
    options.map(([value, text]) => element("option", {value, selected: value === chosen}, text)));
  return element("label", {class: "chooser"}, element("span", {}, label), list);
}

// Tells a screen reader what has changed.
export function announce(text) {
  const place = document.getElementById("status");
  if (place) place.textContent = text;
}

// Replaces what an element holds.
export function replace(node, ...children) {
  node.replaceChildren();
  return fill(node, {}, children);
}

// A section of the page with its heading; the contents list links to it.
export function section(id, title, lead, ...children) {
  return element("section", {id, "aria-labelledby": `${id}-title`},
    element("h2", {id: `${id}-title`}, title), lead ? element("p", {class: "lead"}, lead) : null, ...children);
}
