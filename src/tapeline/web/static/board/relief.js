// @ts-check
// Height that is seen: shadows that things cast, and edges in light and in shade.

import { svg } from "../lib/dom.js";
import { closed, ringOf, shifted, sides, towardsLight, turned } from "./rings.js";
import { num } from "./plate.js";

/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Shape} Shape */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("./rings.js").Ring} Ring */

/** How far a shadow falls to the right and down, in heights of the thing: a quarter in all. */
const FALL = [0.175, 0.178];

/** What is higher, in inches, casts no longer shadow. */
const HIGHEST_IN = 6.5;

/** What is lower, in inches, lies flat and casts none. */
export const FLAT = 0.05;

/**
 * A ring swept along the light: its far end and what each side passes over, all turned one way, so
 * that filling with the nonzero rule gives their exact union.
 * @param {Ring} ring
 * @param {number} high
 */
export function shadowOf(ring, high) {
  const [dx, dy] = [FALL[0] * high, FALL[1] * high];
  const passed = sides(ring).map(([a, b]) => [a, b, ...shifted([b, a], dx, dy)]);
  return [shifted(ring, dx, dy), ...passed].map((part) => closed(turned(part))).join("");
}

/**
 * The shadows of a plate as one path: they do not add up where they meet.
 * @param {Plate} plate
 * @param {Ground[]} terrain
 * @param {number} inch an inch in table units
 */
export function shadowsOf(plate, terrain, inch) {
  const floor = plate.storey?.bottom ?? 0;
  const swept = terrain.flatMap((ground) =>
    ground.shapes.map((shape) => {
      const high = Math.min(heightOf(ground, shape) - floor, HIGHEST_IN * inch);
      return high > FLAT * inch ? shadowOf(ringOf(plate, shape), high) : "";
    }),
  );
  return svg(
    "svg",
    { class: "shadows", role: "presentation", width: num(plate.view.width), height: num(plate.view.height) },
    svg("path", { class: "shadow", d: swept.join("") }),
  );
}

/** The height up to which a part casts a shadow. @param {Ground} ground @param {Shape} shape */
function heightOf(ground, shape) {
  if (shape.part === "wall") return shape.top ?? ground.top;
  const solid = shape.part === "floor" || (shape.part === "ground" && ground.type === "piece");
  return solid ? ground.top : 0;
}

/**
 * Edges towards the light and away from it; of something sunk the other way round. Source: Tanaka,
 * The relief contour method (1950).
 * @param {Ring} ring
 * @param {boolean} [sunk]
 */
export function litEdges(ring, sunk = false) {
  const lines = { lit: "", shady: "" };
  for (const side of sides(ring)) {
    const [[ax, ay], [bx, by]] = side;
    const kind = towardsLight(side) > 0.05 !== sunk ? "lit" : "shady";
    lines[kind] += `M${num(ax)} ${num(ay)}L${num(bx)} ${num(by)}`;
  }
  return Object.entries(lines).map(([kind, d]) => svg("path", { class: kind, d }));
}
