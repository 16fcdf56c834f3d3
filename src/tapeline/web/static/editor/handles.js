// @ts-check
// The handles of an entry: points that are dragged, or moved with the arrow keys, to reshape it.

import { alongOf, cornersOf, outlinesOf, pointAlong, rectangleCorners, sortOf, tidy, wallLine, WAYS } from "./shapes.js";

/** @typedef {import("./scene.js").Entry} Entry */

/**
 * @typedef {object} Handle
 * @property {string} key tells it from the others of its entry
 * @property {"corner" | "between" | "radius" | "end" | "along"} sort
 * @property {string} label
 * @property {number} x
 * @property {number} y
 * @property {(entry: Entry, x: number, y: number) => void} move put it at a place
 * @property {((entry: Entry) => void) | null} [remove] take the corner away
 * @property {string} [becomes] key of the handle that a drag goes on with
 */

const LEAST = 0.1;

/**
 * @param {Entry} entry
 * @returns {Handle[]}
 */
export function handlesOf(entry) {
  const found = outlinesOf(entry).flatMap(({ way, shape, part }) =>
    shapeHandles(way, /** @type {any} */ (shape), part),
  );
  if (Array.isArray(entry.wall)) {
    found.push(...cornerHandles(["wall"], entry.wall, Boolean(entry.closed), 2, "Corner"));
    const line = wallLine(entry);
    (entry.openings ?? []).forEach((/** @type {any} */ opening, /** @type {number} */ index) => {
      for (const end of /** @type {const} */ (["from", "to"])) {
        const [x, y] = pointAlong(line, opening[end]);
        found.push({
          key: `openings.${index}.${end}`,
          sort: "along",
          label: `${opening.kind} ${opening.id}: ${end}`,
          x,
          y,
          move: (wall, nx, ny) => {
            wall.openings[index][end] = tidy(alongOf(wallLine(wall), nx, ny));
          },
        });
      }
    });
  }
  for (const way of WAYS) {
    for (const end of /** @type {const} */ (["foot", "head"])) {
      if (entry[way]) found.push(endHandle([way, end], entry[way][end], end === "foot" ? "Foot" : "Head"));
    }
  }
  if (entry.face) {
    found.push(endHandle(["face", "from"], entry.face.from, "One end"));
    found.push(endHandle(["face", "to"], entry.face.to, "Other end"));
  }
  return found;
}

/** Whether a turning handle makes sense. @param {Entry} entry */
export function canTurn(entry) {
  const sort = sortOf(entry);
  if (sort === "unit") return false;
  const outlines = outlinesOf(entry);
  return !(outlines.length === 1 && /** @type {any} */ (outlines[0].shape).circle);
}

/** @param {any} entry @param {(string | number)[]} way @returns {any} */
function at(entry, way) {
  return way.reduce((found, step) => found[step], entry);
}

/**
 * @param {(string | number)[]} way
 * @param {any} shape
 * @param {string} part
 * @returns {Handle[]}
 */
function shapeHandles(way, shape, part) {
  const word = part === "ground" ? "Corner" : part === "hole" ? "Corner of hole" : "Corner of hatch";
  if (Array.isArray(shape.polygon)) {
    return cornerHandles([...way, "polygon"], shape.polygon, true, 3, word);
  }
  if (shape.circle) {
    const { centre, radius } = shape.circle;
    return [
      {
        key: `${way.join(".")}.radius`,
        sort: "radius",
        label: "Rim",
        x: centre[0] + radius,
        y: centre[1],
        move: (entry, x, y) => {
          const circle = at(entry, way).circle;
          const wide = Math.hypot(x - circle.centre[0], y - circle.centre[1]);
          circle.radius = tidy(Math.max(LEAST, wide));
        },
      },
    ];
  }
  if (!shape.rectangle) return [];
  return rectangleCorners(shape.rectangle).map(([x, y], index) => ({
    key: `${way.join(".")}.corner.${index}`,
    sort: "corner",
    label: `${word} ${index + 1}`,
    x,
    y,
    move: (/** @type {Entry} */ entry, /** @type {number} */ nx, /** @type {number} */ ny) =>
      stretch(at(entry, way).rectangle, index, nx, ny),
  }));
}

/**
 * Put one corner of a rectangle at a place; the corner across from it stays.
 * @param {{centre: number[], width: number, depth: number, facing?: number}} rectangle
 * @param {number} index
 * @param {number} x
 * @param {number} y
 */
function stretch(rectangle, index, x, y) {
  const across = rectangleCorners(/** @type {any} */ (rectangle))[(index + 2) % 4];
  const facing = ((rectangle.facing ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(facing), Math.sin(facing)];
  const [dx, dy] = [x - across[0], y - across[1]];
  const ahead = [1, 1, -1, -1][index];
  const left = [-1, 1, 1, -1][index];
  const depth = Math.max(LEAST, (dx * cos + dy * sin) * ahead);
  const width = Math.max(LEAST, (-dx * sin + dy * cos) * left);
  rectangle.depth = tidy(depth);
  rectangle.width = tidy(width);
  rectangle.centre = [
    tidy(across[0] + (ahead * depth * cos - left * width * sin) / 2),
    tidy(across[1] + (ahead * depth * sin + left * width * cos) / 2),
  ];
}

/**
 * Corners of a line or a ring, and places between them that become corners when they are moved.
 * @param {(string | number)[]} way
 * @param {number[][]} corners
 * @param {boolean} closed
 * @param {number} least
 * @param {string} word
 * @returns {Handle[]}
 */
function cornerHandles(way, corners, closed, least, word) {
  const key = way.join(".");
  const remove = (/** @type {number} */ index) => (/** @type {Entry} */ entry) => {
    at(entry, way).splice(index, 1);
  };
  /** @type {Handle[]} */
  const found = corners.map((corner, index) => ({
    key: `${key}.${index}`,
    sort: "corner",
    label: `${word} ${index + 1}`,
    x: corner[0],
    y: corner[1],
    move: (entry, x, y) => {
      at(entry, way)[index] = [tidy(x), tidy(y)];
    },
    remove: corners.length > least ? remove(index) : null,
  }));
  corners.forEach((corner, index) => {
    if (!closed && index + 1 === corners.length) return;
    const next = corners[(index + 1) % corners.length];
    found.push({
      key: `${key}.${index}+`,
      sort: "between",
      label: `New corner after ${index + 1}`,
      x: (corner[0] + next[0]) / 2,
      y: (corner[1] + next[1]) / 2,
      becomes: `${key}.${index + 1}`,
      move: (entry, x, y) => {
        at(entry, way).splice(index + 1, 0, [tidy(x), tidy(y)]);
      },
    });
  });
  return found;
}

/**
 * @param {[string, string]} way
 * @param {number[]} place
 * @param {string} label
 * @returns {Handle}
 */
function endHandle([name, end], place, label) {
  return {
    key: `${name}.${end}`,
    sort: "end",
    label,
    x: place[0],
    y: place[1],
    move: (entry, x, y) => {
      const found = entry[name][end];
      found[0] = tidy(x);
      found[1] = tidy(y);
    },
  };
}

/**
 * The place that a path of a fault means, if it means a point of the plan.
 * @param {Entry} entry
 * @param {string} rest the path within the entry
 * @returns {number[] | null}
 */
export function placeOf(entry, rest) {
  const opening = /^openings\[(\d+)\]/.exec(rest);
  if (opening && Array.isArray(entry.wall)) {
    const found = entry.openings?.[Number(opening[1])];
    if (!found) return null;
    const middle = ((found.from ?? 0) + (found.to ?? 0)) / 2;
    return pointAlong(wallLine(entry), middle);
  }
  /** @type {string[]} */
  const parts = rest.match(/[^.[\]]+/g) ?? [];
  for (let length = parts.length; length > 0; length -= 1) {
    let found = /** @type {any} */ (entry);
    for (const part of parts.slice(0, length)) found = found?.[part];
    if (Array.isArray(found) && found.length >= 2 && found.every((v) => Number.isFinite(v))) {
      if (!parts.includes("traits")) return found;
    }
  }
  const whole = outlinesOf(entry).flatMap(({ shape }) => cornersOf(shape));
  return whole.length ? null : (entry.position ?? entry.wall?.[0] ?? null);
}
