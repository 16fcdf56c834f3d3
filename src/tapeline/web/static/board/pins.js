// @ts-check
// Numbered pins where a finding bites; the number stands before its sentence beside the board.

import { svg } from "../lib/dom.js";
import { num } from "./plate.js";

/** @typedef {import("../lib/documents.js").Finding} Finding */
/** @typedef {import("./plate.js").Plate} Plate */

/**
 * @param {Plate} plate
 * @param {Finding[]} findings the first has the number 1; those without a place have no pin
 */
export function drawPins(plate, findings) {
  const layer = plate.layers.pins;
  layer.replaceChildren();
  /** @type {Map<string, number[]>} */
  const spots = new Map();
  findings.forEach((finding, n) => {
    if (!finding.place) return;
    const [x, y] = finding.place;
    const key = `${num(x)} ${num(y)}`;
    spots.set(key, [...(spots.get(key) ?? []), n]);
  });
  for (const numbers of spots.values()) {
    const finding = findings[numbers[0]];
    const [x, y] = plate.at(finding.place?.[0] ?? 0, finding.place?.[1] ?? 0);
    const text = numbers.map((n) => n + 1).join(" ");
    const half = Math.max(10, 4.5 * text.length + 4);
    layer.append(
      svg(
        "g",
        { class: "pin", transform: `translate(${num(x)} ${num(y)})`, "data-pin": numbers[0] + 1 },
        svg("title", { text: numbers.map((n) => findings[n].text).join(" ") }),
        svg(
          "g",
          { class: "fixed" },
          svg("path", {
            d: `M0 0L-5 -11H${-half + 9}A9 9 0 0 1 ${-half + 9} -29H${half - 9}A9 9 0 0 1 ${half - 9} -11H5z`,
          }),
          svg("text", { y: -15.6, text }),
        ),
      ),
    );
  }
}
