// @ts-check
// The log: what was done and what came of it, each with its rule; undo, proposals, judging again, files to keep.

import { fill, h } from "../lib/dom.js";
import { get, put } from "../lib/store.js";
import { die } from "./card.js";
import { clauseLink } from "./clause.js";
import { whose } from "./fair.js";
import { Files } from "./files.js";
import { sign } from "./icons.js";
import { keepingFocus } from "./focus.js";
import { Override } from "./override.js";
import { Proposals } from "./proposals.js";
import { setSounding, sounding } from "./sound.js";
import { cased, ended, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").LogLine} LogLine */

/** Lines drawn at once; earlier ones on demand. */
const PAGE = 60;

/** Why nothing is taken back or changed meanwhile. */
const LOOKING = "You are looking back: come back to now before anything is taken back or changed.";

export class Log {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.most = PAGE;
    /** What judging again said, by entry. @type {Map<number, string>} */
    this.again = new Map();
    this.kept = get(`opened:${table.state.id}`, null, true);
    this.files = new Files(table);
    this.override = new Override(table);
    this.proposals = new Proposals(table);
    /** Undo stands where it is always seen, beside whose turn it is. */
    this.undoing = h("div", { class: "turn-undo" });
    this.buttons = h("div", { class: "log-buttons" });
    this.lines = h("ol", { class: "log-lines", "aria-label": "What happened, newest first" });
    this.more = h("button", { type: "button", onclick: () => this.#more() }, "Earlier entries");
    fill(host, h("h2", {}, "Log"), this.buttons, this.lines, this.more);
    const { state, hand } = table;
    hand.addEventListener("onward", (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      this.opened = detail && { ...detail, says: "" };
    });
    /** What was open when it was last told. */
    let known = "";
    state.addEventListener("change", (event) => {
      this.draw();
      const { fresh, first } = /** @type {CustomEvent} */ (event).detail;
      // What is open now is told to who does it, where more of it is new than a number.
      const { open } = table.turn;
      const news = state.mine && plain(open.join()) !== known ? open : [];
      known = plain(open.join());
      if (!first && fresh.length) table.say([...new Set([...fresh.flatMap(wordsOf), ...news])].join(" "));
    });
  }

  /** What was done by the way with the last deed: the log's length before, how many steps, and, of those before a move, in words.
   * @returns {{from: number, steps: number, says: string} | null} */
  get opened() {
    return this.kept;
  }

  set opened(opened) {
    this.kept = opened;
    put(`opened:${this.table.state.id}`, opened, true);
  }

  draw() {
    const { state } = this.table;
    keepingFocus(this.undoing, () => this.#undo());
    keepingFocus(this.buttons, () => this.#buttons());
    const shown = state.log.slice(-this.most).reverse();
    keepingFocus(this.lines, () => fill(this.lines, shown.map((line) => this.#line(line))));
    this.more.hidden = state.log.length <= this.most;
  }

  #more() {
    this.most += 4 * PAGE;
    this.draw();
  }

  #undo() {
    const { state, replay } = this.table;
    const offer = state.now.undo;
    const past = replay.looking;
    fill(
      this.undoing,
      state.now.you.role !== "watch" &&
        h(
          "button",
          {
            type: "button",
            disabled: !offer || past,
            title: past ? LOOKING : !offer ? "There is nothing to undo." : state.against ? "Take back the last thing you did, and what the computer did since." : told(offer.says),
            dataset: { keep: "undo" },
            onclick: () => this.undo(),
          },
          offer && !offer.free && !state.against ? "Ask to undo" : "Undo",
          h("kbd", { "aria-hidden": "true" }, "U"),
        ),
    );
  }

  #buttons() {
    const { state, tools, opponent, replay } = this.table;
    const offer = state.now.undo;
    const past = replay.looking;
    const may = state.now.you.role !== "watch";
    const open = Boolean(this.buttons.querySelector("details")?.open);
    // Another side's activation is not for this page to begin again.
    const last = state.log.findLast((line) => line.counts && line.what !== "undo");
    const own = (state.mine && state.speaks(last?.by ?? "")) || offer?.free;
    const whole = own && offer?.activation && offer.activation > offer.entries && !opponent?.answered ? offer.activation : null;
    fill(
      this.buttons,
      may &&
        whole &&
        h(
          "button",
          { type: "button", disabled: past, title: past ? LOOKING : null, dataset: { keep: "reset" }, onclick: () => this.#back(whole) },
          "Begin this activation again",
        ),
      h(
        "details",
        { class: "menu", open },
        h("summary", { dataset: { keep: "menu" } }, "More"),
        h(
          "div",
          { class: "menu-list" },
          this.files.buttons(),
          may && h("button", { type: "button", disabled: past, title: past ? LOOKING : null, onclick: () => this.#override() }, "Change the table by agreement"),
          state.now.no_copies && h("p", { class: "quiet" }, `No analysis board here. ${state.now.no_copies}`),
          !state.now.copy_of &&
            !state.now.no_copies &&
            h("button", { type: "button", onclick: () => tools.copy() }, "Analyse on a copy"),
          h(
            "button",
            { type: "button", "aria-pressed": String(sounding()), dataset: { keep: "sound" }, onclick: () => this.#sounds() },
            "Sounds of wood and dice",
          ),
          this.table.handOver?.several &&
            h(
              "button",
              { type: "button", "aria-pressed": String(this.table.handOver.wanted), dataset: { keep: "hand-over" }, onclick: () => this.#handOver() },
              "A card when the device changes hands",
            ),
        ),
      ),
    );
  }

  #sounds() {
    setSounding(!sounding());
    this.draw();
  }

  #handOver() {
    this.table.handOver.toggle();
    this.draw();
  }

  #override() {
    const menu = this.buttons.querySelector("details");
    if (menu) menu.open = false;
    this.override.open();
  }

  /** Undo the last entry, or ask the others to agree; against the computer, the last one of a person. */
  undo() {
    const { state, opponent, replay } = this.table;
    const offer = state.match?.undo;
    if (state.match?.you.role === "watch") return;
    if (replay.looking) {
      this.table.notice(LOOKING);
      return;
    }
    if (!offer) {
      this.table.notice("There is nothing to undo.");
      return;
    }
    this.table.hand.put();
    const { answered } = opponent;
    this.#back(this.#withOpening(answered ? answered + 1 : offer.entries, answered));
  }

  /** @param {number} entries */
  async #back(entries) {
    const { state } = this.table;
    const done = await state.undo(entries);
    // The computer agrees to everything.
    if (done?.proposal && state.against) await state.reply(done.proposal.id, true);
  }

  /**
   * How many entries an undo takes back: what was done by the way goes with its deed.
   * @param {number} entries
   * @param {number} answered how many of them answered it
   */
  #withOpening(entries, answered) {
    const { opened } = this;
    this.opened = null;
    if (!opened || entries !== answered + 1) return entries;
    const since = this.table.state.log.filter((line) => line.n > opened.from && line.counts && line.what !== "undo");
    return since.length - answered <= opened.steps + 1 ? Math.max(entries, since.length) : entries;
  }

  /** @param {LogLine} line */
  #line(line) {
    const { state, replay } = this.table;
    const side = state.party(line.by);
    const said = this.again.get(line.n);
    // What the title says already is not said twice, but for its dice and its rule.
    const news = line.happenings.filter(
      (one) => one.text !== line.title || one.clause || (one.faces ?? []).length,
    );
    return h(
      "li",
      {
        class: `log-line log-${line.what}${line.counts || line.what === "undo" ? "" : " undone"}`,
        value: line.n,
        dataset: { n: line.n },
      },
      h(
        "div",
        { class: "log-head" },
        side && h("span", { class: `side-mark look-${side.look}`, title: side.name }),
        h(
          "button",
          {
            type: "button",
            class: "log-title",
            title: "Look at the table as it was then",
            dataset: { keep: `line-${line.n}` },
            onclick: () => replay.go(line.n),
          },
          told(line.title),
        ),
        line.what === "override" && h("span", { class: "mark-override" }, "by agreement"),
        !line.counts && line.what !== "undo" && h("span", { class: "mark-undone" }, "undone"),
        (line.what === "action" || line.what === "answer") &&
          h(
            "button",
            {
              type: "button",
              class: "judge-again sign",
              title: "Judge this again",
              "aria-label": `Judge entry ${line.n} again`,
              dataset: { keep: `again-${line.n}` },
              onclick: () => this.#judge(line),
            },
            sign("judge"),
          ),
      ),
      line.reason && h("p", { class: "quiet" }, `Agreed because: ${line.reason}`),
      news.length > 0 &&
        h(
          "ul",
          { class: "happenings" },
          news.map((one) =>
            h(
              "li",
              { class: `happening-${one.event}` },
              dice(one),
              one.text !== line.title && cased(told(one.text)),
              one.clause && [" ", clauseLink(one.clause)],
            ),
          ),
        ),
      line.key && state.now.mode === "links" && h("p", { class: "quiet" }, whose(state, Object.keys(line.reveals))),
      said && h("p", { class: "judged-again", role: "status" }, said),
    );
  }

  /** @param {LogLine} line */
  async #judge(line) {
    const { state } = this.table;
    try {
      const answer = await state.working(state.api.post(`judge-again/${line.n}`));
      this.again.set(line.n, `Judged again: ${answer.message}`);
    } catch (error) {
      state.trouble(error);
      return;
    }
    this.draw();
    this.table.say(this.again.get(line.n) ?? "");
  }
}

/** The dice of an event as they lay. @param {import("../lib/documents.js").Happening} one */
export function dice(one) {
  const faces = one.faces ?? [];
  if (!faces.length) return null;
  return h("span", { class: "thrown" }, faces.map((face) => die(face, one.sides ?? 6)));
}

/** A line in a few sentences. @param {LogLine} line */
function wordsOf(line) {
  const parts = line.happenings.slice(0, 3).map((one) => told(one.text));
  return [told(line.title), ...parts].map(ended);
}

/** Words without their numbers. @param {string} words */
const plain = (words) => words.replace(/\d+/g, "");
