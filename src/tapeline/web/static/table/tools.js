// @ts-check
// Tape, sight, odds and copies to try things on: all of it changes nothing.

import { fill, h } from "../lib/dom.js";
import { ApiError } from "../lib/api.js";
import { placesIn } from "../lib/lengths.js";
import { clauseLink } from "./clause.js";
import { named } from "./names.js";
import { Threat } from "./threat.js";
import { sentence, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{id: string | null, x: number, y: number, z: number}} End */

/** Pixels a pointer may stray and still be a click. */
const SLOP = 5;

export class Tools {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    /** "" | "tape" | "sight" @type {"" | "tape" | "sight"} */
    this.mode = "";
    /** @type {End | null} */
    this.from = null;
    this.asked = 0;
    /** Whether both ends are given. */
    this.done = false;
    this.reading = false;
    /** A tape or a line of sight being drawn: where it began, on the screen and on the table.
     * @type {{x: number, y: number, end: End, moved: boolean} | null} */
    this.drawn = null;
    /** What the tape says that lies there. @type {import("../lib/documents.js").Measure | null} */
    this.measured = null;
    /** The heights of its ends. @type {[number, number]} */
    this.heights = [0, 0];
    this.said = h("p", { class: "tool-said", role: "status", hidden: true });
    const button = (/** @type {"tape" | "sight"} */ mode, /** @type {string} */ label, /** @type {string} */ key) =>
      h(
        "button",
        { type: "button", class: "tool", "aria-pressed": "false", dataset: { tool: mode }, onclick: () => this.toggle(mode) },
        label,
        h("kbd", { "aria-hidden": "true" }, key),
      );
    this.buttons = [button("tape", "Tape", "R"), button("sight", "Sight", "L")];
    this.trial = h("button", { type: "button", class: "tool", onclick: () => this.copy() }, "Analysis", h("kbd", { "aria-hidden": "true" }, "A"));
    this.trial.title = "Analysis board: try things on a copy of the table";
    this.seen = h(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-pressed": "true",
        onclick: () => {
          table.aim.off = !table.aim.off;
          this.seen.setAttribute("aria-pressed", String(!table.aim.off));
          table.aim.draw();
        },
      },
      "Reach",
    );
    this.seen.title = "Shade where what is selected can get to";
    const threat = h("button", { type: "button", class: "tool", "aria-pressed": "false", dataset: { tool: "threat" } }, "Threat", h("kbd", { "aria-hidden": "true" }, "T"));
    threat.title = "Whom the other side could strike next: hold T, over one of its figures for that one alone";
    fill(host, this.buttons, threat, this.trial, this.seen, this.said);
    this.threat = new Threat(table, threat, this.said);
    const { state } = table;
    table.host.addEventListener("point", (event) => this.#point(/** @type {CustomEvent} */ (event).detail));
    table.host.addEventListener("pick", (event) => this.#press(/** @type {CustomEvent} */ (event)));
    table.host.addEventListener("pointermove", (event) => this.#draw(event));
    table.host.addEventListener("pointerup", (event) => this.#release(event));
    table.host.addEventListener("pointercancel", () => (this.drawn = null));
    table.host.addEventListener("letgo", () => (this.drawn = null));
    table.host.addEventListener("hover", (event) => this.#hover(/** @type {CustomEvent} */ (event).detail));
    table.units.addEventListener("change", () => {
      if (this.measured) this.#tell(this.measured);
    });
    state.addEventListener("change", () => {
      this.trial.hidden = Boolean(state.now.copy_of || state.now.no_copies);
    });
  }

  /** @param {"tape" | "sight"} mode */
  toggle(mode) {
    if (this.mode === mode) {
      this.end();
      return;
    }
    this.end();
    this.mode = mode;
    this.#pressed();
    const { selection, state } = this.table;
    const figure = state.figure(selection.body);
    if (figure) {
      this.from = { id: figure.id, x: figure.x, y: figure.y, z: figure.z };
      this.#say(`From ${figure.name}: ${mode === "tape" ? "click the other end" : "click who is looked at"}.`);
      if (mode === "sight") this.#view(figure.id);
    } else {
      this.#say(mode === "tape" ? "Drag from a place or a figure to another, or click both." : "Drag from who looks to who is looked at, or click both.");
    }
    this.table.hand.put();
  }

  end() {
    this.mode = "";
    this.from = null;
    this.done = false;
    this.measured = null;
    this.asked += 1;
    this.table.board.tape(null);
    this.table.board.lines([]);
    this.table.board.seen([]);
    this.#pressed();
    this.#say("");
  }

  #pressed() {
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === this.mode));
    }
    document.body.classList.toggle("measuring", this.mode !== "");
  }

  /** @param {...(string | HTMLElement)} parts */
  #say(...parts) {
    this.said.hidden = parts.join("") === "";
    fill(this.said, ...parts);
  }

  /** What is under the pointer as an end: a figure, which it snaps to, or a place. @param {any} found @returns {End} */
  #end(found) {
    const figure = this.table.state.figure(found.id);
    return figure
      ? { id: figure.id, x: figure.x, y: figure.y, z: figure.z }
      : { id: null, x: found.point[0], y: found.point[1], z: this.#heightOf(found.storey) };
  }

  /** A drag begins: from a figure or a place for the tape, from a figure for sight. @param {CustomEvent} event */
  #press(event) {
    const { originalEvent } = event.detail;
    if (!this.mode || !(originalEvent instanceof PointerEvent) || originalEvent.button !== 0) return;
    const end = this.#end(event.detail);
    if (this.mode === "sight" && end.id === null) return;
    event.preventDefault();
    this.drawn = { x: originalEvent.clientX, y: originalEvent.clientY, end, moved: false };
    this.table.board.frame.setPointerCapture(originalEvent.pointerId);
  }

  /** @param {PointerEvent} event */
  #draw(event) {
    const { drawn } = this;
    if (!drawn) return;
    if (!drawn.moved) {
      if (Math.hypot(event.clientX - drawn.x, event.clientY - drawn.y) < SLOP) return;
      drawn.moved = true;
      this.from = drawn.end;
      this.done = false;
      this.measured = null;
      this.table.board.tape(null);
    }
    const { board } = this.table;
    if (this.mode === "tape") this.#hover(board.find(event));
    else board.lines([{ line: [[drawn.end.x, drawn.end.y], board.at(event)], kind: "plain" }]);
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const { drawn } = this;
    this.drawn = null;
    if (!drawn?.moved) return;
    const end = this.#end(this.table.board.find(event));
    this.done = true;
    if (this.mode === "tape") this.#tape(drawn.end, end, true);
    else if (end.id !== null) this.#sight(drawn.end, end);
    else this.table.board.lines([]);
  }

  /** @param {any} found */
  #point(found) {
    if (!this.mode) return;
    const figure = this.table.state.figure(found.id);
    if (this.mode === "sight" && !figure) return;
    const end = this.#end(found);
    if (!this.from || this.done) {
      this.from = end;
      this.done = false;
      this.measured = null;
      this.table.board.tape(null);
      this.table.board.lines([]);
      const name = figure ? figure.name : "this place";
      this.#say(this.mode === "tape" ? `From ${name}: click the other end.` : `${name} looks: click who is looked at.`);
      if (this.mode === "sight" && figure) this.#view(figure.id);
      return;
    }
    this.done = true;
    if (this.mode === "tape") this.#tape(this.from, end, true);
    else this.#sight(this.from, end);
  }

  /** @param {number} storey */
  #heightOf(storey) {
    return this.table.state.board.storeys.find((one) => one.index === storey)?.bottom ?? 0;
  }

  /** The tape follows the pointer, no faster than it is answered. @param {any} found */
  #hover(found) {
    if (this.mode !== "tape" || !this.from || this.done || !found.point || this.reading) return;
    const id = this.table.state.figure(found.id) ? found.id : null;
    this.#tape(this.from, { id, x: found.point[0], y: found.point[1], z: this.#heightOf(found.storey) }, false);
  }

  /** @param {End} from @param {End} to @param {boolean} last */
  async #tape(from, to, last) {
    const { state, board } = this.table;
    const mine = (this.asked += 1);
    this.reading = true;
    try {
      const query = { ...endQuery("a", from), ...endQuery("b", to) };
      const measure = await state.api.get("tape", query);
      if (mine !== this.asked || this.mode !== "tape") return;
      this.heights = [from.z, to.z];
      board.tape({ start: measure.start, end: measure.end, words: this.#length(measure), heights: this.heights });
      if (last) this.#tell(measure);
    } catch (error) {
      if (mine === this.asked) this.#secret(error);
    } finally {
      this.reading = false;
    }
  }

  /** The tape in words, anew in another unit. @param {import("../lib/documents.js").Measure} measure */
  #tell(measure) {
    this.measured = measure;
    const lengths = [measure.centres, measure.bases, Math.abs(measure.rise)];
    this.table.board.tape({ start: measure.start, end: measure.end, words: this.#length(measure), heights: this.heights });
    this.#say(placesIn(named(measure.words), this.table.units, lengths));
  }

  /** @param {import("../lib/documents.js").Measure} measure */
  #length(measure) {
    const { units } = this.table;
    return units.say(measure.bases ?? measure.centres);
  }

  /** @param {End} from @param {End} to */
  async #sight(from, to) {
    const { state, board } = this.table;
    const mine = (this.asked += 1);
    try {
      const sight = await state.working(state.api.get("sight", { a: from.id, b: to.id }));
      if (mine !== this.asked || this.mode !== "sight") return;
      const kind = sight.sees ? "clear" : "blocked";
      const lines = sight.lines.length ? sight.lines : [[[from.x, from.y], [to.x, to.y]]];
      board.lines(lines.map((/** @type {[number, number][]} */ line) => ({ line, kind, heights: [from.z, to.z] })));
      board.mark(sight.blocks.flatMap((/** @type {string} */ id) => state.bodies(id).map((one) => one.id)), "about");
      this.#say(told(sight.words), " ", ...(sight.clause ? [clauseLink(sight.clause)] : []));
    } catch (error) {
      if (mine === this.asked) this.#secret(error);
    }
  }

  /** Shade what a figure sees, while the tool is held. @param {string} body */
  async #view(body) {
    const { state, board } = this.table;
    try {
      const view = await state.api.get("view", { body });
      if (this.mode !== "sight" || this.from?.id !== body) return;
      board.seen(view.ring);
      this.said.title = view.words;
    } catch (error) {
      state.trouble(error);
    }
  }

  /** What the rules keep secret is said in their words, with the clause. @param {unknown} error */
  #secret(error) {
    this.done = true;
    if (error instanceof ApiError && error.status === 403) {
      const parts = error.findings.length ? error.findings.flatMap(sentence) : [error.message];
      this.#say("This may not be measured now. ", ...parts);
      return;
    }
    this.#say(error instanceof Error ? error.message : String(error));
  }

  /** A copy of the table to try things on, opened in place of this one; from a copy, back. */
  async copy() {
    const { state, replay } = this.table;
    const { copy_of: copied, no_copies: why } = state.now;
    if (copied) {
      this.table.turn.back();
      return;
    }
    if (why) {
      this.table.notice(`There is no analysis board in this match. ${why}`);
      return;
    }
    const at = replay.looking ? replay.shown : state.version;
    try {
      const made = await state.working(state.api.post("copy", { at }));
      const [link] = made.links;
      sessionStorage.setItem(`tapeline:copy:${made.id}`, location.pathname + location.hash);
      location.assign(link.path);
    } catch (error) {
      state.trouble(error);
    }
  }
}

/** The way back from a copy, if it was made in this tab. @param {string} id */
export function wayBack(id) {
  try {
    const path = sessionStorage.getItem(`tapeline:copy:${id}`);
    return path && path.startsWith("/t/") ? path : null;
  } catch {
    return null;
  }
}

/** @param {"a" | "b"} name @param {End} end */
function endQuery(name, end) {
  if (end.id !== null) return { [name]: end.id };
  return { [`${name}x`]: end.x, [`${name}y`]: end.y, [`${name}z`]: end.z };
}
