// @ts-check
// What a gesture fills in: the open part of an action, kept as figures and changed by hand, wheel or key.
// Looks only: where a figure is drawn before the server has said anything. Nothing here knows a rule.

/** @typedef {{body: string, x: number, y: number, z: number, facing: number}} Pose */
/** @typedef {{to?: [number, number], z?: number, by?: number, how?: string, centre?: [number, number]}} Leg */

/** @param {number} angle degrees @returns {number} the same in (-180, 180] */
export function wrap(angle) {
  const turned = ((angle % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
}

/** @param {number} value @returns {number} without the noise of pixels */
export function tidy(value) {
  return Math.round(value * 1e4) / 1e4;
}

/**
 * Poses turned about a point, then shifted.
 * @param {Pose[]} poses
 * @param {[number, number]} about
 * @param {number} by degrees
 * @param {number} dx
 * @param {number} dy
 * @returns {Pose[]}
 */
function carried(poses, about, by, dx, dy) {
  const angle = (by * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return poses.map((pose) => {
    const [px, py] = [pose.x - about[0], pose.y - about[1]];
    return {
      ...pose,
      x: about[0] + c * px - s * py + dx,
      y: about[1] + s * px + c * py + dy,
      facing: pose.facing + by,
    };
  });
}

/** @param {Pose[]} poses @returns {[number, number]} the mean of the centres */
function middle(poses) {
  const sum = poses.reduce((total, pose) => [total[0] + pose.x, total[1] + pose.y], [0, 0]);
  return [sum[0] / poses.length, sum[1] / poses.length];
}

/** A way of one body: legs that are settled, and the last one that still follows the hand. */
export class PathFill {
  /** @param {Pose} start */
  constructor(start) {
    this.start = start;
    /** @type {Leg[]} */
    this.settled = [];
    /** @type {Leg | null} */
    this.loose = null;
    this.turned = 0;
    this.how = "";
    /** Height the next leg ends at; null: the server says. @type {number | null} */
    this.height = null;
    /** The way round to where the loose leg ends, in place of it. @type {Leg[] | null} */
    this.bent = null;
  }

  get complete() {
    return true;
  }

  get empty() {
    return !this.settled.length && !this.loose && !this.turned;
  }

  /** @returns {Leg[]} */
  get legs() {
    const legs = this.settled.slice();
    const loose = this.loose;
    if (this.bent) return [...this.bent, ...(this.turned ? [{ by: tidy(this.turned) }] : [])];
    if (loose && this.how === "free" && loose.how === "free") {
      legs.push({ ...loose, by: tidy(this.turned) });
      return legs;
    }
    if (loose) legs.push(loose);
    if (this.turned) legs.push({ by: tidy(this.turned) });
    return legs;
  }

  /** @param {Leg[]} legs a whole path, as the server gave it */
  take(legs) {
    this.settled = legs.map((leg) => ({ ...leg }));
    this.loose = null;
    this.bent = null;
    this.turned = 0;
  }

  /** Go the way of another. @param {PathFill} other */
  follow({ settled, loose, bent, turned }) {
    Object.assign(this, { settled, loose, bent, turned });
  }

  /** The place that a single plain leg goes to from the start, if it is such a way. */
  get direct() {
    const plain = !this.settled.length && !this.bent && !this.how && !this.turned;
    return plain ? (this.loose?.to ?? null) : null;
  }

  /** Go to where the loose leg ends by another way, until the hand moves on. @param {Leg[]} legs */
  bend(legs) {
    this.bent = legs.map((leg) => ({ ...leg }));
  }

  /** Where the settled legs end, facing as far as it is known. @returns {Pose} */
  get base() {
    return this.settled.reduce(stepped, { ...this.start });
  }

  /** @returns {Pose} */
  get end() {
    return this.legs.reduce(stepped, { ...this.start });
  }

  /** @returns {Pose[]} */
  preview() {
    return [this.end];
  }

  /** @param {number} x @param {number} y the centre is wanted here */
  pointTo(x, y) {
    this.lieAt(tidy(x), tidy(y));
  }

  /** The centre is wanted exactly here. @param {number} x @param {number} y */
  lieAt(x, y) {
    /** @type {Leg} */
    const leg = { to: [x, y] };
    if (this.how) leg.how = this.how;
    const height = this.height;
    if (height !== null && Math.abs(height - this.base.z) > 1e-9) leg.z = height;
    this.loose = leg;
    this.bent = null;
  }

  /** @param {number} dx @param {number} dy */
  nudge(dx, dy) {
    const { x, y } = this.end;
    this.pointTo(x + dx, y + dy);
  }

  /** @param {number} by degrees, counter-clockwise */
  turn(by) {
    this.turned = wrap(this.turned + by);
  }

  /** The end so far becomes a way-point. @returns {boolean} whether there was one to settle */
  fix() {
    const had = Boolean(this.loose) || this.turned !== 0;
    this.settled = this.legs;
    this.bent = null;
    // A climb or a jump is one leg: the next one is gone in the plain manner again.
    if (this.loose) this.how = "";
    this.loose = null;
    this.turned = 0;
    return had;
  }

  /** @returns {boolean} whether something was taken back */
  back() {
    if (this.loose || this.turned) {
      this.bent = null;
      this.loose = null;
      this.turned = 0;
      return true;
    }
    return Boolean(this.settled.pop());
  }

  /** The manner of the next leg; what is in hand is settled as it is. @param {string} how */
  manner(how) {
    this.fix();
    this.how = how;
  }

  /** The height the next leg ends at, and the one in hand. @param {number | null} height */
  level(height) {
    this.height = height;
    this.bent = null;
    const loose = this.loose;
    if (!loose || !loose.to) return;
    delete loose.z;
    if (height !== null && Math.abs(height - this.base.z) > 1e-9) loose.z = height;
  }

  /** @param {Record<string, any>} action @param {import("../lib/documents.js").Control} control */
  fill(action, control) {
    action[control.slot] = this.legs;
  }
}

/** @param {Pose} pose @param {Leg} leg @returns {Pose} */
function stepped(pose, leg) {
  if (leg.centre) {
    const [turned] = carried([pose], leg.centre, leg.by ?? 0, 0, 0);
    return turned;
  }
  const next = { ...pose };
  if (leg.to) [next.x, next.y] = leg.to;
  if (leg.z !== undefined && leg.z !== null) next.z = leg.z;
  if (leg.by) next.facing += leg.by;
  return next;
}

/** A place and an angle for a body, or for all bodies of a unit as one. */
export class PoseFill {
  /** @param {Pose[]} poses @param {boolean} turning whether there is an angle to give */
  constructor(poses, turning) {
    this.poses = poses;
    this.centre = middle(poses);
    /** @type {[number, number] | null} */
    this.to = null;
    this.turned = 0;
    this.turning = turning;
    /** The height of the place; null: the server says. @type {number | null} */
    this.height = null;
  }

  get complete() {
    return this.to !== null || this.turned !== 0;
  }

  get empty() {
    return !this.complete;
  }

  get end() {
    const [x, y] = this.to ?? this.centre;
    return { ...this.poses[0], x, y, facing: this.poses[0].facing + this.turned };
  }

  preview() {
    const [x, y] = this.to ?? this.centre;
    return carried(this.poses, this.centre, this.turned, x - this.centre[0], y - this.centre[1]);
  }

  /** @param {number} x @param {number} y */
  pointTo(x, y) {
    this.to = [tidy(x), tidy(y)];
  }

  /** @param {number} dx @param {number} dy */
  nudge(dx, dy) {
    const [x, y] = this.to ?? this.centre;
    this.pointTo(x + dx, y + dy);
  }

  /** @param {number} by */
  turn(by) {
    if (this.turning) this.turned = wrap(this.turned + by);
  }

  fix() {
    return false;
  }

  back() {
    if (this.empty) return false;
    if (this.turned) this.turned = 0;
    else this.to = null;
    return true;
  }

  /** @param {Record<string, any>} action @param {import("../lib/documents.js").Control} control */
  fill(action, control) {
    const [x, y] = this.to ?? this.centre;
    action[control.slot] = [tidy(x), tidy(y)];
    if (control.height_slot && this.height !== null) action[control.height_slot] = this.height;
    if (!control.turn_slot || !this.turned) return;
    const facing = (((this.poses[0].facing + this.turned) % 360) + 360) % 360;
    action[control.turn_slot] = tidy(control.turns === "by" ? this.turned : facing);
  }
}

/** One figure within bounds: an angle in degrees, or a length straight ahead. */
export class AmountFill {
  /**
   * @param {Pose[]} poses
   * @param {"turn" | "distance"} what
   * @param {number | null | undefined} low
   * @param {number | null | undefined} high
   * @param {boolean} rigid whether the bodies turn about their own middle
   */
  constructor(poses, what, low, high, rigid) {
    this.poses = poses;
    this.what = what;
    this.low = low ?? (what === "turn" ? -180 : 0);
    this.high = high ?? (what === "turn" ? 180 : Infinity);
    this.centre = middle(poses);
    this.amount = 0;
    this.rigid = rigid;
  }

  get complete() {
    return this.amount !== 0;
  }

  get empty() {
    return this.amount === 0;
  }

  get end() {
    const [first] = this.preview();
    return first;
  }

  /** @param {number} value */
  set(value) {
    this.amount = tidy(Math.min(this.high, Math.max(this.low, value)));
  }

  preview() {
    if (this.what === "turn") {
      return carried(this.poses, this.centre, this.rigid ? this.amount : 0, 0, 0);
    }
    const angle = (this.poses[0].facing * Math.PI) / 180;
    const [dx, dy] = [this.amount * Math.cos(angle), this.amount * Math.sin(angle)];
    return carried(this.poses, this.centre, 0, dx, dy);
  }

  /** @param {number} x @param {number} y a point the hand drags the middle or the front to */
  pointTo(x, y) {
    const [dx, dy] = [x - this.centre[0], y - this.centre[1]];
    const facing = this.poses[0].facing;
    if (this.what === "turn") {
      const by = wrap((Math.atan2(dy, dx) * 180) / Math.PI - facing);
      this.set(Math.round(by * 10) / 10);
      return;
    }
    const angle = (facing * Math.PI) / 180;
    this.set(dx * Math.cos(angle) + dy * Math.sin(angle));
  }

  /** @param {number} dx @param {number} dy */
  nudge(dx, dy) {
    if (this.what === "turn") this.set(this.amount + (dy || -dx) * 10);
    else this.set(this.amount + (Math.abs(dy) > Math.abs(dx) ? dy : dx));
  }

  /** @param {number} by */
  turn(by) {
    if (this.what === "turn") this.set(this.amount + by);
  }

  fix() {
    return false;
  }

  back() {
    const had = this.amount !== 0;
    this.amount = 0;
    return had;
  }

  /** @param {Record<string, any>} action @param {import("../lib/documents.js").Control} control */
  fill(action, control) {
    action[control.slot] = this.amount;
  }
}
