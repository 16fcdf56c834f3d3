// @ts-check
// Numbered pins for findings: a dot where it bites, and beside it, on a line, the number of its
// sentence. Numbers keep off ghosts, bases, lengths and each other as far as there is room.

import { svg } from "../lib/dom.js";
import { num } from "./plate.js";

/** number: of its sentence, else its place in the list. @typedef {import("../lib/documents.js").Finding & {number?: number}} Finding */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** Boxes in pixels of the plate, and how bad it is to cover them. @typedef {{box: Box, cost: number}} Cover */

/** Half the height of a number, pixels, and how far from its place it may stand. */
const HALF = 10;
const FAR = [26, 38, 54, 74];
/** Directions of the line, most wanted first: up and to the right. */
const WAYS = [-60, -120, -30, -150, -90, 0, 180, 30, 150, 60, 120, 90];

/**
 * @param {Plate} plate
 * @param {Finding[]} findings the first has the number 1; those without a place have no pin
 * @param {number} scale pixels in a table unit
 * @param {Cover[]} covers what the numbers keep off
 * @param {number} [z] the height of what they are about, for a cut-away
 */
export function drawPins(plate, findings, scale, covers, z) {
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
  const taken = [...covers];
  for (const numbers of spots.values()) {
    const finding = findings[numbers[0]];
    const [x, y] = plate.at(finding.place?.[0] ?? 0, finding.place?.[1] ?? 0, z);
    const said = [...new Set(numbers.map((n) => findings[n].number ?? n + 1))];
    const text = said.join(" ");
    const half = Math.max(HALF, 4.5 * text.length + 4);
    const [dx, dy] = beside(plate, x * scale, y * scale, half, scale, taken);
    const box = { x: x * scale + dx - half, y: y * scale + dy - HALF, width: 2 * half, height: 2 * HALF };
    taken.push({ box, cost: 4 });
    layer.append(
      svg(
        "g",
        { class: "pin", transform: `translate(${num(x)} ${num(y)})`, "data-pin": said[0] },
        svg("title", { text: numbers.map((n) => findings[n].text).join(" ") }),
        svg(
          "g",
          { class: "fixed" },
          svg("path", { class: "pin-line under", d: `M0 0L${dx} ${dy}` }),
          svg("path", { class: "pin-line", d: `M0 0L${dx} ${dy}` }),
          svg("circle", { class: "pin-spot", r: 3.2 }),
          svg("rect", { class: "pin-head", x: dx - half, y: dy - HALF, width: 2 * half, height: 2 * HALF, rx: HALF }),
          svg("text", { x: dx, y: dy + 4.2, text }),
        ),
      ),
    );
  }
}

/**
 * Where a number stands beside its place, pixels: where it covers least, near rather than far.
 * @param {Plate} plate
 * @param {number} x
 * @param {number} y
 * @param {number} half half its width
 * @param {number} scale
 * @param {Cover[]} taken
 * @returns {[number, number]}
 */
function beside(plate, x, y, half, scale, taken) {
  /** @type {[number, number]} */
  let best = [FAR[0], -FAR[0]];
  let least = Infinity;
  for (const far of FAR) {
    for (const [order, way] of WAYS.entries()) {
      const angle = (way * Math.PI) / 180;
      const dx = Math.round(Math.cos(angle) * (far + half - HALF));
      const dy = Math.round(Math.sin(angle) * far);
      const box = { x: x + dx - half - 2, y: y + dy - HALF - 2, width: 2 * half + 4, height: 2 * HALF + 4 };
      const off = outside(box, plate.view.width * scale, plate.view.height * scale);
      let cost = far * 0.15 + order * 0.6 + off;
      for (const each of taken) cost += each.cost * shared(box, each.box);
      if (cost < least) {
        least = cost;
        best = [dx, dy];
      }
    }
  }
  return best;
}

/** The part of a box that another covers, in hundredths of its area. @param {Box} box @param {Box} other */
function shared(box, other) {
  const wide = Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x);
  const high = Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y);
  return wide > 0 && high > 0 ? (100 * wide * high) / (box.width * box.height) : 0;
}

/** How far a box reaches off the plate, pixels. @param {Box} box @param {number} width @param {number} height */
function outside(box, width, height) {
  const over = [-box.x, -box.y, box.x + box.width - width, box.y + box.height - height];
  return over.reduce((sum, one) => sum + Math.max(0, one), 0);
}
