// @ts-check
// What is drawn: plates with terrain, figures and overlays, kept so that each can be drawn anew.

import { h, svg } from "../lib/dom.js";
import { placesIn } from "../lib/lengths.js";
import { inchOf } from "../lib/units.js";
import { drawAims, drawArrows } from "./arrows.js";
import { coveredOf, drawBoard, drawCutaway, solidsOf } from "./cutaway.js";
import { drawBeacon } from "./beacon.js";
import { Fixed } from "./fixed.js";
import { figureOf, halfOf, inReadingOrder, outside } from "./figures.js";
import { drawLabels } from "./labels.js";
import { Patterns } from "./patterns.js";
import { drawPins } from "./pins.js";
import { drawReach, drawRings, nearRings } from "./reach.js";
import { coversOf, highestOf, sheetOf } from "./sheet.js";
import { drawGround, platesOf } from "./storeys.js";
import { drawTerrain } from "./terrain.js";
import { drawZones } from "./zones.js";
import { drawSeen, drawThreat } from "./threat.js";
import { drawHandles, drawLines, drawTape, drawWays } from "./ways.js";

/** @typedef {import("../lib/documents.js").Board} BoardDoc */
/** @typedef {import("../lib/documents.js").Figure} Figure */
/** @typedef {import("../lib/documents.js").Finding} Finding */
/** @typedef {import("../lib/documents.js").Ground} Ground */
/** @typedef {import("../lib/documents.js").Reach} ReachDoc */
/** @typedef {import("../lib/documents.js").Ring} Ring */
/** @typedef {import("../lib/documents.js").Stretch} Stretch */
/** @typedef {import("../lib/documents.js").Trace} Trace */
/** @typedef {import("../lib/units.js").Units} Units */
/** @typedef {import("./pins.js").Box} Box */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {import("./ways.js").Ghost} Ghost */
/** @typedef {import("./ways.js").Handle} Handle */
/** @typedef {import("./ways.js").Ray} Ray */
/** @typedef {import("./ways.js").Tape} Tape */
/** @typedef {import("./ways.js").WayKind} WayKind */
/** @typedef {(stretch: Stretch, n: number, trace: Trace) => string} WayLabel */
/** @typedef {import("./sheet.js").Sheet} Sheet */

/** Half a base of fewer pixels is too small for badges. */
const TINY = 5;

/** Where an inch has fewer pixels, fine detail is left out. */
const FAR = 8;

/** Everything on the board but how it is looked at. */
export class Drawing {
  /**
   * @param {Units} units
   * @param {{still: boolean, tabs: boolean}} how
   */
  constructor(units, how) {
    this.units = units;
    this.how = how;
    /** @type {BoardDoc | null} */
    this.board = null;
    /** @type {Ground[]} */
    this.terrain = [];
    /** @type {Map<string, Figure>} */
    this.figures = new Map();
    /** Those and the ones in the tray, who are seen as ghosts only. @type {Map<string, Figure>} */
    this.known = new Map();
    /** Those of the board that was shown before. @type {Map<string, Figure>} */
    this.before = new Map();
    /** @type {Sheet[]} */
    this.sheets = [];
    /** Pixels in a table unit. */
    this.scale = 1;
    /** The smaller half of each base, table units. @type {Map<string, number>} */
    this.halves = new Map();
    /** How many of them are too small for a sign. */
    this.tiny = 0;
    /** Words about something on the board, in the unit that is shown. */
    this.says = (/** @type {string} */ text) => placesIn(text, units);
    this.patterns = new Patterns();
    this.world = svg("g", { class: "world" });
    // Apart from what stays, so that a drag draws nothing anew but what moves.
    this.over = svg("g", { class: "world" });
    /** Outlines of bodies below a storey that hides them. */
    this.covered = svg("g", { class: "layer-covered" });
    this.root = h(
      "div",
      { class: "drawing" },
      svg("svg", { focusable: "false", role: "presentation" }, this.patterns.defs, this.world),
      svg("svg", { class: "over", focusable: "false", role: "presentation" }, this.over),
    );
    this.fixed = new Fixed(this.root);
    /** @type {Set<string>} */
    this.selected = new Set();
    /** @type {Map<string, Set<string>>} */
    this.marks = new Map();
    this.set = {
      reach: /** @type {ReachDoc[]} */ ([]),
      rings: /** @type {Ring[]} */ ([]),
      ways: /** @type {Map<WayKind, {traces: Trace[], label: WayLabel}>} */ (new Map()),
      ghosts: /** @type {Ghost[]} */ ([]),
      handles: /** @type {Handle[]} */ ([]),
      pins: /** @type {Finding[]} */ ([]),
      tape: /** @type {Tape | null} */ (null),
      lines: /** @type {Ray[]} */ ([]),
      seen: /** @type {[number, number][]} */ ([]),
      threat: /** @type {import("./threat.js").Shown | null} */ (null),
      beacon: /** @type {import("./beacon.js").Beacon | null} */ (null),
      arrows: /** @type {import("./arrows.js").Mark[]} */ ([]),
    };
  }

  /**
   * Everything anew: another board, or other storeys of it.
   * @param {number | "all"} storey
   * @param {number} quarters turns of the cut-away that shows all of them
   */
  rebuild(storey, quarters) {
    const board = this.board;
    if (!board) return;
    this.sheets = platesOf(board, storey, quarters).map(sheetOf);
    const plates = this.sheets.map(({ plate }) => plate);
    // What moves is never hidden by a storey above it.
    this.world.replaceChildren(...plates.map((plate) => plate.under), this.covered);
    this.over.replaceChildren(...plates.map((plate) => plate.over));
    const how = { still: this.how.still, inch: this.inch, says: this.says };
    for (const plate of plates) {
      if (plate.alone) drawTerrain(plate, this.terrain, this.patterns, how);
      else plate.solids = solidsOf(plate, this.terrain);
    }
    if (this.cutaway) drawCutaway(plates, this.terrain, this.patterns, how);
    this.ground();
    this.bodies();
    this.overlays();
  }

  /** An inch in table units. */
  get inch() {
    return inchOf(this.board?.unit);
  }

  /** Whether several plates are shown at once. */
  get cutaway() {
    return this.sheets.length > 1;
  }

  /** The box of what is drawn in the coordinates of the world. */
  get whole() {
    const [sheet] = this.sheets;
    if (!sheet) return { x: 0, y: 0, width: 1, height: 1 };
    const { width, height } = sheet.plate.view;
    const drawn = this.sheets.flatMap(({ plate }) => plate.solids.map(({ shape, z }) => highestOf(plate, shape, z)));
    const top = Math.min(0, ...drawn);
    return { x: 0, y: top, width, height: height - top };
  }

  /** Set what depends on the scale alone. @param {number} scale pixels in a table unit */
  rescale(scale) {
    this.scale = scale;
    this.fixed.set(scale);
    this.patterns.rescale(scale);
    if ([...this.halves.values()].filter((half) => half * scale < TINY).length !== this.tiny) this.signs();
    this.root.classList.toggle("far", this.inch * scale < FAR);
  }

  /** Signs and badges are left out where a base is too small for them. */
  signs() {
    this.tiny = 0;
    for (const { plate } of this.sheets) {
      for (const group of plate.layers.figures.children) {
        const half = this.halves.get(group.getAttribute("data-id") ?? "");
        group.classList.toggle("tiny", half !== undefined && half * this.scale < TINY);
      }
    }
    for (const half of this.halves.values()) if (half * this.scale < TINY) this.tiny += 1;
  }

  ground() {
    const board = this.board;
    const plate = this.sheets[0]?.plate;
    if (!board || !plate) return;
    this.root.setAttribute("data-ground", board.ground);
    if (this.cutaway) drawBoard(plate, this.units, board.ground, this.inch);
    else drawGround(plate, this.units, this.how.still ? "bare" : "full", board.ground, this.inch);
  }

  /** Figures as the document has them; what held the keyboard holds it again. */
  bodies() {
    const board = this.board;
    if (!board) return;
    const held = document.activeElement?.closest?.("[data-id]")?.getAttribute("data-id");
    for (const { plate } of this.sheets) {
      drawZones(plate, board.zones ?? [], this.patterns, (side) => this.side(side), { still: this.how.still, says: this.says });
    }
    const ordered = inReadingOrder(board.figures);
    for (const { plate } of this.sheets) {
      const away = ordered.filter((figure) => !plate.sees(figure.z));
      const here = ordered.filter((figure) => plate.sees(figure.z));
      const shown = plate.alone ? [...away, ...here] : here;
      const made = shown.map((f) => figureOf(plate, f, this.side(f.side), { ...this.how, says: this.says }));
      plate.layers.figures.replaceChildren(...made);
    }
    if (!this.how.still) for (const { plate, sub } of this.sheets) drawAims(plate, sub("aims"), this.figures);
    const covered = this.cutaway ? coveredOf(this.sheets.map(({ plate }) => plate), ordered, (side) => this.side(side)) : [];
    this.covered.replaceChildren(...covered);
    this.halves = new Map(board.figures.map((figure) => [figure.id, halfOf(figure)]));
    this.signs();
    this.classes();
    if (held) this.element(held)?.focus({ preventScroll: true });
    this.rings(this.set.rings.filter((ring) => this.figures.has(ring.about)));
    this.ghosts(this.set.ghosts.filter((ghost) => this.known.has(ghost.body)));
    this.left();
  }

  overlays() {
    const set = this.set;
    this.reach(set.reach);
    this.rings(set.rings);
    for (const [kind, { traces, label }] of set.ways) this.ways(traces, kind, label);
    this.ghosts(set.ghosts);
    this.handles(set.handles);
    this.pins(set.pins);
    this.tape(set.tape);
    this.lines(set.lines);
    this.seen(set.seen);
    this.threat(set.threat);
    this.beacon(set.beacon);
    this.arrows(set.arrows);
  }

  /** Names anew for a scale. @param {number} scale */
  labels(scale) {
    if (this.how.still || !this.board) return;
    this.pins(this.set.pins);
    const plates = this.sheets.map(({ plate }) => plate);
    let taken = /** @type {Box[]} */ ([]);
    // The highest first: names below it keep off its own.
    plates.toReversed().forEach((plate, n) => {
      const above = n ? plates.slice(-n) : [];
      const hidden = (/** @type {number} */ x, /** @type {number} */ y) => above.some((each) => each.holds(x, y));
      drawLabels(plate, /** @type {BoardDoc} */ (this.board), this.terrain, scale, (side) => this.side(side), this.units, { taken, hidden });
      taken = plate.taken;
    });
    if (this.set.threat) this.threat(this.set.threat);
  }

  /** Selection and marks as classes. */
  classes() {
    for (const group of this.root.querySelectorAll("[data-id]")) {
      const id = group.getAttribute("data-id") ?? "";
      const selected = this.selected.has(id);
      group.classList.toggle("selected", selected);
      if (group.hasAttribute("aria-pressed")) group.setAttribute("aria-pressed", String(selected));
      const names = [...this.marks].filter(([, ids]) => ids.has(id)).map(([name]) => name);
      for (const old of (group.getAttribute("data-marks") ?? "").split(" ")) {
        if (old) group.classList.remove(`mark-${old}`);
      }
      group.setAttribute("data-marks", names.join(" "));
      for (const name of names) group.classList.add(`mark-${name}`);
    }
  }

  /** @param {ReachDoc[]} reaches */
  reach(reaches) {
    this.set.reach = reaches;
    for (const { plate } of this.sheets) drawReach(plate, reaches);
    // Lengths on ways keep off its words.
    for (const [kind, { traces, label }] of this.set.ways) if (traces.length) this.ways(traces, kind, label);
  }

  /** @param {Ring[]} rings */
  rings(rings) {
    this.set.rings = rings;
    for (const { plate } of this.sheets) drawRings(plate, rings, this.figures);
    this.near();
  }

  /** Show the rings that a ghost comes near to. */
  near() {
    const places = this.set.ghosts.map((ghost) => {
      const figure = this.known.get(ghost.body);
      return { x: ghost.x, y: ghost.y, radius: figure ? halfOf(figure) : 0 };
    });
    for (const { plate } of this.sheets) {
      nearRings(plate, places.length ? places : null, this.figures);
    }
  }

  /** @param {Trace[]} traces @param {WayKind} kind @param {WayLabel} label */
  ways(traces, kind, label) {
    this.set.ways.set(kind, { traces, label });
    for (const { plate, sub } of this.sheets) {
      const above = sub(`lengths-${kind}`);
      drawWays(plate, sub(`ways-${kind}`), above, traces, kind, this.figures, label);
    }
  }

  /** @param {Ghost[]} ghosts */
  ghosts(ghosts) {
    const moved = new Set(ghosts.map((ghost) => ghost.body));
    const same = this.set.ghosts.length === moved.size && this.set.ghosts.every((g) => moved.has(g.body));
    this.set.ghosts = ghosts;
    for (const sheet of this.sheets) sheet.ghosts.set(ghosts, this.known, (s) => this.side(s));
    this.near();
    if (same) return;
    this.left();
  }

  /** Bodies whose ghosts are under way are drawn as what stays behind. */
  left() {
    const moved = new Set(this.set.ghosts.map((ghost) => ghost.body));
    this.root.classList.toggle("moving", moved.size > 0);
    for (const group of this.root.querySelectorAll("[data-id]")) {
      group.classList.toggle("left", moved.has(group.getAttribute("data-id") ?? ""));
    }
  }

  /** @param {Handle[]} handles */
  handles(handles) {
    this.set.handles = handles;
    for (const { plate, sub } of this.sheets) drawHandles(plate, sub("handles"), handles);
  }

  /** @param {Finding[]} findings */
  pins(findings) {
    this.set.pins = findings;
    const { scale } = this;
    for (const { plate, single } of this.sheets) {
      drawPins(plate, single ? findings : [], scale, findings.length ? coversOf(plate, this) : [], this.set.ghosts[0]?.z);
    }
  }

  /** @param {Tape | null} tape */
  tape(tape) {
    this.set.tape = tape;
    for (const { sub, plate, single } of this.sheets) drawTape(plate, sub("tape"), single ? tape : null);
  }

  /** @param {Ray[]} lines */
  lines(lines) {
    this.set.lines = lines;
    for (const { sub, plate, single } of this.sheets) drawLines(plate, sub("rays"), single ? lines : []);
  }

  /** @param {[number, number][]} ring */
  seen(ring) {
    this.set.seen = ring;
    for (const { sub, plate, single } of this.sheets) drawSeen(plate, sub("seen"), single ? ring : []);
  }

  /** @param {import("./threat.js").Shown | null} shown */
  threat(shown) {
    this.set.threat = shown;
    const none = { chances: [], bands: [] };
    for (const { sub, plate, single } of this.sheets) drawThreat(plate, sub("threat"), (single && shown) || none, this.patterns, this.figures);
  }

  /** @param {import("./beacon.js").Beacon | null} beacon */
  beacon(beacon) {
    this.set.beacon = beacon;
    for (const { sub, plate } of this.sheets) drawBeacon(plate, sub("beacon"), beacon);
  }

  /** @param {import("./arrows.js").Mark[]} marks */
  arrows(marks) {
    this.set.arrows = marks;
    for (const { sub, plate } of this.sheets) drawArrows(plate, sub("arrows"), marks);
  }

  /** Colour and rim of a side. @param {string} id */
  side(id) {
    const parties = this.board?.parties ?? [];
    const rim = parties.findIndex((party) => party.id === id);
    return { look: (parties[rim]?.look ?? 0) % 8, rim: Math.max(0, rim) % 4 };
  }

  /** @param {string} id @returns {SVGGElement | null} */
  element(id) {
    return this.root.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  /**
   * The figure nearest to a place of a plate, if it is nearer than a distance.
   * @param {Plate} plate
   * @param {[number, number]} point
   * @param {number} distance
   */
  nearest(plate, point, distance) {
    let found = null;
    let least = distance;
    for (const figure of this.figures.values()) {
      if (!plate.sees(figure.z)) continue;
      const gap = outside(figure, point[0], point[1]);
      if (gap >= least) continue;
      least = gap;
      found = figure.id;
    }
    return found;
  }

}
