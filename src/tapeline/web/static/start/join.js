// @ts-check
// Join a match by a pasted link. Its secret is in the fragment, which no server is sent.

import { byId } from "../lib/dom.js";

const PATH = /\/t\/([\w-]+)#([\w~.+/=-]+)/;

export function joinForm() {
  const input = /** @type {HTMLInputElement} */ (byId("join-link"));
  const fault = byId("join-fault");
  const say = (/** @type {string} */ words) => {
    fault.textContent = words;
    if (words) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  input.setAttribute("aria-describedby", "join-fault");
  input.addEventListener("input", () => say(""));
  byId("join").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    const found = PATH.exec(text);
    if (!found) {
      say(
        /\/t\/[\w-]+$/.test(text)
          ? "The end of the link is missing: it has a # and letters after that."
          : "That is no link to a match. It looks like https://…/t/…#…",
      );
      input.focus();
      return;
    }
    const here = `/t/${found[1]}#${found[2]}`;
    const stranger = /^https?:/i.test(text) && new URL(text).origin !== location.origin;
    if (stranger) {
      say(`That match is on another server: open the link itself (${new URL(text).host}).`);
      return;
    }
    location.assign(here);
  });
}
