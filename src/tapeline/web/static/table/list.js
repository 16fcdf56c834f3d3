// @ts-check
// The board as text: who stands where, as buttons to select them; and the ghost in words as it moves.

import { fill, h } from "../lib/dom.js";
import { heightsIn, placesIn, storeyIn } from "../lib/lengths.js";
import { keepingFocus, reveal } from "./focus.js";
import { costWords, spoken, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Figure} Figure */

export class List {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.rows = h("div", { class: "list-rows" });
    this.box = h("details", { class: "board-list" }, h("summary", {}, "The board as a list"), this.rows);
    fill(host, this.box);
    const { state, selection, hand, units } = table;
    state.addEventListener("change", () => this.draw());
    selection.addEventListener("select", () => this.draw());
    units.addEventListener("change", () => this.draw());
    hand.addEventListener("verdict", () => this.#ghost());
    this.box.addEventListener("toggle", () => this.draw());
  }

  open() {
    this.box.open = true;
    this.draw();
    reveal(this.box);
    this.rows.querySelector("button")?.focus();
  }

  draw() {
    if (!this.box.open || !this.table.state.match) return;
    keepingFocus(this.rows, () => fill(this.rows, this.#sides(), this.#terrain(), this.#zones()));
  }

  #sides() {
    const { state } = this.table;
    return state.board.parties.map((party) => {
      const groups = state.board.groups.filter((group) => group.side === party.id);
      const grouped = new Set(groups.flatMap((group) => group.members));
      const alone = [...state.board.figures, ...state.tray].filter(
        (figure) => figure.side === party.id && !grouped.has(figure.id) && !state.group(figure.unit),
      );
      return h(
        "section",
        {},
        h("h3", {}, h("span", { class: `side-mark look-${party.look}`, "aria-hidden": "true" }), party.name),
        h(
          "ul",
          {},
          groups.map((group) =>
            h(
              "li",
              {},
              this.#button(group.id, group.name, [told(group.words)]),
              h(
                "ul",
                {},
                group.members.flatMap((id) => {
                  const figure = state.figure(id);
                  return figure ? [h("li", { class: "quiet" }, `${state.name(figure.id)}: ${this.#place(figure)}`)] : [];
                }),
              ),
            ),
          ),
          inOrder(alone).map((figure) =>
            h(
              "li",
              {},
              this.#button(figure.id, figure.name, [
                this.#place(figure),
                ...figure.badges.map((badge) => told(badge.words)),
              ]),
            ),
          ),
        ),
      );
    });
  }

  /** @param {string} id @param {string} name @param {string[]} words */
  #button(id, name, words) {
    const { selection, state, board } = this.table;
    const pressed = selection.ids.includes(id);
    const pick = () => {
      this.table.hand.put();
      selection.select(id);
      const [first] = state.bodies(id);
      if (first) board.reveal(first.id);
      // On a phone the list hides what can be done with it.
      if (matchMedia("(pointer: coarse)").matches) reveal(this.table.hosts.who, "start");
    };
    return h(
      "button",
      { type: "button", class: "list-item", "aria-pressed": String(pressed), dataset: { keep: `list-${id}` }, onclick: pick },
      h("b", {}, name),
      ` ${words.filter(Boolean).join(", ")}`,
    );
  }

  /** Where a body stands, in words. @param {Figure} figure */
  #place(figure) {
    const { units, state } = this.table;
    if (state.waits(figure.id)) return "in the tray";
    const at = `${units.figure(figure.x, 1)}, ${units.figure(figure.y, 1)}`;
    const storey = state.board.storeys.length > 1 ? state.board.storeys.find((one) => one.index === figure.storey) : null;
    const high = figure.z > 1e-6 ? `${units.say(figure.z, 1)} up` : "";
    const front = figure.radius === null ? `looks ${compass(figure.facing)}` : "";
    return [`at ${at} ${units.shown}`, storey ? storeyIn(storey, units) : "", high, front].filter(Boolean).join(", ");
  }

  #terrain() {
    const { state, units } = this.table;
    const named = state.terrain.filter((ground) => ground.says || ground.label);
    if (!named.length) return null;
    return h(
      "details",
      {},
      h("summary", {}, "Terrain"),
      h(
        "ul",
        {},
        named.map((ground) =>
          h("li", {}, ground.says ? `${placesIn(ground.says, units)} ${units.shown}` : heightsIn(ground.label, units)),
        ),
      ),
    );
  }

  #zones() {
    const { state, units } = this.table;
    const zones = state.board.zones ?? [];
    if (!zones.length) return null;
    return h(
      "details",
      {},
      h("summary", {}, "Zones"),
      h("ul", {}, zones.map((zone) => h("li", {}, `${placesIn(zone.says, units)} ${units.shown}`))),
    );
  }

  /** Distance and verdict of the ghost, said no more than twice a second. */
  #ghost() {
    const { hand, units } = this.table;
    const draft = hand.draft;
    const verdict = draft?.verdict;
    if (!draft || !draft.begun || !verdict || draft.late) return;
    const sum = costWords(verdict, draft.control.allowance ?? null, units);
    const end = "end" in draft.fill ? draft.fill.end : null;
    const place = end ? `at ${units.figure(end.x, 2)}, ${units.figure(end.y, 2)}` : "";
    const ruling = verdict.legal
      ? verdict.kind === "STOPPED"
        ? "stopped on the way"
        : "legal"
      : `not allowed: ${verdict.findings.map(spoken).join(" ")}`;
    this.table.say([place, sum, ruling].filter(Boolean).join(", "));
  }

  /** Select the next figure or unit the page may move. @param {number} step */
  next(step) {
    const { state, selection, board } = this.table;
    const acting = new Set(state.board.acting.filter((side) => state.moves(side)));
    const { active = [], waiting = [] } = state.board;
    const mine = [...state.tray, ...inOrder(state.board.figures)].filter((figure) => acting.has(figure.side));
    const ids = mine.map((figure) => (figure.unit && state.group(figure.unit) ? figure.unit : figure.id));
    // Who acts now first, then who still may; where the rules name neither, everybody.
    const able = [active, waiting].flatMap((some) => ids.filter((id) => some.includes(id)));
    const list = [...new Set(able.length ? able : ids)];
    if (!list.length) {
      this.table.notice("None of yours may act now.");
      return;
    }
    const at = selection.id === null ? -1 : list.indexOf(selection.id);
    const id = list[(at + step + list.length + (at < 0 && step < 0 ? 1 : 0)) % list.length];
    this.table.hand.put();
    selection.select(id);
    const [first] = state.bodies(id);
    if (first) {
      board.reveal(first.id);
      board.focus(first.id);
    }
    this.table.say(state.name(id));
  }
}

/** As people read: from the far left corner. @param {Figure[]} figures */
function inOrder(figures) {
  return [...figures].sort((a, b) => b.y - a.y || a.x - b.x);
}

const WINDS = ["right", "far right", "far", "far left", "left", "near left", "near", "near right"];

/** A facing as a direction of the board, seen from the near edge. @param {number} facing degrees */
function compass(facing) {
  return WINDS[((Math.round(facing / 45) % 8) + 8) % 8];
}
