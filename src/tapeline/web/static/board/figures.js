// @ts-check
// Bodies in their true size: side by colour and rim, facing as a notch or a thick front edge.

import { svg } from "../lib/dom.js";
import { num } from "./plate.js";

/** @typedef {import("../lib/documents.js").Figure} Figure */
/** @typedef {import("../lib/documents.js").Badge} Badge */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("./view.js").Box} Box */
/** @typedef {{radius: number | null, width: number | null, depth: number | null}} Base */

/** The smaller half of a base: how thick things on it may be. @param {Base} base */
export function halfOf(base) {
  return base.radius ?? Math.min(base.width ?? 0, base.depth ?? 0) / 2;
}

/**
 * How far outside the base a place is (negative inside), table units.
 * @param {Figure} figure
 * @param {number} x
 * @param {number} y
 */
export function outside(figure, x, y) {
  const dx = x - figure.x;
  const dy = y - figure.y;
  if (figure.radius !== null) return Math.hypot(dx, dy) - figure.radius;
  const turn = (figure.facing * Math.PI) / 180;
  const along = Math.abs(dx * Math.cos(turn) + dy * Math.sin(turn)) - (figure.depth ?? 0) / 2;
  const across = Math.abs(dy * Math.cos(turn) - dx * Math.sin(turn)) - (figure.width ?? 0) / 2;
  if (along <= 0 && across <= 0) return Math.max(along, across);
  return Math.hypot(Math.max(along, 0), Math.max(across, 0));
}

/**
 * The box about the base as it stands, in the coordinates of a plate.
 * @param {Plate} plate
 * @param {Base & {x: number, y: number, facing: number}} figure
 */
export function boxOf(plate, figure) {
  let wide = figure.radius ?? 0;
  let high = wide;
  if (figure.radius === null) {
    const turn = (figure.facing * Math.PI) / 180;
    const [c, s] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
    wide = (c * (figure.depth ?? 0) + s * (figure.width ?? 0)) / 2;
    high = (s * (figure.depth ?? 0) + c * (figure.width ?? 0)) / 2;
  }
  const [x, y] = plate.at(figure.x, figure.y);
  return { x: x - wide, y: y - high, width: 2 * wide, height: 2 * high };
}

/** The box about boxes, null about none. @param {Box[]} boxes */
export function around(boxes) {
  if (!boxes.length) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * The parts of a base, front towards +x, middle at 0, 0. Widths of rims are true to scale and lie
 * inside the border.
 * @param {Base} base
 * @returns {SVGElement[]}
 */
export function baseParts(base) {
  const half = halfOf(base);
  const rim = Math.min(0.17 * half, 0.04 + 0.05 * half);
  if (base.radius !== null) {
    const r = base.radius;
    return [
      outlineOf(base, 0, "fill"),
      rimmed(svg("circle", { class: "base", r: r - rim / 2, pathLength: 36 }), rim),
      svg("path", {
        class: "front",
        d: `M${num(r)} 0L${num(0.3 * r)} ${num(0.52 * r)}V${num(-0.52 * r)}z`,
      }),
    ];
  }
  const depth = base.depth ?? 0;
  const width = base.width ?? 0;
  const edge = Math.min(0.22 * depth, 2.4 * rim);
  const arrow = Math.min(0.3 * depth, 0.2 * width);
  const frame = svg("rect", {
    class: "base",
    x: -depth / 2 + rim / 2,
    y: -width / 2 + rim / 2,
    width: Math.max(depth - rim, rim / 10),
    height: Math.max(width - rim, rim / 10),
    pathLength: 36 * Math.max(1, Math.round((depth + width) / (2 * Math.min(depth, width)))),
  });
  return [
    outlineOf(base, 0, "fill"),
    rimmed(frame, rim),
    svg("path", {
      class: "front",
      d:
        `M${num(depth / 2)} ${num(-width / 2)}v${num(width)}h${num(-edge)}v${num(-width)}z` +
        `M${num(depth / 2 - edge / 2)} 0l${num(-arrow)} ${num(0.8 * arrow)}v${num(-1.6 * arrow)}z`,
    }),
  ];
}

/** Tell the style sheet how wide a rim is, table units.
 * @param {SVGElement} shape @param {number} rim */
function rimmed(shape, rim) {
  shape.style.setProperty("--rim", num(rim));
  return shape;
}

/**
 * The outline of a base, grown by a distance.
 * @param {Base} base
 * @param {number} grow
 * @param {string} name class
 */
export function outlineOf(base, grow, name) {
  if (base.radius !== null) return svg("circle", { class: name, r: base.radius + grow });
  const depth = base.depth ?? 0;
  const width = base.width ?? 0;
  return svg("rect", {
    class: name,
    x: -depth / 2 - grow,
    y: -width / 2 - grow,
    width: depth + 2 * grow,
    height: width + 2 * grow,
    rx: Math.max(0, grow),
  });
}

/**
 * The places of the models of a regiment on its base: ranks from the front, the last one may be
 * short.
 * @param {Figure} figure
 * @returns {SVGElement[]}
 */
function ranksOf({ models, files, depth, width }) {
  if (!models || !files || !depth || !width || models < 2) return [];
  const ranks = Math.ceil(models / files);
  const [deep, wide] = [depth / ranks, width / files];
  const lines = [];
  for (let rank = 0; rank < ranks; rank += 1) {
    const front = depth / 2 - rank * deep;
    const here = Math.min(files, models - rank * files);
    if (rank > 0) lines.push(`M${num(front)} ${num(-width / 2)}v${num(width)}`);
    for (let file = 0; file <= here; file += 1) {
      const y = (file - here / 2) * wide;
      if (Math.abs(y) < width / 2 - 1e-6) lines.push(`M${num(front)} ${num(y)}h${num(-deep)}`);
    }
  }
  return [svg("path", { class: "ranks", d: lines.join("") })];
}

/** @param {Plate} plate @param {{x: number, y: number, facing: number}} figure */
export function place(plate, figure) {
  const [x, y] = plate.at(figure.x, figure.y);
  return `translate(${num(x)} ${num(y)})`;
}

/**
 * A body on a plate.
 * @param {Plate} plate
 * @param {Figure} figure
 * @param {{look: number, rim: number}} side
 * @param {{still: boolean, tabs: boolean, says: (text: string) => string}} how
 */
export function figureOf(plate, figure, side, how) {
  const here = plate.sees(figure.z);
  const turned = svg("g", { class: "turned", transform: `rotate(${num(-figure.facing)})` });
  const group = svg(
    "g",
    {
      class: `figure look-${side.look} rim-${side.rim}${here ? "" : " elsewhere"}`,
      transform: place(plate, figure),
      "data-id": here ? figure.id : null,
      "data-side": figure.side,
    },
    turned,
  );
  if (!here) {
    turned.append(outlineOf(figure, 0, "fill"));
    return group;
  }
  if (!how.still) {
    turned.append(outlineOf(figure, 0, "halo"));
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", how.says(figure.says || figure.name));
    group.setAttribute("aria-pressed", "false");
    group.append(svg("title", { text: [figure.name, ...figure.badges.map((b) => b.words)].join(", ") }));
    if (how.tabs) group.setAttribute("tabindex", "0");
  }
  turned.append(...baseParts(figure), ...ranksOf(figure));
  if (figure.badges.length && !how.still) group.append(badgesOf(figure));
  return group;
}

/**
 * Letters of the states of a body, at its upper right.
 * @param {Figure} figure
 */
function badgesOf(figure) {
  const r = halfOf(figure);
  const at = figure.radius === null ? [0, 0] : [0.72 * r, -0.72 * r];
  const wide = figure.badges.map((badge) => 9 + 6.4 * badge.letter.length);
  let x = figure.radius === null ? -wide.reduce((a, b) => a + b, 0) / 2 : -4;
  const parts = figure.badges.map((badge, n) => {
    const left = x;
    x += wide[n] + 1;
    return svg(
      "g",
      { class: "badge" },
      svg("rect", { x: left, y: -8, width: wide[n], height: 15, rx: 7.5 }),
      svg("text", { x: left + wide[n] / 2, y: 3.4, text: badge.letter }),
      svg("title", { text: badge.words }),
    );
  });
  return svg(
    "g",
    { class: "badges", transform: `translate(${num(at[0])} ${num(at[1])})` },
    svg("g", { class: "fixed" }, parts),
  );
}

/** Figures as people read: from the far left corner in lines. @param {Figure[]} figures */
export function inReadingOrder(figures) {
  return [...figures].sort((a, b) => b.y - a.y || a.x - b.x);
}
