// @ts-check
// Sentences of the panel: findings with their rule, lengths with their unit, who is who.

import { h } from "../lib/dom.js";
import { inUnits } from "../lib/lengths.js";
import { figure } from "../lib/units.js";
import { clauseLink } from "./clause.js";
import { named } from "./names.js";

/** @typedef {import("../lib/documents.js").Finding} Finding */

/** The unit that lengths in sentences are read in; set once, when the match is known. */
export const reader = { units: /** @type {import("../lib/units.js").Units | null} */ (null) };

/**
 * A sentence of the referee as people read it: names in place of ids, lengths in the unit they chose.
 * @param {string} text
 * @param {(number | null | undefined)[]} [exact] lengths that it tells rounded, table units
 */
export function told(text, exact) {
  const said = named(text);
  return reader.units ? inUnits(said, reader.units, exact) : said;
}

/** @param {Finding} finding */
function said(finding) {
  const { measured, limit, travelled } = finding;
  return told(finding.text, [measured, limit, travelled]).trim().replace(/\.$/, "");
}

/**
 * A finding as a sentence that ends in its rule: "Too near ...: 0.93 in, ... (the rule)."
 * @param {Finding} finding
 * @returns {(string | HTMLElement)[]}
 */
export function sentence(finding) {
  const text = said(finding);
  if (!finding.clause) return [...cased(text), "."];
  return [...cased(text), " ", h("span", { class: "whole" }, "(", clauseLink(finding.clause), ").")];
}

/** Words that shout as on a card, such as HEAVY or BLOOD MARKER: several capitals, no rule's id. */
const SHOUTED = /(?<![\w-])((?:[A-Z]{3,}s?)(?: [A-Z]{3,}s?)*)(?![\w-])/;

/** A sentence whose keywords stand in small capitals. @param {string} text @returns {(string | HTMLElement)[]} */
export function cased(text) {
  return text.split(SHOUTED).map((part, n) => (n % 2 ? h("span", { class: "keyword" }, part) : part));
}

/** The same as plain text, for a live region. @param {Finding} finding */
export function spoken(finding) {
  const text = said(finding);
  return finding.clause ? `${text} (${finding.clause}).` : `${text}.`;
}

/** Words with the stop that ends them. @param {string} words */
export const ended = (words) => words.replace(/[^.:!?]$/, "$&.");

/** Kinds of finding shown at once; more fold away, and so do their pins. */
export const SHOWN = 4;

/**
 * Findings by their rule, the binding cause first: the rule that bites where a body comes to a
 * stop, if that is known. Numbers and pins go by this.
 * @param {Finding[]} findings
 * @param {[number, number] | null} [stop]
 * @returns {Finding[][]}
 */
export function grouped(findings, stop = null) {
  const far = (/** @type {Finding} */ { place }) =>
    stop && place ? Math.hypot(place[0] - stop[0], place[1] - stop[1]) : Infinity;
  /** @type {Map<string, Finding[]>} */
  const groups = new Map();
  for (const finding of [...findings].sort((a, b) => far(a) - far(b) || 0)) {
    groups.set(finding.clause, [...(groups.get(finding.clause) ?? []), finding]);
  }
  return [...groups.values()];
}

/**
 * Findings numbered like their pins on the board, those of one rule together.
 * @param {Finding[]} given
 * @param {{numbered?: boolean, stop?: [number, number] | null, onmore?: (open: boolean) => void}} [how]
 *     stop: as of `grouped`; onmore: the rest was unfolded
 */
export function findingList(given, how = {}) {
  const groups = grouped(given, how.stop);
  const numbered = how.numbered ?? true;
  const item = (/** @type {Finding[]} */ [first, ...alike], /** @type {number} */ index) =>
    h(
      "li",
      {},
      numbered && h("span", { class: "pin-number", "aria-hidden": "true" }, index + 1),
      h(
        "div",
        {},
        ...sentence(first),
        alike.length > 0 &&
          h(
            "details",
            { class: "more-findings" },
            h("summary", {}, `${alike.length} more like it`),
            alike.map((one) => h("p", {}, ...sentence(one))),
          ),
      ),
    );
  const name = `findings${numbered ? " numbered" : ""}`;
  const first = h("ol", { class: name }, groups.slice(0, SHOWN).map(item));
  const rest = groups.slice(SHOWN);
  if (!rest.length) return first;
  return h(
    "div",
    {},
    first,
    h(
      "details",
      {
        class: "more-findings",
        ontoggle: (/** @type {Event} */ event) =>
          how.onmore?.(/** @type {HTMLDetailsElement} */ (event.target).open),
      },
      h("summary", {}, `${rest.length} more ${rest.length === 1 ? "reason" : "reasons"}`),
      h("ol", { class: name, start: SHOWN + 1 }, rest.map((group, n) => item(group, n + SHOWN))),
    ),
  );
}

/** @param {number} degrees @returns {string} */
export function angle(degrees) {
  return `${figure(degrees, 1)}°`;
}

/** A chance, never as 0 or 100 if it only comes near. @param {number} chance @returns {string} */
export function percent(chance) {
  const share = figure(100 * chance, 1);
  if (chance > 0 && Number(share) === 0) return "under 0.1 %";
  return chance < 1 && Number(share) === 100 ? "over 99.9 %" : `${share} %`;
}

/** Names as a sentence tells them: "A, B and C", or "A, B and 3 more". @param {string[]} all @param {number} [most] */
export function listed(all, most = Infinity) {
  const names = all.length > most ? [...all.slice(0, most), `${all.length - most} more`] : all;
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
}

/**
 * What a move costs, of what it may: "3.25 of 6 in"; nothing where nobody goes anywhere.
 * @param {import("../lib/documents.js").Verdict} verdict
 * @param {number | null} allowance where the verdict does not say
 * @param {import("../lib/units.js").Units} units
 */
export function costWords(verdict, allowance, units) {
  const most = verdict.allowance ?? allowance;
  const going = verdict.moved.length > 0 || verdict.wanted.length > 0;
  if (!going || (!verdict.ledger.length && !verdict.cost)) return "";
  return most === null
    ? units.say(verdict.cost)
    : `${units.figure(verdict.cost)} of ${units.say(most)}`;
}

/**
 * Words on the legs of ways: where several bodies go, those of the longest way alone.
 * @param {import("../lib/documents.js").Trace[]} traces
 * @param {import("../lib/units.js").Units} units
 * @returns {(stretch: import("../lib/documents.js").Stretch, n: number, trace: import("../lib/documents.js").Trace) => string}
 */
export function legWords(traces, units) {
  const long = (/** @type {import("../lib/documents.js").Trace} */ trace) =>
    trace.stretches.reduce((sum, stretch) => sum + stretch.length, 0);
  const most = Math.max(0, ...traces.map(long));
  const longest = traces.find((trace) => long(trace) >= most - 1e-9);
  return (stretch, _n, trace) => {
    if (trace.body !== longest?.body || stretch.length < 1e-6) return "";
    const words = units.say(stretch.length);
    const { cost } = stretch;
    if (typeof cost !== "number" || Math.abs(cost - stretch.length) < 5e-3) return words;
    return `${words}, costs ${units.figure(cost)}`;
  };
}
