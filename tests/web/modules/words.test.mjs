// Findings in the order in which the panel lists and the board pins them; run by
// tests/web/test_page_modules.py.

import assert from "node:assert/strict";
import { test } from "node:test";

const table = new URL("../../../src/tapeline/web/static/table/", import.meta.url);
const { grouped } = await import(new URL("words.js", table).href);

test("findings of one rule stand together, and none is lost", () => {
  const findings = ["a", "a", "a", "b", "a", "c", "b"].map((clause, n) => ({ clause, n }));
  const numbers = grouped(findings).map((group) => group.map((one) => one.n));
  assert.deepEqual(numbers, [[0, 1, 2, 4], [3, 6], [5]]);
});

test("the rule that bites where the body stops comes first", () => {
  const at = (clause, ...place) => ({ clause, place: place.length ? place : null });
  const findings = [at("long", 9, 0), at("whole"), at("base", 3, 0), at("base", 1, 0)];
  const places = grouped(findings, [0, 0]).map((group) => group.map(({ clause, place }) => [clause, place?.[0]]));
  assert.deepEqual(places, [[["base", 1], ["base", 3]], [["long", 9]], [["whole", undefined]]]);
});
