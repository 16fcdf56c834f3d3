// @ts-check
// The one action in hand: begun from a control or by an open question, confirmed, or put down again.

import { Draft, DRAGGED, poseOf } from "./draft.js";
import { PathFill, PoseFill } from "./fillers.js";
import { ends, passed } from "./given.js";
import { PickFill, StandsFill } from "./picking.js";
import { detail } from "./state.js";

/** @typedef {import("../lib/documents.js").Control} Control */
/** @typedef {import("../lib/documents.js").Verdict} Verdict */

/** Events: "draft" when another action is taken in hand or put down, "change", "verdict", "refused" {verdict},
 * "onward" {from, steps} when steps are passed with what is done: the log's length before, and how many; null if not. */
export class Hand extends EventTarget {
  /** @param {import("./state.js").State} state @param {import("./select.js").Selection} selection */
  constructor(state, selection) {
    super();
    this.state = state;
    this.selection = selection;
    /** @type {Draft | null} */
    this.draft = null;
    /** Do it as soon as its verdict is in. */
    this.hasty = false;
    this.sending = false;
    state.addEventListener("change", (event) => {
      if (detail(event).grown) this.#renewed();
    });
  }

  /**
   * Take up a control. One with nothing open is done at once if it can be taken back as easily.
   * @param {Control} control
   */
  async begin(control) {
    this.put();
    const plain = control.gesture === "press" && !control.extras?.length;
    if (plain && this.sending) return;
    if (plain && !(await this.#weighty(control))) await this.send(control.action, control);
    else this.take(control);
  }

  /**
   * Whether an action with nothing open is looked at before it is done: dice fall, somebody is
   * asked or moved, or others can no longer do what they might have done.
   * @param {Control} control
   */
  async #weighty(control) {
    const { action } = control;
    if (ends(control) && this.state.board.waiting?.length) return true;
    this.sending = true;
    this.#tell("change");
    const verdict = await this.state.api.post("judge", { action }).catch(() => null);
    this.sending = false;
    this.#tell("change");
    return Boolean(verdict?.legal && (verdict.question || verdict.moved.length));
  }

  /** Take up a control, whatever it leaves open: nothing is done yet. @param {Control} control */
  take(control) {
    this.put();
    const draft = new Draft(this.state, control, this.#posesFor(control));
    const picks = draft.fill;
    if (picks instanceof PickFill) {
      const given = this.selection.ids.filter((id) => (control.candidates ?? []).includes(id));
      if (picks.many) given.forEach((id) => picks.pick(id));
      else if (control.candidates?.length === 1) picks.pick(control.candidates[0]);
    }
    this.#hold(draft);
    // Who is to be set up is seen at once where it could stand.
    const fill = draft.fill;
    if (fill instanceof PoseFill && draft.poses.some((pose) => this.state.waits(pose.body))) fill.pointTo(...fill.centre);
    if (draft.complete) draft.try();
  }

  /** Take up the path that an open question asks for. @param {import("../lib/documents.js").Question} question */
  answerWith(question) {
    const figure = this.state.figure(question.body ?? question.about);
    if (!figure) return;
    this.put();
    const control = /** @type {Control} */ (/** @type {unknown} */ ({
      action: {},
      label: question.purpose,
      gesture: "path",
      slot: "path",
      clause: question.clause,
      manners: question.manners,
      allowance: question.allowance,
      spent: question.allowance === null ? null : 0,
    }));
    const draft = new Draft(this.state, control, [poseOf(figure)], { answers: true });
    this.#hold(draft);
    draft.try();
  }

  /** @param {Control} control @returns {import("./fillers.js").Pose[]} */
  #posesFor(control) {
    const actor = control.action.actor ?? this.selection.id;
    const ids = [actor, ...(Array.isArray(control.action.units) ? control.action.units : [])];
    const bodies = ids.flatMap((id) => (typeof id === "string" ? this.state.bodies(id) : []));
    const chosen = bodies.length ? bodies : this.selection.bodies.map((id) => this.state.figure(id));
    return chosen.flatMap((figure) => (figure ? [poseOf(figure)] : []));
  }

  /** @param {Draft} draft */
  #hold(draft) {
    this.draft = draft;
    draft.addEventListener("change", () => {
      this.hasty = false;
      this.#tell("change");
    });
    draft.addEventListener("verdict", () => {
      this.#tell("verdict");
      if (this.hasty && !draft.late && !draft.rough) this.confirm();
    });
    this.#tell("draft");
  }

  /** Whether a hand on the board changes the action in hand. */
  get dragging() {
    return this.draft !== null && DRAGGED.has(this.draft.control.gesture);
  }

  /**
   * Do what the ghost shows: the action, or the nearest legal one in its place.
   * @param {boolean} [byKey] a key does not make a move of no length
   */
  async confirm(byKey = false) {
    const draft = this.draft;
    if (!draft || this.sending || !draft.complete || (byKey && draft.stays)) return;
    if (!draft.verdict || draft.late || draft.rough) {
      this.hasty = true;
      return;
    }
    this.hasty = false;
    const nearest = draft.nearest;
    if (!draft.verdict.legal && !nearest) return;
    if (draft.answers) {
      await this.#answer(nearest ? nearest.action.path : draft.path);
      return;
    }
    await this.send(nearest ? nearest.action : draft.action, draft.control);
  }

  /** @param {unknown} value */
  async #answer(value) {
    const mine = this.draft;
    this.sending = true;
    this.#tell("change");
    const done = await this.state.answer({ value });
    this.sending = false;
    if (done?.written || done?.proposal) this.#done(mine);
    else if (done?.verdict) this.#refused(done.verdict);
    this.#tell("change");
  }

  /** @param {Record<string, any>} action @param {Control} control */
  async send(action, control) {
    if (this.sending) return;
    const mine = this.draft;
    const { state } = this;
    const from = state.log.length;
    const steps = passed(state, control).length;
    /** @param {{from: number, steps: number} | null} detail */
    const onward = (detail) => steps && this.dispatchEvent(new CustomEvent("onward", { detail }));
    this.sending = true;
    this.#tell("change");
    // Entries may be heard of, and taken back, before the answer is here.
    onward({ from, steps });
    const done = await state.act(action, [], steps ? state.passing : []);
    this.sending = false;
    if (!done?.written) onward(null);
    // What waits for the other side is out of the hand as well.
    if (done?.written || done?.proposal) this.#done(mine);
    else if (done?.verdict) this.#refused(done.verdict);
    this.#tell("change");
  }

  /** It was done; a question that came of it may be in hand already. @param {Draft | null} mine */
  #done(mine) {
    if (this.draft === mine) this.put();
  }

  /** @param {Verdict} verdict */
  #refused(verdict) {
    this.dispatchEvent(new CustomEvent("refused", { detail: { verdict } }));
  }

  /** Take the legal move the server named into the hand, so that it can still be changed. */
  adopt() {
    const draft = this.draft;
    const nearest = draft?.nearest;
    if (!draft || !nearest) return;
    const { fill, control } = draft;
    const action = nearest.action;
    const value = action[draft.answers ? "path" : control.slot];
    if (fill instanceof PathFill && Array.isArray(value)) fill.take(value);
    else if (fill instanceof StandsFill && Array.isArray(value)) fill.take(value);
    else if (fill instanceof PoseFill && Array.isArray(value)) {
      fill.pointTo(value[0], value[1]);
      const angle = action[control.turn_slot ?? ""];
      if (typeof angle === "number") {
        fill.turned = control.turns === "by" ? angle : angle - fill.poses[0].facing;
      }
    } else if ("set" in fill && typeof value === "number") fill.set(value);
    else return;
    draft.changed();
  }

  /** Put it down without doing it. */
  put() {
    const draft = this.draft;
    this.hasty = false;
    if (!draft) return;
    draft.end();
    this.draft = null;
    this.#tell("draft");
  }

  /** The match changed under the hand: what was begun is no longer what it was. */
  #renewed() {
    const draft = this.draft;
    if (!draft || this.sending) return;
    const moved = draft.poses.some((pose) => {
      const figure = this.state.figure(pose.body);
      return !figure || figure.x !== pose.x || figure.y !== pose.y || figure.z !== pose.z;
    });
    // A step that somebody else has ended is not ended again.
    const { action, label } = draft.control;
    const same = (/** @type {Control} */ one) => one.action.kind === action.kind && one.label === label;
    const offered = this.state.now.controls.some((one) => same(one) && !one.why_not?.length);
    const over = ends(draft.control) && !offered;
    if (moved || over || this.state.now.question || draft.answers) this.put();
    else draft.try();
  }

  /** @param {string} name */
  #tell(name) {
    this.dispatchEvent(new CustomEvent(name));
  }
}
