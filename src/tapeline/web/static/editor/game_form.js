// @ts-check
// What is played for: how many rounds, and goals with their points. The server checks and counts them.

import { h } from "../lib/dom.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {Omit<import("./thing_form.js").Desk, "system">} Desk */
/** @typedef {Record<string, any> & {id: string, kind: string}} Goal */

/** What a goal may be, in words, with the other keys that it has; "any": it may be every side's. @type {[string, string, string[]][]} */
const KINDS = [
  ["hold", "hold a zone", ["any", "zone", "each"]],
  ["reach", "get to a zone", ["zone", "who"]],
  ["leave", "get to an edge of the table", ["edge", "within", "who"]],
  ["carry", "have a marker", ["any", "at", "bring", "each"]],
  ["strike", "strike down", ["targets"]],
  ["last", "last for some rounds", ["round", "least", "who"]],
];

const MARKER = "The marker";

/** @param {Scene} scene @returns {{rounds: number, goals: Goal[]} | undefined} */
function gameOf(scene) {
  return /** @type {any} */ (scene).game;
}

/** What decides which fields there are. @param {Scene} scene */
export function gameParts(scene) {
  const zones = scene.zones.map((zone) => [zone.id, zone.name]);
  const bodies = bodiesOf(scene).map(({ id, name, side }) => [id, name, side]);
  const known = new Set(bodies.map(([id]) => id));
  const unknown = (/** @type {Goal} */ { who, targets }) => (who ?? targets ?? []).filter((/** @type {string} */ id) => !known.has(id));
  return gameOf(scene)?.goals.map((goal) => [goal.id, goal.kind, goal.side, goal.zone === undefined, zones, bodies, unknown(goal)]) ?? null;
}

/** @param {Scene} scene @returns {import("./scene.js").Entry[]} */
const bodiesOf = ({ units, models }) => [...units, ...models];

/** Another id wherever a goal names it. keys: where goals name such things. @param {Scene} scene @param {string[]} keys @param {string} before @param {string} after */
export function renameInGoals(scene, keys, before, after) {
  for (const goal of gameOf(scene)?.goals ?? []) {
    for (const key of keys) {
      if (goal[key] === before) goal[key] = after;
      else if (Array.isArray(goal[key])) goal[key] = goal[key].map((/** @type {any} */ id) => (id === before ? after : id));
    }
  }
}

/** @param {Goal[]} goals */
function freeId(goals) {
  for (let n = goals.length + 1; ; n += 1) if (!goals.some((goal) => goal.id === `goal-${n}`)) return `goal-${n}`;
}

/** A goal of a kind, with what an earlier one has of it. @param {Scene} scene @param {string} kind @param {Goal[]} goals @param {Goal} [from] @returns {Goal} */
function goalOf(scene, kind, goals, from) {
  const keys = KINDS.find(([name]) => name === kind)?.[2] ?? [];
  const side = from?.side ?? scene.sides[0]?.id ?? "";
  // What is fetched is spoken of, and labelled on the board, by a name.
  const name = (from?.name !== MARKER && from?.name) || (keys.includes("at") && MARKER);
  /** @type {Record<string, any>} */
  const usual = { zone: (scene.zones.find((zone) => !zone.side) ?? scene.zones[0])?.id ?? "", edge: "north", at: [scene.table.width / 2, scene.table.depth / 2], round: gameOf(scene)?.rounds ?? 4 };
  return {
    id: from?.id ?? freeId(goals),
    kind,
    ...(name && { name }),
    ...(from?.points && { points: from.points }),
    ...(keys.includes("any") && !from?.side ? {} : { side }),
    ...Object.fromEntries(Object.keys(usual).filter((key) => keys.includes(key)).map((key) => [key, usual[key]])),
  };
}

/** @param {Desk} desk @returns {(HTMLElement | null)[]} */
export function gameForm({ draft, fields }) {
  const { scene } = draft;
  const game = gameOf(scene);
  const change = (/** @type {string} */ says, /** @type {(found: any) => void} */ does) => draft.change(says, does);
  const usual = (/** @type {Scene} */ found, /** @type {Goal[]} */ goals) => goalOf(found, found.zones.length ? "hold" : "strike", goals);
  if (!game) {
    const make = () => change("say what is played for", (found) => (found.game = { rounds: 4, goals: [usual(found, [])] }));
    return [
      h("h3", { text: "What is played for" }),
      h("p", { class: "says" }, "Goals with points, a last round and a winner. ", h("button", { type: "button", text: "Set goals", onclick: make })),
    ];
  }
  return [
    h("h3", { text: "What is played for" }),
    fields.number("Rounds", "game.rounds", { min: 1, max: 1000, whole: true, short: true }),
    ...game.goals.map((goal, index) => goalForm({ draft, fields }, goal, index)),
    h(
      "div",
      { class: "ends" },
      h("button", { type: "button", text: "Add a goal", onclick: () => change("add a goal", (found) => found.game.goals.push(usual(found, found.game.goals))) }),
      h("button", { type: "button", class: "quiet", text: "No goals", onclick: () => change("no goals", (found) => delete found.game) }),
    ),
  ];
}

/** @param {Pick<Desk, "draft" | "fields">} desk @param {Goal} goal @param {number} index */
function goalForm({ draft, fields }, goal, index) {
  const { scene } = draft;
  const path = `game.goals[${index}]`;
  const keys = KINDS.find(([name]) => name === goal.kind)?.[2] ?? [];
  const has = (/** @type {string} */ key) => keys.includes(key);
  const change = (/** @type {string} */ says, /** @type {(goals: Goal[], found: any) => void} */ does) =>
    draft.change(says, (/** @type {any} */ found) => does(found.game.goals, found));
  const named = (/** @type {Iterable<import("./scene.js").Entry>} */ list) =>
    [...list].map((one) => /** @type {[string, string]} */ ([one.id, one.name || one.id]));
  const sides = scene.sides.map((side) => /** @type {[string, string]} */ ([side.id, side.name || side.id]));
  const zones = named(scene.zones);
  const among = (/** @type {string} */ label, /** @type {string} */ key, /** @type {(side: string) => boolean} */ may) => {
    const given = /** @type {string[]} */ (goal[key] ?? []);
    const inside = new Set(scene.units.flatMap((unit) => unit.members ?? []));
    const shown = bodiesOf(scene).filter(({ id, side }) => given.includes(id) || (may(side ?? "") && !inside.has(id)));
    const unknown = given.filter((id) => !shown.some((one) => one.id === id)).map((id) => ({ id, name: `${id} (unknown)` }));
    return h(
      "details",
      { class: "traits", open: given.length > 0, dataset: { path: `${path}.${key}` } },
      h("summary", { text: label }),
      named([...shown, ...unknown]).map(([id, words]) => fields.member(id, `${path}.${key}`, words)),
    );
  };
  const length = { min: 0, max: 1000, short: true, unit: scene.table.unit };
  const count = { min: 1, max: 1000, whole: true, short: true };
  return h(
    "fieldset",
    { dataset: { path } },
    h("legend", { text: `Goal ${index + 1}` }),
    fields.choice("Whose", `${path}.side`, has("any") ? [["", "either side's"], ...sides] : sides, { otherwise: has("any") ? "" : undefined }),
    fields.choice("To", `${path}.kind`, KINDS.map(([kind, words]) => [kind, words]), {
      take: (kind) => change("another goal", (goals, found) => (goals[index] = goalOf(found, kind, goals, goals[index]))),
    }),
    has("zone") ? fields.choice("Zone", `${path}.zone`, zones) : null,
    has("edge") ? fields.choice("Edge", `${path}.edge`, ["north", "east", "south", "west"].map((edge) => [edge, edge])) : null,
    has("within") ? fields.number("Within", `${path}.within`, { ...length, usual: 2 }) : null,
    has("at") ? fields.place("Where it lies", `${path}.at`) : null,
    has("bring") ? fields.choice("Bring it to", `${path}.zone`, [["", "nowhere: keep it"], ...zones], { otherwise: "" }) : null,
    has("each") && !(has("bring") && goal.zone)
      ? fields.choice("Points", `${path}.each`, [["round", "each round"], ["end", "at the end"]], { otherwise: has("bring") ? "end" : "round" })
      : null,
    has("round") ? fields.number("To the end of round", `${path}.round`, count) : null,
    has("least") ? fields.number("At least so many left", `${path}.least`, { ...count, usual: 1 }) : null,
    has("who") ? among("Who: all of the side, or only those ticked", "who", (side) => side === goal.side) : null,
    has("targets") ? among("Whom: every enemy, or only those ticked", "targets", (side) => side !== goal.side) : null,
    fields.number("Points for it", `${path}.points`, { ...count, usual: 1 }),
    fields.text("Name", `${path}.name`),
    h("button", {
      type: "button",
      class: "quiet",
      text: "Take it away",
      disabled: gameOf(scene)?.goals.length === 1,
      onclick: () => change("take a goal away", (goals) => goals.splice(index, 1)),
    }),
  );
}
