// @ts-check
// Arrows and rings: drawn with Ctrl held or with the pen, cleared with one key, shown to the others if wanted.

import { h } from "../lib/dom.js";
import { detail } from "./state.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../board/arrows.js").Mark} Mark */

/** Pixels a pointer may stray and still make a ring. */
const SLOP = 6;
/** As many as the server takes. */
const MOST = 40;
const LOOKS = ["plain", "dashed", "dotted"];

export class Arrows {
  /** @param {Table} table @param {HTMLElement} host the bar that its buttons stand in */
  constructor(table, host) {
    this.table = table;
    /** @type {Mark[]} */
    this.mine = [];
    /** What the others show, by who. @type {Map<string, Mark[]>} */
    this.theirs = new Map();
    this.look = 0;
    /** Whether the pen is held: a drag draws, and no figure is moved. */
    this.pen = false;
    this.shared = false;
    /** One that is being drawn. @type {{mark: Mark, left: number, top: number} | null} */
    this.begun = null;
    /** Where the first end was set by keyboard. @type {Mark | null} */
    this.from = null;
    const pen = (/** @type {string} */ words, /** @type {string} */ key, /** @type {() => void} */ does, /** @type {string} */ title) =>
      h("button", { type: "button", class: "tool pen", dataset: { tool: words.toLowerCase() }, title, onclick: does }, words, h("kbd", { "aria-hidden": "true" }, key));
    this.button = pen("Draw", "D", () => this.toggle(), "Arrows by dragging, rings by pressing; with Ctrl held at any time");
    this.colour = pen("Line", "C", () => this.next(), "Another colour and kind of line");
    this.wipe = pen("Clear", "X", () => this.clear(), "Take away all arrows and rings");
    this.show = pen("Show", "S", () => this.share(), "Show your arrows and rings to the others");
    host.append(this.button, this.colour, this.wipe, this.show);
    const { state } = table;
    const pick = (/** @type {Event} */ event) => this.#press(/** @type {CustomEvent} */ (event));
    // Before anybody else takes it for a grip or a choice.
    table.host.addEventListener("pick", pick, { capture: true });
    table.host.addEventListener("point", (event) => this.#point(/** @type {CustomEvent} */ (event)), { capture: true });
    table.host.addEventListener("pointermove", (event) => this.#drag(event));
    table.host.addEventListener("pointerup", (event) => this.#release(event));
    table.host.addEventListener("pointercancel", () => this.#drop());
    table.host.addEventListener("letgo", () => this.#drop());
    state.live.addEventListener("sketch", (event) => this.#hear(detail(event).drawn));
    state.addEventListener("change", () => this.draw());
  }

  get #many() {
    return this.mine.length + [...this.theirs.values()].flat().length;
  }

  draw() {
    const { state, board } = this.table;
    const begun = this.begun ? [this.begun.mark] : [];
    const theirs = [...this.theirs.values()].flat().map((mark) => ({ ...mark, theirs: true }));
    board.arrows([...theirs, ...this.mine, ...begun]);
    this.button.setAttribute("aria-pressed", String(this.pen));
    this.colour.hidden = !this.pen;
    this.colour.className = `tool pen pen-${this.look}`;
    this.wipe.hidden = !this.#many;
    const may = state.now.mode === "links" && state.now.you.role !== "watch";
    this.show.hidden = !may || (!this.mine.length && !this.shared);
    this.show.setAttribute("aria-pressed", String(this.shared));
    document.body.classList.toggle("penned", this.pen);
  }

  toggle() {
    this.pen = !this.pen;
    this.from = null;
    if (this.pen) {
      this.table.tools.end();
      this.table.hand.put();
      this.table.say("The pen: drag for an arrow, press for a ring. By keyboard, Enter on a figure begins an arrow and Enter on another ends it; on the same one it is a ring.");
    }
    this.draw();
  }

  /** The next colour, which has another kind of line as well. */
  next() {
    this.look = (this.look + 1) % LOOKS.length;
    this.table.say(`Line: ${LOOKS[this.look]}.`);
    this.draw();
  }

  clear() {
    if (!this.#many) return;
    const told = this.shared && this.mine.length;
    this.mine = [];
    this.theirs.clear();
    this.from = null;
    this.table.say("Arrows and rings are gone.");
    this.draw();
    if (told) this.#send();
  }

  /** Show them to the others from now on, or no longer. */
  share() {
    this.shared = !this.shared;
    this.table.say(this.shared ? "The others see what you draw." : "The others do not see what you draw.");
    this.draw();
    this.#send();
  }

  async #send() {
    const { state } = this.table;
    try {
      await state.api.post("drawing", { marks: this.shared ? this.mine : [] });
    } catch (error) {
      state.trouble(error);
    }
  }

  /** @param {Mark} mark */
  #add(mark) {
    const key = JSON.stringify(mark);
    const known = this.mine.some((one) => JSON.stringify(one) === key);
    // The same again takes it away.
    this.mine = known ? this.mine.filter((one) => JSON.stringify(one) !== key) : [...this.mine, mark].slice(-MOST);
    this.draw();
    if (this.shared) this.#send();
  }

  /** Where a mark begins: on a figure, which it snaps to, or at a place. @param {any} found @returns {Mark} */
  #at({ id, point, storey }) {
    const figure = this.table.state.figure(id);
    if (figure) return { x: figure.x, y: figure.y, z: figure.z, to: null, look: this.look };
    const z = this.table.state.board.storeys.find((one) => one.index === storey)?.bottom ?? 0;
    return { x: round(point[0]), y: round(point[1]), z, to: null, look: this.look };
  }

  /** @param {CustomEvent} event */
  #press(event) {
    const { originalEvent } = event.detail;
    const held = originalEvent.ctrlKey || originalEvent.metaKey;
    if (!(this.pen || held)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (!(originalEvent instanceof PointerEvent) || originalEvent.button !== 0) return;
    this.begun = { mark: this.#at(event.detail), left: originalEvent.clientX, top: originalEvent.clientY };
    this.table.board.frame.setPointerCapture(originalEvent.pointerId);
  }

  /** A key chose a figure while the pen is held. @param {CustomEvent} event */
  #point(event) {
    const { originalEvent } = event.detail;
    if (!this.pen && !originalEvent.ctrlKey && !originalEvent.metaKey) return;
    event.stopImmediatePropagation();
    if (!(originalEvent instanceof KeyboardEvent)) return;
    const mark = this.#at(event.detail);
    const { from } = this;
    if (!from) {
      this.from = mark;
      this.table.say("From here: Enter on another figure for an arrow, on the same one for a ring.");
      return;
    }
    this.from = null;
    const same = from.x === mark.x && from.y === mark.y;
    this.#add(same ? mark : { ...from, look: this.look, to: [mark.x, mark.y] });
    this.table.say(same ? "A ring." : "An arrow.");
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const { begun } = this;
    if (!begun) return;
    const far = Math.hypot(event.clientX - begun.left, event.clientY - begun.top) >= SLOP;
    if (!far && !begun.mark.to) return;
    const [x, y] = this.table.board.at(event);
    begun.mark = { ...begun.mark, to: [x, y] };
    this.draw();
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const { begun } = this;
    this.begun = null;
    if (!begun) return;
    const { mark } = begun;
    const end = this.#at(this.table.board.find(event));
    const back = end.x === mark.x && end.y === mark.y;
    this.#add(mark.to && !back ? { ...mark, to: [end.x, end.y] } : { ...mark, to: null });
  }

  #drop() {
    if (!this.begun) return;
    this.begun = null;
    this.draw();
  }

  /** Somebody shows what he has drawn. @param {import("../lib/documents.js").Drawn} drawn */
  #hear({ by, marks }) {
    const { state } = this.table;
    if (state.now.you.role === "watch" ? false : state.moves(by)) return;
    const before = this.theirs.get(by)?.length ?? 0;
    if (marks.length) this.theirs.set(by, marks);
    else this.theirs.delete(by);
    if (marks.length > before) this.table.say(`${state.name(by)} has drawn on the board.`);
    this.draw();
  }
}

/** @param {number} value table units */
function round(value) {
  return Math.round(value * 100) / 100;
}
