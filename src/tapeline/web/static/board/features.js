// @ts-check
// What a piece of terrain shows inside its border: canopies, shores, slopes, roofs, stones.

import { svg } from "../lib/dom.js";
import { num } from "./plate.js";
import { FLAT, litEdges, shadowOf } from "./relief.js";
import { closed, dot, ringOf, scaledRing, scattered, shifted, sides, sizeOf, sown, towardsLight } from "./rings.js";

/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Shape} Shape */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("./rings.js").Point} Point */
/** @typedef {import("./rings.js").Ring} Ring */
/** @typedef {{ring: Ring, size: number, high: number, inch: number, random: () => number}} Piece */

let clips = 0;

/** Features that never pass the border. @param {Ring} ring @param {SVGElement[]} parts */
function clipped(ring, parts) {
  const id = `clip-${(clips += 1)}`;
  return [
    svg("clipPath", { id }, svg("path", { d: closed(ring) })),
    svg("g", { "clip-path": `url(#${id})` }, parts),
  ];
}

/** @param {string} name @param {string} d */
const path = (name, d) => svg("path", { class: name, d });

/** Crowns of trees, each with its shade and a light arc. @param {Piece} piece */
function canopies({ ring, size, high, inch, random }) {
  const step = Math.min(size / 3.6, Math.max(size / 8, 1.15 * inch));
  const crowns = scattered(ring, step, 0.16 * step, random).map(([x, y]) => ({ x, y, r: step * (0.34 + 0.21 * random()) }));
  const off = high > 0.2 ? 0.34 : 0.2;
  const arcs = crowns.map(({ x, y, r }) => {
    const q = num(0.68 * r);
    return `M${num(x - 0.68 * r)} ${num(y)}a${q} ${q} 0 0 1 ${q} -${q}`;
  });
  return clipped(ring, [
    path("crown-shade", crowns.map(({ x, y, r }) => dot(x + off * r, y + off * r, r)).join("")),
    path("crown", crowns.map(({ x, y, r }) => dot(x, y, r)).join("")),
    path("crown-light fine", arcs.join("")),
  ]);
}

/** Three lines along the shore: broad strokes, each covered but for its rim. @param {Piece} piece */
function shores({ ring }) {
  const d = closed(ring);
  const lines = ["shore far", "shore cover-far", "shore middle", "shore cover-middle", "shore near", "shore cover-near"];
  return clipped(ring, lines.map((name) => path(name, d)));
}

/** Short strokes inwards, as maps show that the ground falls.
 * @param {Ring} ring @param {number} step @param {number} long @param {() => number} random */
function hachures(ring, step, long, random) {
  let d = "";
  for (const [[ax, ay], [bx, by]] of sides(ring)) {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    for (let at = step / 2; at < length; at += step) {
      const far = long * (0.55 + 0.75 * random());
      d += `M${num(ax + ux * at)} ${num(ay + uy * at)}l${num(-uy * far)} ${num(ux * far)}`;
    }
  }
  return path("hachures fine", d);
}

/** @param {Piece} piece */
function bowl({ ring, size, random }) {
  const inner = scaledRing(ring, 0.62);
  return [path("hollow", closed(inner)), hachures(ring, size / 11, 0.13 * size, random), ...litEdges(inner, true)];
}

/** Hachures and inner contours, one for about each inch and a half. @param {Piece} piece */
function hill({ ring, size, high, inch, random }) {
  const contours = Math.max(1, Math.min(3, Math.round(high / (1.5 * inch))));
  const rings = Array.from({ length: contours }, (_, n) => scaledRing(ring, 1 - 0.21 * (n + 1)));
  return [
    hachures(ring, size / 26, 0.085 * size, random),
    ...rings.flatMap((inner) => [path("raised", closed(inner)), ...litEdges(inner)]),
  ];
}

/** @param {Piece} piece */
function steep({ ring, size, random }) {
  return [hachures(ring, size / 22, 0.2 * size, random), ...litEdges(scaledRing(ring, 0.74))];
}

/** A sunk floor with the shadow of its near wall. @param {Piece} piece */
function pit({ ring, inch }) {
  const floor = closed(shifted(ring, 0.42 * inch, 0.42 * inch));
  const shade = svg("path", { class: "sunk", d: closed(ring) + floor, "fill-rule": "evenodd" });
  return [...clipped(ring, [shade]), ...litEdges(ring, true)];
}

/** @param {Piece} piece */
function stones({ ring, size, inch, random }) {
  const step = Math.max(size / 7, 0.55 * inch);
  const d = scattered(ring, step, 0.3 * step, random)
    .map(([x, y]) => {
      const [r, turn] = [step * (0.2 + 0.22 * random()), 6 * random()];
      return closed([0, 1.3, 2.6, 3.7, 5].map((a) => /** @type {Point} */ ([x + r * Math.cos(a + turn), y + r * Math.sin(a + turn)])));
    })
    .join("");
  const off = num(0.09 * inch);
  const shade = svg("path", { class: "stone-shade", d, transform: `translate(${off} ${off})` });
  return clipped(ring, [shade, path("stone", d)]);
}

/** A hipped roof over four corners: each face as light as it looks towards the light. @param {Ring} box */
function roof(box) {
  const long = sides(box).map(([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]));
  const first = long[0] >= long[1] ? 0 : 1;
  const [a, b, c, d] = [0, 1, 2, 3].map((n) => box[(n + first) % 4]);
  const between = (/** @type {Point} */ p, /** @type {Point} */ q, t = 0.5) =>
    /** @type {Point} */ ([p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t]);
  const [left, right] = [between(a, d), between(b, c)];
  const hip = Math.min(0.36, (0.32 * Math.min(long[0], long[1])) / Math.max(long[0], long[1], 1e-9));
  const [from, to] = [between(left, right, hip), between(left, right, 1 - hip)];
  const faces = /** @type {Ring[]} */ ([[a, b, to, from], [b, c, to], [c, d, from, to], [d, a, from]]);
  return faces.map((face) => {
    const tone = Math.round((1 - towardsLight([face[0], face[1]])) * 1.5);
    return path(`roof roof-${tone}`, closed(face));
  });
}

/** @param {Piece} piece */
function house({ ring }) {
  return ring.length === 4 ? roof(scaledRing(ring, 0.94)) : litEdges(scaledRing(ring, 0.86));
}

/** Little houses, here and there. @param {Piece} piece */
function houses({ ring, size, inch, random }) {
  const step = size / 4.2;
  const [w, h] = [0.4 * step, 0.25 * step];
  return scattered(ring, step, 0.42 * step, random).flatMap(([x, y]) => {
    const turn = (random() < 0.5 ? 0 : Math.PI / 2) + 0.16;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const corners = [[-w, -h], [w, -h], [w, h], [-w, h]];
    const box = corners.map(([u, v]) => /** @type {Point} */ ([x + u * c - v * s, y + u * s + v * c]));
    return [path("shadow soft", shadowOf(box, 1.6 * inch)), ...roof(box)];
  });
}

/** A frame and a diagonal. @param {Piece} piece */
function crate({ ring }) {
  const inner = scaledRing(ring, 0.74);
  const [a, , c] = inner;
  const cross = ring.length === 4 ? `M${a.map(num).join(" ")}L${c.map(num).join(" ")}` : "";
  return [path("hachures fine", closed(inner) + cross), ...litEdges(ring)];
}

/** @param {Piece} piece */
function slab({ ring }) {
  const inner = scaledRing(ring, 0.78);
  return [path("raised", closed(inner)), ...litEdges(inner), ...litEdges(ring)];
}

/** By form, else by texture. */
const FEATURES = /** @type {Record<string, (piece: Piece) => SVGElement[]>} */ ({
  bowl,
  pit,
  roof: house,
  roofs: houses,
  trees: canopies,
  waves: shores,
  rings: hill,
  stones,
  solid: slab,
  "cross-hatch": crate,
});

/**
 * What is drawn inside a piece, over its ground. Its id sows what looks random.
 * @param {Plate} plate
 * @param {Ground} ground
 * @param {Shape} shape
 * @param {number} inch an inch in table units
 * @returns {SVGElement[]}
 */
export function featureOf(plate, ground, shape, inch) {
  const ring = ringOf(plate, shape);
  const high = ground.top - ground.bottom;
  const piece = { ring, size: sizeOf(ring), high, inch, random: sown(ground.id) };
  const { form, pattern } = ground;
  const feature = FEATURES[form] ?? FEATURES[pattern];
  if (feature) return feature(piece);
  if (pattern === "hatch" && high >= 3 * inch) return steep(piece);
  return high > FLAT * inch ? litEdges(ring) : [];
}
