// @ts-check
// The table put together: the match, the board, the hand, and every part of the panel.

import { BoardView } from "../board/board.js";
import { byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { Units } from "../lib/units.js";
import { Arrows } from "./arrows.js";
import { Aim } from "./aim.js";
import { Card } from "./card.js";
import { book } from "./clause.js";
import { closer } from "./closer.js";
import { Clocks } from "./clock.js";
import { Controls } from "./controls.js";
import { Drag } from "./drag.js";
import { Fair } from "./fair.js";
import { keepPlace, reveal } from "./focus.js";
import { Hints } from "./hints.js";
import { HandOver } from "./handover.js";
import { Hand } from "./hand.js";
import { Help } from "./help.js";
import { keyboard } from "./keyboard.js";
import { Lesson } from "./lesson.js";
import { List } from "./list.js";
import { Log } from "./log.js";
import { Moment } from "./moment.js";
import { Motion } from "./motion.js";
import { Odds } from "./odds.js";
import { Opponent } from "./opponent.js";
import { Order } from "./order.js";
import { Pad } from "./pad.js";
import { Puzzle } from "./puzzle.js";
import { Replay } from "./replay.js";
import { Selection } from "./select.js";
import { Share } from "./share.js";
import { sheet } from "./sheet.js";
import { Hover } from "./hover.js";
import { Talk } from "./talk.js";
import { Show } from "./show.js";
import { detail, State } from "./state.js";
import { Target } from "./target.js";
import { Tools } from "./tools.js";
import { Tray } from "./tray.js";
import { Turn } from "./turn.js";
import { Waits } from "./waits.js";
import { reader, sentence } from "./words.js";

/** What the parts of the page know of each other. */
export class Table {
  /** @param {State} state that has its first match already */
  constructor(state) {
    this.state = state;
    book.system = state.board.system;
    this.host = byId("board");
    this.units = new Units(state.board.unit);
    reader.units = this.units;
    this.board = new BoardView(this.host, { label: "Board", tabs: true, units: this.units });
    this.selection = new Selection(state);
    this.hand = new Hand(state, this.selection);
    this.odds = new Odds(state);

    const pad = h("div", { class: "pad", role: "group", "aria-label": "Fine steps", hidden: true });
    byId("tools").after(pad);
    const order = h("div", { class: "order", hidden: true, tabindex: -1, role: "group", "aria-labelledby": "order-title" });
    this.hosts = {
      refused: h("div", { class: "refused", role: "status", hidden: true }),
      who: h("div", { class: "who", hidden: true }),
      controls: h("div", { class: "controls", tabindex: -1, role: "group", "aria-label": "What it can do" }),
      steps: h("div", { class: "steps" }),
      first: h("div", {}),
    };
    const { refused, who, controls, steps, first } = this.hosts;
    fill(byId("actions"), first, refused, who, order, controls, steps);

    // Those that draw on the board come before those that read it.
    this.show = new Show(this);
    this.motion = new Motion(this);
    this.drag = new Drag(this);
    this.pad = new Pad(this, pad);
    this.aim = new Aim(this);
    this.order = new Order(this, order);
    this.controls = new Controls(this, { who, controls, steps });
    this.moment = new Moment(this, byId("moment"));
    this.card = new Card(this, byId("card"));
    this.tools = new Tools(this, byId("tools"));
    this.hints = new Hints(this, byId("tools"));
    this.arrows = new Arrows(this, byId("tools"));
    const tray = h("section", { class: "trays", "aria-label": "Trays", hidden: true });
    this.host.before(tray);
    this.tray = new Tray(this, tray);
    this.target = new Target(this);
    this.replay = new Replay(this, byId("replay"));
    this.waits = new Waits(this);
    this.clocks = new Clocks(this);
    this.turn = new Turn(this, {
      turn: byId("turn"),
      status: byId("status"),
      title: byId("title"),
      notice: byId("notice"),
    });
    this.fair = new Fair(this);
    this.log = new Log(this, byId("log"));
    this.list = new List(this, byId("list"));
    this.share = new Share(this, byId("bar"));
    this.talk = new Talk(this);
    this.hover = new Hover(this);
    this.help = new Help(this, first);
    const opponent = h("details", { class: "opponent", hidden: true });
    byId("actions").append(opponent);
    this.opponent = new Opponent(this, opponent);
    this.handOver = new HandOver(this);
    this.keys = keyboard(this);
    keepPlace(this);
    closer(this);
    if (state.now.puzzle) new Puzzle(this);
    if (state.now.lesson) new Lesson(this);
    sheet(/** @type {HTMLElement} */ (byId("panel").parentElement), byId("grip"));

    this.units.addEventListener("change", () => {
      this.turn.draw();
      this.card.draw();
      this.log.draw();
      this.show.match();
    });
    state.addEventListener("trouble", (event) => {
      const { text, findings } = detail(event);
      const [found] = findings;
      if (found) this.turn.notice("The rules do not allow that to be told now.", sentence(found));
      else this.turn.notice(text);
    });
  }

  /** The keyboard goes to what is asked, to what is in hand, or to what can be done; from an entry of the past, to now. */
  toPanel() {
    const here = this.moment.first ?? this.card.first ?? this.hosts.controls;
    const place = this.replay.looking ? this.replay.back : here;
    if (place === this.hosts.controls && this.hand.draft) this.order.focus();
    else place.focus({ preventScroll: true });
    reveal(place);
  }

  /** Say a sentence to who cannot see the page. @param {string} text @param {"polite" | "assertive"} [how] */
  say(text, how = "polite") {
    say(text, how);
  }

  /** @param {string} text */
  notice(text) {
    this.turn.notice(text);
  }
}
