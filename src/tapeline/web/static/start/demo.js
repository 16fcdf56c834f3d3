// @ts-check
// The board of the start page: one figure to drag, judged by the server as in a match. Until somebody
// takes it, it shows by itself, once, how far it gets and how a refusal looks.

import { BoardView } from "../board/board.js";
import { call } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { Units } from "../lib/units.js";
import { spoken } from "../table/words.js";

/** @typedef {import("../lib/documents.js").Demo} DemoDoc */
/** @typedef {import("../lib/documents.js").Verdict} Verdict */

/** Room about the reach that is shown, in parts of it. */
const ROOM = 0.25;
/** Stops of the hand that shows it on each leg, and milliseconds from one to the next. */
const STOPS = 7;
const PACE = 280;
/** The same from the middle of the reach: to its border, and beyond it. */
const WITHIN = 0.92;
const BEYOND = 1.4;

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
    this.showing = true;
    this.demonstrate(demo.reach.bands.flatMap(({ rings }) => rings).flat());
    place.addEventListener("pointerdown", () => (this.showing = false), { capture: true });
    place.addEventListener("keydown", () => (this.showing = false), { capture: true });
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

  /**
   * A drag to one side of the reach, round whatever stands there, and out over the other; without motion the end of it.
   * @param {[number, number][]} places of the border of the reach
   */
  async demonstrate(places) {
    const figure = this.board.figure(this.body);
    if (!figure || !places.length) return;
    const from = /** @type {[number, number]} */ ([figure.x, figure.y]);
    const [left, right] = [-1, 1].map((way) => places.reduce((a, b) => (way * b[0] > way * a[0] ? b : a)));
    const within = between(from, left, WITHIN);
    const beyond = between(from, right, BEYOND);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const legs = still ? [] : [[from, within], [within, beyond]];
    const stops = legs.flatMap(([a, b]) => Array.from({ length: STOPS }, (_, n) => between(a, b, (n + 1) / STOPS)));
    let at = from;
    for (const to of still ? [beyond] : stops) {
      const [verdict] = await Promise.all([tried(to), still ? null : passed(PACE / 2)]);
      if (!verdict || !this.showing) return;
      const end = this.endOf(verdict) ?? to;
      if (!still) await this.glide(at, end);
      if (!this.showing) return;
      this.wanted = to;
      this.show(verdict, to);
      at = end;
    }
  }

  /** The ghost from one place to another. @param {[number, number]} from @param {[number, number]} to */
  async glide(from, to) {
    const { board, body } = this;
    const start = performance.now();
    for (let part = 0; part < 1 && this.showing; ) {
      const now = await new Promise((drawn) => requestAnimationFrame(drawn));
      part = Math.min(1, Math.max(0, (now - start) / PACE));
      const [x, y] = between(from, to, part);
      board.ghosts([{ body, x, y, facing: board.figure(body)?.facing ?? 0, legal: true }]);
    }
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
    const verdict = await tried([x, y]);
    this.asking = false;
    if (verdict) this.show(verdict, [x, y]);
    if (this.wanted[0] !== x || this.wanted[1] !== y) this.ask();
  }

  /** Where a verdict lets the figure stand. @param {Verdict} verdict @returns {[number, number] | undefined} */
  endOf(verdict) {
    const end = wayOf(verdict).find((trace) => trace.body === this.body)?.end;
    return end && [end[0], end[1]];
  }

  /** @param {Verdict} verdict @param {[number, number]} to */
  show(verdict, to) {
    const { board, body } = this;
    const figure = board.figure(body);
    if (!figure) return;
    const near = wayOf(verdict);
    const end = near.find((trace) => trace.body === body);
    const [x, y] = end?.end ?? to;
    board.ways(near, { kind: "moved" });
    const tail = Math.hypot(x - to[0], y - to[1]) > 1e-3 ? to : null;
    board.ghosts([{ body, x, y, facing: end?.facing ?? figure.facing, legal: Boolean(end), tail }]);
    const faults = verdict.legal ? [] : verdict.findings;
    const [first] = faults;
    // The others have no room for their words.
    board.pins(first ? [first] : []);
    this.says(first ? [spoken(first), verdict.nearest?.text].filter(Boolean).join(" ") : `Legal: ${this.units.say(verdict.cost)} of ${this.units.say(verdict.allowance ?? 0)}.`, Boolean(first));
  }

  /** @param {string} words @param {boolean} [refused] */
  says(words, refused = false) {
    const yours = refused ? h("span", { class: "quiet" }, ` Try it: press ${this.name} and drag.`) : " Press and drag.";
    fill(this.caption, h("b", {}, refused ? "1 " : "Try it. "), words, yours);
    this.caption.classList.toggle("refused", refused);
    // What shows by itself is not read out to who came for something else.
    this.caption.ariaLive = this.showing ? "off" : "polite";
  }
}

/** The way that a verdict allows. @param {Verdict} verdict */
const wayOf = (verdict) => (verdict.legal ? verdict.moved : (verdict.nearest?.traces ?? []));

/** @param {[number, number]} to @returns {Promise<Verdict | null>} */
const tried = ([x, y]) => call("demo/try", { query: { x, y } }).catch(() => null);

/** @param {number} ms @returns {Promise<null>} */
const passed = (ms) => new Promise((after) => setTimeout(() => after(null), ms));

/** @param {[number, number]} a @param {[number, number]} b @param {number} part @returns {[number, number]} */
const between = ([x, y], [u, v], part) => [x + (u - x) * part, y + (v - y) * part];

/** Fill the place with a board to try; a server that has none leaves it out.
 * @param {HTMLElement} figure @param {HTMLElement} place @param {HTMLElement} caption */
export async function demoIn(figure, place, caption) {
  const demo = /** @type {DemoDoc | null} */ (await call("demo").catch(() => null));
  figure.hidden = !demo;
  if (demo) new Demo(place, caption, demo);
}
