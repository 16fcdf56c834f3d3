// @ts-check
// The scene editor: puts the document, the board, the forms and the checks together.

import { ApiError, call } from "../lib/api.js";
import { BoardView } from "../board/board.js";
import { byId, fill, h, oncePerFrame } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { sheet } from "../table/sheet.js";
import { get, put } from "../lib/store.js";
import { themeButton } from "../lib/theme.js";
import { AddForm } from "./add_form.js";
import { Checker } from "./checker.js";
import { Contents } from "./contents.js";
import { Deeds } from "./deeds.js";
import { editorKeys } from "./editor_keys.js";
import { FaultList } from "./faults.js";
import { Fields, ancestors, nearestField } from "./fields.js";
import { faultOfFile, keepDraft, readScene, saveScene, shelveDraft } from "./files.js";
import { Hands } from "./hands.js";
import { showHelp } from "./help.js";
import { Maker } from "./making.js";
import { Opening } from "./opening.js";
import { Overlay } from "./overlay.js";
import { entryOf } from "./paths.js";
import { Draft } from "./scene.js";
import { placeFor } from "./placing.js";
import { SceneForm } from "./scene_form.js";
import { Sharing } from "./sharing.js";
import { bare, start } from "./start.js";
import { Tabs } from "./tabs.js";
import { ThingForm } from "./thing_form.js";

/** @typedef {import("../lib/documents.js").System} System */
/** @typedef {import("../lib/documents.js").Checked} Checked */
/** @typedef {import("./scene.js").Scene} Scene */

/** Milliseconds after which words go that tell of no trouble. */
const NOTICE = 6000;
/** Steps of the grid that things snap to, table units. */
const GRIDS = ["0", "0.1", "0.25", "0.5", "1"];

export class Editor {
  /** @param {System[]} systems */
  constructor(systems) {
    this.systems = systems;
    this.draft = new Draft();
    this.snap = Number(get("editor-snap", "0.5")) || 0;
    const host = byId("board");
    this.board = new BoardView(host, { label: "Scene", tabs: true });
    const system = () => this.system;
    const maker = () => new Maker(this.system, this.draft.scene, this.draft.taken());
    this.deeds = new Deeds(this.draft, system, maker, say);
    this.hands = new Hands(host, this.board, this.draft, this.deeds, {
      snap: () => this.snap,
      system,
      changed: () => this.tellDrawing(),
    });
    this.overlay = new Overlay(this.board, this.draft, system);
    this.checker = new Checker(() => this.draft.scene);
    const shared = { draft: this.draft, maker, deeds: this.deeds };
    this.thingDesk = { ...shared, fields: new Fields(this.draft), system: this.system };
    this.thing = new ThingForm(byId("thing"), this.thingDesk);
    this.sceneForm = new SceneForm(byId("scene"), { ...shared, fields: new Fields(this.draft), system });
    this.add = new AddForm(byId("add"), { ...shared, system, draw: (drawing) => this.draw(drawing), place: (side) => placeFor(this, side) });
    this.contents = new Contents(byId("contents"), this.draft, system, (id, more) => {
      this.gathering = more;
      this.hands.choose(id, more);
      this.gathering = false;
      this.reveal(id);
    });
    this.faults = new FaultList(byId("check"), this.draft, {
      goTo: (fault) => this.goTo(fault),
      mend: (fix) => this.deeds.mend(fix),
    });
    this.tabs = new Tabs(byId("tabs"), () => this.forms());
    this.opening = new Opening(/** @type {HTMLDialogElement} */ (byId("opening")), {
      systems: () => this.systems,
      open: (scene, from) => this.open(scene, from),
    });
    this.sharing = new Sharing(/** @type {HTMLDialogElement} */ (byId("sharing")), {
      scene: () => this.draft.scene,
      sound: () => (this.checker.last && !this.checker.busy ? this.checker.last.faults.length === 0 : null),
    });
    /** Show handles and forms as they are now. */
    this.soon = oncePerFrame(() => {
      this.hands.handles();
      this.forms();
      this.history();
    });
    this.listen(host);
    this.buttons();
    this.bindings = editorKeys(this);
    sheet(byId("stage"), byId("grip"));
  }

  /** The system of the scene. @returns {System} */
  get system() {
    return this.systems.find((one) => one.name === this.draft.scene.system) ?? this.systems[0];
  }

  /** @param {HTMLElement} host */
  listen(host) {
    const { draft, checker, overlay } = this;
    draft.addEventListener("change", (event) => {
      const { opened } = /** @type {CustomEvent} */ (event).detail;
      overlay.soon();
      this.soon();
      if (!draft.held) this.keep();
      if (!opened) checker.soon();
    });
    draft.addEventListener("select", () => {
      this.board.select([...draft.selected]);
      overlay.soon();
      if (draft.selected.size && !this.gathering) {
        const held = document.activeElement;
        this.tabs.show("thing");
        // The part that held the keyboard is hidden now: what was added is moved, what was listed read.
        if (byId("add").contains(held)) this.board.frame.focus();
        else if (byId("contents").contains(held)) byId("tab-thing").focus();
        const body = byId("thing").parentElement;
        if (body) body.scrollTop = 0;
      }
      this.soon();
      this.tellSelection();
    });
    checker.addEventListener("busy", () => this.faults.busy());
    checker.addEventListener("trouble", (event) => {
      this.faults.trouble(/** @type {CustomEvent} */ (event).detail.message);
    });
    checker.addEventListener("checked", (event) => {
      const { checked, scene } = /** @type {CustomEvent} */ (event).detail;
      this.checked(checked, scene);
    });
    host.addEventListener("storey", () => {
      overlay.draw();
      this.hands.handles();
    });
    addEventListener("beforeunload", () => this.keep(true));
    addEventListener("pagehide", () => this.keep(true));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.dropped(event));
  }

  /** @param {Checked} checked @param {Scene} scene */
  checked(checked, scene) {
    this.faults.show(checked);
    this.overlay.faults = checked.faults;
    this.contents.faults = checked.faults;
    if (checked.board) {
      const held = document.activeElement?.closest?.("[data-handle]")?.getAttribute("data-handle");
      this.board.show(checked.board, checked.board.terrain ?? []);
      this.board.select([...this.draft.selected]);
      this.overlay.landed(scene);
      this.hands.handles();
      if (held) this.focusHandle(held);
    } else {
      this.overlay.draw();
    }
    this.forms();
  }

  /** @param {string} id */
  focusHandle(id) {
    const found = this.board.root.querySelector(`[data-handle="${CSS.escape(id)}"]`);
    if (found instanceof SVGElement) found.focus({ preventScroll: true });
  }

  mark() {
    const faults = this.checker.last?.faults ?? [];
    this.thingDesk.fields.mark(byId("thing"), faults);
    this.sceneForm.desk.fields.mark(byId("scene"), faults);
  }

  /** What is open of the panel, as the document is now. */
  forms() {
    this.thingDesk.system = this.system;
    const parts = { thing: this.thing, scene: this.sceneForm, add: this.add, contents: this.contents };
    parts[/** @type {keyof typeof parts} */ (this.tabs.now)].show();
    this.mark();
    const { table } = this.draft.scene;
    byId("size").textContent = `${this.system.title}, ${table.width} \u00d7 ${table.depth} ${table.unit}`;
    byId("title").textContent = this.draft.scene.name || "A scene without a name";
    document.title = `${this.draft.scene.name || "Scene editor"} \u00b7 Tapeline`;
  }

  /** Begin with a scene; the draft before it is shelved. @param {any} scene @param {string} from */
  open(scene, from) {
    const fault = faultOfFile(scene);
    if (fault) {
      this.notice(fault);
      return;
    }
    if (!this.systems.some((one) => one.name === scene.system)) {
      const known = this.systems.map((one) => one.title).join(", ");
      this.notice(`No rule system ${scene.system} is installed here; there are ${known}.`);
      return;
    }
    shelveDraft();
    this.draft.open(scene);
    this.begin();
    this.notice("");
    say(from ? `Opened: ${from}` : "A blank table");
  }

  /** Show a document that has just been put in place. */
  begin() {
    this.board.clear();
    this.board.storey = 0;
    this.board.show(bare(this.draft.scene, this.system), []);
    this.overlay.shown = new Map();
    this.overlay.faults = [];
    this.overlay.draw();
    this.tabs.show(this.draft.all().length ? "contents" : "add");
    this.checker.now();
    this.keep();
  }

  /** @param {boolean} [now] */
  keep(now = false) {
    clearTimeout(this._keeping);
    const keep = () => {
      if (this.draft.scene.system && !keepDraft(this.draft.scene)) {
        byId("kept").textContent = "This browser keeps no draft: save a file.";
      }
    };
    if (now) keep();
    else this._keeping = window.setTimeout(keep, 300);
  }

  /** Show the thing of a fault, its field and its place. @param {{path: string, message: string}} fault */
  goTo(fault) {
    const found = entryOf(fault.path);
    this.overlay.focus = fault.path;
    if (found && found.list !== "sides") {
      const entry = this.draft.scene[found.list][found.index];
      if (entry) {
        this.draft.select(entry.members ? [entry.id, ...entry.members] : [entry.id]);
        this.reveal(entry.id);
        this.tabs.show("thing");
      }
    } else {
      this.draft.select([]);
      this.tabs.show("scene");
    }
    this.overlay.draw();
    const root = byId(found && found.list !== "sides" ? "thing" : "scene");
    const field = nearestField(root, fault.path);
    if (!field) return;
    for (const fold of ancestors(field, "details")) /** @type {HTMLDetailsElement} */ (fold).open = true;
    const control = field.matches("input, select, button") ? field : field.querySelector("input, select");
    if (control instanceof HTMLElement) control.focus();
  }

  /** Make sure that a thing is seen. @param {string} id */
  reveal(id) {
    const found = this.draft.find(id)?.entry;
    const system = this.system;
    if (!found) return;
    const sized = found.members ? this.draft.find(found.members[0])?.entry : found;
    if (sized) this.overlay.reveal(sized, system);
  }

  tellSelection() {
    const chosen = this.draft.chosen();
    if (chosen.length === 1) say(`Selected: ${chosen[0].entry.name || chosen[0].entry.id}`);
    else if (chosen.length > 1) say(`${chosen.length} selected`);
  }

  /** @param {import("./corners.js").Drawing} drawing */
  draw(drawing) {
    this.draft.select([]);
    this.hands.corners.begin(drawing);
    say(`${drawing.says}. Enter finishes, Escape cancels.`);
    this.board.frame.focus();
  }

  /** The bar that says what is being drawn. */
  tellDrawing() {
    const { corners } = this.hands;
    const bar = byId("drawing");
    bar.hidden = !corners.now;
    this.hands.handles();
    if (!corners.now) return;
    const { points, says, least } = corners.now;
    fill(
      bar,
      h("span", { text: `${says} (${points.length}).` }),
      h("button", { type: "button", text: "Finish", disabled: points.length < least, onclick: () => corners.finish() }),
      h("button", { type: "button", text: "Cancel", onclick: () => corners.cancel() }),
    );
  }

  /**
   * Words over the board; those that tell of no trouble go by themselves.
   * @param {string} text
   * @param {boolean} [stays]
   */
  notice(text, stays = true) {
    clearTimeout(this._noticed);
    if (text && !stays) this._noticed = window.setTimeout(() => this.notice(""), NOTICE);
    const place = byId("notice");
    place.hidden = !text;
    fill(place, text ? h("p", { text }) : null, text
      ? h("button", { type: "button", class: "quiet", text: "Close", onclick: () => this.notice("") })
      : null);
  }

  history() {
    const { past, future } = this.draft;
    const dress = (/** @type {string} */ id, /** @type {string} */ word, /** @type {{says: string} | undefined} */ step) => {
      const button = /** @type {HTMLButtonElement} */ (byId(id));
      button.disabled = !step;
      const label = step ? `${word}: ${step.says}` : word;
      button.setAttribute("aria-label", label);
      button.title = label;
    };
    dress("undo", "Undo", past.at(-1));
    dress("redo", "Redo", future.at(-1));
  }

  buttons() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ does) => {
      const button = /** @type {HTMLButtonElement} */ (byId(id));
      button.disabled = false;
      button.addEventListener("click", does);
    };
    on("undo", () => this.draft.undo());
    on("redo", () => this.draft.redo());
    on("open", () => this.opening.show(this.draft.scene.system));
    on("save", () => this.save());
    on("share", () => this.sharing.show());
    on("help", () => showHelp(/** @type {HTMLDialogElement} */ (byId("helping")), this.bindings));
    themeButton(byId("theme"));
    const snap = /** @type {HTMLSelectElement} */ (byId("snap"));
    fill(snap, GRIDS.map((step) => h("option", { value: step, text: step === "0" ? "off" : step })));
    snap.value = String(this.snap);
    snap.addEventListener("change", () => {
      this.snap = Number(snap.value);
      put("editor-snap", snap.value);
    });
    this.history();
  }

  save() {
    const name = saveScene(this.draft.scene);
    this.draft.touched = false;
    say(`Saved as ${name}`);
  }

  /** @param {DragEvent} event */
  async dropped(event) {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    try {
      this.open(await readScene(file), file.name);
    } catch (error) {
      this.notice(error instanceof Error ? error.message : String(error));
    }
  }
}

/** @type {System[]} */
let systems = [];
try {
  systems = await call("systems");
  if (!systems.length) throw new Error("No rule system is installed on the server.");
  const editor = new Editor(systems);
  try {
    await start(editor);
  } catch (error) {
    editor.notice(error instanceof Error ? error.message : String(error));
    await editor.opening.show();
  }
} catch (error) {
  fill(byId("notice"), h("p", { role: "alert", text: error instanceof ApiError || error instanceof Error ? error.message : String(error) }));
  byId("notice").hidden = false;
  throw error;
}
