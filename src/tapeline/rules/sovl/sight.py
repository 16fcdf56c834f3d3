"""SV-LOS: the front arc and what cuts line of sight; and the distance that range looks at."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.sight import Look, Seen
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.clip import HalfPlane, clip_to, front_arc
from tapeline.geometry.rectangles.gaps import convex_hull
from tapeline.geometry.rectangles.overlap_centre import middle_near
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Rect,
    Region,
    nearest_point,
    overlaps,
    parts_of,
    separation,
)
from tapeline.geometry.rectangles.slide_spans import slide_span
from tapeline.geometry.sight.lines import sight_to_region
from tapeline.ranks.bases import Point
from tapeline.rules.sovl.actions import Shoot
from tapeline.rules.sovl.figures import ARC_DEG, BOOK
from tapeline.rules.sovl.footprint import Footprint, Thing, footprint_of, ground_of, unit_thing
from tapeline.rules.sovl.state import OrderContext
from tapeline.table.bodies import Body

__all__ = ["Shot", "looks", "seen", "shot_of", "view_of"]


@dataclass(frozen=True, slots=True)
class Shot:
    """How a target lies to a shooter. distance: inches; nearest: the point of it measured to."""

    distance: float
    nearest: Point


@dataclass(frozen=True, slots=True)
class TargetView:
    """What a shooter sees of a target. eye: its front centre; part: what of the target is in the
    front arc, a loop; blockers: what cuts sight of all of that, empty when some of it is seen.

    near: all that lies near the lines to it. line: a free line, if one was looked for.
    """

    eye: Point
    part: tuple[float, ...]
    blockers: tuple[Thing, ...] = ()
    near: tuple[Thing, ...] = ()
    line: tuple[Point, Point] | None = None

    @property
    def fan(self) -> Region:
        """All lines from the eye to that part of the target."""
        corners = zip(self.part[::2], self.part[1::2], strict=True)
        return Region((Part(convex_hull([self.eye, *corners])),), (0.0, 0.0, 0.0, 0.0))

    @property
    def nearest(self) -> tuple[float, Point]:
        """How far off the nearest point of that part is, inches, and the point."""
        return nearest_point(Region((Part(self.part),), (0.0, 0.0, 0.0, 0.0)), self.eye)

    def between(self) -> list[Thing]:
        """All that a line to it runs through, or ends in."""
        return [thing for thing in self.near if overlaps(self.fan, thing.shape)]


def shot_of(state: State, action: Shoot) -> Shot:
    """The distance of a shot, as `range.measure` reads it."""
    shooter = footprint_of(state.body(action.actor)).rect
    target = footprint_of(state.body(action.target)).rect
    if state.option("range.measure") == "edge_to_edge":
        apart = separation(shooter, target)
        return Shot(apart.gap, apart.on_b)
    return Shot(*nearest_point(target, shooter.front))


def view_of(state: State, action: Shoot) -> TargetView:
    """Front arc and line of sight of a shot."""
    actor, target = state.body(action.actor), state.body(action.target)
    block = footprint_of(actor)
    rect = block.rect
    planes = _arc_of(state, rect)
    part = clip_to(footprint_of(target).rect.loop, planes)
    if not part:
        return TargetView(rect.front, part)
    near = tuple(_near_lines(state, actor, target, block))
    things = [thing for thing in near if thing.cuts_sight]
    if not things:
        return TargetView(rect.front, part, (), near)
    sight = sight_to_region(rect.front, part, [thing.region for thing in things], see_out=True)
    blockers = () if sight.visible else tuple(things[i] for i in sight.blockers) or tuple(things)
    return TargetView(rect.front, part, blockers, near, sight.line)


def _arc_of(state: State, rect: Rect) -> tuple[HalfPlane, ...]:
    """The front arc of a unit, as `los.arc` reads it."""
    corners = state.option("los.arc") == "corner45"
    return front_arc(
        rect, math.radians(ARC_DEG), (0.5 * rect.width if corners else 0.0) + TOLERANCE
    )


def looks(state: State, body: Body) -> Look:
    """From the middle of the front in the front arc, past all that cuts sight."""
    rect = footprint_of(body).rect
    things = [thing for thing in ground_of(state.table).pieces.things if thing.cuts_sight]
    if state.option("los.units_block") == "true":
        things += [unit_thing(other) for other in state.bodies.values() if other.id != body.id]
    blocks = [(thing.id, thing.region) for thing in things]
    words = "Drawn from the middle of its front; what stands in a feature that cuts sight is seen."
    return Look(rect.front, tuple(blocks), words, _arc_of(state, rect))


def _near_lines(state: State, actor: Body, target: Body, block: Footprint) -> list[Thing]:
    """All that comes near the hull of the front centre and the target, whether it cuts sight or
    not; units only where they do."""
    fx, fy = block.front_after(0.0)
    wide = target.base.reach
    left, right = min(fx, target.x - wide), max(fx, target.x + wide)
    low, high = min(fy, target.y - wide), max(fy, target.y + wide)
    things = ground_of(state.table).pieces.near((left, low, right, high))
    if state.option("los.units_block") == "true":
        things.extend(
            unit_thing(body)
            for body in state.bodies.values()
            if body.id not in (actor.id, target.id)
            and left - body.base.reach <= body.x <= right + body.base.reach
            and low - body.base.reach <= body.y <= high + body.base.reach
        )
    dx, dy = target.x - fx, target.y - fy
    length = math.hypot(dx, dy)
    if length <= wide:
        return things
    # The hull widens from a point along the tangents to the circle round the target.
    widening = wide / math.sqrt(length * length - wide * wide)
    found = []
    for thing in things:
        ex, ey = thing.x - fx, thing.y - fy
        ahead = (ex * dx + ey * dy) / length + thing.reach
        aside = abs(ex * dy - ey * dx) / length - thing.reach
        if ahead >= 0.0 and aside <= min(wide, ahead * widening) + TOLERANCE:
            found.append(thing)
    return found


@BOOK.clause("SV-LOS-1", src="public", bars=Shoot, at=Moment.DECLARE)
def in_the_front_arc(ask: OrderContext[Shoot]) -> Iterator[Finding]:
    """Part of the target must lie in the front arc: 45 degrees outward from each front corner."""
    action = ask.subject
    if action.target == action.actor or ask.measure(view_of).part:
        return
    text = f"The front arc of {ask.mover.name} does not reach {ask.target.name}."
    yield Finding(text, place=ask.target.centre, about=ask.target.id)


@BOOK.clause("SV-LOS-2", src="public", bars=Shoot, at=Moment.DECLARE)
def nothing_between(ask: OrderContext[Shoot]) -> Iterator[Finding]:
    """A feature that blocks sight cuts it, unless the shooter or what it sees stands inside."""
    action = ask.subject
    if action.target == action.actor:
        return
    view: TargetView = ask.measure(view_of)
    for thing in view.blockers:
        text = f"Sight of {ask.target.name} is cut by {thing.name}."
        place = _where_cut(view, thing) if ask.told else None
        yield Finding(text, place=place, about=thing.id)


def _where_cut(view: TargetView, thing: Thing) -> Point:
    """Where the line to the nearest point of a target comes to what cuts sight; where it does not,
    the middle of what of that lies in the way of other lines."""
    eye, (far, aim) = view.eye, view.nearest
    ux, uy = (aim[0] - eye[0]) / far, (aim[1] - eye[1]) / far
    out = [0.0, 0.0]
    met = [
        out[0]
        for part in parts_of(thing.shape)
        if slide_span(eye, part.loop, part.radius, ux, uy, 0.0, out) and 0.0 <= out[0] <= far
    ]
    if met:
        return (eye[0] + min(met) * ux, eye[1] + min(met) * uy)
    return middle_near(view.fan, thing.region, 0.0) or nearest_point(thing.shape, eye)[1]


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether one unit sees another as a shooter does (SV-LOS-1, SV-LOS-2)."""
    view = view_of(state, Shoot(actor=a.id, target=b.id))
    if not view.part:
        return Seen(False, f"The front arc of {a.name} does not reach {b.name}.", "SV-LOS-1")
    if view.blockers:
        names = ", ".join(thing.name for thing in view.blockers)
        words = f"{a.name} cannot see {b.name}: {names} in the way."
        return Seen(False, words, "SV-LOS-2", (), tuple(thing.id for thing in view.blockers))
    line = view.line or (view.eye, view.nearest[1])
    return Seen(True, f"{a.name} can see {b.name}.", "SV-LOS-2", (line,))
