// @ts-check
// Outlines and lines drawn on the board, corner by corner.

/** @typedef {[number, number]} Point */

/**
 * Corners that are being clicked.
 * @typedef {object} Drawing
 * @property {string} says
 * @property {Point[]} points
 * @property {number} least
 * @property {boolean} closed
 * @property {(points: Point[]) => void} done
 */

/** Pixels within which a click on the first corner closes an outline. */
const CLOSE = 12;

export class Corners {
  /**
   * @param {HTMLElement} host
   * @param {import("../board/board.js").BoardView} board
   * @param {(value: number, free: boolean) => number} snapped
   * @param {() => void} changed
   */
  constructor(host, board, snapped, changed) {
    this.host = host;
    this.board = board;
    this.snapped = snapped;
    this.changed = changed;
    /** @type {Drawing | null} */
    this.now = null;
    host.addEventListener("hover", (event) => this.hover(/** @type {CustomEvent} */ (event)));
  }

  /** @param {Drawing} drawing */
  begin(drawing) {
    this.now = drawing;
    this.host.classList.add("drawing-corners");
    this.changed();
  }

  /** @param {Point} point @param {boolean} free */
  click(point, free) {
    const drawing = this.now;
    if (!drawing) return;
    /** @type {Point} */
    const next = [this.snapped(point[0], free), this.snapped(point[1], free)];
    const first = drawing.points[0];
    if (first && drawing.points.length >= drawing.least) {
      const off = Math.hypot(point[0] - first[0], point[1] - first[1]) * this.board.scale;
      if (drawing.closed && off < CLOSE) {
        this.finish();
        return;
      }
    }
    const last = drawing.points.at(-1);
    if (last && last[0] === next[0] && last[1] === next[1]) return;
    drawing.points.push(next);
    this.trace(next);
    this.changed();
  }

  finish() {
    const drawing = this.now;
    if (!drawing || drawing.points.length < drawing.least) return;
    this.cancel();
    drawing.done(drawing.points);
  }

  cancel() {
    this.now = null;
    this.host.classList.remove("drawing-corners");
    this.board.lines([]);
    this.board.hint(null);
    this.changed();
  }

  /** @param {CustomEvent} event */
  hover(event) {
    const { point, originalEvent } = event.detail;
    if (!this.now || !point) return;
    const free = originalEvent?.altKey ?? false;
    this.trace([this.snapped(point[0], free), this.snapped(point[1], free)]);
  }

  /** Show the corners so far and the line to the pointer. @param {Point} next */
  trace(next) {
    const drawing = this.now;
    if (!drawing) return;
    const line = [...drawing.points, next];
    const close = drawing.closed && drawing.points.length >= 2 ? [[next, drawing.points[0]]] : [];
    this.board.lines([
      ...(line.length > 1 ? [{ line, kind: /** @type {const} */ ("clear") }] : []),
      ...close.map((ends) => ({ line: /** @type {any} */ (ends), kind: /** @type {const} */ ("plain") })),
    ]);
    this.board.hint({ at: next, words: `${next[0]}, ${next[1]}` });
  }

  /** Whether a key meant the drawing. @param {string} key */
  key(key) {
    if (key === "Enter") this.finish();
    else if (key === "Escape") this.cancel();
    else if (key === "Backspace") {
      this.now?.points.pop();
      this.changed();
    } else {
      return false;
    }
    return true;
  }
}
