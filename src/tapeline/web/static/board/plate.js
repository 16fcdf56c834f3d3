// @ts-check
// A plate: one drawing of the table, of all of it or of a storey, with its layers.

import { svg } from "../lib/dom.js";
import { within } from "../lib/within.js";
import { plan } from "./oblique.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Storey} Storey */

/** What is drawn on a plate, from the bottom to the top: what lies and stands, what is over all. */
const UNDER = /** @type {const} */ (["ground", "zones", "terrain", "threat", "reach", "rings", "past", "figures"]);
const OVER = /** @type {const} */ ([
  "labels",
  "limits",
  "ways",
  "ghosts",
  "lines",
  "pins",
]);

/** Layers of words for the eye: each figure tells its own, the board as a list what lies about, the panel the rest. */
const SEEN = new Set(["ground", "labels", "limits", "pins"]);

/** Heights that differ by no more are one floor of a storey, table units. */
const LEVEL = 0.5 + 1e-6;

/** One drawing of the table: of all of it, of one storey as a plan, or of one storey of the cut-away. */
export class Plate {
  /**
   * @param {BoardDoc} board
   * @param {Storey | null} storey null: the whole table, whatever the height
   * @param {import("./oblique.js").Projection} [view] that of a cut-away; a plan without it
   * @param {boolean} [round] a plan seen from the other side
   */
  constructor(board, storey, view, round = false) {
    this.storey = storey;
    this.width = board.width;
    this.depth = board.depth;
    this.view = view ?? plan(board.width, board.depth, round);
    /** Whether it is the only one: of several each shows only what moves on it. */
    this.alone = view === undefined;
    /** What can be stood on here, for several plates. @type {{shape: import("../lib/documents.js").Shape, z: number}[]} */
    this.solids = [];
    /** What names and bases take of it, pixels at `scale`. @type {{x: number, y: number, width: number, height: number}[]} */
    this.taken = [];
    /** Where the words of a reach stand, drawn, with half their width in pixels. @type {{x: number, y: number, half: number}[]} */
    this.lettered = [];
    /** The same of lengths on ways, by their kind. @type {Map<string, {x: number, y: number, half: number}[]>} */
    this.lengths = new Map();
    this.scale = 1;
    this.under = svg("g");
    this.over = svg("g");
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    for (const name of [...UNDER, ...OVER]) {
      this.layers[name] = svg("g", { class: `layer-${name}`, "aria-hidden": SEEN.has(name) && "true" });
      (OVER.some((each) => each === name) ? this.over : this.under).append(this.layers[name]);
    }
  }

  /** The height of its floor. */
  get floor() {
    return this.storey?.bottom ?? 0;
  }

  /** Drawn coordinates of a place of the table. @param {number} x @param {number} y @param {number} [z] on its floor without it */
  at(x, y, z = this.floor) {
    return this.view.at(x, y, Math.abs(z - this.floor) <= LEVEL ? this.floor : z);
  }

  /** The place of its floor at drawn coordinates; the inverse of `at`. @param {number} px @param {number} py */
  from(px, py) {
    return this.view.from(px, py, this.floor);
  }

  /** How a facing is turned on the drawing, degrees clockwise. @param {number} facing */
  turned(facing) {
    return -(facing + this.view.turn);
  }

  /** Whether something that can be stood on is drawn there. @param {number} px @param {number} py */
  holds(px, py) {
    const [x, y] = this.from(px, py);
    return this.solids.some(({ shape }) => within(shape, x, y));
  }

  /** Whether words about a place of the table would lie over names or bases. @param {number} x @param {number} y */
  crowded(x, y) {
    return this.crowdedAt(...this.at(x, y));
  }

  /** The same of drawn coordinates, or over words of the reach. @param {number} px @param {number} py @param {number} [half] half the width of the words, pixels */
  crowdedAt(px, py, half = 30) {
    const [x, y] = [px * this.scale, py * this.scale];
    const over = (/** @type {{x: number, y: number, half: number}} */ at) =>
      Math.abs(x - at.x * this.scale) < half + at.half && Math.abs(y - at.y * this.scale) < 16;
    return this.lettered.some(over) || this.taken.some(
      (box) => Math.abs(x - box.x - box.width / 2) < half + box.width / 2 && Math.abs(y - box.y - box.height / 2) < 9 + box.height / 2,
    );
  }

  /** Whether something at that height stands on this plate. @param {number} z */
  sees(z) {
    if (!this.storey) return true;
    const { index, bottom, top } = this.storey;
    return (index === 0 || z >= bottom - 1e-6) && (top === null || z < top - 1e-6);
  }

  /** Whether an entry of terrain is drawn in full here. @param {Ground} ground */
  shows(ground) {
    return !this.storey || ground.storeys.includes(this.storey.index);
  }

  /** Whether a part that reaches from bottom to top can be met here.
   * @param {number} bottom @param {number} top */
  cuts(bottom, top) {
    if (!this.storey) return true;
    const { index, bottom: low, top: high } = this.storey;
    return (index === 0 || top > low + 1e-6) && (high === null || bottom < high - 1e-6);
  }
}

/** A number short enough for a path. @param {number} value */
export function num(value) {
  return String(Math.round(value * 1e4) / 1e4);
}

/**
 * What keeps its size on the screen, at drawn coordinates.
 * @param {number} x @param {number} y
 * @param {SVGElement | (SVGElement | null)[]} parts
 * @param {Record<string, string>} [props] of the whole
 * @param {number} [turn] degrees clockwise
 */
export function fixedAt(x, y, parts, props = {}, turn = 0) {
  const turned = turn ? ` rotate(${num(turn)})` : "";
  const transform = `translate(${num(x)} ${num(y)})${turned}`;
  return svg("g", { ...props, transform }, svg("g", { class: "fixed" }, parts));
}
