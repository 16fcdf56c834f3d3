// @ts-check
// Fields for what an action needs besides the gesture: flags, one or some of a list, a number.

import { h } from "../lib/dom.js";
import { told } from "./words.js";

/** @typedef {import("../lib/documents.js").Extra} Extra */
/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @param {Draft} draft
 * @param {Extra} extra
 * @returns {HTMLElement}
 */
export function extraField(draft, extra) {
  const now = extra.name in draft.extras ? draft.extras[extra.name] : extra.default;
  const keep = `extra-${extra.name}`;
  switch (extra.form) {
    case "flag":
      return h(
        "label",
        { class: "field flag" },
        h("input", {
          type: "checkbox",
          checked: now === true,
          dataset: { keep },
          onchange: (/** @type {Event} */ event) =>
            draft.extra(extra.name, /** @type {HTMLInputElement} */ (event.target).checked),
        }),
        told(extra.label),
      );
    case "one":
      return h(
        "label",
        { class: "field" },
        told(extra.label),
        h(
          "select",
          {
            dataset: { keep },
            onchange: (/** @type {Event} */ event) => {
              const index = /** @type {HTMLSelectElement} */ (event.target).selectedIndex;
              draft.extra(extra.name, extra.options[index].value);
            },
          },
          extra.options.map((option, index) =>
            h("option", { value: String(index), selected: same(option.value, now) }, told(option.text)),
          ),
        ),
      );
    case "some":
      return some(draft, extra, Array.isArray(now) ? now : []);
    default:
      return h(
        "label",
        { class: "field" },
        told(extra.label),
        h("input", {
          type: "number",
          value: now === null || now === undefined ? "" : String(now),
          inputmode: "decimal",
          step: "any",
          dataset: { keep },
          onchange: (/** @type {Event} */ event) => {
            const value = /** @type {HTMLInputElement} */ (event.target).valueAsNumber;
            draft.extra(extra.name, Number.isFinite(value) ? value : extra.default);
          },
        }),
      );
  }
}

/** @param {Draft} draft @param {Extra} extra @param {unknown[]} now */
function some(draft, extra, now) {
  return h(
    "fieldset",
    { class: "field some" },
    h("legend", {}, told(extra.label)),
    extra.options.map((option, index) =>
      h(
        "label",
        {},
        h("input", {
          type: "checkbox",
          checked: now.some((value) => same(value, option.value)),
          dataset: { keep: `extra-${extra.name}-${index}` },
          onchange: (/** @type {Event} */ event) => {
            const on = /** @type {HTMLInputElement} */ (event.target).checked;
            const rest = now.filter((value) => !same(value, option.value));
            draft.extra(extra.name, on ? [...rest, option.value] : rest);
          },
        }),
        told(option.text),
      ),
    ),
  );
}

/** @param {unknown} a @param {unknown} b */
function same(a, b) {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
