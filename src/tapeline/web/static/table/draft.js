// @ts-check
// An action being put together: a control begun, what hand and keys filled in, and the newest verdict on it.

import { AmountFill, PathFill, PoseFill } from "./fillers.js";
import { NothingFill, PickFill, PlaceFill, StandsFill } from "./picking.js";
import { detail } from "./state.js";

/** @typedef {import("../lib/documents.js").Control} Control */
/** @typedef {import("../lib/documents.js").Verdict} Verdict */
/** @typedef {import("./fillers.js").Pose} Pose */
/** @typedef {PathFill | PoseFill | AmountFill | PlaceFill | PickFill | StandsFill | NothingFill} Fill */

/** Gestures that a hand on the board carries out. */
export const DRAGGED = new Set(["path", "pose", "turn", "distance", "stands", "place"]);

/** @param {import("../lib/documents.js").Figure} figure @returns {Pose} */
export function poseOf(figure) {
  const { id, x, y, z, facing } = figure;
  return { body: id, x, y, z, facing };
}

/**
 * @param {Control} control
 * @param {Pose[]} poses of the bodies it is about
 * @returns {Fill}
 */
function fillOf(control, poses) {
  const [first] = poses;
  if (control.gesture === "pick") return new PickFill(false);
  if (control.gesture === "pick_many") return new PickFill(true);
  if (!first || control.gesture === "press") return new NothingFill();
  switch (control.gesture) {
    case "path":
      return new PathFill(first);
    case "place":
      return new PlaceFill([first.x, first.y]);
    case "pose":
      return new PoseFill(poses, Boolean(control.turn_slot));
    case "stands":
      return new StandsFill(poses);
    default: {
      const rigid = !("about" in control.action) && !control.extras?.some((x) => x.name === "about");
      return new AmountFill(poses, control.gesture, control.low, control.high, rigid);
    }
  }
}

/** Milliseconds after which a refusal with its nearest legal move is too slow to drag by. */
const SLOW = 250;
/** Milliseconds a hand rests before the nearest legal move is asked for. */
const REST = 160;
/** Kinds of action whose refusals were slow. @type {Set<string>} */
const slow = new Set();

/** Events: "change" when something was filled in, "verdict" when the server judged it. */
export class Draft extends EventTarget {
  /**
   * @param {import("./state.js").State} state
   * @param {Control} control
   * @param {Pose[]} poses
   * @param {{answers?: boolean}} [how] answers: the path answers the open question
   */
  constructor(state, control, poses, how = {}) {
    super();
    this.state = state;
    this.control = control;
    this.poses = poses;
    this.answers = how.answers ?? false;
    this.fill = fillOf(control, poses);
    /** Where the server rolls it draws results, too, unless they are told. @type {Record<string, unknown>} */
    this.extras = {};
    for (const { name, chance } of control.extras ?? []) if (chance && state.now.dice === "server") this.extras[name] = chance;
    /** @type {Verdict | null} */
    this.verdict = null;
    this.fault = "";
    /** Candidates that were judged, and may not be picked. @type {Set<string>} */
    this.barred = new Set();
    /** Whether the verdict is about an earlier filling. */
    this.late = false;
    this.waiting = 0;
    this.first = 0;
    /** When the newest try was sent, and whether without the nearest legal move. */
    this.sent = 0;
    this.quick = false;
    /** Whether the verdict came without the nearest legal move, which is still to be asked for. */
    this.rough = false;
    this.rest = 0;
    this.dead = false;
    /** Whether the hand keeps to a straight line, so that no way round is looked for. */
    this.straight = false;
    /** Whether a way round is being asked for. */
    this.bending = false;
    this.heard = (/** @type {Event} */ event) => this.#heard(detail(event));
    state.live.addEventListener("tried", this.heard);
  }

  /** The body a hand takes hold of. */
  get body() {
    if (this.fill instanceof StandsFill) return this.fill.current;
    return this.poses[0]?.body ?? null;
  }

  /** Begun in place of another action of the same body: the way drawn for that one is drawn for this one. @param {Draft | null} other */
  takeOver(other) {
    if (!other?.begun || other.body !== this.body || !(other.fill instanceof PathFill) || !(this.fill instanceof PathFill)) return;
    this.fill.follow(other.fill);
    this.changed();
  }

  /** Whether there is enough of it to be judged. */
  get complete() {
    return this.fill.complete || Boolean(this.control.optional && !this.chancy);
  }

  /** Whether its result is left to chance: then who is aimed at has to be named, or nobody would be hit. */
  get chancy() {
    return (this.control.extras ?? []).some(({ name, chance }) => chance && this.extras[name] === chance);
  }

  /** Whether a move has been begun, so that something would be lost by leaving it. */
  get begun() {
    return !this.fill.empty;
  }

  /** Whether it would be a move of no length, which nobody does by a slip of the hand. */
  get stays() {
    if (!(this.fill instanceof PathFill) || !this.fill.empty) return false;
    return !this.verdict || (!this.verdict.question && !this.verdict.moved.length);
  }

  /** The action as far as it is filled in. */
  get action() {
    /** @type {Record<string, any>} */
    const action = { ...this.control.action };
    const left = this.control.optional && this.fill.empty;
    if (this.fill.complete && !left) this.fill.fill(action, this.control);
    Object.assign(action, this.extras);
    return action;
  }

  /** @returns {Record<string, any>[]} the legs, where a path answers a question */
  get path() {
    return this.fill instanceof PathFill ? this.fill.legs : [];
  }

  /** Something was filled in: have it judged. */
  changed() {
    this.late = this.verdict !== null;
    this.dispatchEvent(new CustomEvent("change"));
    clearTimeout(this.rest);
    const quick = slow.has(this.kind);
    if (quick) this.rest = window.setTimeout(() => this.try(), REST);
    this.try(quick);
  }

  get kind() {
    return String(this.control.action.kind ?? "");
  }

  /** Have it judged as it stands. @param {boolean} [quick] without the nearest legal move */
  try(quick = false) {
    if (this.dead || !this.complete) return;
    this.sent = performance.now();
    this.quick = quick;
    if (this.state.live.state === "open") {
      const what = this.answers
        ? { path: this.path }
        : { action: this.action, nearest: !quick };
      this.waiting = this.state.live.try(what);
      this.first ||= this.waiting;
    } else if (!this.answers) {
      this.#judge();
    }
  }

  /** By a call of its own, while there is no live connection. */
  async #judge() {
    const mine = (this.waiting -= 1);
    try {
      const verdict = await this.state.api.post("judge", { action: this.action });
      if (mine === this.waiting) this.#take(verdict, "");
    } catch (error) {
      if (mine === this.waiting) this.#take(null, error instanceof Error ? error.message : "");
    }
  }

  /** @param {import("../lib/documents.js").Tried} tried */
  #heard(tried) {
    if (this.dead || !this.first || tried.seq < this.first) return;
    if (tried.stale) {
      // The match itself is on its way; what was tried is tried again on it.
      clearTimeout(this.rest);
      this.rest = window.setTimeout(() => this.try(), REST);
      return;
    }
    if (tried.seq > this.waiting) return;
    this.#take(tried.verdict ?? null, tried.fault ?? "", tried.seq < this.waiting);
  }

  /** @param {Verdict | null} verdict @param {string} fault @param {boolean} [late] */
  #take(verdict, fault, late = false) {
    const took = performance.now() - this.sent;
    if (!late && !this.quick && verdict && !verdict.legal && took > SLOW) slow.add(this.kind);
    this.verdict = verdict;
    this.fault = fault;
    this.late = late;
    this.rough = Boolean(this.quick && verdict && !verdict.legal);
    this.dispatchEvent(new CustomEvent("verdict"));
    if (verdict && !verdict.legal && !this.straight) this.#bend();
  }

  /** A straight way is refused: bend it round by the true one to the same place, if there is one. */
  async #bend() {
    const { fill, control } = this;
    if (this.bending || !control.reach || !(fill instanceof PathFill) || !fill.direct) return;
    const [x, y] = fill.direct;
    this.bending = true;
    const query = { body: this.body, kind: control.reach, x, y, z: fill.height ?? undefined };
    const route = await this.state.api.get("route", query).catch(() => null);
    this.bending = false;
    if (this.dead || this.straight || !fill.direct) return;
    const [u, v] = fill.direct;
    if (x !== u || y !== v) {
      // The hand has moved on meanwhile.
      if (this.verdict && !this.verdict.legal && !this.late) this.#bend();
    } else if (route) {
      fill.bend(route.path);
      this.changed();
    }
  }

  /** Poses as the hand wants them; none where only the server can say. @returns {Pose[]} */
  preview() {
    return this.fill.preview();
  }

  /** Whether a body of this draft has a front worth turning. */
  get turns() {
    return this.poses.some((pose) => this.state.figure(pose.body)?.radius === null);
  }

  /** The nearest legal move in place of a refused one, ready to be done; null if there is none. */
  get nearest() {
    const verdict = this.verdict;
    return verdict && !verdict.legal ? (verdict.nearest ?? null) : null;
  }

  /** Where the body in hand comes to a stop, if it does. @returns {[number, number] | null} */
  get stop() {
    const ways = this.nearest?.traces ?? (this.verdict?.kind === "STOPPED" ? this.verdict.moved : []);
    const way = ways.find((one) => one.body === this.body) ?? ways[0];
    return way ? [way.end[0], way.end[1]] : null;
  }

  /** @param {string} name @param {unknown} value */
  extra(name, value) {
    const about = this.control.extras?.find((extra) => extra.name === name);
    if (about && JSON.stringify(about.default ?? null) === JSON.stringify(value ?? null)) {
      delete this.extras[name];
    } else {
      this.extras[name] = value;
    }
    this.changed();
  }

  /** No more: nothing is listened to any longer. */
  end() {
    this.dead = true;
    clearTimeout(this.rest);
    this.state.live.drop();
    this.state.live.removeEventListener("tried", this.heard);
  }
}
