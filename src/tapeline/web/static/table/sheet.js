// @ts-check
// The panel as a sheet on a narrow screen: pulled up and down by its grip, or by pressing it.

import { fill, h } from "../lib/dom.js";

const STATES = /** @type {const} */ (["low", "half", "high"]);

/**
 * @param {HTMLElement} stage that knows how high the sheet stands
 * @param {HTMLElement} grip
 */
export function sheet(stage, grip) {
  let state = 1;
  const bar = h("button", { type: "button", class: "grip-bar", "aria-label": "Pull the panel up or down" });
  fill(grip, bar);
  const set = (/** @type {number} */ next) => {
    state = Math.max(0, Math.min(STATES.length - 1, next));
    stage.dataset.sheet = STATES[state];
    bar.setAttribute("aria-expanded", String(state > 0));
  };
  let from = NaN;
  let dragged = false;
  grip.addEventListener("pointerdown", (event) => {
    from = event.clientY;
    dragged = false;
    grip.setPointerCapture(event.pointerId);
  });
  grip.addEventListener("pointermove", (event) => {
    const far = event.clientY - from;
    if (Number.isNaN(from) || Math.abs(far) < 40) return;
    set(state + (far < 0 ? 1 : -1));
    from = event.clientY;
    dragged = true;
  });
  const end = () => {
    from = NaN;
  };
  grip.addEventListener("pointerup", () => {
    if (!dragged && !Number.isNaN(from)) set((state + 1) % STATES.length);
    end();
  });
  grip.addEventListener("pointercancel", end);
  bar.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      set((state + 1) % STATES.length);
    } else if (event.key === "ArrowUp") set(state + 1);
    else if (event.key === "ArrowDown") set(state - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  set(1);
}
