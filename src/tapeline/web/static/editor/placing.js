// @ts-check
// Where new things go, so that they are seen at once and are easily dragged to where they belong.

import { boxOf, sortOf } from "./shapes.js";

/** @typedef {import("./main.js").Editor} Editor */

/** The whole table is seen when it is drawn no larger than this many times its fit. */
const WHOLE = 1.3;

/**
 * The middle of what is seen, on the grid, on the storey that is shown. While the whole table is
 * seen: the middle of a floor of that storey, and for the bodies of a side a place near its edge.
 * @param {Editor} editor
 * @param {string} [side]
 * @returns {import("./add_form.js").Place}
 */
export function placeFor(editor, side) {
  const { board, draft, hands } = editor;
  const { view } = board;
  const { sheets } = board.drawing;
  const plate = (sheets.find((one) => one.plate.storey?.index === board.storey) ?? sheets[0])?.plate;
  const { width, depth } = draft.scene.table;
  const z = plate?.storey?.bottom ?? 0;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
    x: hands.snapped(Math.min(width, Math.max(0, x))),
    y: hands.snapped(Math.min(depth, Math.max(0, y))),
    z,
  });
  if (view.scale < WHOLE * view.fitting) {
    const floor = z > 0 ? floorAt(editor, z) : null;
    if (floor) return at((floor.x0 + floor.x1) / 2, (floor.y0 + floor.y1) / 2);
    if (sheets.length === 1) {
      const first = draft.scene.sides[0]?.id === side;
      return at(width / 2, depth * (side === undefined || z > 0 ? 0.5 : first ? 0.12 : 0.88));
    }
  }
  const middle = view.worldOf(view.width / 2, view.height / 2);
  return at(...(plate?.from(...middle) ?? middle));
}

/** The extent of a floor so high, of one that is selected rather than another. @param {Editor} editor @param {number} z */
function floorAt({ draft, system }, z) {
  const floors = draft.scene.terrain.filter(
    (entry) => sortOf(entry) === "floor" && Math.abs(entry.z - z) < 1e-6,
  );
  const found = floors.find((entry) => draft.selected.has(entry.id)) ?? floors[0];
  return found ? boxOf(found, system) : null;
}
