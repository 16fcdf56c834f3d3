// @ts-check
// The puzzle of a scene: its task, what must hold at last, and limits. The server checks and judges it.

import { h } from "../lib/dom.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {Omit<import("./thing_form.js").Desk, "system">} Desk */
/** @typedef {Record<string, any> & {kind: string, who: string[]}} Condition */

/** What a condition may be, in words, with the other keys that it has. @type {[string, string, string[]][]} */
const KINDS = [
  ["within", "are within a distance of", ["of", "distance"]],
  ["beyond", "are farther away than", ["of", "distance"]],
  ["contact", "touch", ["of"]],
  ["inside", "lie wholly within a zone", ["zone"]],
  ["seen", "are seen by", ["by"]],
  ["unseen", "are not seen by", ["by"]],
  ["gone", "have left the table", []],
];

/** @param {Scene} scene */
function puzzleOf(scene) {
  return /** @type {{goals: Condition[]} | undefined} */ (/** @type {any} */ (scene).puzzle);
}

/** What decides which fields there are. @param {Scene} scene */
export function puzzleParts(scene) {
  const zones = scene.zones.map((zone) => [zone.id, zone.name]);
  return puzzleOf(scene)?.goals.map((goal) => [goal.kind, zones]) ?? null;
}

/** @param {Scene} scene @param {string} kind @param {string[]} [who] @returns {Condition} */
function condition(scene, kind, who) {
  const [side] = scene.sides;
  const bodies = [...scene.units, ...scene.models];
  const first = bodies.find((body) => body.side === side?.id)?.id ?? "";
  const other = bodies.find((body) => body.side !== side?.id)?.id ?? "";
  /** @type {Record<string, any>} */
  const usual = { of: [other], by: [other], zone: scene.zones[0]?.id ?? "", distance: 8 };
  const keys = KINDS.find(([name]) => name === kind)?.[2] ?? [];
  return { kind, who: who ?? [first], ...Object.fromEntries(keys.map((key) => [key, usual[key]])) };
}

/** @param {Desk} desk @returns {(HTMLElement | null)[]} */
export function puzzleForm({ draft, fields }) {
  const { scene } = draft;
  const puzzle = puzzleOf(scene);
  const change = (/** @type {string} */ says, /** @type {(found: any) => void} */ does) => draft.change(says, does);
  if (!puzzle) {
    const make = () =>
      change("make a puzzle", (found) => {
        const side = found.sides[0]?.id ?? "";
        const goals = [condition(found, "within")];
        found.puzzle = { format: "tapeline-puzzle/1", side, task: "Say here what is to be done.", goals };
      });
    return [
      h("h3", { text: "Puzzle" }),
      h("p", { class: "says" }, "A task for one side, which the referee judges. ", h("button", { type: "button", text: "Make it a puzzle", onclick: make })),
    ];
  }
  const sides = scene.sides.map((side) => /** @type {[string, string]} */ ([side.id, side.name || side.id]));
  return [
    h("h3", { text: "Puzzle" }),
    fields.text("Task", "puzzle.task", { most: 400, empty: false }),
    fields.text("Hint", "puzzle.hint", { most: 400 }),
    fields.choice("Whose task", "puzzle.side", sides),
    fields.number("How hard, 1 to 3", "puzzle.level", { min: 1, max: 3, whole: true, short: true, usual: 1 }),
    fields.number("Moves at most", "puzzle.moves", { min: 1, max: 50, whole: true, short: true, usual: null }),
    fields.number("Every die shows", "puzzle.die", { min: 1, max: 6, whole: true, short: true, usual: 3 }),
    fields.flag("Within this turn", "puzzle.turn"),
    h("p", { class: "says", text: "At last all of these hold. Models and units are named by their ids." }),
    ...puzzle.goals.map((goal, index) => goalForm({ draft, fields }, goal, index)),
    h(
      "div",
      { class: "ends" },
      h("button", { type: "button", text: "Add a condition", onclick: () => change("add a condition", (found) => found.puzzle.goals.push(condition(found, "within"))) }),
      h("button", { type: "button", class: "quiet", text: "No puzzle", onclick: () => change("no puzzle", (found) => delete found.puzzle) }),
    ),
  ];
}

/** @param {Pick<Desk, "draft" | "fields">} desk @param {Condition} goal @param {number} index */
function goalForm({ draft, fields }, goal, index) {
  const path = `puzzle.goals[${index}]`;
  const known = KINDS.find(([name]) => name === goal.kind);
  const take = (/** @type {string} */ key) => (/** @type {string} */ text) =>
    draft.change("name who", (/** @type {any} */ found) => (found.puzzle.goals[index][key] = text.split(/[\s,]+/).filter(Boolean)));
  const names = (/** @type {string} */ label, /** @type {string} */ key) => fields.text(label, `${path}.${key}`, { most: 400, take: take(key) });
  const zones = draft.scene.zones.map((zone) => /** @type {[string, string]} */ ([zone.id, zone.name || zone.id]));
  const other = known?.[2].find((key) => key === "of" || key === "by");
  return h(
    "fieldset",
    { dataset: { path } },
    h("legend", { text: `Condition ${index + 1}` }),
    names("Who", "who"),
    fields.choice("must", `${path}.kind`, KINDS.map(([kind, words]) => [kind, words]), {
      take: (kind) => draft.change("another condition", (/** @type {any} */ found) => (found.puzzle.goals[index] = condition(found, kind, found.puzzle.goals[index].who))),
    }),
    known?.[2].includes("distance") ? fields.number("Distance", `${path}.distance`, { min: 0, max: 1000, short: true, unit: draft.scene.table.unit }) : null,
    other ? names("of whom", other) : null,
    known?.[2].includes("zone") ? fields.choice("Zone", `${path}.zone`, zones) : null,
    h("button", {
      type: "button",
      class: "quiet",
      text: "Take it away",
      disabled: puzzleOf(draft.scene)?.goals.length === 1,
      onclick: () => draft.change("take a condition away", (/** @type {any} */ found) => found.puzzle.goals.splice(index, 1)),
    }),
  );
}
