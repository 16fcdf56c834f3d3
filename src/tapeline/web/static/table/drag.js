// @ts-check
// The hand on the board: press and drag a figure, click way-points, turn handles, pick targets.

import { outside } from "../board/figures.js";
import { detail } from "./state.js";
import { Flush } from "./flush.js";
import { AmountFill, PathFill, PoseFill, wrap } from "./fillers.js";
import { front } from "./handles.js";
import { ended, opened, settled, unmoved } from "./opening.js";
import { PickFill, PlaceFill, StandsFill } from "./picking.js";
import { Steps } from "./steps.js";
import { told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Control} Control */
/** @typedef {{pointer: number, what: "body" | "turn" | "push" | "waiting" | "aim", dx: number, dy: number,
 *            x: number, y: number, moved: boolean, lift: number, id: string, last: PointerEvent | null,
 *            pivot: [number, number] | null, from: number, opened: number, before: Control[],
 *            lifted: boolean}} Grip
 * opened: how many entries were made so that the drag could begin; before: what was open before them;
 * lifted: whether it came from the tray. */

/** Pixels a pointer may stray and still be a click. */
const SLOP = 4;
/** Pixels that the ghost stands above a finger. */
const LIFT = 64;

export class Drag extends Steps {
  /** @param {Table} table */
  constructor(table) {
    super(table);
    /** @type {Grip | null} */
    this.grip = null;
    /** The place of the table under the hand while it drags. @type {[number, number] | null} */
    this.hand = null;
    this.flush = new Flush(table);
    const { host, hand } = table;
    host.addEventListener("pick", (event) => this.pick(/** @type {CustomEvent} */ (event)));
    host.addEventListener("point", (event) => this.point(detail(event)));
    host.addEventListener("hover", (event) => {
      const { point, storey } = detail(event);
      this.over = point;
      if (point) this.overStorey = storey;
    });
    host.addEventListener("letgo", () => this.release(null));
    host.addEventListener("storey", () => this.storey());
    host.addEventListener("pointermove", (event) => this.move(event));
    host.addEventListener("pointerup", (event) => this.release(event));
    host.addEventListener("pointercancel", () => this.release(null));
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false, capture: true });
    hand.addEventListener("draft", () => {
      this.chosenHeight = false;
      if (!hand.draft) this.hand = null;
    });
  }

  cancel() {
    this.grip = null;
    this.hand = null;
    super.cancel();
  }

  /** A pointer went down on something, or a key chose it. @param {CustomEvent} event */
  pick(event) {
    const { id, part, point, originalEvent } = event.detail;
    const { tools, state } = this.table;
    if (this.table.show.past || tools.mode) return;
    if (!(originalEvent instanceof PointerEvent) || originalEvent.button !== 0) return;
    const draft = this.draft;
    if (part === "handle") {
      this.#handle(event, id, point);
      return;
    }
    const fill = draft?.fill;
    if (draft && this.table.hand.dragging && !(fill instanceof PlaceFill)) {
      const own = part === "ghost" || draft.poses.some((pose) => pose.body === id);
      if (own && part !== "ground") {
        if (fill instanceof StandsFill) fill.hold(id);
        const end = part === "ghost" && fill && "end" in fill ? fill.end : null;
        const centre = end ?? (fill instanceof PoseFill ? middleOf(fill) : state.figure(id));
        if (centre) this.#hold(event, "body", id, point[0] - centre.x, point[1] - centre.y);
        return;
      }
    }
    if (part !== "figure" || draft?.fill instanceof PickFill || draft?.begun) return;
    const figure = state.figure(id);
    if (!figure || !state.moves(figure.side) || state.now.question) return;
    this.#hold(event, "waiting", id, point[0] - figure.x, point[1] - figure.y);
  }

  /**
   * A handle is taken hold of; the turn it stands for is begun with it.
   * @param {CustomEvent} event
   * @param {string} id
   * @param {[number, number]} point
   */
  #handle(event, id, point) {
    const { hand, selection } = this.table;
    if (!hand.draft) {
      const control = selection.turning;
      if (!control) return;
      hand.begin(control);
    }
    const draft = hand.draft;
    if (!draft) return;
    this.#hold(event, id === "push" ? "push" : "turn", id, 0, 0);
    const fill = draft.fill;
    if (!this.grip || !(fill instanceof AmountFill) || fill.what !== "turn") return;
    const name = id.startsWith("wheel-") ? id.slice("wheel-".length) : "";
    if (name && draft.extras.about !== name) {
      const said = draft.control.extras?.find((extra) => extra.name === "about")?.default;
      if (name !== (draft.extras.about ?? said)) fill.set(0);
      if (name === said) delete draft.extras.about;
      else draft.extras.about = name;
    }
    const pivot = name ? front(this.table, fill.poses, name)[0] : fill.centre;
    this.grip.pivot = pivot;
    this.grip.from = angleTo(pivot, point) - fill.amount;
  }

  /**
   * @param {CustomEvent} event
   * @param {Grip["what"]} what
   * @param {string} id
   * @param {number} dx
   * @param {number} dy
   */
  #hold(event, what, id, dx, dy) {
    event.preventDefault();
    const from = /** @type {PointerEvent} */ (event.detail.originalEvent);
    this.grip = {
      pointer: from.pointerId,
      what,
      id,
      dx,
      dy,
      x: from.clientX,
      y: from.clientY,
      moved: false,
      lift: 0,
      last: null,
      pivot: null,
      from: 0,
      opened: 0,
      before: [],
      lifted: false,
    };
    // On the frame, where the board listens too.
    this.table.board.frame.setPointerCapture(from.pointerId);
  }

  /** A body in the tray is dragged onto the board. @param {PointerEvent} event @param {string} id */
  lift(event, id) {
    this.#hold(new CustomEvent("pick", { detail: { originalEvent: event } }), "waiting", id, 0, 0);
    if (this.grip) this.grip.lifted = true;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const grip = this.grip;
    if (!grip || event.pointerId !== grip.pointer) return;
    const far = Math.hypot(event.clientX - grip.x, event.clientY - grip.y);
    if (!grip.moved) {
      if (far < SLOP) return;
      grip.moved = true;
      if (grip.what === "waiting") this.#take(grip);
      if (event.pointerType === "touch") this.table.pad.show();
    }
    if (event.pointerType === "touch") grip.lift = Math.max(grip.lift, Math.min(LIFT, far));
    grip.last = event;
    if (grip.what !== "waiting" && grip.what !== "aim") this.#follow(grip);
  }

  /** The drag of a body not yet in hand: select it and begin what a drag of it naturally is. @param {Grip} grip */
  async #take(grip) {
    const { selection, hand, state } = this.table;
    if (state.done) {
      this.grip = null;
      selection.select(grip.id);
      ended(this.table);
      return;
    }
    const draft = hand.draft;
    const ours = draft && !draft.begun && draft.poses.some((pose) => pose.body === grip.id);
    if (!ours) {
      hand.put();
      await selection.select(grip.id);
      if (selection.loading) await settled(selection);
      grip.before = selection.open;
      const control = selection.natural ?? (await opened(this.table, grip));
      if (selection.id === null) return; // Given up meanwhile.
      if (this.grip !== grip && !grip.last) return;
      if (!control) {
        // It may still be let go on whom it can meet.
        if (this.grip === grip && grip.before.some((one) => one.closes)) {
          grip.what = "aim";
          return;
        }
        if (!(await this.#dropped(grip))) unmoved(this.table, grip);
        if (this.grip === grip) this.grip = null;
        return;
      }
      await hand.begin(control);
    }
    const fill = hand.draft?.fill;
    if (fill instanceof StandsFill) fill.hold(grip.id);
    const figure = state.figure(grip.id);
    if (fill instanceof PoseFill && figure && !grip.lifted) {
      const centre = middleOf(fill);
      grip.dx += figure.x - centre.x;
      grip.dy += figure.y - centre.y;
    }
    grip.what = "body";
    this.#follow(grip);
    if (this.grip !== grip) {
      this.hand = null;
      if (grip.lifted) this.#setDown(grip);
      else this.#dropped(grip);
    }
  }

  /** @param {Grip} grip */
  #follow(grip) {
    const draft = this.draft;
    const event = grip.last;
    if (!draft || !event) return;
    const { board, show } = this.table;
    const touch = event.pointerType === "touch";
    const above = new MouseEvent("pointermove", { clientX: event.clientX, clientY: event.clientY - grip.lift });
    const [px, py] = board.at(above);
    this.overStorey = board.storeyAt(above);
    const free = touch && grip.what === "body";
    const [x, y] = free ? [px, py] : [px - grip.dx, py - grip.dy];
    this.hand = /** @type {[number, number]} */ ([px, py]);
    this.over = /** @type {[number, number]} */ ([x, y]);
    draft.straight = event.shiftKey;
    const fill = draft.fill;
    if (grip.what === "turn") this.#turn(px, py, event.shiftKey, grip);
    else if ("pointTo" in fill) {
      this.height();
      fill.pointTo(x, y);
      if (fill instanceof StandsFill) this.flush.soon(fill);
    }
    draft.changed();
    show.draw();
  }

  /** The front, or the round handle, looks at a place. @param {number} x @param {number} y @param {boolean} coarse @param {Grip} grip */
  #turn(x, y, coarse, grip) {
    const fill = this.draft?.fill;
    const end = fill && "end" in fill ? fill.end : null;
    if (!fill || !end) return;
    if (fill instanceof AmountFill) {
      const by = wrap(angleTo(grip.pivot ?? fill.centre, [x, y]) - grip.from);
      const fine = Math.round(by * 10) / 10;
      fill.set(coarse ? Math.round(by / 5) * 5 : fine);
      return;
    }
    const wanted = (Math.atan2(y - end.y, x - end.x) * 180) / Math.PI;
    const step = coarse ? Math.round(wanted / 5) * 5 : wanted;
    fill.turn(wrap(step - end.facing));
  }

  /** @param {PointerEvent | null} event */
  release(event) {
    const grip = this.grip;
    if (!grip || (event && event.pointerId !== grip.pointer)) return;
    this.grip = null;
    this.hand = null;
    const fill = this.draft?.fill;
    if (grip.moved && fill instanceof StandsFill) this.flush.now(fill);
    this.table.show.draw();
    if (event && !grip.moved && grip.what === "waiting") this.table.selection.select(grip.id);
    if (event && grip.lifted && grip.what === "body") this.#setDown(grip);
    else if (event && grip.moved && grip.what === "body") this.#dropped(grip);
    if (event && grip.what === "aim") this.#dropped(grip).then((met) => (met ? undefined : unmoved(this.table, grip)));
  }

  /** One from the tray was let go: on the board it is set up, elsewhere it stays. @param {Grip} grip */
  #setDown({ last }) {
    const { board, hand } = this.table;
    const at = last && board.frame.getBoundingClientRect();
    const inside = at && last.clientX >= at.left && last.clientX <= at.right && last.clientY >= at.top && last.clientY <= at.bottom;
    if (inside) hand.confirm();
    else hand.put();
  }

  /** The body of another side that the hand is over. @param {Grip} grip */
  #met({ id, last, lift }) {
    const { board, state } = this.table;
    const own = state.figure(id);
    if (!last || !own) return undefined;
    const above = new MouseEvent("pointerup", { clientX: last.clientX, clientY: last.clientY - lift });
    const [x, y] = board.at(above);
    const storey = board.storeyAt(above);
    return state.board.figures.find((one) => one.side !== own.side && one.storey === storey && outside(one, x, y) <= 0);
  }

  /** What letting go here would begin, in words; "" where that is the move in hand. */
  get letting() {
    const { grip } = this;
    const met = grip?.what === "body" || grip?.what === "aim" ? this.#met(grip) : undefined;
    if (!grip || !met) return "";
    const control = [...this.table.selection.open, ...grip.before].find((one) => meeting(one, met));
    return control ? `Let go: ${told(control.label)} on ${this.table.state.name(met.unit ?? met.id)}` : "";
  }

  /**
   * A body was let go: if that was on one of another side, what brings it there is taken in hand.
   * @param {Grip} grip
   * @returns {Promise<boolean>} whether there is such a thing
   */
  async #dropped(grip) {
    const { opened, before } = grip;
    const { aim, hand, selection, state } = this.table;
    const met = this.#met(grip);
    if (!met) return false;
    const picked = (/** @type {Control} */ control) => meeting(control, met);
    if (opened && !selection.open.some(picked) && before.some(picked)) {
      // What the drag did first has closed the way to it.
      aim.off = true;
      hand.put();
      const done = await state.undo(opened);
      while (selection.loading) await settled(selection);
      aim.off = false;
      if (!done) return false;
    }
    const control = selection.open.find(picked);
    if (!control) return false;
    hand.take(control);
    const [draft, one] = [hand.draft, picked(control)];
    if (draft?.fill instanceof PickFill && one && !draft.fill.picked.includes(one)) {
      draft.fill.pick(one);
      draft.changed();
    }
    return true;
  }

  /** A click: a way-point, a place, a target, or a figure selected. @param {any} found */
  point(found) {
    const { id, part, point, storey, originalEvent } = found;
    this.overStorey = storey;
    const { tools, state, selection, hand, show } = this.table;
    if (show.past || tools.mode) return;
    const draft = this.draft;
    const fill = draft?.fill;
    if (draft && fill instanceof PickFill && part === "figure") {
      fill.pick(this.#candidate(id));
      draft.changed();
      return;
    }
    if (draft && part === "ground" && hand.dragging) {
      if (fill instanceof PathFill || fill instanceof StandsFill) {
        fill.fix();
        this.height();
      } else if (fill && "set" in fill) return;
      else this.height();
      fill?.pointTo(point[0], point[1]);
      draft.changed();
      return;
    }
    if (part === "figure") {
      if (draft?.begun) {
        if (draft.poses.some((pose) => pose.body === id)) {
          if (fill instanceof StandsFill) fill.hold(id);
          return;
        }
        // A click on somebody else while a way is in hand: as a place to go to, for contact.
        const figure = state.figure(id);
        if (figure && (fill instanceof PathFill || fill instanceof PoseFill)) {
          fill.fix();
          fill.pointTo(point[0], point[1]);
          draft.changed();
        }
        return;
      }
      hand.put();
      selection.select(id, { more: Boolean(originalEvent?.shiftKey) });
      return;
    }
    if (part === "ground" && !draft) selection.select(null);
  }

  /** The id that may be picked for a body: its own, or that of its unit. @param {string} id */
  #candidate(id) {
    const list = this.draft?.control.candidates ?? [];
    const unit = this.table.state.figure(id)?.unit;
    if (list.includes(id) || !unit) return id;
    const units = list.some((one) => this.table.state.group(one));
    return list.includes(unit) || units ? unit : id;
  }

  /** Turning by the wheel, with Alt or Ctrl, so that the plain wheel still zooms. @param {WheelEvent} event */
  wheel(event) {
    const draft = this.draft;
    if (!draft || !event.altKey || !this.table.hand.dragging) return;
    event.preventDefault();
    event.stopPropagation();
    const by = event.deltaY > 0 || event.deltaX > 0 ? -1 : 1;
    this.turn(by * (event.shiftKey ? 15 : 5));
  }

}

/**
 * The candidate of a control that brings one to a body, if it is one.
 * @param {Control} control
 * @param {import("../lib/documents.js").Figure} met
 */
function meeting(control, met) {
  return control.closes ? control.candidates?.find((one) => one === met.id || one === met.unit) : undefined;
}

/** @param {[number, number]} from @param {[number, number]} to @returns {number} degrees */
function angleTo(from, to) {
  return (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
}

/** @param {PoseFill} fill */
function middleOf(fill) {
  const [x, y] = fill.to ?? fill.centre;
  return { x, y };
}
