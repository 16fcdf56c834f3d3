// @ts-check
// The lesson of the picked game, for who has never played it here.

import { byId, fill, h } from "../lib/dom.js";
import { isSolved } from "../lib/solved.js";

/** @typedef {import("../lib/documents.js").Example} Example */
/** @typedef {import("../lib/documents.js").System} System */
/** @typedef {import("./begin.js").Begin} Begin */
/** @typedef {import("./settings.js").Settings} Settings */

/** @param {HTMLElement} place @param {System[]} systems @param {Example[]} examples @param {Settings} settings @param {Begin} begin */
export function lessonIn(place, systems, examples, settings, begin) {
  const show = () => {
    const one = examples.find((each) => each.lesson && each.system === settings.system);
    place.hidden = byId("to-lesson").hidden = !one;
    if (!one) return;
    const learned = isSolved(one.system, one.title);
    const learn = h("button", { type: "button", text: learned ? "Once more" : "Learn it" });
    learn.addEventListener("click", () =>
      begin.begin({ example: one.name }, { title: one.title, system: one.system }, learn, { mode: "hotseat", dice: "server" }),
    );
    const game = systems.find((each) => each.name === one.system)?.title;
    const says = learned ? `You have been through the lesson of ${game}.` : `New to ${game}? ${one.lesson} steps on a small table, one after the other.`;
    fill(place, h("p", { text: says }), learn);
  };
  settings.addEventListener("system", show);
  addEventListener("pageshow", show);
  show();
}
