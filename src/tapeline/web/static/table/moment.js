// @ts-check
// The moment of dice: what was thrown, which of it counts, and what came of it, until somebody goes on; also of a
// shot or blow that was told of.

import { fill, h } from "../lib/dom.js";
import { die } from "./card.js";
import { clauseLink } from "./clause.js";
import { detail } from "./state.js";
import { cased, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").LogLine} LogLine */
/** @typedef {LogLine["happenings"][number]} Happening */

/** Shows the dice of the newest entry in its host. */
export class Moment {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.host = host;
    table.state.addEventListener("change", (event) => {
      const { first, fresh, grown } = detail(event);
      if (first || !grown) return;
      const line = fresh.findLast((/** @type {LogLine} */ one) => one.word || one.happenings.some(isThrow));
      if (line) this.show(line, Boolean(table.state.now.question));
      else this.end();
    });
    table.hand.addEventListener("draft", () => table.hand.draft && !table.hand.draft.answers && this.end());
  }

  /** @param {LogLine} line @param {boolean} asked whether a question is open, which has the keyboard then */
  show(line, asked) {
    const parts = line.word ? [h("h2", {}, told(line.title))] : [];
    if (line.word && !line.happenings.some((one) => one.word)) parts.push(wordOf(line));
    // Where no throw has a word for it, what it all came to stands large.
    const last = line.happenings.some((one) => isThrow(one) && one.word) ? undefined : line.happenings.findLast((one) => one.word);
    for (const one of line.happenings) {
      if (isThrow(one)) parts.push(...thrown(one));
      else if (one === last) parts.push(...result(one));
      else if (parts.length && one.event !== "moved" && !repeats(line, one)) parts.push(h("p", { class: "moment-said" }, cased(told(one.text)), one.clause && [" ", clauseLink(one.clause)]));
    }
    const on = h("button", { type: "button", class: "primary", onclick: () => this.end() }, "Go on", h("kbd", { class: "enter", "aria-hidden": "true" }, "Enter"));
    // Where there is little room, the last word stands above all.
    parts.findLast((part) => part.classList.contains("moment-word"))?.classList.add("last");
    this.host.hidden = false;
    fill(this.host, ...parts, asked ? null : on);
    requestAnimationFrame(() => this.host.scrollIntoView({ block: "nearest" }));
    const active = document.activeElement;
    if (!asked && (!active || active === document.body)) on.focus({ preventScroll: true });
  }

  get open() {
    return !this.host.hidden;
  }

  /** The button that goes on, if there is one. @returns {HTMLElement | null} */
  get first() {
    return this.host.querySelector("button.primary");
  }

  end() {
    this.host.hidden = true;
    fill(this.host);
  }
}

/** Whether it says no more than the big word of a throw does. @param {import("../lib/documents.js").LogLine} line @param {Happening} one */
function repeats(line, { text }) {
  return line.happenings.some((other) => isThrow(other) && `${other.word}.` === text);
}

/** @param {Happening} one */
function isThrow(one) {
  return (one.faces ?? []).length > 0;
}

/** A throw: what it was for, the dice that count before the others, and what came of it. @param {Happening} one */
function thrown(one) {
  const { purpose, clause, faces = [], sides = 6, counts = [], target } = one;
  const dice = faces.map((face, n) => ({ face, counts: counts[n] ?? true }));
  const row = (/** @type {boolean} */ good) =>
    dice
      .filter((one) => one.counts === good)
      .map(({ face }) => h("span", { class: good ? "hit" : "miss", title: good ? "counts" : "does not count" }, die(face, sides)));
  const line = typeof target === "number" ? h("span", { class: "mark-line" }, h("b", {}, `${target}+`)) : null;
  return [
    h("h2", {}, told(purpose ?? ""), clause && [" ", clauseLink(clause)]),
    h("div", { class: "tray" }, row(true), line, row(false)),
    ...result(one),
  ];
}

/** The result in one big word with what it took, then as a sentence; a number where no rule names it. @param {Happening} one */
function result({ text, clause, word, needs, good, faces = [], total, target }) {
  if (!word) {
    return typeof total === "number" && faces.length > 1 ? [h("p", { class: "moment-word" }, h("strong", {}, total), " in all")] : [];
  }
  const against = needs && (typeof target === "number" ? `of ${faces.length}, needs ${needs}` : `${total ?? faces.join(", ")} against ${needs}`);
  return [
    wordOf({ word, good }, against),
    ...(typeof target === "number" ? [] : [h("p", { class: "moment-said" }, `${told(text)}.`, !faces.length && clause && [" ", clauseLink(clause)])]),
  ];
}

/** One big word, with what it took. @param {{word?: string, good?: boolean | null}} what @param {string} [against] */
function wordOf({ word, good }, against = "") {
  const mark = { true: "✓", false: "✕" }[String(good)];
  const look = { true: " good", false: " bad" }[String(good)] ?? "";
  return h("p", { class: `moment-word${look}` }, mark && h("span", { "aria-hidden": "true" }, mark), h("strong", {}, word), against);
}
