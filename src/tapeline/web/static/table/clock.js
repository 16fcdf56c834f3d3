// @ts-check
// The clocks of the sides: told by the server, counted down here until it tells again.

import { h } from "../lib/dom.js";

/** @typedef {import("./table.js").Table} Table */

/** Milliseconds between two looks. */
const LOOK = 500;

export class Clocks {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.since = performance.now();
    /** Sides of which it was said that they have no time left. @type {Set<string>} */
    this.said = new Set();
    table.state.addEventListener("change", () => {
      this.since = performance.now();
    });
    window.setInterval(() => this.look(), LOOK);
  }

  /** The clock of a side, if there is one. @param {string} side */
  of(side) {
    const clock = this.table.state.now.clock;
    if (!clock || !(side in clock.left)) return null;
    const runs = clock.running.includes(side);
    const words = timeWords(this.#left(side));
    return h("span", { class: `clock${runs ? " runs" : ""}`, dataset: { clock: side }, role: "timer", "aria-label": `Time left: ${words}` }, words);
  }

  /** Seconds. @param {string} side */
  #left(side) {
    const clock = this.table.state.now.clock;
    const gone = clock?.running.includes(side) ? (performance.now() - this.since) / 1000 : 0;
    return Math.max(0, (clock?.left[side] ?? 0) - gone);
  }

  look() {
    for (const place of document.querySelectorAll("[data-clock]")) {
      const side = place.getAttribute("data-clock") ?? "";
      const left = this.#left(side);
      place.textContent = timeWords(left);
      place.setAttribute("aria-label", `Time left: ${timeWords(left)}`);
      place.classList.toggle("out", left === 0);
      if (left > 0) this.said.delete(side);
      else if (!this.said.has(side)) {
        this.said.add(side);
        this.table.notice(`${this.table.state.name(side)} ran out of time.`);
      }
    }
  }
}

/** @param {number} seconds */
function timeWords(seconds) {
  const whole = Math.ceil(seconds);
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:` : ""}${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
