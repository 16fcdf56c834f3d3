// @ts-check
// Begins a match, with the password or invitation that some servers ask for, kept in this browser; what is said of its links.

import { call } from "./api.js";
import { h } from "./dom.js";
import { get, put } from "./store.js";

/** @typedef {import("./documents.js").NewMatch} NewMatch */
/** @typedef {import("./documents.js").Created} Created */

const KEY = "key";

/** What was typed or came with an address. @returns {string} */
export function keptKey() {
  return String(get(KEY, ""));
}

/** @param {string} key */
export function keepKey(key) {
  put(KEY, key || null);
}

/** @param {NewMatch} body @returns {Promise<Created>} */
export function beginMatch(body) {
  const key = keptKey();
  return call("matches", { body, token: key && encodeURIComponent(key) });
}

/** That nobody but this computer can open the links, if so. */
export function loopback() {
  if (!/^(localhost|127\..*|\[::1\])$/.test(location.hostname)) return null;
  const serve = h("code", {}, "tapeline serve --host 0.0.0.0");
  return h("p", { class: "trouble" }, "These links open on this computer alone. To play with somebody elsewhere, serve to others: ", serve, ", and share the links of that address.");
}
