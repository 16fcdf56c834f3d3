// @ts-check
// Room for a name beside, on or in a box, in pixels: clear of all that is taken, or none.

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** Heights of the lines of a name. */
export const LINE = 14;
export const SMALL_LINE = 12;
/** Pixels that a name may reach over the edge of the table: no further than there is room on every side. */
const OVER = 8;

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;
/** @type {Map<string, number>} */
const widths = new Map();

/** Width of a text, pixels. @param {string} text @param {boolean} bold @param {number} size */
function widthOf(text, bold, size) {
  const key = `${size}${bold ? "b" : ""}${text}`;
  let found = widths.get(key);
  if (found === undefined) {
    ruler ??= document.createElement("canvas").getContext("2d");
    if (!ruler) return text.length * size * 0.6;
    const family = getComputedStyle(document.body).fontFamily;
    ruler.font = `${bold ? 600 : 400} ${size}px ${family}`;
    found = ruler.measureText(text).width;
    if (widths.size > 4000) widths.clear();
    widths.set(key, found);
  }
  return found;
}

/** How much two boxes have in common, square pixels. @param {Box} a @param {Box} b */
export function shared(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, wide) * Math.max(0, high);
}

/**
 * Room for a name below, above or beside a box.
 * @param {Box} box
 * @param {string} text
 * @param {string} small
 * @param {Box[]} taken
 * @param {Box} whole where it had best be: on the table
 * @param {number} size of the text, pixels; names of figures are bold
 */
export function room(box, text, small, taken, whole, size = 12) {
  for (const second of small ? [small, ""] : [""]) {
    const width = Math.max(widthOf(text, size === 12, size), second ? widthOf(second, false, 10.5) : 0) + 4;
    const height = LINE + (second ? SMALL_LINE : 0);
    const mid = box.x + box.width / 2 - width / 2;
    const level = box.y + box.height / 2 - height / 2;
    const spots = [
      { x: mid, y: box.y + box.height + 2 },
      { x: mid, y: box.y - height - 2 },
      { x: box.x + box.width + 4, y: level },
      { x: box.x - width - 4, y: level },
      // Begun or ended with it.
      { x: box.x - 2, y: box.y + box.height + 2 },
      { x: box.x + box.width - width + 2, y: box.y + box.height + 2 },
      { x: box.x - 2, y: box.y - height - 2 },
      { x: box.x + box.width - width + 2, y: box.y - height - 2 },
    ];
    const free = spots
      .map(({ x, y }) => ({ x, y, width, height }))
      .filter((spot) => taken.every((other) => !meet(spot, other)));
    // A little over the edge rather than not at all.
    const spot = free.find((one) => inside(one, whole)) ?? free.find((one) => inside(one, grown(whole)));
    if (spot) return { box: spot, small: second, text };
  }
  return null;
}

/**
 * Room for the name of a zone in one of its corners, or along its edges.
 * @param {Box} box
 * @param {string} text
 * @param {Box[]} taken
 */
export function cornerOf(box, text, taken) {
  const width = widthOf(text, false, 12.5) + 6;
  if (width > box.width || LINE > box.height) return null;
  const [left, mid, right] = [box.x + 3, box.x + (box.width - width) / 2, box.x + box.width - width - 3];
  const [top, low] = [box.y + 3, box.y + box.height - LINE - 5];
  const spots = [[left, low], [right, low], [left, top], [right, top], [mid, low], [mid, top]];
  const free = spots
    .map(([x, y]) => ({ x, y, width, height: LINE }))
    .find((spot) => taken.every((other) => !meet(spot, other)));
  return free ? { box: free } : null;
}

/**
 * Room for a name inside a box of terrain, which it may overlap by a little.
 * @param {Box} box
 * @param {string} text
 * @param {string} small
 * @param {Box[]} taken
 */
export function within(box, text, small, taken) {
  const width = Math.max(text ? widthOf(text, false, 12.5) : 0, small ? widthOf(small, false, 10.5) : 0) + 4;
  const height = (text ? LINE : 0) + (small ? SMALL_LINE : 0);
  if (width > box.width * 1.35 + 12 || height > box.height * 1.6 + 10) return null;
  const mid = box.x + box.width / 2 - width / 2;
  const roomy = Math.max(0, box.height - height) / 2;
  const side = Math.max(0, box.width - width) / 2;
  for (const [dx, dy] of [
    [0, 0], [0, -0.5], [0, 0.5], [0, -0.9], [0, 0.9], [-0.6, 0], [0.6, 0], [-0.6, -0.7], [0.6, 0.7],
  ]) {
    const spot = {
      x: mid + dx * side,
      y: box.y + box.height / 2 - height / 2 + dy * roomy,
      width,
      height,
    };
    if (taken.every((other) => !meet(spot, other))) return { box: spot, small, text };
  }
  return null;
}

/** @param {Box} box @param {number} scale */
export function scaled(box, scale) {
  return {
    x: box.x * scale,
    y: box.y * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** @param {Box} a @param {Box} b */
function meet(a, b) {
  return (
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
  );
}

/** @param {Box} box */
function grown(box) {
  return { x: box.x - OVER, y: box.y - OVER, width: box.width + 2 * OVER, height: box.height + 2 * OVER };
}

/** @param {Box} a @param {Box} whole */
function inside(a, whole) {
  return (
    a.x >= whole.x &&
    a.y >= whole.y &&
    a.x + a.width <= whole.x + whole.width &&
    a.y + a.height <= whole.y + whole.height
  );
}

/** @param {Box | undefined} box */
export function area(box) {
  return box ? box.width * box.height : 0;
}
