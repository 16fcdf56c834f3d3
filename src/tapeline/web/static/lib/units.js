// @ts-check
// Lengths in words: a table counts in inches or centimetres, and people read either.

import { get, put } from "./store.js";

const CM_PER_IN = 2.54;

/** @typedef {"in" | "cm"} Unit */

/** An inch in units of a table. @param {Unit | undefined} unit */
export const inchOf = (unit) => (unit === "cm" ? CM_PER_IN : 1);

/** Lengths of one table, shown in the unit people want. Dispatches "change". */
export class Units extends EventTarget {
  /**
   * @param {Unit} table the unit of the table
   * @param {Unit | null} [shown] left out: what was chosen last for tables of this unit
   */
  constructor(table, shown = null) {
    super();
    this._table = table;
    /** @type {Unit} */
    this.shown = shown ?? chosen(table);
  }

  /** The unit of the table. */
  get table() {
    return this._table;
  }

  set table(/** @type {Unit} */ unit) {
    if (unit === this._table) return;
    this._table = unit;
    this.shown = chosen(unit);
    this.dispatchEvent(new CustomEvent("change", { detail: this.shown }));
  }

  /** Show lengths in this unit from now on, and remember it. @param {Unit} unit */
  show(unit) {
    if (unit === this.shown) return;
    this.shown = unit;
    put(`units-${this.table}`, unit);
    this.dispatchEvent(new CustomEvent("change", { detail: unit }));
  }

  /** How many shown units one table unit is. */
  get factor() {
    if (this.table === this.shown) return 1;
    return this.table === "in" ? CM_PER_IN : 1 / CM_PER_IN;
  }

  /** A length of the table as a number in the shown unit. @param {number} value */
  in(value) {
    return value * this.factor;
  }

  /** A length in the shown unit as one of the table. @param {number} value */
  from(value) {
    return value / this.factor;
  }

  /** "3.25 in". @param {number} value @param {number} [places] */
  say(value, places = 2) {
    return `${this.figure(value, places)} ${this.shown}`;
  }

  /** "3.25" without the unit, no trailing noughts. @param {number} value @param {number} [places] */
  figure(value, places = 2) {
    return figure(this.in(value), places);
  }
}

/** What was chosen last for tables of a unit. @param {Unit} table @returns {Unit} */
function chosen(table) {
  const kept = get(`units-${table}`, "");
  return kept === "in" || kept === "cm" ? kept : table;
}

/**
 * A number for people: rounded, no trailing noughts, a true minus.
 * @param {number} value
 * @param {number} [places]
 */
export function figure(value, places = 2) {
  const text = value.toFixed(places);
  const short = text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
  return (short === "-0" ? "0" : short).replace("-", "\u2212");
}
