// @ts-check
// A stand drawn near another of its unit comes to lie flush with it, as fingers would push it on a real table.
// A help for the hand alone: what may stand where is for the server to say.

/** @typedef {import("./fillers.js").Pose} Pose */
/** @typedef {{width: number | null, depth: number | null}} Base */

/**
 * The place of a stand, moved to lie edge to edge with the nearest of the others that looks the same way.
 * @param {Pose & Base} stand where the hand holds it
 * @param {(Pose & Base)[]} others
 * @param {number} near how far it may be moved for that, table units
 * @returns {[number, number]}
 */
export function flush(stand, others, near) {
  /** @type {[number, number]} */
  let best = [stand.x, stand.y];
  if (!stand.width || !stand.depth) return best;
  let least = near;
  for (const other of others) {
    if (!other.width || !other.depth || !alike(stand.facing, other.facing)) continue;
    const angle = (other.facing * Math.PI) / 180;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [dx, dy] = [stand.x - other.x, stand.y - other.y];
    const ahead = dx * c + dy * s;
    const left = dy * c - dx * s;
    const deep = (stand.depth + other.depth) / 2;
    const wide = (stand.width + other.width) / 2;
    const spots = [
      [0, Math.sign(left) * wide],
      [Math.sign(ahead) * deep, 0],
      // Only pushed up against it, not lined up with it.
      [ahead, Math.sign(left) * wide],
      [Math.sign(ahead) * deep, left],
    ];
    for (const [n, [a, l]] of spots.entries()) {
      const sliding = n > 1;
      const touches = n === 2 ? Math.abs(ahead) < deep : n === 3 ? Math.abs(left) < wide : true;
      const far = Math.hypot(a - ahead, l - left) + (sliding ? near / 2 : 0);
      if (!touches || far >= least) continue;
      least = far;
      best = [other.x + a * c - l * s, other.y + a * s + l * c];
    }
  }
  return best;
}

/** Whether two facings are the same or opposite. @param {number} one @param {number} other degrees */
function alike(one, other) {
  const between = (((one - other) % 180) + 180) % 180;
  return between < 1e-6 || between > 180 - 1e-6;
}
