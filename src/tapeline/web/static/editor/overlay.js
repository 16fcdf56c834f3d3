// @ts-check
// Outlines of the document over the board: what is pressed, what is chosen, what is at fault,
// and what the board below does not show yet.

import { oncePerFrame, svg } from "../lib/dom.js";
import { fixedAt, num } from "../board/plate.js";
import { placeOf } from "./handles.js";
import { entryOf } from "./paths.js";
import { baseOf, boxOf, cornersOf, heightsOf, outlinesOf, rectangleCorners, sortOf, WAYS, wallLine } from "./shapes.js";

/** @typedef {import("../board/board.js").BoardView} BoardView */
/** @typedef {import("../board/plate.js").Plate} Plate */
/** @typedef {import("./scene.js").Draft} Draft */
/** @typedef {import("./scene.js").Entry} Entry */
/** @typedef {import("../lib/documents.js").System} System */

export class Overlay {
  /**
   * @param {BoardView} board
   * @param {Draft} draft
   * @param {() => System | null} system
   */
  constructor(board, draft, system) {
    this.board = board;
    this.draft = draft;
    this.system = system;
    /** What the board shows, as text by id. @type {Map<string, string>} */
    this.shown = new Map();
    /** @type {{path: string, message: string}[]} */
    this.faults = [];
    this.focus = "";
    /** What is drawn on a layer, by id. @type {WeakMap<Element, Map<string, {text: string, made: SVGGElement}>>} */
    this.drawn = new WeakMap();
    this.soon = oncePerFrame(() => this.draw());
  }

  /** The board shows this scene now. @param {import("./scene.js").Scene} scene */
  landed(scene) {
    this.shown = new Map(
      [...scene.terrain, ...scene.models, ...scene.units, ...scene.zones].map((e) => [e.id, JSON.stringify(e)]),
    );
    this.draw();
  }

  draw() {
    const system = this.system();
    if (!system) return;
    const faulty = this.faultyIds();
    const entries = this.draft.all().filter(({ entry }) => !entry.members && !entry.state?.gone);
    const sized = entries
      .map(({ entry }) => {
        const box = boxOf(entry, system);
        const size = box ? Math.max(0.01, box.x1 - box.x0) * Math.max(0.01, box.y1 - box.y0) : 0;
        return { entry, size: entry.position ? 0 : size };
      })
      .sort((a, b) => b.size - a.size);
    for (const { plate } of this.board.drawing.sheets) {
      const layer = this.layer(plate);
      const before = this.drawn.get(layer) ?? new Map();
      /** @type {Map<string, {text: string, made: SVGGElement}>} */
      const now = new Map();
      for (const { entry } of sized) {
        if (!this.shows(plate, entry, system)) continue;
        const look = this.look(entry, faulty);
        const text = `${look} ${JSON.stringify(entry)}`;
        const kept = before.get(entry.id);
        now.set(entry.id, kept?.text === text ? kept : { text, made: this.thing(plate, entry, system, look) });
      }
      this.drawn.set(layer, now);
      const wanted = [...[...now.values()].map(({ made }) => made), ...this.pins(plate)];
      if (wanted.length !== layer.children.length || wanted.some((one, n) => layer.children[n] !== one)) {
        layer.replaceChildren(...wanted);
      }
    }
    this.stale();
  }

  /** @param {Plate} plate @returns {SVGGElement} */
  layer(plate) {
    let found = plate.over.querySelector(":scope > .sketch");
    if (!found) {
      found = svg("g", { class: "sketch" });
      plate.over.insertBefore(found, plate.layers.ways);
    }
    return /** @type {SVGGElement} */ (found);
  }

  /** @param {Plate} plate @param {Entry} entry @param {System} system */
  shows(plate, entry, system) {
    const [bottom, top] = heightsOf(entry, system);
    if (!Number.isFinite(bottom) || !Number.isFinite(top)) return true;
    return bottom === top ? plate.sees(bottom) : plate.cuts(bottom, top);
  }

  /** Ids of entries that a fault is about. @returns {Set<string>} */
  faultyIds() {
    const found = new Set();
    for (const fault of this.faults) {
      const entry = entryOf(fault.path);
      if (!entry || entry.list === "sides") continue;
      const thing = this.draft.scene[entry.list][entry.index];
      if (!thing) continue;
      found.add(thing.id);
      for (const member of thing.members ?? []) found.add(member);
    }
    return found;
  }

  /** The classes of an entry. @param {Entry} entry @param {Set<string>} faulty */
  look(entry, faulty) {
    const fresh = this.shown.get(entry.id) !== JSON.stringify(entry);
    const names = ["thing"];
    if (fresh) names.push("fresh");
    if (this.draft.selected.has(entry.id)) names.push("chosen");
    if (faulty.has(entry.id)) names.push("faulty");
    const zone = sortOf(entry) === "zone";
    if (zone) names.push("of-zone");
    const side = entry.position || zone ? this.draft.scene.sides.findIndex((one) => one.id === entry.side) : -1;
    if (side >= 0) names.push(`of-${side % 8}`);
    return names.join(" ");
  }

  /** @param {Plate} plate @param {Entry} entry @param {System} system @param {string} look */
  thing(plate, entry, system, look) {
    return svg(
      "g",
      { class: look, "data-sketch": entry.id },
      outlines(plate, entry, system)
        .map(({ d, line }) => [
          svg("path", { class: line ? "reach line" : "reach", d }),
          svg("path", { class: line ? "form line" : "form", d }),
        ])
        .flat(),
    );
  }

  /** Marks at the exact places of faults. @param {Plate} plate */
  pins(plate) {
    return this.faults.flatMap((fault) => {
      const entry = entryOf(fault.path);
      const thing = entry && entry.list !== "sides" ? this.draft.scene[entry.list][entry.index] : null;
      const place = thing && placeOf(thing, entry?.rest ?? "");
      if (!place || thing?.position) return [];
      const [x, y] = plate.at(place[0], place[1]);
      const chosen = fault.path === this.focus ? " here" : "";
      return [fixedAt(x, y, [svg("circle", { r: 9 }), svg("text", { y: 4.5, text: "!" })], { class: `fault-pin${chosen}` })];
    });
  }

  /** Shift the board, and change the storey, so that an entry is seen. @param {Entry} entry @param {System} system */
  reveal(entry, system) {
    const box = boxOf(entry, system);
    if (!box) return;
    const here = () => this.board.drawing.sheets.find(({ plate }) => this.shows(plate, entry, system));
    if (!here()) {
      const [bottom] = heightsOf(entry, system);
      const storeys = this.board.board?.storeys ?? [];
      const storey = storeys.findLast((one) => one.bottom <= bottom + 1e-6);
      if (storey) this.board.storey = storey.index;
    }
    const plate = here()?.plate;
    if (!plate) return;
    const [x, y] = plate.at(box.x0, box.y1);
    const room = 1;
    this.board.view.reveal({
      x: x - room,
      y: y - room,
      width: box.x1 - box.x0 + 2 * room,
      height: box.y1 - box.y0 + 2 * room,
    });
  }

  /** What the board still shows but the document no longer has like that goes faint. */
  stale() {
    const now = new Map(this.draft.all().map(({ entry }) => [entry.id, JSON.stringify(entry)]));
    for (const element of this.board.root.querySelectorAll("[data-terrain], [data-id], [data-zone]")) {
      const id = ["data-terrain", "data-id", "data-zone"].map((name) => element.getAttribute(name)).find(Boolean) ?? "";
      element.classList.toggle("stale", now.get(id) !== this.shown.get(id));
    }
  }
}

/**
 * The outline of an entry as paths.
 * @param {Plate} plate
 * @param {Entry} entry
 * @param {System} system
 * @returns {{d: string, line: boolean}[]}
 */
function outlines(plate, entry, system) {
  const found = outlinesOf(entry)
    .filter(({ part }) => part === "ground" || part === "hatch" || part === "hole")
    .map(({ shape }) => ({ d: shapePath(plate, shape), line: false }));
  if (entry.position) {
    const base = baseOf(entry, system);
    const shape =
      "radius" in base
        ? { circle: { centre: entry.position, radius: base.radius } }
        : { rectangle: { centre: entry.position, facing: entry.facing ?? 0, ...base } };
    found.push({ d: shapePath(plate, shape), line: false });
  }
  if (Array.isArray(entry.wall)) found.push({ d: linePath(plate, wallLine(entry)), line: true });
  if (entry.face) found.push({ d: linePath(plate, [entry.face.from, entry.face.to]), line: true });
  for (const way of WAYS) {
    const given = entry[way];
    if (!given) continue;
    const [dx, dy] = [given.head[0] - given.foot[0], given.head[1] - given.foot[1]];
    const length = Math.hypot(dx, dy);
    if (given.width && length > 1e-9) {
      const centre = [given.foot[0] + dx / 2, given.foot[1] + dy / 2];
      const facing = (Math.atan2(dy, dx) * 180) / Math.PI;
      const rectangle = { centre, width: given.width, depth: length, facing };
      found.push({ d: shapePath(plate, { rectangle }), line: false });
    } else {
      const short = length < 0.05 ? 0.3 : 0;
      const from = [given.foot[0] - short, given.foot[1]];
      found.push({ d: linePath(plate, [from, [given.head[0] + short, given.head[1]]]), line: true });
    }
  }
  return found.filter(({ d }) => !d.includes("NaN"));
}

/** @param {Plate} plate @param {any} shape */
function shapePath(plate, shape) {
  if (shape.circle) {
    const { centre, radius } = shape.circle;
    const [x, y] = plate.at(centre[0], centre[1]);
    const r = num(radius);
    return `M${num(x - radius)} ${num(y)}a${r} ${r} 0 1 0 ${num(2 * radius)} 0a${r} ${r} 0 1 0 ${num(-2 * radius)} 0Z`;
  }
  const corners = shape.rectangle ? rectangleCorners(shape.rectangle) : cornersOf(shape);
  return `${linePath(plate, corners)}Z`;
}

/** @param {Plate} plate @param {number[][]} corners */
function linePath(plate, corners) {
  return corners.map((corner, index) => {
    const [x, y] = plate.at(corner[0], corner[1]);
    return `${index ? "L" : "M"}${num(x)} ${num(y)}`;
  }).join("");
}
