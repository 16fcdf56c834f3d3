// @ts-check
// New things for a scene: terrain of usual sizes, houses, models and units from profiles.

import { around, baseOf, boxOf, moveEntry, tidy } from "./shapes.js";
import { freeId } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Entry} Entry */
/** @typedef {import("../lib/documents.js").System} System */
/** @typedef {import("../lib/documents.js").Profile} Profile */
/** @typedef {"rectangle" | "polygon" | "circle"} Form */

/** What is being worked on: the system, the scene and the ids that are taken. */
export class Maker {
  /**
   * @param {System} system
   * @param {Scene} scene
   * @param {Set<string>} taken
   */
  constructor(system, scene, taken) {
    this.system = system;
    this.scene = scene;
    this.taken = taken;
    /** Inches to table units. */
    this.k = scene.table.unit === "cm" ? 2.5 : 1;
  }

  /** @param {string} stem */
  id(stem) {
    return freeId(this.taken, stem);
  }

  /** A rectangle about a place as corners. @param {number} x @param {number} y @param {number} wide @param {number} deep */
  corners(x, y, wide, deep) {
    return [
      [x - wide / 2, y - deep / 2],
      [x + wide / 2, y - deep / 2],
      [x + wide / 2, y + deep / 2],
      [x - wide / 2, y + deep / 2],
    ].map((corner) => corner.map(tidy));
  }

  /**
   * A shape of a usual size.
   * @param {Form} form
   * @param {number} x
   * @param {number} y
   */
  shape(form, x, y) {
    const { k } = this;
    if (form === "circle") return { circle: { centre: [x, y], radius: 2 * k } };
    if (form === "rectangle") {
      return { rectangle: { centre: [x, y], width: 4 * k, depth: 4 * k, facing: 0 } };
    }
    const corners = [];
    for (let index = 0; index < 6; index += 1) {
      const angle = (index * Math.PI) / 3;
      const far = (index % 2 ? 2.6 : 2.1) * k;
      corners.push([
        Math.round((x + far * Math.cos(angle)) * 100) / 100,
        Math.round((y + far * Math.sin(angle)) * 100) / 100,
      ]);
    }
    return { polygon: corners };
  }

  /**
   * A zone along the edge of a side, or in the middle for nobody's.
   * @param {number | null} index of the side
   * @returns {Entry}
   */
  zone(index) {
    const { width, depth } = this.scene.table;
    const side = index === null ? undefined : this.scene.sides[index];
    const deep = Math.round(depth / 4);
    const y = index === null ? depth / 2 : index ? depth - deep / 2 : deep / 2;
    const name = side ? `${side.name || side.id} sets up` : "Zone";
    const wide = index === null ? Math.round(width / 4) : width;
    const shape = { polygon: this.corners(width / 2, y, wide, deep) };
    return { id: this.id(side ? `${side.id}-zone` : "zone"), name, ...(side && { side: side.id }), shape };
  }

  /**
   * A piece of a kind.
   * @param {string} kind
   * @param {any} shape
   * @param {string} [name]
   * @returns {Entry}
   */
  piece(kind, shape, name = "") {
    /** @type {Entry} */
    const made = { id: this.id(name || kind), kind, shape };
    if (name) made.name = name;
    return made;
  }

  /** @param {number[][]} corners @param {number} z @returns {Entry} */
  floor(corners, z) {
    return { id: this.id("floor"), floor: { polygon: corners }, z, kind: "floor" };
  }

  /** @param {number[][]} line @param {boolean} closed @param {number} base @returns {Entry} */
  wall(line, closed, base) {
    const made = { id: this.id("wall"), wall: line, thickness: 0.2, height: 3, closed, openings: [] };
    return /** @type {Entry} */ (base ? { ...made, base_height: base } : made);
  }

  /**
   * A way up.
   * @param {"ramp" | "stairs" | "ladder" | "rope"} sort
   * @param {number} x of its foot
   * @param {number} y
   * @param {number} z
   * @returns {Entry}
   */
  way(sort, x, y, z) {
    const slope = sort === "ramp" || sort === "stairs";
    const foot = [x, y, z];
    const head = [tidy(slope ? x + 4 : x + 0.5), y, z + 3];
    return { id: this.id(sort), [sort]: slope ? { foot, head, width: 1.2 } : { foot, head } };
  }

  /** @param {number} x @param {number} y @returns {Entry} */
  face(x, y) {
    return { id: this.id("face"), face: { from: [x - 1, y], to: [x + 1, y], bottom: 0, top: 3 } };
  }

  /** An opening in the middle of the longest side of a wall. @param {Entry} wall @param {"door" | "window" | "gap"} kind */
  opening(wall, kind) {
    const line = wall.closed ? [...wall.wall, wall.wall[0]] : wall.wall;
    let start = 0;
    let best = { from: 0, length: 0 };
    for (let index = 1; index < line.length; index += 1) {
      const length = Math.hypot(line[index][0] - line[index - 1][0], line[index][1] - line[index - 1][1]);
      for (const [from, to] of this.clear(wall, start, start + length)) {
        if (to - from > best.length + 1e-6) best = { from, length: to - from };
      }
      start += length;
    }
    const wide = Math.min(kind === "gap" ? 2 : 1.4, best.length * 0.8);
    const from = tidy(best.from + (best.length - wide) / 2);
    /** @type {Record<string, any>} */
    const made = { id: this.id(kind), kind, from, to: tidy(from + wide) };
    if (kind === "door") made.head = Math.min(2.2, wall.height);
    if (kind === "window") {
      made.sill = Math.min(1, wall.height / 3);
      made.head = Math.min(2.2, wall.height);
    }
    return made;
  }

  /** The parts of a stretch of a wall that have no opening. @param {Entry} wall @param {number} from @param {number} to */
  clear(wall, from, to) {
    const found = [];
    let at = from;
    const openings = [...(wall.openings ?? [])].sort((a, b) => a.from - b.from);
    for (const opening of openings) {
      if (opening.to <= at || opening.from >= to) continue;
      if (opening.from > at) found.push([at, opening.from]);
      at = Math.max(at, opening.to);
    }
    if (at < to) found.push([at, to]);
    return found;
  }

  /** Walls with a door, an upper floor and stairs to it. @param {number} x @param {number} y @returns {Entry[]} */
  house(x, y) {
    const walls = this.wall(this.corners(x, y, 8, 8), true, 0);
    walls.id = this.id("house-walls");
    walls.openings.push({ id: this.id("door"), kind: "door", from: 3.3, to: 4.7, head: 2.2 });
    walls.openings.push({
      ...{ id: this.id("window"), kind: "window", from: 11, to: 13 },
      ...{ sill: 1, head: 2.2 },
    });
    const floor = this.floor(this.corners(x, y, 8.2, 8.2), 3);
    floor.holes = [{ polygon: this.corners(x - 1, y + 0.6, 4, 1.2) }];
    const stairs = this.way("stairs", tidy(x - 3), tidy(y + 0.6), 0);
    return [walls, floor, stairs];
  }

  /**
   * Bodies of a profile for a side, with their unit if they have one: a free spot near a place.
   * @param {Profile} profile
   * @param {string} side
   * @param {number} count
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {{models: Entry[], units: Entry[]}}
   */
  bodies(profile, side, count, x, y, z) {
    const facing = this.scene.sides[0]?.id === side ? 90 : 270;
    const start = { side, profile: profile.name, facing };
    if (profile.form === "regiment") {
      const name = { id: this.id(`${side}-${profile.name}`), name: profile.name };
      const unit = { ...name, ...start, models: count };
      const files = Math.min(profile.files, count);
      return { models: [], units: [this.settled({ ...unit, files, position: [x, y] })] };
    }
    if (profile.form === "stands") {
      const [wide] = profile.base_mm ?? [25];
      const step = wide / this.system.mm;
      const models = [];
      const spot = this.freeSpot(x, y, (step * count) / 2 + step);
      for (let index = 0; index < count; index += 1) {
        const off = (index - (count - 1) / 2) * step;
        models.push({
          ...{ id: this.id(`${side}-${profile.name}`), ...start },
          position: [spot[0] + off, spot[1]].map((v) => Math.round(v * 1e9) / 1e9),
        });
      }
      const members = models.map((stand) => stand.id);
      const unit = { id: this.id(`${side}-unit`), side, name: profile.name, members };
      return { models, units: [unit] };
    }
    const models = [];
    for (let index = 0; index < count; index += 1) {
      const made = { id: this.id(side), ...start, name: profile.name, position: [x, y] };
      const placed = this.settled(z ? { ...made, z } : made);
      models.push(placed);
      this.scene = { ...this.scene, models: [...this.scene.models, placed] };
    }
    return { models, units: [] };
  }

  /**
   * All of a roster near a place, named as it says; those of one name are numbered.
   * @param {import("../lib/documents.js").Roster} roster
   * @param {string} side
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {{models: Entry[], units: Entry[]}}
   */
  roster(roster, side, x, y, z) {
    const all = { models: /** @type {Entry[]} */ ([]), units: /** @type {Entry[]} */ ([]) };
    for (const line of roster.lines) {
      const profile = this.system.profiles.find((one) => one.name === line.profile);
      for (let number = 1; profile && number <= line.count; number += 1) {
        const made = this.bodies(profile, side, profile.form === "model" ? 1 : (line.size ?? profile.count), x, y, z);
        const [named] = made.units.length ? made.units : made.models;
        named.name = line.count > 1 ? `${line.name} ${number}` : line.name;
        all.models.push(...made.models);
        all.units.push(...made.units);
        const { models, units } = this.scene;
        const inside = made.models.filter((one) => !models.includes(one) && !models.some((other) => other.id === one.id));
        this.scene = { ...this.scene, models: [...models, ...inside], units: [...units, ...made.units] };
      }
    }
    return all;
  }

  /** A body put on a free spot near where it is. @param {any} body @returns {Entry} */
  settled(body) {
    const base = baseOf(body, this.system);
    const reach = "radius" in base ? base.radius : Math.hypot(base.width, base.depth) / 2;
    return { ...body, position: this.freeSpot(body.position[0], body.position[1], reach, body.z ?? 0) };
  }

  /** @param {number} x @param {number} y @param {number} reach @param {number} [z] @returns {number[]} */
  freeSpot(x, y, reach, z = 0) {
    const { width, depth } = this.scene.table;
    const taken = [...this.scene.models, ...this.scene.units]
      .filter((body) => body.position && Math.abs((body.z ?? 0) - z) < 1)
      .map((body) => {
        const base = baseOf(body, this.system);
        const far = "radius" in base ? base.radius : Math.hypot(base.width, base.depth) / 2;
        return [body.position[0], body.position[1], far];
      });
    const gap = 0.1 * this.k;
    const step = Math.max(0.5 * this.k, reach);
    const fits = (/** @type {number} */ a, /** @type {number} */ b) =>
      a >= reach && b >= reach && a <= width - reach && b <= depth - reach &&
      taken.every(([tx, ty, far]) => Math.hypot(a - tx, b - ty) >= reach + far + gap);
    for (let ring = 0; ring < 40; ring += 1) {
      const count = Math.max(1, ring * 6);
      for (let index = 0; index < count; index += 1) {
        const angle = (index * 2 * Math.PI) / count;
        const a = Math.round((x + ring * step * Math.cos(angle)) * 10) / 10;
        const b = Math.round((y + ring * step * Math.sin(angle)) * 10) / 10;
        if (fits(a, b)) return [a, b];
      }
    }
    return [x, y];
  }
}

/** Keys of an entry that hold ids of others or of its parts. */
const NAMED = ["members"];

/**
 * Copies of entries beside them, with ids of their own.
 * @param {Maker} maker
 * @param {{list: import("./scene.js").List, entry: Entry}[]} chosen
 * @returns {{list: import("./scene.js").List, entry: Entry}[]}
 */
export function copies(maker, chosen) {
  const boxes = chosen.map(({ entry }) => boxOf(entry, maker.system));
  const box = around(boxes.flatMap((b) => (b ? [[b.x0, b.y0], [b.x1, b.y1]] : [])));
  const shift = box ? Math.max(0.5, Math.round((box.x1 - box.x0 + 0.5) * 2) / 2) : 1;
  const { width } = maker.scene.table;
  const dx = box && box.x1 + shift > width && box.x0 - shift >= 0 ? -shift : shift;
  /** @type {Map<string, string>} */
  const renamed = new Map();
  const made = chosen.map(({ list, entry }) => {
    const copy = JSON.parse(JSON.stringify(entry));
    copy.id = maker.id(entry.id.replace(/-\d+$/, ""));
    renamed.set(entry.id, copy.id);
    for (const opening of copy.openings ?? []) opening.id = maker.id(opening.id.replace(/-\d+$/, ""));
    return { list, entry: copy };
  });
  for (const { entry } of made) {
    for (const key of NAMED) {
      if (entry[key]) entry[key] = entry[key].map((/** @type {string} */ id) => renamed.get(id) ?? id);
    }
    if (entry.state) delete entry.state;
    moveEntry(entry, dx, 0);
  }
  return made;
}
