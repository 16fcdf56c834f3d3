// @ts-check
// How the editor begins: with what the address asks for, the draft that was kept, or a choice.

import { call } from "../lib/api.js";
import { keptDraft } from "./files.js";
import { sceneOfMatch } from "./opening.js";
import { USUAL, blank } from "./scene.js";

/** @typedef {import("./main.js").Editor} Editor */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../lib/documents.js").System} System */

/** What the address asks for: ?example=, ?system=, or #/t/match#secret. @param {Editor} editor */
export async function start(editor) {
  const asked = new URLSearchParams(location.search);
  const kept = keptDraft();
  const clear = () => history.replaceState(null, "", location.pathname);
  if (location.hash.startsWith("#/t/")) {
    const scene = await sceneOfMatch(decodeURIComponent(location.hash.slice(1)));
    clear();
    editor.open(scene, "the table of the match, as it stands");
    return;
  }
  const example = asked.get("example");
  if (example) {
    const scene = await call(`examples/${encodeURIComponent(example)}`);
    clear();
    editor.open(scene, example);
    return;
  }
  const wanted = editor.systems.find((one) => one.name === asked.get("system"));
  if (wanted) {
    const [width, depth] = [Number(asked.get("width")), Number(asked.get("depth"))];
    clear();
    const [wide, deep] = USUAL[wanted.unit];
    editor.open(blank(wanted.name, wanted.unit, width > 0 ? width : wide, depth > 0 ? depth : deep), "");
    return;
  }
  if (kept && editor.systems.some((one) => one.name === kept.scene.system)) {
    editor.draft.open(kept.scene);
    editor.begin();
    editor.notice(`Your draft of ${new Date(kept.at).toLocaleString()} is back.`, false);
    return;
  }
  const first = editor.systems[0];
  editor.draft.open(blank(first.name, first.unit, ...USUAL[first.unit]));
  editor.begin();
  await editor.opening.show();
}

/**
 * A board of a table without anything, for the time until the server has looked at the scene.
 * @param {Scene} scene
 * @param {System} system
 * @returns {import("../lib/documents.js").Board}
 */
export function bare(scene, system) {
  const { width, depth, unit } = scene.table;
  const storeys = [{ index: 0, bottom: 0, top: null, caption: "" }];
  const parties = scene.sides.map((side, look) => ({
    ...{ id: side.id, name: side.name || side.id, look, bodies: 0, gone: 0 },
  }));
  return /** @type {any} */ ({
    ...{ system: system.name, title: system.title, name: scene.name, unit, width, depth },
    ...{ round: 1, phase: "", status: [], acting: [], parties, storeys, terrain: [] },
    ...{ figures: [], groups: [], gone: [], hash: "", ground: system.ground },
  });
}
