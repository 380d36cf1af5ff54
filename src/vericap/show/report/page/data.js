// The report inside the page: base64 of gzip of JSON, so that no text in it can end the script element.

import {percentiles} from "./numbers.js";

async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// The whole report.
export async function readReport() {
  return unpack(document.getElementById("report").textContent);
}

function numbers(column, scale) {
  return Float64Array.from(column, (value) => (value === null ? NaN : value * scale));
}

// Captions in columns: ids, text, the image of each, scores by metric as they are shown, further fields; references and objects by image.
export class Captions {
  constructor(given, metrics, scale = 1) {
    this.text = given.text;
    this.image = given.image;
    this.imageIds = given.image_ids;
    this.referencesOfImage = given.references;
    this.objectsOfImage = given.objects;
    this.mentions = given.mentions || [];
    this.pictures = given.pictures || [];
    this.sizes = given.sizes || [];
    this.fields = given.fields || {};
    this.metrics = metrics;
    this.scores = Object.fromEntries(metrics.map((metric) => [metric.key, numbers(given.scores[metric.key], scale)]));
    this.count = this.text.length;
    this.length = Float64Array.from(this.text, (text) => (text.trim() ? text.trim().split(/\s+/u).length : 0));
    this.names = this.nameRows();
  }

  // The name of a caption in links: its image's id, with a number where an image has several.
  nameRows() {
    const seen = new Map();
    return this.text.map((_, row) => {
      const id = String(this.imageIds[this.image[row]]);
      const before = seen.get(id) || 0;
      seen.set(id, before + 1);
      return before ? `${id}~${before + 1}` : id;
    });
  }

  id(row) {
    return this.imageIds[this.image[row]];
  }

  references(row) {
    return this.referencesOfImage.length ? this.referencesOfImage[this.image[row]] : [];
  }

  objects(row) {
    return this.objectsOfImage.length ? this.objectsOfImage[this.image[row]] : [];
  }

  rowOf(name) {
    if (this.places === undefined) this.places = new Map(this.names.map((each, row) => [each, row]));
    return this.places.get(name);
  }

  // A column of numbers or words that can be sorted by and filtered by.
  column(name) {
    if (name in this.scores) return this.scores[name];
    if (name === "length") return this.length;
    if (name === "disagreement") return this.disagreement();
    if (name === "image") return this.image.map((image) => this.imageIds[image]);
    if (name === "caption") return this.text;
    if (name in this.fields) return this.fields[name];
    return undefined;
  }

  columnNames() {
    return ["image", "caption", "references", "length", "disagreement", ...Object.keys(this.scores), ...Object.keys(this.fields)];
  }

  // How far the metrics are apart on each caption: the standard deviation of its places among all captions.
  disagreement() {
    if (this.apart !== undefined) return this.apart;
    const places = this.metrics.map((metric) => {
      const column = percentiles(this.scores[metric.key]);
      return metric.higher_is_better ? column : column.map((place) => 1 - place);
    });
    this.apart = Float64Array.from({length: this.count}, (_, row) => {
      const found = places.map((column) => column[row]).filter((place) => !Number.isNaN(place));
      if (found.length < 2) return NaN;
      const mean = found.reduce((sum, place) => sum + place, 0) / found.length;
      return Math.sqrt(found.reduce((sum, place) => sum + (place - mean) ** 2, 0) / found.length);
    });
    return this.apart;
  }

  // All that a text search looks at, in lower case.
  searched(row) {
    if (this.lower === undefined) this.lower = new Array(this.count);
    if (this.lower[row] === undefined) {
      this.lower[row] = [this.id(row), this.text[row], ...this.references(row)].join("\n").toLowerCase();
    }
    return this.lower[row];
  }
}
