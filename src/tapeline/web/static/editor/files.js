// @ts-check
// Scenes to and from files, drafts kept in this browser, and matches begun from a scene.

import { saveFile } from "../lib/dom.js";
import { get, put } from "../lib/store.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{scene: Scene, at: number}} KeptDraft */

const NOW = "editor-draft";
const EARLIER = "editor-earlier";
const MOST = 4;

/** The draft that was being worked on. @returns {KeptDraft | null} */
export function keptDraft() {
  const kept = get(NOW, /** @type {KeptDraft | null} */ (null));
  return kept && faultOfFile(kept.scene) === "" ? kept : null;
}

/** Drafts before that, the latest first. @returns {KeptDraft[]} */
export function earlierDrafts() {
  const kept = get(EARLIER, /** @type {KeptDraft[]} */ ([]));
  return Array.isArray(kept) ? kept.filter((one) => one && faultOfFile(one.scene) === "") : [];
}

/** False if the browser keeps nothing. @param {Scene} scene */
export function keepDraft(scene) {
  return put(NOW, { scene, at: Date.now() });
}

/** The draft gives way to another and goes among the earlier ones. */
export function shelveDraft() {
  const kept = keptDraft();
  const empty = (/** @type {Scene} */ scene) =>
    !scene.name && !scene.terrain?.length && !scene.models?.length && !scene.units?.length;
  if (!kept || empty(kept.scene)) return;
  const text = JSON.stringify(kept.scene);
  const others = earlierDrafts().filter((one) => JSON.stringify(one.scene) !== text);
  put(EARLIER, [kept, ...others].slice(0, MOST));
}

/**
 * Why a document cannot be edited at all; "" if it can. What else is wrong with it the check says.
 * @param {any} scene
 */
export function faultOfFile(scene) {
  if (scene === null || typeof scene !== "object" || Array.isArray(scene)) return "This is no scene.";
  if (typeof scene.format !== "string" || !scene.format.startsWith("tapeline-scene/")) {
    return "This is no scene of Tapeline: its format should be tapeline-scene/1.";
  }
  if (typeof scene.system !== "string") return "The scene does not say its system.";
  const { table } = scene;
  if (!table || !(table.width > 0) || !(table.depth > 0)) return "The scene has no table.";
  for (const list of ["terrain", "models", "units", "zones", "sides"]) {
    const items = scene[list];
    if (items === undefined) continue;
    if (!Array.isArray(items)) return `In the scene, ${list} is not a list.`;
    const bad = items.findIndex((item) => item === null || typeof item !== "object" || typeof item.id !== "string");
    if (bad >= 0) return `In the scene, ${list}[${bad}] has no id.`;
  }
  return "";
}

/** The scene in a file. Throws an Error with a sentence for people. @param {File} file @returns {Promise<Scene>} */
export async function readScene(file) {
  if (file.size > 8_000_000) throw new Error("This file is too large for a scene.");
  let scene;
  try {
    scene = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is not JSON.`);
  }
  const fault = faultOfFile(scene);
  if (fault) throw new Error(fault);
  return scene;
}

/** Save a scene as a file. @param {Scene} scene */
export function saveScene(scene) {
  const name = `${fileName(scene)}.json`;
  saveFile(`${JSON.stringify(lean(scene), null, 1)}\n`, name);
  return name;
}

/** @param {Scene} scene */
function fileName(scene) {
  const words = (scene.name || scene.system).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return words.slice(0, 60) || "scene";
}

/** The scene without keys that say nothing. @param {Scene} scene @returns {any} */
export function lean(scene) {
  const made = JSON.parse(JSON.stringify(scene));
  for (const entry of [...made.terrain, ...made.models, ...made.units]) {
    for (const key of ["traits", "holes", "hatches", "openings"]) {
      if (Array.isArray(entry[key]) && !entry[key].length) delete entry[key];
    }
    if (entry.state && !Object.keys(entry.state).length) delete entry.state;
  }
  if (!made.zones.length) delete made.zones;
  return made;
}
