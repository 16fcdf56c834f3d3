// @ts-check
// The form of what is selected: exact figures of terrain, models and units.

import { h, fill } from "../lib/dom.js";
import { bodyForm, stateForm, unitForm } from "./body_form.js";
import { terrainForm, zoneForm } from "./terrain_form.js";
import { sortOf } from "./shapes.js";

/** @typedef {import("./scene.js").Draft} Draft */
/** @typedef {import("./fields.js").Fields} Fields */
/** @typedef {import("../lib/documents.js").System} System */

/**
 * What a form needs of the editor.
 * @typedef {object} Desk
 * @property {Draft} draft
 * @property {Fields} fields
 * @property {System} system
 * @property {() => import("./making.js").Maker} maker
 * @property {import("./deeds.js").Deeds} deeds
 */

const TITLES = {
  piece: "Terrain",
  floor: "Floor",
  wall: "Wall",
  ramp: "Ramp",
  stairs: "Stairs",
  ladder: "Ladder",
  rope: "Rope",
  face: "Face to climb",
  unit: "Unit",
  regiment: "Regiment",
  model: "Model",
  zone: "Zone",
};

/** What a thing is called. @param {import("./scene.js").Entry} entry */
export function titleOf(entry) {
  const sort = sortOf(entry);
  const what = sort === "piece" ? entry.kind : sort === "model" || sort === "regiment" ? "" : TITLES[sort];
  const name = entry.name || entry.id;
  return what ? `${name}, ${what.toLowerCase()}` : name;
}

/** Shows the form of whatever is selected; made anew only when its fields are others. */
export class ThingForm {
  /** @param {HTMLElement} root @param {Desk} desk */
  constructor(root, desk) {
    this.root = root;
    this.desk = desk;
    this.made = "";
    root.tabIndex = -1;
  }

  /** @param {boolean} [anew] */
  show(anew = false) {
    const wanted = this.signature();
    if (!anew && wanted === this.made) {
      this.desk.fields.refresh();
      return;
    }
    const focused = document.activeElement instanceof HTMLElement && this.root.contains(document.activeElement)
      ? document.activeElement
      : null;
    const back = focused?.closest("[data-path]")?.getAttribute("data-path") ?? focused?.dataset.does ?? null;
    this.made = wanted;
    this.desk.fields.clear();
    fill(this.root, this.content());
    if (!focused) return;
    const again = [...this.root.querySelectorAll("[data-path] input, [data-path] select, [data-does]")].find(
      (one) => one.closest("[data-path]")?.getAttribute("data-path") === back || one.getAttribute("data-does") === back,
    );
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    else this.root.focus({ preventScroll: true });
  }

  /** All that decides which fields there are. */
  signature() {
    const { draft, system } = this.desk;
    const chosen = draft.chosen().map(({ list, index, entry }) => [list, index, skeleton(entry)]);
    const sides = draft.scene.sides.map((side) => [side.id, side.name]);
    return JSON.stringify([system.name, chosen, sides]);
  }

  content() {
    const { draft, deeds } = this.desk;
    const chosen = draft.chosen();
    if (!chosen.length) {
      return [
        h("p", {
          class: "hint",
          text: "Nothing is selected. Press a thing on the board, or choose it among all things.",
        }),
      ];
    }
    const unit = deeds.unitOf(chosen);
    const bar = this.bar();
    if (unit) return [bar, ...unitForm(this.desk, unit)];
    if (chosen.length > 1) return [h("h3", { text: `${chosen.length} things` }), bar, ...this.sides(chosen)];
    const [{ list, index, entry }] = chosen;
    const path = `${list}[${index}]`;
    const sort = sortOf(entry);
    const heading = h("h3", { text: TITLES[sort] });
    const names = [
      this.desk.fields.text("Name", `${path}.name`),
      this.desk.fields.text("Id", `${path}.id`, { most: 64, take: (id) => deeds.rename(entry.id, id) }),
    ];
    if (list === "terrain") return [heading, bar, ...terrainForm(this.desk, path, entry), ...names];
    if (list === "zones") return [heading, bar, ...zoneForm(this.desk, path, entry), ...names];
    const states = stateForm(this.desk, path);
    return [heading, bar, ...bodyForm(this.desk, path, entry), ...names, states];
  }

  bar() {
    const { deeds } = this.desk;
    /** @param {string} text @param {string} does @param {() => void} run @param {string} [label] */
    const button = (text, does, run, label) =>
      h("button", { type: "button", text, dataset: { does }, "aria-label": label, title: label, onclick: run });
    return h(
      "div",
      { class: "bar" },
      button("\u21ba 15\u00b0", "left", () => deeds.turn(15), "Turn left by 15 degrees"),
      button("\u21bb 15\u00b0", "right", () => deeds.turn(-15), "Turn right by 15 degrees"),
      button("Duplicate", "copy", () => deeds.duplicate()),
      button("Delete", "delete", () => deeds.remove()),
    );
  }

  /** The side of several bodies at once. @param {{list: string, entry: any}[]} chosen */
  sides(chosen) {
    const { draft, deeds } = this.desk;
    if (!chosen.every(({ list }) => list === "models" || list === "units")) return [];
    const buttons = draft.scene.sides.map((side) =>
      h("button", {
        type: "button",
        text: `All to ${side.name || side.id}`,
        dataset: { does: `side-${side.id}` },
        onclick: () => deeds.giveTo(side.id),
      }),
    );
    return [h("div", { class: "bar" }, buttons)];
  }
}

/** Keys and lengths of lists, and the words that decide on fields. @param {any} value @returns {any} */
function skeleton(value) {
  if (Array.isArray(value)) {
    return typeof value[0] === "number" ? value.length : value.map(skeleton);
  }
  if (value === null || typeof value !== "object") return 0;
  return Object.entries(value)
    .filter(([key]) => !["traits", "state", "name", "facing", "z", "height", "base_height"].includes(key))
    .map(([key, part]) =>
      ["kind", "profile", "id", "side"].includes(key) && typeof part === "string"
        ? [key, part]
        : [key, skeleton(part)],
    );
}
