// @ts-check
// Tabs of the panel: one part is shown at a time; arrows go from tab to tab.

/**
 * The parts of a list of tabs, each button of which controls a part by its id. They can be pressed
 * once the first part is shown: before that a press would be lost.
 */
export class Tabs {
  /** @param {HTMLElement} root @param {() => void} shown a part is to be shown */
  constructor(root, shown) {
    this.root = root;
    this.shown = shown;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll("[role=tab]")]);
    for (const button of this.buttons) button.addEventListener("click", () => this.show(this.nameOf(button)));
    root.addEventListener("keydown", (event) => this.key(event));
    this.now = this.nameOf(this.buttons[0]);
    this.mark();
  }

  /** @param {HTMLElement} button */
  nameOf(button) {
    return button.getAttribute("aria-controls") ?? "";
  }

  /** @param {string} name id of the part */
  show(name) {
    this.now = name;
    for (const button of this.buttons) button.disabled = false;
    this.mark();
    this.shown();
  }

  mark() {
    for (const button of this.buttons) {
      const here = this.nameOf(button) === this.now;
      button.setAttribute("aria-selected", String(here));
      button.tabIndex = here ? 0 : -1;
      const part = document.getElementById(this.nameOf(button));
      if (part) part.hidden = !here;
    }
  }

  /** Show a part and set the keyboard on its first field. @param {string} name */
  focus(name) {
    this.show(name);
    const part = document.getElementById(name);
    const first = part?.querySelector("input, select, button");
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = this.buttons.findIndex((button) => this.nameOf(button) === this.now);
    const count = this.buttons.length;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const button = this.buttons[(next + count) % count];
    this.show(this.nameOf(button));
    button.focus();
  }
}
