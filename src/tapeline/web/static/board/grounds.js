// @ts-check
// The ground of a table: a quiet texture, sown from its name.

import { svg } from "../lib/dom.js";
import { num } from "./plate.js";
import { dot, sown } from "./rings.js";

/** @typedef {{line: string, dots: string}} Marks */

/** Side of a tile, inches. */
const TILE_IN = 9;

/** Rows of flagstones. @param {() => number} random @param {number} tile @returns {Marks} */
function flagstones(random, tile) {
  const row = tile / 9;
  let line = "";
  for (let y = 0; y < tile - row / 2; y += row) {
    line += `M0 ${num(y)}H${num(tile)}`;
    for (let x = random() * row; x < tile; x += row * (0.8 + random())) line += `M${num(x)} ${num(y)}v${num(row)}`;
  }
  return { line, dots: "" };
}

/**
 * Marks put here and there on a tile.
 * @param {() => number} random
 * @param {number} tile
 * @param {number} count
 * @param {(x: number, y: number, size: number) => string} mark size: from 0 to 1
 */
function sprinkled(random, tile, count, mark) {
  return Array.from({ length: count }, () => mark(random() * tile, random() * tile, random())).join("");
}

/** Pocks and scratches. @param {() => number} random @param {number} tile @param {number} inch @returns {Marks} */
function clay(random, tile, inch) {
  const pocks = sprinkled(random, tile, 9, (x, y, size) => {
    const r = inch * (0.12 + 0.2 * size);
    return `M${num(x - r)} ${num(y)}a${num(r)} ${num(0.9 * r)} 0 0 1 ${num(1.7 * r)} ${num(-0.5 * r)}`;
  });
  const scratches = sprinkled(random, tile, 14, (x, y, size) => `M${num(x)} ${num(y)}l${num(0.5 * inch)} ${num(0.06 * inch * (size - 0.5))}`);
  const dots = sprinkled(random, tile, 120, (x, y, size) => dot(x, y, inch * (0.02 + 0.035 * size * size)));
  return { line: pocks + scratches, dots };
}

/** Tufts of grass. @param {() => number} random @param {number} tile @param {number} inch @returns {Marks} */
function meadow(random, tile, inch) {
  const line = sprinkled(random, tile, 34, (x, y, size) => {
    const s = inch * (0.1 + 0.1 * size);
    const root = `M${num(x)} ${num(y)}`;
    return `${root}l${num(-0.6 * s)} ${num(-s)}${root}v${num(-1.35 * s)}${root}l${num(0.6 * s)} ${num(-s)}`;
  });
  return { line, dots: sprinkled(random, tile, 26, (x, y) => dot(x, y, 0.03 * inch)) };
}

/** Strokes of laid paper. @param {() => number} random @param {number} tile @param {number} inch @returns {Marks} */
function paper(random, tile, inch) {
  const line = sprinkled(random, tile, 22, (x, y, size) => {
    const s = inch * (0.2 + 0.25 * size);
    return `M${num(x)} ${num(y)}q${num(s)} ${num(-0.5 * s)} ${num(2 * s)} 0`;
  });
  return { line, dots: sprinkled(random, tile, 60, (x, y) => dot(x, y, 0.035 * inch)) };
}

/** By the name that a board gives; what is unknown is paper. */
const GROUNDS = /** @type {Record<string, typeof paper>} */ ({ flagstones, clay, meadow, paper });

let count = 0;

/**
 * A pattern of the ground and the reference to fill with.
 * @param {string} ground
 * @param {number} inch an inch in table units
 */
export function groundTile(ground, inch) {
  const id = `ground-${(count += 1)}`;
  const tile = TILE_IN * inch;
  const { line, dots } = (GROUNDS[ground] ?? paper)(sown(ground), tile, inch);
  const pattern = svg(
    "pattern",
    { id, width: num(tile), height: num(tile), patternUnits: "userSpaceOnUse" },
    svg("path", { class: "ground-line", d: line, "stroke-width": num(0.035 * inch) }),
    svg("path", { class: "ground-dot", d: dots }),
  );
  return { pattern, fill: `url(#${id})` };
}
