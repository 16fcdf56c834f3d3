// @ts-check
// Exact figures of models, regiments and units of stands, and the states they begin in.

import { h } from "../lib/dom.js";
import { valueAt } from "./paths.js";
import { filesOf } from "./shapes.js";

/** @typedef {import("./thing_form.js").Desk} Desk */
/** @typedef {import("./scene.js").Entry} Entry */

/**
 * @param {Desk} desk
 * @param {string} path
 * @param {Entry} entry
 * @returns {(Node | null)[]}
 */
export function bodyForm(desk, path, entry) {
  const { fields, system } = desk;
  const unit = system.unit;
  const profile = system.profiles.find((one) => one.name === entry.profile);
  const inline = typeof entry.profile === "object";
  return [
    sideField(desk, path),
    inline
      ? h("p", { class: "says", text: "Its figures stand in the scene itself." })
      : fields.choice("Profile", `${path}.profile`, profileOptions(desk, entry), { also: rebased }),
    profile ? h("p", { class: "says", text: figures(profile, unit) }) : null,
    entry.models === undefined ? null : fields.number("Models", `${path}.models`, { min: 1, max: 500, whole: true, short: true, also: rebased }),
    entry.models === undefined
      ? null
      : fields.number("In a rank", `${path}.files`, { min: 1, max: 100, whole: true, short: true, also: rebased, usual: filesOf({ ...entry, files: undefined }, profile) }),
    fields.place("Middle", `${path}.position`),
    system.storeys ? fields.number("Height above the table", `${path}.z`, { unit, usual: 0, step: 0.5 }) : null,
    fields.number("Facing", `${path}.facing`, { step: 5, unit: "\u00b0", usual: 0, says: "0 is to the right, 90 up the table." }),
  ];
}

/** The base that a saved match gives it is of the profile and the ranks it had. @param {any} entry */
function rebased(entry) {
  delete entry.base;
}

/** @param {Desk} desk @param {string} path */
function sideField(desk, path) {
  const sides = desk.draft.scene.sides.map(
    (side) => /** @type {[string, string]} */ ([side.id, side.name || side.id]),
  );
  return desk.fields.choice("Side", `${path}.side`, sides);
}

/** @param {Desk} desk @param {Entry} entry @returns {[string, string][]} */
function profileOptions(desk, entry) {
  const form = entry.models === undefined ? "model" : "regiment";
  const inUnit = desk.draft.scene.units.some((unit) => unit.members?.includes(entry.id));
  return desk.system.profiles
    .filter((one) => one.form === (inUnit ? "stands" : form) || one.name === entry.profile)
    .map((one) => [one.name, one.name]);
}

/** A profile in a line. @param {import("../lib/documents.js").Profile} profile @param {string} unit */
export function figures(profile, unit) {
  const base = profile.base_mm ? `base ${profile.base_mm.join(" x ")} mm` : "";
  const known = Object.entries(profile.stats)
    .filter(([, value]) => typeof value === "number" && value !== 0)
    .slice(0, 6)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`);
  return [base, ...known].filter(Boolean).join(", ") + (unit === "cm" ? "; lengths in cm." : ".");
}

/**
 * A unit of stands: its side and name, and how many stands it has.
 * @param {Desk} desk
 * @param {{path: string, entry: Entry, stands: Entry[]}} unit
 */
export function unitForm(desk, { path, entry, stands }) {
  const { fields, deeds, draft } = desk;
  const first = stands[0];
  const where = draft.scene.models.findIndex((model) => model.id === first?.id);
  return [
    h("h3", { text: `Unit of ${stands.length} ${stands.length === 1 ? "stand" : "stands"}` }),
    fields.text("Name", `${path}.name`),
    fields.text("Id", `${path}.id`, { most: 64, take: (id) => deeds.rename(entry.id, id) }),
    fields.choice(
      "Side",
      `${path}.side`,
      draft.scene.sides.map((side) => /** @type {[string, string]} */ ([side.id, side.name || side.id])),
      { take: (side) => deeds.giveTo(side) },
    ),
    first && typeof first.profile === "string" && where >= 0
      ? fields.choice("Profile", `models[${where}].profile`, profileOptions(desk, first), {
          take: (profile) => deeds.reprofile(stands, profile),
        })
      : null,
    h(
      "div",
      { class: "bar" },
      h("button", { type: "button", text: "Add a stand", dataset: { does: "add-stand" }, onclick: () => deeds.addStand(entry.id) }),
      h("button", { type: "button", text: "In a line", dataset: { does: "line" }, onclick: () => deeds.formUp(entry.id, "line") }),
      h("button", { type: "button", text: "In a column", dataset: { does: "column" }, onclick: () => deeds.formUp(entry.id, "column") }),
    ),
    h("h4", { text: "Stands" }),
    h(
      "ul",
      { class: "members" },
      stands.map((stand) =>
        h(
          "li",
          {},
          h("button", { type: "button", text: stand.id, dataset: { does: `stand-${stand.id}` }, onclick: () => draft.select([stand.id]) }),
        ),
      ),
    ),
  ];
}

/** States a body may begin in. @param {Desk} desk @param {string} path */
export function stateForm(desk, path) {
  const { fields, system, draft } = desk;
  const rows = Object.entries(system.marks).map(([name, kind]) => {
    const own = `${path}.state.${name}`;
    const label = name.replaceAll("_", " ");
    if (kind === "flag") return fields.flag(label, own);
    if (kind === "text") return fields.text(label, own);
    if (kind === "whole") return fields.number(label, own, { whole: true, usual: null, short: true });
    if (kind === "number") return fields.number(label, own, { usual: null, short: true });
    return null;
  });
  const given = Object.keys(valueAt(draft.scene, `${path}.state`) ?? {});
  return h(
    "details",
    { class: "states", open: given.length > 0 },
    h("summary", { text: "State at the start" }),
    rows,
  );
}
