// @ts-check
// The board: a table drawn as SVG, to be looked at, moved about and picked from. It knows no rule.
//
//     const board = new BoardView(host, {label: "Board"});
//     board.show(boardDoc, terrain);     // terrain once (boardDoc.terrain if left out and there)
//
// Places are [x, y] in table units, y up, as in the documents. Everything set stays until it is set
// again or cleared; a new `show` keeps selection and overlays whose bodies are still there.
//
// options   label; still: a picture, nothing to be grabbed (for previews); tabs: figures are tab
//           stops in reading order; units: a Units of lib/units.js (else one of its own)
// show(doc, terrain?)       draw a board; the first one is fitted into the frame
// storey = index | "all"    which storey; "all": side by side. Event "storey" {storey}
// select(ids)               mark figures as selected
// mark(ids, name)           give figures the class `name` ("target", "refused", "about", "can" ...)
// reach(doc | null)         bands of a Reach
// rings(rings)              thin rings of Ring documents; they fade in as ghosts come near
// ways(traces, {kind, labels})  kind "moved" | "wanted" | "refused" | "nearest" | "past"; replaces
//                           those of its kind. labels: true (length, and cost where it differs),
//                           false, or (stretch, n, trace) => words
// ghosts([{body, x, y, z?, facing, legal?, tail?: [x, y]}])   cheap to call for each pointer event
// handles([{id, x, y, z?, label, kind?: "point" | "turn" | "push" | "wheel", facing?}])
// pins(findings)            numbered from 1 as in the list given
// tape({start, end, words} | null)
// lines([{line: [[x, y], ...], kind?: "clear" | "blocked" | "plain"}])
// hint({at: [x, y], words, kind?: "good" | "bad" | "plain"} | null)   words beside the pointer
// clear(name?)              "reach" | "rings" | "ways" | "ghosts" | "handles" | "pins" | "tape" |
//                           "lines" | "hint" | "select" | "marks"; without a name all of them
// at(event) -> [x, y]       place under a pointer; pixelOf([x, y], z?) -> [left, top] in the frame
// storeyAt(event)           index of the storey under a pointer
// near(event) -> id | null  the figure under a pointer, or very near to it (more so for a finger)
// fit(), zoomTo(id), reveal(id), focus(id?), scale (pixels in a table unit)
// figure(id)                the Figure document or undefined;  element(id): its SVG group
//
// Events on the host (CustomEvent.detail):
//   "pick"   cancelable, a pointer went down: {id, part, point, storey, originalEvent}
//            part "figure" | "ghost" | "handle" | "pin" | "ground"; id null for the ground (unless
//            terrain: {terrain}). preventDefault() claims the drag that follows: the board does not
//            pan. Then use pointermove and pointerup on the host. Enter or Space on a figure or
//            handle is a pick too, with a KeyboardEvent.
//   "point"  the pointer went up where it came down, not claimed or not moved: {id, part, terrain,
//            point, storey, originalEvent}
//   "hover"  {id, terrain, point, originalEvent}, at most once a frame; id and point null outside
//   "letgo"  a second finger came while a drag was claimed: drop it
//   "storey" {storey};  "view" {scale}: shift or scale changed
//
// Figures carry data-id, ghosts data-ghost, handles data-handle, terrain data-terrain.

import { h, svg } from "../lib/dom.js";
import { Units } from "../lib/units.js";
import { boxOf, figureOf, halfOf, inReadingOrder, outside } from "./figures.js";
import { Gestures } from "./gestures.js";
import { drawLabels } from "./labels.js";
import { Patterns } from "./patterns.js";
import { drawPins } from "./pins.js";
import { drawReach, drawRings, nearRings } from "./reach.js";
import { drawGround, platesOf } from "./storeys.js";
import { drawTerrain } from "./terrain.js";
import { boardTools } from "./tools.js";
import { View } from "./view.js";
import { Ghosts, drawHandles, drawLines, drawTape, drawWays } from "./ways.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/documents.js").Figure} Figure */
/** @typedef {import("../lib/documents.js").Finding} Finding */
/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Reach} ReachDoc */
/** @typedef {import("../lib/documents.js").Ring} Ring */
/** @typedef {import("../lib/documents.js").Stretch} Stretch */
/** @typedef {import("../lib/documents.js").Trace} Trace */
/** @typedef {import("./storeys.js").Plate} Plate */
/** @typedef {import("./ways.js").Ghost} Ghost */
/** @typedef {import("./ways.js").Handle} Handle */
/** @typedef {import("./ways.js").WayKind} WayKind */
/** @typedef {(stretch: Stretch, n: number, trace: Trace) => string} WayLabel */
/** @typedef {{id: string | null, part: string, terrain: string | null, point: [number, number],
 *            storey: number}} Found */
/** @typedef {{plate: Plate, ghosts: Ghosts, sub: (name: string) => SVGGElement}} Sheet */

/** Names again when the scale is another by so much. */
const RELABEL = 1.06;

export class BoardView {
  /**
   * @param {HTMLElement} host
   * @param {{label?: string, still?: boolean, tabs?: boolean, units?: Units}} [options]
   */
  constructor(host, options = {}) {
    this.host = host;
    this.still = options.still ?? false;
    this.tabs = options.tabs ?? false;
    this.units = options.units ?? new Units("in");
    /** @type {BoardDoc | null} */
    this.board = null;
    /** @type {Ground[]} */
    this.terrain = [];
    /** @type {Map<string, Figure>} */
    this.figures = new Map();
    /** @type {Sheet[]} */
    this.sheets = [];
    /** @type {number | "all"} */
    this._storey = 0;
    this._selected = new Set();
    /** @type {Map<string, Set<string>>} */
    this._marks = new Map();
    this._set = {
      reach: /** @type {ReachDoc | null} */ (null),
      rings: /** @type {Ring[]} */ ([]),
      ways: /** @type {Map<WayKind, {traces: Trace[], label: WayLabel}>} */ (new Map()),
      ghosts: /** @type {Ghost[]} */ ([]),
      handles: /** @type {Handle[]} */ ([]),
      pins: /** @type {Finding[]} */ ([]),
      tape: /** @type {any} */ (null),
      lines: /** @type {any[]} */ ([]),
    };
    this._labelled = 0;
    this._relabel = 0;
    this._hovering = 0;

    this.patterns = new Patterns();
    this.world = svg("g", { class: "world" });
    this.root = svg("svg", { class: "drawing", focusable: "false" }, this.patterns.defs, this.world);
    const label = options.label ?? "Board";
    if (this.still) {
      this.root.setAttribute("role", "img");
      this.root.setAttribute("aria-label", label);
    } else {
      this.root.setAttribute("role", "group");
      this.root.setAttribute("aria-label", `${label}: figures`);
    }
    this.frame = h("div", { class: this.still ? "board still" : "board" }, this.root);
    this._hint = h("p", { class: "board-hint", hidden: true });
    host.append(this.frame);
    this.view = new View(this.root, this.world, (scaled) => this._viewed(scaled));
    this.units.addEventListener("change", () => this._rescaled());
    if (!this.still) {
      this.frame.tabIndex = 0;
      this.frame.setAttribute("role", "group");
      this.frame.setAttribute("aria-label", label);
      this.frame.setAttribute("aria-roledescription", "board");
      this.tools = boardTools(this);
      this.frame.append(this._hint, this.tools.element);
      this.gestures = new Gestures(this.frame, this.view, {
        press: (event) => this._press(event),
        tap: (event) => this._tell("point", { ...this.find(event), originalEvent: event }),
        hover: (event) => this._hover(event),
        pinch: () => this._tell("letgo", {}),
      });
      this.root.addEventListener("keydown", (event) => this._key(event));
    }
    new ResizeObserver(() => this._sized()).observe(this.frame);
  }

  // What is shown

  /**
   * @param {BoardDoc} board
   * @param {Ground[] | null} [terrain]
   */
  show(board, terrain = null) {
    const first = this.board === null;
    const before = this.board;
    this.board = board;
    if (terrain ?? board.terrain) this.terrain = terrain ?? board.terrain ?? [];
    this.figures = new Map(board.figures.map((figure) => [figure.id, figure]));
    const same =
      before !== null &&
      (terrain ?? board.terrain) === null &&
      before.width === board.width &&
      before.depth === board.depth &&
      before.storeys.length === board.storeys.length;
    if (this.units.table !== board.unit) {
      this.units.table = board.unit;
      if (this.still) this.units.shown = board.unit;
    }
    if (same) this._figures();
    else this._rebuild();
    this.tools?.changed();
    if (first || !same) this._sized(true);
  }

  /** @returns {number | "all"} */
  get storey() {
    return this._storey;
  }

  set storey(storey) {
    if (storey === this._storey) return;
    const plates = this.sheets.length;
    this._storey = storey;
    if (!this.board) return;
    this._rebuild();
    if (this.sheets.length !== plates) this.fit();
    this.tools?.changed();
    this._tell("storey", { storey });
  }

  /** @param {Iterable<string>} ids */
  select(ids) {
    this._selected = new Set(ids);
    this._classes();
  }

  /** @param {Iterable<string>} ids @param {string} name */
  mark(ids, name) {
    this._marks.set(name, new Set(ids));
    this._classes();
  }

  /** @param {ReachDoc | null} reach */
  reach(reach) {
    this._set.reach = reach;
    for (const { plate } of this.sheets) drawReach(plate, reach);
  }

  /** @param {Ring[]} rings */
  rings(rings) {
    this._set.rings = rings;
    for (const { plate } of this.sheets) drawRings(plate, rings, this.figures);
    this._near();
  }

  /**
   * @param {Trace[]} traces
   * @param {{kind?: WayKind, labels?: boolean | WayLabel}} [how]
   */
  ways(traces, { kind = "moved", labels = true } = {}) {
    const label = typeof labels === "function" ? labels : labels ? this._legWords : () => "";
    this._set.ways.set(kind, { traces, label });
    for (const { plate, sub } of this.sheets) {
      drawWays(plate, sub(`ways-${kind}`), traces, kind, this.figures, label.bind(this));
    }
  }

  /** @param {Ghost[]} ghosts */
  ghosts(ghosts) {
    this._set.ghosts = ghosts;
    for (const sheet of this.sheets) sheet.ghosts.set(ghosts, this.figures, (s) => this._side(s));
    this.root.classList.toggle("moving", ghosts.length > 0);
    const moved = new Set(ghosts.map((ghost) => ghost.body));
    for (const group of this.root.querySelectorAll("[data-id]")) {
      group.classList.toggle("left", moved.has(group.getAttribute("data-id") ?? ""));
    }
    this._near();
  }

  /** @param {Handle[]} handles */
  handles(handles) {
    this._set.handles = handles;
    for (const { plate, sub } of this.sheets) drawHandles(plate, sub("handles"), handles);
  }

  /** @param {Finding[]} findings */
  pins(findings) {
    this._set.pins = findings;
    for (const { plate } of this.sheets) drawPins(plate, findings);
  }

  /** @param {{start: [number, number], end: [number, number], words: string} | null} tape */
  tape(tape) {
    this._set.tape = tape;
    for (const { plate, sub } of this.sheets) drawTape(plate, sub("tape"), tape);
  }

  /** @param {{line: [number, number][], kind?: "clear" | "blocked" | "plain"}[]} lines */
  lines(lines) {
    this._set.lines = lines;
    for (const { plate, sub } of this.sheets) drawLines(plate, sub("rays"), lines);
  }

  /** @param {{at: [number, number], words: string, kind?: "good" | "bad" | "plain"} | null} hint */
  hint(hint) {
    this._hint.hidden = !hint;
    if (!hint) return;
    this._hint.textContent = hint.words;
    this._hint.className = `board-hint hint-${hint.kind ?? "plain"}`;
    const [left, top] = this.pixelOf(hint.at);
    const width = this._hint.offsetWidth;
    const room = this.view.width - width - 8;
    const x = left + 18 > room ? Math.max(8, left - width - 18) : left + 18;
    const y = Math.min(Math.max(8, top - 40), this.view.height - this._hint.offsetHeight - 8);
    this._hint.style.setProperty("transform", `translate(${Math.round(x)}px, ${Math.round(y)}px)`);
  }

  /** @param {string} [name] */
  clear(name) {
    const all = name === undefined;
    if (all || name === "reach") this.reach(null);
    if (all || name === "rings") this.rings([]);
    if (all || name === "ways") {
      for (const kind of [...this._set.ways.keys()]) this.ways([], { kind });
    }
    if (all || name === "ghosts") this.ghosts([]);
    if (all || name === "handles") this.handles([]);
    if (all || name === "pins") this.pins([]);
    if (all || name === "tape") this.tape(null);
    if (all || name === "lines") this.lines([]);
    if (all || name === "hint") this.hint(null);
    if (all || name === "select") this.select([]);
    if (all || name === "marks") {
      this._marks.clear();
      this._classes();
    }
  }

  // Where things are

  /** Pixels in a table unit. */
  get scale() {
    return this.view.scale;
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  at(event) {
    return this._place(event).point;
  }

  /** @param {MouseEvent} event */
  storeyAt(event) {
    return this._place(event).storey;
  }

  /**
   * Pixel of the frame at a place of the table.
   * @param {[number, number]} point
   * @param {number} [z] its height, which tells the plate where all storeys are shown
   */
  pixelOf(point, z = 0) {
    const sheet = this.sheets.find((s) => s.plate.sees(z)) ?? this.sheets[0];
    if (!sheet) return [0, 0];
    const [x, y] = sheet.plate.at(point[0], point[1]);
    return this.view.pixelOf(x + sheet.plate.shift, y);
  }

  /** @param {MouseEvent} event @returns {string | null} */
  near(event) {
    const found = this.find(event);
    return found.part === "figure" ? found.id : null;
  }

  /** What is under a pointer. @param {MouseEvent} event @returns {Found} */
  find(event) {
    const target = event.target instanceof Element ? event.target : null;
    const { point, storey, plate } = this._place(event);
    const terrain = target?.closest("[data-terrain]")?.getAttribute("data-terrain") ?? null;
    const found = (/** @type {string} */ name) =>
      target?.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? null;
    for (const part of ["handle", "pin", "ghost"]) {
      const id = found(part);
      if (id !== null) return { id, part, terrain, point, storey };
    }
    const id = found("id") ?? this._nearest(plate, point, isCoarse(event) ? 16 : 3);
    return { id, part: id === null ? "ground" : "figure", terrain, point, storey };
  }

  /** @param {string} id */
  figure(id) {
    return this.figures.get(id);
  }

  /** @param {string} id @returns {SVGGElement | null} */
  element(id) {
    return this.root.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  fit() {
    this.view.fit(true);
  }

  /** Show a figure large, on its storey. @param {string} id */
  zoomTo(id) {
    const box = this._onto(id);
    if (!box) return;
    const room = Math.max(4 * box.width, 4 * box.height, (this.board?.width ?? 0) / 6);
    this.view.show({
      x: box.x + box.width / 2 - room / 2,
      y: box.y + box.height / 2 - room / 2,
      width: room,
      height: room,
    });
  }

  /** Make sure that a figure is seen. @param {string} id */
  reveal(id) {
    const box = this._onto(id);
    if (box) this.view.reveal(box);
  }

  /** Set the keyboard on a figure, or on the board. @param {string} [id] */
  focus(id) {
    const element = id === undefined ? null : this.element(id);
    (element ?? this.frame).focus({ preventScroll: true });
  }

  // Inside

  /** @param {string} id */
  _onto(id) {
    const figure = this.figures.get(id);
    if (!figure) return null;
    if (!this.sheets.some((s) => s.plate.sees(figure.z))) this.storey = figure.storey;
    const sheet = this.sheets.find((s) => s.plate.sees(figure.z));
    if (!sheet) return null;
    const box = boxOf(sheet.plate, figure);
    return { ...box, x: box.x + sheet.plate.shift };
  }

  _rebuild() {
    const board = this.board;
    if (!board) return;
    const known = this._storey === "all" || board.storeys.some((s) => s.index === this._storey);
    if (!known) this._storey = 0;
    this.sheets = platesOf(board, this._storey).map((plate) => {
      /** @type {Map<string, SVGGElement>} */
      const subs = new Map();
      const sub = (/** @type {string} */ name) => {
        let found = subs.get(name);
        if (!found) {
          found = svg("g", { class: name });
          subs.set(name, found);
          const layer = name.startsWith("ways") ? "ways" : name === "handles" ? "ghosts" : "lines";
          plate.layers[layer].append(found);
        }
        return found;
      };
      return { plate, ghosts: new Ghosts(plate), sub };
    });
    this.world.replaceChildren(...this.sheets.map((sheet) => sheet.plate.group));
    const how = { still: this.still, inch: board.unit === "cm" ? 2.54 : 1 };
    for (const { plate } of this.sheets) {
      drawGround(plate, this.units, this.still);
      drawTerrain(plate, this.terrain, this.patterns, how);
    }
    const last = this.sheets[this.sheets.length - 1].plate;
    this.view.whole = { x: 0, y: 0, width: last.shift + board.width, height: board.depth };
    this._figures();
    this._overlays();
  }

  _figures() {
    const board = this.board;
    if (!board) return;
    const held = document.activeElement?.closest?.("[data-id]")?.getAttribute("data-id");
    const how = { still: this.still, tabs: this.tabs };
    const ordered = inReadingOrder(board.figures);
    for (const { plate } of this.sheets) {
      const away = ordered.filter((figure) => !plate.sees(figure.z));
      const here = ordered.filter((figure) => plate.sees(figure.z));
      const made = [...away, ...here].map((f) => figureOf(plate, f, this._side(f.side), how));
      plate.layers.figures.replaceChildren(...made);
    }
    this._classes();
    if (held) this.element(held)?.focus({ preventScroll: true });
    this._labels();
    this.rings(this._set.rings.filter((ring) => this.figures.has(ring.about)));
    this.ghosts(this._set.ghosts.filter((ghost) => this.figures.has(ghost.body)));
  }

  _overlays() {
    const set = this._set;
    this.reach(set.reach);
    this.rings(set.rings);
    for (const [kind, { traces, label }] of set.ways) this.ways(traces, { kind, labels: label });
    this.ghosts(set.ghosts);
    this.handles(set.handles);
    this.pins(set.pins);
    this.tape(set.tape);
    this.lines(set.lines);
  }

  _classes() {
    for (const group of this.root.querySelectorAll("[data-id]")) {
      const id = group.getAttribute("data-id") ?? "";
      const selected = this._selected.has(id);
      group.classList.toggle("selected", selected);
      if (group.hasAttribute("aria-pressed")) group.setAttribute("aria-pressed", String(selected));
      const names = [...this._marks].filter(([, ids]) => ids.has(id)).map(([name]) => name);
      for (const old of (group.getAttribute("data-marks") ?? "").split(" ")) {
        if (old) group.classList.remove(`mark-${old}`);
      }
      group.setAttribute("data-marks", names.join(" "));
      for (const name of names) group.classList.add(`mark-${name}`);
    }
  }

  _near() {
    const places = this._set.ghosts.map((ghost) => {
      const figure = this.figures.get(ghost.body);
      return { x: ghost.x, y: ghost.y, radius: figure ? halfOf(figure) : 0 };
    });
    for (const { plate } of this.sheets) {
      nearRings(plate, places.length ? places : null, this.figures);
    }
  }

  _labels() {
    if (this.still || !this.board) return;
    this._labelled = this.view.scale;
    for (const { plate } of this.sheets) {
      drawLabels(plate, this.board, this.terrain, this.view.scale, (s) => this._side(s));
    }
  }

  /** @param {string} id of a side */
  _side(id) {
    const rim = this.board?.parties.findIndex((party) => party.id === id) ?? -1;
    const look = rim < 0 ? 0 : (this.board?.parties[rim].look ?? 0);
    return { look: look % 8, rim: Math.max(0, rim) % 4 };
  }

  /** Length of a leg, and its cost where that differs. @type {WayLabel} */
  _legWords(stretch) {
    if (stretch.length < 1e-6) return "";
    const long = this.units.say(stretch.length);
    const cost = stretch.cost;
    if (cost === null || cost === undefined || Math.abs(cost - stretch.length) < 5e-3) return long;
    return `${long}, costs ${this.units.figure(cost)}`;
  }

  _rescaled() {
    if (!this.board) return;
    for (const { plate } of this.sheets) drawGround(plate, this.units, this.still);
    this._overlays();
    this.tools?.changed();
  }

  /** @param {boolean} [refit] */
  _sized(refit = false) {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!width || !height || !this.board) return;
    const margin = this.still ? 4 : this.frame.classList.contains("small") ? 20 : 30;
    this.view.margin = this.still
      ? { top: 4, right: 4, bottom: 4, left: 4 }
      : { top: margin, right: margin - 12, bottom: margin + 22, left: margin + 4 };
    if (refit) this.view.width = 0;
    this.view.resize(width, height);
    this.view.flush();
    if (refit) this._labels();
  }

  /** @param {boolean} scaled */
  _viewed(scaled) {
    if (scaled) {
      this.patterns.rescale(this.view.scale);
      this.root.classList.toggle("tiny", this._size() < 5);
      const ratio = this.view.scale / (this._labelled || 1);
      if (ratio > RELABEL || ratio < 1 / RELABEL) {
        clearTimeout(this._relabel);
        this._relabel = window.setTimeout(() => this._labels(), 90);
      }
      this.tools?.scaled();
    }
    if (!this.still) this._tell("view", { scale: this.view.scale });
  }

  /** Pixels of the smaller half of the smallest base. */
  _size() {
    let least = Infinity;
    for (const figure of this.figures.values()) least = Math.min(least, halfOf(figure));
    return least * this.view.scale;
  }

  /** @param {MouseEvent} event */
  _place(event) {
    const box = this.frame.getBoundingClientRect();
    const [x, y] = this.view.worldOf(event.clientX - box.left, event.clientY - box.top);
    let sheet = this.sheets[0];
    for (const other of this.sheets) if (x >= other.plate.shift) sheet = other;
    const { plate } = sheet;
    /** @type {[number, number]} */
    const point = [x - plate.shift, plate.depth - y];
    return { point, storey: plate.storey?.index ?? 0, plate };
  }

  /** @param {Plate} plate @param {[number, number]} point @param {number} pixels */
  _nearest(plate, point, pixels) {
    let found = null;
    let least = pixels / this.view.scale;
    for (const figure of this.figures.values()) {
      if (!plate.sees(figure.z)) continue;
      const gap = outside(figure, point[0], point[1]);
      if (gap < least) {
        least = gap;
        found = figure.id;
      }
    }
    return found;
  }

  /** @param {PointerEvent} event */
  _press(event) {
    const found = this.find(event);
    return !this._tell("pick", { ...found, originalEvent: event }, true);
  }

  /** @param {PointerEvent | null} event */
  _hover(event) {
    cancelAnimationFrame(this._hovering);
    this._hovering = requestAnimationFrame(() => {
      const found = event ? this.find(event) : { id: null, terrain: null, point: null };
      this._tell("hover", { ...found, originalEvent: event });
    });
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (event.defaultPrevented || !(event.target instanceof Element)) return;
    const figure = event.target.closest("[data-id]")?.getAttribute("data-id") ?? null;
    const handle = event.target.closest("[data-handle]")?.getAttribute("data-handle") ?? null;
    const known = figure === null ? undefined : this.figures.get(figure);
    if (!known && handle === null) return;
    event.preventDefault();
    const place = this._set.handles.find((entry) => entry.id === handle) ?? known;
    const detail = {
      id: handle ?? figure,
      part: handle === null ? "figure" : "handle",
      terrain: null,
      point: [place?.x ?? 0, place?.y ?? 0],
      storey: known?.storey ?? 0,
      originalEvent: event,
    };
    this._tell("pick", detail, true);
    this._tell("point", detail);
  }

  /**
   * @param {string} name
   * @param {object} detail
   * @param {boolean} [cancelable]
   */
  _tell(name, detail, cancelable = false) {
    return this.host.dispatchEvent(new CustomEvent(name, { detail, cancelable }));
  }
}

/** Whether a pointer is a finger. @param {MouseEvent} event */
function isCoarse(event) {
  return /** @type {PointerEvent} */ (event).pointerType === "touch";
}
