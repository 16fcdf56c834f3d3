// @ts-check
// The game so far as a film: a slider over its entries, step by step or by itself, and back to now.

import { byId, fill, h } from "../lib/dom.js";
import { sign, signButton } from "./icons.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Board} Board */

/** Milliseconds between two entries of the film, after what was gone. */
const PAUSE = 700;

/** How many times as fast the film may go. */
const PACES = [1, 2, 4, 0.5];

export class Replay {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    /** Entry shown; meaningless while `looking` is false. */
    this.shown = 0;
    this.looking = false;
    this.asked = 0;
    this.timer = 0;
    this.pace = PACES[0];
    /** @type {Map<number, Promise<Board>>} */
    this.known = new Map();
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      "aria-label": "Entry of the game",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.words = h("output", { class: "replay-words" });
    this.player = signButton("Play the game so far", "play", () => this.play());
    this.paced = h("button", { type: "button", class: "replay-pace", onclick: () => this.faster() });
    this.back = h("button", { type: "button", class: "replay-now", onclick: () => this.now() }, "Back to now");
    fill(
      host,
      signButton("To the beginning", "start", () => this.go(0)),
      signButton("One entry back", "back", () => this.step(-1)),
      this.player,
      signButton("One entry on", "on", () => this.step(1)),
      this.paced,
      this.slider,
      this.words,
      this.back,
    );
    table.state.addEventListener("change", () => this.#grown());
    this.#draw();
  }

  get last() {
    return this.table.state.version;
  }

  #grown() {
    this.#draw();
  }

  #draw() {
    const at = this.looking ? this.shown : this.last;
    this.slider.max = String(this.last);
    this.slider.value = String(at);
    this.slider.disabled = this.last === 0;
    this.slider.setAttribute("aria-valuetext", at === this.last ? "now" : `entry ${at} of ${this.last}`);
    this.words.textContent = this.looking ? `${at} of ${this.last}` : this.last ? `now (${this.last})` : "";
    this.paced.textContent = `${this.pace}×`;
    this.paced.setAttribute("aria-label", `Speed of the film: ${this.pace} times`);
    this.back.hidden = !this.looking;
    fill(this.player, sign(this.timer ? "stop" : "play"));
    this.player.setAttribute("aria-label", this.timer ? "Stop" : "Play the game so far");
    byId("actions").hidden = this.looking;
    this.table.card.draw();
    this.host.classList.toggle("replay-looking", this.looking);
    document.body.classList.toggle("replaying", this.looking);
  }

  /** @param {number} step */
  step(step) {
    const from = this.looking ? this.shown : this.last;
    this.go(Math.min(this.last, Math.max(0, from + step)));
  }

  /** Show the table after an entry. @param {number} n */
  async go(n) {
    if (n >= this.last && !this.timer) {
      this.now();
      return;
    }
    const mine = (this.asked += 1);
    const { state, hand, show, motion } = this.table;
    const next = n === (this.looking ? this.shown : this.last) + 1;
    if (!this.looking) hand.put();
    this.#look(true);
    this.shown = n;
    this.#draw();
    try {
      const board = await this.#board(n);
      if (mine !== this.asked || !this.looking) return;
      const line = state.log.find((one) => one.n === n);
      show.replay(board, line?.traces ?? []);
      this.table.aim.draw();
      this.table.turn.draw();
      this.table.say(line ? `Entry ${n}: ${line.title}` : "The beginning.");
      this.#mark(n);
      if (line && next) await motion.walk([line], this.pace);
    } catch (error) {
      state.trouble(error);
      this.now();
    }
  }

  /** @param {boolean} on */
  #look(on) {
    if (on === this.looking) return;
    this.looking = on;
    this.table.log.draw();
  }

  /** @param {number} n */
  #board(n) {
    const found = this.known.get(n);
    if (found) return found;
    const asked = /** @type {Promise<Board>} */ (this.table.state.ask(`at/${n}`));
    this.known.set(n, asked);
    asked.catch(() => this.known.delete(n));
    if (this.known.size > 400) this.known.clear();
    return asked;
  }

  /** The line of the log that is shown. @param {number} n */
  #mark(n) {
    for (const line of document.querySelectorAll(".log-line")) {
      const here = this.looking && Number(/** @type {HTMLElement} */ (line).dataset.n) === n;
      line.classList.toggle("shown", here);
    }
  }

  play() {
    if (this.timer) {
      this.#stop();
      return;
    }
    if (!this.last) return;
    const from = this.looking && this.shown < this.last ? this.shown : 0;
    const next = async (/** @type {number} */ n) => {
      await this.go(n);
      if (!this.timer) return;
      if (n >= this.last) {
        this.now();
        return;
      }
      this.timer = window.setTimeout(() => next(n + 1), PAUSE / this.pace);
    };
    this.timer = window.setTimeout(() => {}, 0);
    next(from);
  }

  /** The next of the speeds. */
  faster() {
    this.pace = PACES[(PACES.indexOf(this.pace) + 1) % PACES.length];
    this.#draw();
  }

  #stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#draw();
  }

  /** Back to the match as it stands. */
  now() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.asked += 1;
    if (this.looking) {
      this.#look(false);
      this.table.show.replay(null);
      this.table.aim.draw();
      this.table.turn.draw();
      this.#mark(-1);
    }
    this.#draw();
  }
}
