// @ts-check
// A stand held still near another of its unit, or let go there, comes to lie flush with it, as fingers
// would push it. Where that is, the server says; what may stand there, its referee.

/** @typedef {import("./picking.js").StandsFill} StandsFill */
/** @typedef {import("./fillers.js").Pose} Pose */

/** Milliseconds a hand rests before it is asked. */
const REST = 90;
/** Pixels from which on a stand is drawn to another. */
const NEAR = 9;

export class Flush {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.timer = 0;
  }

  /** The hand moved a stand: ask as soon as it rests. @param {StandsFill} fill */
  soon(fill) {
    this.stop();
    this.timer = window.setTimeout(() => this.now(fill), REST);
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** Lay the stand in hand flush, if it has not moved on when the answer comes. @param {StandsFill} fill */
  async now(fill) {
    this.stop();
    const { board, hand, state, show } = this.table;
    const draft = hand.draft;
    if (draft?.fill !== fill || !fill.way.loose) return;
    const { current } = fill;
    const held = fill.end;
    const others = [...fill.ways].filter(([id]) => id !== current).map(([, way]) => stood(way.end));
    const asked = { stand: stood(held), others, near: NEAR / board.scale };
    /** @type {import("../lib/documents.js").Laid | null} */
    const laid = await state.api.post("flush", asked).catch(() => null);
    const now = fill.end;
    const gone = hand.draft !== draft || fill.current !== current || now.x !== held.x || now.y !== held.y;
    if (gone || !laid?.against || (laid.x === held.x && laid.y === held.y)) return;
    fill.lieAt(laid.x, laid.y);
    draft.changed();
    show.draw();
  }
}

/** @param {Pose} pose */
function stood({ body, x, y, facing }) {
  return { body, x, y, facing };
}
