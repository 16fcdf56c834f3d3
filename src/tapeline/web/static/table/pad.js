// @ts-check
// The pad for fingers: after the first drag, small steps and turns that a finger is too wide for.

import { h } from "../lib/dom.js";

/** @typedef {import("./table.js").Table} Table */

const STEPS = [1, 0.1, 0.01];

export class Pad {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    this.wanted = false;
    this.step = 0.1;
    const { drag, hand, units } = table;
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ does) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: does }, sign);
    const nudge = (/** @type {number} */ dx, /** @type {number} */ dy) => () =>
      drag.nudge(units.from(dx * this.step), units.from(dy * this.step));
    this.size = h("button", { type: "button", class: "pad-step", onclick: () => this.#size() });
    this.host.append(
      button("Turn left by 5 degrees", "⟲", () => drag.turn(5)),
      button("Left", "←", nudge(-1, 0)),
      button("Up", "↑", nudge(0, 1)),
      button("Down", "↓", nudge(0, -1)),
      button("Right", "→", nudge(1, 0)),
      button("Turn right by 5 degrees", "⟳", () => drag.turn(-5)),
      this.size,
      button("Do it", "✓", () => hand.confirm()),
      button("Set a way-point here", "•", () => drag.fix()),
    );
    hand.addEventListener("draft", () => this.draw());
    units.addEventListener("change", () => this.draw());
    this.draw();
  }

  /** From the first drag by a finger on. */
  show() {
    this.wanted = true;
    this.draw();
  }

  #size() {
    this.step = STEPS[(STEPS.indexOf(this.step) + 1) % STEPS.length];
    this.draw();
  }

  draw() {
    const { hand, units } = this.table;
    this.host.hidden = !(this.wanted && hand.dragging);
    const words = `${this.step} ${units.shown}`;
    this.size.textContent = words;
    this.size.setAttribute("aria-label", `Steps of ${words}; press for another size`);
  }
}
