// @ts-check
// Keys of the table: everything the hand does on the board, done without it.

import { Keys, isWriting } from "../lib/keys.js";
import { DRAGGED } from "./draft.js";
import { opened, unmoved } from "./opening.js";
import { PickFill } from "./picking.js";

/** @typedef {import("./table.js").Table} Table */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
});

/** @param {Table} table @returns {Keys} */
export function keyboard(table) {
  const { hand, selection, drag, state, board } = table;
  const keys = new Keys();
  const live = () => !table.show.past && table.tools.mode === "";
  const dragging = () => live() && (hand.dragging || (!hand.draft && selection.natural !== undefined));
  const free = () => !onButton();
  // Dice may be shown before the answer to what threw them is here.
  const thrown = () => table.moment.open && (!hand.draft || hand.sending);
  for (const [arrow, [dx, dy]] of Object.entries(ARROWS)) {
    for (const [before, step] of /** @type {const} */ ([["", 0.1], ["Shift+", 1], ["Alt+", 0.01]])) {
      keys.add({
        keys: [`${before}${arrow}`],
        says: "",
        when: () => dragging() || (live() && (waiting(table) || barred(table))),
        run: () =>
          soon(table, async () => {
            if (barred(table)) await open(table);
            drag.nudge(table.units.from(dx * step), table.units.from(dy * step));
          }),
      });
    }
  }
  keys.add(
    { keys: ["["], says: "Turn left by 5 degrees", group: "Move", when: dragging, run: () => drag.turn(5) },
    { keys: ["]"], says: "Turn right by 5 degrees", group: "Move", when: dragging, run: () => drag.turn(-5) },
    { keys: ["{", "Shift+["], says: "Turn left by 45 degrees", group: "Move", when: dragging, run: () => drag.turn(45) },
    { keys: ["}", "Shift+]"], says: "Turn right by 45 degrees", group: "Move", when: dragging, run: () => drag.turn(-45) },
    { keys: [" "], says: "Set a way-point here", group: "Move", when: () => hand.dragging && free(), run: () => drag.fix() },
    { keys: ["w"], says: "Find the way to the pointer, or to where the ghost is", group: "Move", when: dragging, run: () => drag.findWay() },
    { keys: ["Enter"], says: "Do what the ghost shows", group: "Move", when: () => hand.draft !== null && !thrown() && free(), run: () => hand.confirm(true) },
    { keys: ["Enter"], says: "", when: () => thrown() && free(), run: () => table.moment.end() },
    { keys: ["Backspace"], says: "Take back the last way-point", group: "Move", when: () => hand.draft !== null, run: () => drag.back() },
    {
      keys: ["Escape"],
      says: "Put it down, end the tool, or select nothing",
      group: "Move",
      when: () => !document.querySelector(":popover-open"),
      run: () => escape(table),
    },
    { keys: ["u"], says: "Undo, or ask to", group: "Table", run: () => table.log.undo() },
    { keys: ["r"], says: "Tape measure", group: "Table", run: () => table.tools.toggle("tape") },
    { keys: ["l"], says: "Who sees whom", group: "Table", run: () => table.tools.toggle("sight") },
    { keys: ["t"], says: "Hold: whom the other side could strike next", group: "Table", run: () => {} },
    { keys: ["h"], says: "Look here: point at what is under the mouse, or selected", group: "Table", when: () => state.now.mode === "links", run: () => table.talk.point() },
    { keys: ["i"], says: "Hints: what may well be done now, and why", group: "Analysis", run: () => table.hints.toggle() },
    { keys: ["a"], says: "Analysis board: a copy to try things on, and back", group: "Analysis", run: () => table.tools.copy() },
    { keys: ["d"], says: "The pen: drag for an arrow, press for a ring (or hold Ctrl)", group: "Analysis", run: () => table.arrows.toggle() },
    { keys: ["c"], says: "Another colour and kind of line", group: "Analysis", run: () => table.arrows.next() },
    { keys: ["x"], says: "Clear arrows and rings", group: "Analysis", run: () => table.arrows.clear() },
    { keys: ["s"], says: "Show arrows and rings to the others, or no longer", group: "Analysis", when: () => state.now.mode === "links", run: () => table.arrows.share() },
    { keys: ["f"], says: "Turn the board round", group: "Table", run: () => board.turnRound() },
    { keys: ["p"], says: "To the panel: what is asked, in hand, or can be done", group: "Table", run: () => table.toPanel() },
    { keys: ["e"], says: "To what leads the game on, such as the end of a turn", group: "Table", run: () => keep(table, () => table.controls.toSteps()) },
    { keys: ["n"], says: "Next figure that may act", group: "Table", run: () => table.list.next(1) },
    { keys: ["Shift+n"], says: "The one before", group: "Table", run: () => table.list.next(-1) },
    { keys: ["PageUp"], says: "The storey above", group: "Table", when: () => state.board.storeys.length > 1, run: () => storey(table, 1) },
    { keys: ["PageDown"], says: "The storey below", group: "Table", when: () => state.board.storeys.length > 1, run: () => storey(table, -1) },
    { keys: [","], says: "One entry back in the game", group: "Table", run: () => table.replay.step(-1) },
    { keys: ["."], says: "One entry on", group: "Table", run: () => table.replay.step(1) },
    { keys: ["z"], says: "Look at what is selected", group: "Table", when: () => selection.body !== null, run: () => board.zoomTo(selection.body ?? "") },
    { keys: ["b"], says: "The board as a list", group: "Table", run: () => table.list.open() },
    { keys: ["?"], says: "This list", group: "Table", run: () => table.help.open() },
  );
  for (let n = 1; n <= 9; n += 1) {
    keys.add({
      keys: [String(n)],
      says: "",
      when: () => live() && selection.mine && table.controls.numbered[n - 1] !== undefined,
      run: () => table.controls.press(table.controls.numbered[n - 1]),
    });
  }
  document.addEventListener("keydown", (event) => first(table, keys, event), true);
  return keys;
}

/**
 * Before the board moves its view, or a figure with the focus is picked again: the action in hand.
 * @param {Table} table
 * @param {Keys} keys
 * @param {KeyboardEvent} event
 */
function first(table, keys, event) {
  if (isWriting(event.target) || !(event.target instanceof Element)) return;
  if (kept && event.key === "Enter") {
    event.preventDefault();
    event.stopImmediatePropagation();
    keep(table, () => enter(table));
    return;
  }
  if (!table.board.frame.contains(event.target) || event.target.closest("button")) return;
  const draft = table.hand.draft;
  if (event.key in ARROWS && (draft || table.selection.natural || waiting(table) || barred(table))) {
    keys.press(event);
    return;
  }
  if (event.key !== "Enter" && event.key !== " ") return;
  const figure = event.target.closest("[data-id]")?.getAttribute("data-id");
  // Who is selected already need not be picked again: Enter goes on from the dice.
  if (!draft && event.key === "Enter" && table.moment.open && table.selection.bodies.includes(figure ?? "")) keys.press(event);
  if (!draft) return;
  if (draft.fill instanceof PickFill && figure) {
    const unit = table.state.figure(figure)?.unit ?? figure;
    const { picked } = draft.fill;
    const ours = draft.poses.some((pose) => pose.body === figure);
    if (event.key === " " || !(ours || picked.includes(figure) || picked.includes(unit))) return;
  }
  if (draft.complete) keys.press(event);
}

/**
 * Whether what the selected body can do next is still on its way from the server.
 * @param {Table} table
 */
function waiting({ hand, selection }) {
  return !hand.draft && selection.mine && (selection.loading || hand.sending);
}

/**
 * Whether the selected body could be moved, were it not for something that comes first.
 * @param {Table} table
 */
function barred({ hand, selection, state }) {
  if (hand.draft || selection.natural || !selection.mine || state.now.question || state.done) return false;
  return selection.controls.some((control) => DRAGGED.has(control.gesture) && control.why_not?.length);
}

/** What comes first, while it is being done: keys struck meanwhile wait for it. @type {Promise<void> | null} */
let opening = null;

/** Do it, as a drag would, or say why nothing helps. @param {Table} table */
function open(table) {
  const id = table.selection.body ?? "";
  opening ??= opened(table, { id, opened: 0 })
    .then(async (control) => {
      if (!control) await unmoved(table, { id, last: null });
    })
    .finally(() => {
      opening = null;
    });
  return opening;
}

/** Now, or when that has come: a key that is struck quickly is not lost. @param {Table} table @param {() => unknown} act */
function soon(table, act) {
  if (waiting(table)) quiet(table).then(act);
  else act();
}

/**
 * When nothing is under way any more: the controls may come before the answer to what was sent, or after it.
 * @param {Table} table
 */
async function quiet({ hand, selection }) {
  while (hand.sending || selection.loading) {
    await new Promise((came) => {
      // What was looked at first is sent only after that has been told.
      const told = () => setTimeout(came);
      selection.addEventListener("controls", told, { once: true });
      hand.addEventListener("change", told, { once: true });
    });
  }
}

/** E that waits, and each Enter after it, which waits for what came of the one before. @type {Promise<void> | null} */
let kept = null;

/** @param {Table} table @param {() => unknown} act */
function keep(table, act) {
  /** @type {Promise<void>} */
  const done = (kept ?? Promise.resolve())
    .then(() => quiet(table))
    .then(act)
    // What a press begins by itself is under way by then.
    .then(() => new Promise((next) => setTimeout(next)))
    .then(() => {
      if (kept === done) kept = null;
    });
  kept = done;
}

/** What Enter does where it was kept. @param {Table} table */
function enter({ hand, moment }) {
  const { activeElement: active } = document;
  if (active instanceof HTMLElement && onButton()) active.click();
  else if (hand.draft) hand.confirm(true);
  else if (moment.open) moment.end();
}

/** @param {Table} table */
function escape(table) {
  if (table.arrows.pen) table.arrows.toggle();
  else if (table.hints.open) table.hints.close();
  else if (table.tools.mode) table.tools.end();
  else if (table.replay.looking) table.replay.now();
  else table.drag.cancel();
}

/** @param {Table} table @param {number} step */
function storey(table, step) {
  const { board } = table;
  const list = table.state.board.storeys.map((one) => one.index);
  const at = list.indexOf(table.show.storey);
  const next = list[at + step];
  if (next !== undefined) board.storey = next;
}

/** Whether a key belongs to a button or link that has the focus. */
function onButton() {
  const active = document.activeElement;
  return active instanceof Element && active.matches("button, a[href], summary, input");
}
