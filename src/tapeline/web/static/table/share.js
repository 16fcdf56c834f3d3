// @ts-check
// Links to the match: one a side and one for onlookers, to copy; settings of how lengths are shown.

import { loopback } from "../lib/begin.js";
import { fill, h } from "../lib/dom.js";
import { whose } from "./fair.js";
import { sign } from "./icons.js";
import { recent, remember } from "../lib/store.js";
import { themeButton } from "../lib/theme.js";
import { listed } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{name: string, role: string, path: string}} Known */

export class Share {
  /** @param {Table} table @param {HTMLElement} bar */
  constructor(table, bar) {
    this.table = table;
    this.box = h("dialog", { class: "share", "aria-labelledby": "share-title" });
    document.body.append(this.box);
    const theme = h("button", { type: "button", class: "sign theme-switch" }, sign("sun", "sun"), sign("moon", "moon"), sign("half", "half"));
    themeButton(theme);
    this.units = h("div", { class: "units-switch", role: "radiogroup", "aria-label": "Lengths in" });
    const menu = h(
      "div",
      { class: "bar-menu", id: "bar-menu" },
      this.units,
      theme,
      h("button", { type: "button", class: "bar-button", onclick: () => this.open() }, "Share"),
      h(
        "button",
        { type: "button", class: "bar-button", "aria-label": "Help and keys", title: "Help and keys (?)", onclick: () => table.help.open() },
        "?",
      ),
      h("button", { type: "button", class: "bar-button only-small", onclick: () => document.body.classList.toggle("with-replay") }, "Replay"),
    );
    fill(bar, opener(menu), menu);
    table.units.addEventListener("change", () => this.#switch());
    table.state.addEventListener("change", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.first) this.#first();
    });
    this.#switch();
  }

  #switch() {
    const { units } = this.table;
    fill(
      this.units,
      /** @type {const} */ (["in", "cm"]).map((unit) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            "aria-checked": String(units.shown === unit),
            "aria-label": unit === "in" ? "Inches" : "Centimetres",
            onclick: () => units.show(unit),
          },
          unit,
        ),
      ),
    );
  }

  /** The match was opened: it is remembered in this browser. */
  #first() {
    const { state } = this.table;
    const { you, copy_of: copy, mode, board } = state.now;
    this.#switch();
    if (copy) return;
    const side = you.role === "side" ? (state.party(you.sides[0])?.name ?? "") : "";
    remember({
      id: state.id,
      path: location.pathname + location.hash,
      title: board.name || board.title,
      system: board.system,
      role: you.role,
      name: side,
      mode,
    });
  }

  /** Links known in this browser: those made here, and the one in use. @returns {Known[]} */
  get links() {
    const { state } = this.table;
    const kept = recent().filter((entry) => entry.id === state.id);
    const found = kept.flatMap((entry) => entry.links ?? []);
    const own = location.pathname + location.hash;
    if (!found.some((link) => link.path === own)) {
      const { you } = state.now;
      const names = listed(you.sides.map((side) => state.party(side)?.name ?? side));
      found.unshift({ name: names, role: you.role, path: own });
    }
    return found.filter((link, n) => found.findIndex((other) => other.path === link.path) === n);
  }

  open() {
    const { state } = this.table;
    const own = location.pathname + location.hash;
    // First what is to be sent, last what is one's own.
    const links = this.links.sort((a, b) => Number(a.path === own) - Number(b.path === own));
    const others = links.length > 1;
    fill(
      this.box,
      h("h2", { id: "share-title" }, "Share this match"),
      h(
        "p",
        { class: "quiet" },
        state.now.copy_of
          ? "This is a copy to try things on; share the match itself instead."
          : others
            ? "Whoever has a link may do what it allows. Keep those of a side secret."
            : "Only the link in use is known here. The others were shown to whoever made the match.",
      ),
      loopback(),
      h(
        "ul",
        { class: "share-links" },
        links.map((link, n) => this.#row(link, link.path === own, n === 0)),
      ),
      h("p", { class: "quiet" }, `Here now: ${this.#here()}.`),
      this.#dice(),
      h("div", { class: "order-ends" }, h("button", { type: "button", onclick: () => this.box.close() }, "Close")),
    );
    this.box.showModal();
  }

  /** @param {Known} link @param {boolean} own @param {boolean} first whose button has the focus, so that no link is scrolled */
  #row(link, own, first) {
    const roles = /** @type {Record<string, string>} */ ({
      side: `plays ${link.name}`,
      both: "plays all sides",
      watch: "looks on",
    });
    const url = new URL(link.path, location.origin).href;
    const copy = h("button", { type: "button", autofocus: first }, "Copy");
    copy.setAttribute("aria-label", `Copy the link that ${roles[link.role] ?? link.role}`);
    const field = h("input", { type: "text", readonly: true, value: url, "aria-label": `Link that ${roles[link.role] ?? link.role}` });
    field.addEventListener("focus", () => field.select());
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(url);
      } catch {
        // Without leave to the clipboard: select it, so that the player can.
        field.focus();
        field.select();
        document.execCommand("copy");
      }
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 2000);
    });
    return h("li", {}, h("b", {}, `${roles[link.role] ?? link.role}${own ? " (you)" : ""}`), field, copy);
  }

  /** What the dice come from, whether it is as this browser saw it first, and how anybody can check it. */
  #dice() {
    const { state, fair } = this.table;
    const { commitment, dice, mode } = state.now;
    if (!commitment) return null;
    const rolls = dice === "typed" ? "Where the server rolls, its dice" : "The dice of the server";
    const says = `${rolls} were fixed before the first entry. The saved log (More, Save the log) holds the keys to all
      that were thrown so far; tapeline replay checks them against what was committed to.`;
    const shared = mode === "links" && dice === "server";
    const same = commitment === fair.seen;
    const all = [commitment, ...(shared ? state.commitments.map((one) => one.commitment) : [])];
    return h(
      "details",
      { class: "fixed-dice" },
      h("summary", {}, "Dice fixed beforehand"),
      h("p", { class: "quiet" }, says),
      shared && h("p", {}, `Now: ${whose(state, state.commitments.map((one) => one.side))}`),
      h("p", {}, same ? "The commitment is the one that this browser saw first." : `This browser saw another commitment first: ${fair.seen}`),
      fair.faults.map((fault) => h("p", {}, fault)),
      h("code", { class: "commitment", "aria-label": "Commitment to the dice" }, commitment),
      h("p", { class: "quiet" }, "To check a saved log:"),
      h("code", { class: "commitment" }, `tapeline replay LOG ${all.map((one) => `--commitment ${one}`).join(" ")}`),
    );
  }

  #here() {
    const { state } = this.table;
    const watching = state.present.filter((one) => one === "watch").length;
    const sides = [...new Set(state.present.filter((one) => one !== "watch"))];
    const names = sides.map((side) => state.party(side)?.name ?? side);
    if (watching) names.push(`${watching} looking on`);
    return names.length ? names.join(", ") : "nobody";
  }
}

/** The button that opens the menu where it does not stand in the bar; a press elsewhere closes it. @param {HTMLElement} menu */
function opener(menu) {
  const button = h("button", { type: "button", class: "bar-button bar-more", "aria-label": "Menu", "aria-expanded": "false", "aria-controls": menu.id }, "⋯");
  const set = (/** @type {boolean} */ open) => {
    menu.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => set(!menu.classList.contains("open")));
  document.addEventListener("click", (event) => event.target instanceof Node && !button.contains(event.target) && set(false));
  return button;
}
