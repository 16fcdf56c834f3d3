// @ts-check
// Threat while T is held: whom the other side could strike when it acts next, where, and how likely.

import { ApiError } from "../lib/api.js";
import { isWriting } from "../lib/keys.js";
import { fill, h } from "../lib/dom.js";
import { sentence } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Threat} ThreatDoc */

export class Threat {
  /** @param {Table} table @param {HTMLButtonElement} button that shows it for those without a key to hold @param {HTMLElement} said */
  constructor(table, button, said) {
    this.table = table;
    this.button = button;
    this.said = said;
    this.on = false;
    this.asked = 0;
    this.reading = false;
    /** Who strikes, and who would be struck; as it was when it was asked for. */
    this.sides = { by: "", on: /** @type {string | null} */ (null) };
    /** Where the pointer is. @type {{id: string | null, point: [number, number] | null}} */
    this.pointer = { id: null, point: null };
    button.addEventListener("click", () => (this.on ? this.end() : this.show()));
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "t" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.repeat || isWriting(event.target) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      if (!this.on) this.show();
    });
    document.addEventListener("keyup", (event) => {
      if (event.key.toLowerCase() === "t") this.end();
    });
    window.addEventListener("blur", () => this.end());
    table.host.addEventListener("hover", (event) => {
      this.pointer = /** @type {CustomEvent} */ (event).detail;
      if (this.on) this.#place();
    });
    table.state.addEventListener("change", () => this.end());
  }

  /** Who strikes, and who is struck: the figure or unit selected, if it is of another side. */
  #sides() {
    const { state, selection } = this.table;
    const parties = state.board.parties.map((party) => party.id);
    const own = state.figure(selection.body);
    const mine = own?.side ?? parties.find((side) => state.moves(side) && state.board.acting.includes(side)) ?? parties.find((side) => state.moves(side)) ?? parties[0];
    const over = state.figure(this.pointer.id);
    const by = over && over.side !== mine ? (over.unit ?? over.id) : (parties.find((side) => side !== mine) ?? mine);
    return { by, one: parties.includes(by) ? null : over, on: own && own.side === mine ? (own.unit ?? own.id) : null };
  }

  async show() {
    const { state } = this.table;
    this.on = true;
    this.button.setAttribute("aria-pressed", "true");
    const mine = (this.asked += 1);
    const { by, one, on } = this.#sides();
    this.sides = { by, on };
    try {
      const found = await state.working(state.api.get("threat", { by }));
      if (mine !== this.asked) return;
      this.#draw(found, []);
      this.#tell(found, one?.name);
      if (!on) return;
      this.#place();
      const there = await state.working(state.api.get("threat", { by, on, bands: true }));
      if (mine === this.asked) this.#draw(found, there.bands);
    } catch (error) {
      if (mine === this.asked) this.#refused(error);
    }
  }

  end() {
    if (!this.on) return;
    this.on = false;
    this.asked += 1;
    this.button.setAttribute("aria-pressed", "false");
    this.table.board.threat(null);
    this.table.board.hint(null);
    this.#say("");
  }

  /** What threatens the place under the pointer, no faster than it is answered. */
  async #place() {
    const { state, board } = this.table;
    const { by, on } = this.sides;
    const { point } = this.pointer;
    if (!on || !point || this.reading) return;
    const mine = this.asked;
    this.reading = true;
    try {
      const found = await state.api.get("threat", { by, on, x: point[0], y: point[1] });
      const there = found.there;
      if (mine !== this.asked || !there) return;
      const [first, ...others] = there.strikes.filter((/** @type {{chance: number}} */ { chance }) => chance > 0);
      const words = !first ? there.words : others.length ? `${there.words}: ${first.words}` : first.words;
      board.hint({ at: point, words, kind: there.chance > 0 ? "bad" : "good" });
    } catch (error) {
      if (mine === this.asked) this.#refused(error);
    } finally {
      this.reading = false;
      const stale = mine !== this.asked || this.pointer.point !== point;
      if (this.on && stale) this.#place();
    }
  }

  /** @param {ThreatDoc} found @param {import("../lib/documents.js").ThreatBand[]} bands */
  #draw(found, bands) {
    const told = found.here.filter((danger) => danger.chance > 0 || danger.id === this.sides.on);
    const chances = told.map((danger) => ({
      id: danger.id,
      words: danger.words,
      kind: /** @type {"safe" | "struck"} */ (danger.chance > 0 ? "struck" : "safe"),
    }));
    this.table.board.threat({ chances, bands });
  }

  /** @param {ThreatDoc} found @param {string} [name] of the one that strikes */
  #tell(found, name) {
    const struck = found.here.filter((danger) => danger.chance > 0).length;
    const who = name ?? this.table.state.party(found.by)?.name ?? found.by;
    this.said.hidden = false;
    this.said.title = found.terms.join(" ");
    fill(
      this.said,
      struck ? `${who} could strike ${struck} of ${found.here.length} next.` : `${who} could strike nobody next.`,
      h("details", { class: "terms" }, h("summary", {}, "How this is reckoned"), found.terms.join(" ")),
    );
  }

  /** @param {string} words */
  #say(words) {
    this.said.hidden = words === "";
    fill(this.said, words);
  }

  /** @param {unknown} error */
  #refused(error) {
    if (error instanceof ApiError && error.status === 403) {
      this.said.hidden = false;
      fill(this.said, "This may not be told now. ", ...(error.findings.length ? error.findings.flatMap(sentence) : [error.message]));
      return;
    }
    if (error instanceof ApiError && error.status === 503) {
      this.#say("That is too much to reckon for all of them at once. Hold T over one enemy to ask about him alone.");
      return;
    }
    this.#say(error instanceof Error ? error.message : String(error));
  }
}
