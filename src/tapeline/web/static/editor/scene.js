// @ts-check
// The scene being edited: the document, what is selected in it, and the way back.

/**
 * @typedef {Record<string, any> & {id: string}} Entry an entry of terrain, models, units or zones
 * @typedef {{format: string, system: string, name: string, options: Record<string, string>,
 *   table: {width: number, depth: number, unit: "in" | "cm"}, terrain: Entry[],
 *   sides: {id: string, name?: string}[], models: Entry[], units: Entry[], zones: Entry[],
 *   turn: Record<string, any>, deployment?: Record<string, any>}} Scene
 * @typedef {"terrain" | "models" | "units" | "zones"} List
 */

const MOST_STEPS = 200;
/** Changes of one kind that follow each other this fast, milliseconds, are undone as one. */
const TOGETHER = 900;

/** Width and depth of a table, unless said otherwise. @type {Record<string, [number, number]>} */
export const USUAL = { in: [48, 48], cm: [180, 120] };

/** @type {List[]} */
const LISTS = ["terrain", "models", "units", "zones"];

/** A document with a selection. Dispatches "change" (document) and "select". */
export class Draft extends EventTarget {
  constructor() {
    super();
    /** @type {Scene} */
    this.scene = blank("", "in", 1, 1);
    /** @type {Set<string>} */
    this.selected = new Set();
    /** @type {{text: string, says: string}[]} */
    this.past = [];
    /** @type {{text: string, says: string}[]} */
    this.future = [];
    /** Whether anything was changed since it was saved or opened. */
    this.touched = false;
    this._last = { key: "", at: 0 };
    /** @type {string | null} */
    this._held = null;
  }

  /** Begin anew with a scene. @param {any} scene @param {boolean} [touched] */
  open(scene, touched = false) {
    this.scene = whole(scene);
    this.past = [];
    this.future = [];
    this.touched = touched;
    this.selected = new Set();
    this._last = { key: "", at: 0 };
    this._tell("change", { opened: true });
    this._tell("select");
  }

  /**
   * Change the document in place by a function; it can be undone. says: for the undo button.
   * key: quick changes of the same key are undone together.
   * @param {string} says
   * @param {(scene: Scene) => void} does
   * @param {string} [key]
   */
  change(says, does, key = "") {
    const before = this._held ?? JSON.stringify(this.scene);
    does(this.scene);
    if (this._held === null) this._keep(before, says, key);
    this._drop();
    this._tell("change");
  }

  /** A drag begins: until `release` all changes are one. */
  hold() {
    this._held = JSON.stringify(this.scene);
  }

  /** The drag is over. @param {string} says */
  release(says) {
    const before = this._held;
    this._held = null;
    if (before !== null) this._keep(before, says, "");
    this._tell("change", { released: true });
  }

  /** The drag is taken back. */
  letGo() {
    if (this._held === null) return;
    this.scene = JSON.parse(this._held);
    this._held = null;
    this._tell("change", { released: true });
  }

  get held() {
    return this._held !== null;
  }

  /** @param {string} before @param {string} says @param {string} key */
  _keep(before, says, key) {
    if (before === JSON.stringify(this.scene)) return;
    const now = Date.now();
    const joins = key !== "" && key === this._last.key && now - this._last.at < TOGETHER;
    this._last = { key, at: now };
    this.touched = true;
    this.future = [];
    if (joins) return;
    this.past.push({ text: before, says });
    if (this.past.length > MOST_STEPS) this.past.shift();
  }

  undo() {
    this._step(this.past, this.future);
  }

  redo() {
    this._step(this.future, this.past);
  }

  /** @param {{text: string, says: string}[]} from @param {{text: string, says: string}[]} to */
  _step(from, to) {
    const step = this.held ? undefined : from.pop();
    if (!step) return;
    to.push({ text: JSON.stringify(this.scene), says: step.says });
    this.scene = JSON.parse(step.text);
    this.touched = true;
    this._last = { key: "", at: 0 };
    this._drop();
    this._tell("change");
    this._tell("select");
  }

  /** Select these ids alone. @param {Iterable<string>} ids */
  select(ids) {
    const wanted = new Set(ids);
    if (wanted.size === this.selected.size && [...wanted].every((id) => this.selected.has(id))) {
      return;
    }
    this.selected = wanted;
    this._tell("select");
  }

  /** @param {string} id */
  toggle(id) {
    const wanted = new Set(this.selected);
    if (!wanted.delete(id)) wanted.add(id);
    this.select(wanted);
  }

  /** Entries selected, as they stand in the document. @returns {{list: List, index: number, entry: Entry}[]} */
  chosen() {
    return this.all().filter(({ entry }) => this.selected.has(entry.id));
  }

  /** All entries. @returns {{list: List, index: number, entry: Entry}[]} */
  all() {
    return LISTS.flatMap((list) =>
      this.scene[list].map((entry, index) => ({ list, index, entry })),
    );
  }

  /** @param {string} id */
  find(id) {
    return this.all().find(({ entry }) => entry.id === id) ?? null;
  }

  /** Ids that are taken, those of sides and openings too. @returns {Set<string>} */
  taken() {
    const ids = new Set([...this.all().map(({ entry }) => entry.id)]);
    for (const side of this.scene.sides) ids.add(side.id);
    for (const entry of this.scene.terrain) {
      for (const opening of entry.openings ?? []) ids.add(opening.id);
    }
    return ids;
  }

  /** Ids that are gone are no longer selected. */
  _drop() {
    const there = new Set(this.all().map(({ entry }) => entry.id));
    const kept = [...this.selected].filter((id) => there.has(id));
    if (kept.length !== this.selected.size) this.select(kept);
  }

  /** @param {string} name @param {Record<string, unknown>} [detail] */
  _tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/**
 * An empty table.
 * @param {string} system
 * @param {"in" | "cm"} unit
 * @param {number} width
 * @param {number} depth
 * @returns {Scene}
 */
export function blank(system, unit, width, depth) {
  return {
    format: "tapeline-scene/1",
    system,
    name: "",
    options: {},
    table: { width, depth, unit },
    terrain: [],
    sides: [
      { id: "red", name: "Red" },
      { id: "blue", name: "Blue" },
    ],
    models: [],
    units: [],
    zones: [],
    turn: { round: 1, active: "red" },
  };
}

/** A copy of a scene in which every part that may be left out is there. @param {any} given @returns {Scene} */
function whole(given) {
  const scene = JSON.parse(JSON.stringify(given));
  const usual = blank(scene.system, "in", 48, 48);
  for (const key of /** @type {const} */ (["name", "options", "turn", "table", "sides"])) {
    if (scene[key] === undefined || scene[key] === null) scene[key] = usual[key];
  }
  for (const list of [...LISTS, "sides"]) {
    if (!Array.isArray(scene[list])) scene[list] = [];
  }
  return scene;
}

/** The first id of a stem that is free: "wall-1", "wall-2". @param {Set<string>} taken @param {string} stem */
export function freeId(taken, stem) {
  const word = stem.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "thing";
  const short = word.slice(0, 40);
  for (let number = 1; ; number += 1) {
    const id = `${short}-${number}`;
    if (!taken.has(id)) {
      taken.add(id);
      return id;
    }
  }
}
