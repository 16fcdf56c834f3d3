// @ts-check
// What can be added: terrain, parts of houses, models and units. Each is put in the middle of what
// is seen, or drawn corner by corner.

import { fill, h } from "../lib/dom.js";
import { figures } from "./body_form.js";
import { rosterForm } from "./roster_form.js";
import { boxOf } from "./shapes.js";

/** @typedef {import("../lib/documents.js").System} System */
/** @typedef {import("./making.js").Maker} Maker */
/** @typedef {import("./deeds.js").Deeds} Deeds */
/** @typedef {import("./scene.js").Draft} Draft */

/**
 * @typedef {object} Place
 * @property {number} x
 * @property {number} y
 * @property {number} z height of the storey that is seen
 */

export class AddForm {
  /**
   * @param {HTMLElement} root
   * @param {{draft: Draft, system: () => System, maker: () => Maker, deeds: Deeds,
   *   draw: (drawing: import("./corners.js").Drawing) => void,
   *   place: (side?: string) => Place}} desk
   */
  constructor(root, desk) {
    this.root = root;
    this.desk = desk;
    this.made = "";
    this.system = "";
    this.kind = "";
    this.form = "rectangle";
    this.side = "";
    this.profile = "";
    this.count = 0;
  }

  show() {
    const system = this.desk.system();
    const sides = this.desk.draft.scene.sides;
    const wanted = JSON.stringify([system.name, sides]);
    if (wanted === this.made) return;
    this.made = wanted;
    if (!system.terrain.some((kind) => kind.name === this.kind)) this.kind = system.terrain[0]?.name ?? "";
    if (!sides.some((side) => side.id === this.side)) this.side = sides[0]?.id ?? "";
    // One of the same name may have another number in it.
    if (this.system !== system.name || !system.profiles.some((one) => one.name === this.profile)) {
      this.system = system.name;
      this.profile = system.profiles[0]?.name ?? "";
      this.count = system.profiles[0]?.count ?? 1;
    }
    fill(this.root, this.bodies(system), rosterForm(this, system), this.terrain(system), this.zones(), system.storeys ? this.building() : null);
  }

  /** @param {string} text @param {string} does @param {() => void} run @param {string} [className] */
  button(text, does, run, className) {
    return h("button", { type: "button", text, class: className, dataset: { does }, onclick: run });
  }

  /**
   * @param {string} label
   * @param {[string, string][]} options
   * @param {string} value
   * @param {(value: string) => void} take
   */
  choice(label, options, value, take) {
    const id = `add-${label.toLowerCase().replaceAll(" ", "-")}`;
    const select = h(
      "select",
      { id, onchange: () => take(select.value) },
      options.map(([each, words]) => h("option", { value: each, text: words, selected: each === value })),
    );
    return h("div", { class: "field" }, h("label", { for: id, text: label }), select);
  }

  /** @param {System} system */
  bodies(system) {
    const { deeds, maker, draft, place } = this.desk;
    const says = h("p", { class: "says" });
    const count = h("input", { type: "number", id: "add-count", min: 1, step: 1, inputmode: "numeric" });
    const label = h("label", { for: "add-count" });
    const add = this.button("Add", "add-bodies", () => {
      const profile = system.profiles.find((one) => one.name === this.profile);
      if (!profile) return;
      const { x, y, z } = place(this.side);
      const number = Math.max(1, Math.min(profile.form === "model" ? 30 : profile.most, Math.round(count.valueAsNumber) || 1));
      const made = maker().bodies(profile, this.side, number, x, y, z);
      deeds.add("Add", [
        ...made.models.map((entry) => ({ list: /** @type {const} */ ("models"), entry })),
        ...made.units.map((entry) => ({ list: /** @type {const} */ ("units"), entry })),
      ]);
    }, "primary");
    let form = "";
    const settle = (/** @type {boolean} */ anew) => {
      const profile = system.profiles.find((one) => one.name === this.profile);
      if (!profile) return;
      if (anew && !(profile.form === "model" && form === "model")) this.count = profile.count;
      form = profile.form;
      count.value = String(this.count);
      count.max = String(profile.form === "model" ? 30 : profile.most);
      label.textContent = { model: "How many", regiment: "Models in it", stands: "Stands in it" }[profile.form];
      add.textContent = { model: "Add models", regiment: "Add the regiment", stands: "Add the unit" }[profile.form];
      says.textContent = figures(profile, system.unit);
    };
    count.addEventListener("input", () => {
      this.count = Math.round(count.valueAsNumber) || 1;
    });
    const section = h(
      "section",
      { class: "adding", "aria-labelledby": "add-bodies" },
      h("h3", { id: "add-bodies", text: system.profiles.some((p) => p.form !== "model") ? "Units and models" : "Models" }),
      this.choice("Side", draft.scene.sides.map((side) => [side.id, side.name || side.id]), this.side, (side) => {
        this.side = side;
      }),
      this.choice("Profile", system.profiles.map((one) => [one.name, one.name]), this.profile, (name) => {
        this.profile = name;
        settle(true);
      }),
      says,
      h("div", { class: "field short" }, label, count),
      h("div", { class: "bar" }, add),
    );
    settle(false);
    return section;
  }

  /** @param {System} system */
  terrain(system) {
    const { deeds, draft, maker, draw, place } = this.desk;
    const says = h("p", { class: "says" });
    const settle = () => {
      const kind = system.terrain.find((one) => one.name === this.kind);
      says.textContent = kind?.traits.length
        ? `It is ${kind.traits.map((trait) => trait.replaceAll("_", " ")).join(", ")}.`
        : "It has no effect of its own.";
    };
    const put = (/** @type {any} */ shape) => {
      deeds.add("Add", [{ list: "terrain", entry: maker().piece(this.kind, shape) }]);
    };
    // Not right on top of the piece that was added before.
    const at = () => {
      const { x, y, z } = place();
      const step = maker().k;
      let off = 0;
      while (draft.scene.terrain.some((entry) => {
        const box = entry.kind && !("z" in entry) ? boxOf(entry, system) : null;
        return box && Math.hypot((box.x0 + box.x1) / 2 - x - off, (box.y0 + box.y1) / 2 - y - off) < step / 2;
      })) off += step;
      return { x: x + off, y: y + off, z };
    };
    const shape = (/** @type {import("./making.js").Form} */ form) => () => {
      const { x, y } = at();
      put(maker().shape(form, x, y));
    };
    settle();
    return h(
      "section",
      { class: "adding", "aria-labelledby": "add-terrain" },
      h("h3", { id: "add-terrain", text: "Terrain" }),
      this.choice("Kind", system.terrain.map((kind) => [kind.name, kind.name]), this.kind, (kind) => {
        this.kind = kind;
        settle();
      }),
      says,
      h(
        "div",
        { class: "bar" },
        this.button("Rectangle", "add-rectangle", shape("rectangle")),
        this.button("Circle", "add-circle", shape("circle")),
        this.button("Outline", "add-polygon", shape("polygon")),
        this.button("Draw its corners", "draw-piece", () =>
          draw({
            says: "Click the corners of the outline",
            points: [],
            least: 3,
            closed: true,
            done: (points) => put({ polygon: points }),
          }),
        ),
      ),
    );
  }

  /** Zones in which a side sets up, or that both should know of. */
  zones() {
    const { deeds, draft, maker } = this.desk;
    const put = (/** @type {number | null} */ index) => () =>
      deeds.add("Add", [{ list: "zones", entry: maker().zone(index) }]);
    return h(
      "section",
      { class: "adding", "aria-labelledby": "add-zones" },
      h("h3", { id: "add-zones", text: "Zones" }),
      h("p", { class: "says", text: "Where models are set up, or what goals ask to hold or reach. No rule heeds them." }),
      h(
        "div",
        { class: "bar" },
        draft.scene.sides.map((side, index) =>
          this.button(`Zone of ${side.name || side.id}`, `zone-${side.id}`, put(index)),
        ),
        this.button("Zone of nobody", "zone-none", put(null)),
      ),
    );
  }

  building() {
    const { deeds, maker, place, system } = this.desk;
    const one = (/** @type {(maker: Maker, at: Place) => import("./scene.js").Entry} */ make) => () =>
      deeds.add("Add", [{ list: "terrain", entry: make(maker(), place()) }]);
    const draw = (
      /** @type {string} */ says,
      /** @type {number} */ least,
      /** @type {boolean} */ closed,
      /** @type {(maker: Maker, points: [number, number][], z: number) => import("./scene.js").Entry} */ make,
    ) => () => {
      const { z } = place();
      this.desk.draw({
        says,
        points: [],
        least,
        closed,
        done: (points) => deeds.add("Add", [{ list: "terrain", entry: make(maker(), points, z) }]),
      });
    };
    return h(
      "section",
      { class: "adding", "aria-labelledby": "add-building" },
      h("h3", { id: "add-building", text: "Buildings" }),
      h("p", { class: "says", text: `Put where you look, on the storey that is shown. Heights in ${system().unit === "in" ? "inches" : "centimetres"}.` }),
      h(
        "div",
        { class: "bar" },
        this.button("House", "add-house", () => {
          const { x, y } = place();
          deeds.add("Add", maker().house(x, y).map((entry) => ({ list: /** @type {const} */ ("terrain"), entry })));
        }),
        this.button("Floor", "add-floor", one((m, { x, y, z }) => m.floor(m.corners(x, y, 8, 8), z + 3))),
        this.button("Walls", "add-walls", one((m, { x, y, z }) => m.wall(m.corners(x, y, 8, 8), true, z))),
        this.button("Wall", "add-wall", one((m, { x, y, z }) => m.wall([[x - 3, y], [x + 3, y]], false, z))),
        this.button("Stairs", "add-stairs", one((m, { x, y, z }) => m.way("stairs", x, y, z))),
        this.button("Ramp", "add-ramp", one((m, { x, y, z }) => m.way("ramp", x, y, z))),
        this.button("Ladder", "add-ladder", one((m, { x, y, z }) => m.way("ladder", x, y, z))),
        this.button("Rope", "add-rope", one((m, { x, y, z }) => m.way("rope", x, y, z))),
        this.button("Face to climb", "add-face", one((m, { x, y }) => m.face(x, y))),
      ),
      h(
        "div",
        { class: "bar" },
        this.button("Draw a floor", "draw-floor", draw("Click the corners of the floor", 3, true, (m, points, z) => m.floor(points, z + 3))),
        this.button("Draw a wall", "draw-wall", draw("Click the corners of the wall", 2, false, (m, points, z) => m.wall(points, false, z))),
        this.button("Draw walls round a room", "draw-walls", draw("Click the corners of the room", 3, true, (m, points, z) => m.wall(points, true, z))),
      ),
    );
  }
}
