// @ts-check
// A card beside a figure on which the mouse rests: who it is, its profile, and what would come of choosing it.

import { fill, h } from "../lib/dom.js";
import { oddsList } from "./odds.js";
import { PickFill } from "./picking.js";
import { detail } from "./state.js";
import { told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** Milliseconds the mouse rests before the card comes. */
const REST = 350;

/** Figures of a profile that are shown. */
const MOST = 10;

export class Hover {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.card = h("div", { class: "hover-card", hidden: true, "aria-hidden": "true" });
    table.host.append(this.card);
    /** @type {string | null} */
    this.id = null;
    this.timer = 0;
    table.host.addEventListener("hover", (event) => this.#hover(detail(event)));
    table.host.addEventListener("pick", () => this.#end());
    table.state.addEventListener("change", () => this.#end());
  }

  /** @param {{id: string | null, originalEvent: PointerEvent | null}} found */
  #hover({ id, originalEvent }) {
    const mouse = originalEvent?.pointerType === "mouse" && !originalEvent.buttons;
    const { hand, state, tools } = this.table;
    const known = mouse && state.figure(id) && !hand.dragging && !tools.threat.on && !tools.mode ? id : null;
    if (known === this.id) return;
    this.#end();
    this.id = known;
    if (known !== null) this.timer = window.setTimeout(() => this.#show(known), REST);
  }

  #end() {
    clearTimeout(this.timer);
    this.id = null;
    this.card.hidden = true;
  }

  /** @param {string} id */
  #show(id) {
    const { state } = this.table;
    const board = this.table.show.past ?? state.board;
    const figure = board.figures.find((one) => one.id === id);
    if (!figure) return;
    const group = board.groups.find((one) => one.id === figure.unit);
    const party = state.party(figure.side);
    const stats = Object.entries(figure.stats).filter(([, value]) => (typeof value === "number" || typeof value === "string") && value);
    const badges = [...figure.badges, ...(group?.badges ?? [])].map((badge) => told(badge.words));
    fill(
      this.card,
      h("p", {}, h("span", { class: `side-mark look-${party?.look ?? 0}` }), h("b", {}, group?.name || figure.name)),
      h("p", { class: "quiet" }, [figure.profile, group && told(group.words)].filter(Boolean).join(" · ")),
      stats.length > 0 &&
        h("dl", {}, stats.slice(0, MOST).map(([name, value]) => h("div", {}, h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, String(value))))),
      badges.length > 0 && h("p", { class: "quiet" }, [...new Set(badges)].join(", ")),
    );
    this.card.hidden = false;
    this.#beside(id);
    this.#odds(id, figure.unit);
  }

  /** Where it hides neither the figure nor leaves the board. @param {string} id */
  #beside(id) {
    const body = this.table.board.element(id)?.getBoundingClientRect();
    const frame = this.table.host.getBoundingClientRect();
    if (!body) return;
    const { offsetWidth: wide, offsetHeight: high } = this.card;
    const right = body.right - frame.left + 10;
    const left = right + wide > frame.width ? body.left - frame.left - wide - 10 : right;
    const top = Math.min(Math.max(8, body.top - frame.top), frame.height - high - 8);
    this.card.style.setProperty("left", `${Math.max(8, left)}px`);
    this.card.style.setProperty("top", `${Math.max(8, top)}px`);
  }

  /** What the dice would make of choosing it, where it can be chosen. @param {string} id @param {string | null} unit */
  async #odds(id, unit) {
    const { hand, odds } = this.table;
    const draft = hand.draft;
    const picked = draft?.fill instanceof PickFill && !draft.fill.many ? draft.control : null;
    const target = picked?.candidates?.find((one) => one === id || one === unit);
    if (!picked || !target) return;
    const action = { ...picked.action, [picked.slot]: target };
    const found = await odds.of(action);
    // Of one outcome there is nothing to be thrown.
    if (this.id !== id || !found || found.outcomes.length < 2) return;
    this.card.append(h("div", { class: "odds" }, ...oddsList(found)));
    this.#beside(id);
  }
}
