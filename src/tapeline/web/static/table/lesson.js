// @ts-check
// The lesson of a match: one step at a time, what it points at, and a way to have it done or to leave.

import { byId, fill, h } from "../lib/dom.js";
import { markSolved } from "../lib/solved.js";
import { keepingFocus } from "./focus.js";
import { playSolution } from "./solution.js";
import { told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

export class Lesson {
  /** @param {Table} table of a match that has a lesson */
  constructor(table) {
    this.table = table;
    this.host = h("section", { class: "puzzle lesson", "aria-label": "Lesson" });
    document.head.append(h("link", { rel: "stylesheet", href: "/static/style/puzzle.css" }));
    byId("moment").before(this.host);
    this.busy = false;
    this.at = -1;
    table.state.addEventListener("change", () => this.take());
    this.take();
  }

  get lesson() {
    const { lesson } = this.table.state.now;
    if (!lesson) throw new Error("a match does not lose its lesson");
    return lesson;
  }

  take() {
    const { steps, done, end } = this.lesson;
    const { board } = this.table.state;
    const step = steps[done];
    if (!step) markSolved(board.system, board.name);
    const point = (step?.point ?? []).flatMap((id) => [id, ...(this.table.state.group(id)?.members ?? [])]);
    this.table.board.mark(point, "pointed");
    if (done === this.at) return;
    if (this.at >= 0 || step) this.table.say(told(step ? step.words : end));
    this.at = done;
    this.draw();
  }

  draw() {
    const { steps, done, end } = this.lesson;
    const step = steps[done];
    const button = (/** @type {string} */ words, /** @type {() => void} */ run) =>
      h("button", { type: "button", dataset: { keep: words }, disabled: this.busy, onclick: run }, words);
    const leave = (/** @type {string} */ words, /** @type {string} */ look) => h("a", { class: `button ${look}`, href: "/#scenes" }, words);
    keepingFocus(this.host, () =>
      fill(
        this.host,
        h("h2", {}, step ? `Lesson: step ${done + 1} of ${steps.length}` : "The lesson is over"),
        h("progress", { max: steps.length, value: done, "aria-label": "Steps done" }),
        h("p", { class: "puzzle-task" }, told(step ? step.words : end)),
        h(
          "div",
          { class: "order-ends" },
          step ? [button("Show me", () => this.show()), leave("Leave the lesson", "quiet")] : [leave("Play a scene", "primary"), h("a", { class: "button", href: "/#puzzles" }, "Puzzles")],
        ),
      ),
    );
  }

  async show() {
    this.busy = true;
    this.draw();
    await playSolution(this.table);
    this.busy = false;
    this.draw();
  }
}
