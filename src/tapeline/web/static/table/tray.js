// @ts-check
// The tray: who has yet to be set up, to be taken in hand here or dragged onto the board.

import { SIGNS } from "../board/signs.js";
import { fill, h, svg } from "../lib/dom.js";
import { keepingFocus } from "./focus.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Figure} Figure */

/** Pixels a pointer may stray and still be a click. */
const SLOP = 6;

export class Tray {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    /** Who was taken from here last: when it is set up, the next one is taken. @type {string | null} */
    this.taken = null;
    /** What it was drawn of last. */
    this.made = "";
    const { state, selection } = table;
    state.addEventListener("change", () => {
      this.draw();
      this.#next();
    });
    selection.addEventListener("select", () => this.draw());
  }

  draw() {
    const { state } = this.table;
    this.host.hidden = !state.match?.board.tray;
    if (this.host.hidden) return;
    // Drawn anew under a finger, a button would be lost to it.
    const wanted = JSON.stringify([state.board.tray, state.board.acting, this.table.selection.ids]);
    if (wanted === this.made) return;
    this.made = wanted;
    keepingFocus(this.host, () => fill(this.host, ...state.board.parties.map((party) => this.#side(party))));
  }

  /** @param {import("../lib/documents.js").Party} party */
  #side(party) {
    const { state } = this.table;
    const list = this.#waiting(party.id);
    const now = state.board.acting.includes(party.id);
    const words = !list.length ? "all set up" : now ? `${list.length} to set up` : `${list.length} left, not now`;
    return h(
      "div",
      { class: "tray-side", role: "group", "aria-label": `Tray of ${party.name}` },
      h("p", {}, h("span", { class: `side-mark look-${party.look}`, "aria-hidden": "true" }), h("b", {}, party.name), ` ${words}`),
      now && state.moves(party.id) && h("div", { class: "tray-list" }, list.map((figures) => this.#item(figures, party.look))),
    );
  }

  /** Those of a side that wait, the stands of a unit together. @param {string} side @returns {Figure[][]} */
  #waiting(side) {
    const { state } = this.table;
    /** @type {Map<string, Figure[]>} */
    const found = new Map();
    for (const figure of state.tray) {
      if (figure.side !== side) continue;
      const id = idOf(this.table, figure);
      found.set(id, [...(found.get(id) ?? []), figure]);
    }
    return [...found.values()];
  }

  /** @param {Figure[]} figures @param {number} look */
  #item(figures, look) {
    const { state, selection } = this.table;
    const [first] = figures;
    const id = idOf(this.table, first);
    const many = figures.length > 1 ? figures.length : first.models;
    return h(
      "button",
      {
        type: "button",
        class: `tray-item look-${look}`,
        "aria-pressed": String(selection.ids.includes(id)),
        title: first.profile,
        dataset: { keep: `tray-${id}`, tray: id },
        onclick: () => this.take(id),
        onpointerdown: (/** @type {PointerEvent} */ event) => this.#held(event, first),
      },
      counter(first, look),
      h("span", { class: "tray-name" }, state.name(id), many && h("small", {}, ` ${many}`)),
    );
  }

  /** Take one in hand. @param {string} id of a body or unit */
  async take(id) {
    const { hand, selection, board } = this.table;
    hand.put();
    await selection.select(id);
    const control = selection.natural;
    if (selection.id !== id || !control) return;
    this.taken = id;
    await hand.begin(control);
    const [first] = hand.draft?.poses ?? [];
    if (first && !matchMedia("(pointer: coarse)").matches) board.focus();
  }

  /** A pointer went down on one: it is dragged out once it has moved. @param {PointerEvent} down @param {Figure} figure */
  #held(down, figure) {
    if (down.button !== 0) return;
    const end = new AbortController();
    const { signal } = end;
    const move = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return;
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SLOP) return;
      end.abort();
      this.taken = null;
      this.table.drag.lift(event, figure.id);
    };
    addEventListener("pointermove", move, { signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => end.abort(), { signal });
  }

  /** The one taken from here has been set up: the next one that this page may. */
  #next() {
    const { state } = this.table;
    const waits = this.taken !== null && state.bodies(this.taken).some((figure) => state.waits(figure.id));
    if (this.taken === null || waits) return;
    this.taken = null;
    const sides = state.board.acting.filter((side) => state.moves(side));
    const [next] = sides.flatMap((side) => this.#waiting(side));
    if (next) setTimeout(() => this.take(idOf(this.table, next[0])));
  }
}

/** The id under which a figure is set up: of its unit, or its own. @param {Table} table @param {Figure} figure */
function idOf(table, figure) {
  return figure.unit && table.state.group(figure.unit) ? figure.unit : figure.id;
}

/** A small counter with the sign of its type. @param {Figure} figure @param {number} look */
function counter(figure, look) {
  const path = SIGNS[figure.role];
  const round = figure.radius !== null;
  return svg(
    "svg",
    { viewBox: "-16 -16 32 32", "aria-hidden": "true", class: `tray-counter look-${look}` },
    round ? svg("circle", { r: 14 }) : svg("rect", { x: -14, y: -9, width: 28, height: 18, rx: 2 }),
    path && svg("path", { d: path, transform: "scale(.8)" }),
  );
}
