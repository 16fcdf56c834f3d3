// @ts-check
// Threat, in bands by solid, dashed and dotted edges, with who is struck how likely; and what is seen.

import { svg } from "../lib/dom.js";
import { around, boxOf } from "./figures.js";
import { shared } from "./spots.js";
import { labelSpot } from "./reach.js";
import { ringPath } from "./terrain.js";
import { tag, tagWidth } from "./ways.js";

/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("../lib/documents.js").ThreatBand} ThreatBand */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{id: string, words: string, kind: "safe" | "struck"}} Chance of a figure or unit */
/** @typedef {{chances: Chance[], bands: ThreatBand[]}} Shown */

/** The height of a small frame with words, pixels. */
const HIGH = 20;

/**
 * The region that somebody sees: what lies outside it is in the dark.
 * @param {Plate} plate
 * @param {SVGGElement} layer
 * @param {[number, number][]} ring
 */
export function drawSeen(plate, layer, ring) {
  if (!ring.length) {
    layer.replaceChildren();
    return;
  }
  const { width, depth } = plate;
  const table = ringPath(plate, [[0, 0], [width, 0], [width, depth], [0, depth]]);
  const seen = ringPath(plate, ring);
  layer.replaceChildren(
    svg("path", { class: "hidden-from", d: table + seen, "fill-rule": "evenodd" }),
    svg("path", { class: "seen", d: seen }),
  );
}

/**
 * Bands below what stands there, their words and the chances above it and beside each other.
 * @param {Plate} plate
 * @param {SVGGElement} layer for the words
 * @param {Shown} shown
 * @param {import("./patterns.js").Patterns} patterns
 * @param {Map<string, import("../lib/documents.js").Figure>} figures
 */
export function drawThreat(plate, layer, { chances, bands }, patterns, figures) {
  // Where no dice decide, all of them are one: the likeliest says it.
  const alike = (/** @type {ThreatBand} */ a, /** @type {ThreatBand} */ b) => JSON.stringify(a.rings) === JSON.stringify(b.rings);
  const drawn = bands.filter((band, n) => band.rings.length && !bands.slice(0, n).some((other) => alike(other, band)));
  plate.layers.threat.replaceChildren(
    ...[...drawn].reverse().map((band) =>
      svg("path", {
        class: `threat threat-${band.words}`,
        d: band.rings.map((ring) => ringPath(plate, ring)).join(""),
        fill: patterns.threat(band.words),
        "fill-rule": "evenodd",
      }),
    ),
  );
  const words = /** @type {SVGElement[]} */ ([]);
  const at = /** @type {[number, number][]} */ ([]);
  for (const band of drawn) {
    const spot = labelSpot(band.rings, plate, at);
    if (!spot) continue;
    at.push(spot);
    words.push(svg("g", { class: "chance chance-struck" }, tag(...plate.at(...spot), band.words, [0, 17])));
  }
  const taken = /** @type {Box[]} */ ([]);
  for (const { id, words: chance, kind } of chances) {
    const here = (/** @type {number} */ z) => !plate.alone || plate.sees(z);
    const members = [...figures.values()].filter((one) => (one.id === id || one.unit === id) && here(one.z));
    const box = around(members.map((one) => boxOf(plate, one)));
    if (!box) continue;
    const spot = beside(plate, box, tagWidth(chance), taken);
    taken.push(spot);
    const { scale } = plate;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const aside = /** @type {[number, number]} */ ([spot.x + spot.width / 2 - x * scale, spot.y + 27 - y * scale]);
    words.push(svg("g", { class: `chance chance-${kind}` }, tag(x, y, chance, aside)));
  }
  layer.replaceChildren(...words);
}

/**
 * Where a small frame beside a box covers least: above all no base and no other such frame.
 * @param {Plate} plate
 * @param {Box} box drawn
 * @param {number} width of the frame, pixels
 * @param {Box[]} taken by other frames, pixels
 */
function beside(plate, box, width, taken) {
  const { scale } = plate;
  const [left, top] = [box.x * scale, box.y * scale];
  const [right, low] = [left + box.width * scale, top + box.height * scale];
  const [mid, level] = [(left + right - width) / 2, (top + low - HIGH) / 2];
  const spots = [
    [mid, top - HIGH - 2],
    [right + 3, level],
    [left - width - 3, level],
    [mid, low + 2],
    [right - 4, top - HIGH - 2],
    [left - width + 4, top - HIGH - 2],
    [mid, low + 16],
  ].map(([x, y]) => ({ x, y, width, height: HIGH }));
  const cover = (/** @type {Box} */ spot) =>
    plate.taken.reduce((sum, other) => sum + shared(spot, other), 0) + taken.reduce((sum, other) => sum + 4 * shared(spot, other), 0);
  return spots.reduce((best, one) => (cover(one) < cover(best) ? one : best));
}
