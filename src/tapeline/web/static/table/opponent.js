// @ts-check
// Sides that the table itself plays: who plays whom, and its moves at a pace that people can follow.

import { fill, h } from "../lib/dom.js";
import { get, put } from "../lib/store.js";
import { listed } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {"novice" | "steady" | "sharp"} Level */

/** Between two deeds of the table, milliseconds. */
const PACE = 900;
/** @type {[string, string][]} */
const PLAYERS = [
  ["", "A person"],
  ["novice", "The table, novice"],
  ["steady", "The table, steady"],
  ["sharp", "The table, sharp"],
];

/** Where it is kept who plays the sides of a match. @param {string} id of the match */
export const keptAs = (id) => `table-plays:${id}`;

export class Opponent {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    /** By side; "*" stands for the last one until the match is known. @type {Record<string, string>} */
    this.levels = get(keptAs(table.state.id), {});
    this.timer = 0;
    this.pace = PACE;
    this.paused = false;
    const { state } = table;
    state.addEventListener("change", (event) => {
      const { fresh = [] } = /** @type {CustomEvent} */ (event).detail;
      // Who takes something back wants to think, not to see it done again.
      if (fresh.some((/** @type {{what: string}} */ line) => line.what === "undo")) this.paused = true;
      this.draw();
      this.next();
    });
  }

  /** The sides this page may hand over to the table. */
  get mine() {
    const { state } = this.table;
    return state.board.parties.filter((party) => state.moves(party.id));
  }

  /** The side that the table has to act for now, if any. */
  get side() {
    const { state } = this.table;
    if (state.board.over || state.now.over) return undefined;
    return state.board.next?.find((side) => this.levels[side] && state.moves(side));
  }

  /** @param {string} side @param {string} level "" for a person */
  give(side, level) {
    if (level) this.levels[side] = level;
    else delete this.levels[side];
    put(keptAs(this.table.state.id), Object.keys(this.levels).length ? this.levels : null);
    this.paused = false;
    this.draw();
    this.next();
  }

  draw() {
    const { state } = this.table;
    if (!state.match) return;
    const parties = this.mine;
    if (this.levels["*"]) {
      const last = parties.at(-1);
      if (last) this.levels[last.id] = this.levels["*"];
      delete this.levels["*"];
      put(keptAs(state.id), this.levels);
    }
    this.host.hidden = parties.length === 0;
    const playing = parties.some((party) => this.levels[party.id]);
    if (!this.host.firstChild) {
      fill(this.host, h("summary", {}), h("div", { class: "opponent-sides" }));
      this.host.addEventListener("click", (event) => event.stopPropagation());
    }
    const [summary, sides] = /** @type {HTMLElement[]} */ ([...this.host.children]);
    const names = parties.filter((party) => this.levels[party.id]).map((party) => party.name);
    summary.textContent = playing ? `The table plays ${listed(names)}` : "Let the table play";
    const key = JSON.stringify([parties.map((party) => party.name), this.levels, this.paused]);
    if (sides.dataset.key === key) return;
    sides.dataset.key = key;
    fill(
      sides,
      parties.map((party) => this.#chooser(party.id, party.name)),
      playing &&
        h("button", {
          type: "button",
          "data-does": "table-pause",
          text: this.paused ? "Let the table go on" : "Hold the table",
          onclick: () => this.hold(),
        }),
    );
  }

  hold() {
    this.paused = !this.paused;
    this.draw();
    this.next();
    this.table.say(this.paused ? "The table waits." : "The table goes on.");
  }

  /** @param {string} side @param {string} name */
  #chooser(side, name) {
    const options = PLAYERS.map(([value, text]) => h("option", { value, text }));
    const select = h("select", { "data-side": side }, options);
    select.value = this.levels[side] ?? "";
    select.addEventListener("change", () => this.give(side, select.value));
    return h("label", { class: "opponent-side" }, `${name}: `, select);
  }

  /** Do the next thing in a while, if it is for the table to do. */
  next() {
    clearTimeout(this.timer);
    if (this.paused || !this.side) return;
    this.timer = window.setTimeout(() => this.#play(), this.pace);
  }

  async #play() {
    const { state, show } = this.table;
    const side = this.side;
    if (!side || this.paused) return;
    if (show.past || state.busy) return this.next();
    const done = await state.think(side, /** @type {Level} */ (this.levels[side]));
    if (done) return;
    // It is over, or somebody was faster: a change of the match begins it anew.
    this.paused = true;
    this.draw();
  }
}
