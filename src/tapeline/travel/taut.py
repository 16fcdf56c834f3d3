"""Ways of a search over levels, pulled taut.

A search takes a jump for a walk to a line one radius off the lip and on from a line one radius
beyond the other: exact straight across, and too long aslant, where a radius of the jump's own line
is free. Of a way found, what binds it is kept in order: corners that it goes round, on their arcs,
ends of edges, places of links. Laid out in one plane, each level shifted as the way on to it leads,
the shortest way along these is straight from tangent to tangent, whatever lies between.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tapeline.engine.paths import Leg
from tapeline.geometry.plane.legs import Arc, Line, Path
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.travel.draft import SPECK
from tapeline.travel.nearness import lowest
from tapeline.travel.ramp_sides import SIDE
from tapeline.travel.search import legs_of_step

__all__ = ["JUMPED", "taut"]

#: The leg of a way over an edge that comes to a place, if it makes one.
LegOf: TypeAlias = Callable[[Step, Level], Iterable[Leg]]

#: How ways that are gone straight through begin in the air, and how they end.
_OFF, JUMPED = ("take off", "ledge"), ("land", "drop", "leap")


class _Bend(NamedTuple):
    """What a way bends round: a circle, to the left if its radius is above 0, or a place. shift: of
    the level that it is on."""

    at: complex
    radius: float
    level: Level
    shift: complex


class _Over(NamedTuple):
    """A way to another level: over a line a b, or from a place a to a place b; laid out. free: it
    is gone straight through. shift: of the level beyond. rim: it leads over that of a circle about
    a, of that radius."""

    step: Step
    a: complex
    b: complex
    line: bool
    free: bool
    level: Level
    shift: complex
    rim: float = 0.0


def taut(
    route: LevelRoute,
    levels: Levels,
    air: frozenset[str],
    start: tuple[str, float, float],
    end: tuple[complex, float],
    leg_of: LegOf,
    *,
    bound: bool,
    spared: float,
    lips: Mapping[str, tuple[Line | Arc, Line | Arc] | None] = MappingProxyType({}),
) -> list[Leg]:
    """The legs of a route pulled taut; none where an arc of it is left.

    air: levels that are gone over by the leg that leads beyond. end: the place that it ends at, or
    the centre and radius of the circle that it ends on, in the plane of its last level. bound:
    whether the ends of lips bind it. spared: how much of a jump's line is free before a lip and
    beyond one. lips: of links over inner corners; None of one that binds as it is.
    """
    legs, overs, turned = list[Leg](), list[_Over](), None
    before, *chain = _chain(route, levels, air, start, end[0], bound, lips)
    assert isinstance(before, _Bend)
    for item in chain:
        if isinstance(item, _Over):
            overs.append(item)
            continue
        if item is chain[-1] and end[1]:
            item = _come_to(before, turned, item, end[1], overs, spared)
        if item.at == before.at and (item.radius or before.radius):
            return []  # round the same corner on two levels
        p, q = _tangent(before, item)
        if turned is not None:
            arc = _arc(before, turned, p)
            if abs(arc.sweep) > math.pi:
                return []
            legs += _walk(arc, before.level)
        legs += _straight(p, q, before, overs, air, leg_of)
        before, overs, turned = item, [], q if item.radius else None
    return legs


def _chain(
    route: LevelRoute,
    levels: Levels,
    air: frozenset[str],
    start: tuple[str, float, float],
    end: complex,
    bound: bool,
    lips: Mapping[str, tuple[Line | Arc, Line | Arc] | None],
) -> Iterator[_Bend | _Over]:
    """What binds a route and the ways that it takes, in order."""
    names = {_way(step) for step in route.steps}
    portals = {way.id: way for way in levels.portals if way.id in names}
    level, shift = levels.level(start[0]), 0j
    here = complex(*level.own(*start[1:]))
    yield _Bend(here, 0.0, level, shift)
    for step in route.steps:
        at = complex(*step.at)
        if not step.link:
            if level.id not in air:
                yield from _bends(step, level, shift)
            here = at
            continue
        beyond, portal = levels.level(step.level), portals.get(_way(step))
        flat = level.slope is None and beyond.slope is None
        # Off a slope over its side it is jumped from wherever the line comes to that.
        aslant = step.kind == SIDE and beyond.id in air and not bound
        edges = lips.get(step.link, ())
        free = aslant or (flat and edges is not None and step.kind in (*_OFF, *JUMPED))
        after = shift if flat and free else shift + here - at
        a, b, pin = here, at, not free
        if portal is not None:
            a, b, c, d = levels.sides(portal)
            pin = min(abs(here - a), abs(here - b), abs(here - c), abs(here - d)) <= SPECK
            pin = pin and (bound or not free)
            if portal.start[0] != level.id or step.kind == "take off":  # the other side, its lip
                a, b = c, d
        for edge, kind, on in zip(edges or (), (_OFF[0], JUMPED[0]), (level, beyond), strict=False):
            one, two, rim = complex(*edge.start), complex(*edge.end), 0.0
            if isinstance(edge, Arc):
                one, rim = complex(edge.cx, edge.cy), edge.radius
            part = replace(step, kind=kind)
            yield _Over(part, one + shift, two + shift, not rim, True, on, shift, rim)
        if edges:
            level, here = beyond, at
            continue
        over = _Over(step, a + shift, b + shift, portal is not None, free, beyond, after)
        if pin and not (free and step.kind in JUMPED):
            yield _Bend(here + shift, 0.0, level, shift)
        yield over
        if pin and free and step.kind in JUMPED:
            yield _Bend(at + after, 0.0, beyond, after)
        level, shift, here = beyond, after, at
    yield _Bend(end + shift, 0.0, level, shift)


def _way(step: Step) -> str:
    """The portal that a step leads over; off a lip also from where it stands beside that."""
    return step.link.partition("@")[0] if step.kind == _OFF[0] else step.link


def _bends(step: Step, level: Level, shift: complex) -> Iterator[_Bend]:
    """What a path bends round on its level."""
    straight = False
    for leg in step.path.legs:
        if isinstance(leg, Arc):
            radius = math.copysign(leg.radius, leg.sweep)
            yield _Bend(complex(leg.cx, leg.cy) + shift, radius, level, shift)
        elif straight:
            yield _Bend(complex(leg.ax, leg.ay) + shift, 0.0, level, shift)
        straight = isinstance(leg, Line)


def _tangent(one: _Bend, other: _Bend) -> tuple[complex, complex]:
    """The straight line from one bend to another, touching both on their sides."""
    apart = other.at - one.at
    if apart == 0j:
        return one.at, other.at
    aside = (other.radius - one.radius) / abs(apart)
    angle = cmath.phase(apart) - math.asin(max(-1.0, min(1.0, aside)))
    left = cmath.rect(1.0, angle + 0.5 * math.pi)
    return one.at - one.radius * left, other.at - other.radius * left


def _come_to(
    before: _Bend,
    turned: complex | None,
    goal: _Bend,
    radius: float,
    overs: Sequence[_Over],
    spared: float,
) -> _Bend:
    """Where a circle is come to at the least cost: straight at its centre, unless a jump ends, or
    begins, so near to a lip that less of its line is free."""
    p, q = _tangent(before, goal)
    if abs(q - p) <= radius:
        return goal
    straight = cmath.phase(p - q)
    lips = sum(over.free and over.step.kind in ("take off", "land") for over in overs)

    def at(angle: float) -> _Bend:
        return goal._replace(at=goal.at + cmath.rect(radius, angle))

    def cost(angle: float) -> float:
        p, q = _tangent(before, at(angle))
        arc = 0.0 if turned is None else _arc(before, turned, p).length
        return arc + abs(q - p) - _spared(p, q, overs, spared)

    if not lips or _spared(*_tangent(before, at(straight)), overs, spared) >= lips * spared:
        return at(straight)
    side = math.acos(radius / abs(q - p))
    return at(
        straight + side * (2.0 * lowest(lambda t: cost(straight + side * (2.0 * t - 1.0))) - 1.0)
    )


def _spared(p: complex, q: complex, overs: Iterable[_Over], most: float) -> float:
    """How much of a straight line is free about the lips of the gaps that it leads over."""
    total, last, landed, far = 0.0, 0.0, False, abs(q - p)
    for over in overs:
        x = ((_met(p, q, over)[0] - p) * (q - p).conjugate()).real / far
        if over.free and over.step.kind == "take off":
            total += min(most, (x - last) * (0.5 if landed else 1.0))
        if landed:
            total += min(most, (x - last) * (0.5 if over.free else 1.0))
        last, landed = x, over.free and over.step.kind == "land"
    return total + (min(most, far - last) if landed else 0.0)


def _arc(bend: _Bend, start: complex, end: complex) -> Arc:
    """The arc about a bend from where it is come to to where it is left, in its own plane."""
    centre, sense = bend.at - bend.shift, math.copysign(1.0, bend.radius)
    by = cmath.phase((end - bend.at) / (start - bend.at)) * sense
    by = by if by > -SPECK else by + math.tau
    begin = cmath.phase(start - bend.at)
    return Arc(centre.real, centre.imag, abs(bend.radius), begin, sense * by)


def _walk(leg: Line | Arc, level: Level) -> Iterator[Leg]:
    """A leg walked in the plane of a level."""
    step = Step(level.id, Path((leg,)), leg.end, leg.length)
    return legs_of_step(step, level, heights=False)


def _straight(
    p: complex, q: complex, bend: _Bend, overs: Iterable[_Over], air: frozenset[str], leg_of: LegOf
) -> Iterator[Leg]:
    """The legs of a straight line from a bend, over ways to other levels. A jump takes all of the
    line that is on one level before and beyond; of two, one ends midway between."""
    level, shift, here = bend.level, bend.shift, p
    jump: tuple[Step, complex] | None = None

    def on_to(x: complex) -> Iterator[Leg]:
        own = x - shift
        if jump is None:
            a = here - shift
            yield from _walk(Line(a.real, a.imag, own.real, own.imag), level)
        else:
            step = replace(jump[0], at=(own.real, own.imag))
            for leg in leg_of(step, level):
                yield replace(leg, to=level.plan(*step.at))

    for over in overs:
        near, far = _met(p, q, over)
        if over.free:
            if jump is not None and over.step.kind != "land":
                here = 0.5 * (jump[1] + near)
                yield from on_to(here)
                jump = None
            if over.step.kind in JUMPED:
                jump = over.step, far
        else:
            if jump is not None or over.shift != shift or over.step.kind not in ("step", "stairs"):
                yield from on_to(near)
                jump, here = None, near
            own = near - over.shift
            yield from leg_of(replace(over.step, at=(own.real, own.imag)), over.level)
        level, shift = over.level, over.shift
    if level.id in air:  # it comes down at its end
        own = q - shift
        yield Leg(to=(own.real, own.imag), how="drop")
    else:
        yield from on_to(q)


def _met(p: complex, q: complex, over: _Over) -> tuple[complex, complex]:
    """Where a straight line comes to a way and where it leaves it."""
    along = (q - p) / abs(q - p) if q != p else 0j
    side = over.b - over.a
    across = (along.conjugate() * side).imag
    if over.line and across != 0.0:
        x = p + ((over.a - p).conjugate() * side).imag / across * along
        return x, x
    if over.rim:
        foot = p + ((over.a - p) * along.conjugate()).real * along
        half = math.sqrt(max(0.0, over.rim**2 - abs(over.a - foot) ** 2))
        x = foot + (half if over.step.kind == _OFF[0] else -half) * along
        return x, x
    near, far = (p + ((at - p) * along.conjugate()).real * along for at in (over.a, over.b))
    return near, far
