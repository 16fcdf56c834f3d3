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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from tapeline.engine.paths import Leg
from tapeline.geometry.plane.legs import Arc, Line, Path
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.travel.draft import SPECK
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
    is gone straight through. shift: of the level beyond."""

    step: Step
    a: complex
    b: complex
    line: bool
    free: bool
    level: Level
    shift: complex


def taut(
    route: LevelRoute,
    levels: Levels,
    air: frozenset[str],
    start: tuple[str, float, float],
    end: tuple[complex, float],
    leg_of: LegOf,
    *,
    bound: bool,
) -> list[Leg]:
    """The legs of a route pulled taut; none where an arc of it is left.

    air: levels that are gone over by the leg that leads beyond. end: the place that it ends at, or
    the centre and radius of the circle that it ends on, in the plane of its last level. bound:
    whether the ends of lips bind it.
    """
    legs, overs, turned = list[Leg](), list[_Over](), None
    before, *chain = _chain(route, levels, air, start, end[0], bound)
    assert isinstance(before, _Bend)
    for item in chain:
        if isinstance(item, _Over):
            overs.append(item)
            continue
        p, q = _tangent(before, item)
        if item is chain[-1] and abs(q - p) > end[1]:
            q -= end[1] * (q - p) / abs(q - p)
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
) -> Iterator[_Bend | _Over]:
    """What binds a route and the ways that it takes, in order."""
    names = set(route.links)
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
        beyond, portal = levels.level(step.level), portals.get(step.link)
        flat = level.slope is None and beyond.slope is None
        free = flat and step.kind in (*_OFF, *JUMPED)
        after = shift if free else shift + here - at
        a, b, pin = here, at, not free
        if portal is not None:
            a, b, c, d = levels.sides(portal)
            pin = min(abs(here - a), abs(here - b), abs(here - c), abs(here - d)) <= SPECK
            pin = pin and (bound or not free)
            if portal.start[0] != level.id or step.kind == "take off":  # the other side, its lip
                a, b = c, d
        over = _Over(step, a + shift, b + shift, portal is not None, free, beyond, after)
        if pin and not (free and step.kind in JUMPED):
            yield _Bend(here + shift, 0.0, level, shift)
        yield over
        if pin and free and step.kind in JUMPED:
            yield _Bend(at + after, 0.0, beyond, after)
        level, shift, here = beyond, after, at
    yield _Bend(end + shift, 0.0, level, shift)


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
    p: complex,
    q: complex,
    bend: _Bend,
    overs: Iterable[_Over],
    air: frozenset[str],
    leg_of: LegOf,
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

    def abreast(at: complex) -> complex:
        s = ((at - p) * along.conjugate()).real
        return p + min(abs(q - p), max(0.0, s)) * along

    side = over.b - over.a
    across = (along.conjugate() * side).imag
    if not over.line or across == 0.0:
        return abreast(over.a), abreast(over.b)
    x = p + (((over.a - p).conjugate() * side).imag / across) * along
    return abreast(x), abreast(x)
