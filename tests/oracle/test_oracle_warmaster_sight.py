"""The closest visible enemy against dense rays: what a ray finds is seen, lines given are free."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from shapely import LineString, Polygon

import tapeline as tl
from oracle.oracle_stands import Pose, base, corners, scene
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.sight import line_of_sight

STEPS = 14


def _points(a: tuple[float, float], b: tuple[float, float]) -> list[tuple[float, float]]:
    shares = [k / STEPS for k in range(STEPS + 1)]
    return [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in shares]


def _ray(viewer: Pose, target: Pose, blockers: list[Polygon]) -> bool:
    """Whether some ray from the front edge to the border of a stand misses all blockers."""
    front = corners(viewer, 4.0, 2.0)[:2]
    border = corners(target, 4.0, 2.0)
    facing = math.radians(viewer[2])
    grown = [blocker.buffer(1e-3) for blocker in blockers]
    for q in _points(*front):
        for k in range(4):
            for z in _points(border[k], border[(k + 1) % 4]):
                ahead = (z[0] - q[0]) * math.cos(facing) + (z[1] - q[1]) * math.sin(facing)
                if ahead > 1e-3 and not any(LineString([q, z]).intersects(g) for g in grown):
                    return True
    return False


def test_the_closest_visible_enemy(budget: Callable[[int, int], int]) -> None:
    rng, seen, hidden, answered = Random(13), 0, 0, 0
    for _ in range(budget(250, 10_000)):
        own: Pose = (60.0, 60.0, 90.0)
        stands: dict[str, tuple[str, list[Pose]]] = {"U": ("red", [own])}
        shapes = {"U": base(own)}
        for k in range(rng.randint(3, 6)):
            far, way = rng.uniform(3.0, 25.0), rng.uniform(-0.2, math.pi + 0.2)
            pose = (
                60.0 + far * math.cos(way),
                60.0 + far * math.sin(way),
                rng.choice([0.0, 90.0, 270.0, rng.uniform(0.0, 360.0)]),
            )
            if all(base(pose).distance(other) > 0.05 for other in shapes.values()):
                name = f"E{k}" if rng.random() < 0.7 else f"F{k}"
                stands[name] = ("blue" if name[0] == "E" else "red", [pose])
                shapes[name] = base(pose)
        state = tl.load(scene(stands)).state
        unit = state.units["U"]
        gaps: dict[str, float] = {}
        for name, (side, poses) in stands.items():
            if side == "red":
                continue
            blockers = [s for other, s in shapes.items() if other not in ("U", name)]
            line = line_of_sight(state, unit, state.units[name])
            if line is None:
                hidden += 1
                assert not _ray(own, poses[0], blockers), (stands, name)
                continue
            seen += 1
            drawn = LineString(line)
            front = LineString(corners(own, 4.0, 2.0)[:2])
            assert front.distance(drawn.boundary.geoms[0]) < 1e-6
            assert shapes[name].distance(drawn.boundary.geoms[1]) < 1e-6
            assert line[1][1] > line[0][1], "the unit faces up the table"
            assert all(drawn.distance(blocker) > 1e-6 for blocker in blockers), (stands, name)
            gap = shapes["U"].distance(shapes[name])
            if gap <= 20.0:
                gaps[name] = gap
        least = min(gaps.values(), default=math.inf)
        wanted = {name for name, gap in gaps.items() if gap <= least + 1e-6}
        assert {c.unit.id for c in targets_of(state, unit)} == wanted
        answered += bool(wanted)
    assert min(seen, hidden, answered) > 20
