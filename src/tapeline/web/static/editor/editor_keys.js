// @ts-check
// What keys do in the editor, wherever the keyboard is; those of the board are with its hands.

import { byId } from "../lib/dom.js";
import { Keys, isWriting } from "../lib/keys.js";

/**
 * Listen to keys from now on. Gives what the help is to tell of them.
 * @param {import("./main.js").Editor} editor
 * @returns {{keys: string[], says: string}[]}
 */
export function editorKeys(editor) {
  const { deeds, draft } = editor;
  const some = () => draft.selected.size > 0;
  const keys = new Keys();
  /** @type {import("../lib/keys.js").Binding[]} */
  const bindings = [
    { keys: ["[", ","], says: "Turn left by 5 degrees", when: some, run: () => deeds.turn(5) },
    { keys: ["]", "."], says: "Turn right by 5 degrees", when: some, run: () => deeds.turn(-5) },
    { keys: ["{"], says: "Turn left by 45 degrees", when: some, run: () => deeds.turn(45) },
    { keys: ["}"], says: "Turn right by 45 degrees", when: some, run: () => deeds.turn(-45) },
    { keys: ["d"], says: "Duplicate", when: some, run: () => deeds.duplicate() },
    { keys: ["Delete"], says: "Delete, or take away the corner in focus", when: some, run: () => deeds.remove() },
    { keys: ["u"], says: "Undo (also Ctrl+Z)", run: () => draft.undo() },
    { keys: ["Shift+u"], says: "Redo (also Ctrl+Shift+Z)", run: () => draft.redo() },
    { keys: ["Escape"], says: "Select nothing", when: some, run: () => draft.select([]) },
    { keys: ["b"], says: "To the board", run: () => editor.board.frame.focus() },
    { keys: ["e"], says: "To the figures of what is selected", run: () => editor.tabs.focus("thing") },
    { keys: ["a"], says: "To what can be added", run: () => editor.tabs.focus("add") },
    { keys: ["?"], says: "This list", run: () => byId("help").click() },
  ];
  keys.add(...bindings);
  const told = [
    { keys: ["Arrows"], says: "On the board: move by a step of the grid (Shift 1, Alt 0.01); on a handle: move the handle" },
    ...bindings,
    { keys: ["+", "-", "0"], says: "On the board: zoom, show all" },
  ];
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isWriting(event.target)) return;
    const key = event.key.toLowerCase();
    if (document.querySelector("dialog[open]")) return;
    if (key === "z" && !event.shiftKey) draft.undo();
    else if (key === "y" || key === "z") draft.redo();
    else if (key === "s") editor.save();
    else if (key === "d" && some()) deeds.duplicate();
    else return;
    event.preventDefault();
  });
  return told;
}
