// @ts-check
// Heights that terrain has at a place of the plan, for a player to choose from; the server says what can be stood on.

/** @typedef {import("../lib/documents.js").Ground} Ground */

/**
 * @param {Ground[]} terrain
 * @param {number} x
 * @param {number} y
 * @param {number} own the height the body has now
 * @returns {number[]} from low to high, without repeats
 */
export function heightsUnder(terrain, x, y, own) {
  const found = [0, own];
  for (const ground of terrain) {
    if (ground.type === "wall" || !ground.shapes.some((shape) => within(shape, x, y))) continue;
    found.push(ground.top);
    if (ground.type !== "floor" && ground.bottom > 0) found.push(ground.bottom);
  }
  found.sort((a, b) => a - b);
  return found.filter((z, n) => n === 0 || z - found[n - 1] > 1e-6);
}

/** @param {import("../lib/documents.js").Shape} shape @param {number} x @param {number} y */
function within(shape, x, y) {
  if (shape.circle) {
    const [cx, cy, r] = shape.circle;
    return Math.hypot(x - cx, y - cy) <= r;
  }
  const rings = [shape.corners ?? [], ...(shape.holes ?? [])];
  return rings.reduce((inside, ring) => inside !== odd(ring, x, y), false);
}

/** @param {[number, number][]} ring @param {number} x @param {number} y */
function odd(ring, x, y) {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [[ax, ay], [bx, by]] = [ring[i], ring[j]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
