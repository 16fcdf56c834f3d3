// @ts-check
// A scene or log as a file: dropped on the page or chosen; looked at, then played or edited.

import { BoardView } from "../board/board.js";
import { ApiError, call } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";
import { keepDraft, shelveDraft } from "../editor/files.js";

/** @typedef {import("../lib/documents.js").Checked} Checked */
/** @typedef {import("./begin.js").Begin} Begin */
/** @typedef {{kind: "scene" | "log", scene: Record<string, any>, text: string, name: string}} Read */

const MOST_BYTES = 8e6;
const MOST_FAULTS = 8;

/**
 * Take files from now on.
 * @param {Begin} begin
 * @param {(error: unknown) => void} trouble
 */
export function filesInto(begin, trouble) {
  const input = /** @type {HTMLInputElement} */ (byId("file"));
  const veil = byId("veil");
  let depth = 0;
  const take = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    trouble(null);
    try {
      await offer(await read(file), begin, trouble);
    } catch (error) {
      trouble(error);
    }
  };
  input.addEventListener("change", () => {
    take(input.files?.[0]);
    input.value = "";
  });
  const holds = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => {
    if (!holds(event)) return;
    depth += 1;
    veil.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!holds(event)) return;
    depth -= 1;
    veil.hidden = depth <= 0;
  });
  addEventListener("dragover", (event) => {
    if (holds(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    take(event.dataTransfer?.files[0]);
  });
}

/**
 * What a file holds. Throws an Error that says why it cannot be used.
 * @param {File} file
 * @returns {Promise<Read>}
 */
async function read(file) {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large (8 MB at most).`);
  const text = await file.text();
  const first = text.slice(0, text.indexOf("\n") + 1 || undefined);
  const whole = parsed(text);
  const format = String(whole?.format ?? parsed(first)?.format ?? "");
  if (whole && format.startsWith("tapeline-scene/")) {
    return { kind: "scene", scene: whole, text, name: file.name };
  }
  const header = parsed(first);
  if (header && format.startsWith("tapeline-log/")) {
    return { kind: "log", scene: header.scene ?? {}, text, name: file.name };
  }
  if (whole && format.startsWith("tapeline-case/") && whole.scene) {
    return { kind: "scene", scene: whole.scene, text, name: file.name };
  }
  throw new Error(
    `${file.name} is no scene, log or case of Tapeline` +
      (format ? `; its format is ${format}.` : "."),
  );
}

/** @param {string} text @returns {any} null if it is no JSON object */
function parsed(text) {
  try {
    const found = JSON.parse(text);
    return found && typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

/**
 * Show what was read and what can be done with it.
 * @param {Read} read
 * @param {Begin} begin
 * @param {(error: unknown) => void} trouble
 */
async function offer(read, begin, trouble) {
  const { scene, kind } = read;
  /** @type {Checked} */
  const checked = await call("scenes/check", { body: scene });
  const box = h("dialog", { class: "offer", "aria-labelledby": "offer-title" });
  const title = String(scene.name || read.name);
  const preview = h("div", { class: "preview" });
  const sound = !checked.faults.length;
  const close = () => box.close();
  const play = h("button", {
    type: "button",
    class: "primary",
    disabled: !sound,
    autofocus: sound,
    text: "Play",
  });
  play.addEventListener("click", () => {
    const what = { title, system: String(scene.system ?? "") };
    close();
    begin.begin(kind === "log" ? { log: read.text } : { scene }, what);
  });
  const against = h("button", { type: "button", disabled: !sound, text: `Play against ${begin.settings.opponent}` });
  against.addEventListener("click", () => {
    close();
    const how = /** @type {const} */ ({ mode: "hotseat", dice: begin.settings.dice });
    begin.begin({ scene }, { title, system: String(scene.system ?? "") }, undefined, how, begin.settings.against);
  });
  const edit = h("button", { type: "button", text: "Change it" });
  edit.addEventListener("click", () => {
    shelveDraft();
    if (keepDraft(/** @type {any} */ (scene))) location.assign("/edit");
    else trouble(new ApiError(0, "This browser keeps nothing; open the file in the editor instead."));
    close();
  });
  fill(
    box,
    h("h2", { id: "offer-title", text: title }),
    h("p", {
      class: "note",
      text: kind === "log" ? `The log of a match, from ${read.name}. Every state is compared; actions are not judged again.` : `A scene, from ${read.name}.`,
    }),
    checked.board ? preview : null,
    sound ? null : faultList(checked),
    h(
      "div",
      { class: "dialog-ends" },
      h("button", { type: "button", text: "Cancel", onclick: close }),
      kind === "scene" ? edit : null,
      kind === "scene" && scene.game ? against : null,
      play,
    ),
  );
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  if (checked.board) new BoardView(preview, { label: `Board of ${title}`, still: true }).show(checked.board);
}

/** @param {Checked} checked */
function faultList({ faults }) {
  const more = faults.length - MOST_FAULTS;
  return h(
    "div",
    { class: "trouble" },
    h("p", { text: "It cannot be played as it is:" }),
    h(
      "ul",
      {},
      faults.slice(0, MOST_FAULTS).map((fault) => h("li", { text: `${fault.path}: ${fault.message}` })),
      more > 0 ? h("li", { text: `and ${more} more` }) : null,
    ),
  );
}
