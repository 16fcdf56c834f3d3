// @ts-check
// Words beside the pointer: they keep inside the board and off the place they are about.

import { h } from "../lib/dom.js";

/** @typedef {{at: [number, number], words: string, kind?: "good" | "bad" | "plain"}} Hint */

const BESIDE = 18;
const EDGE = 8;

/**
 * @param {import("./board.js").BoardView} view
 * @returns {(hint: Hint | null) => void} shows words, or takes them away
 */
export function hintOn(view) {
  const made = h("p", { class: "board-hint", hidden: true });
  view.frame.append(made);
  return (hint) => {
    made.hidden = !hint;
    if (!hint) return;
    made.textContent = hint.words;
    made.className = `board-hint hint-${hint.kind ?? "plain"}`;
    const [left, top] = view.pixelOf(hint.at);
    const { offsetWidth: wide, offsetHeight: high } = made;
    const room = view.view.width - wide - EDGE;
    const x = left + BESIDE > room ? Math.max(EDGE, left - wide - BESIDE) : left + BESIDE;
    const y = Math.min(Math.max(EDGE, top - high - BESIDE), view.view.height - high - EDGE);
    made.style.setProperty("transform", `translate(${Math.round(x)}px, ${Math.round(y)}px)`);
  };
}
