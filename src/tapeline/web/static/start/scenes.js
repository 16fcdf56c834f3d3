// @ts-check
// The scenes of the picked game as cards, each with a small live picture of its board.

import { BoardView } from "../board/board.js";
import { call } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";

/** @typedef {import("../lib/documents.js").Checked} Checked */
/** @typedef {import("../lib/documents.js").Example} Example */
/** @typedef {import("../lib/documents.js").System} System */
/** @typedef {import("./begin.js").Begin} Begin */
/** @typedef {import("./settings.js").Settings} Settings */

/** The buttons of a card that begin its game for one, if it has goals, and as is chosen.
 * @typedef {{against: HTMLButtonElement | null, play: HTMLButtonElement}} Ways */

export class Scenes {
  /**
   * @param {HTMLElement} place
   * @param {System[]} systems
   * @param {Example[]} examples
   * @param {Settings} settings
   * @param {Begin} begin
   */
  constructor(place, systems, examples, settings, begin) {
    this.place = place;
    this.systems = systems;
    this.examples = examples;
    this.settings = settings;
    this.begin = begin;
    /** @type {Map<string, HTMLElement>} */
    this.cards = new Map();
    /** @type {Ways[]} */
    this.ways = [];
    this.seen = new IntersectionObserver((entries) => this.draw(entries), { rootMargin: "200px" });
    settings.addEventListener("system", () => this.show());
    settings.addEventListener("players", () => {
      for (const ways of this.ways) this.named(ways);
    });
    this.show();
  }

  show() {
    const system = this.systems.find((each) => each.name === this.settings.system);
    this.seen.disconnect();
    this.place.removeAttribute("aria-busy");
    if (!system) {
      fill(this.place, h("p", { text: "This server knows no rule system." }));
      return;
    }
    const scenes = this.examples.filter((example) => example.system === system.name);
    fill(
      this.place,
      scenes.map((example) => this.kept(example, system)),
      blankCard(system),
    );
    for (const preview of this.place.querySelectorAll("[data-example]:empty")) {
      this.seen.observe(preview);
    }
  }

  /** The way that is chosen comes first to the eye. @param {Ways} ways */
  named({ against, play }) {
    const byLink = this.settings.mode === "links";
    if (against) against.textContent = `Play against ${this.settings.opponent}`;
    against?.classList.toggle("primary", !byLink);
    play.textContent = byLink ? "Play by link" : "Play";
    play.classList.toggle("primary", byLink || !against);
  }

  /** A card is made once, so that its picture is drawn once. @param {Example} example @param {System} system */
  kept(example, system) {
    const card = this.cards.get(example.name) ?? this.card(example, system);
    this.cards.set(example.name, card);
    return card;
  }

  /** @param {Example} example @param {System} system */
  card(example, system) {
    const id = `scene-${example.name}`;
    const play = h("button", { type: "button", "aria-describedby": id });
    const against = example.game ? h("button", { type: "button", "aria-describedby": id }) : null;
    against?.addEventListener("click", () => this.begin.against(example, against));
    this.ways.push({ against, play });
    this.named({ against, play });
    play.addEventListener("click", () =>
      this.begin.begin({ example: example.name }, { title: example.title, system: system.name }, play),
    );
    const sides = Object.entries(example.counts).map(([name, count]) => `${name} ${count}`);
    const size = `${example.width} \u00d7 ${example.depth} ${example.unit}`;
    return h(
      "article",
      { class: "card" },
      h("div", { class: "preview", dataset: { example: example.name, title: example.title } }),
      h("h3", { id, text: example.title }),
      h("p", { class: "card-sides", text: sides.join(" · ") }),
      h("p", { class: "card-says", text: `${size}. ${example.says}` }),
      h(
        "div",
        { class: "card-ends" },
        against,
        play,
        h("a", {
          class: "button quiet",
          href: `/edit?example=${encodeURIComponent(example.name)}`,
          text: "Change it",
          "aria-label": `Change it in the editor: ${example.title}`,
        }),
      ),
    );
  }

  /** Draw the boards that come into sight. @param {IntersectionObserverEntry[]} entries */
  async draw(entries) {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      this.seen.unobserve(target);
      const name = target.dataset.example ?? "";
      const title = target.dataset.title ?? "";
      try {
        const { board } = await boardOf(name);
        if (!board || !target.isConnected || target.firstChild) continue;
        const view = new BoardView(target, { label: `Board of ${title}`, still: true });
        view.show(board);
      } catch {
        // Without its picture a scene can be played all the same.
        target.classList.add("no-picture");
      }
    }
  }
}

/** @param {string} name of an example @returns {Promise<Checked>} */
async function boardOf(name) {
  const scene = await call(`examples/${encodeURIComponent(name)}`);
  return call("scenes/check", { body: scene });
}

/** A table with nothing on it yet. @param {System} system */
function blankCard(system) {
  return h(
    "article",
    { class: "card blank" },
    h("div", { class: "preview", "aria-hidden": "true" }),
    h("h3", { text: "A table of your own" }),
    h("p", {
      class: "card-says",
      text: "Set up terrain and models in the editor, then play or share it.",
    }),
    h(
      "div",
      { class: "card-ends" },
      h("a", {
        class: "button",
        href: `/edit?system=${encodeURIComponent(system.name)}`,
        text: "New blank table",
      }),
    ),
  );
}
