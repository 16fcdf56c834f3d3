// @ts-check
// Hands on the board: drag, wheel, pinch and keys move the view; presses and taps become events.

import { isWriting } from "../lib/keys.js";

/** @typedef {import("./view.js").View} View */

/** Pixels a pointer may stray and still tap. */
const SLOP = 5;
const SLOP_TOUCH = 10;
const ARROW = 60;
const STEP = 1.25;

/**
 * @typedef {object} Hands
 * @property {(event: PointerEvent) => boolean} press a pointer went down: true if somebody claims
 *   its drag, so that the view stays
 * @property {(event: PointerEvent) => void} tap it went up where it came down
 * @property {(event: PointerEvent | null) => void} hover it moves without a button; null: it left
 * @property {() => void} pinch a second finger came: whoever claimed the drag must let go
 */

/** Wires the pointer, wheel and keys of a frame to a view. */
export class Gestures {
  /**
   * @param {HTMLElement} frame
   * @param {View} view
   * @param {Hands} hands
   */
  constructor(frame, view, hands) {
    this.frame = frame;
    this.view = view;
    this.hands = hands;
    /** @type {Map<number, {x: number, y: number}>} */
    this.down = new Map();
    /** @type {{id: number, x: number, y: number, claimed: boolean, moved: boolean} | null} */
    this.first = null;
    this.space = false;
    /** Where the frame was when the pointer went down. @type {DOMRect | null} */
    this.held = null;
    const on = (/** @type {string} */ name, /** @type {any} */ does, options = {}) =>
      frame.addEventListener(name, does.bind(this), options);
    on("pointerdown", this.press);
    on("pointermove", this.move);
    on("pointerup", this.release);
    on("pointercancel", this.release);
    on("pointerleave", () => this.hands.hover(null));
    on("wheel", this.wheel, { passive: false });
    on("keydown", this.key);
    on("contextmenu", this.menu);
    document.addEventListener("keydown", (event) => this.hold(event, true));
    document.addEventListener("keyup", (event) => this.hold(event, false));
  }

  /** Where the frame is in the window; not asked in the middle of a drag, as that lays out the page. */
  get box() {
    return this.held ?? this.frame.getBoundingClientRect();
  }

  /** Pixel of the frame under a pointer. @param {MouseEvent} event @returns {[number, number]} */
  pixel(event) {
    const { box } = this;
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (isControl(event.target)) return;
    if (event.pointerType === "mouse" && event.button === 2) return;
    this.held = this.frame.getBoundingClientRect();
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.down.size > 1) {
      if (this.first?.claimed) this.hands.pinch();
      this.first = null;
      this.take(event);
      return;
    }
    const roams = this.space || event.button === 1;
    const claimed = !roams && this.hands.press(event);
    this.first = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      claimed,
      moved: roams,
    };
    if (event.button === 1) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") this.hands.hover(event);
      return;
    }
    const now = { x: event.clientX, y: event.clientY };
    if (this.down.size === 2) {
      const [one, other] = [...this.down.keys()];
      const still = this.down.get(event.pointerId === one ? other : one);
      if (still) this.pinch(before, now, still);
      this.down.set(event.pointerId, now);
      return;
    }
    this.down.set(event.pointerId, now);
    const first = this.first;
    if (!first || first.id !== event.pointerId) return;
    const slop = event.pointerType === "touch" ? SLOP_TOUCH : SLOP;
    if (!first.moved && Math.hypot(now.x - first.x, now.y - first.y) > slop) {
      first.moved = true;
      if (!first.claimed) this.take(event);
    }
    if (first.moved && !first.claimed) {
      this.frame.classList.add("grabbing");
      this.view.pan(now.x - before.x, now.y - before.y);
    }
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.down.delete(event.pointerId)) return;
    if (!this.down.size) this.held = null;
    this.frame.classList.remove("grabbing");
    const first = this.first;
    if (first?.id === event.pointerId) {
      this.first = null;
      if (event.type === "pointerup" && !first.moved) this.hands.tap(event);
    }
  }

  /**
   * @param {{x: number, y: number}} before
   * @param {{x: number, y: number}} now
   * @param {{x: number, y: number}} still
   */
  pinch(before, now, still) {
    const { box } = this;
    const was = Math.hypot(before.x - still.x, before.y - still.y);
    const is = Math.hypot(now.x - still.x, now.y - still.y);
    this.view.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    const midX = (now.x + still.x) / 2 - box.left;
    const midY = (now.y + still.y) / 2 - box.top;
    if (was > 8) this.view.zoom(midX, midY, is / was);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (event.defaultPrevented || isControl(event.target)) return;
    event.preventDefault();
    const [x, y] = this.pixel(event);
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.shiftKey) {
      this.view.pan(-(event.deltaX || event.deltaY) * lines, 0);
      return;
    }
    // A pinch on a touch pad comes as a wheel with Ctrl and small steps.
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    const turn = Math.max(-240, Math.min(240, event.deltaY * lines));
    this.view.zoom(x, y, Math.exp(-turn * speed));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const middle = [this.view.width / 2, this.view.height / 2];
    if (event.key === "+" || event.key === "=") this.view.zoom(middle[0], middle[1], STEP);
    else if (event.key === "-") this.view.zoom(middle[0], middle[1], 1 / STEP);
    else if (event.key === "0") this.view.fit(true);
    else if (event.target === this.frame && event.key === "ArrowLeft") this.view.pan(ARROW, 0);
    else if (event.target === this.frame && event.key === "ArrowRight") this.view.pan(-ARROW, 0);
    else if (event.target === this.frame && event.key === "ArrowUp") this.view.pan(0, ARROW);
    else if (event.target === this.frame && event.key === "ArrowDown") this.view.pan(0, -ARROW);
    else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event @param {boolean} held */
  hold(event, held) {
    if (event.key !== " ") return;
    if (held && (isWriting(event.target) || isControl(event.target))) return;
    const over = this.frame.matches(":hover") && document.activeElement !== null;
    this.space = held && (over || document.activeElement === this.frame);
    const active = document.activeElement;
    if (held && this.space && (active === this.frame || active === document.body)) {
      event.preventDefault();
    }
  }

  /** @param {MouseEvent} event */
  menu(event) {
    // A long press on a touch screen is a hold, not a wish for a menu.
    if (/** @type {any} */ (event).pointerType === "touch") event.preventDefault();
  }

  /** @param {PointerEvent} event */
  take(event) {
    try {
      this.frame.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already.
    }
  }
}

/** Buttons and fields on the frame are no part of the board. @param {EventTarget | null} target */
function isControl(target) {
  return target instanceof Element && target.closest("button, input, select, a, label") !== null;
}
