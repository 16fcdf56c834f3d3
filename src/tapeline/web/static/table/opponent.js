// @ts-check
// Sides that the table itself plays: who plays whom, and its moves at a pace that people can follow.

import { call } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { get, put } from "../lib/store.js";
import { listed } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** Between two deeds of the table, milliseconds. */
const PACE = 900;
/** What stands before the name of a program, where a level could stand. */
const PROGRAM = "program:";
/** Who may play in a person's stead: a value, and its name. @type {[string, string][]} */
const TABLE = [
  ["novice", "Computer, novice"],
  ["steady", "Computer, steady"],
  ["sharp", "Computer, sharp"],
];

/** Who may play in a person's stead: the table, and programs. @param {string[]} programs that the server knows @returns {[string, string][]} */
export const players = (programs) => [
  ...TABLE,
  ...programs.map((name) => /** @type {[string, string]} */ ([PROGRAM + name, name])),
];

/** The name of a program that plays; "" where the table does. @param {string} who as in `players` */
export const programOf = (who) => (who.startsWith(PROGRAM) ? who.slice(PROGRAM.length) : "");

/** Where it is kept who plays the sides of a match. @param {string} id of the match */
export const keptAs = (id) => `table-plays:${id}`;

export class Opponent {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    const kept = get(keptAs(table.state.id), {});
    const last = this.mine.at(-1)?.id ?? "";
    /** By side; "*" is kept for the last one where the match was not yet known. @type {Record<string, string>} */
    this.levels = "*" in kept ? { [last]: kept["*"] } : kept;
    table.state.played = this.levels;
    this.timer = 0;
    this.pace = PACE;
    /** Whether it waits: held by a button, or until the match goes on. */
    this.held = false;
    this.waits = false;
    /** Programs that the server knows. @type {string[]} */
    this.programs = [];
    /** A side for which a program did not play. */
    this.failed = "";
    /** Whether it does something just now; and entries of persons that came with what it did: steps that it passed for them. */
    this.acts = false;
    /** @type {Set<number>} */
    this.passed = new Set(get(`passed:${table.state.id}`, [], true));
    const { state } = table;
    call("server").then(
      (/** @type {import("../lib/documents.js").Server} */ server) => {
        this.programs = server.programs;
        this.draw();
      },
      () => {}, // without it the table plays all the same
    );
    state.addEventListener("change", (event) => {
      const { fresh = [] } = /** @type {CustomEvent} */ (event).detail;
      // Who takes something back wants to think, not to see it done again; what they do next goes on with the game.
      if (fresh.length) this.waits = fresh.at(-1).what === "undo";
      if (this.acts) {
        for (const line of fresh) this.passed.add(line.n);
        put(`passed:${state.id}`, [...this.passed], true);
      }
      this.draw();
      this.next();
    });
  }

  /** The sides this page may hand over to the table. */
  get mine() {
    const { state } = this.table;
    return state.board.parties.filter((party) => state.speaks(party.id));
  }

  get paused() {
    return this.held || this.waits;
  }

  /** How many entries came after the last one of a person; 0 if there is none of a person. */
  get answered() {
    const counted = this.table.state.log.filter((line) => line.counts && line.what !== "undo");
    const own = counted.findLastIndex((line) => !this.levels[line.by] && !this.passed.has(line.n));
    return own < 0 ? 0 : counted.length - 1 - own;
  }

  /** The side that the table has to act for now, if any. */
  get side() {
    const { state } = this.table;
    if (state.over) return undefined;
    return state.board.next?.find((side) => this.levels[side] && state.speaks(side));
  }

  /** @param {string} side @param {string} level "" for a person */
  give(side, level) {
    if (level) this.levels[side] = level;
    else delete this.levels[side];
    put(keptAs(this.table.state.id), Object.keys(this.levels).length ? this.levels : null);
    this.held = this.waits = false;
    this.failed = "";
    // Whom a person moves now is seen everywhere.
    this.table.state.take(this.table.state.now);
  }

  draw() {
    const { state } = this.table;
    if (!state.match) return;
    const parties = this.mine;
    this.host.hidden = !parties.length || state.over || Boolean(state.now.puzzle ?? state.now.lesson);
    const { rematch } = state.now;
    if (rematch && !get(keptAs(rematch), null)) put(keptAs(rematch), this.levels);
    const playing = parties.some((party) => this.levels[party.id]);
    if (!this.host.firstChild) {
      fill(this.host, h("summary", {}), h("div", { class: "opponent-sides" }));
      this.host.addEventListener("click", (event) => event.stopPropagation());
    }
    // What it waits for must be seen.
    if (this.waits && this.side) /** @type {HTMLDetailsElement} */ (this.host).open = true;
    const [summary, sides] = /** @type {HTMLElement[]} */ ([...this.host.children]);
    summary.textContent = this.words(parties) || "Let the computer play";
    const failed = parties.find((party) => party.id === this.failed);
    const shown = [parties.map((party) => party.name), this.levels, this.paused, this.programs, this.failed];
    const key = JSON.stringify(shown);
    if (sides.dataset.key === key) return;
    sides.dataset.key = key;
    fill(
      sides,
      parties.map((party) => this.#chooser(party.id, party.name)),
      failed &&
        h("button", {
          type: "button",
          "data-does": "table-instead",
          text: `Let the computer play ${failed.name}`,
          onclick: () => this.give(failed.id, "steady"),
        }),
      playing &&
        h("button", {
          type: "button",
          "data-does": "table-pause",
          text: this.paused ? "Let the computer go on" : "Hold the computer",
          onclick: () => this.hold(),
        }),
    );
  }

  /** Who plays whom. @param {{id: string, name: string}[]} parties */
  words(parties) {
    /** @type {Map<string, string[]>} */
    const sides = new Map();
    for (const { id, name } of parties) {
      if (!this.levels[id]) continue;
      const who = programOf(this.levels[id]) || "The computer";
      sides.set(who, [...(sides.get(who) ?? []), name]);
    }
    return [...sides].map(([who, names]) => `${who} plays ${listed(names)}`).join(", ");
  }

  hold() {
    this.held = !this.paused;
    this.waits = false;
    this.failed = "";
    this.draw();
    this.next();
    this.table.say(this.paused ? "The computer waits." : "The computer goes on.");
  }

  /** @param {string} side @param {string} name */
  #chooser(side, name) {
    const who = this.levels[side] ?? "";
    const programs = [...this.programs];
    // One that plays is named even where the server knows it no more.
    if (programOf(who) && !programs.includes(programOf(who))) programs.push(programOf(who));
    const choices = [["", "A person"], ...players(programs)];
    const options = choices.map(([value, text]) => h("option", { value, text }));
    const select = h("select", { "data-side": side }, options);
    select.value = who;
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
    const who = this.levels[side];
    const { version } = state;
    this.acts = true;
    const done = await state.think(side, programOf(who) ? { program: programOf(who) } : { level: who });
    this.acts = false;
    // If somebody was faster, it has been told of that already.
    if (done || state.version !== version) return;
    this.waits = true;
    if (programOf(who)) this.failed = side;
    this.draw();
  }
}
