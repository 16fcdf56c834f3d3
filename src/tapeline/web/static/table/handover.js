// @ts-check
// Several sides at one device: a card that covers everything until the one whose turn it is has it in hand.

import { fill, h } from "../lib/dom.js";
import { get, put } from "../lib/store.js";

/** @typedef {import("./table.js").Table} Table */

export class HandOver {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The sides of the link. */
    this.sides = table.state.now.you.sides;
    /** The one that has the device. */
    this.side = "";
    this.box = h("dialog", {
      class: "hand-over",
      "aria-labelledby": "hand-over-title",
      // Only the button takes it away.
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && event.preventDefault(),
      oncancel: (/** @type {Event} */ event) => event.preventDefault(),
    });
    document.body.append(this.box);
    table.state.addEventListener("change", () => this.look());
    table.state.holder = () => (this.several && this.wanted ? this.side : "");
  }

  /** Whether there is anybody to hand the device to. */
  get several() {
    return this.sides.length > 1 && !Object.keys(this.table.opponent.levels).length;
  }

  /** Whether it is asked for also where nothing is hidden. */
  get wanted() {
    return get("hand-over", false) === true;
  }

  /** Ask for it also where nothing is hidden, or no longer. */
  toggle() {
    put("hand-over", !this.wanted);
    this.look();
    this.#told();
  }

  /** What a button leads on to hangs on who has the device. */
  #told() {
    const { controls } = this.table;
    controls.draw();
    controls.steps();
  }

  /** The match is another: see whether somebody else must have the device. */
  look() {
    const { state } = this.table;
    const { hidden, acting, over } = state.board;
    if (state.api.side && !hidden) state.sit("");
    if (!this.several || over || state.now.over || acting.includes(this.side)) return;
    const next = acting.find((side) => this.sides.includes(side));
    if (!next) return;
    if (hidden || (this.wanted && this.side)) this.#ask(next, hidden);
    else this.side = next;
  }

  /** @param {string} side @param {boolean} hidden whether it is to see only what it may see */
  #ask(side, hidden) {
    const { state } = this.table;
    const name = state.party(side)?.name ?? side;
    const taken = async () => {
      this.side = side;
      if (hidden) await state.sit(side);
      else this.#told();
      this.box.close();
    };
    fill(
      this.box,
      h("h2", { id: "hand-over-title" }, `Pass the device to ${name}`),
      hidden && h("p", {}, "Nobody sees what the others set up until all are ready."),
      h("button", { type: "button", class: "primary", onclick: taken }, `${name} has it: show the board`),
    );
    if (!this.box.open) this.box.showModal();
  }
}
