// @ts-check
// Handles on the board: to turn a body or unit, to wheel it about a front corner, to push it ahead.

import { AmountFill, PathFill, PoseFill } from "./fillers.js";
import { poseOf } from "./draft.js";
import { StandsFill } from "./picking.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./fillers.js").Pose} Pose */
/** @typedef {import("../board/ways.js").Handle} Handle */
/** @typedef {import("../lib/documents.js").Control} Control */

/** Pixels from the border of a base to its handle. */
const AWAY = 26;

/**
 * The handles for what is in hand, or for what could be begun with the selected body.
 * @param {Table} table
 * @returns {Handle[]}
 */
export function handlesOf(table) {
  const { hand, selection, state } = table;
  const draft = hand.draft;
  if (!draft) {
    const control = selection.mine && !state.now.question ? selection.turning : undefined;
    if (!control) return [];
    const poses = selection.bodies.flatMap((id) => {
      const figure = state.figure(id);
      return figure ? [poseOf(figure)] : [];
    });
    return poses.length ? turners(table, control, poses, 0) : [];
  }
  const fill = draft.fill;
  if (fill instanceof AmountFill) {
    if (fill.what === "turn") return turners(table, draft.control, fill.poses, fill.amount);
    const end = fill.end;
    return [ahead(table, "push", "push", [end], end.facing, "Push it ahead")];
  }
  const turns =
    (fill instanceof PoseFill && fill.turning) ||
    ((fill instanceof PathFill || fill instanceof StandsFill) && draft.turns);
  const end = turns && "end" in fill ? fill.end : null;
  if (!end) return [];
  const poses = fill instanceof StandsFill ? [end] : fill.preview();
  return [ahead(table, "turn", "turn", poses, end.facing, "Turn it")];
}

/** The ends of a front a unit may wheel about, if the control names them. @param {Control} control */
function pivots(control) {
  const about = control.extras?.find((extra) => extra.name === "about");
  return (about?.options ?? []).map((option) => String(option.value));
}

/**
 * @param {Table} table
 * @param {Control} control
 * @param {Pose[]} poses
 * @param {number} by
 * @returns {Handle[]}
 */
function turners(table, control, poses, by) {
  const ends = pivots(control);
  if (!ends.length) {
    return [ahead(table, "turn", "turn", poses, poses[0].facing + by, `Turn it (${control.label})`)];
  }
  return ends.flatMap((name) => {
    const [pivot, other] = front(table, poses, name);
    if (!pivot || !other) return [];
    const angle = (by * Math.PI) / 180;
    const [dx, dy] = [other[0] - pivot[0], other[1] - pivot[1]];
    const long = Math.hypot(dx, dy) || 1;
    const far = 1 + AWAY / table.board.scale / long;
    const chosen = table.hand.draft?.extras.about ?? ends[0];
    const turned = table.hand.draft && chosen === name ? angle : 0;
    const [c, s] = [Math.cos(turned), Math.sin(turned)];
    return [
      {
        id: `wheel-${name}`,
        kind: /** @type {const} */ ("wheel"),
        x: pivot[0] + far * (c * dx - s * dy),
        y: pivot[1] + far * (s * dx + c * dy),
        z: poses[0].z,
        facing: poses[0].facing,
        label: `Wheel it about its ${name} end`,
      },
    ];
  });
}

/**
 * The corner of the front at an end of a unit, and the one at the other end.
 * @param {Table} table
 * @param {Pose[]} poses
 * @param {string} name "left" or "right"
 * @returns {[number, number][]}
 */
export function front(table, poses, name) {
  const [first] = poses;
  const angle = (first.facing * Math.PI) / 180;
  const ahead = [Math.cos(angle), Math.sin(angle)];
  const left = [-ahead[1], ahead[0]];
  const corners = poses.flatMap((pose) => {
    const figure = table.state.figure(pose.body);
    const half = (figure?.width ?? 2 * (figure?.radius ?? 0)) / 2;
    const deep = (figure?.depth ?? 2 * (figure?.radius ?? 0)) / 2;
    return [half, -half].map((side) => {
      const x = pose.x + deep * ahead[0] + side * left[0];
      const y = pose.y + deep * ahead[1] + side * left[1];
      return { x, y, at: x * left[0] + y * left[1], on: x * ahead[0] + y * ahead[1] };
    });
  });
  const most = Math.max(...corners.map((corner) => corner.on));
  const row = corners.filter((corner) => corner.on > most - 0.5).sort((a, b) => b.at - a.at);
  const ends = [row[0], row[row.length - 1]];
  if (name !== "left") ends.reverse();
  return ends.map((corner) => [corner.x, corner.y]);
}

/**
 * A handle before the front.
 * @param {Table} table
 * @param {string} id
 * @param {"turn" | "push"} kind
 * @param {Pose[]} poses
 * @param {number} facing
 * @param {string} label
 * @returns {Handle}
 */
function ahead(table, id, kind, poses, facing, label) {
  const x = poses.reduce((sum, pose) => sum + pose.x, 0) / poses.length;
  const y = poses.reduce((sum, pose) => sum + pose.y, 0) / poses.length;
  const far = Math.max(
    ...poses.map((pose) => {
      const figure = table.state.figure(pose.body);
      const half = figure?.radius ?? Math.hypot(figure?.width ?? 0, figure?.depth ?? 0) / 2;
      return Math.hypot(pose.x - x, pose.y - y) + half;
    }),
  );
  const angle = (facing * Math.PI) / 180;
  const away = far + AWAY / table.board.scale;
  return {
    id,
    kind,
    x: x + away * Math.cos(angle),
    y: y + away * Math.sin(angle),
    z: poses[0].z,
    facing,
    label,
  };
}
