// @ts-check
// Where the selected body can get to: reach asked for once a version, shown for what is in hand or pointed at.

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Control} Control */
/** @typedef {import("../lib/documents.js").Reach} Reach */

/** A length of the table in a label, to be shown in the unit people want. */
const LENGTH = /[\d.]+ (?:in|cm)\b/;
/** Most kinds of move shaded at once. */
const KINDS = 3;

/** Events: "busy" {since} while a reach is being worked out. */
export class Aim extends EventTarget {
  /** @param {Table} table */
  constructor(table) {
    super();
    this.table = table;
    /** Of the newest version that was asked about. @type {Map<string, Promise<Reach | null>>} */
    this.known = new Map();
    this.version = 0;
    /** @type {Control | null} */
    this.pointed = null;
    /** Of another side's body, shown until it is let go. @type {Control | null} */
    this.held = null;
    this.drawn = 0;
    /** Parts of the reach being worked out: a floor of a way to move each. */
    this.parts = { done: 0, of: 0 };
    this.off = false;
    this.trying = 0;
    this.tried = false;
    const { state, selection, hand } = table;
    state.addEventListener("change", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.grown) table.board.reach(null);
      this.draw();
    });
    selection.addEventListener("select", () => {
      this.pointed = null;
      if (this.held && !selection.controls.includes(this.held)) this.held = null;
      this.draw();
    });
    selection.addEventListener("controls", () => this.draw());
    hand.addEventListener("draft", () => this.draw());
    table.host.addEventListener("storey", () => this.draw());
    table.units.addEventListener("change", () => this.draw());
  }

  /** Show the reach of a control until it is let go. @param {Control | null} control */
  hold(control) {
    this.held = control;
    this.draw();
  }

  /** Show the reach and zones of a control while it is pointed at. @param {Control | null} control */
  preview(control) {
    if (this.pointed === control) return;
    this.pointed = control;
    this.draw();
    this.#trial(control);
  }

  /** The ways an action with nothing open would go, drawn before it is pressed. @param {Control | null} control */
  async #trial(control) {
    const { board, hand, show, state } = this.table;
    clearTimeout(this.trying);
    if (this.tried) board.ways([], { kind: "wanted" });
    this.tried = false;
    if (!control || control.gesture !== "press" || control.why_not?.length || hand.draft) return;
    if (control.group === "step" || show.past) return;
    this.trying = window.setTimeout(async () => {
      const verdict = await state.api.post("judge", { action: control.action }).catch(() => null);
      if (!verdict || this.pointed !== control || hand.draft || !verdict.moved.length) return;
      this.tried = true;
      board.ways(verdict.moved, { kind: "wanted" });
    }, 120);
  }

  /** Controls whose reach is wanted now. @returns {Control[]} */
  get wanted() {
    const { selection, hand } = this.table;
    // Nothing but the answer can be asked about while a question is open.
    if (this.table.state.match?.question) return [];
    if (hand.draft) return [hand.draft.control];
    if (this.pointed) return [this.pointed];
    if (this.held) return [this.held];
    const reaching = selection.controls.filter((one) => one.reach);
    const open = reaching.filter((one) => !one.why_not?.length);
    if (open.length) return open.slice(0, KINDS);
    // What it could do once it is pressed to begin is what one picks it by.
    const begins = selection.open.some((one) => one.gesture === "press" && one.group === "act");
    return begins ? reaching.slice(0, KINDS) : [];
  }

  async draw() {
    const mine = (this.drawn += 1);
    this.parts = { done: 0, of: 0 };
    const { board, hand, show, state, units } = this.table;
    if (this.off || show.past || !state.match) {
      board.reach(null);
      board.rings([]);
      return;
    }
    const wanted = this.wanted;
    board.rings(hand.draft || this.pointed ? ringsOf(wanted, units) : []);
    const asked = wanted.filter((control) => control.reach);
    if (!asked.length) {
      board.reach(null);
      return;
    }
    const slow = setTimeout(() => this.#busy(mine === this.drawn), 200);
    const shown = board.storey === "all" ? state.board.storeys.map((one) => one.index) : [show.storey];
    const parts = (this.parts = { done: 0, of: shown.length * asked.length });
    const found = await Promise.all(
      shown.map((storey) =>
        Promise.all(asked.map((control) => this.reach(control, storey).finally(() => (parts.done += 1)))),
      ),
    );
    clearTimeout(slow);
    if (mine !== this.drawn) return;
    this.#busy(false);
    board.reach(found.flatMap(apart).map((reach) => labelled(reach, units)));
  }

  /** @param {boolean} busy */
  #busy(busy) {
    this.dispatchEvent(new CustomEvent("busy", { detail: { busy } }));
  }

  /**
   * Null if the rules do not tell it.
   * @param {Control} control @param {number} storey @returns {Promise<Reach | null>}
   */
  reach(control, storey) {
    const { state, selection } = this.table;
    const body = String(control.action.actor ?? selection.body ?? "");
    if (this.version !== state.version) this.known.clear();
    this.version = state.version;
    const key = [body, control.reach, storey].join("/");
    const found = this.known.get(key);
    if (found) return found;
    const query = { body, kind: control.reach, storey };
    const asked = state.api.get("reach", query).catch(() => null);
    this.known.set(key, asked);
    return asked;
  }
}

/** @param {Control[]} controls @param {import("../lib/units.js").Units} units */
function ringsOf(controls, units) {
  const seen = new Set();
  return controls
    .flatMap((control) => control.rings ?? [])
    .filter((ring) => {
      const key = `${ring.about}/${ring.distance}`;
      return !seen.has(key) && seen.add(key);
    })
    .map((ring) => ({ ...ring, label: ring.label.replace(LENGTH, units.say(ring.distance)) }));
}

/** Of kinds of move that reach equally far the first. @param {(Reach | null)[]} found */
function apart(found) {
  const known = found.flatMap((reach) => (reach ? [reach] : []));
  return known.filter(
    (reach, n) => !known.slice(0, n).some((other) => Math.abs(other.allowance - reach.allowance) < 1e-9),
  );
}

/**
 * A reach with the lengths in its labels in the unit that is shown.
 * @param {Reach} reach
 * @param {import("../lib/units.js").Units} units
 */
function labelled(reach, units) {
  const bands = reach.bands.map((band) => {
    const label = band.label.replace(/[\d.]+$/, units.figure(band.limit));
    return { ...band, label };
  });
  return { ...reach, bands };
}
