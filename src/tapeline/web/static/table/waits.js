// @ts-check
// Long waits: what is still being worked out, how far that is, and how long it has taken so far.

import { fill, h } from "../lib/dom.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{words: string, of: unknown, far?: string}} Wait of: what tells one wait from the next; far: how far it is */

/** From when on a wait is told of, and how often it is looked at, milliseconds. */
const LONG = 2000;
const LOOK = 500;

export class Waits {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.host = h("ul", { class: "waits quiet", hidden: true });
    /** @type {Map<string, {of: unknown, since: number, said: boolean}>} */
    this.known = new Map();
    window.setInterval(() => this.look(performance.now()), LOOK);
  }

  /** Everything that is waited for now. @returns {Wait[]} */
  get now() {
    const { aim, order, state } = this.table;
    const waits = [];
    if (state.busy) waits.push({ words: "The server is at work", of: state.begun });
    if (order.waiting) waits.push({ words: "The verdict is being worked out", of: order.draft?.waiting });
    if (aim.parts.done < aim.parts.of) {
      const far = `${aim.parts.done} of ${aim.parts.of} done`;
      waits.push({ words: "The reach is being worked out", of: aim.drawn, far });
    }
    return waits;
  }

  /** @param {number} at milliseconds */
  look(at) {
    const now = this.now;
    for (const words of this.known.keys()) {
      if (!now.some((wait) => wait.words === words)) this.known.delete(words);
    }
    const lines = [];
    for (const { words, of, far } of now) {
      let one = this.known.get(words);
      if (!one || one.of !== of) this.known.set(words, (one = { of, since: at, said: false }));
      const gone = at - one.since;
      if (gone < LONG) continue;
      if (!one.said) this.table.say(`${words}.`);
      one.said = true;
      lines.push(`${words}: ${far ? `${far}, ` : ""}${Math.floor(gone / 1000)} s so far`);
    }
    this.host.hidden = !lines.length;
    fill(this.host, ...lines.map((line) => h("li", {}, line)));
  }
}
