// @ts-check
// Threat, in bands by solid, dashed and dotted edges, with who is struck how likely; and what is seen.

import { svg } from "../lib/dom.js";
import { ringPath } from "./terrain.js";
import { tag } from "./ways.js";

/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("../lib/documents.js").ThreatBand} ThreatBand */
/** @typedef {{at: [number, number], words: string, kind: "safe" | "struck"}} Chance */
/** @typedef {{chances: Chance[], bands: ThreatBand[]}} Shown */

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
 * @param {Plate} plate
 * @param {SVGGElement} layer
 * @param {Shown} shown
 */
export function drawThreat(plate, layer, { chances, bands }) {
  const drawn = bands.filter((band) => band.rings.length);
  layer.replaceChildren(
    ...[...drawn].reverse().map((band) =>
      svg("path", {
        class: `threat threat-${band.words}`,
        d: band.rings.map((ring) => ringPath(plate, ring)).join(""),
        "fill-rule": "evenodd",
      }),
    ),
    ...drawn.map((band) => {
      const [x, y] = band.rings.flat().reduce((a, b) => (b[1] < a[1] ? b : a));
      const [px, py] = plate.at(x, y);
      return tag(px, py, band.words);
    }),
    ...chances.map(({ at, words, kind }) => {
      const [px, py] = plate.at(at[0], at[1]);
      return svg("g", { class: `chance chance-${kind}` }, tag(px, py, words));
    }),
  );
}
