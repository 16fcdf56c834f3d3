// @ts-check
// The open question as a card beside the board: dice to roll or type in, choices, numbers, paths to drag.

import { fill, h, svg } from "../lib/dom.js";
import { clauseLink } from "./clause.js";
import { keepingFocus } from "./focus.js";
import { cased, findingList, spoken, told } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../lib/documents.js").Question} Question */

/** Where the pips of a face are, in a square of 10. */
const PIPS = /** @type {Record<number, [number, number][]>} */ ({
  1: [[5, 5]],
  2: [[3, 3], [7, 7]],
  3: [[2.6, 2.6], [5, 5], [7.4, 7.4]],
  4: [[3, 3], [3, 7], [7, 3], [7, 7]],
  5: [[2.7, 2.7], [2.7, 7.3], [7.3, 2.7], [7.3, 7.3], [5, 5]],
  6: [[3, 2.5], [3, 5], [3, 7.5], [7, 2.5], [7, 5], [7, 7.5]],
});

/** A die as it lies. @param {number} face @param {number} sides */
export function die(face, sides) {
  const pips = sides === 6 ? PIPS[face] : undefined;
  return svg(
    "svg",
    { class: "die", viewBox: "0 0 10 10", role: "img", "aria-label": String(face) },
    svg("rect", { x: 0.4, y: 0.4, width: 9.2, height: 9.2, rx: 2 }),
    pips
      ? pips.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 0.9 }))
      : svg("text", { x: 5, y: 6.8, text: String(face) }),
  );
}

/** How long a roll may wait for the shares of the sides until it is shown, milliseconds. */
const LATE = 5000;

export class Card {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    /** Faces typed so far. @type {(number | null)[]} */
    this.faces = [];
    this.asked = "";
    /** The version whose roll has waited for the sides so long that it is shown. */
    this.late = -1;
    const { state, hand } = table;
    state.addEventListener("change", () => {
      this.draw();
      this.#wait();
    });
    state.addEventListener("done", (event) => {
      const { done } = /** @type {CustomEvent} */ (event).detail;
      if (!done.written && state.now.question && done.verdict) this.refused(done.verdict);
    });
    hand.addEventListener("draft", () => this.draw());
  }

  /** What is to be answered; no roll for which pages give their shares by themselves. @returns {Question | null} */
  get question() {
    const { state } = this.table;
    return state.bound && this.late !== state.version ? null : (state.match?.question ?? null);
  }

  /** A roll that still waits after a while can be asked for by hand. */
  #wait() {
    const { bound, version } = this.table.state;
    if (!bound) return;
    setTimeout(() => {
      this.late = version;
      this.draw();
    }, LATE);
  }

  draw() {
    const question = this.question;
    const { state, hand } = this.table;
    this.host.hidden = question === null || Boolean(this.table.replay?.looking);
    if (!question) {
      this.asked = "";
      return;
    }
    const mine = state.speaks(question.by);
    const key = JSON.stringify([state.version, question.purpose, question.by]);
    const fresh = key !== this.asked;
    if (fresh) {
      this.asked = key;
      this.faces = Array(question.count).fill(null);
    }
    const who = state.party(question.by)?.name ?? question.by;
    const purpose = told(question.purpose);
    const about = question.about ? state.name(question.about) : "";
    keepingFocus(this.host, () => {
      fill(
        this.host,
        h("p", { class: "card-who" }, mine ? `${who}: your answer` : `${who} must answer`),
        h("h2", {}, cased(purpose), question.clause && [" ", clauseLink(question.clause)]),
        !purpose.includes(about) && h("p", { class: "quiet" }, `About ${about}.`),
        question.needs && h("p", { class: "card-needs" }, `Needs ${question.needs}`),
        (question.notes ?? []).map((note) => h("p", { class: "quiet" }, told(note))),
        mine ? this.ways(question) : h("p", { class: "quiet working" }, "Waiting."),
        h("div", { class: "card-said" }),
      );
    });
    if (!fresh) return;
    this.table.say(mine ? `${purpose}. Your answer.` : `${who} must answer: ${purpose}.`, "assertive");
    const body = question.body ?? question.about;
    if (body && state.figure(body)) this.table.board.reveal(body);
    if (mine && question.form === "path" && !hand.draft) hand.answerWith(question);
    if (mine && !matchMedia("(pointer: coarse)").matches) this.#focus();
  }

  #focus() {
    const active = document.activeElement;
    if (active && active !== document.body && !this.table.board.frame.contains(active)) return;
    this.first?.focus({ preventScroll: true });
  }

  /** Where the keyboard begins to answer; null where nothing is asked here. @returns {HTMLElement | null} */
  get first() {
    return this.host.hidden ? null : this.host.querySelector("button.primary, input, button:not(.clause)");
  }

  /** @param {Question} question @returns {(HTMLElement | null)[]} */
  ways(question) {
    switch (question.form) {
      case "roll":
        return this.roll(question);
      case "one":
        return [this.one(question)];
      case "number":
        return [this.number(question)];
      default:
        return [this.path(question)];
    }
  }

  /** @param {Question} question */
  roll(question) {
    const { state } = this.table;
    const typed = state.now.dice === "typed";
    const dice = `${question.count === 1 ? "the die" : `${question.count} dice`}`;
    const roll = h(
      "button",
      {
        type: "button",
        class: typed ? "" : "primary",
        dataset: { keep: "roll" },
        onclick: () => this.send({ roll: true }),
      },
      `Roll ${dice}`,
    );
    const fields = h(
      "fieldset",
      { class: "faces" },
      h("legend", {}, typed ? "What your dice show" : "Or type in what your dice show"),
      question.count > 1 && question.sides <= 9 && this.#handful(question),
      this.faces.map((face, n) => this.#face(question, n, face)),
      h(
        "button",
        {
          type: "button",
          class: typed ? "primary" : "",
          disabled: this.faces.includes(null),
          dataset: { keep: "faces" },
          onclick: () => this.send({ faces: this.faces.map(Number) }),
        },
        "Take these",
      ),
    );
    return typed ? [fields, roll] : [roll, fields];
  }

  /** A handful at once: "45623". @param {Question} question */
  #handful(question) {
    return h("input", {
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      maxlength: question.count,
      placeholder: "all at once, such as " + "45623".repeat(5).slice(0, Math.min(question.count, 20)),
      value: this.faces.includes(null) ? "" : this.faces.join(""),
      "aria-label": "All dice, one digit each",
      dataset: { keep: "handful" },
      oninput: (/** @type {Event} */ event) => {
        const digits = [.../** @type {HTMLInputElement} */ (event.target).value].map(Number);
        const fits = digits.length === question.count && digits.every((face) => face >= 1 && face <= question.sides);
        if (!fits) return;
        this.faces = digits;
        this.draw();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" && !this.faces.includes(null)) this.send({ faces: this.faces.map(Number) });
      },
    });
  }

  /** @param {Question} question @param {number} n @param {number | null} face */
  #face(question, n, face) {
    const name = question.count > 1 ? `Die ${n + 1}` : "The die";
    if (question.sides > 10 || question.count > 6) {
      return h("input", {
        type: "number",
        min: 1,
        max: question.sides,
        value: face === null ? "" : String(face),
        "aria-label": name,
        inputmode: "numeric",
        dataset: { keep: `face-${n}` },
        oninput: (/** @type {Event} */ event) => {
          const value = /** @type {HTMLInputElement} */ (event.target).valueAsNumber;
          const fits = Number.isInteger(value) && value >= 1 && value <= question.sides;
          this.faces[n] = fits ? value : null;
          const take = this.host.querySelector('[data-keep="faces"]');
          if (take instanceof HTMLButtonElement) take.disabled = this.faces.includes(null);
        },
      });
    }
    return h(
      "div",
      { class: "face-row", role: "radiogroup", "aria-label": name },
      Array.from({ length: question.sides }, (_, k) => k + 1).map((value) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            class: "face",
            "aria-checked": String(face === value),
            "aria-label": String(value),
            dataset: { keep: `face-${n}-${value}` },
            onclick: () => {
              this.faces[n] = value;
              this.draw();
            },
          },
          die(value, question.sides),
        ),
      ),
    );
  }

  /** @param {Question} question */
  one(question) {
    return h(
      "div",
      { class: "choices" },
      question.options.map((option, n) =>
        h(
          "button",
          {
            type: "button",
            class: JSON.stringify(option.value) === JSON.stringify(question.default) ? "primary" : "",
            dataset: { keep: `option-${n}` },
            onclick: () => this.send({ value: option.value }),
          },
          h("span", {}, told(option.text)),
        ),
      ),
    );
  }

  /** @param {Question} question */
  number(question) {
    const input = h("input", {
      type: "number",
      min: question.low,
      max: question.high,
      step: question.whole ? 1 : "any",
      value: String(question.default ?? question.low),
      "aria-label": question.purpose,
      dataset: { keep: "number" },
    });
    const send = () => {
      if (Number.isFinite(input.valueAsNumber)) this.send({ value: input.valueAsNumber });
    };
    input.addEventListener("keydown", (event) => event.key === "Enter" && send());
    return h(
      "p",
      { class: "field" },
      input,
      h("span", { class: "quiet" }, ` ${question.low} to ${question.high}`),
      h("button", { type: "button", class: "primary", onclick: send }, "Answer"),
    );
  }

  /** @param {Question} question */
  path(question) {
    const { hand, state } = this.table;
    const dragging = hand.draft?.answers;
    return h(
      "div",
      { class: "choices" },
      dragging
        ? h("p", { class: "quiet" }, `Drag ${state.name(question.body ?? "")} on the board, then confirm below.`)
        : h(
            "button",
            { type: "button", class: "primary", onclick: () => hand.answerWith(question) },
            "Show the way on the board",
          ),
      h(
        "button",
        {
          type: "button",
          dataset: { keep: "stay" },
          onclick: () => this.send({ value: question.default ?? [] }),
        },
        Array.isArray(question.default) && question.default.length ? "Go as proposed" : "Stay where it is",
      ),
    );
  }

  /** A path in hand was put down: the question still stands. */
  again() {
    this.draw();
  }

  /** @param {{faces?: number[], roll?: boolean, value?: unknown}} answer */
  async send(answer) {
    for (const button of this.host.querySelectorAll("button")) button.disabled = true;
    const done = await this.table.state.answer(answer);
    if (!done || !done.written) this.draw();
  }

  /** @param {import("../lib/documents.js").Verdict} verdict */
  refused(verdict) {
    this.draw();
    const place = this.host.querySelector(".card-said");
    if (place) fill(place, h("p", {}, h("b", {}, "Not allowed")), findingList(verdict.findings));
    this.table.show.pins(verdict.findings);
    this.table.say(verdict.findings.map(spoken).join(" "), "assertive");
  }
}
