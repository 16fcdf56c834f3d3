// @ts-check
// A plate with what lies on it: ghosts, groups for overlays, and what pins there keep off.

import { svg } from "../lib/dom.js";
import { boxOf } from "./figures.js";
import { Ghosts } from "./ways.js";

/** @typedef {import("./drawing.js").Drawing} Drawing */
/** @typedef {import("./pins.js").Box} Box */
/** @typedef {import("./plate.js").Plate} Plate */
/** single: it shows what is drawn once however many storeys there are.
 * @typedef {{plate: Plate, ghosts: Ghosts, sub: (name: string) => SVGGElement, single: boolean}} Sheet */

/** A plate with its ghosts and groups for overlays, made as they are needed.
 * @param {Plate} plate @param {number} n @returns {Sheet} */
export function sheetOf(plate, n) {
  /** @type {Map<string, SVGGElement>} */
  const subs = new Map();
  const sub = (/** @type {string} */ name) => {
    let found = subs.get(name);
    if (!found) {
      found = svg("g");
      subs.set(name, found);
      // Who has gone a way, or means to go, stands on its end: what is written on a base stays legible.
      const layer = name === "ways-past" || name === "aims" ? "past" : name.startsWith("ways") ? "ways" : name === "handles" ? "ghosts" : "lines";
      plate.layers[layer].append(found);
    }
    return found;
  };
  return { plate, ghosts: new Ghosts(plate), sub, single: n === 0 };
}

/** The least y at which a shape is drawn. @param {Plate} plate @param {import("../lib/documents.js").Shape} shape @param {number} z */
export function highestOf(plate, { circle, corners }, z) {
  if (circle) return plate.at(circle[0], circle[1], z)[1] - circle[2];
  return Math.min(...corners.map(([x, y]) => plate.at(x, y, z)[1]));
}

/** What pins keep off on a plate: above all what is under way, then who stands there.
 * @param {Plate} plate @param {Drawing} drawing */
export function coversOf(plate, { scale, known, figures, cutaway, set }) {
  const pixels = (/** @type {Box} */ box) => ({
    x: box.x * scale,
    y: box.y * scale,
    width: box.width * scale,
    height: box.height * scale,
  });
  const found = [];
  for (const ghost of set.ghosts) {
    const figure = known.get(ghost.body);
    if (!figure) continue;
    for (const [x, y] of [[ghost.x, ghost.y], ...(ghost.tail ? [ghost.tail] : [])]) {
      found.push({ box: pixels(boxOf(plate, { ...figure, x, y, z: ghost.z ?? figure.z, facing: ghost.facing })), cost: 6 });
    }
  }
  for (const { x, y, half } of [...plate.lengths.values()].flat()) {
    found.push({ box: { x: x * scale - half, y: y * scale - 20, width: 2 * half, height: 22 }, cost: 2 });
  }
  for (const figure of figures.values()) {
    if (cutaway || plate.sees(figure.z)) found.push({ box: pixels(boxOf(plate, figure)), cost: 1 });
  }
  return found;
}
