// @ts-check
// Two people at a table: what they say, where they point, and how the match ends or begins again.

import { byId, fill, h } from "../lib/dom.js";
import { keepingFocus } from "./focus.js";
import { sound } from "./sound.js";
import { detail } from "./state.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Remark} Remark */

/** Remarks that are shown, and what is said so often that one press says it. */
const SHOWN = 60;
const PHRASES = ["Hello!", "Good luck.", "One moment, please.", "Your turn.", "Well played!", "Thank you for the game."];

/** For how long it is seen where somebody points, milliseconds. */
const POINTED = 4000;

export class Talk {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Remark[]} */
    this.remarks = [];
    this.unread = 0;
    this.pointing = false;
    this.surely = false;
    this.timer = 0;
    /** The place under the pointer. @type {[number, number] | null} */
    this.over = null;
    this.count = h("b", { class: "unread", hidden: true });
    this.lines = h("ol", { class: "talk-lines", "aria-label": "What was said" });
    this.field = h("input", { type: "text", maxlength: 400, "aria-label": "Say something", placeholder: "Say something", autocomplete: "off" });
    this.form = h(
      "form",
      { class: "talk-form", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.say(this.field.value, true)) },
      this.field,
      h("button", { type: "submit" }, "Say"),
    );
    this.phrases = h(
      "div",
      { class: "talk-phrases", role: "group", "aria-label": "Quick phrases" },
      PHRASES.map((text) => h("button", { type: "button", onclick: () => this.say(text) }, text)),
    );
    this.talk = h("details", { class: "talk", ontoggle: () => this.#read() }, h("summary", {}, "Talk ", this.count), this.lines, this.form, this.phrases);
    this.ends = h("div", { class: "log-buttons", role: "group", "aria-label": "The match" });
    /** Stands in the head, where it is read how the match ended. */
    this.again = h("div", { class: "again" });
    this.host = h("section", { class: "panel-talk", "aria-label": "Talk" }, this.talk, this.ends);
    byId("log").before(this.host);
    const { state, host } = table;
    state.addEventListener("change", () => this.draw());
    state.live.addEventListener("talk", (event) => this.#heard(detail(event).remarks));
    state.live.addEventListener("look", (event) => this.#look(detail(event).pointed));
    host.addEventListener("hover", (event) => {
      this.over = detail(event).point;
    });
    // Before anybody else takes it for a grip or a choice.
    host.addEventListener("pick", (event) => this.#pick(/** @type {CustomEvent} */ (event)), { capture: true });
  }

  get #plays() {
    return this.table.state.now.you.role !== "watch";
  }

  draw() {
    const { you, mode, rematch, copy_of: copy } = this.table.state.now;
    const { over } = this.table.state;
    const two = mode === "links";
    this.talk.hidden = !two;
    this.form.hidden = this.phrases.hidden = you.role === "watch";
    const button = (/** @type {string} */ words, /** @type {() => void} */ does, /** @type {object} */ more = {}) =>
      h("button", { type: "button", dataset: { keep: words }, onclick: does, ...more }, words);
    // Of a puzzle or a lesson nobody is left to whom to give up.
    const { puzzle, lesson } = this.table.state.now;
    const may = this.#plays && !copy && !puzzle && !lesson;
    keepingFocus(this.ends, () =>
      fill(
        this.ends,
        two && this.#plays && button("Look here", () => this.#aim(!this.pointing), { "aria-pressed": String(this.pointing), title: "Then press a place on the board, which all see (H)" }),
        may && !over && !this.surely && !this.table.state.against && button("Offer a draw", () => this.#end("draw")),
        may && !over && !this.surely && button("Give up …", () => this.#sure(true)),
        this.surely && !over && button(`Yes, ${this.#side()} gives up`, () => this.#end("resign"), { class: "primary" }),
        this.surely && !over && button("No, go on", () => this.#sure(false)),
      ),
    );
    fill(
      this.again,
      over && may && !rematch && button("Play the same again", () => this.#end("rematch"), { class: "primary" }),
      rematch && h("a", { class: "button", href: this.#next }, "To the new match"),
    );
    this.host.hidden = !two && !this.ends.childElementCount;
  }

  /** The side in whose name this page speaks now. */
  get #speaks() {
    const { state } = this.table;
    const { you, board } = state.now;
    const own = you.sides.filter((side) => state.moves(side));
    return board.acting.find((side) => own.includes(side)) ?? own[0] ?? you.sides[0];
  }

  /** Where the same is played again. */
  get #next() {
    return `/t/${this.table.state.now.rematch}${location.hash}`;
  }

  #side() {
    return this.table.state.name(this.#speaks);
  }

  /** @param {boolean} surely */
  #sure(surely) {
    this.surely = surely;
    this.draw();
    // What is asked now has the focus, and afterwards what asked it.
    /** @type {HTMLElement | null} */ (this.ends.querySelector(`[data-keep="${surely ? "No, go on" : "Give up …"}"]`))?.focus({ preventScroll: true });
  }

  /** @param {"resign" | "draw" | "rematch"} how */
  async #end(how) {
    this.#sure(false);
    const { state } = this.table;
    const done = await state.end(how, this.#speaks);
    // Where all sides sit here, one press is the answer of all.
    if (done?.proposal && how === "rematch" && state.now.mode === "hotseat") {
      if (await state.reply(done.proposal.id, true)) location.assign(this.#next);
    } else if (done?.proposal) this.table.notice(how === "draw" ? "A draw is offered." : "You have asked to play again.");
  }

  /** @param {string} text @param {boolean} [written] */
  async say(text, written = false) {
    if (!text.trim()) return;
    const { state } = this.table;
    try {
      await state.working(state.api.post("talk", { text }));
      if (written) this.field.value = "";
    } catch (error) {
      state.trouble(error);
    }
  }

  /** @param {Remark[]} fresh */
  #heard(fresh) {
    const { state } = this.table;
    const before = this.remarks.at(-1)?.n ?? 0;
    // After a connection that broke, the newest come once more.
    const news = fresh.filter((one) => one.n > before);
    const others = before || Date.now() / 1000 - (news[0]?.at ?? 0) < 20 ? news.filter((one) => !state.moves(one.by)) : [];
    this.remarks = [...this.remarks, ...news].slice(-SHOWN);
    fill(this.lines, this.remarks.map((one) => this.#line(one)));
    this.lines.scrollTop = this.lines.scrollHeight;
    for (const one of others) {
      if (this.talk.open) this.table.say(`${this.#name(one.by)}: ${one.text}`);
      else this.table.notice(`${this.#name(one.by)}: ${one.text}`);
    }
    if (others.length) sound("bell");
    if (!this.talk.open) this.unread += others.length;
    this.#read();
  }

  #read() {
    if (this.talk.open) {
      this.unread = 0;
      this.lines.scrollTop = this.lines.scrollHeight;
    }
    this.count.hidden = this.unread === 0;
    this.count.textContent = `${this.unread} new`;
  }

  /** @param {string} by */
  #name(by) {
    return by === "watch" ? "An onlooker" : this.table.state.name(by);
  }

  /** @param {Remark} one */
  #line({ by, text, at }) {
    const party = this.table.state.party(by);
    return h(
      "li",
      { title: new Date(1000 * at).toLocaleString() },
      party && h("span", { class: `side-mark look-${party.look}`, "aria-hidden": "true" }),
      h("b", {}, `${this.#name(by)}: `),
      text,
    );
  }

  /** @param {boolean} pointing */
  #aim(pointing) {
    this.pointing = pointing;
    this.table.host.classList.toggle("aiming", pointing);
    this.draw();
  }

  /** @param {CustomEvent} event */
  #pick(event) {
    if (!this.pointing || event.detail.originalEvent.button > 0) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.#aim(false);
    this.point(event.detail.point);
  }

  /** Point at a place, or at what is under the pointer, or at what is selected. @param {[number, number] | null} [at] */
  async point(at = this.over) {
    const { state, selection, board } = this.table;
    if (!this.#plays || state.now.mode !== "links") return;
    const figure = state.figure(selection.body);
    const [x, y] = at ?? (figure ? [figure.x, figure.y] : [state.board.width / 2, state.board.depth / 2]);
    const storey = state.board.storeys.find((one) => one.index === board.storey);
    try {
      await state.api.post("pointing", { x, y, z: at ? (storey?.bottom ?? 0) : (figure?.z ?? 0) });
    } catch (error) {
      state.trouble(error);
    }
  }

  /** Somebody points at a place. @param {import("../lib/documents.js").Pointed} pointed */
  #look({ by, x, y, z }) {
    const { board, state } = this.table;
    const who = this.#name(by);
    board.beacon({ at: [x, y], z, words: `${who}: look here`, look: state.party(by)?.look ?? 0 });
    if (!state.moves(by)) {
      sound("bell");
      this.table.say(`${who} points at ${this.table.units.figure(x)}, ${this.table.units.figure(y)}.`);
    }
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => board.beacon(null), POINTED);
  }
}
