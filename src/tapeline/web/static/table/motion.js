// @ts-check
// What happens is seen and heard: moves of either side walk along their ways, dice rattle.

import { detail } from "./state.js";
import { sound } from "./sound.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").LogLine} LogLine */

/** Who comes back to more entries than that sees where all stand now. */
const MOST = 4;

export class Motion {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    table.state.addEventListener("change", (event) => {
      const { first, fresh, grown } = detail(event);
      if (!first && grown && !table.show.past) this.walk(fresh.length > MOST ? [] : fresh);
    });
  }

  /**
   * Walk what entries tell of, on the board that shows what came of them.
   * @param {LogLine[]} lines
   * @param {number} [pace] how many times as fast
   */
  async walk(lines, pace = 1) {
    const thrown = lines.flatMap((line) => line.happenings).reduce((sum, one) => sum + (one.faces ?? []).length, 0);
    if (thrown) sound("dice", thrown);
    const gone = lines.filter((line) => line.counts && line.traces.length);
    if (!gone.length) return;
    const marches = gone.map((line) => ({ traces: line.traces, heavy: this.#heavy(line) }));
    await this.table.board.walk(marches, pace);
    sound(marches.at(-1)?.heavy ? "thud" : "wood");
  }

  /** Whether an entry is a move at somebody of another side. @param {LogLine} line */
  #heavy(line) {
    const { state } = this.table;
    // What an answer carries out was asked for by an action before it.
    const asked = state.log.findLast((one) => one.n <= line.n && one.action);
    const target = asked?.action?.target;
    const side = (/** @type {string} */ id) => (state.group(id) ?? state.figure(id))?.side;
    return typeof target === "string" && side(target) !== undefined && side(target) !== side(line.traces[0].body);
  }
}
