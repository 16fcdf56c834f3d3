// @ts-check
// Terrain on a plate: what is met on this storey in full, the rest as a faint outline.

import { svg } from "../lib/dom.js";
import { PATTERNS, TILED } from "./patterns.js";
import { featureOf } from "./features.js";
import { num } from "./plate.js";
import { FLAT, shadowsOf } from "./relief.js";

/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Shape} Shape */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("./patterns.js").Patterns} Patterns */
/** inch: an inch in table units; says: words about a piece, in the unit that is shown.
 * @typedef {{still: boolean, inch: number, says: (text: string) => string}} TerrainHow */

/**
 * Draw all terrain of a plate anew, lower things first.
 * @param {Plate} plate
 * @param {Ground[]} terrain
 * @param {Patterns} patterns
 * @param {TerrainHow} how
 */
export function drawTerrain(plate, terrain, patterns, how) {
  const drawn = [...terrain].sort((a, b) => order(a) - order(b));
  const faint = drawn.filter((ground) => !plate.shows(ground));
  const full = drawn.filter((ground) => plate.shows(ground));
  const flat = full.filter((ground) => ground.top - (plate.storey?.bottom ?? 0) <= FLAT * how.inch);
  const standing = full.filter((ground) => !flat.includes(ground));
  const made = (/** @type {Ground} */ ground) => groundOf(plate, ground, patterns, how);
  plate.layers.terrain.replaceChildren(
    ...faint.map((ground) => outlineOf(plate, ground)),
    ...flat.map(made),
    shadowsOf(plate, standing, how.inch),
    ...standing.map(made),
  );
}

/** Lower first; walls and ways up over the floors they stand on. @param {Ground} ground */
function order(ground) {
  const over = { piece: 0, floor: 0.2, ramp: 0.5, wall: 0.6, face: 0.6, ladder: 0.7 };
  const height = ground.type === "floor" ? ground.top : ground.bottom;
  return height * 10 + (over[ground.type] ?? 0) * 10 + Math.min(ground.top, 50) * 0.001;
}

/** @param {Plate} plate @param {Ground} ground */
function outlineOf(plate, ground) {
  const parts = ground.shapes.filter((shape) => !["step", "hatch", "hole"].includes(shape.part));
  const d = parts.map((shape) => pathOf(plate, shape)).join("");
  return svg("path", { class: "terrain faint", d, "data-terrain": ground.id });
}

/**
 * @param {Plate} plate
 * @param {Ground} ground
 * @param {Patterns} patterns
 * @param {TerrainHow} how
 */
export function groundOf(plate, ground, patterns, how) {
  const group = svg("g", {
    class: `terrain is-${ground.type} texture-${known(ground.pattern)} form-${ground.form || "none"}`,
    "data-terrain": ground.id,
  });
  if (!how.still && ground.says) group.append(svg("title", { text: how.says(ground.says) }));
  const bodies = ground.shapes.filter((s) => s.part === "ground" || s.part === "floor");
  if (bodies.length) {
    const d = bodies.map((shape) => pathOf(plate, shape)).join("");
    if (bodies.length > 1) group.append(svg("path", { class: "edge wide", d }));
    for (const shape of bodies) {
      group.append(
        svg("path", {
          class: bodies.length > 1 ? "body joined" : "body",
          d: pathOf(plate, shape),
          fill: ground.type === "piece" && TILED.includes(ground.pattern) ? patterns.fill(ground.pattern) : null,
          "fill-rule": "evenodd",
        }),
      );
      if (ground.type === "piece") group.append(...featureOf(plate, ground, shape, how.inch));
    }
  }
  for (const shape of ground.shapes) {
    if (shape.part === "ground" || shape.part === "floor") continue;
    if (!met(plate, shape)) continue;
    const shut = shape.shut ? " shut" : "";
    const line = shape.part === "step" || shape.part === "edge";
    group.append(
      svg("path", { class: `part-${shape.part}${shut}`, d: pathOf(plate, shape, !line) }),
    );
  }
  if (ground.type === "ramp") group.append(arrowOf(plate, ground));
  return group;
}

/** @param {Plate} plate @param {Shape} shape */
function met(plate, shape) {
  if (shape.bottom === undefined || shape.bottom === null) return true;
  if (shape.top === undefined || shape.top === null) return true;
  return plate.cuts(shape.bottom, shape.top);
}

/** An arrow that points up a slope. @param {Plate} plate @param {Ground} ground */
function arrowOf(plate, ground) {
  const { foot, head } = ground;
  if (!foot || !head) return svg("g");
  const [x0, y0] = plate.at(foot[0], foot[1]);
  const [x1, y1] = plate.at(head[0], head[1]);
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const a = [x0 + ux * length * 0.15, y0 + uy * length * 0.15];
  const b = [x0 + ux * length * 0.88, y0 + uy * length * 0.88];
  const wing = Math.min(0.35 * length, 0.5);
  const d =
    `M${num(a[0])} ${num(a[1])}L${num(b[0])} ${num(b[1])}` +
    `M${num(b[0] - wing * (ux - 0.6 * uy))} ${num(b[1] - wing * (uy + 0.6 * ux))}` +
    `L${num(b[0])} ${num(b[1])}` +
    `L${num(b[0] - wing * (ux + 0.6 * uy))} ${num(b[1] - wing * (uy - 0.6 * ux))}`;
  return svg("path", { class: "up", d });
}

/**
 * The path of a shape in the coordinates of a plate.
 * @param {Plate} plate
 * @param {Shape} shape
 * @param {boolean} [closed]
 */
export function pathOf(plate, shape, closed = true) {
  if (shape.circle) {
    const [cx, cy, r] = shape.circle;
    const [x, y] = plate.at(cx, cy);
    const d = num(2 * r);
    return `M${num(x - r)} ${num(y)}a${num(r)} ${num(r)} 0 1 0 ${d} 0a${num(r)} ${num(r)} 0 1 0 -${d} 0z`;
  }
  const rings = [shape.corners, ...(shape.holes ?? [])];
  return rings.map((ring) => ringPath(plate, ring, closed)).join("");
}

/**
 * @param {Plate} plate
 * @param {[number, number][]} ring
 * @param {boolean} [closed]
 */
export function ringPath(plate, ring, closed = true) {
  if (!ring.length) return "";
  const places = ring.map(([x, y]) => {
    const [px, py] = plate.at(x, y);
    return `${num(px)} ${num(py)}`;
  });
  return `M${places.join("L")}${closed ? "z" : ""}`;
}

/** The name of a texture that there is. @param {string} pattern */
function known(pattern) {
  return PATTERNS.includes(pattern) ? pattern : "plain";
}
