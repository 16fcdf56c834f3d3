// @ts-check
// Which puzzles were solved in this browser.

import { get, put } from "./store.js";

/** @returns {string[]} */
function kept() {
  const found = get("solved", []);
  return Array.isArray(found) ? found.map(String) : [];
}

/** @param {string} system @param {string} title */
export function isSolved(system, title) {
  return kept().includes(`${system}:${title}`);
}

/** @param {string} system @param {string} title */
export function markSolved(system, title) {
  if (!isSolved(system, title)) put("solved", [...kept(), `${system}:${title}`]);
}
