// @ts-check
// Begins a match, with the password or invitation that some servers ask for, kept in this browser.

import { call } from "./api.js";
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
