// @ts-check
// What the board shows: the match now or an entry of the past, and the action in hand as ghosts, ways, pins.

import { oncePerFrame } from "../lib/dom.js";
import { ends } from "./given.js";
import { handlesOf } from "./handles.js";
import { PickFill } from "./picking.js";
import { aimedAt } from "./target.js";
import { SHOWN, costWords, grouped, legWords, spoken } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Board} Board */
/** @typedef {import("../lib/documents.js").Trace} Trace */

/** Pins of one kind of finding at most. */
const ALIKE = 6;

/** Draws on the board of a table. */
export class Show {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** A board of the past that is shown in place of the match. @type {Board | null} */
    this.past = null;
    /** Draw the action in hand, at most once a frame. */
    this.draw = oncePerFrame(() => this.past || this.#draw());
    this.laid = false;
    /** Where the bodies in hand could last stand. @type {import("./fillers.js").Pose[]} */
    this.stood = [];
    const { state, selection, hand } = table;
    state.addEventListener("change", () => this.match());
    selection.addEventListener("select", () => this.chosen());
    selection.addEventListener("controls", () => this.draw());
    table.host.addEventListener("view", () => this.#handles());
    hand.addEventListener("draft", () => {
      this.stood = [];
      this.chosen();
      this.draw();
    });
    hand.addEventListener("change", () => {
      if (hand.draft?.fill instanceof PickFill) this.chosen();
      this.draw();
    });
    hand.addEventListener("verdict", () => this.draw());
  }

  /** The storey that is shown; the lowest where all are shown. @returns {number} */
  get storey() {
    const shown = this.table.board.storey;
    return typeof shown === "number" ? shown : 0;
  }

  match() {
    if (this.past) return;
    const { board, state } = this.table;
    // Terrain never changes: given again, the whole board would be drawn anew.
    board.show({ ...state.board, terrain: null }, this.laid ? null : state.terrain);
    this.laid = true;
    this.chosen();
    this.draw();
    this.last();
  }

  /** The way the last entry went, thin. */
  last() {
    const { board, state, hand } = this.table;
    const line = state.log.findLast((one) => one.counts);
    const traces = hand.draft?.begun || !line ? [] : line.traces;
    board.ways(traces, { kind: "past", labels: legWords(traces, this.table.units) });
  }

  /** Show an entry of the past; null comes back to the match. @param {Board | null} past @param {Trace[]} [traces] */
  replay(past, traces = []) {
    const { board } = this.table;
    this.past = past;
    if (!past) {
      this.match();
      return;
    }
    this.clear();
    board.show({ ...past, terrain: null });
    board.ways(traces, { kind: "past" });
  }

  clear() {
    const { board } = this.table;
    board.ghosts([]);
    board.ways([], { kind: "moved" });
    board.ways([], { kind: "wanted" });
    board.ways([], { kind: "nearest" });
    board.pins([]);
    board.handles([]);
  }

  /** Rings of what is selected, and of those that may be picked. */
  chosen() {
    const { board, selection, hand, state } = this.table;
    board.select(selection.bodies);
    const draft = hand.draft;
    const picking = draft?.fill instanceof PickFill;
    const ending = draft && ends(draft.control);
    const all = picking ? (draft?.control.candidates ?? []) : ending ? (state.board.waiting ?? []) : [];
    const may = all.filter((id) => !draft?.barred.has(id));
    const bodies = (/** @type {string[]} */ ids) => ids.flatMap((id) => state.bodies(id).map((figure) => figure.id));
    board.mark(bodies(state.board.active ?? []), "active");
    board.mark(bodies(may), "can");
    const aimed = bodies(aimedAt(draft));
    board.mark(aimed, "target");
    // Who is out of question steps back.
    this.table.host.classList.toggle("aiming", picking && may.length > 0);
  }

  /** Make a body stand out for a moment; null ends that. @param {string | null} id */
  point(id) {
    const { board, state } = this.table;
    board.mark(id === null ? [] : state.bodies(id).map((figure) => figure.id), "about");
  }

  /** Pins with the numbers of the list. @param {import("../lib/documents.js").Finding[]} findings */
  pins(findings, most = Infinity) {
    const groups = grouped(findings, this.table.hand.draft?.stop).slice(0, most);
    const pin = (/** @type {import("../lib/documents.js").Finding} */ finding, /** @type {number} */ n) => ({
      ...finding,
      text: spoken(finding),
      number: n + 1,
    });
    this.table.board.pins(groups.flatMap((group, n) => group.slice(0, ALIKE).map((finding) => pin(finding, n))));
  }

  #draw() {
    const { board, hand } = this.table;
    const draft = hand.draft;
    const gone = draft?.verdict?.moved.length || draft?.verdict?.findings.length;
    if (!draft || (!draft.begun && !gone)) {
      this.clear();
      board.hint(null);
      this.#handles();
      this.last();
      return;
    }
    board.ways([], { kind: "past" });
    const verdict = draft.complete ? draft.verdict : null;
    const nearest = verdict ? draft.nearest : null;
    const bad = Boolean(verdict && !verdict.legal && !this.table.drag.letting);
    // Before dice are thrown nothing has moved: then the way that is asked for is shown.
    const going = verdict?.moved.length ? verdict.moved : (verdict?.wanted ?? []);
    const { units } = this.table;
    board.ways(bad ? [] : going, { kind: "moved", labels: legWords(going, units) });
    const kind = bad && !nearest ? "refused" : "wanted";
    board.ways(bad && verdict ? verdict.wanted : [], { kind, labels: !nearest });
    board.ways([], { kind: bad && !nearest ? "wanted" : "refused" });
    const near = nearest?.traces ?? [];
    board.ways(near, { kind: "nearest", labels: legWords(near, units) });
    board.ghosts(this.#ghosts());
    // After the ghosts, which they keep off.
    const faults = verdict && (bad || verdict.kind === "STOPPED") ? verdict.findings : [];
    this.pins(faults, this.table.order.more ? Infinity : SHOWN);
    this.#handles();
    this.#hint(verdict);
  }

  /**
   * What the hand needs to know, beside it while it drags.
   * @param {import("../lib/documents.js").Verdict | null} verdict
   */
  #hint(verdict) {
    const { board, hand, drag, units } = this.table;
    const draft = hand.draft;
    const at = draft ? drag.hand : null;
    if (!draft || !at || !verdict) {
      board.hint(null);
      return;
    }
    if (drag.letting) {
      board.hint({ at, words: drag.letting, kind: "good" });
      return;
    }
    const [[first] = []] = grouped(verdict.findings, draft.stop);
    const sum = costWords(verdict, draft.control.allowance ?? null, units);
    const words = first && (!verdict.legal || verdict.kind === "STOPPED") ? spoken(first) : sum;
    board.hint(words ? { at, words, kind: verdict.legal ? "good" : "bad" } : null);
  }

  /** Where the bodies of the draft are seen: where the server lets them stand, else where the hand is. */
  #ghosts() {
    const draft = this.table.hand.draft;
    if (!draft) return [];
    const wanted = draft.preview();
    const free = wanted.map((pose) => ({ ...pose, legal: undefined }));
    const verdict = draft.complete ? draft.verdict : null;
    // While the next verdict is on its way the ghost goes with the hand.
    if (!verdict || (verdict.legal && draft.late && wanted.length)) return free;
    if (verdict.legal) {
      const stopped = verdict.moved.length ? verdict.moved : verdict.wanted;
      const ends = new Map(stopped.map((trace) => [trace.body, endOf(trace)]));
      for (const pose of wanted) if (!ends.has(pose.body)) ends.set(pose.body, pose);
      this.stood = [...ends.values()];
      return tailed(this.stood, wanted);
    }
    const ends = (draft.nearest?.traces ?? []).map(endOf);
    if (ends.length) {
      this.stood = ends;
      return tailed(ends, wanted);
    }
    // Its nearest legal move is still to come: it stays where it last could stand.
    if (draft.rough && this.stood.length) return tailed(this.stood, wanted);
    const refused = wanted.length ? wanted : verdict.wanted.map(endOf);
    return refused.map((pose) => ({ ...pose, legal: false }));
  }

  #handles() {
    this.table.board.handles(this.past || this.table.tools.mode ? [] : handlesOf(this.table));
  }
}

/** @param {Trace} trace */
function endOf(trace) {
  const [x, y, z] = trace.end;
  return { body: trace.body, x, y, z, facing: trace.facing };
}

/**
 * Poses that may be, each with the place the hand wanted.
 * @param {import("./fillers.js").Pose[]} poses
 * @param {import("./fillers.js").Pose[]} wanted
 */
function tailed(poses, wanted) {
  return poses.map((pose) => ({
    ...pose,
    legal: true,
    tail: tailOf(pose, wanted.find((one) => one.body === pose.body)),
  }));
}

/**
 * The place the hand wanted, where that is another.
 * @param {{x: number, y: number}} pose
 * @param {{x: number, y: number} | undefined} hoped
 * @returns {[number, number] | null}
 */
function tailOf(pose, hoped) {
  if (!hoped || Math.hypot(pose.x - hoped.x, pose.y - hoped.y) < 1e-3) return null;
  return [hoped.x, hoped.y];
}
