"""Gaps between models where they stand and along a way, and which clauses bear on it.

A limit on a distance bears where what it keeps off is so near that the allowance of the move could
have broken it. What happens on the way (a friend crossed, a climb, ground) bears where it happens.
Only a clause that no finding names is asked for here; a move of no length meets nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from tapeline.engine.limits import (
    TOLERANCE,
    affords,
    closer_than,
    more_than,
    overlaps,
    same,
    within,
)
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box, box_about
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import Approach
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.ground import built, on_table, terrain_of
from tapeline.rules.trench_crusade.state import base_mm, flies, height, is_down, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid, box_of
from tapeline.travel.nearness import Other, first_near, least, runs_over
from tapeline.travel.route import Crossing, Part, Route, Stretch

__all__ = [
    "SKIRTED_IN",
    "Around",
    "Citations",
    "around",
    "away_from",
    "base_of",
    "based",
    "beside",
    "counts_all_the_same",
    "fits_by",
    "gap",
    "gap_at",
    "holding",
    "ignored_by",
    "is_attempt",
    "level_with",
    "met_before",
    "on_friend",
    "reach_of",
    "runs_out",
]

#: The inch of enemies whom a way is planned round: it runs along the very border.
SKIRTED_IN = NEAR_IN - 2.0 * TOLERANCE


def gap(a: Body, b: Body) -> float:
    """Least distance between two bases, inches: zero when one stands over the other, G-2."""
    return gap_at(math.hypot(a.x - b.x, a.y - b.y), a, b)


def gap_at(centre_distance: float, a: Body, b: Body) -> float:
    """The gap of two bases whose centres are so far apart on the plan, inches."""
    flat = max(0.0, centre_distance - radius(a) - radius(b))
    return flat if a.z == b.z else math.hypot(flat, a.z - b.z)


def reach_of(a: Body, b: Body, limit: float) -> float | None:
    """Centre distance on the plan at which the gap is `limit`, inches; None if it never is."""
    rise = abs(a.z - b.z)
    if not within(rise, limit):
        return None
    return radius(a) + radius(b) + math.sqrt(max(0.0, limit * limit - rise * rise))


def level_with(a: Body, b: Body) -> bool:
    """Whether two bases stand at one height, so that they could overlap."""
    return same(a.z, b.z)


class Around(NamedTuple):
    """Models near another one, in scene order."""

    friends: list[Body]
    enemies: list[Body]


def around(state: State, body: Body, far: float) -> Around:
    """Other models whose bases come, on the plan, as near as `far` to the centre of one."""
    found = Around([], [])
    x, y, side, me = body.x, body.y, body.side, body.id
    for other in state.bodies.values():
        dx, dy, reach = other.x - x, other.y - y, far + other.base.reach
        if dx * dx + dy * dy <= reach * reach and other.id != me:
            (found.friends if other.side == side else found.enemies).append(other)
    return found


def ignored_by(body: Body, enemy: Body) -> bool:
    """Whether the enemy's base is too small to hold this model back, TC-KW-3."""
    limit = body.stat("retreat_guard_base_mm")
    return limit > 0 and within(base_mm(enemy), limit)


def holding(state: State, body: Body) -> list[Body]:
    """S: the enemies within 1 inch of a model, in scene order."""
    near = around(state, body, radius(body) + NEAR_IN + 2.0 * TOLERANCE).enemies
    return [enemy for enemy in near if within(gap(body, enemy), NEAR_IN)]


def away_from(body: Body, enemies: list[Body]) -> tuple[float, float] | None:
    """Unit vector along the sum of the unit vectors from enemies to a model; None if it is 0."""
    sx = sy = 0.0
    for enemy in enemies:
        dx, dy = body.x - enemy.x, body.y - enemy.y
        d = math.hypot(dx, dy)
        if d > 0.0:
            sx, sy = sx + dx / d, sy + dy / d
    length = math.hypot(sx, sy)
    return None if same(length, 0.0) else (sx / length, sy / length)


def beside(mover: Body, other: Body) -> Other:
    """Another base as one that moves is measured to it along a way, G-2.

    A flyer keeps off its body, which is as tall as it is (reading fly_clearance, volume). Who holds
    whom is told by `based`.
    """
    top = other.z + height(other) if flies(mover) else other.z
    return Other(other.x, other.y, other.z, top, mover.base.reach + other.base.reach)


def met_before(
    mover: Body, target: Body, way: Route, others: Sequence[Body], zone: float = NEAR_IN
) -> tuple[float, tuple[tuple[float, Body], ...]]:
    """The length at which a way is within 1 inch of the target, and who is so near before that it
    interposes."""
    found = first_near(way, beside(mover, target), NEAR_IN)
    near, space = (way.length, math.inf) if found is None else (found.travelled, found.space)
    before = []
    for enemy in others:
        first = first_near(way, beside(mover, enemy), zone)
        if first is not None and closer_than(first.space, space):
            before.append((first.space, first.travelled, enemy))
    before.sort(key=lambda item: item[0])
    return near, tuple((s, enemy) for _, s, enemy in before)


def base_of(state: State, mover: Body, other: Body) -> Other:
    """Another base as one that moves might come onto it: at its height, and on a slope that either
    stands on, where no two bases of one place are at one height."""
    terrain, found = terrain_of(state), beside(mover, other)
    if not terrain.table.ramps:
        return found
    (x, y), room = other.centre, found.room
    slopes = tuple(
        ramp
        for ramp in terrain.storeys.near((x - room, y - room, x + room, y + room))
        if ramp.ramp is not None
        and same(ramp.height(x, y), other.z)
        and ramp.depth(x, y, room) > -room
    )
    return found._replace(slopes=slopes) if slopes else found


def on_friend(state: State, mover: Body, place: Place) -> bool:
    """Whether a model would be on the base of a friend at a place."""
    friends = state.friends(mover)
    return any(overlaps(base_of(state, mover, friend).overlap(place)) for friend in friends)


def based(mover: Body, other: Body) -> Other:
    """Another base as one that stays within 1 inch of it is measured to it, flying or not, G-2."""
    return Other(other.x, other.y, other.z, other.z, mover.base.reach + other.base.reach)


class _Piece(NamedTuple):
    """A leg on the plan and the height at which it begins."""

    leg: Line | Arc
    z: float


def free_shift(route: Route) -> float:
    """Inches on the plan that Climbs and Jumps lead on without a cost, TC-JMP-3."""
    return sum(
        max(0.0, math.dist(hurdle.start.xy, hurdle.end.xy) - hurdle.cost)
        for hurdle in route.crossings
    )


class Citations:
    """A path of a model, on level ground or in three dimensions, and what is near it.

    allowance: inches that the move may cost; reach: those by which it could lead elsewhere. near:
    the models that it could lead to, legs: the path leg by leg, if known.
    """

    def __init__(
        self,
        state: State,
        mover: Body,
        route: Route,
        allowance: float,
        near: Around | None = None,
        legs: Route | None = None,
    ) -> None:
        self.state, self.mover, self.route, self.allowance = state, mover, route, allowance
        self.radius, self.tall, self.terrain = radius(mover), height(mover), terrain_of(state)
        self.legs = route if not route.level else legs or Route.read(route.start, route.legs)
        self.reach = allowance + free_shift(route)
        far = self.reach + 2.0 * (self.radius + NEAR_IN)
        self.near = around(state, mover, far) if near is None else near
        self.moves = bool(route.parts) and (not route.level or route.length > 0.0)

    def of_reach(self) -> Iterator[str]:
        """What bears on a model with no way to go: what is where the allowance could lead it."""
        tests: dict[str, Callable[[], bool]] = {
            "TC-MOVE-5": self._could_meet_friend,
            "TC-MOVE-6": self.near_edge,
            "TC-MOVE-7": self._could_come_near,
            "TC-MOVE-10": self.beside_enemy,
            "TC-MOVE-12": self._near_narrow_opening,
            "TC-MOVE-13": self.counts_enemy,
            "TC-TER-2": self._near_difficult,
            "TC-TER-5": self.near_impassable,
            "TC-TER-7": self._near_high,
            "TC-FLY-1": lambda: flies(self.mover),
        }
        return (clause for clause, bears in tests.items() if bears())

    def on(self, clause: str) -> bool:
        """Whether a clause bears on the path."""
        return self.moves and _TESTS[clause](self)

    def clauses(self) -> Iterator[str]:
        """All clauses about paths that bear on this one."""
        return (clause for clause in _TESTS if self.on(clause))

    @cached_property
    def _pieces(self) -> list[_Piece]:
        found = []
        for part in self.legs.parts:
            a, b = part.start, part.end
            leg = Line(a.x, a.y, b.x, b.y) if isinstance(part, Crossing) else part.leg
            if leg.length > 0.0:
                found.append(_Piece(leg, a.z))
        return found

    @cached_property
    def _levels(self) -> tuple[float, float]:
        """The least and the greatest height on the way."""
        found = [self.mover.z, *(part.end.z for part in self.route.parts)]
        return min(found), max(found)

    def parted(self, clause: str) -> bool:
        """Whether a clause sets what part of the way costs."""
        return any(p.clause == clause for p in self.route.parts)

    # Other models.

    def meets_friend(self) -> bool:
        """Whether the base crosses or touches a friend's."""
        route, mover = self.route, self.mover
        for friend in self.near.friends:
            near = least(route, beside(mover, friend), 0.0)
            if near is not None and within(near.gap, 0.0):
                return True
            if runs_over(route, base_of(self.state, mover, friend)) is not None:
                return True
        return False

    @cached_property
    def enemies(self) -> list[Body]:
        """Enemies that the allowance could have led within 1 inch of."""
        found, mover = [], self.mover
        span = self.reach + self.radius + NEAR_IN
        for enemy in self.near.enemies:
            if self.route.level:
                if reach_of(mover, enemy, NEAR_IN) is None:
                    continue
            elif more_than(enemy.z - mover.z, self.allowance + NEAR_IN):
                continue
            if within(math.dist(mover.centre, enemy.centre), span + radius(enemy)):
                found.append(enemy)
        return found

    def counts_enemy(self) -> bool:
        """Whether one of them might be thought not to count."""
        return any(counts_all_the_same(self.state, self.mover, enemy) for enemy in self.enemies)

    def beside_enemy(self) -> bool:
        """Whether the allowance could have led over an enemy's base."""
        low, high = self._levels
        span = self.reach + self.radius
        return any(
            within(low, enemy.z)
            and within(enemy.z, high)
            and within(math.dist(self.mover.centre, enemy.centre), span + radius(enemy))
            for enemy in self.enemies
        )

    def _could_meet_friend(self) -> bool:
        """Whether the allowance could lead on to a friend's base."""
        mover, span = self.mover, self.reach + self.radius
        return any(
            level_with(mover, f) and within(math.dist(mover.centre, f.centre), span + radius(f))
            for f in self.near.friends
        )

    def _could_come_near(self) -> bool:
        """Whether the allowance could lead within 1 inch of an enemy that is farther off."""
        return any(more_than(gap(self.mover, enemy), NEAR_IN) for enemy in self.enemies)

    # The table and its terrain.

    def near_edge(self) -> bool:
        """Whether the allowance could have led off the table."""
        inset = 0.0 if self.state.option("edge_overhang") == "under_half" else self.radius
        x, y, table = self.mover.x, self.mover.y, self.state.table
        return min(x, y, table.width - x, table.depth - y) - inset < self.reach

    @cached_property
    def _box(self) -> Box:
        """A box about the path, two bases wider on every side."""
        boxes = [box_of(leg, 4.0 * self.radius) for leg, _ in self._pieces]
        x0, y0, x1, y1 = zip(*boxes, strict=True) if boxes else ((0.0,),) * 4
        return min(x0), min(y0), max(x1), max(y1)

    @cached_property
    def _low(self) -> list[tuple[Solid, float]]:
        """Obstacles near the path, each with the height up to which it is Open for movement."""
        low = [(solid, solid.top) for solid in self.terrain.low_tops]
        if built(self.state.table):
            near = (o for o in self.terrain.near(self._box) if not self.terrain.is_barred(o))
            low += [(solid, self.terrain.step_over(solid)) for solid in near]
        return low

    def near_impassable(self) -> bool:
        """Whether the allowance could have led into Impassable ground, or over it in flight."""
        (x, y), reach = self.mover.centre, self.reach + self.radius
        return any(
            self.terrain.is_barred(solid)
            and solid.ground.depth(x, y) > -reach
            and (flies(self.mover) or self.terrain.stops(solid, *self._levels, self.tall))
            for solid in self.terrain.near(self._reach_box)
        )

    @cached_property
    def _reach_box(self) -> Box:
        """A box about where the base could come to."""
        return box_about(*self.mover.centre, self.reach + self.radius)

    def _near_difficult(self) -> bool:
        """Whether the allowance could lead into Difficult ground."""
        terrain, mover = self.terrain, self.mover
        return not flies(mover) and any(
            patch.factor > 1.0
            and patch.lies(terrain.under(mover), mover.z)
            and patch.plan.depth(*mover.centre) > -self.allowance
            for patch in terrain.patches_near(self._reach_box)
        )

    def _near_high(self) -> bool:
        """Whether the allowance could lead to what must be climbed, or to the edge of a top."""
        (x, y), reach = self.mover.centre, self.reach + self.radius
        here = self.terrain.goes_from(self.mover)
        if flies(self.mover):
            return False
        if here is not None and not on_table(here) and here.depth(x, y) < self.allowance:
            return True
        return any(
            not self.terrain.is_barred(solid)
            and solid.ground.depth(x, y) > -reach
            and self.terrain.stops(solid, *self._levels, self.tall)
            for solid in self.terrain.near(self._reach_box)
        )

    def _near_narrow_opening(self) -> bool:
        """Whether there is an opening narrower than the base where the allowance could lead."""
        standing = list(self._beside(self.mover.z, self._reach_box))
        wide = 2.0 * self.radius
        return any(
            more_than(apart, 0.0) and more_than(wide, apart)
            for apart in (one.apart(two) for one, two in combinations(standing, 2))
        )

    def through_opening(self) -> bool:
        """Whether the way leads between two things that stand no more than two bases apart."""
        wide = 2.0 * self.radius
        for leg, z in self._pieces:
            standing = list(self._beside(z, box_of(leg, wide)))
            sides: tuple[list[_Beside], list[_Beside]] = ([], [])
            for plan in standing if len(standing) > 1 else ():
                near = _nearest(leg, plan, wide)
                side = None if near is None else _side(leg, near)
                if near is not None and side is not None:
                    sides[side].append(_Beside(plan, near))
            if any(one.across(two) <= 2.0 * wide for one in sides[0] for two in sides[1]):
                return True
        return False

    def _beside(self, z: float, box: Box) -> Iterator[Plan]:
        """Walls, bases of enemies and edges of the table that meet a box."""
        for solid in self.terrain.near(box):
            if self.terrain.stops(solid, z, z, self.tall):
                yield solid.ground
        for enemy in self.enemies:
            r = radius(enemy)
            around_it = enemy.x - r, enemy.y - r, enemy.x + r, enemy.y + r
            if _meet(around_it, box) and within(abs(enemy.z - z), 0.0):
                yield Plan(None, (enemy.x, enemy.y, r), around_it)
        w, d = self.state.table.width, self.state.table.depth
        if box[0] < 0.0 or box[1] < 0.0 or box[2] > w or box[3] > d:
            for x0, y0, x1, y1 in (
                (-1.0, 0, 0, d),
                (w, 0, w + 1.0, d),
                (0, -1.0, w, 0),
                (0, d, w, d + 1.0),
            ):
                yield Plan((x0, y0, x1, y0, x1, y1, x0, y1), None, (x0, y0, x1, y1))

    def over_low(self) -> bool:
        """Whether the base goes over something that its height leaves Open for movement, on a ramp
        or the like, or climbs what is higher."""
        if self.climbs() or self.parted("TC-TER-7") or self._on_ramp():
            return True
        if not self._low or flies(self.mover):
            return False
        return any(
            within(solid.bottom, z)
            and more_than(solid.top, z)
            and within(solid.top - z, limit)
            and _meet(solid.ground.box, box_of(leg, self.radius))
            and _nearest(leg, solid.ground, self.radius - TOLERANCE) is not None
            for leg, z in self._pieces
            for solid, limit in self._low
        )

    def climbs(self) -> bool:
        """Whether it climbs."""
        return any(hurdle.kind == "climb" for hurdle in self.route.crossings)

    def _on_ramp(self) -> bool:
        """Whether a part of the way is on stairs or a ramp, whatever ground that is."""
        if self.route.level or flies(self.mover):
            return False
        middles = (part.at(0.5) for _, part in self.route.stretches)
        found = (self.terrain.storeys.support(*middle, TOLERANCE) for middle in middles)
        return any(surface is not None and surface.ramp is not None for surface in found)

    def overhangs(self) -> bool:
        """Whether part of the base hangs over a ledge, or the table's edge, where the way ends."""
        x, y, _ = self.route.end
        r, table = self.radius, self.state.table
        if self.state.option("edge_overhang") == "under_half" and more_than(
            r, min(x, y, table.width - x, table.depth - y)
        ):
            return True
        if self.route.level:
            return False
        heights = self.terrain
        surface = heights.storeys.support(*self.route.end, TOLERANCE)
        if surface is None or on_table(surface):
            return False
        return heights.support(surface, x, y, r) < 1.0 - TOLERANCE

    def bent(self) -> bool:
        """Whether the way is longer than its ends are apart on the plan."""
        return more_than(self.route.length, math.dist(self.route.start.xy, self.route.end.xy))


def runs_out(way: Route, allowance: float) -> tuple[Part, float, float] | None:
    """The part in which the allowance is spent, the length there, and the cost before it."""
    spent = 0.0
    for before, part in way.marked:
        if not affords(spent + part.cost, allowance):
            left = max(0.0, allowance - spent)
            factor = part.factor if isinstance(part, Stretch) else 1.0
            return part, before + (0.0 if isinstance(part, Crossing) else left / factor), spent
        spent += part.cost
    return None


def is_attempt(part: Part) -> bool:
    """Whether it is a Climb or a Jump, whose own clauses say what it must fit in."""
    return isinstance(part, Crossing) and part.kind != "drop"


def fits_by(hurdle: Crossing, spent: float, allowance: float) -> str:
    """The clause by which a crossing does not fit: of a Jump whose width does, that of its rise."""
    rises = hurdle.kind == "jump" and affords(spent + hurdle.width, allowance)
    return "TC-JMP-4" if rises else hurdle.clause


def counts_all_the_same(state: State, mover: Body, enemy: Body) -> bool:
    """Whether an enemy is Down or within 1 inch of a model of the mover's side, TC-MOVE-13."""
    beside = around(state, enemy, NEAR_IN + radius(enemy)).enemies
    return is_down(enemy) or any(
        other.side == mover.side and other.id != mover.id and within(gap(other, enemy), NEAR_IN)
        for other in beside
    )


def _meet(one: Box, two: Box) -> bool:
    return one[0] <= two[2] and two[0] <= one[2] and one[1] <= two[3] and two[1] <= one[3]


def _nearest(leg: Line | Arc, plan: Plan, limit: float) -> Approach | None:
    """Where a leg comes nearest to an outline, if it comes nearer than a limit."""
    half = 0.5 * leg.length
    if plan.depth(*leg.at(half)) <= -half - limit:
        return None
    near = plan.nearest_to(leg)
    return near if near.distance < limit else None


class _Beside(NamedTuple):
    """A thing beside a leg, and where the leg comes nearest to it."""

    plan: Plan
    near: Approach

    def across(self, other: _Beside) -> float:
        """The least distance between two things, of the points nearest to where the leg comes
        nearest to either: along a lane that is all the way."""
        here, there = self.near, other.near
        return min(
            math.dist(here.to, there.to),
            math.dist(here.to, other.plan.nearest(*here.at)),
            math.dist(self.plan.nearest(*there.at), there.to),
        )


def _side(leg: Line | Arc, near: Approach) -> int | None:
    """1 if the nearest point of a thing lies left of a leg, 0 if right, None if straight ahead."""
    (x, y), (px, py) = near.at, near.to
    if isinstance(leg, Arc):
        turn = math.copysign(1.0, leg.sweep)
        dx, dy = -turn * (y - leg.cy), turn * (x - leg.cx)
    else:
        dx, dy = leg.bx - leg.ax, leg.by - leg.ay
    across = dx * (py - y) - dy * (px - x)
    ahead = abs(across) <= TOLERANCE * math.hypot(dx, dy)
    return None if ahead else int(across > 0.0)


def _jumps(found: Citations) -> bool:
    return any(hurdle.kind == "jump" for hurdle in found.route.crossings)


def _changes_height(found: Citations) -> bool:
    return any(
        h.kind == "jump" and (more_than(h.cost, h.width) or more_than(h.rise, 0.0))
        for h in found.route.crossings
    )


_TESTS: dict[str, Callable[[Citations], bool]] = {
    "TC-MOVE-4": Citations.bent,
    "TC-MOVE-5": Citations.meets_friend,
    "TC-MOVE-6": Citations.near_edge,
    "TC-MOVE-7": lambda found: bool(found.enemies),
    "TC-MOVE-10": Citations.beside_enemy,
    "TC-MOVE-11": Citations.overhangs,
    "TC-MOVE-12": Citations.through_opening,
    "TC-MOVE-13": Citations.counts_enemy,
    "TC-MOVE-14": _jumps,
    "TC-TER-2": lambda found: found.parted("TC-TER-2"),
    "TC-TER-5": Citations.near_impassable,
    "TC-TER-6": lambda found: found.parted("TC-TER-2"),
    "TC-TER-7": Citations.over_low,
    "TC-CLM-1": Citations.climbs,
    "TC-JMP-1": _jumps,
    "TC-JMP-3": _jumps,
    "TC-JMP-4": _changes_height,
    "TC-JMP-5": lambda found: any(more_than(h.rise, 0.0) for h in found.route.crossings),
    "TC-FLY-1": lambda found: flies(found.mover),
}
