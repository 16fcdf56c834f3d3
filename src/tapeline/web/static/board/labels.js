// @ts-check
// Names on the board: set where there is room at this scale, left out where there is none.

import { svg } from "../lib/dom.js";
import { heightsIn, inUnits } from "../lib/lengths.js";
import { inchOf } from "../lib/units.js";
import { around, badgeSlots, badgesShown, boxOf, halfOf, setBadges, signBack } from "./figures.js";
import { fixedAt } from "./plate.js";
import { LINE, SMALL_LINE, area, cornerOf, room, scaled, shared, within } from "./spots.js";
import { zoneBox } from "./zones.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("./spots.js").Box} Box */

/** Pixels of the smaller half of a base from which on it, or its unit, has its name shown. */
const READABLE = 4.5;
const READABLE_UNIT = 1.5;
/** The same for who leads, and for anybody where only so many stand. */
const READABLE_FEW = 2.5;
const FEW = 12;
const NUMBERS = 24;
const COUNTS = 11;
/** Roles of those who lead. */
const LEADING = new Set(["leader", "hero"]);
/** Pixels of that half from which on the state of a unit stands under its name. */
const STATES = 8;
/** A name that stands on so many places is shown only on large ones, pixels. */
const COMMON = 3;
const COMMON_PIXELS = 120;
/** Where an inch has fewer pixels, places smaller than so many have no name. */
const COARSE = 9;
const COARSE_PIXELS = 40;

/**
 * Set all names of a plate anew for a scale.
 * @param {Plate} plate
 * @param {BoardDoc} board
 * @param {Ground[]} terrain
 * @param {number} scale pixels in a table unit
 * @param {(side: string) => {look: number}} side
 * @param {import("../lib/units.js").Units} units
 * @param {{taken: Box[], hidden: (x: number, y: number) => boolean}} above what plates above it take, and
 *     whether they hide a place
 */
export function drawLabels(plate, board, terrain, scale, side, units, above) {
  const taken = [...above.taken];
  const { width, height } = plate.view;
  const up = plate.alone ? 0 : height * scale;
  const whole = { x: -6, y: -20 - up, width: width * scale + 12, height: height * scale + up + 22 };
  const here = board.figures.filter((figure) => plate.sees(figure.z) && !above.hidden(...plate.at(figure.x, figure.y, figure.z)));
  for (const figure of here) {
    taken.push(scaled(boxOf(plate, figure), scale));
    if (isCounted(figure, scale)) taken.push(scaledCount(plate, figure, scale));
  }
  const bases = new Map(here.map((figure) => [figure.id, scaled(boxOf(plate, figure), scale)]));
  const drawn = new Map([...plate.layers.figures.children].map((group) => [group.getAttribute("data-id"), group.querySelector(".badges")]));
  const letters = /** @type {Box[]} */ ([]);
  for (const figure of here) {
    const badges = drawn.get(figure.id);
    if (!(badges instanceof SVGElement)) continue;
    const others = [...letters, ...[...bases].flatMap(([id, box]) => (id === figure.id ? [] : [box]))];
    const slots = badgeSlots(plate, figure).map((slot) => ({ slot, box: badgeBox(plate, figure, slot, scale) }));
    const covers = slots.map(({ box }) => others.reduce((sum, other) => sum + shared(box, other), 0));
    const { slot, box } = slots[covers.indexOf(Math.min(...covers))];
    setBadges(badges, slot);
    letters.push(box);
  }
  taken.push(...letters);
  const made = /** @type {SVGElement[]} */ ([]);
  const groups = new Map(board.groups.map((group) => [group.id, group]));
  const done = new Set();
  const singles = here.filter((figure) => !figure.unit).length;

  for (const figure of here) {
    const group = figure.unit ? groups.get(figure.unit) : undefined;
    const several = group && group.members.length > 1;
    const half = halfOf(figure) * scale;
    if (several && half >= NUMBERS) {
      made.push(onBase(plate, figure, 0, String(group.members.indexOf(figure.id) + 1)));
    } else if (isCounted(figure, scale)) {
      made.push(onBase(plate, figure, countBack(plate, figure, scale), String(figure.models)));
    }
    if (several && done.has(group.id)) continue;
    if (several) done.add(group.id);
    const stands = LEADING.has(figure.role ?? "") || singles <= FEW ? READABLE_FEW : READABLE;
    if (half < (several ? READABLE_UNIT : stands)) continue;
    const members = several ? here.filter((f) => f.unit === group.id) : [figure];
    const box = around(members.map((f) => scaled(boxOf(plate, f), scale))) ?? taken[0];
    const text = group?.name || figure.name;
    const state = half >= STATES ? inUnits(group?.words ?? "", units) : "";
    const small = figure.z > 1e-6 && !plate.storey ? `${units.figure(figure.z)} up` : state;
    const spot = room(box, text, small, taken, whole);
    if (!spot) continue;
    taken.push(spot.box);
    made.push(label(spot, text, spot.small, `name look-${side(figure.side).look}`, scale));
  }

  for (const zone of plate.storey && plate.storey.index !== 0 ? [] : (board.zones ?? [])) {
    const box = scaled(zoneBox(plate, zone), scale);
    const spot = cornerOf(box, zone.label, taken) ?? room(box, zone.label, "", taken, whole, 12.5);
    if (!spot) continue;
    taken.push(spot.box);
    const look = zone.side === null ? "" : ` look-${side(zone.side).look}`;
    made.push(label(spot, zone.label, "", `zone-name${look}`, scale));
  }
  // Of several plates the one of its top names a thing, and ways and walls are seen for what they are.
  const own = (/** @type {Ground} */ ground) => plate.alone || (["floor", "piece"].includes(ground.type) && plate.sees(ground.top));
  const named = terrain.filter((ground) => ground.label && plate.shows(ground) && own(ground));
  const boxes = new Map(named.map((ground) => [ground.id, scaled(groundBox(plate, ground), scale)]));
  const shown = named.filter((ground) => {
    const { x, y, width: wide, height: high } = /** @type {Box} */ (boxes.get(ground.id));
    return !above.hidden((x + wide / 2) / scale, (y + high / 2) / scale);
  });
  for (const ground of terrain) {
    const way = ground.type === "ramp" || ground.type === "ladder";
    if (way && plate.shows(ground)) taken.push(scaled(groundBox(plate, ground), scale));
  }
  // A river's name is best where no bridge lies over it.
  const onIt = (/** @type {number} */ n) => shown.slice(n + 1).flatMap(({ id }) => boxes.get(id) ?? []);
  const coarse = scale * inchOf(board.unit) < COARSE;
  const often = new Map();
  for (const { label: words } of shown) often.set(words, (often.get(words) ?? 0) + 1);
  shown.sort((a, b) => area(boxes.get(b.id)) - area(boxes.get(a.id)));
  for (const [n, ground] of shown.entries()) {
    const box = /** @type {Box} */ (boxes.get(ground.id));
    if (often.get(ground.label) >= COMMON && Math.max(box.width, box.height) < COMMON_PIXELS) continue;
    if (coarse && Math.max(box.width, box.height) < COARSE_PIXELS) continue;
    const cut = ground.label.indexOf(", ");
    const text = cut < 0 ? heightsIn(ground.label, units) : ground.label.slice(0, cut);
    const small = cut < 0 ? "" : heightsIn(ground.label.slice(cut + 2), units);
    const spot = isThin(ground, box)
      ? room(box, text, small, taken, whole, 12.5)
      : (within(box, text, small, [...taken, ...onIt(n)]) ?? within(box, text, small, taken) ?? within(box, text, "", taken) ?? (small ? within(box, "", small, taken) : null));
    if (!spot || (isThin(ground, box) && shorter(box, spot.box))) continue;
    taken.push(spot.box);
    made.push(label(spot, spot.text, spot.small, ground.type === "piece" ? `place texture-${ground.pattern}` : "place", scale));
  }
  plate.taken = taken;
  plate.scale = scale;
  plate.layers.labels.replaceChildren(...made);
}

/** Where the badges of a figure are in a slot, pixels. @param {Plate} plate
 * @param {import("../lib/documents.js").Figure} figure @param {{x: number, y: number, left: number}} slot @param {number} scale */
function badgeBox(plate, figure, slot, scale) {
  const [x, y] = plate.at(figure.x, figure.y, figure.z);
  return { x: (x + slot.x) * scale + slot.left, y: (y + slot.y) * scale - 8, width: badgesShown(figure).width, height: 15 };
}

/** Whether a name would hide what it is written on: it goes beside it. @param {Ground} ground
 * @param {Box} box */
function isThin(ground, box) {
  const way = ground.type === "ramp" || ground.type === "ladder";
  return Math.min(box.width, box.height) < (way ? 40 : 14);
}

/** Whether something is too short for a name beside it. @param {Box} box @param {Box} name */
function shorter(box, name) {
  return Math.max(box.width, box.height) * 1.3 + 10 < name.width;
}

/**
 * @param {{box: Box}} spot
 * @param {string} text
 * @param {string} small
 * @param {string} name
 * @param {number} scale
 */
function label(spot, text, small, name, scale) {
  const x = (spot.box.x + spot.box.width / 2) / scale;
  const y = (spot.box.y + spot.box.height / 2) / scale;
  const top = -spot.box.height / 2 - 3 + (text ? LINE : 0);
  const lines = [
    text ? svg("text", { y: top, text }) : null,
    small ? svg("text", { class: "small", y: top + SMALL_LINE, text: small }) : null,
  ];
  return fixedAt(x, y, lines, { class: `label ${name}` });
}

/** Whether it stands on its base how many models it has.
 * @param {import("../lib/documents.js").Figure} figure @param {number} scale */
function isCounted(figure, scale) {
  return (figure.models ?? 0) > 1 && halfOf(figure) * scale >= COUNTS;
}

/** @param {string} text */
const countWidth = (text) => 8 + 6.6 * text.length;

/** How far behind the middle of a base the plate with the count lies: astride the rear edge, or farther
 * where it would lie on the sign. @param {Plate} plate @param {import("../lib/documents.js").Figure} figure
 * @param {number} scale */
function countBack(plate, figure, scale) {
  const turn = (plate.turned(figure.facing) * Math.PI) / 180;
  const half = Math.abs(Math.cos(turn)) * countWidth(String(figure.models)) * 0.5 + Math.abs(Math.sin(turn)) * 7.5;
  return Math.max((figure.depth ?? 0) / 2, signBack(figure) + half / scale);
}

/** A place behind the middle of a base, drawn.
 * @param {Plate} plate @param {import("../lib/documents.js").Figure} figure @param {number} back */
function behind(plate, figure, back) {
  const turn = (figure.facing * Math.PI) / 180;
  return plate.at(figure.x - back * Math.cos(turn), figure.y - back * Math.sin(turn), figure.z);
}

/** Where that number is, pixels.
 * @param {Plate} plate @param {import("../lib/documents.js").Figure} figure @param {number} scale */
function scaledCount(plate, figure, scale) {
  const [x, y] = behind(plate, figure, countBack(plate, figure, scale));
  const width = countWidth(String(figure.models));
  return { x: x * scale - width / 2, y: y * scale - 7.5, width, height: 15 };
}

/**
 * A number on a base: its place in the unit, or on a plate astride the rear edge how many models
 * stand on it.
 * @param {Plate} plate
 * @param {import("../lib/documents.js").Figure} figure
 * @param {number} back behind its middle, table units
 * @param {string} text
 */
function onBase(plate, figure, back, text) {
  const [x, y] = behind(plate, figure, back);
  const wide = countWidth(text);
  const plaque = back ? svg("rect", { x: -wide / 2, y: -7.5, width: wide, height: 15, rx: 3 }) : null;
  return fixedAt(x, y, [plaque, svg("text", { y: 3.6, text })], { class: back ? "label number count" : "label number" });
}

/** @param {Plate} plate @param {Ground} ground */
function groundBox(plate, ground) {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const shape of ground.shapes) {
    const points = shape.circle
      ? [
          [shape.circle[0] - shape.circle[2], shape.circle[1] - shape.circle[2]],
          [shape.circle[0] + shape.circle[2], shape.circle[1] + shape.circle[2]],
        ]
      : shape.corners;
    for (const [px, py] of points) {
      const [x, y] = plate.at(px, py);
      x0 = Math.min(x0, x);
      y0 = Math.min(y0, y);
      x1 = Math.max(x1, x);
      y1 = Math.max(y1, y);
    }
  }
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}
