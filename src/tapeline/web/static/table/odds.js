// @ts-check
// The odds of an action: the likeliest outcome as a headline, then bars.

import { h } from "../lib/dom.js";
import { percent, told } from "./words.js";

/** Outcomes rarer than this are not listed. */
const RARE = 5e-4;

/** The likeliest outcome as a headline, then bars. @param {import("../lib/documents.js").Odds} odds */
export function oddsList(odds) {
  const shown = odds.outcomes.filter(({ chance }) => chance >= RARE);
  const [first] = [...shown].sort((a, b) => b.chance - a.chance);
  return [
    first && h("p", { class: "headline" }, h("b", {}, percent(first.chance)), ` ${told(first.text)}`),
    shown.length > 1 &&
      h(
        "ul",
        { class: "odds-bars" },
        shown.map(({ chance, text }) =>
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
