// @ts-check
// The board of the start page: one figure to drag, judged by the server as in a match.

import { BoardView } from "../board/board.js";
import { call } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { Units } from "../lib/units.js";
import { spoken } from "../table/words.js";

/** @typedef {import("../lib/documents.js").Demo} DemoDoc */
/** @typedef {import("../lib/documents.js").Verdict} Verdict */

/** Room about the reach that is shown, in parts of it. */
const ROOM = 0.25;

class Demo {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} caption
   * @param {DemoDoc} demo
   */
  constructor(place, caption, demo) {
    this.caption = caption;
    this.body = demo.body;
    this.units = new Units(demo.board.unit);
    this.board = new BoardView(place, { label: "A board to try", units: this.units });
    /** Where the hand holds the figure: from its middle. @type {[number, number] | null} */
    this.grip = null;
    /** @type {[number, number] | null} */
    this.wanted = null;
    this.asking = false;
    this.board.show(demo.board);
    this.board.reach(demo.reach);
    this.board.select([demo.body]);
    this.name = this.board.figure(demo.body)?.name ?? "";
    this.says(`${this.name} may move ${this.units.say(demo.reach.allowance ?? 0)}.`);
    this.look(demo.reach.bands.flatMap(({ rings }) => rings).flat());
    place.addEventListener("pick", (event) => this.take(/** @type {CustomEvent} */ (event)));
    place.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) place.addEventListener(end, () => (this.grip = null));
    place.addEventListener("letgo", () => (this.grip = null));
    // The wheel scrolls the page.
    place.addEventListener("wheel", (event) => event.stopPropagation(), { capture: true });
  }

  /** Show where the figure can get to. @param {[number, number][]} places */
  look(places) {
    const { board } = this.board;
    if (!places.length || !board) return;
    const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const [wide, high] = [Math.max(...xs) - x, Math.max(...ys) - y];
    const box = { x: x - ROOM * wide, y: board.depth - y - high * (1 + ROOM), width: wide * (1 + 2 * ROOM), height: high * (1 + 2 * ROOM) };
    this.board.view.show(box, false);
  }

  /** @param {CustomEvent} event */
  take(event) {
    const { id, part, point, originalEvent } = event.detail;
    const figure = this.board.figure(this.body);
    const own = part === "ghost" || (part === "figure" && id === this.body);
    if (!own || !figure || !(originalEvent instanceof PointerEvent)) return;
    event.preventDefault();
    const [x, y] = part === "ghost" && this.wanted ? this.wanted : [figure.x, figure.y];
    this.grip = [point[0] - x, point[1] - y];
    this.board.frame.setPointerCapture(originalEvent.pointerId);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.grip) return;
    const [x, y] = this.board.at(event);
    this.wanted = [x - this.grip[0], y - this.grip[1]];
    this.ask();
  }

  /** One question at a time, always about the newest place. */
  async ask() {
    if (this.asking || !this.wanted) return;
    const [x, y] = this.wanted;
    this.asking = true;
    const verdict = await call("demo/try", { query: { x, y } }).catch(() => null);
    this.asking = false;
    if (verdict) this.show(verdict, [x, y]);
    if (this.wanted[0] !== x || this.wanted[1] !== y) this.ask();
  }

  /** @param {Verdict} verdict @param {[number, number]} to */
  show(verdict, to) {
    const { board, body } = this;
    const figure = board.figure(body);
    if (!figure) return;
    const near = verdict.legal ? verdict.moved : (verdict.nearest?.traces ?? []);
    const end = near.find((trace) => trace.body === body);
    const [x, y] = end?.end ?? to;
    board.ways(near, { kind: "moved" });
    const tail = Math.hypot(x - to[0], y - to[1]) > 1e-3 ? to : null;
    board.ghosts([{ body, x, y, facing: end?.facing ?? figure.facing, legal: Boolean(end), tail }]);
    const faults = verdict.legal ? [] : verdict.findings;
    board.pins(faults);
    const [first] = faults;
    this.says(first ? [spoken(first), verdict.nearest?.text].filter(Boolean).join(" ") : `Legal: ${this.units.say(verdict.cost)} of ${this.units.say(verdict.allowance ?? 0)}.`, Boolean(first));
  }

  /** @param {string} words @param {boolean} [refused] */
  says(words, refused = false) {
    fill(this.caption, h("b", {}, refused ? "1 " : "Try it. "), words, refused ? "" : " Press and drag.");
    this.caption.classList.toggle("refused", refused);
  }
}

/** Fill the place with a board to try; a server that has none leaves it out.
 * @param {HTMLElement} figure @param {HTMLElement} place @param {HTMLElement} caption */
export async function demoIn(figure, place, caption) {
  const demo = /** @type {DemoDoc | null} */ (await call("demo").catch(() => null));
  figure.hidden = !demo;
  if (demo) new Demo(place, caption, demo);
}
