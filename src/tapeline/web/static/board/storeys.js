// @ts-check
// Which plates there are, one for the table or one a storey side by side, and the ground on them.

import { svg } from "../lib/dom.js";
import { storeyIn } from "../lib/lengths.js";
import { groundTile } from "./grounds.js";
import { Plate, num } from "./plate.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/units.js").Units} Units */

/** Distance of plates that stand side by side, as a share of the table. */
const GAP = 0.09;

/**
 * The plates for what is to be shown.
 * @param {BoardDoc} board
 * @param {number | "all"} shown index of a storey, or all of them
 * @param {number} shape width of the frame in heights of it; the plates fill it as well as can be
 */
export function platesOf(board, shown, shape) {
  const { storeys, width, depth } = board;
  if (storeys.length < 2) return [new Plate(board, null, 0, 0)];
  if (shown !== "all") {
    const storey = storeys.find((s) => s.index === shown) ?? storeys[0];
    return [new Plate(board, storey, 0, 0)];
  }
  const gap = GAP * Math.max(width, depth);
  let columns = 1;
  let best = 0;
  for (let tried = 1; tried <= storeys.length; tried += 1) {
    const rows = Math.ceil(storeys.length / tried);
    const size = Math.min(shape / (tried * (width + gap)), 1 / (rows * (depth + gap)));
    if (size > best * 1.001) [columns, best] = [tried, size];
  }
  return storeys.map((storey, n) => {
    const [column, row] = [n % columns, Math.floor(n / columns)];
    const plate = new Plate(board, storey, column * (width + gap), row * (depth + gap));
    plate.alone = false;
    return plate;
  });
}

/**
 * The table itself: ground, lines at round distances, numbers along two edges, a caption.
 * @param {Plate} plate
 * @param {Units} units
 * @param {"full" | "plain" | "bare"} how plain: without numbers; bare: without lines too
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
  const below = plate.storey && plate.storey.index > 0;
  if (below) layer.append(svg("rect", { class: "air", width, height: depth }));
  if (how === "bare") return;
  const step = units.from(units.shown === "in" ? 6 : 10);
  const lines = [];
  for (let x = step; x < width - 1e-6; x += step) lines.push(`M${num(x)} 0V${num(depth)}`);
  for (let y = step; y < depth - 1e-6; y += step) lines.push(`M0 ${num(depth - y)}H${num(width)}`);
  layer.append(svg("path", { class: "grid", d: lines.join("") }));
  layer.append(svg("rect", { class: "edge", width, height: depth }));
  if (how === "full") ruler(plate, units, step);
  const caption = plate.storey ? storeyIn(plate.storey, units) : "";
  if (caption) {
    layer.append(
      svg(
        "g",
        { transform: `translate(${num(width / 2)} 0)` },
        svg("g", { class: "fixed" }, svg("text", { class: "caption", y: -10, text: caption })),
      ),
    );
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
  every(width, (x, n) => ticks.push(`M${num(x)} ${num(depth)}v${num(n % long ? size : 2 * size)}`));
  every(depth, (y, n) =>
    ticks.push(`M0 ${num(depth - y)}h${num(-(n % long ? size : 2 * size))}`),
  );
  const band = 2.2 * size;
  const around = `M0 0h${num(-band)}V${num(depth + band)}H${num(width)}V${num(depth)}H0z`;
  layer.append(svg("path", { class: "tape-measure", d: around }), svg("path", { class: "ticks", d: ticks.join("") }));
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text, side = "") =>
    layer.append(
      svg(
        "g",
        { transform: `translate(${num(x)} ${num(y)})` },
        svg(
          "g",
          { class: "fixed" },
          side
            ? svg("text", { class: "ruler side", x: -6, y: 4, text })
            : svg("text", { class: "ruler", y: 16, text }),
        ),
      ),
    );
  const jump = step * 2;
  for (let x = 0; x <= width + 1e-6; x += jump) put(x, depth + band, units.figure(x, 0));
  for (let y = jump; y <= depth + 1e-6; y += jump) put(-band, depth - y, units.figure(y, 0), "y");
}
