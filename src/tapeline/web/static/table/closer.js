// @ts-check
// On a small screen the board comes closer to who is selected, or to those who may be picked, and shows the whole
// again while another side, whose deeds would be out of sight, is to act.

import { PickFill } from "./picking.js";

/** @typedef {import("./table.js").Table} Table */

/** Of the way a body may go, so much is seen on each side of it. */
const ROOM = 1.25;

/** @param {Table} table */
export function closer(table) {
  const { board, hand, selection, state } = table;
  const small = matchMedia("(pointer: coarse) and (max-width: 1000px)");
  let seen = "";
  let close = false;
  const come = () => {
    const { id, controls } = selection;
    // Under a finger that drags the board stays as it is.
    if (!small.matches || !id || id === seen || !selection.mine || table.drag.grip) return;
    const far = Math.max(0, ...controls.map((control) => control.allowance ?? 0));
    if (!far) return;
    seen = id;
    close ||= board.view.isWhole;
    if (board.view.isWhole) board.zoomTo(id, ROOM * far);
    else board.reveal(id);
  };
  state.addEventListener("change", () => {
    if (!close || state.mine || state.now.question) return;
    close = false;
    seen = "";
    board.fit();
  });
  selection.addEventListener("controls", come);
  addEventListener("pointerup", () => setTimeout(come));
  hand.addEventListener("draft", () => {
    const draft = hand.draft;
    if (!small.matches || !(draft?.fill instanceof PickFill)) return;
    const ids = [...(draft.control.candidates ?? []), ...draft.poses.map((pose) => pose.body)];
    board.showAll(ids.flatMap((id) => state.bodies(id).map((figure) => figure.id)));
  });
}
