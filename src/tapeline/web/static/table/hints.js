// @ts-check
// Hints that may be asked for: the best few actions, each with its reasons, its way, and a button that plays it.

import { byId, fill, h } from "../lib/dom.js";
import { ApiError } from "../lib/api.js";
import { say } from "../lib/say.js";
import { keepingFocus } from "./focus.js";
import { percent, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Hint} Hint */

export class Hints {
  /** @param {Table} table @param {HTMLElement} bar that its button stands in */
  constructor(table, bar) {
    this.table = table;
    this.open = false;
    this.asked = 0;
    this.waiting = false;
    /** Why there are none, in a sentence. */
    this.refused = "";
    /** @type {import("../lib/documents.js").Hints | null} */
    this.found = null;
    this.chosen = -1;
    this.button = h(
      "button",
      { type: "button", class: "tool", "aria-pressed": "false", dataset: { tool: "hint" }, title: "What may well be done now, and why", onclick: () => this.toggle() },
      "Hint",
      h("kbd", { "aria-hidden": "true" }, "I"),
    );
    bar.append(this.button);
    this.host = h("section", { class: "hints", "aria-label": "Hints", hidden: true });
    byId("card").before(this.host);
    table.state.addEventListener("change", (event) => {
      const { grown } = /** @type {CustomEvent} */ (event).detail;
      if (grown) this.close();
      else this.draw();
    });
  }

  toggle() {
    if (this.open) this.close();
    else this.ask();
  }

  close() {
    this.open = false;
    this.asked += 1;
    this.found = null;
    this.waiting = false;
    this.#choose(-1);
  }

  async ask() {
    const { state } = this.table;
    const mine = (this.asked += 1);
    this.open = true;
    this.found = null;
    this.refused = "";
    this.waiting = state.now.hints;
    this.#choose(-1);
    this.host.parentElement?.scrollTo({ top: 0 });
    if (!this.waiting) return;
    try {
      const found = await state.working(state.api.get("hints"));
      if (mine !== this.asked) return;
      this.found = found;
    } catch (error) {
      if (mine !== this.asked) return;
      if (!(error instanceof ApiError)) throw error;
      this.refused = error.message;
    }
    this.waiting = false;
    this.#choose(this.found?.hints.length ? 0 : -1);
    say(this.refused || `Hints: ${this.found?.hints.map((hint) => hint.words).join("; ") || "none"}`);
  }

  /** Show the way of one of them on the board; -1 for none. @param {number} n */
  #choose(n) {
    const { board, state } = this.table;
    this.chosen = n;
    const hint = this.found?.hints[n];
    const way = hint ? (hint.verdict.moved.length ? hint.verdict.moved : hint.verdict.wanted) : [];
    board.ways(way, { kind: "hint", labels: false });
    board.mark(hint ? named(hint.action).flatMap((id) => state.bodies(id).map((figure) => figure.id)) : [], "hinted");
    this.draw();
  }

  draw() {
    this.button.setAttribute("aria-pressed", String(this.open));
    this.host.hidden = !this.open;
    if (this.open) keepingFocus(this.host, () => fill(this.host, this.#parts()));
    else fill(this.host);
  }

  #parts() {
    const { state } = this.table;
    const close = h("button", { type: "button", dataset: { keep: "hints-close" }, onclick: () => this.close() }, "Close");
    if (!state.now.hints) return [h("h2", {}, "Hints"), this.#off(), h("div", { class: "order-ends" }, this.#may(), close)];
    const by = this.found && state.name(this.found.side);
    const off = state.now.mode === "links" && state.now.you.role !== "watch";
    return [
      h("h2", {}, by ? `Hints for ${by}` : "Hints"),
      this.waiting && h("p", { class: "quiet" }, "Thinking …"),
      this.refused && h("p", {}, this.refused),
      this.found?.by_eye && h("p", { class: "quiet" }, "Guessed by eye: nobody may measure now."),
      this.found && !this.found.hints.length && h("p", {}, "Nothing that is better than to go on."),
      this.found && h("ol", { class: "hint-list" }, this.found.hints.map((hint, n) => this.#one(hint, n))),
      h("div", { class: "order-ends" }, close, off && this.#end()),
    ];
  }

  #off() {
    const { no_copies: why, you } = this.table.state.now;
    if (why) return h("p", {}, `No hints here. ${why}`);
    if (you.role === "watch") return h("p", {}, "Hints are for those who play.");
    return h("p", {}, "Hints are off in a match by link until all sides agree to them.");
  }

  #may() {
    const { state } = this.table;
    if (state.now.no_copies || state.now.you.role === "watch") return false;
    return h("button", { type: "button", class: "primary", dataset: { keep: "hints-ask" }, onclick: () => this.#allow(true) }, "Ask the other side");
  }

  #end() {
    return h("button", { type: "button", dataset: { keep: "hints-end" }, onclick: () => this.#allow(false) }, "No more hints for both");
  }

  /** @param {boolean} on */
  async #allow(on) {
    const done = await this.table.state.hints(on);
    if (done?.proposal) this.table.notice("The other side is asked whether both may have hints.");
    if (done) this.close();
  }

  /** @param {Hint} hint @param {number} n */
  #one(hint, n) {
    const on = n === this.chosen;
    return h(
      "li",
      { class: on ? "hint-one chosen" : "hint-one" },
      h("button", { type: "button", class: "hint-name", "aria-pressed": String(on), dataset: { keep: `hint-${n}` }, onclick: () => this.#choose(on ? -1 : n) }, told(hint.words)),
      h("p", { class: "quiet" }, `${hint.reasons.join("; ")}.`),
      hint.chances.length > 0 &&
        h("p", { class: "quiet" }, `${hint.chances.map(({ text, chance }) => `${percent(chance)} ${told(text)}`).join(", ")}.`),
      on && h("button", { type: "button", class: "primary", dataset: { keep: `hint-play-${n}` }, onclick: () => this.#play(hint) }, "Do this"),
    );
  }

  /** @param {Hint} hint */
  async #play(hint) {
    const { state, hand } = this.table;
    hand.put();
    this.close();
    await state.act(hint.action);
  }
}

/** Ids that an action names. @param {Record<string, any>} action @returns {string[]} */
function named(action) {
  return Object.values(action).flatMap((value) => (Array.isArray(value) ? value : [value])).filter((value) => typeof value === "string");
}
