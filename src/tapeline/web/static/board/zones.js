// @ts-check
// Zones of the table, such as where a side sets up: hatched with a dashed edge, named in a corner
// (labels.js). No rule heeds them, and they are never in the way of a hand.

import { svg } from "../lib/dom.js";
import { pathOf } from "./terrain.js";

/** @typedef {import("../lib/documents.js").Zone} Zone */
/** @typedef {import("./plate.js").Plate} Plate */

/**
 * @param {Plate} plate
 * @param {Zone[]} zones
 * @param {import("./patterns.js").Patterns} patterns
 * @param {(side: string) => {look: number}} side
 * @param {{still: boolean, says: (text: string) => string}} how
 */
export function drawZones(plate, zones, patterns, side, how) {
  // They lie on the table itself.
  const here = plate.storey && plate.storey.index !== 0 ? [] : zones;
  plate.layers.zones.replaceChildren(
    ...here.map((zone) => {
      const look = zone.side === null ? null : side(zone.side).look;
      const d = pathOf(plate, zone.shape);
      return svg(
        "g",
        { class: look === null ? "zone-area" : `zone-area look-${look}`, "data-zone": zone.id },
        how.still ? null : svg("title", { text: how.says(zone.says) }),
        svg("path", { class: "zone-ground", d, fill: patterns.zone(look), "fill-rule": "evenodd" }),
        svg("path", { class: "zone-edge", d }),
      );
    }),
  );
}

/** The box about a zone, in the coordinates of a plate. @param {Plate} plate @param {Zone} zone */
export function zoneBox(plate, { shape }) {
  const [cx, cy, r] = shape.circle ?? [0, 0, 0];
  const points = shape.circle ? [[cx - 0.7 * r, cy - 0.7 * r], [cx + 0.7 * r, cy + 0.7 * r]] : shape.corners;
  const placed = points.map(([x, y]) => plate.at(x, y));
  const [xs, ys] = [placed.map(([x]) => x), placed.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
