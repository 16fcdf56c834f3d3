// @ts-check
// The start page: what there is to play, how, and the ways into a match.

import { ApiError, call } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { themeButton } from "../lib/theme.js";
import { Begin } from "./begin.js";
import { demoIn } from "./demo.js";
import { filesInto } from "./files.js";
import { joinForm } from "./join.js";
import { askForKey, takeInvitation } from "./key.js";
import { lessonIn } from "./lesson.js";
import { Puzzles } from "./puzzles.js";
import { showRecent } from "./recent.js";
import { Scenes } from "./scenes.js";
import { Settings } from "./settings.js";

/** @typedef {import("../lib/documents.js").System} System */
/** @typedef {import("../lib/documents.js").Example} Example */
/** @typedef {import("../lib/documents.js").Server} Server */

/** Say what went wrong above the scenes; nothing takes it away. @param {unknown} error */
function trouble(error) {
  const place = byId("trouble");
  place.hidden = !error;
  if (!error) return;
  const known = error instanceof Error;
  place.textContent = known ? error.message : String(error);
  if (error instanceof ApiError && error.faults.length > 1) {
    place.textContent = error.faults.map((f) => `${f.path}: ${f.message}`).slice(0, 6).join("  ");
  }
  place.scrollIntoView({ block: "nearest" });
}

async function start() {
  themeButton(byId("theme"));
  joinForm();
  takeInvitation();
  const settings = new Settings(byId("settings"));
  const begin = new Begin(settings, trouble);
  showRecent();
  demoIn(byId("demo"), byId("demo-board"), byId("demo-says"));
  addEventListener("pageshow", (event) => {
    if (event.persisted) showRecent();
  });
  try {
    const [server, systems, examples] = await Promise.all([
      /** @type {Promise<Server>} */ (call("server")),
      /** @type {Promise<System[]>} */ (call("systems")),
      /** @type {Promise<Example[]>} */ (call("examples")),
    ]);
    if (server.closed) askForKey();
    settings.systems(systems, server.programs);
    filesInto(begin, trouble);
    const scenes = examples.filter((one) => !one.puzzle && !one.lesson);
    playNow(systems, scenes, settings, begin);
    new Scenes(byId("cards"), systems, scenes, settings, begin);
    lessonIn(byId("lesson"), systems, examples, settings, begin);
    new Puzzles(byId("puzzles"), examples, settings, begin);
    const rules = systems.reduce((sum, system) => sum + system.clauses, 0);
    byId("about").textContent =
      `${systems.length} rule systems, ${rules} clauses, one referee. ` +
      "Matches stay on this server; links to them stay in this browser.";
  } catch (error) {
    byId("cards").removeAttribute("aria-busy");
    trouble(error);
  }
}

/**
 * Two buttons for each game, one press to a table: its first scene with goals against the computer,
 * its first scene for the players picked.
 * @param {System[]} systems
 * @param {Example[]} examples
 * @param {Settings} settings
 * @param {Begin} begin
 */
function playNow(systems, examples, settings, begin) {
  /** @type {(() => void)[]} */
  const says = [
    () => (byId("against-says").textContent = `Against ${settings.opponent}`),
    () => (byId("games-says").textContent = settings.mode === "links" ? "Two people, by link" : "All sides on this device"),
  ];
  for (const { name: system, title } of systems) {
    const [first, ...more] = examples.filter((example) => example.system === system);
    const game = [first, ...more].find((example) => example?.game);
    if (game) {
      const play = h("button", { type: "button", class: "primary large", title: game.title, text: title });
      play.addEventListener("click", () => begin.against(game, play));
      says.push(() => play.setAttribute("aria-label", `${title} against ${settings.opponent}`));
      byId("against").append(play);
    }
    if (first) {
      const play = h("button", { type: "button", title: first.title, "aria-label": `Play ${title}`, text: title });
      play.addEventListener("click", () => begin.begin({ example: first.name }, { title: first.title, system }, play));
      byId("games").append(play);
    }
  }
  byId("by-link").addEventListener("click", (event) => {
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.querySelector("#settings [value=links]"))?.click();
    byId("games-says").scrollIntoView();
    byId("games").querySelector("button")?.focus({ preventScroll: true });
  });
  const say = () => says.forEach((one) => one());
  settings.addEventListener("players", say);
  say();
}

start();
