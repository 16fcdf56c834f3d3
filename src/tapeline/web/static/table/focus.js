// @ts-check
// Redrawing a part of the page without losing the place of somebody who works with keys, or a press of the mouse.

/**
 * Draw anew; whatever had the focus has it again, found by its `data-keep`.
 * @param {HTMLElement} host
 * @param {() => void} draw
 */
export function keepingFocus(host, draw) {
  const active = document.activeElement;
  const kept = active instanceof HTMLElement && host.contains(active) ? active.dataset.keep : null;
  draw();
  if (!kept) return;
  const again = host.querySelector(`[data-keep="${CSS.escape(kept)}"]`);
  if (again instanceof HTMLElement && again !== document.activeElement) {
    again.focus({ preventScroll: true });
  }
}

/**
 * Who works with keys is led on when what had the focus is gone: the button of what was done, an answered card.
 * @param {import("./table.js").Table} table
 */
export function keepPlace(table) {
  const { hand, selection, state } = table;
  let keyed = false;
  let looking = 0;
  addEventListener("pointerdown", () => (keyed = false), true);
  const lost = () => !document.activeElement || document.activeElement === document.body;
  const look = () => {
    if (keyed && lost() && !hand.sending && !selection.loading) table.toPanel();
  };
  // A browser takes the focus from a button that is switched off, or gone, only with its next picture or the one after.
  const later = (pictures = 3) => {
    cancelAnimationFrame(looking);
    looking = requestAnimationFrame(() => (pictures > 1 ? later(pictures - 1) : look()));
  };
  addEventListener("keydown", ({ key }) => {
    keyed = true;
    // Tab may lead out of the page.
    if (key !== "Tab" && !lost()) later();
  }, true);
  for (const part of [state, hand, selection]) for (const name of ["change", "draft", "controls"]) part.addEventListener(name, () => later());
}

/**
 * Let a press of the mouse count though the button was drawn anew before it was let go, which is no click to a browser.
 * @param {Document} page
 */
export function keepPresses(page) {
  const keeper = (/** @type {Event} */ { target }) =>
    target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("button[data-keep]")) : null;
  /** @type {HTMLElement | null} */
  let pressed = null;
  page.addEventListener("mousedown", (event) => (pressed = keeper(event)), true);
  page.addEventListener("mouseup", (event) => {
    const again = keeper(event);
    if (pressed && !pressed.isConnected && again?.dataset.keep === pressed.dataset.keep) again?.click();
    pressed = null;
  }, true);
}

/**
 * Bring an element of the panel into sight: the panel scrolls, never the page.
 * @param {HTMLElement} element
 * @param {"start" | "nearest"} [block]
 * @param {number} [foot] pixels that lie over the lower end of the panel
 */
export function reveal(element, block = "nearest", foot = 0) {
  const pane = element.closest(".panel-body");
  if (!pane) return;
  const [inner, outer] = [element.getBoundingClientRect(), pane.getBoundingClientRect()];
  const [above, below] = [inner.top - outer.top, inner.bottom - outer.bottom + foot];
  if (block === "start" || above < 0 || inner.height > outer.height) pane.scrollTop += above;
  else if (below > 0) pane.scrollTop += below;
}
