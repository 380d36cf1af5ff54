// Tables as CSV, LaTeX and Markdown, copied or saved.

import {announce, button, element} from "./dom.js";

function asCsv(head, rows) {
  const cell = (value) => (/[",\n\r]/u.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

function asMarkdown(head, rows) {
  const cell = (value) => String(value).replaceAll("|", "\\|").replaceAll("\n", " ");
  const line = (row) => `| ${row.map(cell).join(" | ")} |`;
  return [line(head), `| --- |${" ---: |".repeat(head.length - 1)}`, ...rows.map(line)].join("\n") + "\n";
}

const LATEX = {"±": "$\\pm$", "−": "$-$", "↑": "$\\uparrow$", "↓": "$\\downarrow$", "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--"};

function asLatex(head, rows) {
  const cell = (value) => Array.from(String(value).replaceAll("\n", " "), (letter) => ("&%$#_{}".includes(letter) ? `\\${letter}` : LATEX[letter] || letter)).join("");
  const line = (row) => `${row.map(cell).join(" & ")} \\\\`;
  return [`\\begin{tabular}{l${"r".repeat(head.length - 1)}}`, "\\toprule", line(head), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}"].join("\n") + "\n";
}

const FORMATS = {CSV: [asCsv, "csv"], LaTeX: [asLatex, "tex"], Markdown: [asMarkdown, "md"]};

function save(name, text) {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without leave to use the clipboard: the way of older browsers.
    const area = element("textarea", {class: "away"}, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce("Copied.");
}

// Buttons for a table: `table()` gives {head, rows} when one is pressed. A press copies; with Shift it saves a file.
export function exportButtons(what, name, table) {
  const made = Object.entries(FORMATS).map(([label, [format, ending]]) => {
    const control = button(label, (event) => {
      const {head, rows} = table();
      const text = format(head, rows);
      if (event.shiftKey) save(`${name}.${ending}`, text);
      else copy(text).then(() => flash(control, label));
    }, {class: "quiet", "aria-label": `Copy ${what} as ${label}`, title: `Copy as ${label}; with Shift: save as a file`, "data-format": label});
    return control;
  });
  const first = button("Save CSV", () => {
    const {head, rows} = table();
    save(`${name}.csv`, asCsv(head, rows));
  }, {class: "quiet", "aria-label": `Save CSV of ${what}`});
  return element("div", {class: "exports", role: "group", "aria-label": `Export ${what}`}, element("span", {"aria-hidden": true}, "Copy"), made, first);
}

function flash(control, label) {
  control.textContent = "Copied";
  setTimeout(() => { control.textContent = label; }, 1200);
}
