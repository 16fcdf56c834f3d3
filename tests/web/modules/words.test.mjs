// Findings in the order in which the panel lists and the board pins them; run by
// tests/web/test_page_modules.py.

import assert from "node:assert/strict";
import { test } from "node:test";

const table = new URL("../../../src/tapeline/web/static/table/", import.meta.url);
const { ordered } = await import(new URL("words.js", table).href);

test("one finding of each rule comes first, and none is lost", () => {
  const findings = ["a", "a", "a", "b", "a", "c", "b"].map((clause, n) => ({ clause, n }));
  const numbers = ordered(findings).map((one) => one.n);
  assert.deepEqual(numbers, [0, 3, 5, 1, 2, 4, 6]);
  assert.deepEqual(ordered(ordered(findings)), ordered(findings));
});
