// @ts-check
// Rings of corners for decoration: drawn inside a piece of terrain, never measured against.

import { num } from "./plate.js";

/** @typedef {[number, number]} Point */
/** @typedef {Point[]} Ring */
/** @typedef {import("../lib/documents.js").Shape} Shape */
/** @typedef {import("./plate.js").Plate} Plate */

/** Corners that stand for a circle. */
const ROUND = 48;

/** Where the light comes from: the upper left. */
const LIGHT = Math.SQRT1_2;

/** The border of a shape in the coordinates of a plate, turned one way. @param {Plate} plate @param {Shape} shape */
export function ringOf(plate, shape) {
  if (!shape.circle) return turned(shape.corners.map(([x, y]) => plate.at(x, y)));
  const [cx, cy, r] = shape.circle;
  const [x, y] = plate.at(cx, cy);
  return Array.from({ length: ROUND }, (_, n) => {
    const turn = (2 * Math.PI * n) / ROUND;
    return /** @type {Point} */ ([x + r * Math.cos(turn), y + r * Math.sin(turn)]);
  });
}

/** Twice the area, positive for the sense that `turned` gives. @param {Ring} ring */
function doubleArea(ring) {
  return sides(ring).reduce((sum, [[x, y], [u, v]]) => sum + x * v - u * y, 0);
}

/** @param {Ring} ring */
export function turned(ring) {
  return doubleArea(ring) < 0 ? [...ring].reverse() : ring;
}

/** How large a ring is: the side of a square of its area. @param {Ring} ring */
export function sizeOf(ring) {
  return Math.sqrt(Math.abs(doubleArea(ring)) / 2);
}

/** @param {Ring} ring @returns {[Point, Point][]} */
export function sides(ring) {
  return ring.map((a, n) => [a, ring[(n + 1) % ring.length]]);
}

/** Towards the mean of its corners, or away from it. @param {Ring} ring @param {number} factor */
export function scaledRing(ring, factor) {
  const x = ring.reduce((sum, corner) => sum + corner[0], 0) / ring.length;
  const y = ring.reduce((sum, corner) => sum + corner[1], 0) / ring.length;
  return ring.map(([u, v]) => /** @type {Point} */ ([x + (u - x) * factor, y + (v - y) * factor]));
}

/** @param {Ring} ring @param {number} dx @param {number} dy */
export function shifted(ring, dx, dy) {
  return ring.map(([x, y]) => /** @type {Point} */ ([x + dx, y + dy]));
}

/** @param {Ring} ring */
export function closed(ring) {
  return `M${ring.map(([x, y]) => `${num(x)} ${num(y)}`).join("L")}z`;
}

/** How far a side looks towards the light: 1 fully, -1 away. @param {[Point, Point]} side */
export function towardsLight([a, b]) {
  const [nx, ny] = [b[1] - a[1], a[0] - b[0]];
  return (-LIGHT * (nx + ny)) / (Math.hypot(nx, ny) || 1);
}

/** @param {number} x @param {number} y @param {number} r */
export function dot(x, y, r) {
  const d = num(2 * r);
  return `M${num(x - r)} ${num(y)}a${num(r)} ${num(r)} 0 1 0 ${d} 0a${num(r)} ${num(r)} 0 1 0 -${d} 0z`;
}

/**
 * Numbers from 0 to 1 that look random and are the same for the same text. Source: xmur3 and
 * mulberry32, in the public domain.
 * @param {string} text
 */
export function sown(text) {
  let seed = 1779033703 ^ text.length;
  for (const letter of text) {
    seed = Math.imul(seed ^ letter.charCodeAt(0), 3432918353);
    seed = (seed << 13) | (seed >>> 19);
  }
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Whether a place is inside a ring and at least so far from its border.
 * @param {Ring} ring @param {Point} place @param {number} keep */
function wellInside(ring, [x, y], keep) {
  let inside = false;
  for (const [[ax, ay], [bx, by]] of sides(ring)) {
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    const [ux, uy] = [bx - ax, by - ay];
    const along = ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy || 1);
    const t = Math.max(0, Math.min(1, along));
    if (Math.hypot(x - ax - t * ux, y - ay - t * uy) < keep) return false;
  }
  return inside;
}

/**
 * Places spread over a ring, kept off its border.
 * @param {Ring} ring
 * @param {number} step between neighbours
 * @param {number} keep
 * @param {() => number} random
 */
export function scattered(ring, step, keep, random) {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const [right, low] = [Math.max(...xs), Math.max(...ys)];
  const found = /** @type {Ring} */ ([]);
  let odd = 0;
  for (let y = Math.min(...ys); y < low; y += 0.87 * step, odd = 0.5 - odd) {
    for (let x = Math.min(...xs) + odd * step; x < right; x += step) {
      const place = /** @type {Point} */ ([x + (random() - 0.5) * 0.5 * step, y + (random() - 0.5) * 0.5 * step]);
      if (wellInside(ring, place, keep)) found.push(place);
    }
  }
  return found;
}
