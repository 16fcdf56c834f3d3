"""SOVL shots against arc, range and sight made from the rule notes alone: sampled points, shapely.

Samples decide where they agree with themselves: what cuts sight a twentieth of an inch larger and
smaller, the arc a twentieth narrower and wider. Limits are for the cases.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from shapely import LineString, Point, Polygon, affinity, box

from tapeline.engine.codec import parse_action
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.rules.sovl import SYSTEM
from tapeline.table.scene import parse_scene

RANGE_IN = 20.0
GRID = np.linspace(0.0, 1.0, 13)


def block(x: float, y: float, facing: float) -> Polygon:
    """Four inches across the front, two deep."""
    return affinity.translate(affinity.rotate(box(-1, -2, 1, 2), facing, (0, 0)), x, y)


def unit(name: str, side: str, pose: tuple[float, ...]) -> dict[str, object]:
    return {
        "id": name,
        "side": side,
        "profile": {"like": "Infantry", "weapon": "Shortbow"},
        "models": 10,
        "files": 5,
        "position": list(pose[:2]),
        "facing": pose[2],
        "base": {"rectangle": [4, 2]},
    }


def corners(piece: Polygon) -> list[list[float]]:
    return [list(map(float, corner)) for corner in list(piece.exterior.coords)[:4]]


def seen(
    front: Point, facing: float, target: Polygon, cuts: list[Polygon], half: float, give: float = 0
) -> bool:
    """Whether some sampled point of the target lies in the arc and nothing cuts the way there.

    give: inches by which what cuts is made smaller, but for what holds an end of the way.
    """
    ux, uy = math.cos(math.radians(facing)), math.sin(math.radians(facing))
    (ax, ay), (bx, by), _, (dx, dy) = corners(target)
    for s in GRID:
        for t in GRID:
            x, y = ax + s * (bx - ax) + t * (dx - ax), ay + s * (by - ay) + t * (dy - ay)
            east, north = x - front.x, y - front.y
            ahead, aside = east * ux + north * uy, abs(north * ux - east * uy)
            if ahead < 0.0 or aside > half + ahead:
                continue
            way, end = LineString([front, (x, y)]), Point(x, y)
            if not any(
                way.intersects(cut.buffer(-give, join_style="mitre"))
                for cut in cuts
                if not cut.covers(front) and not cut.covers(end)
            ):
                return True
    return False


@pytest.mark.parametrize("seed", range(6))
def test_shots_are_judged_alike(seed: int) -> None:
    rng = Random(f"sovl shots {seed}")
    decided = 0
    for _ in range(12):
        facing, far = rng.uniform(0, 360), rng.uniform(6, 24)
        toward = math.radians(facing + rng.uniform(-65, 65))
        goal = (48 + far * math.cos(toward), 36 + far * math.sin(toward))
        poses: list[tuple[float, ...]] = [(48.0, 36.0, facing), (*goal, rng.uniform(0, 360))]
        shares = [rng.uniform(0.0, 1.1) for _ in range(4)]
        spots = [
            tuple(a + s * (b - a) + rng.uniform(-3, 3) for a, b in zip((48, 36), goal, strict=True))
            for s in shares
        ]
        poses.append((*spots[0], rng.uniform(0, 360)))
        own, target, other = (block(*pose) for pose in poses)
        if other.intersects(own) or other.intersects(target):
            continue
        woods = [
            affinity.rotate(box(x - w, y - h, x + w, y + h), rng.uniform(0, 180))
            for (x, y) in spots[1:]
            for w, h in [(rng.uniform(0.3, 2), rng.uniform(0.3, 3))]
        ]
        arc, measure, units = (
            rng.choice(tuple(SYSTEM.option(name).values))  # type: ignore[union-attr]
            for name in ("los.arc", "range.measure", "los.units_block")
        )
        scene = {
            "format": "tapeline-scene/1",
            "system": "sovl",
            "options": {"los.arc": arc, "range.measure": measure, "los.units_block": units},
            "table": {"width": 96, "depth": 72, "unit": "in"},
            "terrain": [
                {"id": f"T{n}", "kind": "forest", "shape": {"polygon": corners(wood)}}
                for n, wood in enumerate(woods)
            ],
            "sides": [{"id": "red"}, {"id": "blue"}],
            "units": [
                unit(who, "red" if who == "A" else "blue", pose)
                for who, pose in zip("ABC", poses, strict=True)
            ],
            "turn": {"active": "red"},
        }
        state = state_from_scene(parse_scene(scene), SYSTEM)
        begun = Session(SYSTEM, state, parse_action(SYSTEM, {"kind": "activate", "actor": "A"}))
        order = parse_action(SYSTEM, {"kind": "shoot", "actor": "A", "target": "B"})
        verdict = Session(SYSTEM, begun.state, order).verdict
        broken = {f.clause for f in verdict.findings}
        ux, uy = math.cos(math.radians(facing)), math.sin(math.radians(facing))
        front = Point(48 + ux, 36 + uy)
        distance = (own if measure == "edge_to_edge" else front).distance(target)
        assert ("SV-RNG-1" in broken) == (distance > RANGE_IN)
        half = 2.0 if arc == "corner45" else 0.0
        cuts = [*woods, *([other] if units == "true" else [])]
        in_arc = {seen(front, facing, target, [], half + d) for d in (-0.05, 0.05)}
        in_sight = {seen(front, facing, target, cuts, half + d, d) for d in (-0.05, 0.0, 0.05)}
        if len(in_arc) == 1:
            assert ("SV-LOS-1" in broken) != in_arc.pop()
        if len(in_sight) == 1:
            decided += 1
            assert (broken.isdisjoint({"SV-LOS-1", "SV-LOS-2"})) == in_sight.pop()
    assert decided > 3
