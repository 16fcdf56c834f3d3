// Shortest ways on a navigation mesh, asked for on standard input and told on standard output, as JSON.
// In: positions and indices of triangles (y is up), config of the mesh, pairs of places, repeats.
// Out: built (ms), paths (corners of each way, null for none), times (ms a query, one for each pair).
import { readFileSync } from "node:fs";
import { init, NavMeshQuery } from "@recast-navigation/core";
import { generateSoloNavMesh } from "@recast-navigation/generators";

const asked = JSON.parse(readFileSync(0, "utf-8"));
await init();
const begun = performance.now();
const { success, navMesh, error } = generateSoloNavMesh(asked.positions, asked.indices, asked.config);
if (!success) throw new Error(error);
const built = performance.now() - begun;
const query = new NavMeshQuery(navMesh);
const vector = ([x, y, z]) => ({ x, y, z });
const paths = [];
const times = [];
for (const [start, goal] of asked.pairs) {
  const [one, two] = [vector(start), vector(goal)];
  const { success: found, path } = query.computePath(one, two);
  paths.push(found ? path.map(({ x, y, z }) => [x, y, z]) : null);
  const since = performance.now();
  for (let k = 0; k < asked.repeats; k++) query.computePath(one, two);
  times.push((performance.now() - since) / asked.repeats);
}
process.stdout.write(JSON.stringify({ built, paths, times }));
