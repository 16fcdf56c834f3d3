// @ts-check
// From a scene to a match: both sides here, or a link for each to be sent.

import { ApiError } from "../lib/api.js";
import { beginMatch, loopback } from "../lib/begin.js";
import { fill, h } from "../lib/dom.js";
import { put, remember } from "../lib/store.js";
import { linkRow } from "../start/begin.js";
import { keptAs } from "../table/opponent.js";
import { lean } from "./files.js";

/** @typedef {import("../lib/documents.js").Created} Created */
/** @typedef {import("../lib/documents.js").Link} Link */
/** @typedef {import("./scene.js").Scene} Scene */

export class Sharing {
  /**
   * @param {HTMLDialogElement} box
   * @param {{scene: () => Scene, sound: () => boolean | null}} desk
   */
  constructor(box, desk) {
    this.box = box;
    this.desk = desk;
  }

  show() {
    const dice = h(
      "select",
      { id: "share-dice" },
      h("option", { value: "server", text: "Rolled here" }),
      h("option", { value: "typed", text: "Real dice, typed in" }),
    );
    const begin = (/** @type {"hotseat" | "links"} */ mode, level = "") => () =>
      this.begin(mode, /** @type {"server" | "typed"} */ (dice.value), level);
    const sound = this.desk.sound();
    fill(
      this.box,
      h("h2", { id: "sharing-title", text: "Play this scene" }),
      h("p", { class: "trouble", role: "alert", hidden: sound !== false, text: "The scene has faults; a match can be started when they are gone." }),
      h("div", { class: "field" }, h("label", { for: "share-dice", text: "Dice" }), dice),
      h(
        "div",
        { class: "choices" },
        /** @type {any} */ (this.desk.scene()).game && h("button", { type: "button", class: "choice", disabled: sound === false, dataset: { does: "against" }, onclick: begin("hotseat", "steady") },
          h("b", { text: "Against the computer" }), h("span", { text: "It plays the last side, for the goals that are set." })),
        h("button", { type: "button", class: "choice", disabled: sound === false, dataset: { does: "hotseat" }, onclick: begin("hotseat") },
          h("b", { text: "Here" }), h("span", { text: "All sides are moved on this screen." })),
        h("button", { type: "button", class: "choice", disabled: sound === false, dataset: { does: "links" }, onclick: begin("links") },
          h("b", { text: "By link" }), h("span", { text: "A secret link for each side, and one for onlookers, to be sent." })),
      ),
      h("p", { class: "says", text: "The match takes a copy: what you change here later does not change it." }),
      h("div", { class: "ends" }, h("button", { type: "button", text: "Cancel", onclick: () => this.box.close() })),
    );
    this.box.showModal();
  }

  /** @param {"hotseat" | "links"} mode @param {"server" | "typed"} dice @param {string} level of the computer, where it plays the last side */
  async begin(mode, dice, level) {
    const scene = this.desk.scene();
    try {
      /** @type {Created} */
      const made = await beginMatch({ scene: lean(scene), mode, dice });
      this.keep(made, scene, mode);
      if (level) put(keptAs(made.id), { "*": level });
      if (mode === "hotseat") location.assign(made.links[0].path);
      else this.links(made.links);
    } catch (error) {
      const place = this.box.querySelector(".trouble");
      if (place instanceof HTMLElement) {
        place.hidden = false;
        place.textContent = error instanceof ApiError ? error.message : String(error);
      }
    }
  }

  /** @param {Created} made @param {Scene} scene @param {string} mode */
  keep(made, scene, mode) {
    const links = made.links.map(({ name, role, path }) => ({ name, role, path }));
    const [first] = made.links;
    remember({
      ...{ id: made.id, path: first.path, title: scene.name, system: scene.system },
      ...{ role: first.role, name: first.name, mode, links },
    });
  }

  /** @param {Link[]} links */
  links(links) {
    fill(
      this.box,
      h("h2", { id: "sharing-title", text: "The match is ready" }),
      h("p", { text: "Send each player the link of a side. Whoever has a link may do what it allows." }),
      loopback(),
      h("ul", { class: "links" }, links.map(linkRow)),
      h("div", { class: "ends" }, h("button", { type: "button", text: "Close", onclick: () => this.box.close() })),
    );
  }
}
