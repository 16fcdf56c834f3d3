// @ts-check
// The page of a match: which one, with what secret, and what to say if it cannot be opened.

import { byId, fill, h } from "../lib/dom.js";
import { keepPresses } from "./focus.js";
import { State } from "./state.js";
import { Table } from "./table.js";

async function begin() {
  const [, id = ""] = /^\/t\/([^/]+)/.exec(location.pathname) ?? [];
  const token = decodeURIComponent(location.hash.replace(/^#/, ""));
  const state = new State(decodeURIComponent(id), token);
  try {
    const match = await state.api.get("", { since: 0 });
    state.match = match;
    const table = new Table(state);
    state.match = null;
    state.take(match);
    state.live.start();
    Object.assign(window, { tapeline: table });
  } catch (error) {
    closed(error instanceof Error ? error.message : String(error));
    if (!(error instanceof Error) || error.name !== "ApiError") throw error;
  }
}

/** @param {string} why */
function closed(why) {
  document.body.classList.add("closed");
  fill(
    byId("card"),
    h("h2", {}, "This match cannot be opened"),
    h("p", {}, why),
    h("p", {}, h("a", { href: "/" }, "To the start page")),
  );
  byId("card").hidden = false;
}

// Another link pasted into the same tab is another match.
addEventListener("hashchange", () => location.reload());
keepPresses(document);
begin();
