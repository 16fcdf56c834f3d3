"""Ways of stands and narrow gaps against dense sampling: overlap, corner travel, zones."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from shapely import MultiPoint, Point, Polygon

import tapeline as tl
from oracle.oracle_stands import Pose, base, corners, sampled, scene
from tapeline.engine.paths import Leg
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.measures import MoveSpec, study_of

pytestmark = pytest.mark.compiled

STEPS = 160
MOVER: Pose = (60.0, 60.0, 90.0)


def _somewhere(rng: Random) -> Pose:
    far, way = rng.uniform(3.5, 15.0), rng.uniform(0.0, math.tau)
    x, y = MOVER[0] + far * math.cos(way), MOVER[1] + far * math.sin(way)
    return x, y, rng.choice([0.0, 90.0, rng.uniform(0.0, 360.0)])


def _legs(rng: Random) -> list[dict[str, Any]]:
    legs: list[dict[str, Any]] = []
    x, y = MOVER[:2]
    for _ in range(rng.randint(1, 3)):
        kind = rng.randrange(3)
        by = rng.uniform(-150.0, 150.0)
        if kind == 2:
            centre = (x + rng.uniform(-4.0, 4.0), y + rng.uniform(-4.0, 4.0))
            legs.append({"centre": centre, "by": by})
            a = math.radians(by)
            dx, dy = x - centre[0], y - centre[1]
            x = centre[0] + dx * math.cos(a) - dy * math.sin(a)
            y = centre[1] + dx * math.sin(a) + dy * math.cos(a)
            continue
        x, y = x + rng.uniform(-8.0, 8.0), y + rng.uniform(-8.0, 8.0)
        legs.append({"to": (x, y)} if kind == 0 else {"to": (x, y), "by": by, "how": "free"})
    return legs


def test_ways_of_stands(budget: Callable[[int, int], int]) -> None:
    rng, met, passed = Random(11), 0, 0
    for _ in range(budget(250, 10_000)):
        friend, foe = _somewhere(rng), _somewhere(rng)
        rock = Polygon(corners(_somewhere(rng), 3.0, 5.0))
        shapes = {"friend": base(friend), "foe": base(foe), "terrain": rock}
        start = base(MOVER)
        if any(start.distance(s) < 0.01 for s in shapes.values()):
            continue
        if shapes["friend"].distance(shapes["foe"]) < 0.01 or rock.distance(shapes["foe"]) < 0.01:
            continue
        if rock.distance(shapes["friend"]) < 0.01:
            continue
        legs = _legs(rng)
        piece = {
            "id": "rock",
            "kind": "impassable",
            "shape": {"polygon": [list(c) for c in rock.exterior.coords[:-1]]},
        }
        battle = tl.load(
            scene({"U": ("red", [MOVER]), "F": ("red", [friend]), "E": ("blue", [foe])}, [piece])
        )
        path = tuple(Leg(**leg) for leg in legs)
        stands = (StandMove(stand="U-0", path=path),)
        spec = MoveSpec(unit="U", kind="order", stands=stands, allowance=1e9)
        study = study_of(battle.state, spec).stands[0]
        ways = list(sampled(MOVER, legs, STEPS))
        straight, followed = [0.0] * 4, [0.0] * 4
        for poses in ways:
            rows = [corners(pose, 4.0, 2.0) for pose in poses]
            for k in range(4):
                straight[k] += math.dist(rows[0][k], rows[-1][k])
                followed[k] += sum(math.dist(a[k], b[k]) for a, b in pairwise(rows))
        assert study.distance("straight") == pytest.approx(max(straight), abs=1e-9)
        assert study.distance("arc") == pytest.approx(max(followed), abs=5e-3)
        assert study.distance("arc") >= max(followed) - 1e-9
        for sort, shape in shapes.items():
            bases = [base(pose) for poses in ways for pose in poses]
            depth = max(b.intersection(shape).area for b in bases)
            gap = min(b.distance(shape) for b in bases)
            if depth > 1e-6:
                met += 1
                meeting = next(iter(study.meetings_of(sort)), None)
                assert meeting is not None, (legs, sort, depth)
                assert Point(meeting.place).distance(shape) < 1e-4
            elif gap > 0.15:
                passed += 1
                assert not study.meetings_of(sort), (legs, sort, gap)
    assert min(met, passed) > 50


def _zone(a: Polygon, b: Polygon, width: float) -> Polygon:
    """The narrow zone of two bases from points on their borders and inside."""

    def near(one: Polygon, other: Polygon) -> list[Point]:
        return list(
            one.intersection(other.buffer(width, quad_segs=64)).exterior.segmentize(0.05).coords
        )

    hull = MultiPoint([*near(a, b), *near(b, a)]).convex_hull
    return hull.difference(a).difference(b)


def test_narrow_gaps(budget: Callable[[int, int], int]) -> None:
    rng, barred, free = Random(12), 0, 0
    for _ in range(budget(250, 10_000)):
        one = (
            rng.uniform(54.0, 58.0),
            70.0 + rng.uniform(-2, 2),
            rng.choice([270.0, 250.0, 300.0]),
        )
        apart = rng.uniform(6.0, 9.0)
        two = (one[0] + apart, 70.0 + rng.uniform(-2, 2), rng.choice([270.0, 290.0, 200.0]))
        middle = one[0] + 0.5 * apart + rng.uniform(-1.0, 1.0)
        mover = (middle, 60.0, rng.choice([0.0, 0.0, rng.uniform(-30.0, 30.0), 90.0]))
        a, b, start = base(one), base(two), base(mover)
        gap = a.distance(b)
        if gap < 0.05 or abs(gap - 4.0) < 0.02 or min(start.distance(a), start.distance(b)) < 0.05:
            continue
        shift = (rng.uniform(-0.4, 0.4), rng.uniform(2.0, 18.0))
        to = (mover[0] + shift[0], mover[1] + shift[1])
        swept = MultiPoint(
            [*corners(mover, 4.0, 2.0), *corners((*to, mover[2]), 4.0, 2.0)]
        ).convex_hull
        document = scene(
            {"U": ("red", [mover]), "X": ("blue", [one]), "Y": ("blue", [two])},
        )
        document["turn"] = {"phase": "orders", "active": "red"}
        document["units"][0]["state"] = {"may_move": "order"}
        stands = [{"stand": "U-0", "path": [{"to": list(to)}]}]
        verdict = tl.load(document).judge({"kind": "move", "actor": "U", "stands": stands})
        found = any(f.clause == "WM-GAP-2" for f in verdict.findings)
        if gap > 4.0:
            free += 1
            assert not found
            continue
        zone = _zone(a, b, 4.0)
        if start.distance(zone) < 0.05 or min(swept.distance(a), swept.distance(b)) == 0.0:
            continue
        if swept.buffer(-0.03).intersects(zone):
            barred += 1
            assert found, (one, two, mover, to)
        elif swept.distance(zone) > 0.03:
            free += 1
            assert not found, (one, two, mover, to)
    assert min(barred, free) > 25
