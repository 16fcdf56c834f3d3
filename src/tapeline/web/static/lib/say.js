// @ts-check
// Sentences for screen readers: a live region, spoken to no more than twice a second.

import { h } from "./dom.js";

const EVERY = 500;

/** @type {Map<string, HTMLElement>} */
const regions = new Map();
/** @type {Map<string, {text: string, timer: number, last: number}>} */
const waiting = new Map();

/**
 * Say a sentence. Of several within half a second the last is said.
 * @param {string} text
 * @param {"polite" | "assertive"} [how] assertive for what may not wait
 */
export function say(text, how = "polite") {
  const place = regions.get(how) ?? region(how);
  const state = waiting.get(how) ?? { text: "", timer: 0, last: -EVERY };
  waiting.set(how, state);
  state.text = text;
  if (state.timer) return;
  const wait = Math.max(0, state.last + EVERY - performance.now());
  state.timer = window.setTimeout(() => {
    state.timer = 0;
    state.last = performance.now();
    // The same words again are read again only if the text changes.
    place.textContent = place.textContent === state.text ? `${state.text}\u00a0` : state.text;
  }, wait);
}

/** @param {"polite" | "assertive"} how */
function region(how) {
  const made = h("div", {
    class: "unseen",
    role: how === "polite" ? "status" : "alert",
    "aria-live": how,
    "aria-atomic": "true",
  });
  document.body.append(made);
  regions.set(how, made);
  return made;
}
