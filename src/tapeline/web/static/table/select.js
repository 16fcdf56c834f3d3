// @ts-check
// What is selected, and the controls the server offers for it.

import { DRAGGED } from "./draft.js";
import { detail } from "./state.js";

/** @typedef {import("../lib/documents.js").Control} Control */

/** Events: "select" when another body or unit is selected, "controls" when its controls came. */
export class Selection extends EventTarget {
  /** @param {import("./state.js").State} state */
  constructor(state) {
    super();
    this.state = state;
    /** Id of a unit, or of a body that is in none. @type {string | null} */
    this.id = null;
    /** The body that was touched. @type {string | null} */
    this.body = null;
    /** Bodies and units selected besides. @type {string[]} */
    this.more = [];
    /** @type {Control[]} */
    this.controls = [];
    this.loading = false;
    /** What went wrong with the last asking. */
    this.fault = "";
    this.asked = 0;
    state.addEventListener("change", (event) => {
      if (detail(event).grown) this.#renewed();
    });
  }

  /** Units and bodies selected, the first one first. @returns {string[]} */
  get ids() {
    return this.id === null ? [] : [this.id, ...this.more];
  }

  /** Ids of all bodies selected. */
  get bodies() {
    return this.ids.flatMap((id) => this.state.bodies(id).map((figure) => figure.id));
  }

  /** Whether the page may move what is selected. */
  get mine() {
    const chosen = this.state.group(this.id) ?? this.state.figure(this.id);
    return Boolean(chosen && this.state.moves(chosen.side));
  }

  /**
   * Select what a body belongs to; null lets go. A second touch of a unit changes nothing.
   * @param {string | null} body id of a body or unit
   * @param {{more?: boolean}} [how] more: besides what is selected
   * @returns {Promise<void>} settled when the controls came
   */
  async select(body, how = {}) {
    const figure = this.state.figure(body);
    const id = figure?.unit && this.state.group(figure.unit) ? figure.unit : body;
    if (how.more && this.id !== null && id !== null && id !== this.id) {
      this.more = this.more.includes(id)
        ? this.more.filter((other) => other !== id)
        : [...this.more, id];
      this.#tell("select");
      return;
    }
    const same = id === this.id;
    this.id = id;
    this.body = figure ? figure.id : (this.state.bodies(id ?? "")[0]?.id ?? null);
    this.more = [];
    if (same && (this.controls.length || this.loading)) {
      this.#tell("select");
      return;
    }
    this.controls = [];
    this.#tell("select");
    await this.load();
  }

  /** Ask for the controls of what is selected. */
  async load() {
    const mine = (this.asked += 1);
    const id = this.id;
    this.fault = "";
    if (id === null || this.state.now.question) {
      this.controls = [];
      this.loading = false;
      this.#tell("controls");
      return;
    }
    this.loading = true;
    try {
      let controls = await this.state.ask("controls", { of: id });
      if (!controls.length && this.body && this.body !== id) {
        controls = await this.state.ask("controls", { of: this.body });
      }
      if (mine !== this.asked) return;
      this.controls = controls;
    } catch (error) {
      if (mine !== this.asked) return;
      this.controls = [];
      this.fault = error instanceof Error ? error.message : String(error);
    }
    this.loading = false;
    this.#tell("controls");
  }

  /** Controls that may be done now. */
  get open() {
    if (this.state.done) return [];
    return this.controls.filter((control) => !control.why_not?.length);
  }

  /**
   * The control a drag of the selected body begins: the first that may be done now. Where a body
   * can go straight ahead, a drag does that rather than ask for a place and a facing at once. What
   * is told of the real table is never begun by a drag alone.
   */
  get natural() {
    const own = this.open.filter((control) => control.group !== "attest");
    // Where one is picked to be met, the ways of single stands there are for who asks for them.
    const meets = own.some((control) => control.closes);
    const dragged = own.filter(({ gesture }) => DRAGGED.has(gesture) && !(meets && gesture === "stands"));
    const [first] = dragged;
    if (first?.gesture !== "pose") return first;
    return dragged.find((control) => control.gesture === "distance") ?? first;
  }

  /** The control that turning the selected body begins. */
  get turning() {
    return this.open.find((control) => control.gesture === "turn");
  }

  #renewed() {
    if (this.id === null) return;
    if (!this.state.group(this.id) && !this.state.figure(this.id)) {
      this.select(null);
      return;
    }
    this.more = this.more.filter((id) => this.state.group(id) ?? this.state.figure(id));
    this.#tell("select");
    this.load();
  }

  /** @param {string} name */
  #tell(name) {
    this.dispatchEvent(new CustomEvent(name));
  }
}
