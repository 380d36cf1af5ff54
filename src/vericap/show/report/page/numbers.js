// Numbers as people read them.

export const MISSING = "–";

// A score times `scale`, with the digits that its scale deserves; a dash where there is none.
export function spell(score, scale = 1) {
  if (score === null || score === undefined || Number.isNaN(score)) return MISSING;
  const digits = Math.max(0, 4 - Math.round(Math.log10(scale)) - (scale >= 10 ? 1 : 0));
  return (score * scale).toFixed(digits);
}

// A difference with its sign.
export function spellSigned(difference, scale = 1) {
  const text = spell(difference, scale);
  return difference > 0 ? `+${text}` : text.replace("-", "−");
}

// A score of a caption, which was multiplied by the scale when it was read: so a reader filters by what is shown.
export function spellShown(score, scale = 1) {
  return spell(score / scale, scale);
}

// A value of an explanation: four digits after the point; whole numbers and words as they are.
export function spellValue(value) {
  if (typeof value !== "number") return value === null || value === undefined ? MISSING : String(value);
  return Number.isInteger(value) ? String(value) : value.toFixed(4).replace("-", "−");
}

// 12,345
export function counted(number) {
  return number.toLocaleString("en");
}

// The smallest and the largest number of a column that exist.
export function bounds(column) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of column) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

// Round places for the marks of an axis from low to high.
export function ticks(low, high, about = 5) {
  const span = high - low || 1;
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

// Where each caption stands among all, 0 (lowest) to 1 (highest); the mean place for equal scores, NaN for none.
export function percentiles(column) {
  const order = Array.from(column.keys()).filter((row) => !Number.isNaN(column[row])).sort((a, b) => column[a] - column[b]);
  const places = new Float64Array(column.length).fill(NaN);
  let first = 0;
  while (first < order.length) {
    let last = first;
    while (last + 1 < order.length && column[order[last + 1]] === column[order[first]]) last += 1;
    const place = order.length > 1 ? (first + last) / 2 / (order.length - 1) : 0.5;
    for (let at = first; at <= last; at += 1) places[order[at]] = place;
    first = last + 1;
  }
  return places;
}

// The ends of a metric's scale: "0 to 1", "−∞ to ∞".
export function spellRange(range, scale = 1) {
  return range.map((end, place) => (end === null ? (place ? "∞" : "−∞") : String(Number((end * scale).toPrecision(6))).replace("-", "−"))).join(" to ");
}

// A number at a mark of an axis.
export function spellTick(value, signed = false) {
  const text = String(Number(value.toPrecision(3))).replace("-", "−");
  return signed && value > 0 ? `+${text}` : text;
}
