// What gestures fill in: ways, poses, amounts, stands, targets; run by tests/web/test_page_modules.py.

import assert from "node:assert/strict";
import { test } from "node:test";

const table = new URL("../../../src/tapeline/web/static/table/", import.meta.url);
const { AmountFill, PathFill, PoseFill, wrap } = await import(new URL("fillers.js", table).href);
const { PickFill, StandsFill } = await import(new URL("picking.js", table).href);
const { heightsUnder } = await import(new URL("heights.js", table).href);
const { learn, named, nameOf } = await import(new URL("names.js", table).href);

const pose = (body, x, y, facing = 0, z = 0) => ({ body, x, y, z, facing });

test("a path follows the hand, settles way-points and takes them back", () => {
  const way = new PathFill(pose("a", 1, 1));
  assert.ok(way.empty);
  way.pointTo(2, 2);
  way.pointTo(3, 2);
  assert.deepEqual(way.legs, [{ to: [3, 2] }]);
  way.fix();
  way.nudge(0, 1);
  assert.deepEqual(way.legs, [{ to: [3, 2] }, { to: [3, 3] }]);
  way.turn(30);
  way.turn(15);
  assert.deepEqual(way.legs.at(-1), { by: 45 });
  assert.ok(way.back());
  assert.deepEqual(way.legs, [{ to: [3, 2] }]);
  assert.ok(way.back());
  assert.ok(!way.back());
});

test("a manner and a height hold for the next leg alone", () => {
  const way = new PathFill(pose("a", 0, 0));
  way.pointTo(1, 0);
  way.manner("climb");
  way.level(3);
  way.pointTo(1, 1);
  way.fix();
  way.level(null);
  way.pointTo(2, 1);
  assert.deepEqual(way.legs, [{ to: [1, 0] }, { to: [1, 1], how: "climb", z: 3 }, { to: [2, 1] }]);
  assert.equal(way.end.z, 3);
});

test("a free leg turns while it goes", () => {
  const way = new PathFill(pose("a", 0, 0));
  way.manner("free");
  way.pointTo(4, 0);
  way.turn(-20);
  assert.deepEqual(way.legs, [{ to: [4, 0], how: "free", by: -20 }]);
});

test("a pose carries all bodies of a unit as one", () => {
  const fill = new PoseFill([pose("a", 0, 1), pose("b", 0, -1)], true);
  const control = { slot: "to", turn_slot: "by", turns: "by" };
  assert.ok(!fill.complete);
  fill.pointTo(10, 0);
  fill.turn(90);
  const [a, b] = fill.preview();
  assert.ok(Math.abs(a.x - 9) < 1e-9 && Math.abs(a.y) < 1e-9);
  assert.ok(Math.abs(b.x - 11) < 1e-9 && Math.abs(b.y) < 1e-9);
  const action = {};
  fill.fill(action, control);
  assert.deepEqual(action, { to: [10, 0], by: 90 });
  const faced = {};
  fill.fill(faced, { ...control, turn_slot: "facing", turns: "facing" });
  assert.deepEqual(faced, { to: [10, 0], facing: 90 });
});

test("an amount stays in its bounds, a push goes straight ahead", () => {
  const push = new AmountFill([pose("a", 0, 0, 90)], "distance", 0, 4, true);
  push.pointTo(3, 2);
  assert.equal(push.amount, 2);
  push.pointTo(0, 9);
  assert.equal(push.amount, 4);
  push.pointTo(0, -9);
  assert.equal(push.amount, 0);
  assert.ok(!push.complete);
  const turn = new AmountFill([pose("a", 0, 0)], "turn", -90, 90, true);
  turn.turn(-120);
  assert.equal(turn.amount, -90);
  assert.equal(turn.preview()[0].facing, -90);
  assert.equal(wrap(270), -90);
});

test("stands move in the order in which they were taken up", () => {
  const fill = new StandsFill([pose("s-1", 0, 0), pose("s-2", 2, 0)]);
  assert.ok(fill.hold("s-2"));
  fill.pointTo(2, 5);
  fill.hold("s-1");
  fill.pointTo(0, 5);
  const action = {};
  fill.fill(action, { slot: "stands" });
  assert.deepEqual(action.stands, [
    { stand: "s-2", path: [{ to: [2, 5] }] },
    { stand: "s-1", path: [{ to: [0, 5] }] },
  ]);
  assert.ok(fill.back());
  assert.deepEqual(fill.order, ["s-2"]);
  assert.ok(fill.back());
  assert.ok(fill.empty);
  assert.ok(!fill.hold("elsewhere"));
});

test("several are picked in order, and let go again", () => {
  const many = new PickFill(true);
  many.pick("b");
  many.pick("a");
  many.pick("b");
  const action = {};
  many.fill(action, { slot: "targets" });
  assert.deepEqual(action, { targets: ["a"] });
  many.back();
  assert.ok(!many.complete);
});

test("a stand lies exactly where the server lays it", () => {
  const unit = new StandsFill([pose("a", 0, 0), pose("b", 4, 0)]);
  unit.hold("b");
  unit.pointTo(3.123456, 0.5);
  assert.equal(unit.end.x, 3.1235);
  unit.lieAt(3.123456, 0);
  assert.deepEqual(unit.preview().map(({ x, y }) => [x, y]), [[3.123456, 0]]);
  const action = {};
  unit.fill(action, { slot: "moves" });
  assert.deepEqual(action.moves, [{ stand: "b", path: [{ to: [3.123456, 0] }] }]);
});

test("heights are those of what lies at a place", () => {
  const square = { part: "ground", corners: [[0, 0], [4, 0], [4, 4], [0, 4]], holes: [[[1, 1], [2, 1], [2, 2], [1, 2]]] };
  const floor = { type: "floor", bottom: 2.8, top: 3, shapes: [square] };
  const round = { type: "piece", bottom: 0, top: 1, shapes: [{ part: "ground", circle: [3, 3, 1] }] };
  assert.deepEqual(heightsUnder([floor, round], 3, 3, 0), [0, 1, 3]);
  assert.deepEqual(heightsUnder([floor, round], 1.5, 1.5, 0), [0]);
  assert.deepEqual(heightsUnder([floor], 9, 9, 6), [0, 6]);
});

test("ids in sentences are read as names, words are left alone", () => {
  learn({
    groups: [{ id: "first", name: "First Company", members: ["first-1", "first-2"] }],
    figures: [
      { id: "A1", name: "Spear company", unit: null },
      { id: "first-1", name: "first-1", unit: "first" },
      { id: "first-2", name: "first-2", unit: "first" },
    ],
    gone: [],
  });
  assert.equal(named("A1 halts on contact with first-2."), "Spear company halts on contact with First Company 2.");
  assert.equal(named("the first move of A12 and first-21"), "the first move of A12 and first-21");
  assert.equal(nameOf("first"), "First Company");
  assert.equal(nameOf("nobody"), undefined);
});

test("a way round stands in for the straight leg until the hand moves on", () => {
  const way = new PathFill(pose("a", 1, 1));
  way.pointTo(3, 3);
  assert.deepEqual(way.direct, [3, 3]);
  way.bend([{ to: [1, 3] }, { to: [3, 3] }]);
  assert.equal(way.direct, null);
  assert.deepEqual(way.legs, [{ to: [1, 3] }, { to: [3, 3] }]);
  way.turn(10);
  assert.equal(way.legs.length, 3);
  way.pointTo(4, 3);
  assert.deepEqual(way.legs, [{ to: [4, 3] }, { by: 10 }]);
});
