// @ts-check
// How places of the table come onto the board: as a plan, or as a cut-away that shows all storeys at
// once: the plan turned and kept true, heights drawn upwards (a military projection).

/** @typedef {[number, number]} Point */
/** @typedef {{at: (x: number, y: number, z: number) => Point, from: (px: number, py: number, z: number) => Point,
 *            turn: number, width: number, height: number}} Projection */

/** How far up the cut-away draws a unit of height: storeys stand apart, so that each shows its floor. */
export const SPREAD = 2.07;

/** How far the cut-away turns the plan, degrees; quarter turns come on top. */
const ASLANT = 32;

/**
 * Seen from above: table units, y down from the far edge.
 * @param {number} width @param {number} depth @param {boolean} [round] from the other side
 * @returns {Projection}
 */
export function plan(width, depth, round = false) {
  if (round) return { at: (x, y) => [width - x, y], from: (px, py) => [width - px, py], turn: 180, width, height: depth };
  return { at: (x, y) => [x, depth - y], from: (px, py) => [px, depth - py], turn: 0, width, height: depth };
}

/**
 * The table itself fills the box from 0, 0 to width, height; what is higher lies above it.
 * @param {number} width
 * @param {number} depth of the table
 * @param {number} quarters turns to the left
 * @returns {Projection}
 */
export function oblique(width, depth, quarters) {
  const turn = ASLANT + 90 * quarters;
  const [c, s] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const wide = Math.abs(c) * width + Math.abs(s) * depth;
  const high = Math.abs(s) * width + Math.abs(c) * depth;
  return {
    at(x, y, z) {
      const [u, v] = [x - width / 2, y - depth / 2];
      return [wide / 2 + c * u - s * v, high / 2 - s * u - c * v - SPREAD * z];
    },
    from(px, py, z) {
      const [u, v] = [px - wide / 2, high / 2 - py - SPREAD * z];
      return [width / 2 + c * u + s * v, depth / 2 - s * u + c * v];
    },
    turn,
    width: wide,
    height: high,
  };
}
