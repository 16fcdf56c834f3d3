// @ts-check
// Fields of the action in hand for what a hand on the board does not give, or for keys that give it all.

import { h } from "../lib/dom.js";
import { AmountFill, PathFill } from "./fillers.js";
import { PickFill, StandsFill } from "./picking.js";
import { angle, listed, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./draft.js").Draft} Draft */

/** Most who are named one by one. */
const NAMED = 8;

/** The manner of the next leg, as a switch. @param {Table} table @param {Draft} draft */
export function manners(table, draft) {
  const { fill: filler, control } = draft;
  const list = control.manners ?? [];
  const walks = filler instanceof PathFill || filler instanceof StandsFill;
  if (!walks || list.length < 2) return null;
  const now = filler.how || list[0].how;
  return h(
    "div",
    { class: "switch", role: "radiogroup", "aria-label": "How the next leg is gone" },
    list.map((manner) =>
      h(
        "button",
        {
          type: "button",
          role: "radio",
          "aria-checked": String(manner.how === now),
          dataset: { keep: `manner-${manner.how}` },
          onclick: () => {
            filler.manner(manner.how === list[0].how ? "" : manner.how);
            if (draft.begun) draft.changed();
            else table.order.given();
          },
        },
        manner.label,
      ),
    ),
  );
}

/** The height the next leg ends at. @param {Table} table @param {Draft} draft */
export function heights(table, draft) {
  const filler = draft.fill;
  if (!(filler instanceof PathFill)) return null;
  const { units } = table;
  const at = filler.loose?.to ?? [filler.base.x, filler.base.y];
  const list = table.drag.heightsAt(at[0], at[1], filler.base.z);
  if (list.length < 2) return null;
  const now = filler.height;
  const pick = h(
    "select",
    {
      dataset: { keep: "height" },
      onchange: (/** @type {Event} */ event) => {
        const value = /** @type {HTMLSelectElement} */ (event.target).value;
        filler.level(value === "" ? null : Number(value));
        table.drag.chosenHeight = value !== "";
        if (draft.begun) draft.changed();
      },
    },
    h("option", { value: "" }, `as it stands (${units.say(filler.base.z)})`),
    list.map((z) =>
      h("option", { value: String(z), selected: now !== null && Math.abs(now - z) < 1e-6 }, units.say(z)),
    ),
  );
  return h("label", { class: "field" }, "This leg ends at height ", pick);
}

/** An angle or a length as a number. @param {Table} table @param {Draft} draft */
export function amount(table, draft) {
  const filler = draft.fill;
  if (!(filler instanceof AmountFill)) return null;
  const { units } = table;
  const turning = filler.what === "turn";
  const shown = turning ? filler.amount : units.in(filler.amount);
  const input = h("input", {
    type: "number",
    step: turning ? 1 : 0.1,
    value: String(Math.round(shown * 1e4) / 1e4),
    inputmode: "decimal",
    dataset: { keep: "amount" },
    oninput: (/** @type {Event} */ event) => {
      const value = /** @type {HTMLInputElement} */ (event.target).valueAsNumber;
      if (!Number.isFinite(value)) return;
      filler.set(turning ? value : units.from(value));
      draft.changed();
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") {
        table.board.focus();
        table.drag.cancel();
      }
      if (event.key !== "Enter") return;
      const field = /** @type {HTMLInputElement} */ (event.target);
      if (Number.isFinite(field.valueAsNumber)) {
        filler.set(turning ? field.valueAsNumber : units.from(field.valueAsNumber));
        draft.changed();
      }
      table.hand.confirm();
    },
  });
  const bounds = Number.isFinite(filler.high)
    ? turning
      ? ` from ${angle(filler.low)} to ${angle(filler.high)}`
      : ` of ${units.say(filler.high)}`
    : "";
  const name = turning ? "Turn by (degrees, left is positive)" : `Straight ahead (${units.shown})`;
  return h("label", { class: "field" }, name, input, h("span", { class: "quiet" }, bounds));
}

/** Whom to pick, and the others to learn why not. @param {Table} table @param {Draft} draft */
export function candidates(table, draft) {
  const filler = draft.fill;
  if (!(filler instanceof PickFill)) return null;
  const { state } = table;
  const all = draft.control.candidates ?? [];
  const list = all.filter((id) => !draft.barred.has(id));
  const own = state.figure(draft.body) ?? state.group(draft.control.action.actor);
  const single = draft.control.gesture === "pick";
  const rest = single ? [...draft.barred, ...others(table, draft, all, own?.side)] : [];
  const button = (/** @type {string} */ id) =>
    h(
      "button",
      {
        type: "button",
        class: "candidate",
        "aria-pressed": String(filler.picked.includes(id)),
        dataset: { keep: `pick-${id}` },
        onclick: () => {
          filler.pick(id);
          draft.changed();
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          // Enter on what is picked already confirms it; Space still lets it go.
          if (event.key !== "Enter" || !filler.picked.includes(id)) return;
          event.preventDefault();
          table.hand.confirm(true);
        },
        onpointerenter: () => table.show.point(id),
        onpointerleave: () => table.show.point(null),
      },
      filler.many && filler.picked.includes(id) && `${filler.picked.indexOf(id) + 1}. `,
      state.name(id),
    );
  return h(
    "div",
    { class: "candidates" },
    list.length ? list.map(button) : h("p", { class: "quiet" }, "Nobody can be picked."),
    rest.length > 0 &&
      h("details", {}, h("summary", {}, "Why not another?"), h("div", {}, rest.map(button))),
  );
}

/**
 * Bodies and units that are no candidates: of the sides the candidates are of, or the other ones.
 * @param {Table} table
 * @param {Draft} draft
 * @param {string[]} list
 * @param {string | undefined} side
 */
function others(table, draft, list, side) {
  const { groups, figures } = table.state.board;
  const grouped = new Set(groups.flatMap((group) => group.members));
  const all = [...groups, ...figures.filter((figure) => !grouped.has(figure.id))];
  const sides = new Set(list.map((id) => all.find((one) => one.id === id)?.side));
  return all
    .filter((one) => !list.includes(one.id) && one.id !== draft.control.action.actor)
    .filter((one) => (sides.size && list.length ? sides.has(one.side) : one.side !== side))
    .map((one) => one.id);
}

/** The stands of a unit, and which are moved already. @param {Table} table @param {Draft} draft */
export function stands(table, draft) {
  const filler = draft.fill;
  if (!(filler instanceof StandsFill)) return null;
  const { state } = table;
  return h(
    "ol",
    { class: "stands" },
    [...filler.ways.keys()].map((id) => {
      const place = filler.order.indexOf(id);
      return h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(filler.current === id),
            dataset: { keep: `stand-${id}` },
            onclick: () => {
              filler.hold(id);
              table.order.given();
              table.show.draw();
            },
          },
          place >= 0 ? `${place + 1}. ` : "",
          state.name(id),
          place < 0 && h("span", { class: "quiet" }, " stays"),
        ),
      );
    }),
  );
}

/** Who can no longer act once the step has ended. @param {Table} table @param {Draft} draft */
export function idle({ state }, { control }) {
  const { waiting = [], idle: words } = state.board;
  if (!ends(control) || !waiting.length) return null;
  const names = waiting.map((id) => state.name(id));
  return h("p", { class: "idle" }, h("b", {}, `${waiting.length} ${words}: `), `${listed(names, NAMED)}.`);
}

/** Whether a control ends a step of the game for all. @param {import("../lib/documents.js").Control} control */
export function ends({ group, action }) {
  return group === "step" && !action.actor;
}

/**
 * The steps that are passed with a control, as nobody can do anything in them: of those that are led on from here.
 * @param {import("./state.js").State} state @param {import("../lib/documents.js").Control} control
 */
export function passed(state, { onward = [] }) {
  if (state.now.puzzle || state.now.lesson) return [];
  const { passing } = state;
  const not = onward.findIndex((one) => !one.sides.some((side) => passing.includes(side)));
  return not < 0 ? onward : onward.slice(0, not);
}

/** What a control does, and where it leads on to. @param {import("./state.js").State} state @param {import("../lib/documents.js").Control} control */
export function titled(state, control) {
  const last = passed(state, control).at(-1);
  return `${told(control.label)}${last ? `, on to ${told(last.to)}` : ""}`;
}
