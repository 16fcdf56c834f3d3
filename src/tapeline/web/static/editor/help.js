// @ts-check
// The keys of the editor and what the mouse does, in a dialog.

import { fill, h } from "../lib/dom.js";

const MOUSE = [
  ["Press", "select and drag to move; with Shift to select more, or drag a box round them"],
  ["Handles", "stretch, turn; the small ones between corners make a new corner"],
  ["Alt", "while dragging: off the grid, turn by single degrees"],
  ["Space, middle button", "move the board; the wheel zooms"],
  ["Finger", "tap to select, then drag; two fingers move and zoom the board"],
];

/** @param {HTMLDialogElement} box @param {{keys: string[], says: string}[]} [bindings] */
export function showHelp(box, bindings = []) {
  fill(
    box,
    h("h2", { id: "helping-title", tabindex: -1, autofocus: true, text: "Hands and keys" }),
    h("dl", { class: "keys" }, MOUSE.map(([what, says]) => [h("dt", { text: what }), h("dd", { text: says })]).flat()),
    h(
      "dl",
      { class: "keys" },
      bindings.map(({ keys, says }) => [
        h("dt", {}, keys.map((key) => h("kbd", { text: key.replace("+", " ").trim() || "+" }))),
        h("dd", { text: says }),
      ]).flat(),
    ),
    h("div", { class: "ends" }, h("button", { type: "button", text: "Close", onclick: () => box.close() })),
  );
  box.showModal();
}
