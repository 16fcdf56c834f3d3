// @ts-check
// Begins a match and leads into it: at once on one device, by a list of links for two people.

import { beginMatch, loopback } from "../lib/begin.js";
import { fill, h } from "../lib/dom.js";
import { put, remember } from "../lib/store.js";
import { keptAs } from "../table/opponent.js";

/** @typedef {import("../lib/documents.js").Created} Created */
/** @typedef {import("../lib/documents.js").Link} Link */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {{example?: string, scene?: Record<string, unknown>, log?: string}} From */

export class Begin {
  /**
   * @param {Settings} settings
   * @param {(error: unknown) => void} trouble
   */
  constructor(settings, trouble) {
    this.settings = settings;
    this.trouble = trouble;
    this.busy = false;
    this.box = h("dialog", { class: "links-box", "aria-labelledby": "links-title" });
    document.body.append(this.box);
  }

  /**
   * @param {From} from
   * @param {{title: string, system: string}} what
   * @param {HTMLElement} [button] that was pressed: it says that something is under way
   * @param {{mode: "hotseat" | "links", dice: "server" | "typed", clock?: import("../lib/documents.js").ClockSetting | null}} [how] as the settings say, if left out
   * @param {string} [level] of the table, or a program, where they play the last side
   */
  async begin(from, what, button, how = this.settings, level = "") {
    if (this.busy) return;
    this.busy = true;
    this.trouble(null);
    const words = button?.textContent ?? "";
    if (button) {
      button.textContent = "Setting up \u2026";
      button.setAttribute("aria-busy", "true");
    }
    const { mode, dice, clock } = how;
    try {
      /** @type {Created} */
      const made = await beginMatch({ ...from, mode, dice, clock });
      this.keep(made, what, mode);
      if (level) put(keptAs(made.id), { "*": level });
      if (mode === "hotseat") location.assign(made.links[0].path);
      else this.links(made.links, what.title);
    } catch (error) {
      this.trouble(error);
    } finally {
      this.busy = false;
      if (button) {
        button.textContent = words;
        button.removeAttribute("aria-busy");
      }
    }
  }

  /**
   * Play a scene against the opponent that is chosen.
   * @param {import("../lib/documents.js").Example} example
   * @param {HTMLElement} button
   */
  against(example, button) {
    const what = { title: example.title, system: example.system };
    const how = /** @type {const} */ ({ mode: "hotseat", dice: this.settings.dice });
    this.begin({ example: example.name }, what, button, how, this.settings.against);
  }

  /**
   * @param {Created} made
   * @param {{title: string, system: string}} what
   * @param {string} mode
   */
  keep(made, what, mode) {
    const links = made.links.map(({ name, role, path }) => ({ name, role, path }));
    const [{ path, role, name }] = made.links;
    remember({ id: made.id, path, role, name, mode, links, seen: made.commitment, ...what });
  }

  /** @param {Link[]} links @param {string} title */
  links(links, title) {
    const list = h(
      "ul",
      { class: "links" },
      links.map((link) => linkRow(link)),
    );
    fill(
      this.box,
      h("h2", { id: "links-title", text: `${title}: the links` }),
      h("p", {
        text: "Open the link of your own side, and send the other player theirs. Whoever has the link of a side moves it.",
      }),
      loopback(),
      list,
      h("p", { class: "note", text: "They are kept in this browser, under recent matches." }),
      h(
        "div",
        { class: "dialog-ends" },
        h("button", { type: "button", text: "Close", onclick: () => this.box.close() }),
      ),
    );
    this.box.showModal();
    /** @type {HTMLElement | null} */ (list.querySelector("a"))?.focus();
  }
}

/** A link with what it is for, to open and to copy. @param {{name: string, role: string, path: string}} link */
export function linkRow(link) {
  const words = link.role === "watch" ? "For onlookers" : `For ${link.name}`;
  const url = new URL(link.path, location.origin).href;
  const field = h("input", { type: "text", readonly: true, value: url, "aria-label": `Link: ${words}` });
  field.addEventListener("focus", () => field.select());
  const copy = h("button", { type: "button", text: "Copy", "aria-label": `Copy the link: ${words}` });
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(url);
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 2000);
    } catch {
      // Without leave to the clipboard it is copied by hand.
      field.focus();
    }
  });
  return h(
    "li",
    {},
    h("b", { text: words }),
    h("a", { class: "button", href: link.path, text: "Open", "aria-label": `Open: ${words}` }),
    copy,
    field,
  );
}
