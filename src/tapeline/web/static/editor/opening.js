// @ts-check
// Where a scene can come from: a blank table, an example, a file, an earlier draft, a match.

import { ApiError, MatchApi, call } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { get, recent } from "../lib/store.js";
import { earlierDrafts, readScene } from "./files.js";
import { USUAL, blank } from "./scene.js";

/** @typedef {import("../lib/documents.js").System} System */
/** @typedef {import("../lib/documents.js").Example} Example */
/** @typedef {import("./scene.js").Scene} Scene */

const SIZES = {
  in: [[24, 24], [36, 36], [48, 48], [60, 44], [72, 48]],
  cm: [[90, 90], [120, 120], [180, 120]],
};

export class Opening {
  /**
   * @param {HTMLDialogElement} box
   * @param {{systems: () => System[], open: (scene: Scene, from: string) => void}} desk
   */
  constructor(box, desk) {
    this.box = box;
    this.desk = desk;
    this.system = "";
    /** @type {Example[] | null} */
    this.examples = null;
    /** @type {HTMLElement} the examples, as drawn last */
    this.listed = h("section");
  }

  /** @param {string} [system] */
  async show(system = "") {
    // The game that was last played, where none is said.
    this.system = system || this.system || get("start-system", "");
    this.draw();
    if (!this.box.open) this.box.showModal();
    if (this.examples) return;
    try {
      this.examples = await call("examples");
      // Only these: what was typed, chosen or said meanwhile stays.
      this.listed.replaceWith(this.fromExample());
    } catch (error) {
      this.trouble(error);
    }
  }

  /** @param {unknown} error */
  trouble(error) {
    const words = error instanceof ApiError || error instanceof Error ? error.message : String(error);
    const place = this.box.querySelector(".trouble");
    if (place instanceof HTMLElement) {
      place.hidden = false;
      place.textContent = words;
    }
  }

  /** @param {Scene} scene @param {string} from */
  take(scene, from) {
    this.box.close();
    this.desk.open(scene, from);
  }

  draw() {
    const held = document.activeElement?.id;
    const systems = this.desk.systems();
    const system = this.chosen;
    fill(
      this.box,
      h("h2", { id: "opening-title", text: "Start a scene" }),
      h("p", { class: "trouble", role: "alert", hidden: true }),
      system ? this.blank(system, systems) : null,
      this.fromExample(),
      this.fromFile(),
      this.fromDrafts(),
      this.fromMatches(),
      h("div", { class: "ends" }, h("button", { type: "button", text: "Cancel", onclick: () => this.box.close() })),
    );
    if (held) document.getElementById(held)?.focus();
  }

  /** The system that is chosen; none before the server said which there are. @returns {System | undefined} */
  get chosen() {
    const systems = this.desk.systems();
    return systems.find((one) => one.name === this.system) ?? systems[0];
  }

  /** @param {System} system @param {System[]} systems */
  blank(system, systems) {
    const sizes = SIZES[system.unit];
    const wide = h("input", { id: "blank-width", type: "number", min: 1, max: 1000, step: 1, value: USUAL[system.unit][0], required: true });
    const deep = h("input", { id: "blank-depth", type: "number", min: 1, max: 1000, step: 1, value: USUAL[system.unit][1], required: true });
    const select = h(
      "select",
      { id: "blank-system", onchange: () => {
        this.system = select.value;
        this.draw();
      } },
      systems.map((one) => h("option", { value: one.name, text: one.title, selected: one.name === system.name })),
    );
    const size = (/** @type {number} */ w, /** @type {number} */ d) => () => {
      wide.value = String(w);
      deep.value = String(d);
    };
    return h(
      "form",
      {
        class: "source",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const [w, d] = [wide.valueAsNumber, deep.valueAsNumber];
          if (w > 0 && d > 0) this.take(blank(system.name, system.unit, w, d), "");
        },
      },
      h("h3", { text: "A blank table" }),
      h("div", { class: "field" }, h("label", { for: "blank-system", text: "System" }), select),
      h(
        "div",
        { class: "sizes" },
        h("div", { class: "field short" }, h("label", { for: "blank-width", text: `Width, ${system.unit}` }), wide),
        h("div", { class: "field short" }, h("label", { for: "blank-depth", text: `Depth, ${system.unit}` }), deep),
      ),
      h(
        "div",
        { class: "sizes" },
        sizes.map(([w, d]) =>
          h("button", { type: "button", text: `${w} \u00d7 ${d}`, "aria-label": `${w} by ${d} ${system.unit}`, onclick: size(w, d) }),
        ),
      ),
      h("button", { type: "submit", class: "primary", text: "Start blank" }),
    );
  }

  fromExample() {
    const system = this.chosen;
    const mine = (this.examples ?? []).filter((one) => one.system === system?.name);
    this.listed = h(
      "section",
      { class: "source" },
      h("h3", { text: `An example${system ? ` of ${system.title}` : ""}` }),
      this.examples === null ? h("p", { class: "says", text: "Asking the server\u2026" }) : null,
      h(
        "ul",
        { class: "choices" },
        mine.map((one) =>
          h(
            "li",
            {},
            h("button", {
              type: "button",
              class: "choice",
              onclick: async () => {
                try {
                  this.take(await call(`examples/${encodeURIComponent(one.name)}`), one.title);
                } catch (error) {
                  this.trouble(error);
                }
              },
            }, h("b", { text: one.title }), h("span", { text: `${one.width} \u00d7 ${one.depth} ${one.unit}. ${one.says}` })),
          ),
        ),
      ),
    );
    return this.listed;
  }

  fromFile() {
    const input = h("input", { id: "opening-file", type: "file", accept: ".json,application/json" });
    input.addEventListener("change", async () => {
      const file = input.files?.[0];
      if (!file) return;
      try {
        this.take(await readScene(file), file.name);
      } catch (error) {
        this.trouble(error);
        input.value = "";
      }
    });
    return h(
      "section",
      { class: "source" },
      h("h3", {}, h("label", { for: "opening-file", text: "A file of yours" })),
      input,
      h("p", { class: "says", text: "Or drop it on the page at any time." }),
    );
  }

  fromDrafts() {
    const kept = earlierDrafts();
    if (!kept.length) return null;
    return h(
      "section",
      { class: "source" },
      h("h3", { text: "Earlier drafts in this browser" }),
      h(
        "ul",
        { class: "choices" },
        kept.map(({ scene, at }) =>
          h("li", {}, h("button", {
            type: "button",
            class: "choice",
            onclick: () => this.take(scene, "an earlier draft"),
          }, h("b", { text: scene.name || "Without a name" }), h("span", { text: `${scene.system}, ${new Date(at).toLocaleString()}` }))),
        ),
      ),
    );
  }

  fromMatches() {
    const kept = recent().slice(0, 6);
    if (!kept.length) return null;
    return h(
      "section",
      { class: "source" },
      h("h3", { text: "The table of a match, as it stands" }),
      h(
        "ul",
        { class: "choices" },
        kept.map((match) =>
          h("li", {}, h("button", {
            type: "button",
            class: "choice",
            onclick: async () => {
              try {
                this.take(await sceneOfMatch(match.path), match.title || "a match");
              } catch (error) {
                this.trouble(error);
              }
            },
          }, h("b", { text: match.title || "A match" }), h("span", { text: `${match.system}${match.name ? `, as ${match.name}` : ""}` }))),
        ),
      ),
    );
  }
}

/**
 * The scene of a match as it stands.
 * @param {string} path of its page, the secret after #
 * @returns {Promise<Scene>}
 */
export async function sceneOfMatch(path) {
  const found = /\/t\/([^#?/]+)#(.+)$/.exec(path);
  if (!found) throw new Error("This link leads to no match.");
  return new MatchApi(decodeURIComponent(found[1]), found[2]).get("scene");
}
