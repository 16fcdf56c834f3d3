// @ts-check
// The match as this page has it: newest document, whole log, version; and every call that changes it.

import { ApiError, MatchApi } from "../lib/api.js";
import { Live } from "../lib/live.js";
import { learn, nameOf } from "./names.js";

/** @typedef {import("../lib/documents.js").Match} Match */
/** @typedef {import("../lib/documents.js").Done} Done */
/** @typedef {import("../lib/documents.js").Board} Board */

/**
 * Events: "change" {first, grown} after a newer match came, "present", "link" as the connection
 * goes, "busy" {busy} while a call is under way, "trouble" {text, findings} for what the server
 * refused, "done" {done} after a call that may have changed the match.
 */
export class State extends EventTarget {
  /** @param {string} id @param {string} token */
  constructor(id, token) {
    super();
    this.id = id;
    this.api = new MatchApi(id, token, () => this.version);
    /** @type {Match | null} */
    this.match = null;
    /** @type {import("../lib/documents.js").Ground[]} */
    this.terrain = [];
    /** @type {import("../lib/documents.js").LogLine[]} */
    this.log = [];
    /** @type {string[]} */
    this.present = [];
    /** Sides that have a share in the dice. @type {import("../lib/documents.js").Commitment[]} */
    this.commitments = [];
    /** Over once the log says of all its lines whether they count. @type {Promise<void>} */
    this.whole = Promise.resolve();
    /** Who plays sides of this page in a person's stead, by side. @type {Record<string, string>} */
    this.played = {};
    /** The side that alone has the device until it is handed on; empty if none has. @type {() => string} */
    this.holder = () => "";
    /** Whether a game that is over is played on all the same. */
    this.playsOn = false;
    this.busy = 0;
    /** How many calls were begun so far. */
    this.begun = 0;
    this.live = new Live(id, token, () => this.version);
    this.live.addEventListener("now", (event) => this.take(detail(event).match));
    this.live.addEventListener("present", (event) => {
      this.present = detail(event).present;
      this.commitments = detail(event).commitments;
      this.#tell("present");
    });
    this.live.addEventListener("link", (event) => this.#tell("link", detail(event)));
    this.live.addEventListener("refused", (event) => {
      this.#tell("trouble", { text: String(detail(event).why ?? ""), findings: [] });
    });
  }

  get version() {
    return this.match?.version ?? 0;
  }

  /** @returns {Match} the match; only after the first one came */
  get now() {
    if (!this.match) throw new Error("no match yet");
    return this.match;
  }

  /** @returns {Board} */
  get board() {
    return this.now.board;
  }

  /** Whether the match has ended, or the game; the game may be gone on with all the same. */
  get over() {
    return Boolean(this.now.over) || this.board.over;
  }

  /** Whether nothing is done any more: the match has ended, or the game, and it is not gone on with. */
  get done() {
    return Boolean(this.now.over) || (this.board.over && !this.playsOn);
  }

  /** Whether this page may act for the side that must act now. */
  get mine() {
    return !this.now.over && this.board.acting.some((side) => this.moves(side));
  }

  /** What sides have committed to for whose keys the open roll waits. */
  get bound() {
    const last = this.log[this.version - 1];
    return last && Object.keys(last.commitments).length ? last.commitments : null;
  }

  /** Whether a side is moved by a person here. @param {string} side */
  moves(side) {
    return this.speaks(side) && !this.played[side];
  }

  /** The sides whose empty steps are passed with what is done here: by link of all, else of whom a person here moves, or who has the device. */
  get passing() {
    const holder = this.holder();
    const all = this.board.parties.map((party) => party.id);
    return this.now.mode === "links" ? all : all.filter((side) => this.moves(side) && (!holder || side === holder));
  }

  /** Whether a person plays against the computer here. */
  get against() {
    const { sides } = this.now.you;
    const played = sides.filter((side) => this.played[side]).length;
    return played > 0 && played < sides.length;
  }

  /** Whether this page answers for a side, whoever moves it. @param {string} side */
  speaks(side) {
    return this.match?.you.sides.includes(side) ?? false;
  }

  /** @param {string} id of a side */
  party(id) {
    return this.board.parties.find((party) => party.id === id);
  }

  /** Figures that have yet to be set up. */
  get tray() {
    const waiting = new Set(this.match?.board.tray ?? []);
    return this.match?.board.gone.filter((figure) => waiting.has(figure.id)) ?? [];
  }

  /** @param {string} id of a body: whether it has yet to be set up */
  waits(id) {
    return this.match?.board.tray?.includes(id) ?? false;
  }

  /** A body on the table or in the tray. @param {string | null | undefined} id */
  figure(id) {
    const is = (/** @type {import("../lib/documents.js").Figure} */ figure) => figure.id === id;
    return this.match?.board.figures.find(is) ?? this.tray.find(is);
  }

  /** @param {string | null | undefined} id */
  group(id) {
    return this.match?.board.groups.find((group) => group.id === id);
  }

  /** The name of a body, unit, piece or side, or the id itself. @param {string} id */
  name(id) {
    const other = this.party(id) ?? this.terrain.find((ground) => ground.id === id);
    return nameOf(id) ?? (other?.name || id);
  }

  /** Figures of a body or of a unit. @param {string} id */
  bodies(id) {
    const all = [...(this.match?.board.figures ?? []), ...this.tray];
    const group = this.group(id);
    return all.filter((figure) => (group ? figure.unit === id : figure.id === id));
  }

  /** @param {Match} match */
  take(match) {
    const first = this.match === null;
    if (!first && match.version < this.version) return;
    const from = this.log.length;
    if (match.log_from > from) {
      this.refresh();
      return;
    }
    const before = this.version;
    this.match = match;
    learn(match.board);
    if (match.board.terrain) this.terrain = match.board.terrain;
    this.present = match.present ?? this.present;
    this.commitments = match.commitments;
    const fresh = match.log.filter((line) => line.n > from);
    this.log = [...this.log.slice(0, match.log_from), ...match.log];
    this.#tell("change", { first, fresh, grown: match.version > before });
    // An undo says of earlier lines that they no longer count: only a whole log has that.
    if (!first && match.log_from > 0 && fresh.some((line) => line.what === "undo")) this.whole = this.refresh();
  }

  /** Ask for everything again. */
  async refresh() {
    try {
      const match = await this.api.get("", { since: 0 });
      this.log = [];
      this.take(match);
    } catch (error) {
      this.trouble(error);
    }
  }

  /** From now on this page is of one side of its link, "" of all of them. @param {string} side */
  async sit(side) {
    this.live.stop();
    this.api.side = side;
    this.live.side = side;
    await this.refresh();
    this.live.start();
  }

  /** @param {Record<string, any>} action @param {number[][]} [faces] @param {string[]} [onward] sides for whom it is led on */
  act(action, faces = [], onward = []) {
    return this.#change("actions", { version: this.version, action, faces, onward });
  }

  /** @param {{faces?: number[], roll?: boolean, value?: unknown}} answer */
  answer(answer) {
    return this.#change("answers", { version: this.version, ...answer });
  }

  /** Have the table, or a program, do the next thing for a side. @param {string} side @param {{level?: string, program?: string}} who */
  think(side, who) {
    return this.#change("opponent", { version: this.version, side, ...who });
  }

  /** @param {number} entries */
  undo(entries) {
    return this.#change("undo", { version: this.version, entries });
  }

  /** @param {"resign" | "draw" | "rematch"} how @param {string} side in whose name */
  end(how, side) {
    return this.#change("ending", { version: this.version, how, side });
  }

  /** @param {boolean} on whether both sides may ask for hints */
  hints(on) {
    return this.#change("hints", { version: this.version, on });
  }

  /** @param {Record<string, any>[]} events @param {string} reason */
  override(events, reason) {
    return this.#change("overrides", { version: this.version, events, reason });
  }

  /** @param {string} proposal @param {boolean} accept */
  reply(proposal, accept) {
    const path = `proposals/${encodeURIComponent(proposal)}`;
    return this.#change(path, { version: this.version, accept });
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} body
   * @returns {Promise<Done | null>} null if the server refused, and the page was told why
   */
  async #change(path, body) {
    try {
      const done = /** @type {Done} */ (await this.working(this.api.post(path, body)));
      this.take(done.match);
      this.#tell("done", { done });
      await this.whole;
      return done;
    } catch (error) {
      this.trouble(error);
      if (error instanceof ApiError && error.stale) await this.refresh();
      return null;
    }
  }

  /**
   * Count a call as under way until it is over.
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T>}
   */
  async working(promise) {
    this.busy += 1;
    this.begun += 1;
    this.#tell("busy", { busy: true });
    try {
      return await promise;
    } finally {
      this.busy -= 1;
      this.#tell("busy", { busy: this.busy > 0 });
    }
  }

  /** Ask for something that changes nothing. @param {string} path @param {object} [query] */
  ask(path, query) {
    return this.working(this.api.get(path, /** @type {any} */ (query)));
  }

  /** @param {unknown} error */
  trouble(error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    const text = error instanceof Error ? error.message : String(error);
    const findings = error instanceof ApiError ? error.findings : [];
    if (!(error instanceof ApiError)) console.error(error);
    this.#tell("trouble", { text, findings });
  }

  /** @param {string} name @param {object} [what] */
  #tell(name, what = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail: what }));
  }
}

/** @param {Event} event */
export function detail(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
