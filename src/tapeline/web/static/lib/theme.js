// @ts-check
// Light, dark, or as the system says: kept in this browser, set on the root element.

import { get, put } from "./store.js";

/** @typedef {"auto" | "light" | "dark"} Choice */

const KEY = "theme";
const NEXT = /** @type {Record<Choice, Choice>} */ ({ auto: "light", light: "dark", dark: "auto" });
const WORDS = { auto: "as the system", light: "light", dark: "dark" };

/** @returns {Choice} */
function chosen() {
  const kept = get(KEY, "auto");
  return kept === "light" || kept === "dark" ? kept : "auto";
}

/** @param {Choice} choice */
function choose(choice) {
  put(KEY, choice === "auto" ? null : choice);
  apply();
}

/** Set what was chosen on the root element; as early as can be. */
function apply() {
  const choice = chosen();
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

/** Make a button go through the three choices. @param {HTMLElement} button */
export function themeButton(button) {
  const label = () => {
    const words = `Colours: ${WORDS[chosen()]}`;
    button.setAttribute("aria-label", words);
    button.title = words;
    button.dataset.choice = chosen();
  };
  button.addEventListener("click", () => {
    choose(NEXT[chosen()]);
    label();
  });
  label();
}

apply();
