// @ts-check
// Does what solves a puzzle, or a step of a lesson, one action after the other.

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").PuzzleStep} Step */

/** Between two actions, milliseconds. */
const PAUSE = 900;

/** @param {Table} table @returns {Promise<boolean>} whether all of it was done */
export async function playSolution({ state }) {
  try {
    /** @type {Step[]} */
    const steps = await state.ask("solution");
    for (const { action, answers } of steps) {
      if (!(await state.act(action))) return false;
      for (const value of answers) if (!(await state.answer({ value }))) return false;
      await new Promise((go) => setTimeout(go, PAUSE));
    }
    return true;
  } catch (error) {
    state.trouble(error);
    return false;
  }
}
