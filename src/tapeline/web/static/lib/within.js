// @ts-check
// Whether a place lies in a shape of the plan: what a pointer is on; rules are measured by the server.

/** @param {import("./documents.js").Shape} shape @param {number} x @param {number} y */
export function within(shape, x, y) {
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
