// What the reader has chosen. All of it is in the address (#caption=…&filter=…&sort=…), so that a link shows the same.

const listeners = new Set();
let current = {};

function read() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// What is chosen now.
export function chosen() {
  return current;
}

// Changes some of it; an empty value forgets a choice. Everyone who watches is told.
export function choose(changes, addToHistory = false) {
  const next = {...current, ...changes};
  for (const name of Object.keys(next)) if (next[name] === "" || next[name] === undefined || next[name] === null) delete next[name];
  const hash = `#${new URLSearchParams(next)}`;
  if (hash !== location.hash) {
    if (addToHistory) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }
  tell(next);
}

function tell(next) {
  const before = current;
  current = next;
  const changed = new Set([...Object.keys(before), ...Object.keys(next)].filter((name) => before[name] !== next[name]));
  if (changed.size) for (const listener of listeners) listener(changed);
}

// Calls a function with the set of names that have changed.
export function watch(listener) {
  listeners.add(listener);
}

// Reads the address, now and whenever it changes.
export function startState() {
  current = read();
  addEventListener("hashchange", () => tell(read()));
  addEventListener("popstate", () => tell(read()));
}
