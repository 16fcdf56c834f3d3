// @ts-check
// Where the parts of an entry lie in the document, and how they are moved and turned. These are
// the figures that the document holds; what follows from them for the rules the server says.

/** @typedef {import("./scene.js").Entry} Entry */
/** @typedef {[number, number]} Point */
/** @typedef {{polygon: Point[]} | {rectangle: {centre: Point, width: number, depth: number,
 *   facing?: number}} | {circle: {centre: Point, radius: number}}} Shape */
/** @typedef {{x0: number, y0: number, x1: number, y1: number}} Box */

const DEGREE = Math.PI / 180;
export const WAYS = ["ramp", "stairs", "ladder", "rope"];

/** A figure without the dust of reckoning. @param {number} value */
export function tidy(value) {
  const found = Math.round(value * 1e6) / 1e6;
  return found === 0 ? 0 : found;
}

/** Degrees from 0 up to 360. @param {number} degrees */
function tidyAngle(degrees) {
  return tidy((((degrees % 360) + 360) % 360) % 360);
}

/**
 * What sort of entry it is.
 * @param {Entry} entry
 * @returns {"piece" | "floor" | "wall" | "ramp" | "stairs" | "ladder" | "rope" | "face" | "unit" |
 *   "regiment" | "model" | "zone"}
 */
export function sortOf(entry) {
  if ("wall" in entry) return "wall";
  if ("floor" in entry || "floors" in entry) return "floor";
  if ("face" in entry) return "face";
  for (const way of WAYS) if (way in entry) return /** @type {any} */ (way);
  if ("members" in entry) return "unit";
  if ("shape" in entry && !("kind" in entry)) return "zone";
  if ("shape" in entry || "shapes" in entry || "kind" in entry) return "piece";
  return "models" in entry ? "regiment" : "model";
}

/**
 * The outlines of an entry with the way to each.
 * @param {Entry} entry
 * @returns {{way: (string | number)[], shape: Shape, part: string}[]}
 */
export function outlinesOf(entry) {
  const found = [];
  for (const one of ["shape", "floor"]) {
    if (entry[one]) found.push({ way: [one], shape: entry[one], part: "ground" });
  }
  for (const many of ["shapes", "floors", "holes", "hatches"]) {
    const part = many === "holes" ? "hole" : many === "hatches" ? "hatch" : "ground";
    (Array.isArray(entry[many]) ? entry[many] : []).forEach(
      (/** @type {Shape} */ shape, /** @type {number} */ index) =>
        found.push({ way: [many, index], shape, part }),
    );
  }
  return found;
}

/** Corners of a shape; of a circle four points of it. @param {any} shape @returns {Point[]} */
export function cornersOf(shape) {
  if (Array.isArray(shape?.polygon)) return shape.polygon;
  if (shape?.circle) {
    const { centre, radius } = shape.circle;
    const [x, y] = centre;
    return [
      [x + radius, y],
      [x, y + radius],
      [x - radius, y],
      [x, y - radius],
    ];
  }
  return shape?.rectangle ? rectangleCorners(shape.rectangle) : [];
}

/**
 * Corners of a rectangle by its middle: right front, left front, left rear, right rear.
 * @param {{centre: Point, width: number, depth: number, facing?: number}} rectangle
 * @returns {Point[]}
 */
export function rectangleCorners({ centre, width, depth, facing = 0 }) {
  const cos = Math.cos(facing * DEGREE);
  const sin = Math.sin(facing * DEGREE);
  return /** @type {Point[]} */ (
    [
      [depth / 2, -width / 2],
      [depth / 2, width / 2],
      [-depth / 2, width / 2],
      [-depth / 2, -width / 2],
    ].map(([ahead, left]) => [
      centre[0] + ahead * cos - left * sin,
      centre[1] + ahead * sin + left * cos,
    ])
  );
}

/**
 * Every point that an entry holds, to be changed in place.
 * @param {Entry} entry
 * @returns {number[][]}
 */
export function pointsOf(entry) {
  const found = outlinesOf(entry).flatMap(({ shape }) => {
    const given = /** @type {any} */ (shape);
    return given.polygon ?? [(given.rectangle ?? given.circle)?.centre].filter(Boolean);
  });
  if (entry.wall) found.push(...entry.wall);
  if (entry.face) found.push(entry.face.from, entry.face.to);
  for (const way of WAYS) if (entry[way]) found.push(entry[way].foot, entry[way].head);
  if (entry.position) found.push(entry.position);
  return found.filter(Array.isArray);
}

/** @param {Entry} entry @param {number} dx @param {number} dy */
export function moveEntry(entry, dx, dy) {
  const places = placesOf(entry);
  for (const point of pointsOf(entry)) {
    point[0] = Math.round((point[0] + dx) * places) / places;
    point[1] = Math.round((point[1] + dy) * places) / places;
  }
}

/** Parts of a unit that are kept: bases that touch are to touch still. @param {Entry} entry */
function placesOf(entry) {
  return entry.position ? 1e9 : 1e6;
}

/**
 * Turn an entry about a point, counter-clockwise.
 * @param {Entry} entry
 * @param {Point} about
 * @param {number} degrees
 */
export function turnEntry(entry, about, degrees) {
  const places = placesOf(entry);
  const quarter = (((degrees / 90) % 4) + 4) % 4;
  const cos = Number.isInteger(quarter) ? [1, 0, -1, 0][quarter] : Math.cos(degrees * DEGREE);
  const sin = Number.isInteger(quarter) ? [0, 1, 0, -1][quarter] : Math.sin(degrees * DEGREE);
  for (const point of pointsOf(entry)) {
    const [dx, dy] = [point[0] - about[0], point[1] - about[1]];
    point[0] = Math.round((about[0] + dx * cos - dy * sin) * places) / places;
    point[1] = Math.round((about[1] + dx * sin + dy * cos) * places) / places;
  }
  if (entry.position) entry.facing = tidyAngle((entry.facing ?? 0) + degrees);
  for (const { shape } of outlinesOf(entry)) {
    const rectangle = /** @type {any} */ (shape).rectangle;
    if (rectangle) rectangle.facing = tidyAngle((rectangle.facing ?? 0) + degrees);
  }
}

/**
 * The size of the base of a body, table units.
 * @param {Entry} body a model or a regiment
 * @param {import("../lib/documents.js").System} system
 * @returns {{radius: number} | {width: number, depth: number}}
 */
export function baseOf(body, system) {
  const { name, like } = typeof body.profile === "object" ? body.profile : { name: "", like: "" };
  const wanted = typeof body.profile === "string" ? body.profile : like || name;
  const profile = system.profiles.find((one) => one.name === wanted);
  const given = body.base ?? {};
  const mm = given.rectangle_mm ?? (given.round_mm ? [given.round_mm] : profile?.base_mm) ?? [25];
  const [wide, deep = wide] =
    given.rectangle ?? (given.round ? [given.round] : mm.map((/** @type {number} */ v) => v / system.mm));
  const round = given.round || (!given.rectangle && mm.length === 1);
  if (body.models === undefined) return round ? { radius: wide / 2 } : { width: wide, depth: deep };
  if (given.rectangle) return { width: wide, depth: deep };
  const files = filesOf(body, profile);
  return { width: files * wide, depth: Math.ceil(body.models / files) * deep };
}

/** @param {Entry} body @param {import("../lib/documents.js").Profile} [profile] */
export function filesOf(body, profile) {
  return Math.max(1, Math.min(body.models, body.files ?? profile?.files ?? 5));
}

/**
 * The corners round an entry as the document gives them: for outlines on the page.
 * @param {Entry} entry
 * @param {import("../lib/documents.js").System} system
 * @returns {Box | null}
 */
export function boxOf(entry, system) {
  const points = outlinesOf(entry).flatMap(({ shape }) => cornersOf(shape));
  if (entry.position) {
    const base = baseOf(entry, system);
    if ("radius" in base) {
      points.push(...cornersOf({ circle: { centre: entry.position, radius: base.radius } }));
    } else {
      points.push(
        ...rectangleCorners({ centre: entry.position, facing: entry.facing ?? 0, ...base }),
      );
    }
  } else if (!points.length) {
    points.push(.../** @type {any} */ (pointsOf(entry)));
  }
  return around(points);
}

/** @param {number[][]} points @returns {Box | null} */
export function around(points) {
  const sound = points.filter((p) => Number.isFinite(p[0]) && Number.isFinite(p[1]));
  if (!sound.length) return null;
  const xs = sound.map((p) => p[0]);
  const ys = sound.map((p) => p[1]);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

/** @param {(Box | null)[]} boxes @returns {Box | null} */
export function joined(boxes) {
  return around(boxes.flatMap((box) => (box ? [[box.x0, box.y0], [box.x1, box.y1]] : [])));
}

/**
 * Heights from which to which an entry reaches.
 * @param {Entry} entry
 * @param {import("../lib/documents.js").System} system
 * @returns {[number, number]}
 */
export function heightsOf(entry, system) {
  if (entry.position) return [entry.z ?? 0, entry.z ?? 0];
  if (entry.face) return [entry.face.bottom ?? 0, entry.face.top];
  for (const way of WAYS) if (entry[way]) return [entry[way].foot[2], entry[way].head[2]];
  if (sortOf(entry) === "floor") return [entry.z, entry.z];
  const bottom = entry.base_height ?? 0;
  const kind = system.terrain.find((one) => one.name === entry.kind);
  return [bottom, bottom + (entry.height ?? kind?.height ?? 0)];
}

/** A point on a line of corners so far along it. @param {number[][]} line @param {number} along @returns {Point} */
export function pointAlong(line, along) {
  let rest = along;
  for (let index = 1; index < line.length; index += 1) {
    const [a, b] = [line[index - 1], line[index]];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (rest <= length || index === line.length - 1) {
      const t = length ? Math.min(1, Math.max(0, rest / length)) : 0;
      return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
    }
    rest -= length;
  }
  return [line[0]?.[0] ?? 0, line[0]?.[1] ?? 0];
}

/** How far along a line its nearest place to a point is. @param {number[][]} line @param {number} x @param {number} y */
export function alongOf(line, x, y) {
  let best = 0;
  let nearest = Infinity;
  let before = 0;
  for (let index = 1; index < line.length; index += 1) {
    const [a, b] = [line[index - 1], line[index]];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length === 0) continue;
    const t = ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / (length * length);
    const part = Math.min(1, Math.max(0, t));
    const off = Math.hypot(a[0] + part * (b[0] - a[0]) - x, a[1] + part * (b[1] - a[1]) - y);
    if (off < nearest) {
      nearest = off;
      best = before + part * length;
    }
    before += length;
  }
  return best;
}

/** The line of a wall, closed if it is. @param {Entry} wall @returns {number[][]} */
export function wallLine(wall) {
  return wall.closed && wall.wall.length > 2 ? [...wall.wall, wall.wall[0]] : wall.wall;
}
