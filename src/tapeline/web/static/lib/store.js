// @ts-check
// What this browser remembers: a few settings, and links to recent matches. Nothing leaves it.

const PREFIX = "tapeline:";
const MATCHES = "matches";
const MOST = 40;

/**
 * @typedef {{id: string, path: string, title: string, system: string, role: string, name: string,
 *           at: number, mode?: string, links?: {name: string, role: string, path: string}[],
 *           seen?: string, secret?: string, revealed?: Revealed}} Kept
 *   seen: the commitment to the dice as it was seen first; secret, revealed: of this side's share in them
 * @typedef {{number: number, asked: string, bound: Record<string, string>}} Revealed
 *   the entry whose key was given, what asked for it, and what the sides had committed to
 */

/**
 * A setting, or the default where none is kept or the browser keeps nothing.
 * @param {string} key
 * @param {unknown} otherwise
 * @param {boolean} [here] kept for this tab alone, as long as it is open
 * @returns {any} whatever was kept: anyone can write there, so look at it before using it
 */
export function get(key, otherwise, here = false) {
  try {
    const text = (here ? sessionStorage : localStorage).getItem(PREFIX + key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * Keep a setting; null forgets it. False if the browser keeps nothing.
 * @param {string} key
 * @param {unknown} value
 * @param {boolean} [here] as of `get`
 */
export function put(key, value, here = false) {
  try {
    const kept = here ? sessionStorage : localStorage;
    if (value === null) kept.removeItem(PREFIX + key);
    else kept.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Recent matches, the latest first. @returns {Kept[]} */
export function recent() {
  const kept = get(MATCHES, /** @type {Kept[]} */ ([]));
  return Array.isArray(kept) ? kept.filter((entry) => entry && entry.id && entry.path) : [];
}

/**
 * Remember a match, or that it was opened again. What is left out stays as it was.
 * @param {Partial<Kept> & {id: string, path: string}} match
 */
export function remember(match) {
  const others = recent();
  const before = others.find((entry) => entry.path === match.path);
  const entry = {
    title: "",
    system: "",
    role: "",
    name: "",
    ...before,
    ...match,
    at: Date.now(),
  };
  return put(MATCHES, [entry, ...others.filter((o) => o.path !== match.path)].slice(0, MOST));
}

/** Forget the links of a match, or of all. @param {string} [id] */
export function forget(id) {
  put(MATCHES, id === undefined ? null : recent().filter((entry) => entry.id !== id));
}
