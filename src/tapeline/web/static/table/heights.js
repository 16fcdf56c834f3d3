// @ts-check
// Heights that terrain has at a place of the plan, for a player to choose from; the server says what can be stood on.

import { within } from "../lib/within.js";

/** @typedef {import("../lib/documents.js").Ground} Ground */

/**
 * @param {Ground[]} terrain
 * @param {number} x
 * @param {number} y
 * @param {number} own the height the body has now
 * @returns {number[]} from low to high, without repeats
 */
export function heightsUnder(terrain, x, y, own) {
  const found = [0, own];
  for (const ground of terrain) {
    if (ground.type === "wall" || !ground.shapes.some((shape) => within(shape, x, y))) continue;
    found.push(ground.top);
    if (ground.type !== "floor" && ground.bottom > 0) found.push(ground.bottom);
  }
  found.sort((a, b) => a - b);
  return found.filter((z, n) => n === 0 || z - found[n - 1] > 1e-6);
}
