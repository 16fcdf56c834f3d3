// @ts-check
// What one side asks another to agree to: undos, changes of the table, and what it tells of the real table.

import { byId, fill, h } from "../lib/dom.js";
import { keepingFocus, reveal } from "./focus.js";
import { listed, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Proposal} Proposal */

/** How often the time to object is told anew, milliseconds. */
const LOOK = 500;

export class Proposals {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.host = h("section", { class: "proposals", "aria-label": "Asked for agreement", hidden: true });
    byId("card").after(this.host);
    /** @type {Proposal[]} */
    this.list = [];
    /** Until when others may object, by proposal, milliseconds. @type {Map<string, number>} */
    this.until = new Map();
    /** The one that this page replied to last. */
    this.taken = "";
    table.state.addEventListener("change", (event) => this.take(/** @type {CustomEvent} */ (event).detail));
    window.setInterval(() => this.look(), LOOK);
  }

  /** @param {{grown: boolean}} change */
  take({ grown }) {
    const { state } = this.table;
    const before = this.list;
    this.list = state.now.proposals;
    this.until = new Map(this.list.map((one) => [one.id, performance.now() + 1000 * (one.seconds ?? 0)]));
    const fresh = this.list.filter((one) => !before.some((other) => other.id === one.id));
    const asked = fresh.filter((each) => this.asks(each));
    for (const one of asked) {
      this.table.say(`${this.title(one)} ${this.waits(one)}`, "assertive");
    }
    const still = (/** @type {Proposal} */ one) => this.list.some((other) => other.id === one.id || other.by === one.by);
    const mine = before.filter((one) => one.what === "attest" && state.speaks(one.by) && one.id !== this.taken);
    if (!grown && mine.some((one) => !still(one))) {
      this.table.notice("The other side objects to what you told. Settle it between you, then tell it again.");
    }
    this.draw();
    if (asked.length) reveal(this.host, "start");
  }

  /** Whether this page is asked. @param {Proposal} one */
  asks(one) {
    return one.waits_for.some((side) => this.table.state.speaks(side));
  }

  /** Whole seconds in which others may still object. @param {Proposal} one */
  left(one) {
    return Math.max(0, Math.ceil(((this.until.get(one.id) ?? 0) - performance.now()) / 1000));
  }

  /** @param {string} side */
  name(side) {
    return this.table.state.party(side)?.name ?? side;
  }

  /** @param {Proposal} one */
  title(one) {
    return `${this.name(one.by)} ${one.what === "attest" ? "tells" : "asks"}: ${told(one.text)}.`;
  }

  /** What is waited for, in a sentence. @param {Proposal} one */
  waits(one) {
    const left = this.left(one);
    const others = listed(one.waits_for.map((side) => this.name(side)));
    if (one.what !== "attest") return this.asks(one) ? "" : `Waiting for ${others}.`;
    if (this.asks(one)) {
      const by = this.name(one.by);
      return left ? `If you say nothing for ${left} s, ${by} may go on.` : `${by} may go on without your word.`;
    }
    return left ? `Waiting for ${others}, who may object for ${left} s.` : "Nobody has objected.";
  }

  draw() {
    keepingFocus(this.host, () => fill(this.host, this.list.map((one) => this.one(one))));
    this.host.hidden = this.list.length === 0;
  }

  /** @param {Proposal} one */
  one(one) {
    const { state } = this.table;
    const attests = one.what === "attest";
    const may = !this.asks(one) && state.speaks(one.by);
    const say = (/** @type {boolean} */ accept) => () => {
      this.taken = one.id;
      state.reply(one.id, accept);
    };
    const button = (/** @type {string} */ words, /** @type {boolean} */ accept, /** @type {object} */ more = {}) =>
      h(
        "button",
        { type: "button", dataset: { keep: `${accept ? "yes" : "no"}-${one.id}` }, onclick: say(accept), ...more },
        words,
      );
    return h(
      "div",
      { class: "proposal", role: "group", "aria-label": this.asks(one) ? "Asked of you" : `Asked by ${this.name(one.by)}` },
      h("p", {}, this.title(one)),
      h("p", { class: "quiet", dataset: { waits: one.id } }, this.waits(one)),
      h(
        "div",
        { class: "order-ends" },
        this.asks(one) && button(attests ? "Accept" : "Agree", true, { class: "primary" }),
        this.asks(one) && button(attests ? "Object" : "Do not", false),
        may && attests && button("Go on", true, { class: "primary", hidden: this.left(one) > 0 }),
        may && button("Take it back", false),
      ),
    );
  }

  /** The time to object goes by: words change, and in the end a button shows; nothing is drawn anew. */
  look() {
    for (const one of this.list.filter((each) => each.what === "attest")) {
      const words = this.host.querySelector(`[data-waits="${one.id}"]`);
      if (words) words.textContent = this.waits(one);
      const on = this.host.querySelector(`[data-keep="yes-${one.id}"]`);
      if (on instanceof HTMLElement && on.hidden && !this.left(one)) {
        on.hidden = false;
        this.table.say(`${this.waits(one)} You may go on.`);
      }
    }
  }
}
