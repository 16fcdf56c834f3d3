// @ts-check
// A ring of points on a curve as that curve: what bends little at a point goes on smoothly there, what
// bends sharply is a corner, and what is long beside its neighbours is straight.
// Source: Catmull and Rom (1974), piecewise cubics through points, with chord lengths as parameters.

import { num } from "./plate.js";

/** @typedef {[number, number]} Point */

/** Degrees: a sharper bend is a corner. */
const CORNER = 45;
/** So many times as long as either neighbour, a side is straight. */
const LONG = 3;

/** @param {Point[]} ring in the coordinates of the drawing @returns {string} path data */
export function smoothPath(ring) {
  const count = ring.length;
  if (count < 3) return "";
  const at = (/** @type {number} */ n) => ring[(n + count) % count];
  const sides = ring.map((a, n) => sideOf(a, at(n + 1)));
  const side = (/** @type {number} */ n) => sides[(n + count) % count];
  const straight = sides.map(({ length }, n) => length > LONG * Math.max(side(n - 1).length, side(n + 1).length));
  const heading = ring.map((_, n) => headingAt(side(n - 1), side(n), straight[(n - 1 + count) % count], straight[n]));
  const words = ring.map((a, n) => {
    const b = at(n + 1);
    const [from, to] = [heading[n], heading[(n + 1) % count]];
    if (straight[n] || (!from && !to)) return `L${num(b[0])} ${num(b[1])}`;
    const third = sides[n].length / 3;
    const own = /** @type {Point} */ ([sides[n].x, sides[n].y]);
    const [ux, uy] = from ?? own;
    const [vx, vy] = to ?? own;
    return `C${num(a[0] + third * ux)} ${num(a[1] + third * uy)} ${num(b[0] - third * vx)} ${num(b[1] - third * vy)} ${num(b[0])} ${num(b[1])}`;
  });
  return `M${num(ring[0][0])} ${num(ring[0][1])}${words.join("")}z`;
}

/** @param {Point} a @param {Point} b */
function sideOf(a, b) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1e-12;
  return { length, x: (b[0] - a[0]) / length, y: (b[1] - a[1]) / length };
}

/**
 * Which way a curve goes through a point; null at a corner.
 * @param {{length: number, x: number, y: number}} before
 * @param {{length: number, x: number, y: number}} after
 * @param {boolean} fixed whether the side before is straight @param {boolean} next and the one after
 * @returns {Point | null}
 */
function headingAt(before, after, fixed, next) {
  if (before.x * after.x + before.y * after.y < Math.cos((CORNER * Math.PI) / 180)) return null;
  if (fixed && next) return null;
  if (fixed) return [before.x, before.y];
  if (next) return [after.x, after.y];
  const x = before.x * after.length + after.x * before.length;
  const y = before.y * after.length + after.y * before.length;
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}
