// @ts-check
// Does what solves a puzzle, or a step of a lesson, one action after the other; and the other way
// round, makes a solution of what was done.

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").PuzzleStep} Step */

/** At the pace at which the table plays. @param {Table} table @returns {Promise<boolean>} whether all of it was done */
export async function playSolution({ state, opponent }) {
  try {
    /** @type {Step[]} */
    const steps = await state.ask("solution");
    for (const [n, { action, answers }] of steps.entries()) {
      if (n > 0) await new Promise((go) => setTimeout(go, opponent.pace));
      if (!(await state.act(action))) return false;
      for (const value of answers) if (!(await state.answer({ value }))) return false;
    }
    return true;
  } catch (error) {
    state.trouble(error);
    return false;
  }
}

/** The scene of a log, with the entries that count as the solution of its puzzle. @param {string} log */
export function solvedScene(log) {
  const [{ scene }, ...entries] = log.trim().split("\n").map((line) => JSON.parse(line));
  const counted = [];
  for (const entry of entries) {
    if (entry.what === "undo") counted.length = entry.to;
    else counted.push(entry);
  }
  const chosen = (/** @type {{answers?: Record<string, unknown>[]}} */ { answers = [] }) => answers.filter((one) => "choose" in one).map((one) => one.choose);
  /** @type {{action: unknown, answers?: unknown[]}[]} */
  const solution = [];
  for (const entry of counted) {
    if (entry.what === "action") solution.push({ action: entry.action });
    const made = chosen(entry);
    const last = solution.at(-1);
    if (last && made.length) last.answers = [...(last.answers ?? []), ...made];
  }
  return { ...scene, puzzle: { ...scene.puzzle, solution } };
}
