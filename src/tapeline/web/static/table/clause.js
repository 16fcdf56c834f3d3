// @ts-check
// Rule ids as links: pressed, they show the sentence of the clause beside them.

import { call } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";

/** @typedef {import("../lib/documents.js").Clause} Clause */

/** What the referee does about a rule. */
const STATES = /** @type {Record<string, string>} */ ({
  enforced: "The referee refuses what breaks it.",
  resolved: "The referee carries it out.",
  registered: "The players see to it.",
});

/** @type {Map<string, Promise<Clause>>} */
const known = new Map();
/** @type {HTMLElement | null} */
let sheet = null;

/** Id of the system whose clauses are meant; set once, when the match is known. */
export const book = { system: "" };

/** @param {string} id @returns {Promise<Clause>} */
export function clauseOf(id) {
  const key = `${book.system}/${id}`;
  const found = known.get(key);
  if (found) return found;
  const [system, clause] = [book.system, id].map(encodeURIComponent);
  const asked = /** @type {Promise<Clause>} */ (call(`systems/${system}/clauses/${clause}`));
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}

/** @param {string} id @returns {HTMLElement} a button that opens the clause */
export function clauseLink(id) {
  return h(
    "button",
    {
      type: "button",
      class: "clause",
      "aria-haspopup": "dialog",
      title: `Read ${id}`,
      onclick: (/** @type {MouseEvent} */ event) => {
        event.stopPropagation();
        open(id, /** @type {HTMLElement} */ (event.currentTarget));
      },
    },
    id,
  );
}

/** @param {string} id @param {HTMLElement} anchor */
async function open(id, anchor) {
  const place = (sheet ??= made());
  fill(place, h("h2", {}, id), h("p", { class: "quiet" }, "Opening the rule …"));
  place.setAttribute("aria-label", `Rule ${id}`);
  place.showPopover();
  beside(place, anchor);
  try {
    const clause = await clauseOf(id);
    fill(
      place,
      h("h2", {}, clause.id),
      h("p", {}, clause.says),
      clause.reason && h("p", { class: "quiet" }, clause.reason),
      STATES[clause.state] && h("p", { class: "quiet" }, STATES[clause.state]),
      closer(place),
    );
  } catch (error) {
    const words = error instanceof Error ? error.message : "The rule cannot be read now.";
    fill(place, h("h2", {}, id), h("p", {}, words), closer(place));
  }
  beside(place, anchor);
  place.focus();
}

/** @param {HTMLElement} place */
function closer(place) {
  return h("button", { type: "button", onclick: () => place.hidePopover() }, "Close");
}

function made() {
  const place = h("div", { class: "clause-sheet", popover: "auto", role: "dialog", tabindex: -1 });
  document.body.append(place);
  return place;
}

/** @param {HTMLElement} place @param {HTMLElement} anchor */
function beside(place, anchor) {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = place;
  const left = Math.min(Math.max(8, at.left), innerWidth - width - 8);
  const below = at.bottom + 6;
  const top = below + height > innerHeight - 8 ? Math.max(8, at.top - height - 6) : below;
  place.style.setProperty("left", `${left}px`);
  place.style.setProperty("top", `${top}px`);
}
