// @ts-check
// Files to keep of a match: scene, log, case of an entry, pictures.

import { h, saveFile } from "../lib/dom.js";

/** @typedef {import("./table.js").Table} Table */

export class Files {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /** @returns {HTMLElement[]} */
  buttons() {
    const button = (/** @type {string} */ label, /** @type {string} */ path, /** @type {string} */ ending) =>
      h("button", { type: "button", onclick: () => this.save(path, ending) }, label);
    return [
      button("Save the scene", "scene", "scene.json"),
      button("Save the log", "log", "log.jsonl"),
      button("Save the last entry as a case", "case", "case.json"),
      button("Save a picture (SVG)", "picture.svg", "svg"),
      button("Save a picture (PNG)", "picture.png", "png"),
    ];
  }

  /** @param {string} path @param {string} ending */
  async save(path, ending) {
    const { state, replay } = this.table;
    const last = state.log.findLast((line) => line.counts && line.what === "action")?.n;
    const shown = replay.looking ? replay.shown : 0;
    if (path === "case" && last === undefined && !shown) {
      this.table.notice("There is no entry yet to make a case of.");
      return;
    }
    const n = path === "case" ? (shown || last) : path.startsWith("picture") && replay.looking ? shown : undefined;
    try {
      const blob = await state.working(state.api.file(path, { n }));
      const title = (state.board.name || state.board.title || "match").toLowerCase();
      const name = title.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
      saveFile(blob, `${name || "match"}.${ending}`);
    } catch (error) {
      state.trouble(error);
    }
  }
}
