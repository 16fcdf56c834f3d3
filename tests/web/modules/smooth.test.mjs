// Borders of reach as smooth curves; run by tests/web/test_page_modules.py.

import assert from "node:assert/strict";
import { test } from "node:test";

const board = new URL("../../../src/tapeline/web/static/board/", import.meta.url);
const { smoothPath } = await import(new URL("smooth.js", board).href);

/** Middles of the curves of a path. */
const middles = (path, from) =>
  [...path.matchAll(/C(\S+) (\S+) (\S+) (\S+) (\S+) (\S+?)(?=[CLz])/g)].reduce(
    ({ a, found }, [, ...numbers]) => {
      const [bx, by, cx, cy, dx, dy] = numbers.map(Number);
      found.push([(a[0] + 3 * bx + 3 * cx + dx) / 8, (a[1] + 3 * by + 3 * cy + dy) / 8]);
      return { a: [dx, dy], found };
    },
    { a: from, found: [] },
  ).found;

test("a coarse circle is drawn round, a square as it is", () => {
  const ring = Array.from({ length: 12 }, (_, n) => [6 * Math.cos((n * Math.PI) / 6), 6 * Math.sin((n * Math.PI) / 6)]);
  const found = middles(smoothPath(ring), ring[0]);
  assert.equal(found.length, 12);
  // A chord would come as near as 5.8.
  for (const [x, y] of found) assert.ok(Math.abs(Math.hypot(x, y) - 6) < 0.02, `${x}, ${y}`);
  assert.doesNotMatch(smoothPath([[0, 0], [4, 0], [4, 4], [0, 4]]), /C/);
});

test("a long side between short ones stays straight", () => {
  const arc = Array.from({ length: 7 }, (_, n) => [10 + Math.sin((n * Math.PI) / 6), -Math.cos((n * Math.PI) / 6)]);
  const path = smoothPath([[0, -1], ...arc, [0, 1]]);
  assert.match(path, /^M0 -1L10 -1C/);
});
