// Light and dark: as the system says, or as the switch says.

import {button} from "./dom.js";
import {chosen, choose, watch} from "./state.js";

function systemTheme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function shownTheme() {
  return ["light", "dark"].includes(chosen().theme) ? chosen().theme : systemTheme();
}

// The switch; `drawn` is called after the theme has changed, for what is drawn pixel by pixel.
export function themeSwitch(drawn) {
  const control = button("", () => choose({theme: shownTheme() === "dark" ? "light" : "dark"}), {id: "theme", class: "quiet"});
  function apply() {
    document.documentElement.dataset.theme = shownTheme();
    control.textContent = shownTheme() === "dark" ? "☀ Light" : "☾ Dark";
    control.setAttribute("title", `Switch to ${shownTheme() === "dark" ? "light" : "dark"} colours`);
    drawn();
  }
  watch((changed) => changed.has("theme") && apply());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
  return control;
}
