// @ts-check
// Arrows and rings that people draw on the board, in three colours with a line of its own each; and thin arrows
// from who has declared to go for others to those.

import { svg } from "../lib/dom.js";
import { halfOf } from "./figures.js";
import { fixedAt } from "./plate.js";

/** theirs: drawn by somebody else.
 * @typedef {import("../lib/documents.js").Mark & {theirs?: boolean}} Mark */
/** @typedef {import("../lib/documents.js").Figure} Figure */

/** Pixels: half of a ring, and of the head of an arrow. */
const RING = 17;
const HEAD = 13;
/** The head of an arrow of who has declared to go for somebody. */
const AIM = 9;

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
  group.append(...shaft({ x1, y1, x2, y2 }, HEAD));
  return group;
}

/** A line with a head at its end. @param {{x1: number, y1: number, x2: number, y2: number}} line @param {number} size of the head, pixels */
function shaft({ x1, y1, x2, y2 }, size) {
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const line = { x1, y1, x2, y2 };
  return [
    svg("line", { class: "arrow-under", ...line }),
    svg("line", { class: "arrow-line", ...line }),
    fixedAt(x2, y2, svg("path", { class: "arrow-head", d: `M3 0L${-size} ${-size / 2}L${-size * 0.6} 0L${-size} ${size / 2}Z` }), {}, turn),
  ];
}

/**
 * From who has declared to go for others to the bases of those.
 * @param {import("./plate.js").Plate} plate @param {SVGGElement} layer @param {Map<string, Figure>} figures
 */
export function drawAims(plate, layer, figures) {
  const from = [...figures.values()].filter((figure) => plate.alone || plate.sees(figure.z));
  const drawn = from.flatMap((figure) =>
    (figure.aims ?? []).flatMap((id) => {
      const to = figures.get(id);
      if (!to) return [];
      const [x1, y1] = plate.at(figure.x, figure.y, figure.z);
      const [x, y] = plate.at(to.x, to.y, to.z);
      const left = 1 - halfOf(to) / Math.hypot(x - x1, y - y1);
      const line = { x1, y1, x2: x1 + left * (x - x1), y2: y1 + left * (y - y1) };
      return left > 0 ? [svg("g", { class: "arrow arrow-0 aim", "data-aims": `${figure.id} ${id}` }, shaft(line, AIM))] : [];
    }),
  );
  layer.replaceChildren(...drawn);
}
