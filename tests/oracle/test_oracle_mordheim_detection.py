"""Where hidden models are found along a way, against dense sampling: of the way for distances, of
the way and of segments for sight. Before the place found nothing may show; just after it, it must.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from tapeline.engine.paths import Place
from tapeline.engine.state import Side, State, Turn
from tapeline.rules.mordheim.figures import OPTIONS
from tapeline.rules.mordheim.hide import Exposure, exposures
from tapeline.rules.mordheim.sight import sees
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.marks import Marks
from tapeline.table.terrain import Battlefield, Piece, Polygon
from tapeline.travel.route import Route, Stretch

from .oracle_beams import Block, a_free_segment

pytestmark = pytest.mark.compiled

#: Places looked at along a way, and segments tried at each.
_PLACES = 16
_SEGMENTS = 300


class Scene(NamedTuple):
    state: State
    mover: Body
    hider: Body
    track: Route
    walls: list[Block]


def _options(rng: random.Random) -> Marks:
    values = {spec.name: next(iter(spec.values)) for spec in OPTIONS}
    values["distance_mode"] = rng.choice(["base3d", "plan2d"])
    return Marks(values)


def _model(rng: random.Random, name: str, side: str, place: Place) -> Body:
    shape = Rectangle(0.8, 1.6) if rng.random() < 0.2 else Round(rng.choice([0.4, 0.5]))
    stats = Marks({"movement": 4, "initiative": rng.choice([1, 3, 4]), "height": 1.25})
    return Body(name, side, name, shape, *place, rng.uniform(0, 90), stats=stats)


def _track(rng: random.Random, start: Place) -> Route:
    parts: list[Stretch] = []
    at = start
    for _ in range(rng.randint(1, 3)):
        how = rng.random()
        if how < 0.15:
            # An arc about a point beside the way, on the level.
            turn, r = rng.uniform(0, math.tau), rng.uniform(0.3, 2.0)
            cx, cy = at.x + r * math.cos(turn), at.y + r * math.sin(turn)
            part = Stretch(at, at, arc=(cx, cy, rng.uniform(-2, 2)))
            end = Place(*part.leg.end, at.z)
            part = Stretch(at, end, arc=part.arc)
        else:
            rise = rng.uniform(-1, 1) if how < 0.3 else 0.0
            turn, far = rng.uniform(0, math.tau), rng.uniform(0.5, 3.0)
            end = Place(
                at.x + far * math.cos(turn), at.y + far * math.sin(turn), max(0.0, at.z + rise)
            )
            part = Stretch(at, end)
        parts.append(part)
        at = part.end
    return Route(start, tuple(parts))


def scene(case: int) -> Scene:
    rng = random.Random(case)
    walls = []
    pieces = []
    hx, hy = rng.uniform(9, 11), rng.uniform(9, 11)
    for index in range(rng.randint(2, 6)):
        # The first stands between the two, others anywhere about the hider.
        x, y = hx + rng.uniform(-4, 4), hy + rng.uniform(-4, 4)
        w, d = rng.choice([(0.2, rng.uniform(1, 8)), (rng.uniform(1, 5), 0.2), (1.5, 1.0)])
        low = rng.choice([0.0, 0.0, 0.0, 1.5])
        top = low + rng.choice([0.6, 0.75, 1.0, 3.0])
        if index == 0:
            x, y, w, d = hx - rng.uniform(0.9, 1.5), hy + rng.uniform(-1, 1), 0.2, rng.uniform(3, 9)
            low, top = 0.0, rng.choice([0.75, 1.0, 3.0, 3.0])
        ring = ((x - w / 2, y - d / 2), (x + w / 2, y - d / 2), (x + w / 2, y + d / 2))
        corners = (*ring, (x - w / 2, y + d / 2))
        walls.append(Block(corners, 0.0, low, top))
        traits = frozenset({"solid"})
        pieces.append(Piece(f"w{index}", "block", "wall", (Polygon(corners),), low, top, traits))
    z = rng.choice([0.0, 0.0, 0.0, 2.0])
    mover = _model(rng, "m", "red", Place(hx - rng.uniform(2.5, 8), hy + rng.uniform(-4, 4), z))
    hider = _model(rng, "h", "blue", Place(hx, hy, 0.0))
    if rng.random() < 0.5:
        hider = hider.marked(hidden=True)
    else:
        mover = mover.marked(hidden=True)
    state = State(
        "mordheim",
        "",
        Battlefield(20.0, 20.0, "in", tuple(pieces)),
        (Side("red", "Red"), Side("blue", "Blue")),
        {"m": mover, "h": hider},
        turn=Turn(active="red"),
        options=_options(rng),
    )
    return Scene(state, mover, hider, _track(rng, Place(mover.x, mover.y, mover.z)), walls)


def block(body: Body, place: Place) -> Block:
    top = place.z + (0.625 if body.has("hidden") else 1.25)
    if isinstance(body.base, Round):
        return Block(((place.x, place.y),), body.base.radius, place.z, top)
    c, s = math.cos(math.radians(body.facing)), math.sin(math.radians(body.facing))
    half, wide = 0.5 * body.base.depth, 0.5 * body.base.width
    corners = tuple(
        (place.x + i * half * c - j * wide * s, place.y + i * half * s + j * wide * c)
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return Block(corners, 0.0, place.z, top)


def _edge_gap(a: Block, b: Block) -> float:
    from shapely.geometry import MultiPoint

    one, two = MultiPoint(a.corners).convex_hull, MultiPoint(b.corners).convex_hull
    return max(0.0, float(one.distance(two)) - a.radius - b.radius)


def gap(scene: Scene, place: Place) -> float:
    still = Place(scene.hider.x, scene.hider.y, scene.hider.z)
    flat = _edge_gap(block(scene.mover, place), block(scene.hider, still))
    if scene.state.option("distance_mode") == "plan2d":
        return flat
    return math.hypot(flat, place.z - still.z)


def reach(scene: Scene) -> float:
    finder = scene.mover if scene.hider.has("hidden") else scene.hider
    value = finder.stats["initiative"]
    assert isinstance(value, int)
    return float(value)


def shows(scene: Scene, place: Place, many: np.random.Generator, tries: int) -> bool:
    one = block(scene.mover, place)
    two = block(scene.hider, Place(scene.hider.x, scene.hider.y, scene.hider.z))
    walls = [w for w in scene.walls if not _in_wall(w, one) and not _in_wall(w, two)]
    return a_free_segment(many, one, two, walls, tries, 1e-6) is not None


def _in_wall(wall: Block, body: Block) -> bool:
    if wall.top <= body.bottom or wall.bottom >= body.top:
        return False
    return _edge_gap(wall, body) <= 0.0


def walks_through(scene: Scene, place: Place) -> bool:
    """Whether a base is in a wall there: no way of the rules leads through one."""
    return any(_in_wall(w, block(scene.mover, place)) for w in scene.walls)


def places(scene: Scene, count: int) -> list[tuple[float, Place]]:
    found = []
    gone = 0.0
    for part in scene.track.parts:
        assert isinstance(part, Stretch)
        n = max(2, round(count * part.length / max(scene.track.length, 1e-9)))
        found += [(gone + part.length * k / n, part.at(k / n)) for k in range(n + 1)]
        gone += part.length
    return found


def on_track(scene: Scene, travelled: float) -> Place:
    gone = 0.0
    for part in scene.track.parts:
        assert isinstance(part, Stretch)
        if travelled <= gone + part.length:
            return part.at((travelled - gone) / part.length)
        gone += part.length
    return scene.track.end


def test_first_place_found_along_a_way(budget: Callable[[int, int], int]) -> None:
    found = {"": 0, "MH-HIDE-6": 0, "MH-HIDE-9": 0, "MH-HIDE-11": 0}
    for case in range(budget(120, 10_000)):
        s = scene(case)
        along = places(s, _PLACES)
        if any(walks_through(s, place) for _, place in along):
            continue
        still = Place(s.hider.x, s.hider.y, s.hider.z)
        if any(_in_wall(w, block(s.hider, still)) for w in s.walls):
            continue
        many = np.random.default_rng(case)
        results = exposures(s.state, s.mover, s.track)
        assert len(results) <= 1
        first: Exposure | None = results[0] if results else None
        found[first.clause if first else ""] += 1
        upto = first.travelled if first else s.track.length + 1.0
        limit = reach(s)
        for travelled, place in along:
            if travelled < upto - 1e-6:
                assert gap(s, place) > limit - 1e-6, case
                assert not shows(s, place, many, _SEGMENTS), case
        if first is None:
            continue
        assert math.dist(first.place, on_track(s, first.travelled)) < 1e-6, case
        if first.clause == "MH-HIDE-11":
            assert abs(gap(s, first.place) - limit) < 1e-5 or (
                first.travelled == 0.0 and gap(s, first.place) <= limit + 1e-6
            ), case
        else:
            assert first.body == ("h" if s.hider.has("hidden") else "m")
            ahead = on_track(s, min(first.travelled + 0.2, s.track.length))
            if first.travelled > 0.0 and not shows(s, ahead, many, 50 * _SEGMENTS):
                # Out of view again, or a slit too narrow to hit at random.
                narrow = on_track(s, min(first.travelled + 1e-3, s.track.length))
                mover = s.mover.at(narrow.x, narrow.y, narrow.z)
                assert sees(s.state, mover, s.hider), case
    assert min(found.values()) > budget(2, 15), found
