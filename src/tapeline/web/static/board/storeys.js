// @ts-check
// Which plates there are, one plan or one for each storey of the cut-away, and the ground of a plan.

import { svg } from "../lib/dom.js";
import { storeyIn } from "../lib/lengths.js";
import { groundTile } from "./grounds.js";
import { oblique } from "./oblique.js";
import { Plate, fixedAt, num } from "./plate.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/units.js").Units} Units */

/**
 * The plates for what is to be shown, the lowest first.
 * @param {BoardDoc} board
 * @param {number | "all"} shown index of a storey, or all of them at once
 * @param {number} quarters turns to the left; a plan is seen from one side or the other
 */
export function platesOf(board, shown, quarters) {
  const { storeys, width, depth } = board;
  const round = quarters >= 2;
  if (storeys.length < 2) return [new Plate(board, null, undefined, round)];
  if (shown !== "all") return [new Plate(board, storeys.find((s) => s.index === shown) ?? storeys[0], undefined, round)];
  const view = oblique(width, depth, quarters);
  return storeys.map((storey) => new Plate(board, storey, view));
}

/**
 * The table itself: ground, lines at round distances, numbers along two edges, a caption.
 * @param {Plate} plate
 * @param {Units} units
 * @param {"full" | "bare"} how bare: without lines and numbers
 * @param {string} ground
 * @param {number} inch an inch in table units
 */
export function drawGround(plate, units, how, ground, inch) {
  const { width, depth } = plate;
  const layer = plate.layers.ground;
  const { pattern, fill } = groundTile(ground, inch);
  layer.replaceChildren(
    svg("defs", {}, pattern),
    svg("rect", { class: "table", width, height: depth }),
    svg("rect", { class: "ground-marks fine", width, height: depth, fill }),
  );
  if (plate.storey && plate.storey.index > 0) layer.append(svg("rect", { class: "air", width, height: depth }));
  if (how === "bare") return;
  const step = units.from(units.shown === "in" ? 6 : 10);
  const lines = [];
  for (let x = step; x < width - 1e-6; x += step) lines.push(`M${num(plate.at(x, 0)[0])} 0V${num(depth)}`);
  for (let y = step; y < depth - 1e-6; y += step) lines.push(`M0 ${num(plate.at(0, y)[1])}H${num(width)}`);
  layer.append(svg("path", { class: "grid", d: lines.join("") }));
  layer.append(svg("rect", { class: "edge", width, height: depth }));
  ruler(plate, units, step);
  const caption = plate.storey ? storeyIn(plate.storey, units) : "";
  if (caption) {
    layer.append(fixedAt(width / 2, 0, svg("text", { class: "caption", y: -10, text: caption })));
  }
}

/**
 * Ticks at every unit and numbers at round ones, along the near and the left edge.
 * @param {Plate} plate
 * @param {Units} units
 * @param {number} step
 */
function ruler(plate, units, step) {
  const { width, depth } = plate;
  const layer = plate.layers.ground;
  const one = units.from(1);
  const fine = units.shown === "in" ? one : one * 5;
  const size = width * 0.006;
  const ticks = /** @type {string[]} */ ([]);
  const every = (/** @type {number} */ far, /** @type {(v: number, n: number) => void} */ does) => {
    for (let n = 0; n * fine <= far + 1e-6; n += 1) does(n * fine, n);
  };
  const long = Math.round(step / fine);
  every(width, (x, n) => ticks.push(`M${num(plate.at(x, 0)[0])} ${num(depth)}v${num(n % long ? size : 2 * size)}`));
  every(depth, (y, n) =>
    ticks.push(`M0 ${num(plate.at(0, y)[1])}h${num(-(n % long ? size : 2 * size))}`),
  );
  const band = 2.2 * size;
  const around = `M0 0h${num(-band)}V${num(depth + band)}H${num(width)}V${num(depth)}H0z`;
  layer.append(svg("path", { class: "tape-measure", d: around }), svg("path", { class: "ticks", d: ticks.join("") }));
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text, side = "") =>
    layer.append(fixedAt(x, y, svg("text", side ? { class: "ruler side", x: -6, y: 4, text } : { class: "ruler", y: 16, text })));
  const jump = step * 2;
  for (let x = 0; x <= width + 1e-6; x += jump) put(plate.at(x, 0)[0], depth + band, units.figure(x, 0));
  for (let y = jump; y <= depth + 1e-6; y += jump) put(-band, plate.at(0, y)[1], units.figure(y, 0), "y");
}
