// The live connection against a socket of its own making; run by tests/web/test_page_modules.py.

import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {Socket[]} */
const sockets = [];

class Socket extends EventTarget {
  constructor() {
    super();
    this.sent = [];
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  hear(message) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  close(code) {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

Object.assign(globalThis, {
  WebSocket: Socket,
  location: { protocol: "http:", host: "here" },
  addEventListener() {},
  document: { addEventListener() {}, visibilityState: "visible" },
  removeEventListener() {},
});
document.removeEventListener = () => {};

const lib = new URL("../../../src/tapeline/web/static/lib/", import.meta.url);
const { Live } = await import(new URL("live.js", lib).href);

/** A connection, what it has sent so far, and the tries that come again after it was lost. */
function lost(dropped) {
  const live = new Live("m", "secret", () => 3);
  live.start();
  const first = sockets.at(-1);
  first.hear({ type: "now" });
  live.try({ action: { kind: "move" } });
  if (dropped) live.drop();
  first.close(1006);
  live._connect();
  const second = sockets.at(-1);
  second.hear({ type: "now" });
  live.stop();
  assert.equal(first.sent.filter((one) => one.type === "try").length, 1);
  return second.sent.filter((one) => one.type === "try");
}

test("a try whose answer was lost with the connection is sent again", () => {
  const [again, ...others] = lost(false);
  assert.equal(again.seq, 1);
  assert.deepEqual(again.action, { kind: "move" });
  assert.equal(others.length, 0);
});

test("what nobody waits for any longer is not", () => {
  assert.deepEqual(lost(true), []);
});
