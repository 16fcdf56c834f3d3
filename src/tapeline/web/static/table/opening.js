// @ts-check
// What comes before a drag of a body: what must be done first; or why it begins nothing.

import { DRAGGED } from "./draft.js";
import { sentence, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Control} Control */

/** Buttons that a notice has at most. */
const MENDS = 3;

/** Do what must come before a drag of a body, and give the control that is open then.
 * @param {Table} table @param {Pick<import("./drag.js").Grip, "id" | "opened">} grip */
export async function opened(table, grip) {
  const { id } = grip;
  const { selection, state, log } = table;
  const steps = await state.ask("opening", { of: selection.id ?? id }).catch(() => []);
  if (!steps.length) return undefined;
  const labels = steps.map((/** @type {{label: string}} */ { label }) => told(label));
  const says = `First: ${labels.join(", ")}. Undo takes it back too.`;
  log.opened = { from: state.log.length, steps: steps.length, says };
  grip.opened = steps.length;
  for (const step of steps) {
    const done = await state.act(step.action);
    if (!done?.written) return undefined;
  }
  if (selection.loading) await settled(selection);
  table.say(says);
  return selection.natural;
}

/** Why a drag of a body begins nothing, and what would mend it.
 * @param {Table} table @param {Pick<import("./drag.js").Grip, "id" | "last">} grip */
export async function unmoved(table, { id, last }) {
  const { selection, state, turn, hand } = table;
  const barred = selection.controls.filter((control) => control.why_not?.length);
  const bar = barred.find((control) => DRAGGED.has(control.gesture)) ?? barred[0];
  const why = bar?.why_not ?? [];
  const acts = selection.open.filter(({ gesture, group }) => group === "act" && !DRAGGED.has(gesture));
  const presses = acts.filter(({ gesture }) => gesture === "press");
  const steps = presses.length ? [] : await stepsOn(table);
  // Who drags wants to move: what leads on to that stands first.
  const mends = presses.length ? presses : [...steps, ...acts];
  const buttons = mends.slice(0, MENDS).map((control) => ({ text: told(control.label), run: () => hand.begin(control) }));
  const at = last ? /** @type {[number, number]} */ ([last.clientX, last.clientY]) : null;
  // What alone would mend it is in hand at once: Enter does it.
  const [first] = presses.length || mends.length === 1 || !steps.length ? mends : [];
  if (first && !hand.sending) hand.take(first);
  const name = state.name(state.figure(id)?.unit ?? id);
  // The reason mostly names it.
  const words = why[0]?.text.startsWith(name) ? "" : `${name} cannot be moved now.`;
  turn.notice(words, why.flatMap((one) => [...sentence(one), " "]), { at, buttons }).classList.toggle("in-hand", Boolean(first));
}

/** That nobody is moved any more, and how all the same. @param {Table} table */
export function ended({ state, turn, controls }) {
  const on = { text: "Play on all the same", run: () => (controls.playOn(true), controls.steps()) };
  if (state.now.over) turn.notice("The match is over: nobody is moved any more.");
  else turn.notice("The game is over.", [], { buttons: [on] });
}

/** What leads on in the turn: its steps that are open, and what ends the deeds of who acts now.
 * @param {Table} table */
async function stepsOn({ selection, state }) {
  const { controls, board } = state.now;
  const acting = (board.active ?? []).filter((/** @type {string} */ id) => id !== selection.id);
  const others = await Promise.all(acting.map((/** @type {string} */ of) => state.ask("controls", { of }).catch(() => [])));
  return [...controls, ...others.flat()].filter(
    (/** @type {Control} */ control) => control.group === "step" && control.gesture === "press" && !control.why_not?.length,
  );
}

/** @param {EventTarget} selection @returns {Promise<void>} when its controls came */
export function settled(selection) {
  return new Promise((resolve) => {
    selection.addEventListener("controls", () => resolve(), { once: true });
  });
}
