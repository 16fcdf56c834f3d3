"""Climbs, jumps down and jumps over gaps laid over the ground as parts of a way (3.9 to 3.11)."""

from __future__ import annotations

import math

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, within
from tapeline.engine.paths import Place, Point
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.contact import distance_to
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN, GAP_RISE_IN, JUMP_DOWN_IN
from tapeline.rules.mordheim.state import base_part
from tapeline.rules.mordheim.terrain import fall_over
from tapeline.table.sheer import Sheer
from tapeline.table.solids import box_of
from tapeline.table.storeys import Surface
from tapeline.travel.crossings import end_of_top, face_ahead, faces_under, far_side
from tapeline.travel.landing import Landing
from tapeline.travel.route import Crossing, Stretch
from tapeline.travel.walker import Walker
from tapeline.wording import told_apart

__all__ = ["climb", "jump_down", "jump_gap", "too_low"]


# Climbing.


def climb(walker: Walker, to: Point, z: float | None) -> None:
    """Climb up, down, or over something that stands free, to a place at height z."""
    if z is None:
        walker.refuse("MH-CLIMB-1", "A climb ends at a height: give its leg z.")
        return
    feature, walker.top = walker.top, None
    if feature is not None:
        _over_top(walker, feature, to, z)
    elif more_than(walker.place.z, z):
        _climb_down(walker, to, z)
    else:
        _climb_up(walker, to, z)


def _climb_up(walker: Walker, to: Point, z: float) -> None:
    """To the top, and on from there: over the top's surface, or down the other side."""
    name = walker.body.name
    found = _ahead(walker, to)
    if found is None:
        walker.refuse("MH-CLIMB-1", f"{name} has nothing to climb there.")
        return
    feature, touch, top = found
    walker.walk(Line(walker.place.x, walker.place.y, *touch))
    if walker.lost:
        return
    start = walker.place
    shift = math.dist(touch, top)
    if more_than(shift, walker.radius):
        text = f"The climb leads {shift:.4g} in sideways; one base radius is the most."
        walker.refuse("MH-CLIMB-1", text, measured=shift, limit=walker.radius)
        return
    surface = _carrier(walker, *top, feature)
    level = feature.top if surface is None else surface.height(*top)
    if not _clear_up(walker, touch, start.z, level, surface):
        return
    rise = level - start.z
    walker.add(
        Crossing("climb up", start, Place(*top, level), rise, rise=rise, piece=feature.entry)
    )
    walker.surface = surface
    if surface is None:
        _over_top(walker, feature, to, z)
        return
    walker.walk(Line(*top, *to))
    walker.ends_at(z, "MH-CLIMB-1", "climb")


def _clear_up(walker: Walker, at: Point, low: float, high: float, upper: Surface | None) -> bool:
    """Whether nothing juts into the way straight up or down a face; what does is noted.

    The lip of the floor above is passed sideways, which the shift of a climb allows.
    """
    x, y = at
    r = walker.radius
    for solid in walker.terrain.with_plates(box_about(x, y, r)):
        if walker.terrain.low(solid.top - low):
            continue
        if not more_than(high + walker.tall, solid.bottom):
            continue
        depth = r + solid.ground.depth(x, y)
        lip = upper is not None and solid.entry in upper.entries and not overlaps(depth - r)
        if overlaps(depth) and not lip:
            name, room = walker.terrain.name(solid.entry), solid.bottom - high
            if more_than(0.0, room):
                text = f"{name} juts {depth:.4g} in into the way of the climb: "
                text, measured, limit = text + "climb where nothing does.", depth, 0.0
            else:  # only the head is in its way, where the climb ends
                text, measured, limit = too_low(walker, name, room), room, walker.tall
            walker.refuse("MH-MOVE-5", text, about=solid.entry, measured=measured, limit=limit)
            return False
    return True


def too_low(walker: Walker, name: str, room: float) -> str:
    """What is said of a thing that leaves too little height to stand under it."""
    who, tall = walker.body.name, walker.tall
    return f"{name} leaves {told_apart(room, tall)} in of height; {who} needs {tall:.4g} in."


def _ahead(walker: Walker, to: Point) -> tuple[Sheer, Point, Point] | None:
    """The climbable thing ahead: it, where the base touches it, where its top edge is crossed."""
    at, ground = walker.place, walker.terrain
    line = Line(at.x, at.y, *to)
    if line.length <= TOLERANCE:
        return None
    found = face_ahead(ground, line, walker.radius, at.z)
    if found is None:
        return None
    crossed, feature = found
    touch = at.xy
    if not within(feature.distance(*touch), walker.radius):
        touch = line.at(feature.touch(line, walker.radius, crossed))
    return feature, touch, line.at(crossed)


def _carrier(walker: Walker, x: float, y: float, feature: Sheer) -> Surface | None:
    """The surface at the top of a climb: within a step of the top of what is climbed."""
    for surface in walker.storeys.over(x, y, TOLERANCE):
        level = surface.height(x, y)
        top = abs(level - feature.top) <= TOLERANCE or walker.terrain.low(abs(level - feature.top))
        if top and more_than(level, walker.place.z):
            return surface
    return None


def _over_top(walker: Walker, feature: Sheer, to: Point, z: float) -> None:
    """Cross the top of what has no floor: on to a floor behind it, or down the other side."""
    start = walker.place
    if feature.plan is None:
        walker.refuse("MH-CLIMB-1", f"{walker.body.name} finds no floor up there.")
        return
    line = Line(start.x, start.y, *to)
    if abs(z - feature.top) <= TOLERANCE and feature.plan.depth(*to) >= -TOLERANCE:
        if line.length <= TOLERANCE or _along_top(walker, feature, to):
            walker.top = feature
        return
    out = end_of_top(walker.terrain, feature, line)
    behind: Surface | None = None
    for surface in walker.storeys.near(box_of(line, 0.0)):
        enters = surface.enters(line, TOLERANCE)
        if enters is None or enters > out + TOLERANCE:
            continue
        if walker.terrain.low(abs(surface.height(*line.at(enters)) - feature.top)):
            out, behind = enters, surface
    x, y = line.at(out)
    if out > TOLERANCE and not _along_top(walker, feature, (x, y)):
        return
    if behind is not None:
        walker.surface = behind
        walker.step(behind)
        walker.walk(Line(x, y, *to))
        walker.ends_at(z, "MH-CLIMB-1", "climb")
        return
    _let_down(walker, feature.entry, (x, y), feature.top, to, z)


def _along_top(walker: Walker, feature: Sheer, to: Point) -> bool:
    """Go along the top of a climbable thing; False if something stands on it or hangs too low."""
    terrain, r, z = walker.terrain, walker.radius, walker.place.z
    line = Line(*walker.place.xy, *to)
    for solid in terrain.near(box_of(line, r)):
        depth = r - solid.ground.nearest_to(line).distance
        if overlaps(depth) and terrain.stops(solid, z, z, walker.tall):
            name, room = terrain.name(solid.entry), terrain.headroom(solid, z)
            text = f"{name} is in the way over the top by {told_apart(depth, 0.0, '.2f')} in."
            measured, limit = depth, 0.0
            if room is not None:
                measured, limit, text = room, walker.tall, too_low(walker, name, room)
            walker.refuse("MH-MOVE-5", text, about=solid.entry, measured=measured, limit=limit)
            return False
    what = f"over the top of {walker.terrain.name(feature.entry)}"
    end = Place(*to, walker.place.z)
    walker.add(Stretch(walker.place, end, 1.0, what, "MH-TER-1", "climb", feature.entry))
    return True


def _climb_down(walker: Walker, to: Point, z: float) -> None:
    """From an edge down the face under it."""
    at, surface = walker.place, walker.surface
    line = Line(at.x, at.y, *to)
    off = surface.leaves(line, TOLERANCE) if surface is not None else None
    if surface is None or off is None:
        walker.refuse("MH-CLIMB-1", f"{walker.body.name} climbs down from an edge only.")
        return
    walker.walk(line.part(0.0, off))
    if walker.lost:
        return
    edge = line.at(off)
    level = walker.place.z
    faces = faces_under(walker.terrain, *edge, level, z)
    if not faces:
        text = f"Nothing leads {walker.body.name} down there: no wall, fence or other face."
        walker.refuse("MH-CLIMB-1", text)
        return
    feature = faces[0]
    if feature.plan is not None:
        # A wall whose top goes on beyond the edge of the floor is crossed first.
        rest = Line(*edge, *to)
        out = end_of_top(walker.terrain, feature, rest)
        if out > TOLERANCE:
            edge = rest.at(out)
            if not _along_top(walker, feature, edge):
                return
    _let_down(walker, feature.entry, edge, level, to, z)


def _let_down(walker: Walker, entry: str, edge: Point, level: float, to: Point, z: float) -> None:
    """The climb down itself, from an edge to a place one base radius off it at most."""
    shift = math.dist(edge, to)
    if more_than(shift, walker.radius):
        text = f"The climb down leads {shift:.4g} in sideways; one base radius is the most."
        walker.refuse("MH-CLIMB-1", text, measured=shift, limit=walker.radius)
        return
    surface = walker.storeys.support(*to, z, TOLERANCE)
    if surface is None:
        text = f"Nothing {z:.4g} in high carries {walker.body.name} there."
        walker.refuse("MH-CLIMB-1", text)
        return
    end = Place(*to, surface.height(*to))
    if not _clear_up(walker, to, end.z, level, walker.surface):
        return
    rise = level - end.z
    fall = Landing(end, rise)
    hurdle = Crossing("climb down", walker.place, end, rise, rise=rise, fall=fall, piece=entry)
    walker.cross(hurdle, surface)


# Jumping.


#: Length beyond an edge at which is looked for a step.
_BEYOND = 1e-6


def _edge_ahead(walker: Walker, to: Point, clause: str) -> Point | None:
    """Walk to the edge that a jump leads over; the point of take-off, None if that is refused."""
    at, surface = walker.place, walker.surface
    line = Line(at.x, at.y, *to)
    off = surface.leaves(line, TOLERANCE) if surface is not None else None
    while off is not None and surface is not None:
        x, y = line.at(off)
        up = walker.terrain.steps_up(surface, *line.at(off + _BEYOND), surface.height(x, y))
        if up is None:
            break
        # No edge but a step: on over that.
        more = up.leaves(line.part(off, line.length), TOLERANCE)
        surface, off = up, None if more is None else off + more
    if off is None and surface is not None and surface.depth(*to) <= TOLERANCE:
        # Along the border: over it where it is come to.
        off = 0.0 if surface.depth(at.x, at.y) <= TOLERANCE else line.length
    if off is None:
        walker.refuse(clause, f"The jump of {walker.body.name} leads over no edge.")
        return None
    walker.walk(line.part(0.0, off))
    return None if walker.lost else line.at(off)


def _clear_over(walker: Walker, edge: Point, to: Point, r: float = 0.0) -> bool:
    """Whether nothing stands in the way of a jump, of a disc about the centre; if something does,
    it is noted."""
    line = Line(*edge, *to)
    level = walker.place.z
    x0, y0, x1, y1 = box_of(line, 0.0)
    for solid in walker.terrain.with_plates((x0 - r, y0 - r, x1 + r, y1 + r)):
        if not walker.terrain.stops(solid, level, level, walker.tall):
            continue
        depth = r - solid.ground.nearest_to(line).distance
        if overlaps(depth):
            name = walker.terrain.name(solid.entry)
            text = f"{name} is in the way of the jump."
            walker.refuse("MH-MOVE-5", text, about=solid.entry, measured=depth, limit=0.0)
            return False
    return True


def jump_down(walker: Walker, to: Point, z: float | None) -> None:
    """Walk to the edge and jump down to a place within one base radius of it."""
    name = walker.body.name
    edge = _edge_ahead(walker, to, "MH-JUMP-1")
    if edge is None:
        return
    start = walker.place
    shift = math.dist(edge, to)
    if more_than(shift, walker.radius):
        text = f"{name} would land {shift:.4g} in from the edge; one base radius is the most."
        walker.refuse("MH-JUMP-1", text, measured=shift, limit=walker.radius)
        return
    if not _clear_over(walker, edge, to):
        return
    surface = walker.surface
    up = walker.terrain.steps_up(surface, *to, start.z) if surface is not None else None
    if up is not None:
        rise, over = up.height(*to) - start.z, walker.terrain.name(up.entries[0])
        lies = f"{rise:.4g} in higher" if more_than(rise, 0.0) else "as high"
        text = f"{over} lies {lies} there: {name} goes on to it, not down past it."
        walker.refuse("MH-MOVE-5", text, about=up.entries[0], measured=rise, limit=0.0)
        return
    below = walker.storeys.below(*to, start.z, TOLERANCE)
    if below is None or (z is not None and abs(below.height(*to) - z) > TOLERANCE):
        lies = "nothing" if below is None else f"what lies {below.height(*to):.4g} in high"
        walker.refuse("MH-JUMP-1", f"{name} would land on {lies} there.")
        return
    end = Place(*to, below.height(*to))
    drop = start.z - end.z
    if walker.terrain.low(drop):
        text = f"What lies {drop:.4g} in lower is stepped off, not jumped off."
        walker.refuse("MH-JUMP-1", text, measured=drop, limit=GAP_RISE_IN)
        return
    if more_than(drop, JUMP_DOWN_IN):
        text = f"The drop is {told_apart(drop, JUMP_DOWN_IN)} in; {JUMP_DOWN_IN:g} in is the most."
        walker.hit("MH-JUMP-1", text, measured=drop, limit=JUMP_DOWN_IN)
    walker.cross(Crossing("jump down", start, end, 0.0, rise=drop, fall=Landing(end, drop)), below)


def jump_gap(walker: Walker, to: Point, z: float | None) -> None:
    """Walk to the edge, jump the gap to what lies beyond, and walk on to the end of the leg."""
    name = walker.body.name
    edge = _edge_ahead(walker, to, "MH-GAP-1")
    if edge is None:
        return
    start, took_off = walker.place, walker.surface
    found = _far_side(walker, edge, to, z)
    if found is None:
        walker.refuse("MH-GAP-1", f"Nothing to land on lies in that direction for {name}.")
        return
    landing, far = found
    low = far.height(*landing)
    lower = start.z - low
    if not more_than(GAP_RISE_IN, -lower):
        text = f"The far side lies {told_apart(-lower, GAP_RISE_IN)} in higher; "
        text += f"less than {GAP_RISE_IN:g} in may be jumped."
        walker.hit("MH-GAP-1", text, measured=-lower, limit=GAP_RISE_IN)
    elif not _clear_over(walker, edge, landing, walker.radius):
        return
    rise = 0.0 if more_than(GAP_RISE_IN, lower) else lower
    if more_than(rise, JUMP_DOWN_IN):
        text = f"The far side lies {told_apart(rise, JUMP_DOWN_IN)} in lower; "
        text += f"{JUMP_DOWN_IN:g} in is the most."
        walker.hit("MH-JUMP-1", text, measured=rise, limit=JUMP_DOWN_IN)
    width = math.dist(edge, landing)
    end = Place(*landing, low)
    _lands_on_bases(walker, end)
    normal = _normal(took_off, edge, landing)
    fall = fall_over(walker.state, walker.body, edge, normal, start.z)
    hurdle = Crossing(
        "gap",
        start,
        end,
        width,
        rise=rise,
        width=width,
        fall=fall,
        low=Landing(end, rise) if rise > 0.0 else None,
    )
    walker.add(hurdle)
    walker.surface = far
    walker.walk(Line(*landing, *to))


def _lands_on_bases(walker: Walker, end: Place) -> None:
    """Note the bases that a jump over a gap would land on. It is told at the take-off and without a
    figure: the landing would give the width away (MH-GAP-3)."""
    for other in walker.bars:
        if not closer_than(abs(other.z - end.z), CONTACT_RISE_IN):
            continue
        apart, _ = distance_to(base_part(other), end.x, end.y)
        if overlaps(walker.radius - apart):
            text = f"{walker.body.name} would land on the base of {other.name}."
            walker.hit("MH-MOVE-5", text, about=other.id)


def _far_side(
    walker: Walker, edge: Point, to: Point, z: float | None
) -> tuple[Point, Surface] | None:
    """What a jump leads to: where the far edge is crossed, and what begins there."""

    def able(level: float) -> bool:
        if z is None:
            return not more_than(level - walker.place.z, GAP_RISE_IN)
        return abs(level - z) <= TOLERANCE

    line = Line(*edge, *to)
    found = far_side(walker.terrain, line, able)
    return (line.at(found[0]), found[1]) if found is not None else None


def _normal(surface: Surface | None, edge: Point, landing: Point) -> Point:
    """The direction square to the edge that leads off a surface; else that of the jump."""
    if surface is not None:
        if surface.outer.circle is not None and abs(surface.outer.depth(*edge)) <= TOLERANCE:
            return surface.outer.outward(*edge)
        for ax, ay, bx, by, nx, ny in surface.borders():
            length = math.hypot(bx - ax, by - ay)
            along = ((edge[0] - ax) * (bx - ax) + (edge[1] - ay) * (by - ay)) / length
            off = (edge[0] - ax) * nx + (edge[1] - ay) * ny
            leads = (landing[0] - edge[0]) * nx + (landing[1] - edge[1]) * ny
            if abs(off) <= TOLERANCE and -TOLERANCE <= along <= length + TOLERANCE and leads > 0.0:
                return nx, ny
    d = math.dist(edge, landing)
    return (landing[0] - edge[0]) / d, (landing[1] - edge[1]) / d
