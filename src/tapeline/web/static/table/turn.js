// @ts-check
// One glance: whose turn and step, who must act, who is there, and whether the line to the server holds.

import { fill, h } from "../lib/dom.js";
import { dice } from "./log.js";
import { wayBack } from "./tools.js";
import { ended, listed, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

export class Turn {
  /** @param {Table} table @param {{turn: HTMLElement, status: HTMLElement, title: HTMLElement, notice: HTMLElement}} hosts */
  constructor(table, hosts) {
    this.table = table;
    this.hosts = hosts;
    this.away = false;
    /** Whether what is played for is unfolded. */
    this.scored = false;
    this.slow = 0;
    /** Who is to act and what is open, a sentence each. @type {string[]} */
    this.open = [];
    this.line = h("p", { class: "link-state", role: "status", hidden: true });
    this.banner = h("div", { class: "banner", hidden: true });
    this.place = h("div", { class: "notice-list" });
    this.said = h("div", { class: "turn-said" });
    fill(hosts.notice, this.line, this.banner, this.place);
    const { hand, host, state } = table;
    state.addEventListener("change", () => this.draw());
    // What stands beside the pointer lies over the board: it goes with what it was about.
    const leave = () => this.place.querySelectorAll(".beside").forEach((one) => one.remove());
    state.addEventListener("change", leave);
    hand.addEventListener("draft", leave);
    host.addEventListener("pick", leave);
    state.addEventListener("present", () => this.draw());
    state.addEventListener("link", (event) => this.#link(/** @type {CustomEvent} */ (event).detail));
    state.addEventListener("busy", (event) => {
      const { busy } = /** @type {CustomEvent} */ (event).detail;
      clearTimeout(this.slow);
      const show = () => document.body.classList.toggle("working", state.busy > 0);
      if (busy) this.slow = window.setTimeout(show, 200);
      else show();
    });
    table.aim.addEventListener("busy", (event) => {
      hosts.turn.classList.toggle("reaching", /** @type {CustomEvent} */ (event).detail.busy);
    });
  }

  draw() {
    const { state, show, replay } = this.table;
    if (!state.match) return;
    const board = show.past ?? state.board;
    const name = board.name || board.title;
    this.hosts.title.textContent = name;
    document.title = `${state.mine && !show.past ? "● " : ""}${name} · Tapeline`;
    const [where = "", now = "", ...more] = board.status
      .filter((one) => one && one !== board.score)
      .map((one) => told(one));
    fill(this.hosts.status, h("span", { class: "system" }, `${board.title} · `), where);
    // Once the game is over it may be gone on with, but nobody is asked to.
    const done = board.over || (!show.past && state.now.over);
    const acting = (done ? [] : board.acting).map((side) => state.party(side)).filter((one) => one !== undefined);
    const mine = !show.past && state.mine;
    const question = show.past ? null : state.now.question;
    const who = listed(acting.map((one) => one.name));
    const verb = question ? "to answer" : board.tray?.length ? "to set up" : "to act";
    const words = show.past
      ? `Looking back at entry ${replay.shown}`
      : state.now.over
        ? "The match is over"
        : board.over
          ? "The game is over"
          : who
            ? `${who} ${verb}`
            : "Nobody is to act";
    const played = !show.past && acting.length > 0 && acting.every((one) => state.played[one.id]);
    // What is open to the computer, or to another link, is not asked of who looks on.
    const waits = !show.past && state.now.mode === "links" && state.now.you.role === "side" && !mine;
    const does = played ? `${this.table.opponent.words(acting)}.` : waits ? "" : now;
    this.open = [words, does].filter(Boolean).map(ended);
    const tag = done ? "" : played ? "computer" : mine && (state.now.mode === "links" || state.against) ? "you" : "";
    this.hosts.status.title = [board.title, where, does, ...more].filter(Boolean).join(" · ");
    if (!this.said.isConnected) fill(this.hosts.turn, this.table.log.undoing, this.said);
    fill(
      this.said,
      h(
        "p",
        { class: `turn-who${mine ? " mine" : ""}${state.now.over ? " ended" : done ? " done" : ""}` },
        acting.map((one) => h("span", { class: `side-mark look-${one.look}`, "aria-hidden": "true" })),
        h("b", {}, words),
        tag && [" ", h("span", { class: "you" }, tag)],
      ),
      !mine && this.#yours(who, verb),
      does && !done && h("p", { class: "turn-now" }, does),
      this.#last(),
      h("ul", { class: "parties" }, state.board.parties.map((party) => this.#party(party.id))),
      this.#score(board, more),
      !show.past && this.table.talk?.again,
      this.table.waits.host,
    );
    this.#banner();
  }

  /** Which side is one's own, while another is to act. @param {string} who @param {string} verb */
  #yours(who, verb) {
    const { state, show } = this.table;
    const { you, mode } = state.now;
    const own = state.party(you.sides[0] ?? "");
    if (mode !== "links" || you.role !== "side" || !own || show.past) return null;
    return h(
      "p",
      { class: "turn-yours" },
      "You play ",
      h("span", { class: `side-mark look-${own.look}`, "aria-hidden": "true" }),
      h("b", {}, own.name),
      who && `: wait for ${who} ${verb}.`,
    );
  }

  /** The last thing that happened, with its dice. */
  #last() {
    const { state, show, replay } = this.table;
    const line = show.past
      ? state.log.find((one) => one.n === replay.shown)
      : state.log.findLast((one) => one.counts || one.what === "undo");
    if (!line) return null;
    const thrown = line.happenings.filter((one) => (one.faces ?? []).length);
    const said = line.happenings.findLast((one) => one.event === "happened");
    const by = state.party(line.by);
    return h(
      "div",
      { class: "turn-last" },
      thrown
        .filter((one) => one.text !== line.title)
        .map((one) => h("p", {}, dice(one), told(one.text))),
      h(
        "p",
        {},
        by && h("span", { class: `side-mark look-${by.look}`, title: by.name }),
        thrown.filter((one) => one.text === line.title).map(dice),
        told(line.title),
        said && `. ${told(said.text)}`,
      ),
    );
  }

  /** How the game stands; opened, what is played for. @param {import("../lib/documents.js").Board} board @param {string[]} lines what else is to be known of it */
  #score({ score, goals }, lines) {
    const all = [...(goals ?? []), ...lines];
    if (!score && !all.length) return null;
    return h(
      "details",
      {
        class: "score",
        open: this.scored,
        /** @param {Event} event */
        ontoggle: (event) => (this.scored = /** @type {HTMLDetailsElement} */ (event.target).open),
      },
      h("summary", {}, score || "How it stands"),
      h("ul", {}, all.map((one) => h("li", {}, one))),
    );
  }

  /** @param {string} id */
  #party(id) {
    const { state } = this.table;
    const party = state.party(id);
    const here = state.present.includes(id) || (state.now.mode === "hotseat" && state.present.length > 0);
    const seen = state.now.mode === "hotseat" ? "" : here ? "here" : "away";
    return h(
      "li",
      { class: seen },
      h("span", { class: `side-mark look-${party?.look ?? 0}`, "aria-hidden": "true" }),
      party?.name,
      h("span", { class: "quiet" }, ` ${party?.bodies ?? 0}${party?.gone ? `, ${party.gone} gone` : ""}${state.played[id] ? ", computer" : ""}`),
      seen && [" ", h("span", { class: `presence ${seen}` }, seen)],
      this.table.clocks.of(id),
    );
  }

  /** From a copy to the match that it was made of. */
  back() {
    const path = wayBack(this.table.state.id);
    if (path) leave(path);
    else history.back();
  }

  #banner() {
    const { state, show } = this.table;
    const copy = state.now.copy_of;
    const watching = state.now.you.role === "watch";
    this.banner.hidden = !copy && !show.past && !watching;
    if (copy) {
      fill(
        this.banner,
        h("span", {}, "Analysis board: a copy. Nothing here counts."),
        h("button", { type: "button", onclick: () => this.back() }, "Back to the match"),
      );
    } else if (show.past) {
      fill(
        this.banner,
        h("span", {}, "The table as it was: ", state.now.no_copies ? "nothing can be moved here." : "Analysis plays on from here, on a copy."),
        h("button", { type: "button", onclick: () => this.table.replay.now() }, "Back to now"),
      );
    } else if (watching) {
      fill(this.banner, h("span", {}, "You are looking on."));
    }
  }

  /** @param {{state: string, tries: number, wait: number}} link */
  #link(link) {
    const lost = link.state === "lost" || (link.state === "connecting" && link.tries > 0);
    const gone = link.state === "refused";
    const back = link.state === "open" && this.away;
    this.line.hidden = !lost && !gone;
    this.line.className = `link-state ${gone ? "gone" : "lost"}`;
    if (lost) this.line.textContent = "Connection lost. Trying again; nothing that was confirmed is lost.";
    if (gone) this.line.textContent = "This link does not open the match any longer.";
    if (back) this.table.notice("Connected again.");
    this.away = lost || gone;
    document.body.classList.toggle("offline", this.away);
  }

  /**
   * A sentence that goes away by itself, or is put away.
   * @param {string} text
   * @param {(string | HTMLElement)[]} [more]
   * @param {{at?: [number, number] | null, buttons?: {text: string, run: () => void}[], ms?: number}} [how] at:
   *     beside that pixel of the window; buttons: what would help; ms: how long it stays
   */
  notice(text, more = [], { at = null, buttons = [], ms = 9000 } = {}) {
    const made = h(
      "div",
      { class: at ? "notice beside" : "notice" },
      h("p", {}, text, text && more.length > 0 && " ", ...more),
      buttons.map(({ text: label, run }) =>
        h("button", { type: "button", onclick: () => (made.remove(), run()) }, label),
      ),
      h("button", { type: "button", "aria-label": "Put away", onclick: () => made.remove() }, "×"),
    );
    for (const one of this.place.children) if (one.textContent === made.textContent) one.remove();
    this.place.append(made);
    if (at) {
      const { offsetWidth: wide, offsetHeight: high } = made;
      // On the board alone: the panel has what would help as well.
      const { right } = this.table.host.getBoundingClientRect();
      made.style.setProperty("left", `${Math.max(8, Math.min(at[0] + 14, right - wide - 8))}px`);
      made.style.setProperty("top", `${Math.max(8, Math.min(at[1] + 14, innerHeight - high - 8))}px`);
    }
    while (this.place.childElementCount > 3) this.place.firstElementChild?.remove();
    setTimeout(() => made.remove(), ms);
    this.table.say(text || (made.querySelector("p")?.textContent ?? ""));
    return made;
  }
}

/** A copy has another id in its path, so the page is loaded anew. @param {string} path */
function leave(path) {
  location.assign(path);
}
