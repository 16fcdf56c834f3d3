// @ts-check
// What part of the board is seen: one shift and one scale, set on the groups of the drawing.

import { oncePerFrame } from "../lib/dom.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const SOFT = 180;

/** Screen pixels are scale * world + shift; the world is in table units, y down. */
export class View {
  /**
   * @param {SVGGElement[]} worlds get the transform
   * @param {(scaled: boolean) => void} changed after each change; whether the scale is another
   */
  constructor(worlds, changed) {
    this.worlds = worlds;
    this.changed = changed;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.width = 0;
    this.height = 0;
    /** @type {Box} */
    this.whole = { x: 0, y: 0, width: 1, height: 1 };
    this.margin = { top: 12, right: 12, bottom: 12, left: 12 };
    this._draw = oncePerFrame(() => this.flush());
    this._drawn = 0;
    this._glide = 0;
  }

  /** Scale at which the whole board is seen. */
  get fitting() {
    return this.fittingIn(this.margin, this.width, this.height);
  }

  /**
   * The same for a frame with other margins or of another size.
   * @param {{top: number, right: number, bottom: number, left: number}} margin
   * @param {number} width
   * @param {number} height
   */
  fittingIn({ top, right, bottom, left }, width, height) {
    const wide = Math.max(40, width - left - right);
    const high = Math.max(40, height - top - bottom);
    return Math.min(wide / this.whole.width, high / this.whole.height);
  }

  /** Whether the whole board is seen, or nothing yet. */
  get isWhole() {
    return this.width === 0 || Math.abs(this.scale / this.fitting - 1) < 0.02;
  }

  get least() {
    return this.fitting * 0.6;
  }

  get most() {
    return Math.max(this.fitting * 24, 240);
  }

  /** World coordinates of a pixel of the frame. @param {number} px @param {number} py @returns {[number, number]} */
  worldOf(px, py) {
    return [(px - this.x) / this.scale, (py - this.y) / this.scale];
  }

  /** Pixel of the frame of world coordinates. @param {number} x @param {number} y */
  pixelOf(x, y) {
    return [x * this.scale + this.x, y * this.scale + this.y];
  }

  /** @param {number} dx @param {number} dy pixels */
  pan(dx, dy) {
    this._stop();
    this.x += dx;
    this.y += dy;
    this._keep();
    this._draw();
  }

  /** Zoom about a pixel. @param {number} px @param {number} py @param {number} factor */
  zoom(px, py, factor) {
    this._stop();
    this._zoom(px, py, factor);
    this._draw();
  }

  /** Show the whole board. @param {boolean} [soft] */
  fit(soft = false) {
    this._go(this._aim(this.whole, this.fitting), soft);
  }

  /**
   * Show a box of the world with room about it.
   * @param {Box} box
   * @param {boolean} [soft]
   */
  show(box, soft = true) {
    const { top, right, bottom, left } = this.margin;
    const wide = Math.max(40, this.width - left - right);
    const high = Math.max(40, this.height - top - bottom);
    const scale = Math.min(wide / box.width, high / box.height, this.most);
    this._go(this._within(this._aim(box, Math.max(scale, this.least))), soft);
  }

  /** Shift no more than needed for a box to be seen. @param {Box} box */
  reveal(box) {
    if (this.isWhole) return;
    const { top, right, bottom, left } = this.margin;
    const [x0, y0] = this.pixelOf(box.x, box.y);
    const x1 = x0 + box.width * this.scale;
    const y1 = y0 + box.height * this.scale;
    const shift = (/** @type {number} */ a, /** @type {number} */ b, low = 0, high = 0) =>
      a < low ? low - a : b > high ? Math.max(high - b, low - a) : 0;
    const dx = shift(x0, x1, left, this.width - right);
    const dy = shift(y0, y1, top, this.height - bottom);
    if (dx || dy) this._go({ scale: this.scale, x: this.x + dx, y: this.y + dy }, true);
  }

  /**
   * The frame has another size: what was in its middle stays there.
   * @param {number} width
   * @param {number} height
   * @param {boolean} [refit] show the whole board whatever was seen
   */
  resize(width, height, refit = false) {
    const whole = this.isWhole;
    const dx = (width - this.width) / 2;
    const dy = (height - this.height) / 2;
    this.width = width;
    this.height = height;
    if (refit || whole) {
      this.fit();
      return;
    }
    if (dx || dy) this.pan(dx, dy);
  }

  _zoom(/** @type {number} */ px, /** @type {number} */ py, /** @type {number} */ factor) {
    const scale = Math.min(this.most, Math.max(this.least, this.scale * factor));
    const ratio = scale / this.scale;
    this.x = px - (px - this.x) * ratio;
    this.y = py - (py - this.y) * ratio;
    this.scale = scale;
    this._keep();
  }

  /** The board never leaves the frame: a third of the frame at least shows some of it. */
  _keep() {
    const { whole, scale } = this;
    const roomX = this.width / 3;
    const roomY = this.height / 3;
    const left = whole.x * scale;
    const top = whole.y * scale;
    const right = left + whole.width * scale;
    const bottom = top + whole.height * scale;
    this.x = Math.min(this.width - roomX - left, Math.max(roomX - right, this.x));
    this.y = Math.min(this.height - roomY - top, Math.max(roomY - bottom, this.y));
  }

  /** Beside a board larger than its room nothing else is seen. @param {{scale: number, x: number, y: number}} to */
  _within({ scale, x, y }) {
    const { whole, margin } = this;
    const kept = (/** @type {number} */ at, /** @type {number} */ start, /** @type {number} */ size, /** @type {number} */ low, /** @type {number} */ high) =>
      size * scale < high - low ? at : Math.min(low - start * scale, Math.max(high - (start + size) * scale, at));
    return {
      scale,
      x: kept(x, whole.x, whole.width, margin.left, this.width - margin.right),
      y: kept(y, whole.y, whole.height, margin.top, this.height - margin.bottom),
    };
  }

  /** @param {Box} box @param {number} scale */
  _aim(box, scale) {
    const { top, right, bottom, left } = this.margin;
    const midX = left + (this.width - left - right) / 2;
    const midY = top + (this.height - top - bottom) / 2;
    return {
      scale,
      x: midX - (box.x + box.width / 2) * scale,
      y: midY - (box.y + box.height / 2) * scale,
    };
  }

  /**
   * @param {{scale: number, x: number, y: number}} to
   * @param {boolean} soft
   */
  _go(to, soft) {
    this._stop();
    if (!soft || matchMedia("(prefers-reduced-motion: reduce)").matches || !this.width) {
      Object.assign(this, to);
      this._draw();
      return;
    }
    const from = { scale: this.scale, x: this.x, y: this.y };
    const start = performance.now();
    const step = (/** @type {number} */ now) => {
      const t = Math.min(1, Math.max(0, (now - start) / SOFT));
      const e = 1 - (1 - t) ** 3;
      const scale = from.scale * (to.scale / from.scale) ** e;
      // The shift follows the scale, so that the way looks straight.
      const part =
        Math.abs(to.scale - from.scale) < 1e-9 ? e : (scale - from.scale) / (to.scale - from.scale);
      this.scale = scale;
      this.x = from.x + (to.x - from.x) * part;
      this.y = from.y + (to.y - from.y) * part;
      this._draw();
      this._glide = t < 1 ? requestAnimationFrame(step) : 0;
    };
    this._glide = requestAnimationFrame(step);
  }

  _stop() {
    cancelAnimationFrame(this._glide);
    this._glide = 0;
  }

  /** Set the transform now. */
  flush() {
    const { x, y, scale } = this;
    const transform = `matrix(${scale} 0 0 ${scale} ${x} ${y})`;
    for (const world of this.worlds) world.setAttribute("transform", transform);
    const scaled = this._drawn !== scale;
    this._drawn = scale;
    this.changed(scaled);
  }
}
