// @ts-check
// Keys and what they do: one table for the page, which the help dialog lists.

/**
 * A key by name: "Enter", "Shift+ArrowLeft", "u", "?". Letters are told apart without their case
 * unless Shift is named.
 * @typedef {{keys: string[], says: string, group?: string, when?: () => boolean,
 *           run: (event: KeyboardEvent) => void}} Binding
 */

/** Bindings of a page. */
export class Keys {
  constructor() {
    /** @type {Binding[]} */
    this.bindings = [];
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {...Binding} bindings */
  add(...bindings) {
    this.bindings.push(...bindings);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (isWriting(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const name = keyName(event);
    const found = this.bindings.find((b) => b.keys.includes(name) && (!b.when || b.when()));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  }
}

/**
 * The name of a pressed key as bindings write it.
 * @param {KeyboardEvent} event
 */
function keyName(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = /^[a-z]$/.test(key) || event.key.length > 1;
  return `${event.altKey ? "Alt+" : ""}${event.shiftKey && letter ? "Shift+" : ""}${key}`;
}

/**
 * Whether keys belong to a field that is being written in.
 * @param {EventTarget | null} target
 */
export function isWriting(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !["button", "checkbox", "radio", "range", "submit", "reset", "file"].includes(target.type);
}
