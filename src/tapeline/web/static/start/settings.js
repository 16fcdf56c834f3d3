// @ts-check
// How a match is to be played: which game, on how many devices, who rolls. Kept in this browser.

import { h } from "../lib/dom.js";
import { get, put } from "../lib/store.js";
import { players, programOf } from "../table/opponent.js";

/** @typedef {import("../lib/documents.js").System} System */

const MODES = /** @type {const} */ ([
  ["hotseat", "One device", "All sides are moved here."],
  ["links", "Two people, by link", "Each side has a secret link; another is for onlookers."],
]);
const CLOCKS = /** @type {const} */ ([
  ["0", "None", ""],
  ["30", "30 min", "Half an hour a side, and 15 s each time it has acted."],
  ["60", "60 min", "An hour a side, and 15 s each time it has acted."],
  ["120", "2 h", "Two hours a side, and 15 s each time it has acted."],
]);
const PROGRAM_SAYS = "A program that whoever runs this server has named.";
/** Seconds that a side gets each time it has acted. */
const INCREMENT = 15;
const DICE = /** @type {const} */ ([
  ["server", "Rolled here", "The server rolls where everyone sees it."],
  ["typed", "Real dice", "You roll your own and type them in."],
]);

/** Events: "system" when another game was picked; "players" when other ones, or another opponent. */
export class Settings extends EventTarget {
  /** @param {HTMLElement} form */
  constructor(form) {
    super();
    this.form = form;
    form.addEventListener("submit", (event) => event.preventDefault());
    this.system = get("start-system", "");
    this.mode = /** @type {"hotseat" | "links"} */ (get("start-mode", "hotseat"));
    this.dice = /** @type {"server" | "typed"} */ (get("start-dice", "server"));
    /** Who plays against a person that plays alone, as in `players`. */
    this.against = get("start-against", "steady");
    this.minutes = Number(get("start-clock", 0)) || 0;
    this.enforce = false;
  }

  /** The clock for two by links, if one is wanted. */
  get clock() {
    return this.mode === "links" && this.minutes ? { minutes: this.minutes, increment: INCREMENT, enforce: this.enforce } : null;
  }

  /** The opponent in words. */
  get opponent() {
    return programOf(this.against) || "the computer";
  }

  /** Show the choices. @param {System[]} systems @param {string[]} programs that the server knows */
  systems(systems, programs) {
    const against = players(programs);
    if (!against.some(([value]) => value === this.against)) this.against = "steady";
    if (!systems.some((system) => system.name === this.system)) this.system = systems[0]?.name ?? "";
    const games = systems.map((system) => /** @type {const} */ ([system.name, system.title, ""]));
    const clock = choice("clock", "Clock", CLOCKS, String(this.minutes), (value) => {
      this.minutes = Number(value);
      put("start-clock", this.minutes);
    });
    const ends = h("input", { type: "checkbox", onchange: () => (this.enforce = ends.checked) });
    clock.append(h("label", { class: "choice-says" }, ends, " Who runs out loses"));
    clock.hidden = this.mode !== "links";
    this.form.replaceChildren(
      choice("system", "Game", games, this.system, (value) => {
        this.system = value;
        put("start-system", value);
        this.dispatchEvent(new CustomEvent("system", { detail: value }));
      }),
      choice("mode", "Players", MODES, this.mode, (value) => {
        this.mode = value === "links" ? "links" : "hotseat";
        put("start-mode", this.mode);
        clock.hidden = this.mode !== "links";
        this.dispatchEvent(new Event("players"));
      }),
      choice("dice", "Dice", DICE, this.dice, (value) => {
        this.dice = value === "typed" ? "typed" : "server";
        put("start-dice", this.dice);
      }),
      clock,
      choice(
        "against",
        "Playing alone, against",
        against.map(([value, text]) => /** @type {const} */ ([value, text, programOf(value) && PROGRAM_SAYS])),
        this.against,
        (value) => {
          this.against = value;
          put("start-against", value);
          this.dispatchEvent(new Event("players"));
        },
      ),
    );
  }
}

/**
 * A row of radio buttons that look like one switch, with words on what is chosen.
 * @param {string} name
 * @param {string} title
 * @param {readonly (readonly [string, string, string])[]} options value, label, what it means
 * @param {string} chosen
 * @param {(value: string) => void} change
 */
function choice(name, title, options, chosen, change) {
  const says = h("p", { class: "choice-says" });
  const tell = (/** @type {string} */ value) => {
    says.textContent = options.find(([each]) => each === value)?.[2] ?? "";
    says.hidden = !says.textContent;
  };
  const radios = options.map(([value, label]) =>
    h(
      "label",
      { class: "segment" },
      h("input", {
        type: "radio",
        name,
        value,
        checked: value === chosen,
        onchange: () => {
          tell(value);
          change(value);
        },
      }),
      h("span", { text: label }),
    ),
  );
  tell(chosen);
  return h(
    "fieldset",
    { class: `choice choice-${name}` },
    h("legend", { text: title }),
    h("div", { class: "segments" }, radios),
    says,
  );
}
