// @ts-check
// The puzzles of the picked game: what each asks for, how hard it is, and whether it was solved here.

import { fill, h } from "../lib/dom.js";
import { isSolved } from "../lib/solved.js";

/** @typedef {import("../lib/documents.js").Example} Example */
/** @typedef {import("./begin.js").Begin} Begin */
/** @typedef {import("./settings.js").Settings} Settings */

const LEVELS = ["", "easy", "middling", "hard"];

export class Puzzles {
  /**
   * @param {HTMLElement} place
   * @param {Example[]} examples those that are no puzzle are passed over
   * @param {Settings} settings
   * @param {Begin} begin
   */
  constructor(place, examples, settings, begin) {
    this.place = place;
    this.puzzles = examples.filter((one) => one.puzzle);
    this.settings = settings;
    this.begin = begin;
    settings.addEventListener("system", () => this.show());
    addEventListener("pageshow", () => this.show());
    this.show();
  }

  show() {
    const found = this.puzzles.filter((one) => one.system === this.settings.system);
    const solved = found.filter((one) => isSolved(one.system, one.title)).length;
    this.place.hidden = found.length === 0;
    fill(
      this.place,
      h("h2", { id: "puzzles-title", text: "Puzzles" }),
      h("p", { class: "note", text: `One side, one task, no luck. ${solved} of ${found.length} solved.` }),
      h("ol", { class: "puzzle-list" }, found.map((one) => this.row(one))),
    );
  }

  /** @param {Example} one */
  row(one) {
    const id = `puzzle-${one.name}`;
    const solved = isSolved(one.system, one.title);
    const play = h("button", { type: "button", text: solved ? "Again" : "Solve", "aria-describedby": id });
    play.addEventListener("click", () =>
      this.begin.begin({ example: one.name }, { title: one.title, system: one.system }, play, { mode: "hotseat", dice: "server" }),
    );
    const level = one.puzzle?.level ?? 1;
    return h(
      "li",
      { class: solved ? "solved" : "" },
      h(
        "div",
        {},
        h("h3", { id }, solved && h("span", { class: "done", role: "img", "aria-label": "Solved: " }, "\u2713"), one.title),
        h("p", { class: "puzzle-task", text: one.puzzle?.words ?? "" }),
      ),
      h(
        "span",
        { class: "level", role: "img", "aria-label": LEVELS[level] ?? "", title: LEVELS[level] ?? "" },
        "\u25cf".repeat(level) + "\u25cb".repeat(3 - level),
      ),
      play,
    );
  }
}
