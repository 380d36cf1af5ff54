// Filter expressions: `cider-d < 0.5 and length > 12 and not "a dog"`. They are parsed, never evaluated as code.

const OPERATORS = ["<=", ">=", "!=", "==", "!~", "<", ">", "=", "~"];

function tokenize(text, names) {
  const known = [...names].sort((a, b) => b.length - a.length);
  const found = [];
  let at = 0;
  const operatorAt = (place) => OPERATORS.find((sign) => text.startsWith(sign, place));
  while (at < text.length) {
    const rest = text.slice(at);
    const space = /^\s+/u.exec(rest);
    if (space) {
      at += space[0].length;
      continue;
    }
    const name = known.find((each) => rest.toLowerCase().startsWith(each.toLowerCase())
      && operatorAt(at + each.length + /^\s*/u.exec(rest.slice(each.length))[0].length) !== undefined);
    const quoted = /^"([^"]*)"/u.exec(rest);
    const sign = operatorAt(at);
    if (name !== undefined) {
      found.push({kind: "field", text: name});
      at += name.length;
    } else if (quoted) {
      found.push({kind: "text", text: quoted[1]});
      at += quoted[0].length;
    } else if (sign) {
      found.push({kind: "operator", text: sign});
      at += sign.length;
    } else if (rest[0] === "(" || rest[0] === ")") {
      found.push({kind: rest[0], text: rest[0]});
      at += 1;
    } else {
      const word = /^[^\s()"<>=!~]+|^[\s\S]/u.exec(rest)[0];
      const lower = word.toLowerCase();
      found.push({kind: ["and", "or", "not"].includes(lower) ? lower : "word", text: word});
      at += word.length;
    }
  }
  return found;
}

function compare(sign, left, right) {
  if (sign === "~" || sign === "!~") return String(left).toLowerCase().includes(right.toLowerCase()) === (sign === "~");
  const number = Number(right);
  const numeric = typeof left === "number" && right.trim() !== "" && !Number.isNaN(number);
  if (numeric && Number.isNaN(left)) return false;
  const [a, b] = numeric ? [left, number] : [String(left).toLowerCase(), right.toLowerCase()];
  switch (sign) {
    case "<": return a < b;
    case "<=": return a <= b;
    case ">": return a > b;
    case ">=": return a >= b;
    case "!=": return a !== b;
    default: return a === b;
  }
}

// A function from a row to whether it is kept; throws an Error in plain words where the expression is wrong.
export function parseFilter(text, captions) {
  const tokens = tokenize(text, captions.columnNames());
  let at = 0;
  const peek = () => tokens[at];

  function either() {
    const parts = [both()];
    while (peek()?.kind === "or") {
      at += 1;
      parts.push(both());
    }
    return parts.length === 1 ? parts[0] : (row) => parts.some((part) => part(row));
  }

  function both() {
    const parts = [single()];
    while (peek() && peek().kind !== "or" && peek().kind !== ")") {
      if (peek().kind === "and") at += 1;
      parts.push(single());
    }
    return parts.length === 1 ? parts[0] : (row) => parts.every((part) => part(row));
  }

  function single() {
    const token = peek();
    if (token === undefined) throw new Error("The filter ends too early.");
    at += 1;
    if (token.kind === "not") {
      const part = single();
      return (row) => !part(row);
    }
    if (token.kind === "(") {
      const part = either();
      if (peek()?.kind !== ")") throw new Error("A bracket is not closed.");
      at += 1;
      return part;
    }
    if (token.kind === "field") return comparison(token.text);
    if (token.kind === "word" || token.kind === "text") {
      if (peek()?.kind === "operator") throw new Error(`“${token.text}” is not a column; use ${captions.columnNames().slice(2, 8).join(", ")} …`);
      const wanted = token.text.toLowerCase();
      return (row) => captions.searched(row).includes(wanted);
    }
    throw new Error(`“${token.text}” was not expected here.`);
  }

  function comparison(name) {
    const sign = peek().text;
    at += 1;
    const value = peek();
    if (value === undefined || !["word", "text", "field"].includes(value.kind)) throw new Error(`A value is missing after ${name} ${sign}.`);
    at += 1;
    if (name === "references") return (row) => compare(sign, captions.references(row).join("\n"), value.text);
    const column = captions.column(name);
    return (row) => compare(sign, column[row], value.text);
  }

  if (!tokens.length) return () => true;
  const whole = either();
  if (at < tokens.length) throw new Error(`“${peek().text}” was not expected here.`);
  return whole;
}
