// Lengths inside sentences, read in the other unit; run by tests/web/test_page_modules.py.

import assert from "node:assert/strict";
import { test } from "node:test";

const lib = new URL("../../../src/tapeline/web/static/lib/", import.meta.url);
const { Units } = await import(new URL("units.js", lib).href);
const { heightsIn, inUnits, placesIn, storeyIn } = await import(new URL("lengths.js", lib).href);

const inches = new Units("in", "in");
const turned = new Units("in", "cm");
const metric = new Units("cm", "in");

test("a length in a sentence is read in the chosen unit", () => {
  const text = "Too near blue Trooper 2: 0.93 in, must be more than 1 in.";
  assert.equal(inUnits(text, inches), text);
  assert.equal(inUnits(text, turned), "Too near blue Trooper 2: 2.36 cm, must be more than 2.54 cm.");
  assert.equal(inUnits("an enemy unit within 20 cm", metric), "an enemy unit within 7.87 in");
  assert.equal(inUnits("Name an enemy within 12 inches.", turned), "Name an enemy within 30.48 cm.");
  assert.equal(inUnits("Name an enemy within 12 inches.", inches), "Name an enemy within 12 inches.");
  assert.equal(inUnits("stays within 1 to 3 in", turned), "stays within 2.54 to 7.62 cm");
});

test("the figures of the referee count, not the rounded ones of its sentence", () => {
  // 0.9349 in are 2.3746 cm; the sentence alone would give 2.36.
  assert.equal(inUnits("It is 0.93 in off.", turned, [0.9349, 1]), "It is 2.37 cm off.");
  assert.equal(inUnits("It is 8.000004 in, of 8 in.", turned, [8.000004, 8]), "It is 20.32001 cm, of 20.32 cm.");
});

test("a limit without its unit goes with the length before it", () => {
  const text = "A corner of U-1 travels 42.5 cm; 40 are allowed.";
  assert.equal(inUnits(text, metric, [42.5, 40]), "A corner of U-1 travels 16.73 in; 15.75 are allowed.");
  // A count is no length, even where it is as large as one.
  assert.equal(inUnits("Wider than 2 cm, by 2 stands.", metric, [2]), "Wider than 0.79 in, by 2 stands.");
});

test("places in the log", () => {
  assert.equal(inUnits("Captain stands at 15.89, 13.74", turned), "Captain stands at 40.36, 34.9");
  assert.equal(inUnits("Captain stands at 15.89, 13.74", inches), "Captain stands at 15.89, 13.74");
});

test("what only looks like a length stays", () => {
  for (const text of ["2 in the open", "Turn 3 in three steps", "A1 in contact", "1 in 6", "rolls 4, 5 or more", "Wire 2"]) {
    assert.equal(inUnits(text, turned), text);
  }
});

test("needless noughts and decimals go", () => {
  const text = "A corner of U-1 travels 45.0808 cm; 20 are allowed.";
  assert.equal(inUnits(text, new Units("cm", "cm")), "A corner of U-1 travels 45.08 cm; 20 are allowed.");
  assert.equal(inUnits("It is 8.000004 in, of 8 in.", inches), "It is 8.000004 in, of 8 in.");
  assert.equal(inUnits("The first 6.00 in of the path are legal.", inches), "The first 6 in of the path are legal.");
});

test("heights on terrain", () => {
  assert.equal(heightsIn("Hag Wood, height 4", turned), "Hag Wood, height 10.16");
  assert.equal(heightsIn("Wire 2, height 0.5 to 2", turned), "Wire 2, height 1.27 to 5.08");
  assert.equal(heightsIn("0 to 3", turned), "0 to 7.62");
  assert.equal(heightsIn("Loft: 3 in up", turned), "Loft: 7.62 cm up");
  assert.equal(heightsIn("Hag Wood 2", turned), "Hag Wood 2");
  assert.equal(heightsIn("Hag Wood, height 4", inches), "Hag Wood, height 4");
});

test("places in words", () => {
  const text = "Ox, Red, at 10.0, 4.5, 2.5 up, facing 90 degrees";
  assert.equal(placesIn(text, turned), "Ox, Red, at 25.4, 11.4, 6.35 cm up, facing 90 degrees");
  assert.equal(placesIn("Hut, between 1, 2 and 3, 4", turned), "Hut, between 2.5, 5.1 and 7.6, 10.2");
});

test("the tape in words", () => {
  const text = "13 in from (1, 1) to (4, 5, 12 up); 5 in on the plan, 12 in up.";
  const wanted = "33.02 cm from (2.5, 2.5) to (10.2, 12.7, 30.48 cm up); 12.7 cm on the plan, 30.48 cm up.";
  assert.equal(placesIn(text, turned), wanted);
});

test("a place of the tape is no length, even where it is as large as one", () => {
  const text = "50 cm from (10, 10) to (40, 50).";
  assert.equal(placesIn(text, metric, [50, null, 0]), "19.69 in from (3.9, 3.9) to (15.7, 19.7).");
});

test("the caption of a storey", () => {
  const storey = { index: 1, bottom: 3, top: 6, caption: "From 3 in, below 6" };
  assert.equal(storeyIn(storey, turned), "From 7.62 cm, below 15.24");
  assert.equal(storeyIn(storey, inches), storey.caption);
});
