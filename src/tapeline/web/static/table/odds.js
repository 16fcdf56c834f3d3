// @ts-check
// The odds of an action: asked for once, shown with the likeliest outcome as a headline, then bars; of counts
// the chance of any at all, then a bar for each.

import { h } from "../lib/dom.js";
import { percent, told } from "./words.js";

/** @typedef {import("../lib/documents.js").Odds} Answer */

/** Outcomes rarer than this are not listed. */
const RARE = 5e-4;
/** Answers kept at most. */
const KEPT = 40;

/** What actions would lead to, each asked for once a version of the match. */
export class Odds {
  /** @param {import("./state.js").State} state */
  constructor(state) {
    this.state = state;
    /** @type {Map<string, Promise<Answer | null>>} */
    this.asked = new Map();
  }

  /** Whether an action was asked about already. @param {Record<string, any>} action */
  has(action) {
    return this.asked.has(this.#key(action));
  }

  /** Null where there is no telling. @param {Record<string, any>} action @returns {Promise<Answer | null>} */
  of(action) {
    const key = this.#key(action);
    const known = this.asked.get(key);
    if (known) return known;
    if (this.asked.size >= KEPT) this.asked.clear();
    const asked = this.state.api.post("odds", { action }).catch(() => {
      this.asked.delete(key);
      return null;
    });
    this.asked.set(key, asked);
    return asked;
  }

  /** @param {Record<string, any>} action */
  #key(action) {
    return JSON.stringify([this.state.version, action]);
  }
}

/** A headline, then bars. @param {Answer} odds */
export function oddsList(odds) {
  const shown = odds.outcomes.filter(({ chance }) => chance >= RARE);
  // Of counts, whether anything comes of it is what one asks first.
  const some = shown.length > 1 && shown.every((one) => typeof one.at_least === "number") ? shown[1] : undefined;
  const first = some ?? [...shown].sort((a, b) => b.chance - a.chance)[0];
  const headline = some ? `at least ${told(some.text)}` : told(first?.text ?? "");
  return [
    first && h("p", { class: "headline" }, h("b", {}, percent(some?.at_least ?? first.chance)), ` ${headline}`),
    shown.length > 1 &&
      h(
        "ul",
        { class: "odds-bars" },
        // The headline has said the likeliest.
        shown.filter((one) => some || one !== first).map(({ chance, text }) =>
          h(
            "li",
            {},
            h("meter", { min: 0, max: 1, value: chance, "aria-hidden": "true" }),
            h("b", {}, percent(chance)),
            ` ${told(text)}`,
          ),
        ),
      ),
    (odds.notes ?? []).map((note) => h("p", { class: "quiet" }, told(note))),
  ];
}
