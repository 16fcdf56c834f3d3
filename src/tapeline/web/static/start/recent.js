// @ts-check
// Matches opened in this browser lately, to go on with, or to forget.

import { byId, fill, h } from "../lib/dom.js";
import { forget, recent } from "../lib/store.js";
import { linkRow } from "./begin.js";

/** @typedef {import("../lib/store.js").Kept} Kept */

const SHOWN = 12;

export function showRecent() {
  const place = byId("recent");
  const kept = recent();
  place.hidden = kept.length === 0;
  byId("to-recent").hidden = kept.length === 0;
  if (!kept.length) return;
  fill(
    place,
    h("h2", { id: "recent-title", text: "Recent matches" }),
    h(
      "ul",
      { class: "recent-list" },
      kept.slice(0, SHOWN).map((entry) => row(entry)),
    ),
    h("button", {
      type: "button",
      class: "quiet",
      text: "Forget all",
      onclick: () => {
        forget();
        showRecent();
        byId("scenes").focus();
      },
    }),
  );
}

/** @param {Kept} entry */
function row(entry) {
  const title = entry.title || "A match";
  const who = entry.role === "watch" ? "looking on" : entry.role === "side" ? `as ${entry.name}` : "";
  const links = entry.links ?? [];
  const several = links.length > 1;
  const when = new Date(entry.at);
  return h(
    "li",
    {},
    h(
      "div",
      { class: "recent-row" },
      h(
        "a",
        { href: entry.path },
        h("b", { text: title }),
        who ? h("span", { class: "note", text: ` ${who}` }) : null,
      ),
      h("time", { datetime: when.toISOString(), text: ago(when) }),
      h("button", {
        type: "button",
        class: "quiet",
        text: "Forget",
        "aria-label": `Forget ${title}`,
        onclick: () => {
          forget(entry.id);
          showRecent();
          byId("recent").querySelector("a")?.focus();
        },
      }),
    ),
    several
      ? h(
          "details",
          { class: "recent-links" },
          h("summary", { text: "Links of this match" }),
          h("ul", { class: "links" }, links.map(linkRow)),
        )
      : null,
  );
}

/** How long ago, in words. @param {Date} when */
function ago(when) {
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const minutes = Math.round((when.getTime() - Date.now()) / 60000);
  if (minutes > -60) return words.format(Math.min(0, minutes), "minute");
  if (minutes > -1440) return words.format(Math.round(minutes / 60), "hour");
  return words.format(Math.round(minutes / 1440), "day");
}
