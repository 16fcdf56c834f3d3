// @ts-check
// Paths into a scene document, as faults name them: "terrain[3].wall[0]", "options.flight".

/** @typedef {(string | number)[]} Steps */

/**
 * A path taken apart.
 * @param {string} path
 * @returns {Steps}
 */
export function steps(path) {
  // Names of options have dots in them.
  if (path.startsWith("options.")) return ["options", path.slice("options.".length)];
  /** @type {Steps} */
  const found = [];
  for (const part of path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)) {
    found.push(part[1] === undefined ? part[2] : Number(part[1]));
  }
  return found;
}

/**
 * The value at a path; undefined where there is none.
 * @param {any} document
 * @param {string | Steps} path
 * @returns {any}
 */
export function valueAt(document, path) {
  const way = typeof path === "string" ? steps(path) : path;
  let found = document;
  for (const step of way) {
    if (found === null || typeof found !== "object") return undefined;
    found = found[step];
  }
  return found;
}

/**
 * Put a value at a path; undefined takes the key away. Objects on the way are made.
 * @param {any} document
 * @param {string | Steps} path
 * @param {any} value
 */
export function putAt(document, path, value) {
  const way = typeof path === "string" ? steps(path) : path;
  const last = way[way.length - 1];
  let found = document;
  for (const step of way.slice(0, -1)) {
    if (found[step] === undefined || found[step] === null) found[step] = {};
    found = found[step];
  }
  if (value === undefined) {
    if (Array.isArray(found)) found.splice(Number(last), 1);
    else delete found[last];
  } else {
    found[last] = value;
  }
}

/**
 * The list and the number of the entry that a path leads into.
 * @param {string} path
 * @returns {{list: "terrain" | "sides" | "models" | "units" | "zones", index: number, rest: string} | null}
 */
export function entryOf(path) {
  const found = /^(terrain|sides|models|units|zones)\[(\d+)\]\.?(.*)$/.exec(path);
  if (!found) return null;
  return { list: /** @type {any} */ (found[1]), index: Number(found[2]), rest: found[3] };
}
