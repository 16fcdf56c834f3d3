// @ts-check
// The puzzle of a match: its task, how far it has come, a hint, the solution. The server says what is met.

import { call } from "../lib/api.js";
import { beginMatch } from "../lib/begin.js";
import { byId, fill, h, saveFile } from "../lib/dom.js";
import { isSolved, markSolved } from "../lib/solved.js";
import { keepingFocus } from "./focus.js";
import { playSolution, solvedScene } from "./solution.js";
import { told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Puzzle} Task */
/** @typedef {import("../lib/documents.js").PuzzlePart} Part */
/** @typedef {import("../lib/documents.js").Example} Example */

export class Puzzle {
  /** @param {Table} table of a match that has a puzzle */
  constructor(table) {
    this.table = table;
    this.host = h("section", { class: "puzzle", "aria-label": "Puzzle" });
    document.head.append(h("link", { rel: "stylesheet", href: "/static/style/puzzle.css" }));
    byId("moment").before(this.host);
    this.hinted = false;
    /** Whether the solution was shown: then it is not solved by the player. */
    this.shown = false;
    this.busy = false;
    this.said = "";
    table.state.addEventListener("change", () => this.take());
    this.take();
  }

  /** @returns {Task} */
  get task() {
    const { puzzle } = this.table.state.now;
    if (!puzzle) throw new Error("a match does not lose its puzzle");
    return puzzle;
  }

  take() {
    const { task } = this;
    const { board } = this.table.state;
    if (task.solved && !this.shown) markSolved(board.system, board.name);
    const words = task.solved ? this.solvedWords() : task.lost;
    if (words && words !== this.said) this.table.say(told(words), "assertive");
    this.said = words;
    this.draw();
  }

  solvedWords() {
    const { moves } = this.task;
    const how = moves === 1 ? "1 move" : `${moves} moves`;
    return this.shown ? `That is how, with ${how}.` : `Solved with ${how}.`;
  }

  draw() {
    const { task } = this;
    const { most, moves, lost, solved } = task;
    const left = most === null ? `${moves} so far` : `${moves} of ${most}`;
    keepingFocus(this.host, () =>
      fill(
        this.host,
        h("h2", {}, "Puzzle"),
        h("p", { class: "puzzle-task" }, told(task.task)),
        h("ul", { class: "puzzle-parts" }, [...task.goals, ...task.always].map((part) => this.part(part))),
        h("p", { class: "quiet" }, `Moves: ${left}. Every die shows ${task.die}.`),
        solved && h("p", { class: "puzzle-end solved" }, h("strong", {}, this.solvedWords())),
        lost && h("p", { class: "puzzle-end lost" }, h("strong", {}, "Not so. "), told(lost), " Undo, or start again."),
        this.hinted && h("p", { class: "puzzle-hint" }, told(task.hint)),
        this.ends(),
      ),
    );
  }

  /** @param {Part} part */
  part(part) {
    return h(
      "li",
      { class: part.met ? "met" : "" },
      h("span", { class: "sign", role: "img", "aria-label": part.met ? "Met: " : "Not yet: " }, part.met ? "\u2713" : "\u25cb"),
      h("span", {}, told(part.words), part.why && h("span", { class: "quiet" }, ` (${told(part.why)})`)),
    );
  }

  ends() {
    const { task } = this;
    const { state } = this.table;
    const done = state.log.filter((line) => line.counts && line.what !== "undo").length;
    const button = (/** @type {string} */ words, /** @type {() => void} */ run, /** @type {object} */ more = {}) =>
      h("button", { type: "button", dataset: { keep: words }, disabled: this.busy, onclick: run, ...more }, words);
    return h(
      "div",
      { class: "order-ends" },
      task.solved && button("Next puzzle", () => this.next(), { class: "primary" }),
      task.solved && button("Save with this solution", () => this.save()),
      task.hint && !this.hinted && !task.solved && button("Hint", () => this.hint()),
      done > 0 && button("Start again", () => this.again()),
      task.steps > 0 && !task.solved && button("Show the solution", () => this.show()),
    );
  }

  hint() {
    this.hinted = true;
    this.table.say(told(this.task.hint));
    this.draw();
  }

  again() {
    return this.#held(() => this.#back());
  }

  /** Play the solution from the start, step by step. */
  show() {
    this.shown = true;
    return this.#held(async () => (await this.#back()) && playSolution(this.table));
  }

  /** To the start; false if that is refused. */
  async #back() {
    const { state } = this.table;
    const done = state.log.filter((line) => line.counts && line.what !== "undo").length;
    return done === 0 || (await state.undo(done)) !== null;
  }

  /** Do something while which nothing else can be begun. @param {() => Promise<unknown>} run */
  async #held(run) {
    this.busy = true;
    this.draw();
    await run();
    this.busy = false;
    this.draw();
  }

  /** Save the puzzle with what was done here as its solution. */
  async save() {
    const { state } = this.table;
    try {
      const log = await state.working(state.api.file("log"));
      saveFile(JSON.stringify(solvedScene(await log.text()), null, 1), "puzzle.json");
    } catch (error) {
      state.trouble(error);
    }
  }

  /** Begin the next one of this game that was not solved here, or any other. */
  async next() {
    const { state } = this.table;
    const { system, name } = state.board;
    try {
      /** @type {Example[]} */
      const all = await state.working(call("examples"));
      const puzzles = all.filter((one) => one.puzzle && one.system === system);
      const here = puzzles.findIndex((one) => one.title === name);
      const others = [...puzzles.slice(here + 1), ...puzzles.slice(0, Math.max(here, 0))];
      const one = others.find((each) => !isSolved(system, each.title)) ?? others[0];
      if (!one) {
        location.assign("/#puzzles");
        return;
      }
      const made = await beginMatch({ example: one.name, mode: "hotseat", dice: "server" });
      location.assign(made.links[0].path);
    } catch (error) {
      state.trouble(error);
    }
  }
}
