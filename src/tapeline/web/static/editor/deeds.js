// @ts-check
// What can be done to things of a scene, whatever hand asks for it: mouse, keys or form.

import { renameInGoals } from "./game_form.js";
import { copies } from "./making.js";
import { baseOf, boxOf, joined, moveEntry, turnEntry } from "./shapes.js";
import { putAt } from "./paths.js";

/** @typedef {import("./scene.js").Draft} Draft */
/** @typedef {import("./scene.js").Entry} Entry */
/** @typedef {import("./scene.js").List} List */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../lib/documents.js").System} System */

export class Deeds {
  /**
   * @param {Draft} draft
   * @param {() => System} system
   * @param {() => import("./making.js").Maker} maker
   * @param {(text: string) => void} say
   */
  constructor(draft, system, maker, say) {
    this.draft = draft;
    this.system = system;
    this.maker = maker;
    this.say = say;
  }

  /** Add entries and select them. @param {string} says @param {{list: List, entry: Entry}[]} made */
  add(says, made) {
    this.draft.change(says, (scene) => {
      for (const { list, entry } of made) scene[list].push(entry);
    });
    this.draft.select(made.map(({ entry }) => entry.id));
    this.say(`${says}: ${made.map(({ entry }) => entry.name || entry.id).join(", ")}`);
  }

  /** Move what is selected. @param {number} dx @param {number} dy */
  nudge(dx, dy) {
    if (!this.draft.selected.size) return;
    this.draft.change("move", () => this.shift(dx, dy), "nudge");
  }

  /** Move in place, within a change. @param {number} dx @param {number} dy */
  shift(dx, dy) {
    for (const { entry } of this.draft.chosen()) moveEntry(entry, dx, dy);
  }

  /** Turn what is selected about its middle. @param {number} degrees */
  turn(degrees) {
    const about = this.middle();
    if (!about) return;
    this.draft.change("turn", () => this.turnAbout(about, degrees), "turn");
  }

  /** Turn in place, within a change. @param {[number, number]} about @param {number} degrees */
  turnAbout(about, degrees) {
    for (const { entry } of this.draft.chosen()) turnEntry(entry, about, degrees);
  }

  /** The middle of what is selected. @returns {[number, number] | null} */
  middle() {
    const chosen = this.draft.chosen().filter(({ entry }) => !entry.members);
    if (chosen.length === 1 && chosen[0].entry.position) {
      const [x, y] = chosen[0].entry.position;
      return [x, y];
    }
    const box = joined(chosen.map(({ entry }) => boxOf(entry, this.system())));
    return box ? [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2] : null;
  }

  duplicate() {
    const chosen = this.draft.chosen();
    if (!chosen.length) return;
    this.add("Duplicate", copies(this.maker(), chosen));
  }

  remove() {
    const gone = new Set(this.draft.selected);
    if (!gone.size) return;
    const count = this.draft.chosen().length;
    this.draft.change("delete", (scene) => {
      for (const unit of scene.units) {
        if (unit.members) unit.members = unit.members.filter((/** @type {string} */ id) => !gone.has(id));
      }
      scene.terrain = scene.terrain.filter((entry) => !gone.has(entry.id));
      scene.zones = scene.zones.filter((entry) => !gone.has(entry.id));
      scene.models = scene.models.filter((entry) => !gone.has(entry.id));
      scene.units = scene.units.filter((entry) => !gone.has(entry.id) && entry.members?.length !== 0);
    });
    this.say(`${count === 1 ? "One thing" : `${count} things`} deleted`);
  }

  /** Another id for an entry, wherever it is named. @param {string} before @param {string} after */
  rename(before, after) {
    if (!after || after === before) return;
    const selected = new Set(this.draft.selected);
    this.draft.change("rename", (scene) => {
      for (const list of /** @type {List[]} */ (["terrain", "models", "units", "zones"])) {
        for (const entry of scene[list]) {
          if (entry.id === before) entry.id = after;
          if (entry.members) entry.members = swapped(entry.members, before, after);
        }
      }
      renameInGoals(scene, ["zone", "who", "targets"], before, after);
    });
    if (selected.delete(before)) this.draft.select(selected.add(after));
  }

  /** Another id for a side, wherever it is named. @param {number} index @param {string} after */
  renameSide(index, after) {
    const before = this.draft.scene.sides[index].id;
    if (!after || after === before) return;
    this.draft.change("rename a side", (scene) => {
      scene.sides[index].id = after;
      for (const one of [...scene.models, ...scene.units, ...scene.zones]) if (one.side === before) one.side = after;
      for (const key of ["active", "initiative"]) if (scene.turn[key] === before) scene.turn[key] = after;
      renameInGoals(scene, ["side"], before, after);
      if (scene.deployment?.next === before) scene.deployment.next = after;
    });
  }

  /** All that is selected belongs to a side now. @param {string} side */
  giveTo(side) {
    const ids = new Set(this.draft.chosen().flatMap(({ entry }) => [entry.id, ...(entry.members ?? [])]));
    this.draft.change("change side", (scene) => {
      for (const body of [...scene.models, ...scene.units]) if (ids.has(body.id)) body.side = side;
    });
  }

  /** @param {Entry[]} stands @param {string} profile */
  reprofile(stands, profile) {
    const ids = new Set(stands.map((stand) => stand.id));
    this.draft.change("change profile", (scene) => {
      for (const model of scene.models) {
        if (!ids.has(model.id)) continue;
        model.profile = profile;
        delete model.base;
      }
    });
  }

  /** The unit of stands that is selected as a whole. @param {{list: List, index: number, entry: Entry}[]} chosen */
  unitOf(chosen) {
    const units = chosen.filter(({ entry }) => entry.members);
    if (units.length !== 1) return null;
    const { entry, index } = units[0];
    if (chosen.some((one) => one !== units[0] && !entry.members.includes(one.entry.id))) return null;
    return { path: `units[${index}]`, entry, stands: this.stands(entry) };
  }

  /** @param {Entry} unit @returns {Entry[]} */
  stands(unit) {
    return unit.members
      .map((/** @type {string} */ id) => this.draft.scene.models.find((model) => model.id === id))
      .filter(Boolean);
  }

  /** Ids that are picked together with one: the stands of its unit. @param {string} id @returns {string[]} */
  company(id) {
    const unit = this.draft.scene.units.find((one) => one.id === id || one.members?.includes(id));
    return unit?.members ? [unit.id, ...unit.members] : [id];
  }

  /** One more stand beside the last one of a unit. @param {string} id */
  addStand(id) {
    const unit = this.draft.scene.units.find((one) => one.id === id);
    const last = unit && this.stands(unit).at(-1);
    if (!unit || !last) return;
    const base = baseOf(last, this.system());
    const wide = "radius" in base ? 2 * base.radius : base.width;
    const facing = ((last.facing ?? 0) * Math.PI) / 180;
    const made = JSON.parse(JSON.stringify(last));
    made.id = this.maker().id(last.id.replace(/-\d+$/, ""));
    made.position = [
      exact(last.position[0] + wide * Math.sin(facing)),
      exact(last.position[1] - wide * Math.cos(facing)),
    ];
    this.draft.change("add a stand", (scene) => {
      scene.models.push(made);
      const found = scene.units.find((one) => one.id === id);
      found?.members.push(made.id);
    });
    this.draft.select([unit.id, ...unit.members, made.id]);
  }

  /**
   * The stands of a unit side by side, or one behind the other; the first stays where it is.
   * @param {string} id
   * @param {"line" | "column"} how
   */
  formUp(id, how) {
    const unit = this.draft.scene.units.find((one) => one.id === id);
    const stands = unit ? this.stands(unit) : [];
    if (!stands.length) return;
    const base = baseOf(stands[0], this.system());
    const [wide, deep] = "radius" in base ? [2 * base.radius, 2 * base.radius] : [base.width, base.depth];
    const degrees = stands[0].facing ?? 0;
    const facing = (degrees * Math.PI) / 180;
    const [cos, sin] = [Math.cos(facing), Math.sin(facing)];
    const [dx, dy] = how === "line" ? [wide * sin, -wide * cos] : [-deep * cos, -deep * sin];
    const [x, y] = stands[0].position;
    this.draft.change(how === "line" ? "form a line" : "form a column", () => {
      stands.forEach((stand, index) => {
        stand.position = [exact(x + index * dx), exact(y + index * dy)];
        stand.facing = degrees;
      });
    });
  }

  /** Put a value at a path. @param {{label: string, path: string, value: any}} fix */
  mend(fix) {
    this.draft.change(fix.label, (scene) => putAt(scene, fix.path, fix.value));
  }
}

/** @param {string[]} ids @param {string} before @param {string} after */
function swapped(ids, before, after) {
  return ids.map((id) => (id === before ? after : id));
}

/** A figure of contact: fine enough for bases to touch. @param {number} value */
function exact(value) {
  const found = Math.round(value * 1e9) / 1e9;
  return found === 0 ? 0 : found;
}
