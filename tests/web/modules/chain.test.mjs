// Chains of keys against the SHA-256 of Node; run by tests/web/test_page_modules.py.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

const lib = new URL("../../../src/tapeline/web/static/lib/", import.meta.url);
const { Chain, leads, newSecret } = await import(new URL("chain.js", lib).href);

const before = (key) =>
  createHash("sha256").update("tapeline-dice/1:").update(Buffer.from(key, "hex")).digest("hex");

test("a chain is the one that the server would work out", () => {
  const secret = newSecret();
  assert.match(secret, /^[0-9a-f]{64}$/);
  assert.notEqual(secret, newSecret());
  const chain = new Chain(secret);
  const keys = [secret];
  for (let n = 0; n < 1 << 15; n += 1) keys.push(before(keys[n]));
  keys.reverse();
  for (const n of [0, 1, 2, 100, 20000, 32767, 32768]) assert.equal(chain.key(n), keys[n]);
  assert.equal(chain.commitment, keys[0]);
});

test("keys of many kinds are hashed right", () => {
  for (const byte of ["00", "ff", "7f", "80", "01"]) {
    const key = byte.repeat(32);
    assert.ok(leads(key, 1, before(key)));
    assert.ok(leads(key, 3, before(before(before(key)))));
    assert.ok(leads(key, 0, key));
    assert.ok(!leads(key, 2, before(key)));
  }
});
