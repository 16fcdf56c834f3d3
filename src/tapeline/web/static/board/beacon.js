// @ts-check
// A place that somebody points at: a ring that draws the eye, and who it is.

import { svg } from "../lib/dom.js";
import { fixedAt } from "./plate.js";

/** @typedef {{at: [number, number], z: number, words: string, look: number}} Beacon */

/**
 * @param {import("./plate.js").Plate} plate
 * @param {SVGGElement} layer
 * @param {Beacon | null} beacon
 */
export function drawBeacon(plate, layer, beacon) {
  layer.replaceChildren();
  if (!beacon || !plate.sees(beacon.z)) return;
  const [x, y] = plate.at(beacon.at[0], beacon.at[1], beacon.z);
  const wide = 18 + 6.7 * beacon.words.length;
  layer.append(
    fixedAt(
      x,
      y,
      [
        svg("circle", { class: "beacon-wave", r: 26 }),
        svg("circle", { class: "beacon-under", r: 14 }),
        svg("circle", { class: "beacon-ring", r: 14 }),
        svg("rect", { class: "tag", x: -wide / 2, y: -44, width: wide, height: 20, rx: 10 }),
        svg("text", { class: "tag-words", y: -30, text: beacon.words }),
      ],
      { class: `beacon look-${beacon.look}` },
    ),
  );
}
