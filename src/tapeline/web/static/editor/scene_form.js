// @ts-check
// What holds for the whole scene: its name, the table, the sides, readings, where the game stands.

import { fill, h } from "../lib/dom.js";
import { gameForm, gameParts } from "./game_form.js";
import { puzzleForm, puzzleParts } from "./puzzle_form.js";

/** @typedef {import("./thing_form.js").Desk} Desk */

/** How sides set up. @type {[string, string][]} */
const ORDERS = [
  ["", "No: they stand here"],
  ["together", "All at once"],
  ["sides", "One side, then the other"],
  ["alternate", "One at a time, in turn"],
];

/** Whether a body begins in a state. @param {import("./scene.js").Entry} body */
function given(body) {
  return Object.keys(body.state ?? {}).length > 0;
}

export class SceneForm {
  /** @param {HTMLElement} root @param {Omit<Desk, "system"> & {system: () => Desk["system"]}} desk */
  constructor(root, desk) {
    this.root = root;
    this.desk = desk;
    this.made = "";
  }

  /** @param {boolean} [anew] */
  show(anew = false) {
    const { draft, fields } = this.desk;
    const { scene } = draft;
    const wanted = JSON.stringify([
      scene.system,
      scene.sides.map((side) => [side.id, side.name]),
      Object.keys(scene.turn.progress ?? {}),
      scene.models.some((model) => given(model)) || scene.units.some((unit) => given(unit)),
      gameParts(scene),
      scene.deployment?.order,
      puzzleParts(scene),
    ]);
    if (!anew && wanted === this.made) {
      fields.refresh();
      return;
    }
    const held = this.root.contains(document.activeElement)
      ? document.activeElement?.closest("[data-path]")?.getAttribute("data-path")
      : null;
    this.made = wanted;
    fields.clear();
    fill(this.root, ...this.content());
    if (!held) return;
    const again = this.root.querySelector(`[data-path="${CSS.escape(held)}"] :is(input, select)`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  content() {
    const { draft, fields, deeds } = this.desk;
    const system = this.desk.system();
    const { scene } = draft;
    const unit = scene.table.unit;
    const sides = scene.sides.map(
      (side) => /** @type {[string, string]} */ ([side.id, side.name || side.id]),
    );
    const first = scene.sides[0]?.id ?? "";
    const progress = Object.keys(scene.turn.progress ?? {}).length;
    return [
      h("p", { class: "hint", text: `${system.title}, lengths in ${unit === "in" ? "inches" : "centimetres"}.` }),
      fields.text("Name of the scene", "name"),
      h(
        "fieldset",
        { class: "pair" },
        h("legend", { text: "Table" }),
        fields.number("Width", "table.width", { min: 1, max: 1000, step: 1, unit, short: true }),
        fields.number("Depth", "table.depth", { min: 1, max: 1000, step: 1, unit, short: true }),
      ),
      h("h3", { text: "Sides" }),
      scene.sides.map((_, index) =>
        h(
          "fieldset",
          { class: `pair side side-${index % 8}` },
          h("legend", { text: `Side ${index + 1}` }),
          fields.text("Name", `sides[${index}].name`),
          fields.text("Id", `sides[${index}].id`, { most: 64, take: (id) => deeds.renameSide(index, id) }),
        ),
      ),
      h("h3", { text: "Where the game stands" }),
      fields.number("Round", "turn.round", { min: 1, max: 1000, whole: true, short: true, usual: 1 }),
      system.phases.length > 1
        ? fields.choice(
            "Phase",
            "turn.phase",
            system.phases.map((phase) => [phase, phase.replaceAll("_", " ")]),
            { otherwise: system.phases[0] },
          )
        : null,
      fields.choice("Whose turn it is", "turn.active", sides, { otherwise: first }),
      progress
        ? h(
            "p",
            { class: "says" },
            `The scene was saved in the middle of a turn: ${progress} things are remembered. `,
            h("button", {
              type: "button",
              text: "Begin the turn afresh",
              onclick: () => draft.change("begin the turn afresh", (found) => delete found.turn.progress),
            }),
          )
        : null,
      [...scene.models, ...scene.units].some(given)
        ? h(
            "p",
            { class: "says" },
            "Some begin with a state of their own, such as having moved. ",
            h("button", {
              type: "button",
              text: "Everybody begins afresh",
              onclick: () =>
                draft.change("everybody afresh", (found) => {
                  for (const body of [...found.models, ...found.units]) delete body.state;
                }),
            }),
          )
        : null,
      ...gameForm(this.desk),
      h("h3", { text: "Set-up before the game" }),
      fields.choice("Sides set up", "deployment.order", ORDERS, {
        otherwise: "",
        says: "Who has a zone begins with all in a tray, and sets up in it.",
        take: (order) =>
          draft.change("set-up", (found) => {
            if (order) found.deployment = { order };
            else delete found.deployment;
          }),
      }),
      scene.deployment?.order === "together" ? fields.flag("Hidden until all are ready", "deployment.hidden") : null,
      ...puzzleForm(this.desk),
      system.readings.length ? h("h3", { text: "How the rules are read" }) : null,
      system.readings.map((reading) => {
        const values = Object.entries(reading.values);
        return fields.choice(
          reading.question,
          `options.${reading.name}`,
          values.map(([value, words], index) => [value, index ? words : `${words} (usual)`]),
          { otherwise: values[0][0], says: reading.clauses.join(", ") },
        );
      }),
    ];
  }
}
