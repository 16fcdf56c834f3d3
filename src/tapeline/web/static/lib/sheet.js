// @ts-check
// The panel as a sheet on phones: pulled up and down by its grip, or stepped through by a button.

import { h } from "./dom.js";

const HEIGHTS = /** @type {const} */ (["low", "middle", "high"]);
const NAMES = { low: "Panel: low", middle: "Panel: half", high: "Panel: high" };

/** @typedef {"low" | "middle" | "high"} Height */

/**
 * Make a grip pull its sheet.
 * @param {HTMLElement} stage gets data-sheet and, while it is pulled, --sheet-height
 * @param {HTMLElement} grip
 * @returns {{set: (height: Height) => void}}
 */
export function sheet(stage, grip) {
  const button = h("button", { type: "button" });
  /** @type {{y: number, height: number, moved: boolean} | null} */
  let pull = null;
  let now = /** @type {Height} */ ("middle");

  /** @param {Height} height */
  function set(height) {
    now = height;
    stage.dataset.sheet = height;
    stage.style.removeProperty("--sheet-height");
    button.setAttribute("aria-label", `${NAMES[height]}. Change its height`);
  }

  grip.addEventListener("pointerdown", (event) => {
    const panel = grip.parentElement;
    if (!panel) return;
    pull = { y: event.clientY, height: panel.getBoundingClientRect().height, moved: false };
    grip.setPointerCapture(event.pointerId);
  });
  grip.addEventListener("pointermove", (event) => {
    if (!pull) return;
    const up = pull.y - event.clientY;
    if (Math.abs(up) > 6) pull.moved = true;
    if (!pull.moved) return;
    stage.classList.add("pulling");
    const height = Math.min(innerHeight * 0.85, Math.max(90, pull.height + up));
    stage.style.setProperty("--sheet-height", `${Math.round(height)}px`);
  });
  const done = (/** @type {PointerEvent} */ event) => {
    if (!pull) return;
    const height = (pull.height + pull.y - event.clientY) / innerHeight;
    const moved = pull.moved;
    pull = null;
    stage.classList.remove("pulling");
    if (moved) set(height < 0.27 ? "low" : height < 0.6 ? "middle" : "high");
    else step();
  };
  grip.addEventListener("pointerup", done);
  grip.addEventListener("pointercancel", done);
  // A pointer is dealt with above: what is left are keys and assistive tools.
  button.addEventListener("click", (event) => {
    if (event.detail === 0) step();
  });

  function step() {
    set(HEIGHTS[(HEIGHTS.indexOf(now) + 1) % HEIGHTS.length]);
  }

  grip.replaceChildren(button);
  set("middle");
  return { set };
}
