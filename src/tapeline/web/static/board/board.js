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
// storey = index | "all"    which storey; "all": all at once, cut away. Event "storey" {storey}
// quarters = n              quarter turns of the cut-away; a plan is turned round by two. turnRound()
// select(ids)               mark figures as selected
// mark(ids, name)           give figures the class `name` ("target", "refused", "about", "can" ...)
// reach(doc | docs | null)  bands of Reach documents, of several storeys or kinds of move
// rings(rings)              thin rings of Ring documents; they fade in as ghosts come near
// ways(traces, {kind, labels})  kind "moved" | "wanted" | "refused" | "nearest" | "past" | "hint"; replaces
//                           those of its kind. labels: true (length, and cost where it differs),
//                           false, or (stretch, n, trace) => words
// ghosts([{body, x, y, z?, facing, legal?, tail?: [x, y]}])   cheap to call for each pointer event
// handles([{id, x, y, z?, label, kind?: "point" | "turn" | "push" | "wheel", facing?}])
// pins(findings)            numbered from 1 as in the list given
// tape({start, end, words} | null)
// lines([{line: [[x, y], ...], kind?: "clear" | "blocked" | "plain"}])
// seen(ring)                the region that somebody sees, corner by corner; [] for none
// threat({chances: [{id, words, kind: "safe" | "struck"}], bands} | null)
// beacon({at: [x, y], z, words, look} | null)   a place that somebody points at
// arrows([{x, y, z, to: [x, y] | null, look, theirs?}])   arrows, and rings where `to` is null
// hint({at: [x, y], words, kind?: "good" | "bad" | "plain"} | null)   words beside the pointer
// walk([{traces, heavy?}], pace)  walk bodies to where they are drawn, one entry after another; heavy:
//                           with weight. A promise, kept when all are there; no motion where none is wanted
// clear(name?)              "reach" | "rings" | "ways" | "ghosts" | "handles" | "pins" | "tape" |
//                           "lines" | "hint" | "select" | "marks"; without a name all of them
// at(event) -> [x, y]       place under a pointer; pixelOf([x, y], z?) -> [left, top] in the frame
// storeyAt(event)           index of the storey under a pointer
// find(event)               {id, part, terrain, point, storey} under a pointer or very near to it
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

import { h } from "../lib/dom.js";
import { Units } from "../lib/units.js";
import { Drawing } from "./drawing.js";
import { around, boxOf } from "./figures.js";
import { Gestures } from "./gestures.js";
import { hintOn } from "./hint.js";
import { Pointing } from "./pointing.js";
import { roomAbout } from "./room.js";
import { boardTools } from "./tools.js";
import { View } from "./view.js";
import { Walk } from "./walk.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/documents.js").Finding} Finding */
/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Reach} ReachDoc */
/** @typedef {import("../lib/documents.js").Ring} Ring */
/** @typedef {import("../lib/documents.js").Trace} Trace */
/** @typedef {import("./drawing.js").WayLabel} WayLabel */
/** @typedef {import("./ways.js").WayKind} WayKind */

/** Names are set again when the scale is another by so much. */
const RELABEL = 1.06;
/** Milliseconds after the last step of a zoom until detail is drawn again. */
const DETAIL_AFTER = 140;

/** A board in an element of the page; the API is at the top of this file. */
export class BoardView {
  /**
   * @param {HTMLElement} host
   * @param {{label?: string, still?: boolean, tabs?: boolean, units?: Units}} [options]
   */
  constructor(host, { label = "Board", still = false, tabs = false, units } = {}) {
    this.host = host;
    this.still = still;
    this.units = units ?? new Units("in");
    this.drawing = new Drawing(this.units, { still, tabs });
    this.pointing = new Pointing(this);
    this.walks = new Walk(this.drawing);
    this.root = this.drawing.root;
    /** @type {number | "all"} */
    this._storey = 0;
    this._quarters = 0;
    this._labelled = 0;
    this._relabel = 0;

    this.root.setAttribute("role", still ? "img" : "group");
    this.root.setAttribute("aria-label", still ? label : "Figures");
    this.frame = h("div", { class: still ? "board still" : "board" }, this.root);
    host.append(this.frame);
    this.view = new View([this.drawing.world, this.drawing.over], (scaled) => this._viewed(scaled));
    this.units.addEventListener("change", () => this._rescaled());
    if (!still) this._handsOn(label);
    new ResizeObserver(() => this._sized()).observe(this.frame);
  }

  /** @param {string} label */
  _handsOn(label) {
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "group");
    this.frame.setAttribute("aria-label", label);
    this.frame.setAttribute("aria-roledescription", "board");
    this.tools = boardTools(this);
    this.frame.append(this.tools.element);
    this._hint = hintOn(this);
    this.gestures = new Gestures(this.frame, this.view, this.pointing);
    this.root.addEventListener("keydown", (event) => this.pointing.key(event));
    // Not on the drawing: an SVG that listens for focus becomes a tab stop itself.
    this.frame.addEventListener("focusin", (event) => this.pointing.focus(event));
  }

  // What is shown

  /** The document that is shown. */
  get board() {
    return this.drawing.board;
  }

  /** @param {BoardDoc} board @param {Ground[] | null} [terrain] */
  show(board, terrain = null) {
    const { drawing } = this;
    const before = drawing.board;
    const ground = terrain ?? board.terrain ?? drawing.terrain;
    const same =
      before !== null &&
      ground === drawing.terrain &&
      before.width === board.width &&
      before.depth === board.depth &&
      before.storeys.length === board.storeys.length;
    drawing.board = board;
    drawing.terrain = ground;
    drawing.before = drawing.figures;
    drawing.figures = new Map(board.figures.map((figure) => [figure.id, figure]));
    const waiting = board.gone.filter((figure) => board.tray?.includes(figure.id));
    drawing.known = new Map([...waiting, ...board.figures].map((figure) => [figure.id, figure]));
    this.walks.heed();
    this.units.table = board.unit;
    if (same) {
      drawing.bodies();
      this._labels();
    } else {
      this._rebuild();
      const fits = before && before.width === board.width && before.depth === board.depth;
      // Another number of storeys leaves other room beside the board.
      this._sized(!fits);
      if (fits) this._labels();
    }
    this.tools?.changed();
  }

  /** @returns {number | "all"} */
  get storey() {
    return this._storey;
  }

  set storey(storey) {
    if (storey === this._storey) return;
    const cutaway = this.drawing.cutaway;
    this._storey = storey;
    if (!this.board) return;
    this._rebuild();
    if (this.drawing.cutaway !== cutaway) this._sized(true);
    else this._labels();
    this.tools?.changed();
    this.tell("storey", { storey });
  }

  get quarters() {
    return this._quarters;
  }

  set quarters(quarters) {
    this._quarters = ((quarters % 4) + 4) % 4;
    if (!this.board) return;
    this._rebuild();
    this._sized(true);
  }

  /** See the table from the other side, or from this one again. */
  turnRound() {
    this.quarters += 2;
  }

  /** Quarter turns of what is shown. */
  get turned() {
    return this._storey === "all" ? this._quarters : this._quarters & 2;
  }

  /** @param {Iterable<string>} ids */
  select(ids) {
    this.drawing.selected = new Set(ids);
    this.drawing.classes();
  }

  /** @param {Iterable<string>} ids @param {string} name */
  mark(ids, name) {
    this.drawing.marks.set(name, new Set(ids));
    this.drawing.classes();
  }

  /** @param {ReachDoc | ReachDoc[] | null} reach */
  reach(reach) {
    this.drawing.reach(reach ? [reach].flat() : []);
  }

  /** @param {Ring[]} rings */
  rings(rings) {
    this.drawing.rings(rings);
  }

  /** @param {Trace[]} traces @param {{kind?: WayKind, labels?: boolean | WayLabel}} [how] */
  ways(traces, { kind = "moved", labels = true } = {}) {
    const label = typeof labels === "function" ? labels : labels ? this._legWords : () => "";
    this.drawing.ways(traces, kind, label);
  }

  /** @param {import("./ways.js").Ghost[]} ghosts */
  ghosts(ghosts) {
    this.drawing.ghosts(ghosts);
  }

  /** @param {import("./ways.js").Handle[]} handles */
  handles(handles) {
    this.drawing.handles(handles);
  }

  /** @param {Finding[]} findings */
  pins(findings) {
    this.drawing.pins(findings);
  }

  /** @param {import("./ways.js").Tape | null} tape */
  tape(tape) {
    this.drawing.tape(tape);
  }

  /** @param {import("./ways.js").Ray[]} lines */
  lines(lines) {
    this.drawing.lines(lines);
  }

  /** @param {[number, number][]} ring of the region seen, empty for none */
  seen(ring) {
    this.drawing.seen(ring);
  }

  /** @param {import("./threat.js").Shown | null} shown */
  threat(shown) {
    this.drawing.threat(shown);
  }

  /** @param {import("./beacon.js").Beacon | null} beacon */
  beacon(beacon) {
    this.drawing.beacon(beacon);
  }

  /** @param {import("./arrows.js").Mark[]} marks */
  arrows(marks) {
    this.drawing.arrows(marks);
  }

  /** @param {import("./hint.js").Hint | null} hint */
  hint(hint) {
    this._hint?.(hint);
  }

  /** @param {import("./walk.js").March[]} marches @param {number} pace how many times as fast */
  walk(marches, pace) {
    return this.walks.start(marches, this.drawing.before, pace);
  }

  /** @param {string} [name] */
  clear(name) {
    const wipes = /** @type {Record<string, () => void>} */ ({
      reach: () => this.reach(null),
      rings: () => this.rings([]),
      ways: () => [...this.drawing.set.ways.keys()].forEach((kind) => this.ways([], { kind })),
      ghosts: () => this.ghosts([]),
      handles: () => this.handles([]),
      pins: () => this.pins([]),
      tape: () => this.tape(null),
      lines: () => this.lines([]),
      hint: () => this.hint(null),
      select: () => this.select([]),
      marks: () => {
        this.drawing.marks.clear();
        this.drawing.classes();
      },
    });
    for (const [each, wipe] of Object.entries(wipes)) if (!name || name === each) wipe();
  }

  // Where things are

  /** Pixels in a table unit. */
  get scale() {
    return this.view.scale;
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  at(event) {
    return this.pointing.place(event).point;
  }

  /** @param {MouseEvent} event */
  storeyAt(event) {
    return this.pointing.place(event).storey;
  }

  /**
   * Pixel of the frame at a place of the table.
   * @param {[number, number]} point
   * @param {number} [z] its height, which counts where all storeys are shown
   */
  pixelOf(point, z = 0) {
    const { sheets } = this.drawing;
    const plate = (sheets.find((sheet) => sheet.plate.sees(z)) ?? sheets[0])?.plate;
    if (!plate) return [0, 0];
    return this.view.pixelOf(...plate.at(point[0], point[1], z));
  }

  /** What is under a pointer. @param {MouseEvent} event */
  find(event) {
    return this.pointing.find(event);
  }

  /** @param {string} id */
  figure(id) {
    return this.drawing.figures.get(id);
  }

  /** @param {string} id */
  element(id) {
    return this.drawing.element(id);
  }

  fit() {
    this.view.fit(true);
  }

  /** Show a figure large, on its storey, with so much about it. @param {string} id @param {number} [about] table units */
  zoomTo(id, about = 0) {
    const box = this._boxOf(id);
    if (!box) return;
    const side = Math.max(box.width, box.height);
    const room = Math.max(3 * side, side + 2 * about, (this.board?.width ?? 0) / 6);
    const [x, y] = [box.x + box.width / 2 - room / 2, box.y + box.height / 2 - room / 2];
    this.view.show({ x, y, width: room, height: room });
  }

  /** Bring figures into sight all at once, those on storeys that are shown. @param {string[]} ids */
  showAll(ids) {
    const box = around(ids.flatMap((id) => this._boxOf(id) ?? []));
    if (!box) return;
    const [left, top] = this.view.pixelOf(box.x, box.y);
    const [right, bottom] = this.view.pixelOf(box.x + box.width, box.y + box.height);
    if (left < 0 || top < 0 || right > this.view.width || bottom > this.view.height) this.view.show(box);
  }

  /** Make sure that a figure is seen. @param {string} id */
  reveal(id) {
    const box = this._boxOf(id);
    if (box) this.view.reveal(box);
  }

  /** Set the keyboard on a figure, or on the board. @param {string} [id] */
  focus(id) {
    const element = id === undefined ? null : this.element(id);
    (element ?? this.frame).focus({ preventScroll: true });
  }

  // Inside

  /** Where a body or unit is in the world; its storey is shown if it was not.
   * @param {string} id @returns {import("./view.js").Box | null} */
  _boxOf(id) {
    const group = this.board?.groups.find((each) => each.id === id);
    if (group) return around(group.members.flatMap((each) => this._boxOf(each) ?? []));
    const figure = this.figure(id);
    if (!figure) return null;
    const sees = () => this.drawing.sheets.find((sheet) => sheet.plate.sees(figure.z))?.plate;
    if (!sees()) this.storey = figure.storey;
    const plate = sees();
    if (!plate) return null;
    return boxOf(plate, figure);
  }

  _rebuild() {
    const known = this._storey === "all" || this.board?.storeys.some((s) => s.index === this._storey);
    if (!known) this._storey = 0;
    this.drawing.rebuild(this._storey, this._quarters);
    this.view.whole = this.drawing.whole;
  }

  _labels() {
    this._labelled = this.view.scale;
    this.drawing.labels(this.view.scale);
  }

  /** Length of a leg, and its cost where that differs. @type {WayLabel} */
  _legWords = (stretch) => {
    if (stretch.length < 1e-6) return "";
    const long = this.units.say(stretch.length);
    const cost = stretch.cost;
    if (cost === null || cost === undefined || Math.abs(cost - stretch.length) < 5e-3) return long;
    return `${long}, costs ${this.units.figure(cost)}`;
  };

  _rescaled() {
    if (!this.board) return;
    this._rebuild();
    this._labels();
    this.tools?.changed();
  }

  /** The frame has its size, or another. @param {boolean} [refit] */
  _sized(refit = false) {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (this.gestures) this.gestures.held = null;
    if (!width || !height || !this.board) return;
    // Asked before there are other margins.
    const whole = refit || this.view.isWhole;
    this.view.margin = this.still ? { top: 4, right: 4, bottom: 4, left: 4 } : this._room();
    this.view.resize(width, height, whole);
    this.view.flush();
    if (refit || !this._labelled) this._labels();
  }

  /** Room about the board, with the tools where it leaves most of it. */
  _room() {
    const several = (this.board?.storeys.length ?? 0) > 1;
    const { margin, small, aside } = roomAbout(this.view, this.frame, several);
    this.tools?.element.classList.toggle("at-sides", aside);
    this.tools?.element.classList.toggle("small", small);
    return margin;
  }

  /** @param {boolean} scaled */
  _viewed(scaled) {
    if (scaled) {
      this.drawing.rescale(this.view.scale);
      this._leaveOutDetail();
      const ratio = this.view.scale / (this._labelled || 1);
      if (ratio > RELABEL || ratio < 1 / RELABEL) {
        clearTimeout(this._relabel);
        this._relabel = window.setTimeout(() => this._labels(), 90);
      }
      this.tools?.scaled();
    }
    if (!this.still) this.tell("view", { scale: this.view.scale });
  }

  /** While a zoom lasts, what is fine is not drawn. */
  _leaveOutDetail() {
    const root = this.drawing.root;
    root.classList.add("gesture");
    clearTimeout(this._detail);
    this._detail = window.setTimeout(() => root.classList.remove("gesture"), DETAIL_AFTER);
  }

  /**
   * Tell the page. False if somebody prevented what would follow.
   * @param {string} name
   * @param {object} detail
   * @param {boolean} [cancelable]
   */
  tell(name, detail, cancelable = false) {
    return this.host.dispatchEvent(new CustomEvent(name, { detail, cancelable }));
  }
}
