// @ts-check
// Everything in the scene as a list: the way to things by keyboard and for screen readers.

import { fill, h } from "../lib/dom.js";
import { entryOf } from "./paths.js";
import { heightsOf } from "./shapes.js";
import { titleOf } from "./thing_form.js";

/** @typedef {import("./scene.js").Draft} Draft */
/** @typedef {import("./scene.js").Entry} Entry */

export class Contents {
  /**
   * @param {HTMLElement} root
   * @param {Draft} draft
   * @param {() => import("../lib/documents.js").System | null} system
   * @param {(id: string, more: boolean) => void} choose
   */
  constructor(root, draft, system, choose) {
    this.root = root;
    this.draft = draft;
    this.system = system;
    this.choose = choose;
    /** @type {{path: string}[]} */
    this.faults = [];
    this.made = "";
  }

  show() {
    const { scene } = this.draft;
    const wrong = new Set(this.faults.map((fault) => entryOf(fault.path)).filter(Boolean).map((e) => `${e?.list}.${e?.index}`));
    const groups = [
      {
        title: "Terrain",
        rows: scene.terrain.map((entry, index) => this.row(entry, wrong.has(`terrain.${index}`))),
      },
      ...(scene.zones.length
        ? [{ title: "Zones", rows: scene.zones.map((entry, index) => this.row(entry, wrong.has(`zones.${index}`))) }]
        : []),
      ...scene.sides.map((side) => ({
        title: side.name || side.id,
        rows: this.bodies(side.id, wrong),
      })),
    ];
    const text = JSON.stringify(groups);
    if (text === this.made) return;
    this.made = text;
    const held = this.root.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.thing
      : null;
    fill(
      this.root,
      groups.map(({ title, rows }) => [
        h("h3", { text: `${title} (${rows.filter((row) => !row.inner).length})` }),
        h("ul", {}, rows.map((row) => this.item(row))),
      ]).flat(),
    );
    if (held) {
      const again = this.root.querySelector(`[data-thing="${CSS.escape(held)}"]`);
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    }
  }

  /** @param {string} side @param {Set<string>} wrong */
  bodies(side, wrong) {
    const { scene } = this.draft;
    /** @type {ReturnType<Contents["row"]>[]} */
    const rows = [];
    const inUnits = new Set(scene.units.flatMap((unit) => unit.members ?? []));
    scene.units.forEach((unit, index) => {
      if (unit.side !== side) return;
      rows.push(this.row(unit, wrong.has(`units.${index}`)));
      for (const id of unit.members ?? []) {
        const at = scene.models.findIndex((model) => model.id === id);
        if (at >= 0) rows.push({ ...this.row(scene.models[at], wrong.has(`models.${at}`)), inner: true });
      }
    });
    scene.models.forEach((model, index) => {
      if (model.side === side && !inUnits.has(model.id)) rows.push(this.row(model, wrong.has(`models.${index}`)));
    });
    return rows;
  }

  /** @param {Entry} entry @param {boolean} wrong */
  row(entry, wrong) {
    const system = this.system();
    const [low] = system && !entry.members ? heightsOf(entry, system) : [0];
    const up = low > 0 && system ? `, ${low} ${system.unit} up` : "";
    const profile = typeof entry.profile === "string" && entry.profile !== entry.name ? `, ${entry.profile}` : "";
    return {
      id: entry.id,
      words: `${titleOf(entry)}${profile}${up}${entry.state?.gone ? ", gone" : ""}`,
      wrong,
      chosen: this.draft.selected.has(entry.id),
      inner: false,
    };
  }

  /** @param {{id: string, words: string, wrong: boolean, chosen: boolean, inner: boolean}} row */
  item(row) {
    return h(
      "li",
      { class: row.inner ? "inner" : null },
      h(
        "button",
        {
          type: "button",
          class: row.wrong ? "row wrong" : "row",
          "aria-pressed": String(row.chosen),
          dataset: { thing: row.id },
          onclick: (/** @type {MouseEvent} */ event) => this.choose(row.id, event.shiftKey || event.ctrlKey),
        },
        h("span", { text: row.words }),
        row.wrong ? h("span", { class: "mark", text: "fault" }) : null,
      ),
    );
  }
}
