// @ts-check
// What is wrong with the scene, in sentences, each with a way to the thing and ways out.

import { fill, h } from "../lib/dom.js";
import { entryOf } from "./paths.js";
import { titleOf } from "./thing_form.js";

/** @typedef {import("../lib/documents.js").Checked} Checked */
/** @typedef {import("./scene.js").Draft} Draft */

/** Most faults that are listed at once. */
const MOST = 30;

export class FaultList {
  /**
   * @param {HTMLElement} root
   * @param {Draft} draft
   * @param {{goTo: (fault: {path: string, message: string}) => void,
   *   mend: (fix: {label: string, path: string, value: any}) => void}} does
   */
  constructor(root, draft, does) {
    this.root = root;
    this.draft = draft;
    this.does = does;
    this.status = h("p", { class: "verdict", role: "status" });
    this.list = h("ul", { class: "faults" });
    root.append(this.status, this.list);
  }

  busy() {
    this.root.classList.add("busy");
  }

  /** @param {string} message */
  trouble(message) {
    this.root.classList.remove("busy");
    this.root.dataset.state = "trouble";
    this.status.textContent = `Not checked: ${message}`;
    fill(this.list);
  }

  /** @param {Checked} checked */
  show(checked) {
    const { faults, notes } = checked;
    this.root.classList.remove("busy");
    this.root.dataset.state = faults.length ? "faulty" : "sound";
    const count = faults.length === 1 ? "One fault" : `${faults.length} faults`;
    const words = faults.length ? `${count}: it cannot be played like this.` : "Sound: this can be played.";
    if (this.status.textContent !== words) this.status.textContent = words;
    const kept = this.list.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.key
      : null;
    fill(
      this.list,
      faults.slice(0, MOST).map((fault) => this.item(fault)),
      faults.length > MOST ? h("li", { text: `and ${faults.length - MOST} more` }) : null,
      notes.map((note) => h("li", { class: "note" }, h("span", { class: "mark", text: "Note" }), ` ${note}.`)),
    );
    if (kept) {
      const again = this.list.querySelector(`[data-key="${CSS.escape(kept)}"]`);
      if (again instanceof HTMLElement) again.focus();
    }
  }

  /** @param {import("../lib/documents.js").Fault} fault */
  item(fault) {
    return h(
      "li",
      { dataset: { path: fault.path } },
      h("button", {
        type: "button",
        class: "where",
        text: this.nameOf(fault.path),
        dataset: { key: `go ${fault.path}` },
        onclick: () => this.does.goTo(fault),
      }),
      `: ${fault.message}.`,
      (fault.fixes ?? []).map((fix) =>
        h("button", {
          type: "button",
          class: "fix",
          text: fix.label,
          dataset: { key: `fix ${fix.path} ${fix.value}` },
          onclick: () => this.does.mend(fix),
        }),
      ),
    );
  }

  /** @param {string} path */
  nameOf(path) {
    const found = entryOf(path);
    if (!found) return path ? path.replaceAll(".", ", ") : "The scene";
    const entry = /** @type {any} */ (this.draft.scene[found.list])?.[found.index];
    if (!entry) return path;
    const rest = found.rest.replace(/\[(\d+)\]/g, (_, n) => ` ${Number(n) + 1}`).replaceAll(".", ", ");
    const title = found.list === "sides" ? `Side ${entry.name || entry.id}` : titleOf(entry);
    return rest ? `${title}, ${rest}` : title;
  }
}
