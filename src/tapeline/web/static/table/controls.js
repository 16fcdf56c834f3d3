// @ts-check
// The panel of what is selected: who it is, what it may still do, and a button for each control.

import { fill, h } from "../lib/dom.js";
import { keepingFocus, reveal } from "./focus.js";
import { titled } from "./given.js";
import { findingList, listed, sentence, told } from "./words.js";

/** @typedef {import("../lib/documents.js").Control} Control */
/** @typedef {import("./table.js").Table} Table */

const CAPTIONS = /** @type {const} */ ([
  ["act", ""],
  ["step", ""],
  ["attest", "Tell what happened on the real table"],
]);

/** So many barred controls stand beside the others; more of them fold away. */
const FEW = 3;

/** So many of those that fold away are named. */
const NAMED = 5;

/** The labels of controls, the first few of them. @param {Control[]} controls */
function named(controls) {
  return listed([...new Set(controls.map((control) => told(control.label)))], NAMED);
}

/** Draws into the hosts `#who`, `#controls` and `#steps`. */
export class Controls {
  /**
   * @param {Table} table
   * @param {{who: HTMLElement, controls: HTMLElement, steps: HTMLElement}} hosts
   */
  constructor(table, hosts) {
    this.table = table;
    this.hosts = hosts;
    const { state, selection, hand, units } = table;
    /** Id of the control whose reasons are shown. @type {string} */
    this.why = "";
    /** What the selected one may do, by the numbers of its buttons; a gap where a button is gone. @type {(Control | undefined)[]} */
    this.numbered = [];
    /** The same as they were last, and whose. @type {(Control | undefined)[]} */
    this.given = [];
    /** @type {string | null} */
    this.of = null;
    /** Whether the folded ones were unfolded. */
    this.all = false;
    const draw = () => this.draw();
    state.addEventListener("change", () => {
      this.why = "";
      this.steps();
    });
    selection.addEventListener("select", () => {
      draw();
      if (selection.id !== null) reveal(hosts.who);
    });
    selection.addEventListener("controls", draw);
    hand.addEventListener("draft", draw);
    hand.addEventListener("change", () => this.lock());
    units.addEventListener("change", () => {
      this.draw();
      this.steps();
    });
  }

  /** What leads the game on and is about no body. */
  steps() {
    const { state } = this.table;
    const { question, controls } = state.now;
    // What another side alone may do, such as to be ready, is on its page.
    const closed = Boolean(question ?? state.now.over) || (state.against && !state.mine && !state.board.over);
    const list = closed ? [] : controls.filter(({ action }) => typeof action.side !== "string" || state.moves(action.side));
    const { over } = state.board;
    const groups = this.groups(list);
    // Once the game is over nobody is asked to go on with it, nor with who is selected.
    const ontoggle = (/** @type {Event} */ event) => this.playOn(/** @type {HTMLDetailsElement} */ (event.target).open);
    const shown = over ? [h("details", { class: "play-on", open: state.playsOn, ontoggle }, h("summary", {}, "Play on all the same"), groups)] : groups;
    keepingFocus(this.hosts.steps, () => fill(this.hosts.steps, ...shown));
    this.hosts.steps.hidden = closed || (!over && !list.length);
    // The match may come before the answer to what was sent, until which a press would be lost.
    this.lock();
  }

  /** A game that is over is gone on with, or no longer. @param {boolean} on */
  playOn(on) {
    const { state, selection } = this.table;
    state.playsOn = on;
    selection.dispatchEvent(new CustomEvent("controls"));
  }

  /** The keyboard goes to what leads the game on: what can be done now, also with who is selected, or else says why not. */
  toSteps() {
    const { steps, controls } = this.hosts;
    const all = /** @type {HTMLElement[]} */ ([
      ...(steps.hidden ? [] : steps.querySelectorAll("summary, button.control")),
      ...controls.querySelectorAll(".controls-step button.control"),
    ]);
    const first = all.find((one) => !one.matches(".barred")) ?? all[0];
    if (!first) this.table.notice("Nothing leads the game on now but what the figures do.");
    else {
      first.focus({ preventScroll: true });
      reveal(first);
    }
  }

  draw() {
    const { selection, state } = this.table;
    const { who, controls } = this.hosts;
    const id = selection.id;
    if (this.of !== id) this.given = [];
    this.of = id;
    this.numbered = [];
    who.hidden = id === null;
    if (id === null) {
      const mine = state.match && state.mine && !state.now.question && !state.board.over;
      const words = "Pick a figure on the board, or from the list below it.";
      fill(controls, mine && h("p", { class: "quiet" }, words));
      return;
    }
    this.person(id);
    if (selection.loading && !selection.controls.length) {
      fill(controls, h("p", { class: "quiet working" }, "Asking what it may do …"));
      return;
    }
    if (selection.fault) {
      fill(controls, h("p", { class: "trouble" }, selection.fault));
      return;
    }
    if (state.now.over) {
      fill(controls, h("p", { class: "quiet" }, "The match is over: nothing is done with it any more."));
      return;
    }
    if (state.done) {
      fill(controls);
      return;
    }
    if (!selection.mine) {
      const words = h("p", { class: "quiet" }, "It is not yours to move.");
      keepingFocus(controls, () => fill(controls, words, this.others()));
      return;
    }
    this.#number();
    keepingFocus(controls, () => fill(controls, ...this.groups(selection.controls)));
    if (!selection.controls.length && !state.now.question) {
      fill(controls, h("p", { class: "quiet" }, "Nothing can be done with it now."));
    }
    this.lock();
  }

  /**
   * Number what may be done. A button has its number as long as it is there, so that a key never comes to mean
   * something else by what was just done.
   */
  #number() {
    const { controls } = this.table.selection;
    if (!controls.length) return;
    const now = this.given.map((old) => old && controls.find((one) => keyOf(one) === keyOf(old)));
    for (const [group] of CAPTIONS) {
      if (group === "attest" && this.#folds(controls)) continue;
      for (const one of controls) {
        if ((one.group ?? "act") !== group || one.why_not?.length || now.includes(one)) continue;
        const gap = now.indexOf(undefined);
        now[gap < 0 ? now.length : gap] = one;
      }
    }
    this.numbered = this.given = now;
  }

  /**
   * Whether what is told of a real table folds away. Against the computer there is none: what chance may decide is
   * done like anything else.
   * @param {Control[]} controls
   */
  #folds(controls) {
    return !this.table.state.against || !controls.some((one) => one.group === "attest" && !one.why_not?.length && chancy(one));
  }

  /** What another side's body could reach: to be looked at, not to be done. */
  others() {
    const { selection, aim } = this.table;
    const kinds = selection.controls.filter((control) => control.reach);
    if (!kinds.length) return null;
    return h(
      "div",
      { class: "control-row", role: "group", "aria-label": "How far it could go" },
      h("p", { class: "quiet" }, "How far it could go:"),
      kinds.map((control) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(aim.held === control),
            dataset: { keep: `reach-${control.reach}` },
            onclick: () => {
              aim.hold(aim.held === control ? null : control);
              this.draw();
            },
          },
          told(control.label),
        ),
      ),
    );
  }

  /** @param {string} id */
  person(id) {
    const { state, selection, units } = this.table;
    const group = state.group(id);
    const figure = state.figure(selection.body);
    const chosen = group ?? figure;
    if (!chosen) return;
    const party = state.party(chosen.side);
    const stats = Object.entries(chosen.stats)
      .filter(([, value]) => typeof value === "number" || (typeof value === "string" && value))
      .slice(0, 12);
    const height = !group && figure && figure.z > 1e-6 ? `${units.say(figure.z)} up` : "";
    const spent = selection.controls.find(
      ({ spent, allowance, why_not }) => typeof spent === "number" && typeof allowance === "number" && !why_not?.length,
    );
    fill(
      this.hosts.who,
      h(
        "h2",
        {},
        h("span", { class: `side-mark look-${party?.look ?? 0}`, "aria-hidden": "true" }),
        chosen.name,
        selection.more.length > 0 && ` and ${selection.more.map((one) => state.name(one)).join(", ")}`,
      ),
      h(
        "p",
        { class: "quiet" },
        [party?.name, chosen.profile, group && told(group.words), height].filter(Boolean).join(" · "),
      ),
      chosen.badges.length > 0 &&
        h(
          "ul",
          { class: "badges" },
          chosen.badges.map((badge) => h("li", {}, h("b", {}, badge.letter), ` ${told(badge.words)}`)),
        ),
      stats.length > 0 &&
        h(
          "details",
          { class: "stats" },
          h("summary", {}, "Profile"),
          h(
            "dl",
            {},
            stats.flatMap(([name, value]) => [
              h("dt", {}, name.replaceAll("_", " ")),
              h("dd", {}, String(value)),
            ]),
          ),
        ),
      spent && this.meter(spent, units),
    );
  }

  /** What an action has used of what it may. @param {Control} control @param {import("../lib/units.js").Units} units */
  meter(control, units) {
    const [spent, allowance] = [Number(control.spent), Number(control.allowance)];
    const words = `${told(control.label)}: ${units.figure(spent)} of ${units.say(allowance)} used`;
    return h(
      "p",
      { class: "meter" },
      h("meter", { min: 0, max: allowance || 1, value: Math.min(spent, allowance), "aria-label": words }),
      h("span", {}, words),
    );
  }

  /** @param {Control[]} list @returns {HTMLElement[]} */
  groups(list) {
    return CAPTIONS.flatMap(([group, caption]) => this.group(list, group, caption));
  }

  /**
   * @param {Control[]} list
   * @param {string} group
   * @param {string} caption
   * @returns {HTMLElement[]}
   */
  group(list, group, caption) {
    const controls = list.filter((control) => (control.group ?? "act") === group);
    if (!controls.length) return [];
    const may = controls.filter((control) => !control.why_not?.length);
    const barred = controls.filter((control) => control.why_not?.length);
    const few = barred.length <= FEW;
    const buttons = h(
      "div",
      { class: "control-row" },
      [...may, ...(few ? barred : [])].map((one) => this.button(one)),
    );
    const shown = controls.find((control) => keyOf(control) === this.why);
    const reasons = shown
      ? h(
          "div",
          { class: "why-not", role: "status" },
          h("p", {}, `${told(shown.label)} is not possible now:`),
          findingList(shown.why_not ?? [], { numbered: false }),
          this.blamed(shown),
        )
      : null;
    if (group === "attest" && this.#folds(controls)) {
      const inside = h("summary", {}, `${caption}: ${named(controls)}`);
      const parts = [inside, buttons, ...(reasons ? [reasons] : [])];
      return [h("details", { class: "controls-attest", open: Boolean(shown) }, ...parts)];
    }
    const section = h("div", { class: `controls-${group}` }, buttons);
    if (!few) {
      section.append(
        h(
          "details",
          { class: "controls-barred", open: this.all || Boolean(shown), ontoggle: (/** @type {Event} */ event) => {
            this.all = /** @type {HTMLDetailsElement} */ (event.target).open;
          } },
          h("summary", {}, `Not now: ${named(barred)}`),
          h("div", { class: "control-row" }, barred.map((one) => this.button(one))),
        ),
      );
    }
    if (reasons) section.append(reasons);
    return [section];
  }

  /** Buttons that lead to those of the same player for whom something is not possible. @param {Control} control */
  blamed(control) {
    const { selection, state, board } = this.table;
    const own = selection.id;
    const ids = new Set((control.why_not ?? []).map((finding) => finding.about ?? ""));
    const found = [...ids].filter((id) => {
      const one = state.group(id) ?? state.figure(id);
      return one && id !== own && state.moves(one.side);
    });
    if (!found.length) return null;
    const go = (/** @type {string} */ id) => {
      selection.select(id);
      const [first] = state.bodies(id);
      if (first) board.reveal(first.id);
    };
    return h(
      "div",
      { class: "control-row" },
      found.map((id) => h("button", { type: "button", onclick: () => go(id) }, `Go to ${state.name(id)}`)),
    );
  }

  /** @param {Control} control */
  button(control) {
    const barred = (control.why_not ?? []).length > 0;
    const { hand, aim } = this.table;
    const current = hand.draft?.control === control;
    const why = barred ? (control.why_not ?? []).map((f) => sentenceText(f)).join(" ") : "";
    const number = this.numbered.indexOf(control) + 1;
    // What ends the deeds of one who can do nothing else is what comes next.
    const last = control.group === "step" && control.action.actor && !this.table.selection.open.some(({ group }) => group === "act");
    const show = () => aim.preview(control);
    const button = h(
      "button",
      {
        type: "button",
        class: `control${barred ? " barred" : last ? " primary" : ""}`,
        "aria-pressed": barred || control.gesture === "press" ? null : String(current),
        "aria-expanded": barred ? String(keyOf(control) === this.why) : null,
        title: [told(control.says ?? ""), why].filter(Boolean).join(" "),
        dataset: { kind: control.action.kind, gesture: control.gesture, keep: keyOf(control) },
        onclick: () => this.press(control),
        onpointerenter: show,
        onfocus: show,
        onpointerleave: () => aim.preview(null),
        onblur: () => aim.preview(null),
      },
      titled(this.table.state, control),
      number > 0 && number < 10 && h("kbd", { "aria-hidden": "true" }, number),
      barred && h("span", { class: "unseen" }, " (not possible now)"),
    );
    return button;
  }

  /** @param {Control | undefined} control */
  async press(control) {
    if (!control) return;
    if (control.why_not?.length) {
      const key = keyOf(control);
      this.why = this.why === key ? "" : key;
      this.draw();
      this.steps();
      this.table.say(control.why_not.map(sentenceText).join(" "), "assertive");
      return;
    }
    this.why = "";
    if (this.table.hand.draft?.control === control) {
      this.table.hand.put();
      return;
    }
    const { draft } = this.table.hand;
    await this.table.hand.begin(control);
    this.table.hand.draft?.takeOver(draft);
    this.table.order.focus();
  }

  /** While something is sent nothing else can be. */
  lock() {
    const busy = this.table.hand.sending;
    for (const host of [this.hosts.controls, this.hosts.steps]) {
      for (const button of host.querySelectorAll("button.control")) {
        /** @type {HTMLButtonElement} */ (button).disabled = busy;
      }
    }
  }
}

/** Whether its result may be left to chance. @param {Control} control */
function chancy({ extras }) {
  return (extras ?? []).some(({ chance }) => chance);
}

/** @param {Control} control */
function keyOf(control) {
  return JSON.stringify([control.action, control.label]);
}

/** @param {import("../lib/documents.js").Finding} finding */
function sentenceText(finding) {
  return sentence(finding)
    .map((part) => (typeof part === "string" ? part : (part.textContent ?? "")))
    .join("");
}
