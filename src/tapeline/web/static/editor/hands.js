// @ts-check
// Hands on the editor's board: press to select, drag to move, stretch and turn; the same by keys.

import { Corners } from "./corners.js";
import { canTurn, handlesOf } from "./handles.js";
import { boxOf, joined, pointsOf, tidy } from "./shapes.js";

/** @typedef {import("../board/board.js").BoardView} BoardView */
/** @typedef {import("./scene.js").Draft} Draft */
/** @typedef {import("./handles.js").Handle} Handle */
/** @typedef {[number, number]} Point */

const TURN = "turn";
/** Pixels between a thing and its turning handle. */
const AWAY = 26;

export class Hands {
  /**
   * @param {HTMLElement} host
   * @param {BoardView} board
   * @param {Draft} draft
   * @param {import("./deeds.js").Deeds} deeds
   * @param {{snap: () => number, system: () => import("../lib/documents.js").System | null,
   *   changed: () => void}} with_
   */
  constructor(host, board, draft, deeds, with_) {
    this.host = host;
    this.board = board;
    this.draft = draft;
    this.deeds = deeds;
    this.with = with_;
    this.corners = new Corners(host, board, (value, free) => this.snapped(value, free), with_.changed);
    /** @type {((event: PointerEvent) => void) | null} */
    this._drag = null;
    this._says = "";
    this._pointer = -1;
    host.addEventListener("pick", (event) => this.pick(/** @type {CustomEvent} */ (event)));
    host.addEventListener("point", (event) => this.point(/** @type {CustomEvent} */ (event)));
    host.addEventListener("letgo", () => this.drop());
    host.addEventListener("view", () => this.handles());
    host.addEventListener("pointermove", (event) => this.move(event));
    host.addEventListener("pointerup", (event) => this.up(event));
    host.addEventListener("pointercancel", () => this.drop());
    host.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /** A place on the grid that is switched on. @param {number} value @param {boolean} [free] */
  snapped(value, free = false) {
    const step = this.with.snap();
    return free || !step ? Math.round(value * 1000) / 1000 : tidy(Math.round(value / step) * step);
  }

  // Pressing and dragging

  /** @param {CustomEvent} event */
  pick(event) {
    const { part, id, originalEvent, point } = event.detail;
    if (!(originalEvent instanceof PointerEvent)) {
      if (part === "figure" && id !== null) this.choose(id, originalEvent.shiftKey);
      return;
    }
    if (this.corners.now) return;
    if (part === "handle") {
      event.preventDefault();
      this.grab(originalEvent, id === TURN ? this.turning() : this.reshaping(id));
      return;
    }
    const found = sketchOf(originalEvent);
    if (found === null) {
      if (originalEvent.shiftKey) {
        event.preventDefault();
        this.lasso(originalEvent, point);
      }
      return;
    }
    const chosen = this.draft.selected.has(found);
    if (originalEvent.pointerType === "touch" && !chosen) return;
    if (originalEvent.shiftKey) return;
    event.preventDefault();
    if (!chosen) this.choose(found, false);
    this.grab(originalEvent, this.shifting(found, point));
  }

  /** Select a thing, with the stands that go with it. @param {string} id @param {boolean} more */
  choose(id, more) {
    const company = this.deeds.company(id);
    if (more) {
      const wanted = new Set(this.draft.selected);
      const out = company.every((one) => wanted.has(one));
      for (const one of company) {
        if (out) wanted.delete(one);
        else wanted.add(one);
      }
      this.draft.select(wanted);
    } else {
      this.draft.select(company);
    }
  }

  /** @param {CustomEvent} event */
  point(event) {
    const { part, id, point, originalEvent } = event.detail;
    if (!(originalEvent instanceof PointerEvent)) return;
    if (this.corners.now) {
      this.corners.click(point, originalEvent.altKey);
      return;
    }
    if (part === "handle") return;
    const found = sketchOf(originalEvent);
    if (found === null) {
      if (!originalEvent.shiftKey) this.draft.select([]);
      return;
    }
    // A second press on a stand whose unit is chosen means the stand alone.
    const whole = this.deeds.company(found);
    const again = this._before === found && whole.length > 1 && this.draft.selected.size > 1;
    this._before = found;
    if (originalEvent.shiftKey) this.choose(found, true);
    else if (again && id !== null) this.draft.select([found]);
    else this.choose(found, false);
  }

  /** @param {PointerEvent} event @param {{says: string, drag: (event: PointerEvent) => void} | null} what */
  grab(event, what) {
    if (!what) return;
    this.draft.hold();
    this._held = true;
    this._says = what.says;
    this._drag = what.drag;
    this._start = [event.clientX, event.clientY];
    this._moved = false;
    this._pointer = event.pointerId;
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this._drag || event.pointerId !== this._pointer) return;
    const [x, y] = this._start ?? [0, 0];
    if (!this._moved && Math.hypot(event.clientX - x, event.clientY - y) < 4) return;
    if (!this._moved) {
      this._moved = true;
      this.board.frame.setPointerCapture(event.pointerId);
    }
    this._drag(event);
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (!this._drag || event.pointerId !== this._pointer) return;
    const moved = this._moved;
    this._drag = null;
    if (!this._held) this.board.lines([]);
    else if (moved) this.draft.release(this._says);
    else this.draft.letGo();
    this.board.hint(null);
  }

  drop() {
    if (!this._drag) return;
    this._drag = null;
    if (this._held) this.draft.letGo();
    else this.board.lines([]);
    this.board.hint(null);
  }

  /** Drag a box: what lies in it is selected too. @param {PointerEvent} start @param {Point} from */
  lasso(start, from) {
    const system = this.with.system();
    if (!system) return;
    const before = [...this.draft.selected];
    this._pointer = start.pointerId;
    this._start = [start.clientX, start.clientY];
    this._moved = false;
    this._held = false;
    this._drag = (event) => {
      const [x, y] = this.board.at(event);
      const [x0, x1, y0, y1] = [Math.min(x, from[0]), Math.max(x, from[0]), Math.min(y, from[1]), Math.max(y, from[1])];
      this.board.lines([{ line: [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]], kind: "plain" }]);
      const within = this.draft.all().filter(({ entry }) => {
        const box = entry.members ? null : boxOf(entry, system);
        return box && box.x0 >= x0 && box.x1 <= x1 && box.y0 >= y0 && box.y1 <= y1;
      });
      this.draft.select([...before, ...within.flatMap(({ entry }) => this.deeds.company(entry.id))]);
    };
  }

  /** Drag what is selected. @param {string} id that was pressed @param {Point} from */
  shifting(id, from) {
    const entry = this.draft.find(id)?.entry;
    const anchor = entry ? [...(pointsOf(entry)[0] ?? from)] : from;
    let [x, y] = anchor;
    return {
      says: "move",
      drag: (/** @type {PointerEvent} */ event) => {
        const [px, py] = this.board.at(event);
        const nx = this.snapped(anchor[0] + px - from[0], event.altKey);
        const ny = this.snapped(anchor[1] + py - from[1], event.altKey);
        this.draft.change("move", () => this.deeds.shift(nx - x, ny - y));
        [x, y] = [nx, ny];
        this.board.hint({ at: [px, py], words: `${tidy(nx)}, ${tidy(ny)}` });
      },
    };
  }

  /** Drag a corner or an end. @param {string} key */
  reshaping(key) {
    const chosen = this.draft.chosen();
    if (chosen.length !== 1) return null;
    const { entry } = chosen[0];
    let wanted = key;
    return {
      says: "reshape",
      drag: (/** @type {PointerEvent} */ event) => {
        const now = this.draft.find(entry.id)?.entry;
        const handle = now && handlesOf(now).find((one) => one.key === wanted);
        if (!now || !handle) return;
        const [px, py] = this.board.at(event);
        const [x, y] = [this.snapped(px, event.altKey), this.snapped(py, event.altKey)];
        this.draft.change("reshape", () => handle.move(now, x, y));
        if (handle.becomes) wanted = handle.becomes;
        this.board.hint({ at: [px, py], words: `${x}, ${y}` });
      },
    };
  }

  /** Turn what is selected with the pointer. */
  turning() {
    const about = this.deeds.middle();
    if (!about) return null;
    const chosen = this.draft.chosen();
    const one = chosen.length === 1 && chosen[0].entry.position ? chosen[0].entry : null;
    let before = one ? (one.facing ?? 0) : 90;
    return {
      says: "turn",
      drag: (/** @type {PointerEvent} */ event) => {
        const [px, py] = this.board.at(event);
        const angle = (Math.atan2(py - about[1], px - about[0]) * 180) / Math.PI;
        const step = event.altKey ? 1 : this.with.snap() ? 15 : 1;
        const now = Math.round(angle / step) * step;
        const by = now - before;
        before = now;
        this.draft.change("turn", () => this.deeds.turnAbout(about, by));
        this.board.hint({ at: [px, py], words: one ? `${Math.round((one.facing ?? 0) * 10) / 10}\u00b0` : "" });
      },
    };
  }

  // Handles and keys

  /** The handles of what is selected, where they belong now. */
  handles() {
    const chosen = this.draft.chosen();
    const system = this.with.system();
    if (!system || this.corners.now || !chosen.length) {
      this.board.handles([]);
      return;
    }
    /** @type {import("../board/ways.js").Handle[]} */
    const found = [];
    const z = this.lowest();
    if (chosen.length === 1) {
      for (const handle of handlesOf(chosen[0].entry)) {
        found.push({ id: handle.key, x: handle.x, y: handle.y, z, label: handle.label, kind: "point" });
      }
    }
    const middle = this.deeds.middle();
    if (middle && (chosen.length > 1 || canTurn(chosen[0].entry))) {
      const [x, y] = this.turningPlace(middle);
      found.push({ id: TURN, x, y, z, label: "Turn", kind: "turn" });
    }
    this.board.handles(found);
  }

  /** A height at which the plate that is shown sees the handles. */
  lowest() {
    const storey = this.board.storey;
    const sheet = this.board.drawing.sheets.find((one) => one.plate.storey?.index === storey);
    return sheet?.plate.storey?.bottom ?? 0;
  }

  /** @param {Point} middle @returns {Point} */
  turningPlace(middle) {
    const system = /** @type {import("../lib/documents.js").System} */ (this.with.system());
    const chosen = this.draft.chosen();
    const away = AWAY / this.board.scale;
    const boxes = chosen.map(({ entry }) => boxOf(entry, system));
    const box = joined(boxes) ?? { x0: middle[0], y0: middle[1], x1: middle[0], y1: middle[1] };
    if (chosen.length === 1 && chosen[0].entry.position) {
      const facing = ((chosen[0].entry.facing ?? 0) * Math.PI) / 180;
      const far = Math.max(box.x1 - box.x0, box.y1 - box.y0) / 2 + away;
      return [middle[0] + far * Math.cos(facing), middle[1] + far * Math.sin(facing)];
    }
    return [middle[0], box.y1 + away];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey) return;
    if (this.corners.now) {
      if (!this.corners.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === "Escape" && this._drag) {
      this.drop();
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("button, input, select")) return;
    const by = /** @type {Record<string, Point>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    })[event.key];
    const handle = target?.closest("[data-handle]")?.getAttribute("data-handle") ?? null;
    if (by && this.draft.selected.size) {
      const step = event.altKey ? 0.01 : event.shiftKey ? 1 : this.with.snap() || 0.1;
      if (handle !== null) this.nudgeHandle(handle, by[0] * step, by[1] * step);
      else this.deeds.nudge(by[0] * step, by[1] * step);
    } else if ((event.key === "Delete" || event.key === "Backspace") && this.draft.selected.size) {
      if (handle === null || !this.cut(handle)) this.deeds.remove();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key @param {number} dx @param {number} dy */
  nudgeHandle(key, dx, dy) {
    if (key === TURN) {
      this.deeds.turn(dx < 0 || dy > 0 ? 5 : -5);
      return;
    }
    const chosen = this.draft.chosen();
    if (chosen.length !== 1) return;
    const { entry } = chosen[0];
    const handle = handlesOf(entry).find((one) => one.key === key);
    if (!handle) return;
    this.draft.change("reshape", () => handle.move(entry, tidy(handle.x + dx), tidy(handle.y + dy)), `handle:${key}`);
    if (handle.becomes) {
      this.handles();
      const made = this.board.root.querySelector(`[data-handle="${CSS.escape(handle.becomes)}"]`);
      if (made instanceof SVGElement) made.focus();
    }
  }

  /** Take away the corner of a handle. @param {string} key */
  cut(key) {
    const chosen = this.draft.chosen();
    const handle = chosen.length === 1 && handlesOf(chosen[0].entry).find((one) => one.key === key);
    const { remove } = handle || {};
    if (!remove) return false;
    this.draft.change("remove corner", () => remove(chosen[0].entry));
    return true;
  }
}

/** The thing whose outline is under a pointer. @param {PointerEvent} event @returns {string | null} */
function sketchOf(event) {
  const target = event.target instanceof Element ? event.target : null;
  return target?.closest("[data-sketch]")?.getAttribute("data-sketch") ?? null;
}
