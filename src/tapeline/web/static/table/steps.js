// @ts-check
// What keys and buttons do to the action in hand: steps, turns, way-points, storeys, finding the way.

import { PathFill, PoseFill } from "./fillers.js";
import { heightsUnder } from "./heights.js";
import { StandsFill } from "./picking.js";

/** @typedef {import("./table.js").Table} Table */

export class Steps {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The last place the pointer was over. @type {[number, number] | null} */
    this.over = null;
    /** The storey under it. */
    this.overStorey = 0;
    /** Whether the player chose the height of the next leg, rather than the storey shown. */
    this.chosenHeight = false;
  }

  get draft() {
    return this.table.hand.draft;
  }

  /** The storey shown is where the next leg ends. */
  storey() {
    const fill = this.draft?.fill;
    if (!(fill instanceof PathFill || fill instanceof StandsFill || fill instanceof PoseFill)) return;
    this.chosenHeight = false;
    this.height();
    if (this.draft?.begun) this.draft.changed();
  }

  /** The storey that is shown; of all the one under the pointer. */
  get shownStorey() {
    const { storey } = this.table.board;
    return storey === "all" ? this.overStorey : storey;
  }

  /** The storey shown gives the height of the next leg, unless the player chose one. */
  height() {
    const fill = this.draft?.fill;
    const storey = this.table.state.board.storeys.find((one) => one.index === this.shownStorey);
    if (fill instanceof PoseFill && storey) fill.height = storey.index ? storey.bottom : null;
    if (this.chosenHeight || !(fill instanceof PathFill || fill instanceof StandsFill)) return;
    const storeys = this.table.state.board.storeys;
    if (storeys.length < 2) return;
    const path = fill instanceof StandsFill ? fill.way : fill;
    const { index, bottom, top } = storeys.find((one) => one.index === this.shownStorey) ?? storeys[0];
    const z = path.base.z;
    const there = (index === 0 || z >= bottom - 1e-6) && (top === null || z < top - 1e-6);
    path.level(there ? null : bottom);
  }

  /** @param {number} by degrees */
  turn(by) {
    const draft = this.draft ?? this.begun();
    if (!draft) return;
    draft.fill.turn(by);
    draft.changed();
  }

  /** @param {number} dx @param {number} dy table units */
  nudge(dx, dy) {
    const draft = this.draft ?? this.begun();
    if (!draft || !this.table.hand.dragging) return;
    if (draft.fill instanceof PathFill) this.height();
    // Up is up on the board, as near as a turned one comes to it.
    const { board } = this.table;
    const [c, s] = [[1, 0], [0, 1], [-1, 0], [0, -1]][board.turned];
    draft.fill.nudge(c * dx + s * dy, c * dy - s * dx);
    draft.changed();
  }

  /** What a drag would begin, begun by a key. */
  begun() {
    const { selection, hand } = this.table;
    const control = selection.mine ? selection.natural : undefined;
    if (control) hand.begin(control);
    return hand.draft;
  }

  /** The end so far becomes a way-point. */
  fix() {
    const draft = this.draft;
    if (!draft?.fill.fix()) return;
    const count = "legs" in draft.fill ? draft.fill.legs.length : 0;
    this.table.say(count ? `Way-point ${count}.` : "Way-point.");
    draft.changed();
  }

  back() {
    const draft = this.draft;
    if (!draft) return;
    if (!draft.fill.back()) {
      this.table.hand.put();
      return;
    }
    if (draft.complete && draft.begun) {
      draft.changed();
      return;
    }
    draft.verdict = null;
    draft.fault = "";
    draft.changed();
    this.table.order.judged();
  }

  cancel() {
    const { hand, selection } = this.table;
    if (hand.draft) {
      const asked = hand.draft.answers;
      hand.put();
      if (asked) this.table.card.again();
    } else selection.select(null);
  }

  /** Ask the server for a way from the last way-point's start to where the pointer is. */
  async findWay() {
    const draft = this.draft ?? this.begun();
    const fill = draft?.fill;
    const { state } = this.table;
    if (!draft || !(fill instanceof PathFill) || !draft.control.reach) return;
    const to = this.over ?? fill.loose?.to;
    if (!to) {
      this.table.say("Point at the place first, then ask for the way.");
      return;
    }
    this.height();
    const query = {
      body: draft.body,
      kind: draft.control.reach,
      x: to[0],
      y: to[1],
      z: fill.height ?? undefined,
    };
    try {
      const route = await state.ask("route", query);
      if (this.draft !== draft) return;
      if (!route) {
        this.table.notice("There is no way to that place.");
        return;
      }
      fill.take(route.path);
      draft.changed();
    } catch (error) {
      state.trouble(error);
    }
  }

  /** Heights at which something can stand at a place. @param {number} x @param {number} y @param {number} own */
  heightsAt(x, y, own) {
    return heightsUnder(this.table.state.terrain, x, y, own);
  }
}
