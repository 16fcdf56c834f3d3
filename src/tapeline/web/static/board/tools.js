// @ts-check
// What lies over the board: scale bar, zoom buttons, the choice of a storey.

import { fill, h, svg } from "../lib/dom.js";
import { storeyIn } from "../lib/lengths.js";

/** @typedef {import("./board.js").BoardView} BoardView */

const ROUND = [1, 2, 5];
const BAR = 130;

/**
 * @param {BoardView} view
 */
export function boardTools(view) {
  const bar = h("span", { class: "scale-line" });
  const words = h("span", { class: "scale-words" });
  const scale = h("div", { class: "scale-bar", "aria-hidden": "true" }, bar, words);
  const storeys = h("div", { class: "storeys", role: "group", "aria-label": "Storey", hidden: true });
  const button = (
    /** @type {string} */ label,
    /** @type {string} */ sign,
    /** @type {() => void} */ does,
  ) =>
    h(
      "button",
      { type: "button", class: "board-button", "aria-label": label, title: label, onclick: does },
      svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: sign })),
    );
  const zoom = (/** @type {number} */ factor) => () =>
    view.view.zoom(view.view.width / 2, view.view.height / 2, factor);
  const zooms = h(
    "div",
    { class: "zooms", role: "group", "aria-label": "Zoom" },
    button("Zoom out", "M4 10H16", zoom(1 / 1.4)),
    button("Show the whole board", "M3 8V3H8M12 3H17V8M17 12V17H12M8 17H3V12", () => view.fit()),
    button("Zoom in", "M4 10H16M10 4V16", zoom(1.4)),
    button("Turn the board round", "M4 8A6.5 6.5 0 0 1 16 8M16 3V8H11M16 12A6.5 6.5 0 0 1 4 12M4 17V12H9", () => view.turnRound()),
  );
  const turns = h(
    "div",
    { class: "turns", role: "group", "aria-label": "Turn", hidden: true },
    button("Turn the table to the left", "M7 4L3 8L7 12M3 8H11A5 5 0 0 1 11 17H8", () => (view.quarters += 1)),
    button("Turn the table to the right", "M13 4L17 8L13 12M17 8H9A5 5 0 0 0 9 17H12", () => (view.quarters -= 1)),
  );
  const element = h("div", { class: "board-tools" }, storeys, turns, scale, zooms);

  /** The scale bar: a round length of about a hundred pixels. */
  function scaled() {
    const { units } = view;
    const one = view.scale / units.factor;
    let length = 1e-3;
    for (let power = -2; power < 5; power += 1) {
      for (const step of ROUND) {
        const round = step * 10 ** power;
        if (round * one <= BAR) length = round;
      }
    }
    bar.style.setProperty("width", `${(length * one).toFixed(1)}px`);
    words.textContent = `${Number(length.toPrecision(3))} ${units.shown}`;
  }

  /** The storeys there are, and the one that is shown. */
  function changed() {
    const board = view.board;
    if (!board) return;
    const several = board.storeys.length > 1;
    storeys.hidden = !several;
    turns.hidden = view.storey !== "all";
    const held = storeys.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-storey")
      : null;
    const choice = (/** @type {number | "all"} */ storey, /** @type {string} */ text, title = "") =>
      h("button", {
        type: "button",
        class: "storey",
        "aria-pressed": String(view.storey === storey),
        "aria-label": title,
        title,
        dataset: { storey },
        text,
        onclick: () => {
          view.storey = storey;
        },
      });
    fill(
      storeys,
      several ? board.storeys.map((s) => choice(s.index, String(s.index), storeyIn(s, view.units))) : [],
      several ? choice("all", "all", "All storeys at once, cut away") : [],
    );
    if (held !== null && held !== undefined) {
      /** @type {HTMLElement | null} */ (
        storeys.querySelector(`[data-storey="${CSS.escape(held)}"]`)
      )?.focus();
    }
    scaled();
  }

  return { element, scaled, changed };
}
