// @ts-check
// What a side brings, pasted as a list: read by the server, put on the table, kept in this browser.

import { call } from "../lib/api.js";
import { fill, h, saveFile } from "../lib/dom.js";
import { get, put } from "../lib/store.js";

/** @typedef {import("../lib/documents.js").Roster} Roster */
/** @typedef {import("./add_form.js").AddForm} AddForm */

const KEY = "rosters";

/** Rosters kept for a game. @param {string} system @returns {Roster[]} */
function kept(system) {
  const all = get(KEY, []);
  return Array.isArray(all) ? all.filter((one) => one?.system === system && Array.isArray(one.lines)) : [];
}

/** @param {Roster} roster */
function textOf(roster) {
  const line = (/** @type {Roster["lines"][number]} */ one) =>
    `${one.count}x ${one.name}${one.name === one.profile ? "" : `: ${one.profile}`}${one.size === null ? "" : ` (${one.size})`}`;
  return roster.lines.map(line).join("\n");
}

/** Keep a roster, or forget the one of its name. @param {Roster} roster @param {boolean} [forget] */
function keep(roster, forget = false) {
  const all = get(KEY, []);
  const others = (Array.isArray(all) ? all : []).filter((one) => one?.system !== roster.system || one?.name !== roster.name);
  put(KEY, forget ? others : [roster, ...others].slice(0, 40));
}

/** Where in a list something is amiss, as people count. @param {string} path */
function placed(path) {
  const line = /^lines\[(\d+)\]/.exec(path);
  return line ? `Entry ${Number(line[1]) + 1}: ` : path ? `${path}: ` : "";
}

/** The part of what can be added that takes a list. @param {AddForm} form @param {import("../lib/documents.js").System} system */
export function rosterForm(form, system) {
  const { deeds, maker, place } = form.desk;
  const text = h("textarea", { id: "roster-text", rows: 5, spellcheck: "false", placeholder: system.profiles.slice(0, 2).map((one) => `2x ${one.name}`).join("\n") });
  const name = h("input", { type: "text", id: "roster-name", maxlength: 120, autocomplete: "off" });
  const says = h("p", { class: "says", role: "status" });
  const saved = h("ul", { class: "rosters" });
  /** @type {() => Promise<Roster | null>} */
  const read = async () => {
    try {
      const body = { text: text.value, name: name.value.trim() };
      /** @type {import("../lib/documents.js").ListRead} */
      const { roster, faults = [] } = await call(`systems/${encodeURIComponent(system.name)}/roster`, { body });
      says.textContent = faults.map(({ path, message }) => `${placed(path)}${message}`).join(" · ");
      says.classList.toggle("fault", faults.length > 0);
      return roster;
    } catch (error) {
      says.textContent = error instanceof Error ? error.message : String(error);
      return null;
    }
  };
  const show = () => {
    fill(
      saved,
      kept(system.name).map((one) =>
        h(
          "li",
          {},
          form.button(one.name, "roster-open", () => {
            text.value = textOf(one);
            name.value = one.name;
          }),
          h("button", { type: "button", class: "quiet", text: "Forget", "aria-label": `Forget ${one.name}`, onclick: () => (keep(one, true), show()) }),
        ),
      ),
    );
  };
  const add = async () => {
    const roster = await read();
    if (!roster) return;
    const { x, y, z } = place(form.side);
    const made = maker().roster(roster, form.side, x, y, z);
    deeds.add("Add a list", [
      ...made.models.map((entry) => ({ list: /** @type {const} */ ("models"), entry })),
      ...made.units.map((entry) => ({ list: /** @type {const} */ ("units"), entry })),
    ]);
  };
  const save = async () => {
    const roster = await read();
    if (!roster) return;
    keep({ ...roster, name: roster.name || "A list" });
    says.textContent = "Kept in this browser.";
    show();
  };
  const file = async () => {
    const roster = await read();
    if (!roster) return;
    saveFile(JSON.stringify(roster, null, 1), "roster.json");
  };
  show();
  return h(
    "details",
    { class: "adding" },
    h("summary", {}, "From a list"),
    h("div", { class: "field whole-width" }, h("label", { for: "roster-text", text: "A line each, as 2x name: profile (how many in it); or CSV, or JSON" }), text),
    h("div", { class: "field" }, h("label", { for: "roster-name", text: "What it is called" }), name),
    says,
    h("div", { class: "bar" }, form.button("Add all", "roster-add", add, "primary"), form.button("Keep", "roster-keep", save), form.button("Save as a file", "roster-file", file)),
    saved,
  );
}
