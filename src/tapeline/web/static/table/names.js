// @ts-check
// Ids in sentences of the referee, read as the names people know: "A1" is the Spear company.

/** @typedef {import("../lib/documents.js").Board} Board */

/** @type {Map<string, string>} */
let names = new Map();
/** @type {RegExp | null} */
let codes = null;

/** Learn who is who; stands without a name of their own are numbered in their unit. @param {Board} board */
export function learn(board) {
  names = new Map();
  const groups = new Map(board.groups.map((group) => [group.id, group]));
  for (const group of board.groups) names.set(group.id, group.name);
  for (const figure of [...board.figures, ...board.gone]) {
    const group = figure.unit ? groups.get(figure.unit) : undefined;
    const place = group ? group.members.indexOf(figure.id) + 1 : 0;
    const unnamed = figure.name === figure.id && group && place > 0;
    names.set(figure.id, unnamed ? `${group.name} ${place}` : figure.name);
  }
  // An id that is a plain word could be part of any sentence; one with a figure in it is an id.
  const sure = [...names].filter(([id, name]) => id !== name && /\d/.test(id)).map(([id]) => id);
  sure.sort((a, b) => b.length - a.length);
  const words = sure.map((id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  codes = words.length ? new RegExp(`(?<![\\w-])(?:${words.join("|")})(?![\\w-])`, "g") : null;
}

/** The name of a body or unit, if it is one. @param {string} id */
export function nameOf(id) {
  return names.get(id);
}

/** A sentence with names in place of ids. @param {string} text */
export function named(text) {
  return codes ? text.replace(codes, (id) => names.get(id) ?? id) : text;
}
