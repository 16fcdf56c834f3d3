// @ts-check
// Bodies in their true size: side by colour and rim, facing as a notch or a thick front edge.

import { svg } from "../lib/dom.js";
import { num } from "./plate.js";
import { SIGNS } from "./signs.js";

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
 * @param {Base & {x: number, y: number, z?: number, facing: number}} figure
 */
export function boxOf(plate, figure) {
  const [wide, high] = halves(figure, plate);
  const [x, y] = plate.at(figure.x, figure.y, figure.z);
  return { x: x - wide, y: y - high, width: 2 * wide, height: 2 * high };
}

/** Half the width and half the height of that box. @param {Base & {facing: number}} figure @param {Plate} plate */
function halves({ radius, depth, width, facing }, plate) {
  if (radius !== null) return [radius, radius];
  const turn = (plate.turned(facing) * Math.PI) / 180;
  const [c, s] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const [deep, wide] = [(depth ?? 0) / 2, (width ?? 0) / 2];
  return [c * deep + s * wide, s * deep + c * wide];
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
 * The parts of a base that turn with it, front towards +x, middle at 0, 0. All lies inside the
 * border, true to scale.
 * @param {Base & {models?: number | null, files?: number | null}} base
 * @returns {SVGElement[]}
 */
export function baseParts(base) {
  const { radius: r, depth, width } = base;
  if (r !== null) {
    return [
      outlineOf(base, 0, "fill"),
      svg("circle", { class: "rim", r: num(0.91 * r), "stroke-width": num(0.18 * r) }),
      svg("circle", { class: "milled", r: num(0.89 * r), "stroke-width": num(0.085 * r), pathLength: 36 }),
      svg("path", { class: "front", d: `M${num(r)} 0L${num(0.56 * r)} ${num(0.56 * r)}Q${num(0.76 * r)} 0 ${num(0.56 * r)} ${num(-0.56 * r)}z` }),
    ];
  }
  const [deep, wide] = [depth ?? 0, width ?? 0];
  const rim = Math.min(0.16 * halfOf(base), 0.04 + 0.05 * halfOf(base));
  const edge = frontOf(base);
  const notch = Math.min(0.5 * edge, 0.2 * wide);
  const frame = (/** @type {string} */ name, /** @type {number} */ thick) =>
    svg("rect", {
      class: name,
      x: num((rim - deep) / 2),
      y: num((rim - wide) / 2),
      width: num(Math.max(deep - rim, 1e-3)),
      height: num(Math.max(wide - rim, 1e-3)),
      "stroke-width": num(thick),
      pathLength: 36 * Math.max(1, Math.round((deep + wide) / (2 * Math.min(deep, wide) || 1))),
    });
  return [
    outlineOf(base, 0, "fill"),
    ...ranksOf(base),
    frame("rim", rim),
    frame("milled", rim / 2),
    svg("path", {
      class: "front",
      d:
        `M${num(deep / 2)} ${num(-wide / 2)}v${num(wide)}h${num(-edge)}V${num(notch)}l${num(notch)} ${num(-notch)}` +
        `l${num(-notch)} ${num(-notch)}V${num(-wide / 2)}z`,
    }),
  ];
}

/** How deep the front edge of a rectangle is. @param {Base & {models?: number | null}} base */
function frontOf(base) {
  const deep = base.depth ?? 0;
  return (base.models ?? 0) > 1 ? Math.min(0.12 * deep, 0.3 * halfOf(base)) : 0.22 * deep;
}

/**
 * The sign of a figure's troop type; `signAt` puts it upright.
 * @param {Plate} plate
 * @param {Figure} figure
 * @returns {SVGElement[]}
 */
export function signOf(plate, figure) {
  const d = SIGNS[figure.role];
  if (!d) return [];
  const size = signSize(figure);
  const medal = (figure.models ?? 0) > 1 ? svg("circle", { class: "medal", r: num(1.6 * size) }) : null;
  return [svg("g", { class: "sign-of", transform: signAt(plate, figure, figure.facing) }, medal, svg("path", { class: "sign", d, "fill-rule": "evenodd", transform: `scale(${num(size / 10)})` }))];
}

/** Half the box of a sign, table units. @param {Figure} figure */
function signSize(figure) {
  if (figure.radius !== null) return 0.6 * figure.radius;
  return (figure.models ?? 0) > 1 ? Math.min(0.3 * halfOf(figure), 0.7) : 0.5 * Math.min((figure.depth ?? 0) - frontOf(figure), figure.width ?? 0) * 0.72;
}

/** How far behind the middle of a base its sign reaches, table units. @param {Figure} figure */
export function signBack(figure) {
  if (!SIGNS[figure.role]) return 0;
  return frontOf(figure) / 2 + ((figure.models ?? 0) > 1 ? 1.6 : 1) * signSize(figure);
}

/** The middle of what the front edge leaves free, not turned. @param {Plate} plate @param {Figure} figure @param {number} facing */
export function signAt(plate, figure, facing) {
  const back = figure.radius === null ? -frontOf(figure) / 2 : 0;
  const turn = (plate.turned(facing) * Math.PI) / 180;
  return `translate(${num(back * Math.cos(turn))} ${num(back * Math.sin(turn))})`;
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
 * The models of a regiment on its base as blocks: ranks from the front, the last one may be short.
 * @param {Base & {models?: number | null, files?: number | null}} regiment
 * @returns {SVGElement[]}
 */
function ranksOf({ models, files, depth, width }) {
  if (!models || !files || !depth || !width || models < 2) return [];
  const [deep, wide] = [depth / Math.ceil(models / files), width / files];
  const [high, across] = [0.78 * deep, 0.78 * wide];
  const block = { width: num(high), height: num(across), rx: num(0.24 * Math.min(high, across)) };
  return Array.from({ length: models }, (_, n) => {
    const [rank, file] = [Math.floor(n / files), n % files];
    const here = Math.min(files, models - rank * files);
    const x = depth / 2 - (rank + 0.5) * deep - high / 2;
    const y = (file + 0.5 - here / 2) * wide - across / 2;
    return svg("rect", { class: rank ? "model" : "model first", x: num(x), y: num(y), ...block });
  });
}

/**
 * The shadow of a base: it falls one way, however the base stands.
 * @param {Plate} plate
 * @param {Figure} figure
 * @param {number} [lift] how many times as long as that of one that stands
 */
export function shadowUnder(plate, figure, lift = 1) {
  const half = halfOf(figure);
  const off = lift * (figure.radius === null ? Math.min(0.15 * half, 0.12) : 0.14 * half);
  const outline = outlineOf(figure, 0, "shadow");
  outline.setAttribute("transform", `rotate(${num(plate.turned(figure.facing))})`);
  return svg("g", { class: "standing", transform: `translate(${num(off)} ${num(1.1 * off)})` }, outline);
}

/** @param {Plate} plate @param {{x: number, y: number, z?: number}} figure */
export function place(plate, figure) {
  const [x, y] = plate.at(figure.x, figure.y, figure.z);
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
  const turned = svg("g", { class: "turned", transform: `rotate(${num(plate.turned(figure.facing))})` });
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
  group.prepend(shadowUnder(plate, figure));
  turned.append(...baseParts(figure));
  group.append(...signOf(plate, figure));
  if (figure.badges.length && !how.still) group.append(badgesOf(plate, figure));
  return group;
}

/** Badges that are shown; what is more stands in one that says how many. */
const MOST_BADGES = 3;

/** Pixels between badges, and how wide one is. */
const BADGE_GAP = 1;
const badgeWidth = (/** @type {string} */ letter) => 9 + 6.4 * letter.length;

/**
 * What is shown of the badges of a figure, and how wide that is.
 * @param {Figure} figure
 */
export function badgesShown({ badges }) {
  const many = badges.length > MOST_BADGES;
  const rest = badges.slice(MOST_BADGES - 1);
  const more = { letter: `+${rest.length}`, words: rest.map((badge) => badge.words).join(", ") };
  const shown = many ? [...badges.slice(0, MOST_BADGES - 1), more] : badges;
  const width = shown.reduce((sum, { letter }) => sum + badgeWidth(letter) + BADGE_GAP, -BADGE_GAP);
  return { shown, width };
}

/**
 * Where badges may begin, the first one best: at one o'clock of a disc, at the upper right corner of the
 * box of a rectangle; in a crowd at another side. left: pixels of the first badge beside that.
 * @param {Plate} plate
 * @param {Figure} figure
 * @returns {{x: number, y: number, left: number}[]}
 */
export function badgeSlots(plate, figure) {
  const r = figure.radius;
  const { width } = badgesShown(figure);
  const [x, y, over] = r === null ? [...halves(figure, plate), 12] : [0.5 * r, 0.87 * r, 3];
  return [
    ...[-y, y].flatMap((at) => [{ x, y: at, left: -over }, { x: -x, y: at, left: over - width }]),
    { x: 2 * x, y: 0, left: 2 },
    { x: -2 * x, y: 0, left: -width - 2 },
  ];
}

/** @param {SVGElement} badges of a body @param {{x: number, y: number, left: number}} slot */
export function setBadges(badges, { x, y, left }) {
  badges.setAttribute("transform", `translate(${num(x)} ${num(y)})`);
  badges.firstElementChild?.firstElementChild?.setAttribute("transform", `translate(${num(left)} 0)`);
}

/** Letters of the states of a body. @param {Plate} plate @param {Figure} figure */
function badgesOf(plate, figure) {
  let left = 0;
  const parts = badgesShown(figure).shown.map(({ letter, words }) => {
    const wide = badgeWidth(letter);
    const at = left;
    left += wide + BADGE_GAP;
    return svg(
      "g",
      { class: "badge" },
      svg("rect", { x: at, y: -8, width: wide, height: 15, rx: 4 }),
      svg("text", { x: at + wide / 2, y: 3.4, text: letter }),
      svg("title", { text: words }),
    );
  });
  const badges = svg("g", { class: "badges" }, svg("g", { class: "fixed" }, svg("g", {}, parts)));
  setBadges(badges, badgeSlots(plate, figure)[0]);
  return badges;
}

/** Figures as people read: from the far left corner in lines. @param {Figure[]} figures */
export function inReadingOrder(figures) {
  return [...figures].sort((a, b) => b.y - a.y || a.x - b.x);
}
