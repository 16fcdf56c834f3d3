// @ts-check
// Changing the table by agreement: a figure put elsewhere, taken off, or a state of it set, with a reason for the log.

import { byId, fill, h } from "../lib/dom.js";
import { reveal } from "./focus.js";

/** @typedef {import("./table.js").Table} Table */

export class Override {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.host = h("form", { class: "override", "aria-label": "Change the table by agreement" });
    this.section = h("section", { hidden: true }, this.host);
    byId("card").after(this.section);
    this.host.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.body = "";
    this.placing = false;
    table.host.addEventListener("point", (event) => this.#point(/** @type {CustomEvent} */ (event).detail));
  }

  open() {
    const { state, selection } = this.table;
    const figures = state.board.figures;
    const [first] = figures;
    if (!first) {
      this.table.notice("There is no figure on the table.");
      return;
    }
    this.body = state.figure(selection.body) ? (selection.body ?? first.id) : first.id;
    this.section.hidden = false;
    this.draw();
    reveal(this.section);
    this.host.querySelector("select")?.focus();
  }

  close() {
    this.section.hidden = true;
    this.placing = false;
    this.table.board.ghosts([]);
  }

  draw() {
    const { state, units } = this.table;
    const figure = state.figure(this.body);
    if (!figure) return;
    const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
      h("label", { class: "field" }, label, input);
    const number = (/** @type {number} */ value, /** @type {string} */ label) => {
      const shown = String(Math.round(value * 1e4) / 1e4);
      return h("input", { type: "number", step: "any", value: shown, "aria-label": label, onchange: () => this.#ghost() });
    };
    this.what = h(
      "select",
      { onchange: () => this.#kinds() },
      h("option", { value: "moved" }, "stands elsewhere"),
      h("option", { value: "removed" }, "leaves the table"),
      h("option", { value: "marked" }, "has a state set"),
    );
    this.x = number(units.in(figure.x), "x");
    this.y = number(units.in(figure.y), "y");
    this.z = number(units.in(figure.z), "Height");
    this.facing = number(figure.facing, "Facing in degrees");
    this.mark = h("input", { type: "text", maxlength: 60, placeholder: "name of the state" });
    this.value = h(
      "select",
      {},
      [["true", "yes"], ["false", "no"], ["null", "as if never set"]].map(([value, text]) =>
        h("option", { value }, text),
      ),
    );
    this.reason = h("input", { type: "text", required: true, maxlength: 400 });
    this.place = h(
      "div",
      { class: "override-place" },
      field(`x (${units.shown})`, this.x),
      field(`y (${units.shown})`, this.y),
      field(`height (${units.shown})`, this.z),
      field("facing (degrees)", this.facing),
      h("p", { class: "quiet" }, "Or click the place on the board."),
    );
    this.state = h("div", { class: "override-place", hidden: true }, field("State", this.mark), field("Set", this.value));
    fill(
      this.host,
      h("h3", {}, "Change the table by agreement"),
      h("p", { class: "quiet" }, "Whatever the rules say; the log shows that it was agreed."),
      field(
        "Figure",
        h(
          "select",
          {
            onchange: (/** @type {Event} */ event) => {
              this.body = /** @type {HTMLSelectElement} */ (event.target).value;
              this.draw();
            },
          },
          state.board.figures.map((one) =>
            h("option", { value: one.id, selected: one.id === this.body }, one.name),
          ),
        ),
      ),
      field("It", this.what),
      this.place,
      this.state,
      field("Why", this.reason),
      h(
        "div",
        { class: "order-ends" },
        h("button", { type: "submit", class: "primary" }, "Put it to the table"),
        h("button", { type: "button", onclick: () => this.close() }, "Cancel"),
      ),
    );
    this.placing = true;
    this.table.board.reveal(this.body);
  }

  #kinds() {
    const what = this.what?.value;
    if (this.place) this.place.hidden = what !== "moved";
    if (this.state) this.state.hidden = what !== "marked";
    this.placing = what === "moved";
    this.#ghost();
  }

  /** @param {any} found */
  #point(found) {
    if (this.section.hidden || !this.placing || !this.x || !this.y) return;
    const { units } = this.table;
    this.x.value = String(Math.round(units.in(found.point[0]) * 1e3) / 1e3);
    this.y.value = String(Math.round(units.in(found.point[1]) * 1e3) / 1e3);
    this.#ghost();
  }

  /** Where it would stand, in table units. */
  #pose() {
    const { units } = this.table;
    const of = (/** @type {HTMLInputElement | undefined} */ input) => input?.valueAsNumber ?? NaN;
    return {
      body: this.body,
      x: units.from(of(this.x)),
      y: units.from(of(this.y)),
      z: units.from(of(this.z)),
      facing: of(this.facing),
    };
  }

  #ghost() {
    const pose = this.#pose();
    const whole = [pose.x, pose.y, pose.z, pose.facing].every(Number.isFinite);
    this.table.board.ghosts(this.placing && whole ? [{ ...pose, legal: true }] : []);
  }

  async #send() {
    const what = this.what?.value;
    const reason = this.reason?.value.trim() ?? "";
    if (!reason) return;
    /** @type {Record<string, any>} */
    let event;
    if (what === "removed") event = { event: "removed", body: this.body, reason };
    else if (what === "marked") {
      const name = this.mark?.value.trim();
      if (!name) return;
      event = { event: "marked", body: this.body, changes: { [name]: JSON.parse(this.value?.value ?? "null") } };
    } else event = { event: "moved", ...this.#pose() };
    const done = await this.table.state.override([event], reason);
    if (!done) return;
    this.close();
    const asked = !done.written && this.table.state.now.mode === "links";
    if (asked) this.table.notice("The other side is asked whether it agrees.");
  }
}
