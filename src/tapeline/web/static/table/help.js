// @ts-check
// First steps for a stranger, and every key.

import { fill, h } from "../lib/dom.js";
import { get, put } from "../lib/store.js";

/** @typedef {import("./table.js").Table} Table */

const STEPS = [
  ["Pick", "Click a figure. The panel lists what it may do; a barred one says why when pressed."],
  ["Move", "Press on the figure and drag. It stops where the rules stop it. Let go, then Enter."],
  ["Way-points", "After the first leg click where the next one goes, or press the space bar while you drag. Backspace takes the last back."],
  ["Turn", "The round handle, [ and ], or the wheel with Alt held."],
  ["Targets", "Choose Charge or Shoot, then one of the ringed figures. Click another to read why not."],
  ["Whole units", "Drag any stand of a unit; the panel offers moving as a block, wheeling, stand by stand."],
  ["Dice", "Roll on the page, or roll your own and type in what they show."],
  ["Look", "Drag the ground to move the board, wheel or pinch to zoom, the numbers at the left change the storey, all shows every storey at once."],
  ["Hints", "Hint tells what may well be done now, and why; by link only while both sides agree. Analysis goes on with a copy."],
  ["Arrows", "Hold Ctrl and drag for an arrow, press for a ring; or take the pen with Draw, where Enter on two figures does it too."],
  ["Rules", "Every id such as the ones in the log opens its rule."],
];

const MOUSE = "Click one of your figures: here you read what it may do. Drag it to move it; it stops where the rules stop it, and Enter makes the move.";
const TOUCH = "Tap one of your figures: here you read what it may do. Drag it to move it; it stops where the rules stop it, and the green button makes the move.";
const SET_UP = "Drag a figure from the tray to your side of the board, or press it and place it with the arrow keys. Where it may not stand, you read why. Ready ends the set-up.";

const NAMES = /** @type {Record<string, string>} */ ({ " ": "Space", Escape: "Esc", Backspace: "⌫" });

export class Help {
  /** @param {Table} table @param {HTMLElement} host where the short version stands until it is put away */
  constructor(table, host) {
    this.table = table;
    this.box = h("dialog", { class: "help", "aria-labelledby": "help-title" });
    document.body.append(this.box);
    const goals = table.state.match?.board.goals ?? [];
    this.hint = h(
      "div",
      { class: "first-steps", hidden: true },
      h("p", {}, table.state.match?.board.tray ? SET_UP : matchMedia("(pointer: coarse)").matches ? TOUCH : MOUSE),
      goals.length > 0 && h("p", {}, "What counts:"),
      goals.length > 0 && h("ul", {}, goals.map((goal) => h("li", {}, goal))),
      h(
        "div",
        { class: "order-ends" },
        h("button", { type: "button", onclick: () => this.open() }, "More"),
        h("button", { type: "button", onclick: () => this.#known() }, "Got it"),
      ),
    );
    host.append(this.hint);
    table.selection.addEventListener("select", () => {
      if (table.selection.id !== null) this.hint.hidden = true;
    });
    table.state.addEventListener("change", (event) => {
      const { first } = /** @type {CustomEvent} */ (event).detail;
      if (!first && table.state.log.length > 2 && table.state.mine) this.#known();
      if (first) this.hint.hidden = get("helped", false) || table.state.now.you.role === "watch";
      if (table.state.over) this.hint.hidden = true;
    });
  }

  #known() {
    put("helped", true);
    this.hint.hidden = true;
  }

  open() {
    const bindings = this.table.keys.bindings.filter((binding) => binding.says);
    const groups = [...new Set(bindings.map((binding) => binding.group ?? ""))];
    fill(
      this.box,
      h("h2", { id: "help-title", tabindex: -1, autofocus: true }, "How to play here"),
      h("dl", { class: "help-steps" }, STEPS.flatMap(([term, words]) => [h("dt", {}, term), h("dd", {}, words)])),
      h("h2", {}, "Keys"),
      h(
        "dl",
        { class: "help-keys" },
        h("dt", {}, h("kbd", {}, "Tab")),
        h("dd", {}, "The next figure; Enter selects it"),
        h("dt", {}, h("kbd", {}, "← ↑ → ↓")),
        h("dd", {}, "Move the ghost by 0.1 (Shift 1, Alt 0.01)"),
        h("dt", {}, h("kbd", {}, "1 … 9")),
        h("dd", {}, "The thing it can do that bears this number"),
        groups.flatMap((group) =>
          bindings
            .filter((binding) => (binding.group ?? "") === group)
            .flatMap((binding) => [
              h("dt", {}, h("kbd", {}, nameOf(binding.keys[0]))),
              h("dd", {}, binding.says),
            ]),
        ),
        h("dt", {}, h("kbd", {}, "+ − 0")),
        h("dd", {}, "Nearer, farther, the whole board (while the board has the focus)"),
      ),
      h(
        "div",
        { class: "order-ends" },
        h("button", { type: "button", class: "primary", onclick: () => this.box.close() }, "Close"),
      ),
    );
    this.#known();
    this.box.showModal();
  }
}

/** @param {string} key */
function nameOf(key) {
  return key
    .split("+")
    .map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" ");
}
