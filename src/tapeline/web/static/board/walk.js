// @ts-check
// Bodies walked along the ways that a log tells of: each goes by its lines, turning as they say.

import { place, signAt } from "./figures.js";
import { num } from "./plate.js";

/** @typedef {import("../lib/documents.js").Figure} Figure */
/** @typedef {import("../lib/documents.js").Trace} Trace */
/** @typedef {import("./drawing.js").Drawing} Drawing */
/** @typedef {{x: number, y: number, z: number, facing: number}} Pose */
/** @typedef {{traces: Trace[], heavy?: boolean}} March ways gone at the same time; heavy: with weight */
/** @typedef {{body: string, from: number, until: number, heavy: boolean, poses: (Pose & {at: number})[]}} Part
 *      poses: along the way, `at` its share from 0 to 1; from, until: milliseconds */

/** How long a way takes: at least, for each inch, at most; milliseconds. */
const [LEAST, AN_INCH, MOST] = [200, 55, 600];

/** A quarter turn takes as long as so many inches. */
const QUARTER = 1.5;

/** How long the table shakes under what came with weight; as in the style. */
const THUD = 180;

/** Walks what is drawn. */
export class Walk {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    /** @type {Part[]} */
    this.parts = [];
    this.frame = 0;
    this.begun = 0;
    this.done = () => {};
  }

  /**
   * Walk one march after another to where the bodies are drawn; a walk that is under way ends.
   * @param {March[]} marches
   * @param {ReadonlyMap<string, Figure>} before where the bodies stood
   * @param {number} pace how many times as fast
   * @returns {Promise<void>} over when all are there; at once where no motion is wanted
   */
  start(marches, before, pace) {
    this.stop();
    if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return Promise.resolve();
    this.parts = partsOf(marches, before, this.drawing.inch, pace);
    if (!this.parts.length) return Promise.resolve();
    this.begun = performance.now();
    this.drawing.root.classList.add("walking");
    this.#step(this.begun);
    return new Promise((over) => {
      this.done = over;
    });
  }

  /** Another board is shown: who stands elsewhere on it walks there no longer. */
  heed() {
    const { before, figures } = this.drawing;
    const stays = this.parts.every(({ body }) => {
      const [a, b] = [before.get(body), figures.get(body)];
      return a && b && a.x === b.x && a.y === b.y && a.z === b.z;
    });
    if (!stays) this.stop();
  }

  /** Everything to its place. */
  stop() {
    cancelAnimationFrame(this.frame);
    for (const body of new Set(this.parts.map((part) => part.body))) this.#home(body);
    this.parts = [];
    this.drawing.root.classList.remove("walking");
    this.done();
  }

  /** @param {number} now */
  #step(now) {
    const past = now - this.begun;
    /** @type {Map<string, Part>} */
    const at = new Map();
    for (const part of this.parts) if (!at.has(part.body) || part.from <= past) at.set(part.body, part);
    for (const [body, part] of at) this.#put(body, poseAt(part, past));
    const last = Math.max(...this.parts.map((part) => part.until));
    const come = this.parts.filter((part) => part.heavy && past >= part.until);
    for (const part of come) part.heavy = false;
    if (come.length) this.#thud();
    if (past < last) {
      this.frame = requestAnimationFrame((time) => this.#step(time));
      return;
    }
    this.stop();
  }

  /** @param {string} body @param {Pose} pose */
  #put(body, pose) {
    const figure = this.drawing.figures.get(body);
    const element = this.drawing.element(body);
    const plate = figure && this.drawing.sheets.find((sheet) => sheet.plate.sees(figure.z))?.plate;
    if (!figure || !element || !plate) return;
    element.setAttribute("transform", place(plate, pose));
    element.querySelector(".turned")?.setAttribute("transform", `rotate(${num(plate.turned(pose.facing))})`);
    element.querySelector(".sign-of")?.setAttribute("transform", signAt(plate, figure, pose.facing));
  }

  /** @param {string} body */
  #home(body) {
    const figure = this.drawing.figures.get(body);
    if (figure) this.#put(body, figure);
  }

  #thud() {
    const { classList } = this.drawing.root;
    classList.add("thud");
    setTimeout(() => classList.remove("thud"), THUD);
  }
}

/**
 * @param {March[]} marches
 * @param {ReadonlyMap<string, Figure>} before
 * @param {number} inch
 * @param {number} pace
 */
function partsOf(marches, before, inch, pace) {
  const parts = /** @type {Part[]} */ ([]);
  /** @type {Map<string, number>} */
  const facings = new Map();
  let from = 0;
  for (const { traces, heavy = false } of marches) {
    let until = from;
    for (const trace of traces) {
      const first = facings.get(trace.body) ?? before.get(trace.body)?.facing ?? trace.facing;
      const { poses, long } = posesOf(trace, first, QUARTER * inch);
      facings.set(trace.body, trace.facing);
      if (long < 1e-6) continue;
      const end = from + Math.min(MOST, Math.max(LEAST, (AN_INCH * long) / inch)) / pace;
      parts.push({ body: trace.body, from, until: end, heavy, poses });
      until = Math.max(until, end);
    }
    from = until;
  }
  return parts;
}

/**
 * The places and facings along a way, and how long it is with its turns.
 * @param {Trace} trace
 * @param {number} facing at its start, degrees
 * @param {number} quarter what a quarter turn counts, table units
 */
function posesOf(trace, facing, quarter) {
  let [x, y, z] = trace.start;
  let long = 0;
  const poses = [{ x, y, z, facing, at: 0 }];
  for (const stretch of trace.stretches) {
    const line = stretch.line.length ? stretch.line : [[x, y]];
    const turn = ((stretch.facing - facing + 540) % 360) - 180;
    const [begun, low] = [facing, z];
    let gone = 0;
    const whole = lengthOf(line);
    line.forEach(([px, py], n) => {
      const step = n ? Math.hypot(px - x, py - y) : 0;
      gone += step;
      // On the spot all of the turn comes at the end of the stretch.
      const share = whole > 1e-9 ? gone / whole : n === line.length - 1 ? 1 : 0;
      const next = begun + turn * share;
      long += Math.max(step, (Math.abs(next - facing) / 90) * quarter);
      [x, y, z, facing] = [px, py, low + (stretch.z - low) * share, next];
      poses.push({ x, y, z, facing, at: long });
    });
  }
  for (const pose of poses) pose.at /= long || 1;
  return { poses, long };
}

/** @param {number[][]} line */
function lengthOf(line) {
  return line.reduce((sum, [x, y], n) => sum + (n ? Math.hypot(x - line[n - 1][0], y - line[n - 1][1]) : 0), 0);
}

/** @param {Part} part @param {number} past @returns {Pose} */
function poseAt({ from, until, heavy, poses }, past) {
  const t = Math.min(1, Math.max(0, (past - from) / (until - from)));
  // What has weight gathers speed until it is stopped; all else sets off and comes to rest.
  const share = heavy ? t ** 2.4 : t * t * (3 - 2 * t);
  const n = Math.max(1, poses.findIndex((pose) => pose.at >= share));
  const [a, b] = [poses[n - 1], poses[n] ?? poses[n - 1]];
  const part = b.at > a.at ? Math.min(1, (share - a.at) / (b.at - a.at)) : 1;
  const between = (/** @type {number} */ one, /** @type {number} */ other) => one + (other - one) * part;
  return { x: between(a.x, b.x), y: between(a.y, b.y), z: between(a.z, b.z), facing: between(a.facing, b.facing) };
}
