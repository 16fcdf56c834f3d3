// @ts-check
// Where a body can get to: bands from light to dark with labelled borders, and thin rings of zones.

import { svg } from "../lib/dom.js";
import { outlineOf, outside, place } from "./figures.js";
import { fixedAt, num } from "./plate.js";
import { smoothPath } from "./smooth.js";

/** @typedef {import("../lib/documents.js").Reach} ReachDoc */
/** @typedef {import("../lib/documents.js").Ring} Ring */
/** @typedef {import("../lib/documents.js").Figure} Figure */
/** @typedef {import("./plate.js").Plate} Plate */

/** Rings with the same words, of which more than so many have them only near a ghost. */
const MANY = 3;

/**
 * Draw the bands of reaches on the plates of their storeys.
 * @param {Plate} plate
 * @param {ReachDoc[]} reaches
 */
export function drawReach(plate, reaches) {
  const { reach: layer, limits } = plate.layers;
  layer.replaceChildren();
  limits.replaceChildren();
  plate.lettered = [];
  const here = reaches.filter((reach) => !plate.storey || plate.storey.index === reach.storey);
  const bands = joined(here.flatMap((reach) => reach.bands).filter((band) => band.rings.length));
  let inner = "";
  const shown = bands.map((band, n) => {
    const d = band.rings.map((ring) => smoothPath(ring.map(([x, y]) => plate.at(x, y)))).join("");
    const only = d + inner;
    inner = d;
    const tone = bands.length === 1 ? 2 : Math.round((n * 4) / (bands.length - 1));
    return { band, d, only, tone };
  });
  for (const { only, tone } of shown) {
    layer.append(svg("path", { class: `band tone-${tone}`, d: only, "fill-rule": "evenodd" }));
  }
  for (const { d } of shown) layer.append(svg("path", { class: "band-edge under", d }));
  for (const { d, tone } of shown) layer.append(svg("path", { class: `band-edge tone-${tone}`, d }));
  const taken = /** @type {[number, number][]} */ ([]);
  for (const { band } of [...shown].reverse()) {
    if (!band.label) continue;
    const spot = labelSpot(band.rings, plate, taken);
    if (!spot) continue;
    taken.push(spot);
    const [x, y] = plate.at(spot[0], spot[1]);
    plate.lettered.push({ x, y, half: 4 * band.label.length });
    limits.append(fixedAt(x, y, svg("text", { class: "band-label", y: 4, text: band.label })));
  }
}

/**
 * Bands by their limit, the nearest first; those of several surfaces with one limit are one.
 * @param {import("../lib/documents.js").Band[]} bands
 */
function joined(bands) {
  /** @type {import("../lib/documents.js").Band[]} */
  const found = [];
  for (const band of bands) {
    const same = found.findIndex((other) => Math.abs(other.limit - band.limit) < 1e-9);
    if (same < 0) found.push(band);
    else found[same] = { ...found[same], rings: [...found[same].rings, ...band.rings] };
  }
  return found.sort((a, b) => a.limit - b.limit);
}

/**
 * A place on a border for its label: on the table, as far as can be from the labels there are.
 * @param {[number, number][][]} rings
 * @param {Plate} plate
 * @param {[number, number][]} taken
 */
export function labelSpot(rings, plate, taken) {
  const outer = rings.reduce((a, b) => (spread(b) > spread(a) ? b : a), rings[0]);
  if (spread(outer) < 0.03 * plate.width) return null;
  /** @type {[number, number] | null} */
  let best = null;
  let most = -Infinity;
  const margin = 0.02 * plate.width;
  const middle = outer.reduce((sum, [x]) => sum + x, 0) / outer.length;
  for (const [x, y] of outer) {
    if (x < margin || x > plate.width - margin || y < margin || y > plate.depth - margin) continue;
    // At a side: most ways lead to and fro.
    let room = Math.abs(x - middle) * 0.05 + y * 0.01;
    for (const [tx, ty] of taken) room += Math.min(Math.hypot(x - tx, y - ty), 0.1 * plate.width);
    if (plate.crowded(x, y)) room -= 0.2 * plate.width;
    if (room > most) {
      most = room;
      best = [x, y];
    }
  }
  return best;
}

/** @param {[number, number][]} ring */
function spread(ring) {
  const xs = ring.map((p) => p[0]);
  return Math.max(...xs) - Math.min(...xs);
}

/**
 * Thin rings about bodies; `near` of them shows those that matter for a place.
 * @param {Plate} plate
 * @param {Ring[]} rings
 * @param {Map<string, Figure>} figures
 */
export function drawRings(plate, rings, figures) {
  const layer = plate.layers.rings;
  layer.replaceChildren();
  /** Stands of a unit share the words of their rings. @type {Set<string>} */
  const said = new Set();
  const alike = (/** @type {Ring} */ ring) => rings.filter((other) => other.label === ring.label).length;
  for (const ring of rings) {
    const figure = figures.get(ring.about);
    if (!figure || !plate.sees(figure.z)) continue;
    const shape = outlineOf(figure, ring.distance, "ring");
    const turned = svg("g", { transform: `rotate(${num(plate.turned(figure.facing))})` }, shape);
    const top = (figure.radius ?? (figure.depth ?? 0) / 2) + ring.distance;
    const once = `${figure.unit ?? figure.id}/${ring.label}`;
    // Above the ring, or below it where that is beyond the far edge.
    const [, y] = plate.at(figure.x, figure.y, figure.z);
    const up = y - top > 0.02 * plate.depth;
    const text = said.has(once)
      ? null
      : fixedAt(0, up ? -top : top, svg("text", { class: "ring-label", y: up ? -4 : 13, text: ring.label }));
    said.add(once);
    const group = svg(
      "g",
      { class: alike(ring) > MANY ? "zone many" : "zone", transform: place(plate, figure), "data-ring": ring.about },
      turned,
      text,
    );
    group.dataset.distance = String(ring.distance);
    layer.append(group);
  }
}

/**
 * Show the rings that one of these places comes near to, fade the others. Without places all
 * show, faintly.
 * @param {Plate} plate
 * @param {{x: number, y: number, radius: number}[] | null} places
 * @param {Map<string, Figure>} figures
 */
export function nearRings(plate, places, figures) {
  for (const group of plate.layers.rings.children) {
    if (!(group instanceof SVGGElement)) continue;
    const figure = figures.get(group.dataset.ring ?? "");
    const distance = Number(group.dataset.distance);
    if (!places || !figure) {
      group.classList.remove("near", "far");
      continue;
    }
    const gap = Math.min(...places.map((p) => outside(figure, p.x, p.y) - p.radius));
    const near = gap < distance + Math.max(1.5, 0.6 * distance);
    group.classList.toggle("near", near);
    group.classList.toggle("far", !near);
  }
}
