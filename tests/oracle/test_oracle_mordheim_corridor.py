"""The corridor beside a charge against dense points: of the route, of the corridor, of bases."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tapeline.engine.paths import Place
from tapeline.engine.state import Side, State, Turn
from tapeline.rules.mordheim.corridor import interceptors
from tapeline.rules.mordheim.figures import OPTIONS
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.marks import Marks
from tapeline.table.terrain import Battlefield
from tapeline.travel.route import Route, Stretch

pytestmark = pytest.mark.compiled

Points = NDArray[np.float64]

#: Inches: nearer to a limit than this, dense points cannot tell.
_UNSURE = 0.03


class Scene(NamedTuple):
    state: State
    charger: Body
    enemy: Body
    track: Route


def _option_values(rng: random.Random) -> Marks:
    values = {spec.name: next(iter(spec.values)) for spec in OPTIONS}
    values["distance_mode"] = rng.choice(["base3d", "base3d", "plan2d"])
    values["intercept_from"] = rng.choice(["centre_line", "swept_base"])
    values["intercept_caps"] = rng.choice(["flat", "flat", "round"])
    return Marks(values)


def scene(case: int) -> Scene:
    rng = random.Random(case)
    at = Place(20.0, 20.0, 0.0)
    start = at
    parts: list[Stretch] = []
    heading = rng.uniform(0, math.tau)
    for _ in range(rng.randint(1, 4)):
        if parts and rng.random() < 0.35:
            # Round a corner, as routes of round bases go: a tangent arc.
            r, sign = rng.choice([0.5, 0.5, 3.0]), rng.choice([-1, 1])
            cx = at.x - r * sign * math.sin(heading)
            cy = at.y + r * sign * math.cos(heading)
            sweep = sign * rng.uniform(0.2, 1.8)
            bent = Stretch(at, at, arc=(cx, cy, sweep))
            part = Stretch(at, Place(*bent.leg.end, at.z), arc=bent.arc)
            heading += sweep
        else:
            if parts and rng.random() < 0.5:
                heading += rng.uniform(-2, 2)
            far = rng.uniform(0.4, 4)
            z = max(0.0, at.z + rng.choice([0.0, 0.0, rng.uniform(-2, 2)]))
            x, y = at.x + far * math.cos(heading), at.y + far * math.sin(heading)
            part = Stretch(at, Place(x, y, z))
        parts.append(part)
        at = part.end
    near = rng.choice(parts).at(rng.random())
    angle, off = rng.uniform(0, math.tau), rng.uniform(0.5, 4.5)
    place = (near.x + off * math.cos(angle), near.y + off * math.sin(angle))
    base = Rectangle(0.8, 1.6) if rng.random() < 0.3 else Round(rng.choice([0.4, 0.5]))
    charger = Body("c", "red", "c", Round(0.5), *start)
    z = max(0.0, near.z + rng.choice([0.0, 0.0, rng.uniform(-2, 2)]))
    enemy = Body("e", "blue", "e", base, *place, z, rng.uniform(0, 360))
    state = State(
        "mordheim",
        "",
        Battlefield(40.0, 40.0, "in"),
        (Side("red", "Red"), Side("blue", "Blue")),
        {"c": charger, "e": enemy},
        turn=Turn(active="red"),
        options=_option_values(rng),
    )
    return Scene(state, charger, enemy, Route(start, tuple(parts)))


def base_points(enemy: Body) -> Points:
    """Points all over a base and on its rim."""
    c, s = math.cos(math.radians(enemy.facing)), math.sin(math.radians(enemy.facing))
    if isinstance(enemy.base, Round):
        found = [
            (r * math.cos(a), r * math.sin(a))
            for r in enemy.base.radius * np.linspace(0, 1, 9)
            for a in np.linspace(0, math.tau, 72, endpoint=False)
        ]
    else:
        half, wide = 0.5 * enemy.base.depth, 0.5 * enemy.base.width
        found = [
            (i * c - j * s, i * s + j * c)
            for i in np.linspace(-half, half, 33)
            for j in np.linspace(-wide, wide, 17)
        ]
    return np.array(found) + np.array(enemy.centre)


def dense(track: Route) -> tuple[Points, Points]:
    """Many points of a route and the way it goes there."""
    spots, ways = [], []
    for part in track.parts:
        assert isinstance(part, Stretch)
        for t in np.linspace(0, 1, 240):
            spots.append(part.at(t))
            if part.arc is None:
                dx, dy = part.end.x - part.start.x, part.end.y - part.start.y
            else:
                cx, cy, sweep = part.arc
                here = part.at(t)
                dx, dy = (
                    -math.copysign(1, sweep) * (here.y - cy),
                    math.copysign(1, sweep) * (here.x - cx),
                )
            d = math.hypot(dx, dy)
            ways.append((dx / d, dy / d))
    return np.array(spots), np.array(ways)


def intercepts(s: Scene) -> bool | None:
    """What dense points say; None where they are too near to a limit to tell."""
    width = 2.0 + (0.5 if s.state.option("intercept_from") == "swept_base" else 0.0)
    spots, ways = dense(s.track)
    base = base_points(s.enemy)
    flat = np.min(np.hypot(*(spots[:, None, :2] - base[None]).transpose(2, 0, 1)), axis=1)
    rise = np.zeros_like(flat)
    if s.state.option("distance_mode") == "base3d":
        rise = spots[:, 2] - s.enemy.z
    distance = float(np.min(np.hypot(flat, rise)))
    if abs(distance - width) < _UNSURE:
        return None
    if distance > width:
        return False
    if s.state.option("intercept_caps") == "round":
        return True
    verdicts = {_meets(s, spots, ways, base, width + grown) for grown in (-_UNSURE, _UNSURE)}
    return verdicts.pop() if len(verdicts) == 1 else None


def _meets(s: Scene, spots: Points, ways: Points, base: Points, width: float) -> bool:
    """Whether a point of the base lies on a normal of the route, or in the disc at a corner.

    A width less than the true one is taken together with a route shorter at its ends.
    """
    short = width < 2.0 or 2.25 < width < 2.5
    per_part = len(spots) // len(s.track.parts)
    for index, part in enumerate(s.track.parts):
        assert isinstance(part, Stretch)
        here, way = spots[index * per_part :][:per_part], ways[index * per_part :][:per_part]
        if part.arc is None:
            a, u = here[0, :2], way[0]
            far = math.dist(here[0, :2], here[-1, :2])
            along = (base - a) @ u
            across = np.abs((base - a) @ np.array([-u[1], u[0]]))
            room = -_UNSURE if short else _UNSURE
            if np.any((along >= -room) & (along <= far + room) & (across <= width)):
                return True
        else:
            cx, cy, sweep = part.arc
            r = math.hypot(part.start.x - cx, part.start.y - cy)
            begin = math.atan2(part.start.y - cy, part.start.x - cx)
            d = np.hypot(base[:, 0] - cx, base[:, 1] - cy)
            angle = np.arctan2(base[:, 1] - cy, base[:, 0] - cx)
            for turn, low, high in ((0.0, r - width, r + width), (math.pi, 0.0, width - r)):
                if high <= 0.0:
                    continue
                turned = np.mod(np.sign(sweep) * (angle - begin - turn), math.tau)
                room = (-_UNSURE if short else _UNSURE) / np.maximum(d, 0.05)
                inside = (turned <= abs(sweep) + room) | (turned >= math.tau - room)
                if short:
                    inside = (turned >= -room) & (turned <= abs(sweep) + room)
                if np.any(inside & (d >= low) & (d <= high)):
                    return True
        if index == 0:
            continue
        before = ways[index * per_part - 1]
        if abs(before[0] * way[0][1] - before[1] * way[0][0]) > 1e-6 or before @ way[0] < 0.0:
            x, y = here[0, :2]
            if np.any(np.hypot(base[:, 0] - x, base[:, 1] - y) <= width):
                return True
    return False


def test_interceptors_against_dense_points(budget: Callable[[int, int], int]) -> None:
    tally = {True: 0, False: 0, None: 0}
    for case in range(budget(150, 10_000)):
        s = scene(case)
        wanted = intercepts(s)
        tally[wanted] += 1
        if wanted is None:
            continue
        found = interceptors(s.state, s.charger, s.track, ())
        assert bool(found) == wanted, case
    assert tally[True] > 40
    assert tally[False] > 40
    assert tally[None] < 0.2 * sum(tally.values())
