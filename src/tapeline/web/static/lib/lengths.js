// @ts-check
// Lengths inside sentences, in the unit that people chose: the server writes them in the unit of the table.

import { figure } from "./units.js";

/** @typedef {import("./units.js").Units} Units */

const NUMBER = "-?\\d+(?:\\.\\d+)?";
/** "0.93 in", "1 to 3 cm", "12 inches"; not "3 in the open". */
const LENGTH = new RegExp(
  `(?<![\\w.-])(${NUMBER})((?:\\.\\.| to | or )${NUMBER})? (in|cm|inch|inches)\\b` +
    "(?! (?:the|this|that|these|a|an|its|their|whom|melee|contact|combat|order|two|three|four|\\d))",
  "g",
);
/** A figure that stands for itself, its unit said before: "...; 40 are allowed." */
const BARE = new RegExp(`(?<![\\w.,-])(${NUMBER})(?=[;:,)]|\\.(?!\\d)|$| (?:is|are) )`, "g");
/** Places and heights as the board is told in words: "at 3, 4", "2.5 up", "between 1, 2 and 3, 4". */
const AT = new RegExp(`\\bat (${NUMBER}), (${NUMBER})(?![\\d.]*\\w)`, "g");
const PLACE = new RegExp(`\\b(between|and) (${NUMBER}), (${NUMBER})(?=,|\\.?$| and )`, "g");
const HEIGHT = new RegExp(`(?<![\\w.])(${NUMBER})(?= up\\b)`, "g");
/** A place that has no name: "(3, 4, 2.5 up)". */
const SPOT = new RegExp(`\\((${NUMBER}), (${NUMBER})(?:, (${NUMBER}) up)?\\)`, "g");
const IN_BRACKETS = /(\([^()]*\))/;
/** What is written on terrain: its height or heights, at the end. */
const HEIGHTS = new RegExp(`(^|, |: |height )(${NUMBER})( to ${NUMBER})?(?: (?:in|cm)(?= up$))?( up)?$`);

/**
 * A sentence with its lengths in the unit that is shown.
 * @param {string} text
 * @param {Units} units
 * @param {(number | null | undefined)[]} [exact] lengths that the sentence tells rounded, table units
 */
export function inUnits(text, units, exact = []) {
  const known = exact.filter((one) => typeof one === "number");
  const all = (text.match(new RegExp(NUMBER, "g")) ?? []).map(Number);
  const turned = (/** @type {string} */ said) => turn(said, units, known, all);
  let found = false;
  const placed = units.factor === 1 ? text : text.replace(AT, (_all, x, y) => `at ${spot(x, units)}, ${spot(y, units)}`);
  const said = placed.replace(LENGTH, (_all, one, more, unit) => {
    found = true;
    const words = turned(one);
    if (!more) return `${words} ${unit.startsWith("inch") && units.shown === "in" ? unit : units.shown}`;
    const [, join, other] = /** @type {RegExpExecArray} */ (/^(\.\.| to | or )(.*)$/.exec(more));
    return `${words}${join}${turned(other)} ${units.shown}`;
  });
  if (!found || units.factor === 1) return said;
  return said.replace(BARE, (as, one) => (exactly(one, known) === null ? as : turned(one)));
}

/**
 * A body or a piece of terrain told in words, with its places and heights in the unit that is shown.
 * @param {string} text
 * @param {Units} units
 * @param {(number | null | undefined)[]} [exact] as of inUnits
 */
export function placesIn(text, units, exact = []) {
  const one = (/** @type {string} */ number) => spot(number, units);
  // Places in brackets apart: their figures are no lengths.
  const parts = text.split(IN_BRACKETS).map((part) => {
    if (part.startsWith("(")) {
      return part.replace(SPOT, (_all, x, y, z) => `(${one(x)}, ${one(y)}${z === undefined ? "" : `, ${units.say(Number(z))} up`})`);
    }
    return inUnits(part, units, exact)
      .replace(PLACE, (_all, word, x, y) => `${word} ${one(x)}, ${one(y)}`)
      .replace(HEIGHT, (_all, z) => units.say(Number(z)));
  });
  return parts.join("");
}

/** A coordinate in the shown unit. @param {string} said @param {Units} units */
function spot(said, units) {
  return figure(units.in(Number(said)), Math.max(1, decimals(said)));
}

/**
 * The caption of a storey.
 * @param {import("./documents.js").Storey} storey
 * @param {Units} units
 */
export function storeyIn({ caption, bottom, top }, units) {
  return inUnits(caption, units, [bottom, top]);
}

/**
 * What is written on terrain, with its heights in the unit that is shown.
 * @param {string} label
 * @param {Units} units
 */
export function heightsIn(label, units) {
  if (units.factor === 1) return label;
  return label.replace(HEIGHTS, (_all, before, low, high = "", up = "") => {
    const more = high && ` to ${turn(high.slice(4), units)}`;
    return `${before}${turn(low, units)}${more}${up && ` ${units.shown}${up}`}`;
  });
}

/**
 * A figure of the table in the shown unit, with as many decimals as tell it from the others of its
 * sentence, two at least.
 * @param {string} said
 * @param {Units} units
 * @param {number[]} [known]
 * @param {number[]} [others]
 */
function turn(said, units, known = [], others = []) {
  const number = Number(said);
  const value = exactly(said, known) ?? number;
  const rest = others.filter((other) => other !== number);
  for (let places = 2; places < decimals(said); places += 1) {
    const short = number.toFixed(places);
    if (rest.every((other) => other.toFixed(places) !== short)) return units.figure(value, places);
  }
  return units.figure(value, Math.max(2, decimals(said)));
}

/** The length that a figure is, rounded; null if none is known. @param {string} said @param {number[]} known */
function exactly(said, known) {
  const half = 0.5 * 10 ** -decimals(said) + 1e-9;
  // Only figures with decimals were rounded; a whole one is what it says.
  return known.find((one) => Math.abs(one - Number(said)) <= (decimals(said) ? half : 5e-3)) ?? null;
}

/** @param {string} said */
function decimals(said) {
  return said.split(".")[1]?.length ?? 0;
}
