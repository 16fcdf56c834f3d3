// @ts-check
// Exact figures of terrain: pieces, floors, walls and their openings, ways up, faces.

import { h } from "../lib/dom.js";
import { putAt, valueAt } from "./paths.js";
import { around, outlinesOf, cornersOf, sortOf, tidy } from "./shapes.js";

/** @typedef {import("./thing_form.js").Desk} Desk */
/** @typedef {import("./scene.js").Entry} Entry */

const FLOORS = ["floor", "roof", "platform", "bridge", "plank", "overhang"];

/**
 * @param {Desk} desk
 * @param {string} path
 * @param {Entry} entry
 * @returns {(Node | null)[]}
 */
export function terrainForm(desk, path, entry) {
  const sort = sortOf(entry);
  if (sort === "piece") return pieceForm(desk, path, entry);
  if (sort === "floor") return floorForm(desk, path, entry);
  if (sort === "wall") return wallForm(desk, path, entry);
  const { fields } = desk;
  const unit = desk.system.unit;
  if (sort === "face") {
    return [
      fields.place("One end", `${path}.face.from`),
      fields.place("Other end", `${path}.face.to`),
      fields.number("Bottom", `${path}.face.bottom`, { min: 0, unit, usual: 0 }),
      fields.number("Top", `${path}.face.top`, { min: 0, unit }),
      traits(desk, path, []),
    ];
  }
  const slope = sort === "ramp" || sort === "stairs";
  const sorts = slope ? ["stairs", "ramp"] : ["ladder", "rope"];
  const other = sorts.find((one) => one !== sort) ?? sort;
  return [
    fields.place("Foot", `${path}.${sort}.foot`, true),
    fields.place("Head", `${path}.${sort}.head`, true),
    slope ? fields.number("Width", `${path}.${sort}.width`, { min: 0.1, unit }) : null,
    h("button", {
      type: "button",
      text: `Make it a ${other}`.replace("a stairs", "flight of stairs"),
      dataset: { does: "other" },
      onclick: () =>
        desk.draft.change(`make it ${other}`, (scene) => {
          const found = valueAt(scene, path);
          found[other] = found[sort];
          delete found[sort];
        }),
    }),
    traits(desk, path, []),
  ];
}

/** @param {Desk} desk @param {string} path @param {Entry} entry */
function pieceForm(desk, path, entry) {
  const { fields, system } = desk;
  const kind = system.terrain.find((one) => one.name === entry.kind);
  const unit = system.unit;
  return [
    fields.choice("Kind", `${path}.kind`, system.terrain.map((one) => [one.name, one.name])),
    kind ? h("p", { class: "says", text: kind.traits.length ? `It is ${kind.traits.map(words).join(", ")}.` : "It has no effect of its own." }) : null,
    fields.number("Height", `${path}.height`, { min: 0, max: 1000, unit, usual: kind?.height ?? 0, step: 0.5 }),
    fields.number("Foot above the table", `${path}.base_height`, { min: 0, max: 1000, unit, usual: 0, step: 0.5 }),
    ...shapeForms(desk, path, entry),
    shapeButtons(desk, path, "shape", "shapes", ["rectangle", "circle", "polygon"], "Add another shape"),
    traits(desk, path, kind?.traits ?? []),
  ];
}

/** Whose zone it is, and its shape. @param {Desk} desk @param {string} path @param {Entry} entry */
export function zoneForm(desk, path, entry) {
  const sides = desk.draft.scene.sides.map((side) => /** @type {[string, string]} */ ([side.id, side.name || side.id]));
  return [
    h("p", { class: "says", text: "No rule heeds it: models are set up in it, or a goal asks to hold or reach it." }),
    desk.fields.choice("Whose", `${path}.side`, [["", "nobody's"], ...sides], { otherwise: "" }),
    ...shapeForms(desk, path, entry),
    otherShapes(desk, path, entry),
  ];
}

/** Buttons that make a zone another shape, as wide and in the same place. @param {Desk} desk @param {string} path @param {Entry} entry */
function otherShapes(desk, path, entry) {
  const others = ["rectangle", "circle", "polygon"].filter((form) => !entry.shape || !(form in entry.shape));
  return h(
    "div",
    { class: "bar" },
    h("span", { class: "label", text: "Make it another shape:" }),
    others.map((form) =>
      h("button", {
        type: "button",
        text: form === "polygon" ? "outline" : form,
        dataset: { does: `shape-${form}` },
        onclick: () =>
          desk.draft.change("another shape", (scene) => {
            const zone = valueAt(scene, path);
            const box = around(outlinesOf(zone).flatMap(({ shape }) => cornersOf(shape)));
            if (!box) return;
            const wide = Math.min(box.x1 - box.x0, box.y1 - box.y0);
            zone.shape = newShape(form, tidy((box.x0 + box.x1) / 2), tidy((box.y0 + box.y1) / 2), tidy(wide));
          }),
      }),
    ),
  );
}

/** @param {Desk} desk @param {string} path @param {Entry} entry */
function floorForm(desk, path, entry) {
  const { fields, system } = desk;
  return [
    fields.choice("Kind", `${path}.kind`, FLOORS.map((kind) => [kind, kind]), { otherwise: "floor" }),
    fields.number("Height above the table", `${path}.z`, { min: 0, max: 1000, unit: system.unit, step: 0.5 }),
    fields.number("Thickness", `${path}.thickness`, { min: 0.001, unit: system.unit, usual: 0.1 }),
    ...shapeForms(desk, path, entry),
    shapeButtons(desk, path, "floor", "floors", ["rectangle", "polygon"], "Add another part"),
    shapeButtons(desk, path, "", "holes", ["rectangle", "polygon"], "Cut a hole"),
    shapeButtons(desk, path, "", "hatches", ["rectangle", "polygon"], "Add a hatch"),
    traits(desk, path, []),
  ];
}

/** @param {Desk} desk @param {string} path @param {Entry} entry */
function wallForm(desk, path, entry) {
  const { fields, system, draft } = desk;
  const unit = system.unit;
  const openings = (entry.openings ?? []).map((/** @type {any} */ opening, /** @type {number} */ index) => {
    const own = `${path}.openings[${index}]`;
    return h(
      "fieldset",
      { class: "opening", dataset: { path: own } },
      h("legend", { text: opening.id }),
      fields.choice("Sort", `${own}.kind`, [
        ["door", "door"],
        ["window", "window"],
        ["gap", "gap"],
      ], { take: (kind) => openingKind(desk, own, kind) }),
      fields.number("From", `${own}.from`, { min: 0, unit, short: true }),
      fields.number("To", `${own}.to`, { min: 0, unit, short: true }),
      opening.kind === "gap" ? null : fields.number("Sill", `${own}.sill`, { min: 0, unit, short: true, usual: opening.kind === "door" ? 0 : undefined }),
      opening.kind === "gap" ? null : fields.number("Head", `${own}.head`, { min: 0, unit, short: true, usual: opening.kind === "door" ? entry.height : undefined }),
      opening.kind === "door" ? fields.flag("Shut", `${own}.shut`) : null,
      h("button", {
        type: "button",
        text: `Remove ${opening.kind}`,
        "aria-label": `Remove ${opening.kind} ${opening.id}`,
        dataset: { does: `remove-${own}` },
        onclick: () => draft.change(`remove ${opening.kind}`, (scene) => putAt(scene, own, undefined)),
      }),
    );
  });
  const add = (/** @type {"door" | "window" | "gap"} */ kind) =>
    h("button", {
      type: "button",
      text: `Add a ${kind}`,
      dataset: { does: `add-${kind}` },
      onclick: () =>
        draft.change(`add a ${kind}`, (scene) => {
          const wall = valueAt(scene, path);
          wall.openings = [...(wall.openings ?? []), desk.maker().opening(wall, kind)];
        }),
    });
  return [
    fields.number("Height", `${path}.height`, { min: 0.001, unit, step: 0.5 }),
    fields.number("Foot above the table", `${path}.base_height`, { min: 0, unit, usual: 0, step: 0.5 }),
    fields.number("Thickness", `${path}.thickness`, { min: 0.001, unit, usual: 0.2 }),
    fields.flag("Closed: the last corner joins the first", `${path}.closed`),
    h("div", { class: "bar" }, add("door"), add("window"), add("gap")),
    ...openings,
    corners(desk, `${path}.wall`, entry.wall, 2, "Corners"),
    traits(desk, path, []),
  ];
}

/** @param {Desk} desk @param {string} path @param {string} kind */
function openingKind(desk, path, kind) {
  desk.draft.change(`make it a ${kind}`, (scene) => {
    const found = valueAt(scene, path);
    const wall = valueAt(scene, path.replace(/\.openings\[\d+\]$/, ""));
    found.kind = kind;
    if (kind !== "door") delete found.shut;
    if (kind === "gap") {
      delete found.sill;
      delete found.head;
    }
    if (kind === "window") {
      found.sill ??= tidy(wall.height / 3);
      found.head ??= tidy((2 * wall.height) / 3);
    }
  });
}

/** @param {Desk} desk @param {string} path @param {Entry} entry */
function shapeForms(desk, path, entry) {
  const outlines = outlinesOf(entry);
  const grounds = outlines.filter((one) => one.part === "ground").length;
  /** @type {Record<string, number>} */
  const counts = {};
  return outlines.map(({ way, shape, part }) => {
    const number = (counts[part] ?? 0) + 1;
    counts[part] = number;
    const own = `${path}.${way[0]}${way.length > 1 ? `[${way[1]}]` : ""}`;
    const many = grounds > 1 || part !== "ground";
    const word = part === "ground" ? "Shape" : part === "hole" ? "Hole" : "Hatch";
    const legend = many ? `${word} ${number}` : word;
    return h(
      "fieldset",
      { class: "shape", dataset: { path: own } },
      h("legend", { text: legend }),
      shapeFields(desk, own, shape),
      many && way.length > 1
        ? h("button", {
            type: "button",
            text: `Remove ${legend.toLowerCase()}`,
            dataset: { does: `remove-${own}` },
            onclick: () => desk.draft.change("remove a shape", (scene) => putAt(scene, own, undefined)),
          })
        : null,
    );
  });
}

/** @param {Desk} desk @param {string} path @param {any} shape */
function shapeFields(desk, path, shape) {
  const { fields } = desk;
  const unit = desk.system.unit;
  if (shape.circle) {
    return [
      fields.place("Middle", `${path}.circle.centre`),
      fields.number("Radius", `${path}.circle.radius`, { min: 0.001, unit }),
    ];
  }
  if (shape.rectangle) {
    return [
      fields.place("Middle", `${path}.rectangle.centre`),
      fields.number("Width", `${path}.rectangle.width`, { min: 0.001, unit, short: true }),
      fields.number("Depth", `${path}.rectangle.depth`, { min: 0.001, unit, short: true }),
      fields.number("Turned by", `${path}.rectangle.facing`, { step: 5, unit: "\u00b0", usual: 0, short: true }),
      h("button", {
        type: "button",
        text: "Edit its corners",
        dataset: { does: `corners-${path}` },
        onclick: () =>
          desk.draft.change("rectangle to corners", (scene) => {
            const found = valueAt(scene, path);
            found.polygon = cornersOf(found).map((corner) => corner.map(tidy));
            delete found.rectangle;
          }),
      }),
    ];
  }
  return [corners(desk, `${path}.polygon`, shape.polygon ?? [], 3, "Corners")];
}

/** @param {Desk} desk @param {string} path @param {number[][]} points @param {number} least @param {string} title */
function corners(desk, path, points, least, title) {
  const { fields, draft } = desk;
  return h(
    "details",
    { class: "corners", dataset: { path }, open: points.length <= 4 },
    h("summary", { text: `${title} (${points.length})` }),
    points.map((_, index) =>
      h(
        "div",
        { class: "corner", dataset: { path: `${path}[${index}]` } },
        fields.place(String(index + 1), `${path}[${index}]`, false, true),
        h("button", {
          type: "button",
          text: "+",
          "aria-label": `New corner after ${index + 1}`,
          dataset: { does: `add-${path}-${index}` },
          onclick: () =>
            draft.change("new corner", (scene) => {
              const list = valueAt(scene, path);
              const [a, b] = [list[index], list[(index + 1) % list.length]];
              list.splice(index + 1, 0, [tidy((a[0] + b[0]) / 2), tidy((a[1] + b[1]) / 2)]);
            }),
        }),
        h("button", {
          type: "button",
          text: "\u2212",
          "aria-label": `Remove corner ${index + 1}`,
          disabled: points.length <= least,
          dataset: { does: `cut-${path}-${index}` },
          onclick: () => draft.change("remove corner", (scene) => valueAt(scene, path).splice(index, 1)),
        }),
      ),
    ),
  );
}

/**
 * Buttons for a further outline.
 * @param {Desk} desk
 * @param {string} path
 * @param {string} one key of a single outline, which gives way to the list
 * @param {string} many key of the list
 * @param {string[]} forms
 * @param {string} label
 */
function shapeButtons(desk, path, one, many, forms, label) {
  const run = (/** @type {string} */ form) =>
    desk.draft.change(label.toLowerCase(), (scene) => {
      const entry = valueAt(scene, path);
      const box = around(outlinesOf(entry).flatMap(({ shape }) => cornersOf(shape)));
      const [x, y] = box ? [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2] : [0, 0];
      const wide = box ? (box.x1 - box.x0) / (one ? 1 : 3) : 4;
      const off = one && box ? box.x1 - box.x0 : 0;
      const shape = newShape(form, tidy(x + off), tidy(y), tidy(Math.max(0.5, wide)));
      const list = entry[many] ?? [];
      if (one && entry[one]) {
        list.unshift(entry[one]);
        delete entry[one];
      }
      entry[many] = [...list, shape];
    });
  return h(
    "div",
    { class: "bar" },
    h("span", { class: "label", text: `${label}:` }),
    forms.map((form) =>
      h("button", {
        type: "button",
        text: form,
        "aria-label": `${label}: ${form}`,
        dataset: { does: `${many}-${form}` },
        onclick: () => run(form),
      }),
    ),
  );
}

/** @param {string} form @param {number} x @param {number} y @param {number} wide */
function newShape(form, x, y, wide) {
  if (form === "circle") return { circle: { centre: [x, y], radius: wide / 2 } };
  const rectangle = { centre: [x, y], width: wide, depth: wide, facing: 0 };
  if (form === "rectangle") return { rectangle };
  return { polygon: cornersOf({ rectangle }).map((corner) => corner.map(tidy)) };
}

/** Traits that an entry may have besides those of its kind. @param {Desk} desk @param {string} path @param {string[]} own */
function traits(desk, path, own) {
  const more = desk.system.traits.filter((trait) => !own.includes(trait));
  if (!more.length) return null;
  return h(
    "details",
    { class: "traits", dataset: { path: `${path}.traits` } },
    h("summary", { text: "Further traits" }),
    more.map((trait) => desk.fields.member(trait, `${path}.traits`)),
  );
}

/** @param {string} trait */
function words(trait) {
  return trait.replaceAll("_", " ");
}
