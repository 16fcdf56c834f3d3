// @ts-check
// Arrows and rings that people draw on the board, in three colours with a line of its own each.

import { svg } from "../lib/dom.js";
import { fixedAt } from "./plate.js";

/** theirs: drawn by somebody else.
 * @typedef {import("../lib/documents.js").Mark & {theirs?: boolean}} Mark */

/** Pixels: half of a ring, and of the head of an arrow. */
const RING = 17;
const HEAD = 13;

/**
 * @param {import("./plate.js").Plate} plate
 * @param {SVGGElement} layer
 * @param {Mark[]} marks
 */
export function drawArrows(plate, layer, marks) {
  layer.replaceChildren(...marks.filter((mark) => plate.sees(mark.z ?? 0)).map((mark) => one(plate, mark)));
}

/** @param {import("./plate.js").Plate} plate @param {Mark} mark */
function one(plate, { x, y, z, to = null, look = 0, theirs = false }) {
  const group = svg("g", { class: `arrow arrow-${look}${theirs ? " theirs" : ""}` });
  const [x1, y1] = plate.at(x, y, z);
  if (!to) {
    group.append(fixedAt(x1, y1, [svg("circle", { class: "arrow-under", r: RING }), svg("circle", { class: "arrow-line", r: RING })]));
    return group;
  }
  const [x2, y2] = plate.at(to[0], to[1], z);
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const line = { x1, y1, x2, y2 };
  group.append(
    svg("line", { class: "arrow-under", ...line }),
    svg("line", { class: "arrow-line", ...line }),
    fixedAt(x2, y2, svg("path", { class: "arrow-head", d: `M3 0L${-HEAD} ${-HEAD / 2}L${-HEAD * 0.6} 0L${-HEAD} ${HEAD / 2}Z` }), {}, turn),
  );
  return group;
}
