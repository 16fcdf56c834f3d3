// @ts-check
// The panel of the action in hand: what is still to be given, what it costs, what forbids it, and how to end it.

import { fill, h } from "../lib/dom.js";
import { AmountFill, PathFill } from "./fillers.js";
import { keepingFocus, reveal } from "./focus.js";
import { extraField } from "./extras.js";
import { amount, candidates, heights, idle, manners, stands, titled } from "./given.js";
import { oddsList } from "./odds.js";
import { DRAGGED } from "./draft.js";
import { PickFill } from "./picking.js";
import { cased, costWords, findingList, spoken, told } from "./words.js";
import { clauseLink, clauseOf } from "./clause.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./draft.js").Draft} Draft */

/** What a stranger reads about each gesture. */
const HOW = /** @type {Record<string, string>} */ ({
  path: "Drag the figure: it finds its way round, Shift keeps it straight. Click for a way-point; Enter does it.",
  pose: "Drag it to where it should stand, turn with [ and ] or the round handle, Enter does it.",
  place: "Click the place on the board.",
  turn: "Drag the round handle, or press [ and ].",
  distance: "Drag it straight ahead, or press the arrow keys.",
  stands: "Drag each stand in the order in which they should move.",
  pick: "Pick one of those ringed on the board, or from this list.",
  pick_many: "Pick in order; the first one counts as first.",
  press: "Nothing has happened yet: Enter does it.",
});

/** The same where there is little room, of what cannot be guessed there. */
const BRIEF = /** @type {Record<string, string>} */ ({
  path: "Drag the figure, or tap where it goes.",
  pose: "Drag it, or tap where it goes; the round handle turns it.",
  place: "Tap the place on the board.",
  turn: "Drag the round handle.",
  distance: "Drag it straight ahead.",
  stands: "Drag each stand, in the order in which they move.",
});

/** Milliseconds a hand rests before the odds are asked for. */
const REST = 350;
/** Most targets that are judged beforehand. */
const PROBED = 24;

/** Draws the draft into its host; the host is hidden while nothing is in hand. */
export class Order {
  /** @param {Table} table @param {HTMLElement} host */
  constructor(table, host) {
    this.table = table;
    this.host = host;
    this.slow = 0;
    this.soon = 0;
    /** Whether all findings are unfolded. */
    this.more = false;
    /** Whether the rules behind what is legal are unfolded. */
    this.why = false;
    const { hand, state, units } = table;
    this.parts = {
      head: h("div", { class: "order-head" }),
      given: h("div", { class: "order-given" }),
      verdict: h("div", { class: "order-verdict" }),
      ends: h("div", { class: "order-ends" }),
    };
    hand.addEventListener("draft", () => this.begin());
    hand.addEventListener("change", () => this.changed());
    hand.addEventListener("verdict", () => this.judged());
    hand.addEventListener("refused", (event) => {
      this.refused(/** @type {CustomEvent} */ (event).detail.verdict);
    });
    state.addEventListener("change", () => this.clearRefused());
    units.addEventListener("change", () => {
      this.given();
      this.judged();
    });
    table.host.addEventListener("storey", () => this.given());
  }

  /** @returns {Draft | null} */
  get draft() {
    return this.table.hand.draft;
  }

  begin() {
    const draft = this.draft;
    clearTimeout(this.soon);
    this.host.hidden = draft === null;
    this.host.classList.remove("begun");
    if (!draft) return;
    const { control } = draft;
    const { log, state } = this.table;
    const { from = 0, steps = 0, says = "" } = log.opened ?? {};
    // What a drag comes to is read before what else may be given with it.
    const { head, given, verdict, ends } = this.parts;
    fill(this.host, head, DRAGGED.has(control.gesture) ? [verdict, given] : [given, verdict], ends);
    fill(
      this.parts.head,
      h("h2", { id: "order-title" }, told(control.label), control.clause && [" ", clauseLink(control.clause)]),
      says && state.log.length === from + steps && h("p", { class: "quiet opened" }, says),
      control.says && h("p", {}, cased(told(control.says))),
      h("p", { class: "quiet how" }, HOW[control.gesture] ?? ""),
      control.gesture in BRIEF && h("p", { class: "quiet how brief" }, BRIEF[control.gesture]),
    );
    this.given();
    this.judged();
    this.probe(draft);
    const narrow = matchMedia("(max-width: 760px)").matches;
    requestAnimationFrame(() => reveal(this.host, narrow ? "start" : "nearest"));
  }

  /** Judge what each target would give, so that those out of question are seen at once. @param {Draft} draft */
  async probe(draft) {
    if (!(draft.fill instanceof PickFill) || draft.fill.many) return;
    const list = draft.control.candidates ?? [];
    if (list.length < 2 || list.length > PROBED) return;
    const { state, show } = this.table;
    for (const id of list) {
      if (this.table.hand.sending) return;
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
    // What does it is off until the verdict is in: Enter is heard here meanwhile, not by the button pressed before.
    // Nor is it in a field that may be left as it is, where Enter would do nothing.
    const field = draft.control.gesture === "press" ? null : this.parts.given.querySelector("button, input, select");
    const first = field ?? this.parts.ends.querySelector("button.primary:enabled");
    (first instanceof HTMLElement ? first : this.host).focus({ preventScroll: true });
  }

  changed() {
    if (!this.draft) return;
    // What is sent is not asked about any more: the match may be past it at any moment.
    clearTimeout(this.soon);
    this.given();
    this.ends();
    // Who has picked a target is to say what became of it, which lay below the buttons in a low panel.
    const more = this.parts.given.querySelector(".extras:not(:empty)");
    if (more instanceof HTMLElement && this.draft.fill instanceof PickFill) reveal(more, "nearest", this.parts.ends.offsetHeight);
    this.host.classList.toggle("begun", this.draft.begun);
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
    if (!draft || this.typing(draft)) return;
    keepingFocus(this.parts.given, () => {
      fill(
        this.parts.given,
        manners(this.table, draft),
        heights(this.table, draft),
        amount(this.table, draft),
        candidates(this.table, draft),
        stands(this.table, draft),
        idle(this.table, draft),
        h("div", { class: "extras" }, (draft.control.extras ?? []).map((extra) => extraField(draft, extra))),
      );
    });
  }

  /** Whether the field that is being written in says what is in hand already. @param {Draft} draft */
  typing({ fill: filler }) {
    const field = document.activeElement;
    if (!(field instanceof HTMLInputElement) || field.dataset.keep !== "amount") return false;
    if (!(filler instanceof AmountFill) || !this.parts.given.contains(field)) return false;
    const shown = filler.what === "turn" ? filler.amount : this.table.units.in(filler.amount);
    return Math.abs(field.valueAsNumber - shown) < 1e-4;
  }

  judged() {
    const draft = this.draft;
    if (!draft) return;
    clearTimeout(this.slow);
    this.more = false;
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
    this.foretell(draft);
  }

  /** What the dice of a legal action lead to, when the hand rests. @param {Draft} draft */
  foretell(draft) {
    clearTimeout(this.soon);
    const { verdict } = draft;
    if (!verdict?.odds || draft.answers || draft.late) return;
    const { action } = draft;
    const place = h("div", { class: "odds", role: "status" });
    this.parts.verdict.querySelector(".ruling")?.before(place);
    const rest = this.table.odds.has(action) ? 0 : REST;
    this.soon = window.setTimeout(() => this.ask(action, place), rest);
  }

  /** @param {Record<string, any>} action @param {HTMLElement} place */
  async ask(action, place) {
    const waiting = setTimeout(() => fill(place, h("p", { class: "quiet working" }, "Working out the odds …")));
    const odds = await this.table.odds.of(action);
    clearTimeout(waiting);
    if (odds) fill(place, ...oddsList(odds));
    else place.remove();
  }

  /**
   * @param {import("../lib/documents.js").Verdict} verdict
   * @param {Draft | null} draft
   * @returns {(HTMLElement | null | false)[]}
   */
  said(verdict, draft) {
    const { drag, units } = this.table;
    // What stops the move in hand is not what is about to be done.
    if (drag.letting) return [h("p", { class: "ruling" }, h("b", {}, drag.letting))];
    const sum = costWords(verdict, draft?.control.allowance ?? null, units);
    const words = { LEGAL: "Legal", STOPPED: "Stopped on the way", ILLEGAL: "Not allowed", CHOICE: "Legal", FORCED: "Forced" };
    return [
      h(
        "p",
        { class: `ruling ruling-${verdict.kind.toLowerCase()}` },
        h("b", {}, words[verdict.kind]),
        sum && h("span", { class: "cost" }, ` ${sum}`),
        verdict.question && h("span", {}, `${sum ? " · " : " "}then: ${told(verdict.question.purpose)}`),
      ),
      (verdict.shares ?? []).length > 0 && this.shares(verdict.shares ?? []),
      verdict.findings.length > 0 && findingList(verdict.findings, { stop: draft?.stop, onmore: (open) => this.unfold(open) }),
      !verdict.legal && verdict.nearest && h("p", { class: "nearest" }, told(verdict.nearest.text)),
      verdict.ledger.length > 0 && this.ledger(verdict.ledger),
      verdict.legal && this.reasons(verdict),
    ];
  }

  /** Why it is legal: the rules that bore on it, and what each says. @param {import("../lib/documents.js").Verdict} verdict */
  reasons(verdict) {
    const broken = new Set(verdict.findings.map((finding) => finding.clause));
    const bore = (verdict.cites ?? []).filter((id) => !broken.has(id));
    if (!bore.length) return null;
    const list = h("ul", {});
    const rules = h(
      "details",
      {
        class: "why",
        open: this.why,
        ontoggle: () => {
          this.why = rules.open;
          if (rules.open && !list.childElementCount) fill(list, ...bore.map(reason));
        },
      },
      h("summary", {}, bore.length === 1 ? "By one rule" : `By ${bore.length} rules`),
      list,
    );
    if (this.why) fill(list, ...bore.map(reason));
    return rules;
  }

  /** What each of several units pays. @param {import("../lib/documents.js").Share[]} shares */
  shares(shares) {
    const { units } = this.table;
    return h(
      "ul",
      { class: "shares", "aria-label": "What each unit pays" },
      shares.map(({ name, cost, allowance }) => {
        const left = typeof allowance === "number" ? ` of ${units.say(allowance)}` : ` ${units.shown}`;
        return h("li", {}, h("span", {}, told(name)), h("span", { class: "cost" }, `${units.figure(cost)}${left}`));
      }),
    );
  }

  /** The pins of findings go with their sentences. @param {boolean} open */
  unfold(open) {
    this.more = open;
    this.table.show.draw();
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
            h("th", { scope: "row" }, told(line.what)),
            h("td", {}, line.distance > 1e-9 ? units.say(line.distance) : ""),
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
    const { hand } = this.table;
    const verdict = draft.complete ? draft.verdict : null;
    const nearest = verdict ? draft.nearest : null;
    const can = Boolean(verdict && (verdict.legal || nearest)) && !hand.sending;
    const label = draft.stays
      ? "Stay where it is"
      : nearest
      ? "Take the nearest legal move"
      : verdict?.question
        ? `${told(draft.control.label)}, then ${verdict.question.form === "roll" ? "roll" : "choose"}`
        : titled(this.table.state, draft.control);
    const path = draft.fill instanceof PathFill;
    keepingFocus(this.parts.ends, () => {
      fill(
        this.parts.ends,
        h(
          "button",
          {
            type: "button",
            class: draft.stays ? null : "primary",
            disabled: !can,
            dataset: { keep: "confirm" },
            onclick: () => hand.confirm(),
          },
          label,
          h("kbd", { class: "enter", "aria-hidden": "true" }, "Enter"),
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

/** A rule with what it says. @param {string} id */
function reason(id) {
  const says = h("span", {});
  clauseOf(id).then((clause) => fill(says, told(clause.says)), () => fill(says, "Its text cannot be read now."));
  return h("li", {}, clauseLink(id), " ", says);
}
