// @ts-check
// The panel of the action in hand: what is still to be given, what it costs, what forbids it, and how to end it.

import { fill, h } from "../lib/dom.js";
import { AmountFill, PathFill } from "./fillers.js";
import { keepingFocus } from "./focus.js";
import { extraField } from "./extras.js";
import { PickFill, StandsFill } from "./picking.js";
import { angle, costWords, findingList, percent, spoken } from "./words.js";
import { clauseLink } from "./clause.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./draft.js").Draft} Draft */

/** What a stranger reads about each gesture. */
const HOW = /** @type {Record<string, string>} */ ({
  path: "Drag the figure. Click for a way-point, turn with [ and ], Enter does it.",
  pose: "Drag it to where it should stand, turn with [ and ] or the round handle, Enter does it.",
  place: "Click the place on the board.",
  turn: "Drag the round handle, or press [ and ].",
  distance: "Drag it straight ahead, or press the arrow keys.",
  stands: "Drag each stand in the order in which they should move.",
  pick: "Pick one of those ringed on the board, or from this list.",
  pick_many: "Pick in order; the first one counts as first.",
  press: "Set what applies, then confirm.",
});

/** Most targets that are judged beforehand. */
const PROBED = 24;

/** Draws the draft into its host; the host is hidden while nothing is in hand. */
export class Order {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    this.slow = 0;
    const { hand, state, units } = table;
    this.parts = {
      head: h("div", { class: "order-head" }),
      given: h("div", { class: "order-given" }),
      verdict: h("div", { class: "order-verdict" }),
      ends: h("div", { class: "order-ends" }),
    };
    fill(host, this.parts.head, this.parts.given, this.parts.verdict, this.parts.ends);
    hand.addEventListener("draft", () => this.begin());
    hand.addEventListener("change", () => this.changed());
    hand.addEventListener("verdict", () => this.judged());
    hand.addEventListener("refused", (event) => {
      this.refused(/** @type {CustomEvent} */ (event).detail.verdict);
    });
    state.addEventListener("change", () => this.clearRefused());
    units.addEventListener("change", () => this.changed());
    table.host.addEventListener("storey", () => this.given());
  }

  /** @returns {Draft | null} */
  get draft() {
    return this.table.hand.draft;
  }

  begin() {
    const draft = this.draft;
    this.host.hidden = draft === null;
    if (!draft) return;
    const { control } = draft;
    fill(
      this.parts.head,
      h("h2", { id: "order-title" }, control.label, control.clause && [" ", clauseLink(control.clause)]),
      control.says && h("p", {}, control.says),
      h("p", { class: "quiet how" }, HOW[control.gesture] ?? ""),
    );
    this.given();
    this.judged();
    this.probe(draft);
  }

  /** Judge what each target would give, so that those out of question are seen at once. @param {Draft} draft */
  async probe(draft) {
    if (!(draft.fill instanceof PickFill) || draft.fill.many) return;
    const list = draft.control.candidates ?? [];
    if (list.length < 2 || list.length > PROBED) return;
    const { state, show } = this.table;
    for (const id of list) {
      const action = { ...draft.action, [draft.control.slot]: id };
      const verdict = await state.api.post("judge", { action }).catch(() => null);
      if (this.draft !== draft) return;
      if (verdict && !verdict.legal) draft.barred.add(id);
    }
    if (!draft.barred.size) return;
    this.given();
    show.chosen();
  }

  /** The keyboard goes where the rest of the action is given: the board, or the first field. */
  focus() {
    const draft = this.draft;
    if (!draft) return;
    if (this.table.hand.dragging) {
      this.table.board.focus();
      return;
    }
    const first = this.parts.given.querySelector("button, input, select") ?? this.parts.ends.querySelector("button");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  changed() {
    if (!this.draft) return;
    this.given();
    this.ends();
    clearTimeout(this.slow);
    this.slow = window.setTimeout(() => this.host.classList.toggle("working", this.waiting), 200);
  }

  get waiting() {
    const draft = this.draft;
    return Boolean(draft && draft.complete && (draft.late || (!draft.verdict && !draft.fault)));
  }

  /** What the player has filled in, and the fields for what a hand on the board does not give. */
  given() {
    const draft = this.draft;
    if (!draft) return;
    keepingFocus(this.parts.given, () => {
      fill(
        this.parts.given,
        this.manners(draft),
        this.heights(draft),
        this.amount(draft),
        this.candidates(draft),
        this.stands(draft),
        (draft.control.extras ?? []).map((extra) => extraField(draft, extra)),
      );
    });
  }

  /** @param {Draft} draft */
  manners(draft) {
    const { fill: filler, control } = draft;
    const list = control.manners ?? [];
    const walks = filler instanceof PathFill || filler instanceof StandsFill;
    if (!walks || list.length < 2) return null;
    const now = filler.how || list[0].how;
    return h(
      "div",
      { class: "switch", role: "radiogroup", "aria-label": "How the next leg is gone" },
      list.map((manner) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            "aria-checked": String(manner.how === now),
            dataset: { keep: `manner-${manner.how}` },
            onclick: () => {
              filler.manner(manner.how === list[0].how ? "" : manner.how);
              if (draft.begun) draft.changed();
              else this.given();
            },
          },
          manner.label,
        ),
      ),
    );
  }

  /** @param {Draft} draft */
  heights(draft) {
    const filler = draft.fill;
    if (!(filler instanceof PathFill)) return null;
    const { units } = this.table;
    const at = filler.loose?.to ?? [filler.base.x, filler.base.y];
    const list = this.table.drag.heightsAt(at[0], at[1], filler.base.z);
    if (list.length < 2) return null;
    const now = filler.height;
    const pick = h(
      "select",
      {
        dataset: { keep: "height" },
        onchange: (/** @type {Event} */ event) => {
          const value = /** @type {HTMLSelectElement} */ (event.target).value;
          filler.level(value === "" ? null : Number(value));
          this.table.drag.chosenHeight = value !== "";
          if (draft.begun) draft.changed();
        },
      },
      h("option", { value: "" }, `as it stands (${units.say(filler.base.z)})`),
      list.map((z) =>
        h("option", { value: String(z), selected: now !== null && Math.abs(now - z) < 1e-6 }, units.say(z)),
      ),
    );
    return h("label", { class: "field" }, "This leg ends at height ", pick);
  }

  /** @param {Draft} draft */
  amount(draft) {
    const filler = draft.fill;
    if (!(filler instanceof AmountFill)) return null;
    const { units } = this.table;
    const turning = filler.what === "turn";
    const shown = turning ? filler.amount : units.in(filler.amount);
    const input = h("input", {
      type: "number",
      step: turning ? 1 : 0.1,
      value: String(Math.round(shown * 1e4) / 1e4),
      inputmode: "decimal",
      dataset: { keep: "amount" },
      onchange: (/** @type {Event} */ event) => {
        const value = /** @type {HTMLInputElement} */ (event.target).valueAsNumber;
        if (!Number.isFinite(value)) return;
        filler.set(turning ? value : units.from(value));
        draft.changed();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        const field = /** @type {HTMLInputElement} */ (event.target);
        if (Number.isFinite(field.valueAsNumber)) {
          filler.set(turning ? field.valueAsNumber : units.from(field.valueAsNumber));
          draft.changed();
        }
        this.table.hand.confirm();
      },
    });
    const bounds = Number.isFinite(filler.high)
      ? turning
        ? ` from ${angle(filler.low)} to ${angle(filler.high)}`
        : ` of ${units.say(filler.high)}`
      : "";
    const name = turning ? "Turn by (degrees, left is positive)" : `Straight ahead (${units.shown})`;
    return h("label", { class: "field" }, name, input, h("span", { class: "quiet" }, bounds));
  }

  /** @param {Draft} draft */
  candidates(draft) {
    const filler = draft.fill;
    if (!(filler instanceof PickFill)) return null;
    const { state } = this.table;
    const all = draft.control.candidates ?? [];
    const list = all.filter((id) => !draft.barred.has(id));
    const own = state.figure(draft.body) ?? state.group(draft.control.action.actor);
    const single = draft.control.gesture === "pick";
    const others = single ? [...draft.barred, ...this.others(draft, all, own?.side)] : [];
    const button = (/** @type {string} */ id) =>
      h(
        "button",
        {
          type: "button",
          class: "candidate",
          "aria-pressed": String(filler.picked.includes(id)),
          dataset: { keep: `pick-${id}` },
          onclick: () => {
            filler.pick(id);
            draft.changed();
          },
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            // Enter on what is picked already confirms it; Space still lets it go.
            if (event.key !== "Enter" || !filler.picked.includes(id)) return;
            event.preventDefault();
            this.table.hand.confirm(true);
          },
          onpointerenter: () => this.table.show.point(id),
          onpointerleave: () => this.table.show.point(null),
        },
        filler.many && filler.picked.includes(id) && `${filler.picked.indexOf(id) + 1}. `,
        state.name(id),
      );
    return h(
      "div",
      { class: "candidates" },
      list.length ? list.map(button) : h("p", { class: "quiet" }, "Nobody can be picked."),
      others.length > 0 &&
        h("details", {}, h("summary", {}, "Why not another?"), h("div", {}, others.map(button))),
    );
  }

  /**
   * @param {Draft} draft
   * @param {string[]} list
   * @param {string | undefined} side
   */
  others(draft, list, side) {
    const { groups, figures } = this.table.state.board;
    const grouped = new Set(groups.flatMap((group) => group.members));
    const all = [...groups, ...figures.filter((figure) => !grouped.has(figure.id))];
    const sides = new Set(list.map((id) => all.find((one) => one.id === id)?.side));
    return all
      .filter((one) => !list.includes(one.id) && one.id !== draft.control.action.actor)
      .filter((one) => (sides.size && list.length ? sides.has(one.side) : one.side !== side))
      .map((one) => one.id);
  }

  /** @param {Draft} draft */
  stands(draft) {
    const filler = draft.fill;
    if (!(filler instanceof StandsFill)) return null;
    const { state } = this.table;
    return h(
      "ol",
      { class: "stands" },
      [...filler.ways.keys()].map((id) => {
        const place = filler.order.indexOf(id);
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(filler.current === id),
              dataset: { keep: `stand-${id}` },
              onclick: () => {
                filler.hold(id);
                this.given();
                this.table.show.draw();
              },
            },
            place >= 0 ? `${place + 1}. ` : "",
            state.name(id),
            place < 0 && h("span", { class: "quiet" }, " stays"),
          ),
        );
      }),
    );
  }

  judged() {
    const draft = this.draft;
    if (!draft) return;
    clearTimeout(this.slow);
    this.host.classList.remove("working");
    const verdict = draft.verdict;
    if (draft.fault && !verdict) {
      fill(this.parts.verdict, h("p", { class: "trouble" }, draft.fault));
    } else if (!verdict || !draft.complete) {
      fill(this.parts.verdict);
    } else {
      fill(this.parts.verdict, ...this.said(verdict, draft));
    }
    this.ends();
  }

  /**
   * @param {import("../lib/documents.js").Verdict} verdict
   * @param {Draft | null} draft
   * @returns {(HTMLElement | null | false)[]}
   */
  said(verdict, draft) {
    const { units } = this.table;
    const sum = costWords(verdict, draft?.control.allowance ?? null, units);
    const words = { LEGAL: "Legal", STOPPED: "Stopped on the way", ILLEGAL: "Not allowed", CHOICE: "Legal", FORCED: "Forced" };
    return [
      h(
        "p",
        { class: `ruling ruling-${verdict.kind.toLowerCase()}` },
        h("b", {}, words[verdict.kind]),
        sum && h("span", { class: "cost" }, ` ${sum}`),
        verdict.question && h("span", {}, ` · then: ${verdict.question.purpose}`),
      ),
      verdict.findings.length > 0 && findingList(verdict.findings),
      !verdict.legal && verdict.nearest && h("p", { class: "nearest" }, verdict.nearest.text),
      verdict.ledger.length > 0 && this.ledger(verdict.ledger),
    ];
  }

  /** @param {import("../lib/documents.js").LedgerLine[]} lines */
  ledger(lines) {
    const { units } = this.table;
    return h(
      "table",
      { class: "ledger" },
      h("caption", { class: "unseen" }, "What it costs"),
      h(
        "tbody",
        {},
        lines.map((line) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, line.what),
            h("td", {}, units.say(line.distance)),
            h("td", {}, Math.abs(line.cost - line.distance) > 1e-6 ? `costs ${units.figure(line.cost)}` : ""),
            h("td", {}, line.clause && clauseLink(line.clause)),
          ),
        ),
      ),
    );
  }

  /** Buttons that end it. */
  ends() {
    const draft = this.draft;
    if (!draft) return;
    const { hand, tools } = this.table;
    const verdict = draft.complete ? draft.verdict : null;
    const nearest = verdict ? draft.nearest : null;
    const can = Boolean(verdict && (verdict.legal || nearest)) && !hand.sending;
    const label = draft.stays
      ? "Stay where it is"
      : nearest
      ? "Take the nearest legal move"
      : verdict?.question
        ? `${draft.control.label}, then ${verdict.question.form === "roll" ? "roll" : "choose"}`
        : draft.control.label;
    const path = draft.fill instanceof PathFill;
    keepingFocus(this.parts.ends, () => {
      fill(
        this.parts.ends,
        h(
          "button",
          {
            type: "button",
            class: "primary",
            disabled: !can,
            dataset: { keep: "confirm" },
            onclick: () => hand.confirm(),
          },
          label,
          h("kbd", { "aria-hidden": "true" }, "Enter"),
        ),
        nearest &&
          (draft.fill instanceof PathFill || "pointTo" in draft.fill) &&
          h(
            "button",
            { type: "button", dataset: { keep: "adopt" }, onclick: () => hand.adopt() },
            "Go on from there",
          ),
        path &&
          draft.control.reach &&
          h(
            "button",
            { type: "button", dataset: { keep: "way" }, onclick: () => this.table.drag.findWay() },
            "Find the way",
            h("kbd", { "aria-hidden": "true" }, "W"),
          ),
        verdict &&
          verdict.legal &&
          verdict.question &&
          !draft.answers &&
          h(
            "button",
            { type: "button", dataset: { keep: "odds" }, onclick: () => this.odds(draft, tools) },
            "Odds",
          ),
        draft.begun &&
          h(
            "button",
            {
              type: "button",
              dataset: { keep: "back" },
              onclick: () => this.table.drag.back(),
            },
            "Back",
            h("kbd", { "aria-hidden": "true" }, "⌫"),
          ),
        h(
          "button",
          { type: "button", dataset: { keep: "cancel" }, onclick: () => this.table.drag.cancel() },
          "Cancel",
          h("kbd", { "aria-hidden": "true" }, "Esc"),
        ),
      );
    });
  }

  /** @param {Draft} draft @param {import("./tools.js").Tools} tools */
  async odds(draft, tools) {
    const odds = await tools.odds(draft.action);
    if (!odds || this.draft !== draft) return;
    this.parts.verdict.append(
      h(
        "ul",
        { class: "odds", role: "status" },
        odds.outcomes.map((outcome) =>
          h("li", {}, h("b", {}, percent(outcome.chance)), ` ${outcome.text}`),
        ),
        (odds.notes ?? []).map((note) => h("li", { class: "quiet" }, note)),
      ),
    );
  }

  /** An act was sent and refused. @param {import("../lib/documents.js").Verdict} verdict */
  refused(verdict) {
    this.table.say(verdict.findings.map(spoken).join(" ") || "Not allowed.", "assertive");
    if (this.draft) {
      fill(this.parts.verdict, ...this.said(verdict, this.draft));
      return;
    }
    const place = this.table.hosts.refused;
    place.hidden = false;
    fill(
      place,
      ...this.said(verdict, null),
      h("button", { type: "button", onclick: () => this.clearRefused() }, "All right"),
    );
    this.table.show.pins(verdict.findings);
  }

  clearRefused() {
    this.table.hosts.refused.hidden = true;
  }
}
