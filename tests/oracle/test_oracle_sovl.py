"""SOVL against a slow referee made from the rule notes alone: sampled poses and shapely.

Chains of Advances and Pivots with what they cost and break, and Flight Moves with where they end.
Random tables do not come near a limit, so that samples decide; limits are for the clause tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from shapely.geometry import Point, Polygon
from shapely.geometry import box as bounds

from tapeline.dice import Roll
from tapeline.engine.asks import Answer
from tapeline.engine.codec import parse_action
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.errors import DocumentError
from tapeline.rules.sovl import SYSTEM
from tapeline.table.scene import parse_scene

WIDE, DEEP = 48.0, 36.0
TABLE = bounds(0, 0, WIDE, DEEP)
DIFFICULT, IMPASSABLE = ("forest", "swamp"), ("cliff", "building", "river", "lake")
#: Allowance and price of a pivot.
PROFILES = {
    "Infantry": (8.0, 1.0),
    "Cavalry": (16.0, 2.0),
    "Trolls": (12.0, 1.5),
    "Mongrel Skirmishers": (8.0, 1.0),
    "Giant Eagle": (20.0, 1.5),
}
OUTWARD = {"left": 180.0, "right": 0.0, "bottom": 270.0, "top": 90.0}

Doc = dict[str, Any]
Spans = list[list[tuple[float, float]]]


@dataclass(frozen=True)
class Pose:
    """A footprint. facing: degrees."""

    x: float
    y: float
    facing: float
    width: float
    depth: float

    def ahead(self, distance: float) -> Pose:
        turn = math.radians(self.facing)
        x, y = self.x + distance * math.cos(turn), self.y + distance * math.sin(turn)
        return replace(self, x=x, y=y)

    def turned(self, by: float) -> Pose:
        return replace(self, facing=self.facing + by)

    @property
    def shape(self) -> Polygon:
        c, s = math.cos(math.radians(self.facing)), math.sin(math.radians(self.facing))
        corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
        halves = [(e * self.depth / 2, f * self.width / 2) for e, f in corners]
        return Polygon([(self.x + a * c - b * s, self.y + a * s + b * c) for a, b in halves])

    @property
    def to_border(self) -> float:
        """Inches straight forward until a corner reaches the border of the table."""
        found = math.inf
        turn = math.radians(self.facing)
        for x, y in list(self.shape.exterior.coords)[:4]:
            for at, k, size in ((x, math.cos(turn), WIDE), (y, math.sin(turn), DEEP)):
                if abs(k) > 1e-12:
                    found = min(found, ((size if k > 0 else 0.0) - at) / k)
        return found


def over(a: Polygon, b: Polygon, area: float = 1e-7) -> bool:
    return bool(a.intersection(b).area > area)


def first(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where something that holds at `high` and not at `low` begins to, by bisection."""
    for _ in range(45):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def overlaps(at: Callable[[float], Pose], shape: Polygon, end: float, step: float) -> Any:
    """Parts of a motion on which something is overlapped, from -inf where it is at the start."""
    found, begin = [], -math.inf
    inside = over(at(0.0).shape, shape)
    places = np.linspace(0.0, end, int(end / step) + 2)
    for before, after in pairwise(places):
        now = over(at(after).shape, shape)
        if now != inside:

            def changed(s: float, now: bool = now) -> bool:
                return over(at(s).shape, shape) == now

            where = first(changed, before, after)
            if now:
                begin = where
            else:
                found.append((begin, where))
        inside = now
    return [*found, (begin, math.inf)] if inside else found


@dataclass
class Slow:
    """The slow referee of one activation."""

    pose: Pose
    profile: str
    others: list[Polygon]
    ground: list[tuple[str, Polygon]]
    options: dict[str, str]

    def __post_init__(self) -> None:
        self.left, self.price = PROFILES[self.profile]
        self.flying = self.profile == "Giant Eagle"
        self.free = self.flying or self.profile == "Mongrel Skirmishers"
        self.difficult = [s for k, s in self.ground if k in DIFFICULT and not self.flying]
        self.impassable = [s for k, s in self.ground if k in IMPASSABLE]
        self.paid = not self.free and any(over(self.pose.shape, s) for s in self.difficult)
        self.left = max(0.0, self.left - 2.0) if self.paid else self.left

    def order(self, kind: str, figure: float) -> tuple[str, set[str], float]:
        return self.advance(figure) if kind == "advance" else self.pivot(figure)

    def advance(self, wanted: float) -> tuple[str, set[str], float]:
        moved = min(wanted, self.pose.to_border)
        for shape in (*self.others, *(() if self.flying else self.impassable)):
            met = overlaps(self.pose.ahead, shape, moved, 0.02)
            if met:

                def meets(s: float, shape: Polygon = shape) -> bool:
                    return over(self.pose.ahead(s).shape, shape, 1e-13)

                moved = first(meets, max(0.0, met[0][0] - 0.02), met[0][0])
        spans = [overlaps(self.pose.ahead, shape, moved, 0.02) for shape in self.difficult]
        left = self.left
        loss, broken = self.toll(spans, moved, lambda s: left - s)
        end = self.pose.ahead(moved)
        if self.flying and any(over(end.shape, s) for s in self.impassable):
            broken.add("SV-PROP-3")
        done = self.settle(end, moved + loss, loss, broken)
        return ("STOPPED" if not broken and moved < wanted - 1e-6 else done, broken, self.left)

    def pivot(self, by: float) -> tuple[str, set[str], float]:
        price = math.ceil(abs(by) / 45 - 1e-9) * self.price

        def at(angle: float) -> Pose:
            return self.pose.turned(math.copysign(angle, by))

        end, swept = at(abs(by)), self.options["pivot.check"] == "swept"
        angles = np.linspace(0.0, abs(by), int(abs(by) / 0.25) + 3) if swept else [abs(by)]
        shapes = [at(angle).shape for angle in angles]
        broken = set()
        if any(over(shape, other) for shape in shapes for other in self.others):
            broken.add("SV-PIV-6")
        if self.flying and any(over(end.shape, s) for s in self.impassable):
            broken |= {"SV-PIV-6", "SV-PROP-3"}
        elif not self.flying and any(over(p, s) for p in shapes for s in self.impassable):
            broken |= {"SV-PIV-6", "SV-TER-5"}
        if any(shape.difference(TABLE).area > 1e-7 for shape in shapes):
            broken |= {"SV-PIV-6", "SV-ADV-4"}
        spans: Spans = []
        for shape in self.difficult:
            if swept:
                spans.append(overlaps(at, shape, abs(by), 0.25))
            elif over(self.pose.shape, shape):
                spans.append([(-math.inf, math.inf)])
            else:
                spans.append([(abs(by), math.inf)] if over(end.shape, shape) else [])
        left = self.left
        loss, more = self.toll(spans, math.inf, lambda s: left - price)
        broken |= more
        return self.settle(end, price + loss, loss, broken), broken, self.left

    def toll(
        self, spans: Spans, end: float, left_at: Callable[[float], float]
    ) -> tuple[float, set[str]]:
        reading, loss, broken = self.options["terrain.penalty"], 0.0, set()
        entered = False
        for s in sorted(b for parts in spans for b, _ in parts if -math.inf < b < end - 1e-6):
            if reading == "once" and (self.paid or entered):
                continue
            if reading == "out_to_in" and any(b < s < e for parts in spans for b, e in parts):
                continue
            left = left_at(s) - loss
            if left < 0.0:
                broken.add("SV-SEQ-2")
                break
            if self.free:
                continue
            if left < 2.0:
                broken.add("SV-TER-4")
            else:
                loss, entered = loss + 2.0, True
        return loss, broken

    def settle(self, end: Pose, cost: float, loss: float, broken: set[str]) -> str:
        if cost > self.left + 1e-6:
            broken.add("SV-SEQ-2")
        if broken:
            return "ILLEGAL"
        self.pose, self.left, self.paid = end, self.left - cost, self.paid or loss > 0.0
        return "LEGAL"

    def flight(self, edge: str, rolled: float) -> Pose | None:
        """Where a Flight Move ends, None off the table; of two ways round the first is taken."""
        obstacles = [*self.others, *(() if self.flying else self.impassable)]
        straight = replace(self.pose, facing=OUTWARD[edge])

        def lane(pose: Pose, length: float) -> Polygon:
            return replace(pose.ahead(0.5 * length), depth=pose.depth + length).shape

        tries = [straight.turned(sign * k) for k in range(90) for sign in (1, -1)]
        way, length = None, 0.0
        for pose in tries if self.options["flight.avoid"] == "detour" else ():
            length = min(rolled, max(0.0, pose.to_border))
            if not any(over(lane(pose, length), shape, 1e-12) for shape in obstacles):
                way = pose
                break
        leaves = way is not None and way.to_border <= rolled
        if way is None:
            if any(over(straight.shape, shape) for shape in obstacles):
                return self.pose
            way, length = straight, min(rolled, max(0.0, straight.to_border))
            leaves = straight.to_border <= rolled

            def meets(s: float) -> bool:
                return any(over(lane(straight, s), shape, 1e-13) for shape in obstacles)

            if meets(length):
                length, leaves = first(meets, 0.0, length), False
        if leaves:
            return None
        for s in np.linspace(length, 0.0, 4001) if self.flying else (length,):
            if not self.flying or not any(over(way.ahead(s).shape, p) for p in self.impassable):
                return way.ahead(float(s))
        return self.pose


def random_table(rng: Random, margin: float, **turn: Any) -> tuple[State, Slow]:
    """A table on which the units stand as they may, and the slow referee of A1."""
    options = {
        name: rng.choice(tuple(SYSTEM.option(name).values))  # type: ignore[union-attr]
        for name in ("terrain.penalty", "pivot.check", "flight.avoid")
    }
    while True:
        x, y = rng.uniform(margin, WIDE - margin), rng.uniform(margin, DEEP - margin)
        ground, terrain = [], []
        for index in range(rng.randint(2, 6)):
            kind = rng.choice((*DIFFICULT, *DIFFICULT, *IMPASSABLE))
            cx, cy = x + rng.uniform(-9, 9), y + rng.uniform(-9, 9)
            shape: Doc
            if rng.random() < 0.3:
                radius = rng.uniform(0.4, 3)
                ground.append((kind, Point(cx, cy).buffer(radius, 256)))
                shape = {"circle": {"centre": [cx, cy], "radius": radius}}
            else:
                piece = Pose(cx, cy, rng.uniform(0, 180), rng.uniform(0.4, 5), rng.uniform(0.4, 5))
                ground.append((kind, piece.shape))
                shape = {"polygon": [list(p) for p in list(piece.shape.exterior.coords)[:4]]}
            terrain.append({"id": f"F{index}", "kind": kind, "shape": shape})
        profile = rng.choice(tuple(PROFILES))
        poses = [Pose(x, y, rng.choice([0, 90, rng.uniform(0, 360)]), rng.choice([2, 4, 5]), 2)]
        poses += [
            Pose(x + rng.uniform(-8, 8), y + rng.uniform(-8, 8), rng.uniform(0, 360), 2, 2)
            for _ in range(rng.randint(0, 3))
        ]
        units = [
            {
                "id": f"B{index}" if index else "A1",
                "side": "B" if index else "A",
                "profile": "Infantry" if index else profile,
                "models": 1,
                "files": 1,
                "position": [pose.x, pose.y],
                "facing": pose.facing,
                "base": {"rectangle": [pose.width, pose.depth]},
                "state": {} if index or "phase" not in turn else {"fleeing": True},
            }
            for index, pose in enumerate(poses)
        ]
        scene = {
            "format": "tapeline-scene/1",
            "system": "sovl",
            "options": options,
            "table": {"width": WIDE, "depth": DEEP, "unit": "in"},
            "terrain": terrain,
            "sides": [{"id": "A"}, {"id": "B"}],
            "units": units,
            "turn": {"active": "A", **turn},
        }
        try:
            state = state_from_scene(parse_scene(scene), SYSTEM)
        except DocumentError:
            continue
        others = [pose.shape for pose in poses[1:]]
        return state, Slow(poses[0], profile, others, ground, options)


@pytest.mark.parametrize("seed", range(6))
def test_chains_of_orders_are_judged_alike(seed: int, budget: Callable[[int, int], int]) -> None:
    rng = Random(seed)
    for _ in range(budget(8, 100)):
        state, slow = random_table(rng, 6.0)
        session = Session(SYSTEM, state, parse_action(SYSTEM, {"kind": "activate", "actor": "A1"}))
        assert session.verdict.value("allowance_left") == slow.left
        for _ in range(3):
            kind = rng.choice(["advance", "pivot"])
            figure = rng.uniform(0.2, 9)
            if kind == "pivot":
                figure = rng.choice([45, -45, 90, rng.uniform(-180, 180)])
            name = {"advance": "distance", "pivot": "by"}[kind]
            order = parse_action(SYSTEM, {"kind": kind, "actor": "A1", name: figure})
            session = Session(SYSTEM, session.state, order, nearest=False)
            verdict, broken, left = slow.order(kind, figure)
            assert session.verdict.kind == verdict
            if verdict == "ILLEGAL":
                assert {f.clause for f in session.verdict.findings} == broken
            assert session.state.progress["allowance"] == pytest.approx(left, abs=2e-3)


@pytest.mark.parametrize("seed", range(4))
def test_flight_moves_end_alike(seed: int, budget: Callable[[int, int], int]) -> None:
    rng = Random(100 + seed)
    for _ in range(budget(15, 200)):
        state, slow = random_table(rng, 10.0, phase="flights")
        session = Session(SYSTEM, state, parse_action(SYSTEM, {"kind": "flight", "actor": "A1"}))
        rolled = 0
        while session.ask is not None:
            if isinstance(session.ask, Roll):
                faces = tuple(rng.randint(1, 6) for _ in range(session.ask.count))
                rolled = sum(faces)
                session.send(Answer(faces=faces))
            else:
                session.send(Answer(value=session.ask.default))
        edge = session.verdict.value("edge")
        assert isinstance(edge, str)
        wanted = slow.flight(edge, rolled)
        if wanted is None:
            assert "A1" in session.state.gone
            continue
        body = session.state.bodies["A1"]
        assert math.dist(body.centre, (wanted.x, wanted.y)) < 1e-2
        assert math.remainder(body.facing - wanted.facing, 360) == pytest.approx(0, abs=1e-6)
