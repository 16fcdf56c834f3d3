// @ts-check
// Who an action in hand is aimed at: the line there from who acts, with its distance.

import { PickFill } from "./picking.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("../lib/documents.js").Figure} Figure */

/** Ids of those an action is aimed at, the newest choice last. @param {Draft | null} draft @returns {string[]} */
export function aimedAt(draft) {
  if (!draft) return [];
  if (draft.fill instanceof PickFill) return draft.fill.picked;
  const { actor, target, units } = draft.control.action;
  const ids = [target, ...(Array.isArray(units) ? units : [])];
  return ids.filter((id) => typeof id === "string" && id !== actor);
}

/** Draws the line on the board, where the rules tell the distance. */
export class Target {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.shown = "";
    const { hand, units } = table;
    hand.addEventListener("draft", () => this.draw());
    hand.addEventListener("change", () => this.draw());
    units.addEventListener("change", () => {
      this.shown = "";
      this.draw();
    });
  }

  async draw() {
    const { hand, board, state, tools, units } = this.table;
    const ends = tools.mode || !state.board.tape ? null : this.#ends(hand.draft);
    const key = ends ? ends.map((one) => one.id).join(" ") : "";
    if (key === this.shown) return;
    this.shown = key;
    if (!tools.mode) board.tape(null);
    if (!ends) return;
    const [a, b] = ends;
    const measure = await state.api.get("tape", { a: a.id, b: b.id }).catch(() => null);
    if (this.shown !== key || !measure || tools.mode) return;
    const words = units.say(measure.bases ?? measure.centres);
    board.tape({ start: measure.start, end: measure.end, words, heights: [a.z, b.z] });
  }

  /** The nearest two of who acts and who is aimed at. @param {Draft | null} draft @returns {[Figure, Figure] | null} */
  #ends(draft) {
    const { state } = this.table;
    const aim = aimedAt(draft).at(-1);
    if (!draft || !aim) return null;
    const from = state.bodies(String(draft.control.action.actor ?? draft.body ?? ""));
    const pairs = from.flatMap((one) => state.bodies(aim).map((other) => /** @type {[Figure, Figure]} */ ([one, other])));
    const far = (/** @type {[Figure, Figure]} */ [one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
    return pairs.sort((one, other) => far(one) - far(other))[0] ?? null;
  }
}
