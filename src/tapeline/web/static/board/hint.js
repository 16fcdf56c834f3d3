// @ts-check
// Words beside the pointer: they keep inside the board and off the place they are about.

import { h } from "../lib/dom.js";

/** @typedef {{at: [number, number], words: string, kind?: "good" | "bad" | "plain"}} Hint */

const BESIDE = 18;
const EDGE = 8;
const LOW = 260;

/**
 * @param {import("./board.js").BoardView} view
 * @returns {(hint: Hint | null) => void} shows words, or takes them away
 */
export function hintOn(view) {
  const made = h("p", { class: "board-hint", hidden: true });
  view.frame.append(made);
  const size = { shape: "", room: 0, wide: 0, high: 0 };
  return (hint) => {
    // A very low board has no room for them; they stand below it as well.
    made.hidden = !hint || view.view.height < LOW;
    if (!hint || made.hidden) return;
    made.className = `board-hint hint-${hint.kind ?? "plain"}`;
    const [left, top] = view.pixelOf(hint.at);
    if (made.textContent !== hint.words) made.textContent = hint.words;
    // Measured only where more than digits differ, which are all as wide: that lays out the page.
    const shape = hint.words.replace(/\d/g, "0");
    if (size.shape !== shape || size.room !== view.view.width || !size.wide) {
      Object.assign(size, { shape, room: view.view.width, wide: made.offsetWidth, high: made.offsetHeight });
    }
    const { wide, high } = size;
    const room = view.view.width - wide - EDGE;
    const x = left + BESIDE > room ? Math.max(EDGE, left - wide - BESIDE) : left + BESIDE;
    // Above it, else where it covers neither what is moved nor the hand.
    const lowest = view.view.height - high - EDGE;
    const kept = [...view.drawing.set.ghosts.map((one) => view.pixelOf([one.x, one.y], one.z)), [left, top]];
    const covered = (/** @type {number} */ y) =>
      kept.filter(
        ([px, py]) => px > x - EDGE && px < x + wide + EDGE && py > y - EDGE && py < y + high + EDGE,
      ).length;
    const spots = [top - high - BESIDE, top + 2 * BESIDE, EDGE, lowest].map((y) => Math.min(Math.max(EDGE, y), lowest));
    const y = spots.reduce((best, one) => (covered(one) < covered(best) ? one : best), spots[0]);
    made.style.setProperty("transform", `translate(${Math.round(x)}px, ${Math.round(y)}px)`);
  };
}
