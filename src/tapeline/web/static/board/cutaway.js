// @ts-check
// All storeys at once: floors as slabs above each other, what stands on them cut off a little above
// them, so that every floor is seen. A drawing only: what is told of it stands in oblique.js.

import { svg } from "../lib/dom.js";
import { within } from "../lib/within.js";
import { halfOf, outlineOf, place } from "./figures.js";
import { groundTile } from "./grounds.js";
import { SPREAD } from "./oblique.js";
import { num } from "./plate.js";
import { FLAT, shadowOf } from "./relief.js";
import { closed, ringOf, shifted, sides, towardsLight, turned } from "./rings.js";
import { groundOf, ringPath } from "./terrain.js";

/** @typedef {import("../lib/documents.js").Figure} Figure */
/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Shape} Shape */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("./rings.js").Ring} Ring */
/** @typedef {import("./terrain.js").TerrainHow} TerrainHow */
/** y: how near it comes to the eye, which sorts what stands. @typedef {{y: number, part: SVGElement}} Standing */

/** How high walls and the like are drawn above the floor they stand on, and how thick floors and the table are, inches of the drawing. */
const [CUT_IN, SLAB_IN, TABLE_IN] = [0.95, 0.22, 0.9];

/** What can be stood on on a plate: floors, tops of things that count as a storey. @param {Plate} plate @param {Ground[]} terrain */
export function solidsOf(plate, terrain) {
  const tops = terrain.filter((ground) => ["floor", "piece"].includes(ground.type) && plate.shows(ground) && plate.sees(ground.top) && ground.top > FLAT);
  return plate.storey?.index ? tops.flatMap((ground) => bodiesOf(ground).map((shape) => ({ shape, z: ground.top }))) : [];
}

/** @param {Ground} ground */
function bodiesOf(ground) {
  return ground.shapes.filter((shape) => shape.part === "floor" || shape.part === "ground");
}

/**
 * The table as a board with an edge, with lines at round distances.
 * @param {Plate} plate
 * @param {import("../lib/units.js").Units} units
 * @param {string} ground
 * @param {number} inch an inch in table units
 */
export function drawBoard(plate, units, ground, inch) {
  const { width, depth } = plate;
  const corners = /** @type {Ring} */ ([[0, 0], [width, 0], [width, depth], [0, depth]].map(([x, y]) => plate.at(x, y)));
  const { pattern, fill } = groundTile(ground, inch);
  const step = units.from(units.shown === "in" ? 6 : 10);
  const line = (/** @type {[number, number][]} */ ends) => ringPath(plate, ends, false);
  let grid = "";
  for (let x = step; x < width - 1e-6; x += step) grid += line([[x, 0], [x, depth]]);
  for (let y = step; y < depth - 1e-6; y += step) grid += line([[0, y], [width, y]]);
  plate.layers.ground.replaceChildren(
    svg("defs", {}, pattern),
    ...facesOf(shifted(turned(corners), 0, TABLE_IN * inch), TABLE_IN * inch, "board-side"),
    svg("path", { class: "table", d: closed(corners) }),
    svg("path", { class: "ground-marks fine", d: closed(corners), fill }),
    svg("path", { class: "grid", d: grid }),
    svg("path", { class: "edge", d: closed(corners) }),
  );
}

/**
 * All terrain, each entry on the plate of the storey it stands on.
 * @param {Plate[]} plates the lowest first
 * @param {Ground[]} terrain
 * @param {import("./patterns.js").Patterns} patterns
 * @param {TerrainHow} how
 */
export function drawCutaway(plates, terrain, patterns, how) {
  for (const [n, plate] of plates.entries()) {
    const flat = /** @type {SVGElement[]} */ ([]);
    const standing = /** @type {Standing[]} */ ([]);
    let shadows = "";
    for (const ground of terrain.filter((each) => plate.shows(each))) {
      const whole = () => groundOf(plate, ground, patterns, how);
      if (ground.type === "floor") flat.push(...slabOf(plates, n, ground, whole(), how));
      else if (ground.type === "wall") standing.push(...wallOf(plate, ground, how));
      else if (ground.type === "ramp") {
        if (plate.sees(ground.bottom)) standing.push({ y: nearest(plate, ground.shapes[0]), part: rampOf(plate, ground, how) });
      } else if (ground.type === "ladder") {
        if (plate.sees(ground.top)) standing.push({ y: Infinity, part: ladderOf(plate, ground, how) });
      } else if (plate.sees(ground.bottom) || plate.sees(ground.top)) {
        const high = isSoft(ground) ? 0 : heightOn(plate, ground.bottom, ground.top, how.inch);
        if (ground.type === "face" || high < FLAT * how.inch) flat.push(...(plate.sees(ground.top) ? [whole()] : []));
        else {
          standing.push({ y: Math.max(...bodiesOf(ground).map((shape) => nearest(plate, shape))), part: blockOf(plate, ground, high, whole(), how) });
          for (const shape of bodiesOf(ground)) shadows += shadowOf(ringOf(plate, shape), 2 * high);
        }
      }
    }
    standing.sort((a, b) => a.y - b.y);
    const shade = svg("g", { class: "shadows" }, svg("path", { class: "shadow", d: shadows }));
    plate.layers.terrain.replaceChildren(...flat, shade, ...standing.map(({ part }) => part));
  }
}

/**
 * A thing with upright sides. What it shows inside its border is on its top; below that it is cut.
 * @param {Plate} plate
 * @param {Ground} ground
 * @param {number} high
 * @param {SVGElement} drawn as a plan shows it
 * @param {TerrainHow} how
 */
function blockOf(plate, ground, high, drawn, how) {
  const rings = bodiesOf(ground).map((shape) => ringOf(plate, shape));
  const parts = rings.flatMap((ring) => facesOf(ring, high, "block-side"));
  if (!plate.sees(ground.top)) {
    return named(ground, how, [...parts, ...rings.map((ring) => svg("path", { class: "block-cut", d: closed(shifted(ring, 0, -high)) }))]);
  }
  return named(ground, how, [...parts, svg("g", { transform: `translate(0 ${num(-high)})` }, drawn)]);
}

/** Whether a thing has a border but no hard sides. @param {Ground} ground */
function isSoft(ground) {
  return ["trees", "rings", "stones", "reeds", "waves"].includes(ground.pattern) || ["bowl", "pit", "marked"].includes(ground.form);
}

/** How high above its floor what stands from bottom to top is drawn. @param {Plate} plate @param {number} bottom @param {number} top @param {number} inch */
function heightOn(plate, bottom, top, inch) {
  return Math.max(0, Math.min((top - Math.max(bottom, plate.floor)) * SPREAD, CUT_IN * inch));
}

/** How near to the eye a shape comes. @param {Plate} plate @param {Shape} shape */
function nearest(plate, shape) {
  return Math.max(...ringOf(plate, shape).map(([, y]) => y));
}

/**
 * The upright faces towards the eye of what stands on a ring.
 * @param {Ring} ring turned as `turned` does
 * @param {number} high
 * @param {string} name class; light or dark is added
 */
function facesOf(ring, high, name) {
  const faces = sides(turned(ring)).filter(([a, b]) => a[0] - b[0] > 1e-9);
  return faces.map(([a, b]) => {
    const d = closed([a, b, [b[0], b[1] - high], [a[0], a[1] - high]]);
    return svg("path", { class: `${name} ${towardsLight([a, b]) > -0.75 ? "light" : "dark"}`, d });
  });
}

/** @param {Ground} ground @param {TerrainHow} how @param {SVGElement[]} parts */
function named(ground, how, parts) {
  const title = !how.still && ground.says ? svg("title", { text: how.says(ground.says) }) : null;
  return svg("g", { class: `terrain cut is-${ground.type}`, "data-terrain": ground.id }, title, parts);
}

/**
 * A floor with its edge, and lines down from its corners to what lies below.
 * @param {Plate[]} plates
 * @param {number} n
 * @param {Ground} ground
 * @param {SVGElement} drawn the floor itself
 * @param {TerrainHow} how
 */
function slabOf(plates, n, ground, drawn, how) {
  const plate = plates[n];
  const thick = SLAB_IN * how.inch;
  return bodiesOf(ground).flatMap((shape) => {
    let lines = "";
    for (const [x, y] of shape.corners) {
      const under = plates.slice(0, n).findLast((low) => low.solids.some((solid) => within(solid.shape, x, y)));
      const [px, py] = plate.at(x, y, ground.top);
      const [, low] = (under ?? plates[0]).at(x, y);
      if (low - py > CUT_IN * how.inch) lines += `M${num(px)} ${num(py)}V${num(low)}`;
    }
    const edge = facesOf(shifted(ringOf(plate, shape), 0, thick), thick, "slab-side");
    return [svg("path", { class: "plumb", d: lines }), ...edge, drawn];
  });
}

/** Stretches of a wall, each with its own place among what stands. @param {Plate} plate @param {Ground} ground @param {TerrainHow} how @returns {Standing[]} */
function wallOf(plate, ground, how) {
  return ground.shapes.flatMap((shape) => {
    const [bottom, top] = [shape.bottom ?? ground.bottom, shape.top ?? ground.top];
    if (!plate.cuts(bottom, top) || (!plate.sees(bottom) && !standsOn(plate, shape, 0.4 * how.inch))) return [];
    const low = Math.max(0, (bottom - plate.floor) * SPREAD);
    const high = Math.min((top - plate.floor) * SPREAD, CUT_IN * how.inch);
    const open = shape.part === "gap" || (shape.part === "door" && !shape.shut);
    if (high - low < 0.01 * how.inch || shape.part === "hatch") return [];
    const ring = shifted(ringOf(plate, shape), 0, -low);
    const name = `part-${shape.part}${shape.shut ? " shut" : ""}`;
    const parts = open
      ? [svg("path", { class: `${name} open`, d: closed(ring) })]
      : [...facesOf(ring, high - low, `wall-side of-${shape.part}`), svg("path", { class: name, d: closed(shifted(ring, 0, low - high)) })];
    return [{ y: nearest(plate, shape), part: named(ground, how, parts) }];
  });
}

/** Whether there is a floor beside a stretch of wall that begins on a storey below. @param {Plate} plate @param {Shape} shape @param {number} about */
function standsOn(plate, { corners }, about) {
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  const steps = [-about, 0, about];
  return steps.some((dx) => steps.some((dy) => plate.solids.some(({ shape }) => within(shape, x + dx, y + dy))));
}

/** A way up that climbs from its foot to its head, with a dark side below it. @param {Plate} plate @param {Ground} ground @param {TerrainHow} how */
function rampOf(plate, ground, how) {
  const { foot, head, shapes } = ground;
  if (!foot || !head) return named(ground, how, []);
  const [dx, dy] = [head[0] - foot[0], head[1] - foot[1]];
  const long = dx * dx + dy * dy || 1;
  const up = (/** @type {number} */ x, /** @type {number} */ y) => {
    const share = ((x - foot[0]) * dx + (y - foot[1]) * dy) / long;
    return plate.at(x, y, foot[2] + Math.max(0, Math.min(1, share)) * (head[2] - foot[2]));
  };
  const parts = shapes.flatMap((shape) => {
    const top = shape.corners.map(([x, y]) => up(x, y));
    if (shape.part === "step") return [svg("path", { class: "part-step", d: `M${top.map((at) => at.map(num).join(" ")).join("L")}` })];
    const flat = shape.corners.map(([x, y]) => plate.at(x, y));
    const cheeks = flat.map((_, n) => [n, (n + 1) % flat.length]).map(([a, b]) => closed([flat[a], flat[b], top[b], top[a]]));
    return [svg("path", { class: "ramp-side", d: cheeks.join("") }), svg("path", { class: "body", d: closed(top) })];
  });
  return named(ground, how, parts);
}

/** Two rails and rungs between. @param {Plate} plate @param {Ground} ground @param {TerrainHow} how */
function ladderOf(plate, ground, how) {
  const { foot, head } = ground;
  if (!foot || !head) return named(ground, how, []);
  const [[ax, ay], [bx, by]] = [plate.at(...foot), plate.at(...head)];
  const half = 0.3 * how.inch;
  const rungs = Math.max(3, Math.round((ay - by) / (0.7 * how.inch)));
  let d = `M${num(ax - half)} ${num(ay)}L${num(bx - half)} ${num(by)}M${num(ax + half)} ${num(ay)}L${num(bx + half)} ${num(by)}`;
  for (let n = 0; n < rungs; n += 1) {
    const t = (n + 0.5) / rungs;
    d += `M${num(ax + (bx - ax) * t - half)} ${num(ay + (by - ay) * t)}h${num(2 * half)}`;
  }
  return named(ground, how, [svg("path", { class: "rail under", d }), svg("path", { class: "rail", d })]);
}

/**
 * Outlines of bodies that a storey above hides, to be seen and taken hold of.
 * @param {Plate[]} plates the lowest first
 * @param {Figure[]} figures
 * @param {(side: string) => {look: number}} side
 */
export function coveredOf(plates, figures, side) {
  return figures.flatMap((figure) => {
    const n = plates.findIndex((plate) => plate.sees(figure.z));
    if (n < 0 || halfOf(figure) <= 0) return [];
    const [x, y] = plates[n].at(figure.x, figure.y, figure.z);
    if (!plates.slice(n + 1).some((plate) => plate.holds(x, y))) return [];
    const turn = svg("g", { transform: `rotate(${num(plates[n].turned(figure.facing))})` }, outlineOf(figure, 0, "outline"));
    const title = svg("title", { text: figure.name });
    return [svg("g", { class: `covered look-${side(figure.side).look}`, transform: place(plates[n], figure), "data-covered": figure.id }, turn, title)];
  });
}
