// @ts-check
// A plate: one drawing of the table, of all of it or of a storey, with its layers.

import { svg } from "../lib/dom.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Storey} Storey */

/** What is drawn on a plate, from the bottom to the top. */
const LAYERS = /** @type {const} */ ([
  "ground",
  "zones",
  "terrain",
  "reach",
  "rings",
  "figures",
  "labels",
  "limits",
  "ways",
  "ghosts",
  "lines",
  "pins",
]);

/** One drawing of the table. Its own coordinates are table units, y down from the far edge. */
export class Plate {
  /**
   * @param {BoardDoc} board
   * @param {Storey | null} storey null: the whole table, whatever the height
   * @param {number} left
   * @param {number} top where it lies in the world, table units
   */
  constructor(board, storey, left, top) {
    this.storey = storey;
    this.width = board.width;
    this.depth = board.depth;
    this.left = left;
    this.top = top;
    /** What names and bases take of it, pixels at `scale`. @type {{x: number, y: number, width: number, height: number}[]} */
    this.taken = [];
    this.scale = 1;
    /** Whether it is the only one: of several each shows only what moves on it. */
    this.alone = true;
    this.group = svg("g", { transform: `translate(${num(left)} ${num(top)})` });
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = svg("g", { class: `layer-${name}` });
      this.group.append(this.layers[name]);
    }
  }

  /** Drawn coordinates of a place of the table. @param {number} x @param {number} y */
  at(x, y) {
    return /** @type {[number, number]} */ ([x, this.depth - y]);
  }

  /** Whether a place of the world is on this plate. @param {number} x @param {number} y */
  holds(x, y) {
    const [dx, dy] = [x - this.left, y - this.top];
    return dx >= 0 && dx <= this.width && dy >= 0 && dy <= this.depth;
  }

  /** Whether words about a place of the table would lie over names or bases. @param {number} x @param {number} y */
  crowded(x, y) {
    const [px, py] = this.at(x, y).map((value) => value * this.scale);
    return this.taken.some(
      (box) => Math.abs(px - box.x - box.width / 2) < 30 + box.width / 2 && Math.abs(py - box.y - box.height / 2) < 9 + box.height / 2,
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
