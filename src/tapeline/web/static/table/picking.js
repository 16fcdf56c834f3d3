// @ts-check
// Fillers that choose: one body, several in order, a place of the table, or a way for each stand of a unit.

import { PathFill, tidy } from "./fillers.js";

/** @typedef {import("./fillers.js").Pose} Pose */
/** @typedef {import("../lib/documents.js").Control} Control */

/** Nothing is open: the action goes as it is. */
export class NothingFill {
  complete = true;
  empty = true;
  end = null;

  preview() {
    return [];
  }

  pointTo() {}

  nudge() {}

  turn() {}

  fix() {
    return false;
  }

  back() {
    return false;
  }

  fill() {}
}

/** One or several ids, in the order of picking. */
export class PickFill extends NothingFill {
  /** @param {boolean} many */
  constructor(many) {
    super();
    this.many = many;
    /** @type {string[]} */
    this.picked = [];
    this.complete = false;
  }

  /** @param {string} id picks it, or lets it go if it was picked */
  pick(id) {
    if (!this.many) this.picked = [id];
    else if (this.picked.includes(id)) this.picked = this.picked.filter((other) => other !== id);
    else this.picked = [...this.picked, id];
    this.complete = this.picked.length > 0;
    this.empty = !this.complete;
  }

  back() {
    const last = this.picked.at(-1);
    if (last === undefined) return false;
    this.picked = this.picked.slice(0, -1);
    this.complete = this.picked.length > 0;
    this.empty = !this.complete;
    return true;
  }

  /** @param {Record<string, any>} [action] @param {Control} [control] */
  fill(action, control) {
    if (action && control) action[control.slot] = this.many ? this.picked : this.picked[0];
  }
}

/** A point of the table. */
export class PlaceFill extends NothingFill {
  /** @param {[number, number]} from where the keys begin */
  constructor(from) {
    super();
    this.from = from;
    /** @type {[number, number] | null} */
    this.to = null;
    this.complete = false;
  }

  /** @param {number} [x] @param {number} [y] */
  pointTo(x = 0, y = 0) {
    this.to = [tidy(x), tidy(y)];
    this.complete = true;
    this.empty = false;
  }

  /** @param {number} [dx] @param {number} [dy] */
  nudge(dx = 0, dy = 0) {
    const [x, y] = this.to ?? this.from;
    this.pointTo(x + dx, y + dy);
  }

  back() {
    const had = this.to !== null;
    this.to = null;
    this.complete = false;
    this.empty = true;
    return had;
  }

  /** @param {Record<string, any>} [action] @param {Control} [control] */
  fill(action, control) {
    if (action && control) action[control.slot] = this.to;
  }
}

/** A way for each stand of a unit, in the order in which they were taken up. */
export class StandsFill {
  /** @param {Pose[]} poses */
  constructor(poses) {
    this.ways = new Map(poses.map((pose) => [pose.body, new PathFill(pose)]));
    /** @type {string[]} */
    this.order = [];
    this.current = poses[0].body;
  }

  /** @returns {PathFill} */
  get way() {
    return /** @type {PathFill} */ (this.ways.get(this.current));
  }

  get complete() {
    return !this.empty;
  }

  get empty() {
    return [...this.ways.values()].every((way) => way.empty);
  }

  get end() {
    return this.way.end;
  }

  /** @param {string} id the stand the hand is on @returns {boolean} whether it is one of these */
  hold(id) {
    if (!this.ways.has(id)) return false;
    this.current = id;
    return true;
  }

  #taken() {
    if (!this.order.includes(this.current)) this.order.push(this.current);
  }

  preview() {
    return [...this.ways.values()].filter((way) => !way.empty).map((way) => way.end);
  }

  /** @param {number} x @param {number} y */
  pointTo(x, y) {
    this.#taken();
    this.way.pointTo(x, y);
  }

  /** The stand in hand lies there, to the last digit. @param {number} x @param {number} y */
  lieAt(x, y) {
    this.#taken();
    this.way.lieAt(x, y);
  }

  /** @param {number} dx @param {number} dy */
  nudge(dx, dy) {
    this.#taken();
    this.way.nudge(dx, dy);
  }

  /** @param {number} by */
  turn(by) {
    this.#taken();
    this.way.turn(by);
  }

  fix() {
    return this.way.fix();
  }

  /** Takes back a leg of the stand in hand, or of the last one that moved. */
  back() {
    let had = this.way.back();
    if (!had) {
      const last = this.order.at(-1);
      if (last === undefined) return false;
      this.current = last;
      had = this.way.back();
    }
    this.order = this.order.filter((id) => !this.ways.get(id)?.empty);
    return had;
  }

  /** @param {string} how */
  manner(how) {
    this.way.manner(how);
  }

  get how() {
    return this.way.how;
  }

  /** @param {number | null} height */
  level(height) {
    this.way.level(height);
  }

  /**
   * Takes over whole ways, as the server gave them.
   * @param {{stand: string, path?: import("./fillers.js").Leg[]}[]} moves
   */
  take(moves) {
    this.order = [];
    for (const way of this.ways.values()) way.take([]);
    for (const move of moves) {
      this.ways.get(move.stand)?.take(move.path ?? []);
      this.order.push(move.stand);
    }
  }

  /** @param {Record<string, any>} action @param {Control} control */
  fill(action, control) {
    action[control.slot] = this.order.map((id) => ({ stand: id, path: this.ways.get(id)?.legs }));
  }
}
