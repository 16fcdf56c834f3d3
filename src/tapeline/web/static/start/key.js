// @ts-check
// The password or invitation that beginning a match takes on some servers; an invitation may come
// in the fragment of the address, which no server is sent.

import { byId } from "../lib/dom.js";
import { keepKey, keptKey } from "../lib/begin.js";

const INVITED = /^#invitation=([\w-]+)$/;

/** Take an invitation out of the address, and keep it. */
export function takeInvitation() {
  const found = INVITED.exec(location.hash);
  if (!found) return;
  keepKey(found[1]);
  history.replaceState(null, "", location.pathname + location.search);
}

/** Ask for what is needed. */
export function askForKey() {
  const form = byId("key");
  const input = /** @type {HTMLInputElement} */ (byId("key-text"));
  form.hidden = false;
  input.value = keptKey();
  input.addEventListener("input", () => keepKey(input.value.trim()));
  form.addEventListener("submit", (event) => event.preventDefault());
}
