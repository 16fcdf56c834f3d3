// @ts-check
// Fair dice: this side's share in them, given without a click, and a look at whether others kept their word.

import { byId, h } from "../lib/dom.js";
import { Chain, leads, newSecret } from "../lib/chain.js";
import { recent, remember } from "../lib/store.js";
import { detail } from "./state.js";
import { listed } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("../lib/documents.js").LogLine} LogLine */

export class Fair {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The commitment of the server as this browser saw it first. @type {string | null} */
    this.seen = null;
    /** This side's own chain, where it has a share. @type {Chain | null} */
    this.chain = null;
    /** For what a key was given last. @type {import("../lib/store.js").Revealed | null} */
    this.revealed = null;
    /** Whether the server has said that this page takes part, and the last entry looked at. */
    this.counted = false;
    this.upto = 0;
    /** Words that were not kept. @type {string[]} */
    this.faults = [];
    this.host = h("div", { class: "unfair", role: "alert", hidden: true });
    byId("notice").append(this.host);
    const { state } = table;
    state.addEventListener("change", (event) => {
      const { first, fresh } = detail(event);
      if (first) this.#first();
      this.#look(fresh);
    });
    state.addEventListener("present", () => this.#commit());
    state.live.addEventListener("link", () => this.#commit());
  }

  get path() {
    return location.pathname + location.hash;
  }

  #first() {
    const { state } = this.table;
    const { you, mode, dice, commitment, copy_of: copy } = state.now;
    if (copy) return;
    const kept = recent().filter((entry) => entry.id === state.id);
    const mine = kept.find((entry) => entry.path === this.path);
    this.seen = kept.find((entry) => entry.seen)?.seen ?? commitment ?? null;
    this.revealed = mine?.revealed ?? null;
    let secret = mine?.secret;
    if (you.role === "side" && mode === "links" && dice === "server" && commitment) {
      secret ??= newSecret();
      this.chain = new Chain(secret);
    }
    remember({ id: state.id, path: this.path, seen: this.seen ?? undefined, secret });
  }

  /** @param {LogLine[]} fresh */
  #look(fresh) {
    const { state } = this.table;
    if ((state.now.commitment ?? null) !== this.seen && !state.now.copy_of) {
      this.#fault("The commitment to the dice is not the one that this browser saw first.");
    }
    for (const line of fresh) {
      if (line.n === this.revealed?.number) this.#check(line);
      else if (this.counted && line.key && line.n > this.upto) {
        this.#fault(`The dice of entry ${line.n} were thrown without the share of this side, though its page was here.`);
      }
    }
    this.upto = Math.max(this.upto, state.version);
    this.#commit();
    this.#reveal();
  }

  /** Say that this page takes part, until the server knows. */
  #commit() {
    const { state } = this.table;
    const commitment = this.chain?.commitment;
    const open = commitment && state.live.state === "open";
    this.counted = Boolean(open) && state.commitments.some((one) => one.commitment === commitment);
    if (open && !this.counted) state.live.tell({ type: "commit", commitment });
  }

  /** Give the key of the next entry if a roll waits for it: for one roll alone, whatever the server says. */
  #reveal() {
    const { state } = this.table;
    const bound = state.bound;
    const side = state.now.you.sides[0];
    if (!bound || !this.chain || bound[side] !== this.chain.commitment) return;
    const number = state.version + 1;
    const { by, title, action } = state.log[state.version - 1];
    const asked = JSON.stringify([by, title, action, bound]);
    const last = this.revealed;
    if (last && (last.number > number || (last.number === number && last.asked !== asked))) {
      this.#fault(`The server asks for the key of entry ${number} a second time, for another roll. It is not given.`);
      return;
    }
    this.revealed = { number, asked, bound };
    remember({ id: state.id, path: this.path, revealed: this.revealed });
    const { commitment } = this.chain;
    state.live.tell({ type: "reveal", commitment, number, key: this.chain.key(number) });
  }

  /** Look whether dice come from what was committed to before they were thrown. @param {LogLine} line */
  #check(line) {
    const { state } = this.table;
    const { bound, number } = this.revealed ?? { bound: {}, number: 0 };
    if (line.what !== "answer") return;
    if (this.seen && !(line.key && leads(line.key, number, this.seen))) {
      this.#fault(`The dice of entry ${number} do not come from what the server committed to.`);
    }
    for (const [side, commitment] of Object.entries(bound)) {
      const key = line.reveals[side];
      const name = state.party(side)?.name ?? side;
      if (!key) this.#fault(`The dice of entry ${number} were thrown without the share of ${name}.`);
      else if (!leads(key, number, commitment)) {
        this.#fault(`The share of ${name} in the dice of entry ${number} is not what was committed to.`);
      }
    }
  }

  /** @param {string} words */
  #fault(words) {
    if (this.faults.includes(words)) return;
    this.faults.push(words);
    this.host.hidden = false;
    this.host.replaceChildren(...this.faults.map((one) => h("p", {}, one)));
  }
}

/** Whose dice they are: of the server with some sides. @param {State} state @param {string[]} sides */
export function whose(state, sides) {
  const names = [...new Set(sides)].map((side) => state.party(side)?.name ?? side);
  const others = state.board.parties.filter((party) => !sides.includes(party.id)).map((party) => party.name);
  if (!names.length) return "Dice of the server alone.";
  const without = others.length ? `, without ${listed(others)}` : "";
  return `Dice of the server with ${listed(names)}${without}.`;
}
