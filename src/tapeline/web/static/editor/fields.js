// @ts-check
// Fields of the side form: each is bound to a path of the document and shows its faults.

import { h } from "../lib/dom.js";
import { putAt, steps, valueAt } from "./paths.js";

/** @typedef {import("./scene.js").Draft} Draft */

/**
 * @typedef {object} Bound
 * @property {string} path
 * @property {HTMLElement} element the field with its label
 * @property {HTMLElement} control
 * @property {() => void} refresh show what the document holds now
 */

/** Fields made so far, for their ids. */
let made = 0;

/** Makes fields for a document and keeps them in step with it. */
export class Fields {
  /** @param {Draft} draft */
  constructor(draft) {
    this.draft = draft;
    /** @type {Bound[]} */
    this.bound = [];
  }

  clear() {
    this.bound = [];
  }

  /** Show what the document holds, but leave the field alone that is being written in. */
  refresh() {
    for (const field of this.bound) {
      if (document.activeElement !== field.control) field.refresh();
    }
  }

  /**
   * A number.
   * @param {string} label
   * @param {string} path
   * @param {{step?: number, min?: number, max?: number, whole?: boolean, unit?: string,
   *   usual?: number | null, short?: boolean, says?: string,
   *   also?: (entry: any) => void}} [how] usual: what holds where the field is empty; null: it may
   *   be empty. also: what else changes in the entry
   */
  number(label, path, how = {}) {
    const { step = 0.1, min, max, whole = false, unit, usual, short, says } = how;
    const input = h("input", {
      type: "number",
      inputmode: whole ? "numeric" : "decimal",
      step: whole ? 1 : step,
      min,
      max,
      autocomplete: "off",
      placeholder: usual === undefined || usual === null ? null : String(usual),
      required: usual === undefined,
    });
    // Figures between the steps are as good; the steps are for the arrows.
    const sound = () => {
      const value = input.valueAsNumber;
      if (input.value === "" && !input.validity.badInput) return usual !== undefined;
      const inside = (min === undefined || value >= min) && (max === undefined || value <= max);
      return Number.isFinite(value) && inside && (!whole || Number.isInteger(value));
    };
    const limits = [
      min === undefined ? "" : `${min} or more`,
      max === undefined ? "" : `${max} or less`,
    ].filter(Boolean);
    const wrong = `a ${whole ? "whole " : ""}number${limits.length ? `, ${limits.join(", ")}` : ""}`;
    const take = () => {
      const good = sound();
      input.setCustomValidity(good ? "" : wrong);
      if (good) this.put(label, path, input.value === "" ? undefined : input.valueAsNumber, how.also);
    };
    input.addEventListener("input", take);
    input.addEventListener("change", () => input.reportValidity());
    return this.bind(label, path, input, { unit, short, says }, () => {
      const value = valueAt(this.draft.scene, path);
      input.value = value === undefined || value === null ? "" : String(value);
      input.setCustomValidity("");
    });
  }

  /**
   * A line of text.
   * @param {string} label
   * @param {string} path
   * @param {{most?: number, empty?: boolean, take?: (value: string) => void, says?: string}} [how]
   */
  text(label, path, how = {}) {
    const { most = 120, empty = true, says } = how;
    const input = h("input", { type: "text", maxlength: most, autocomplete: "off", spellcheck: "false" });
    input.addEventListener("change", () => {
      const value = input.value.trim();
      if (how.take) how.take(value);
      else this.put(label, path, value === "" && empty ? undefined : value);
    });
    return this.bind(label, path, input, { says }, () => {
      input.value = valueAt(this.draft.scene, path) ?? "";
    });
  }

  /**
   * One of several. options: value and words.
   * @param {string} label
   * @param {string} path
   * @param {[string, string][]} options
   * @param {{otherwise?: string, take?: (value: string) => void, says?: string,
   *   also?: (entry: any) => void}} [how] otherwise: the value where the document says nothing;
   *   choosing it takes the key away. also: what else changes in the entry
   */
  choice(label, path, options, how = {}) {
    const select = h(
      "select",
      {},
      options.map(([value, words]) => h("option", { value, text: words })),
    );
    select.addEventListener("change", () => {
      if (how.take) how.take(select.value);
      else this.put(label, path, select.value === how.otherwise ? undefined : select.value, how.also);
    });
    return this.bind(label, path, select, { says: how.says }, () => {
      const value = valueAt(this.draft.scene, path) ?? how.otherwise ?? "";
      if (![...select.options].some((option) => option.value === value)) {
        select.append(h("option", { value, text: `${value} (unknown)` }));
      }
      select.value = value;
    });
  }

  /**
   * Yes or no; no takes the key away.
   * @param {string} label
   * @param {string} path
   */
  flag(label, path) {
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => this.put(label, path, box.checked ? true : undefined));
    return this.bind(label, path, box, { check: true }, () => {
      box.checked = valueAt(this.draft.scene, path) === true;
    });
  }

  /**
   * Whether a word is in a list.
   * @param {string} word
   * @param {string} path of the list
   * @param {string} [label]
   */
  member(word, path, label = word.replaceAll("_", " ")) {
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      const list = (valueAt(this.draft.scene, path) ?? []).filter((/** @type {string} */ w) => w !== word);
      if (box.checked) list.push(word);
      this.put(label, path, list.length ? list : undefined);
    });
    return this.bind(label, path, box, { check: true }, () => {
      box.checked = (valueAt(this.draft.scene, path) ?? []).includes(word);
    });
  }

  /**
   * x and y, and the height of a place that has one. close: in one line, the names unseen.
   * @param {string} legend
   * @param {string} path
   * @param {boolean} [high]
   * @param {boolean} [close]
   */
  place(legend, path, high = false, close = false) {
    const names = high ? ["x", "y", "height"] : ["x", "y"];
    const unit = close ? undefined : this.draft.scene.table.unit;
    return h(
      "fieldset",
      { class: close ? "place close" : "place", dataset: { path } },
      h("legend", {}, close ? h("span", { class: "unseen", text: "Corner " }) : null, legend),
      names.map((name, index) =>
        this.number(name, `${path}[${index}]`, { unit, short: true, min: index === 2 ? 0 : undefined }),
      ),
    );
  }

  /** @param {string} label @param {string} path @param {any} value @param {(entry: any) => void} [also] */
  put(label, path, value, also) {
    const does = (/** @type {any} */ scene) => {
      putAt(scene, path, value);
      also?.(valueAt(scene, steps(path).slice(0, -1)));
    };
    this.draft.change(label.toLowerCase(), does, `field:${path}`);
  }

  /**
   * @param {string} label
   * @param {string} path
   * @param {HTMLElement} control
   * @param {{unit?: string, short?: boolean, check?: boolean, says?: string}} look
   * @param {() => void} refresh
   */
  bind(label, path, control, look, refresh) {
    made += 1;
    const id = `field-${made}`;
    control.id = id;
    const words = h("label", { for: id, text: label }, look.unit ? h("span", { class: "unit", text: ` ${look.unit}` }) : null);
    const says = look.says ? h("p", { class: "says", id: `${id}-says`, text: look.says }) : null;
    const fault = h("p", { class: "fault", id: `${id}-fault`, hidden: true });
    const described = [says?.id, fault.id].filter(Boolean).join(" ");
    control.setAttribute("aria-describedby", described);
    const kind = look.check ? "check" : look.short ? "short" : "";
    const element = h(
      "div",
      { class: `field ${kind}`.trim(), dataset: { path } },
      look.check ? [control, words] : [words, control],
      says,
      fault,
    );
    refresh();
    this.bound.push({ path, element, control, refresh });
    return element;
  }

  /**
   * Show faults beside the fields they are about.
   * @param {HTMLElement} root
   * @param {{path: string, message: string}[]} faults
   */
  mark(root, faults) {
    for (const field of this.bound) {
      const mine = faults.filter((fault) => fault.path === field.path);
      const place = /** @type {HTMLElement} */ (field.element.querySelector(".fault"));
      place.hidden = mine.length === 0;
      place.textContent = mine.map((fault) => fault.message).join("; ");
      if (mine.length) field.control.setAttribute("aria-invalid", "true");
      else field.control.removeAttribute("aria-invalid");
    }
    for (const box of root.querySelectorAll("fieldset[data-path]")) {
      const path = /** @type {HTMLElement} */ (box).dataset.path ?? "";
      box.classList.toggle("faulty", faults.some((fault) => fault.path === path));
    }
  }
}

/** The field of a path, or of the nearest path above it. @param {HTMLElement} root @param {string} path */
export function nearestField(root, path) {
  for (let way = path; way; way = way.replace(/(\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, "")) {
    const found = root.querySelector(`[data-path="${CSS.escape(way)}"]`);
    if (found) return found;
  }
  return null;
}

/** @param {Element} element @param {string} selector */
export function ancestors(element, selector) {
  const found = [];
  for (let one = element.closest(selector); one; one = one.parentElement?.closest(selector) ?? null) {
    found.push(one);
  }
  return found;
}
