"""Climbs, jumps down and jumps over gaps as parts of a way (TC-CLM, TC-JMP)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import Place
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.legs import Line, Point
from tapeline.rules.trench_crusade.book import JUMP_SHARE, LOW_OBSTACLE_IN
from tapeline.rules.trench_crusade.state import movement
from tapeline.table.sheer import Sheer
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import box_of
from tapeline.table.storeys import STANDABLE, Surface
from tapeline.table.terrain import Wall
from tapeline.travel.crossings import face_ahead, faces_under, far_side, tops_along
from tapeline.travel.route import Crossing
from tapeline.travel.walker import Walker
from tapeline.wording import figures, told_apart

__all__ = ["climb", "jump_down", "jump_gap"]


#: Length off an edge at which is looked how squarely a way leads off it.
_NEAR = 1e-3
#: Length off the lip of a gap at which is looked how deep it is.
_BEYOND = 2e-6


def _first(
    line: Line,
    begin: float,
    clear: float,
    depth: Callable[[float, float], float],
    borders: Iterable[Plan | Sheer],
) -> float | None:
    """The first length from `begin` at which depth(x, y) >= clear; None if there is none.

    borders: what depth is the distance from. It comes to be enough only where the line is as far
    from one of them.
    """
    marks = {begin}
    for border in borders:
        marks.update(border.marks_near(line, clear))
    for s in sorted(marks):
        if s >= begin and depth(*line.at(s)) >= clear - LENGTH:
            return s
    return None


def _off_all(faces: list[Sheer]) -> Callable[[float, float], float]:
    """How far a place of the plan is off all of some sheer surfaces."""
    return lambda x, y: min((face.distance(x, y) for face in faces), default=math.inf)


# Climbing.


def climb(walker: Walker, to: Point, z: float | None) -> None:
    """Climb up, down, or over linear terrain, to the surface at height z (TC-CLM-1).

    The walk to the sheer surface and the walk on from its other end are parts of the leg; setting
    the base down straight beyond the edge is free, what leads along the surface is not.
    """
    name, at = walker.body.name, walker.place
    if z is None:
        walker.refuse("TC-CLM-1", "A Climb ends at a height: give its leg z.")
        return
    target = walker.storeys.support(*to, z, TOLERANCE)
    line = Line(at.x, at.y, *to)
    if target is None or walker.surface is None:
        walker.refuse("TC-TER-7", f"Nothing {z:.4g} in high carries {name} there.")
    elif line.length <= TOLERANCE:
        walker.refuse("TC-CLM-1", f"{name} has nothing to climb there.")
    elif more_than(at.z, z) and (off := walker.surface.leaves(line, TOLERANCE)) is not None:
        _climb_down(walker, line, off, target)
    else:
        _climb_up(walker, line, target)


def _sideways(start: Point, end: Point, near: Point) -> float:
    """How far a climb leads along what is climbed, which is nearest to one end at `near`."""
    from_start = math.dist(start, near) <= math.dist(end, near)
    x, y = start if from_start else end
    nx, ny = x - near[0], y - near[1]
    apart = math.hypot(nx, ny)
    if apart <= TOLERANCE:
        return 0.0
    along = abs((end[0] - start[0]) * ny - (end[1] - start[1]) * nx) / apart
    return along if along > TOLERANCE else 0.0


def _foot(feature: Sheer, line: Line, crossed: float, at: Place) -> Point:
    """What of a sheer surface, made longer, is straight ahead of a place: of the side that a line
    crosses, even if the base first touches it at a corner."""
    x, y = line.at(max(0.0, crossed - _NEAR))
    px, py = feature.nearest(x, y)
    nx, ny = px - x, py - y
    apart = math.hypot(nx, ny)
    if apart <= TOLERANCE or (feature.plan is not None and feature.plan.circle is not None):
        return feature.nearest(at.x, at.y)
    ahead = ((px - at.x) * nx + (py - at.y) * ny) / apart
    return at.x + ahead * nx / apart, at.y + ahead * ny / apart


def _square(line: Line, near: Point, at: Place) -> float:
    """How squarely a line leads from a place on to what is nearest to that at `near`: 1 straight at
    it, 0 along it."""
    nx, ny = near[0] - at.x, near[1] - at.y
    ux, uy = line.bx - line.ax, line.by - line.ay
    apart = math.hypot(nx, ny) * line.length
    return max(0.0, (ux * nx + uy * ny) / apart) if apart > 0.0 else 1.0


def _climb_up(walker: Walker, line: Line, target: Surface) -> None:
    at, r, heights = walker.place, walker.radius, walker.terrain
    over, aim = target is walker.surface, target.height(*line.end)
    found = face_ahead(heights, line, r, at.z, lambda face: over or heights.low(aim - face.top))
    if found is None:
        walker.refuse("TC-CLM-1", f"{walker.body.name} has nothing to climb there.")
        return
    crossed, feature = found
    touched = feature.touch(line, r, crossed)
    walker.walk(line.part(0.0, touched))
    if walker.lost:
        return
    if not more_than(feature.top - walker.place.z, LOW_OBSTACLE_IN):
        # The walk there has led up stairs.
        walker.refuse("TC-CLM-1", f"{walker.body.name} has nothing to climb there.")
        return
    entry, square = heights.entries[feature.entry], 0.0
    begin, top = crossed, STANDABLE in entry.traits
    near = _foot(feature, line, crossed, walker.place)
    if over:  # over linear terrain and down its other side
        out, tops = tops_along(heights, feature, line.part(crossed, line.length))
        for face in tops:
            if STANDABLE in heights.entries[face.entry].traits:
                text = f"{heights.name(face.entry)} can be stood on: climb onto it first."
                walker.refuse("TC-CLM-1", text, about=face.entry)
                return
        landing = _first(line, crossed + out, r, _off_all(tops), tops)
        if landing is None:
            text = f"The Climb over {heights.name(feature.entry)} ends before the base is clear."
            walker.refuse("TC-CLM-1", text)
            return
        if not _clear_over(walker, line.part(touched, landing), feature.top, "TC-CLM-1"):
            return  # beside a door high up or under its lintel
    else:
        entered = target.enters(line, TOLERANCE)
        # Along a wall that is cut in two as along one.
        _, tops = tops_along(heights, feature, line.part(crossed, line.length))
        walls = [face for face in tops if STANDABLE not in heights.entries[face.entry].traits]
        apart = _off_all([feature] if top else walls)
        astray = entered is None or more_than(apart(*line.at(entered)), 0.0)
        if astray or entered is None or (top and more_than(entered, crossed)):
            text = f"Climbing {heights.name(feature.entry)} does not lead there."
            walker.refuse("TC-CLM-1", text, about=feature.entry)
            return
        begin = max(begin, entered)
        deep = _first(line, begin, r, target.depth, target.plans)
        # Straight beyond the edge: others that are as near to the way make it no longer.
        square = _square(line, near, walker.place)
        beyond = line.length if target.outer.circle else begin + r / max(square, LENGTH)
        landing = min(line.length, beyond, *(() if deep is None else (deep,)))
        if more_than(feature.top - aim, LOW_OBSTACLE_IN):  # a parapet
            past = _first(line, begin, r, feature.distance, [feature])
            landing = max(landing, line.length if past is None else past)
    x, y = line.at(landing)
    level = target.height(x, y)
    peak = max(level, feature.top)
    rise = peak - walker.place.z
    down = peak - level
    cost = rise + (down if more_than(down, heights.step(target)) else 0.0)
    cost += _sideways((walker.place.x, walker.place.y), (x, y), near)
    # Straight up and on to the edge is free, and over the wall; what leads on along it is not.
    wide = 2.0 * r + (entry.thickness if isinstance(entry, Wall) else 0.0)
    cost += 0.0 if target.outer.circle else max(0.0, (landing - touched) * square - wide)
    end = Place(x, y, level)
    climbed = Crossing("climb", walker.place, end, cost, "TC-CLM-1", peak=peak, piece=feature.entry)
    _across(walker, line, landing, climbed, target)


def _climb_down(walker: Walker, line: Line, off: float, target: Surface) -> None:
    """From the rim of the base at the edge down the face under it."""
    surface, r, heights = walker.surface, walker.radius, walker.terrain
    assert surface is not None
    level, edge = walker.place.z, line.at(off)
    z = target.height(*line.end)
    faces = faces_under(heights, *edge, level, z)
    if not faces:
        text = f"Nothing that can be climbed leads {walker.body.name} down there."
        walker.refuse("TC-CLM-1", text)
        return

    landing = _first(line, off, r, _off_ledge(surface, faces), [*surface.plans, *faces])
    if landing is None:
        walker.refuse("TC-CLM-1", "The Climb down ends before the base is clear of the ledge.")
        return
    walker.walk(line.part(0.0, max(0.0, off - r)))
    if walker.lost:
        return
    x, y = line.at(landing)
    below = walker.storeys.below(x, y, level, TOLERANCE)
    if below is None:
        walker.refuse("TC-CLM-1", f"Nothing carries {walker.body.name} at the foot of the Climb.")
        return
    end = Place(x, y, below.height(x, y))
    up = heights.steps_up(surface, x, y, level)
    if up is not None or not more_than(level - end.z, LOW_OBSTACLE_IN):
        walker.refuse("TC-CLM-1", f"{walker.body.name} has nothing to climb there.")
        return
    cost = level - end.z
    # Straight off the edge as far as the base is wide is free; what keeps it off beside is not.
    square = -surface.depth(*line.at(off + _NEAR)) / _NEAR
    cost += max(0.0, (landing - off) * square - r)
    foot = _foot(faces[0], line.part(line.length, 0.0), line.length - off, end)
    cost += _sideways((walker.place.x, walker.place.y), (x, y), foot)
    climbed = Crossing("climb", walker.place, end, cost, "TC-CLM-1", piece=faces[0].entry)
    _across(walker, line, landing, climbed, below)
    walker.ends_at(z, "TC-CLM-1")


def _off_ledge(surface: Surface, faces: list[Sheer]) -> Callable[[float, float], float]:
    """How far a place of the plan is off a surface and off what carries it."""
    off = _off_all([f for f in faces if f.plan is not None])
    return lambda x, y: min(-surface.depth(x, y), off(x, y))


# Jumping.


def _clear_over(walker: Walker, part: Line, level: float, clause: str) -> bool:
    """Whether the whole base goes over a line at a height and meets nothing that stands there."""
    for o in walker.terrain.near(box_of(part, walker.radius)):
        if o.ground.clear_of(part, walker.radius) or not walker.terrain.stops(
            o, level, level, walker.tall
        ):
            continue
        depth = walker.radius - o.ground.nearest_to(part).distance
        if overlaps(depth):
            deep = told_apart(depth, 0.0, ".2f")
            what = "climb" if clause == "TC-CLM-1" else "jump"
            text = f"{walker.terrain.name(o.entry)} is in the way of the {what} by {deep} in."
            if walker.terrain.is_barred(o):
                clause, text = "TC-TER-5", text[:-1] + ", and is impassable."
            walker.refuse(clause, text, about=o.entry, measured=depth, limit=0.0)
            return False
    return True


def _ledge(walker: Walker, line: Line) -> tuple[float, Surface, float] | None:
    """The first length of a line at which it leads over a ledge, what it leaves there and at what
    height; slopes and steps before are walked. Over none but steps the first of these."""
    surface, off, first = walker.surface, 0.0, None
    while surface is not None and line.length - off > 0.0:
        more = surface.leaves(line.part(off, line.length), TOLERANCE)
        if more is None:
            return first
        off += more
        x, y = line.at(off)
        found = off, surface, surface.height(x, y)
        first = first or found
        here, level = surface, found[2]
        ahead = walker.storeys.over(*line.at(off + _BEYOND), TOLERANCE)
        surface = next(
            (s for s in ahead if s is not here and walker.terrain.low(abs(s.height(x, y) - level))),
            None,
        )
        if surface is None:
            return found
    return first


def jump_down(walker: Walker, to: Point, z: float | None) -> None:
    """Over a ledge to where the base is clear of it, and on (TC-JMP-5); only the plan counts."""
    name, at = walker.body.name, walker.place
    line = Line(at.x, at.y, *to)
    ledge = _ledge(walker, line)
    if ledge is None:
        walker.refuse("TC-JMP-5", f"{name} jumps down from a ledge only.")
        return
    off, surface, level = ledge
    beyond = walker.storeys.below(*line.at(off + _BEYOND), level, TOLERANCE)
    faces = faces_under(walker.terrain, *line.at(off), level, level, climbable=False)
    if beyond is not None:
        # What is stepped down on to is not in the way, on a roof as on the table.
        faces = [face for face in faces if face.entry not in beyond.entries]
    borders: list[Plan | Sheer] = [*surface.plans, *faces]
    landing = _first(line, off, walker.radius, _off_ledge(surface, faces), borders)
    if landing is None:
        text = f"{name} would not be clear of the ledge: it lands {walker.radius:.4g} in off it."
        walker.refuse("TC-JMP-5", text)
        return
    walker.walk(line.part(0.0, off))
    if walker.lost:
        return
    x, y = line.at(landing)
    below = walker.storeys.below(x, y, walker.place.z, TOLERANCE)
    if below is None:
        walker.refuse("TC-JMP-5", f"{name} would land on nothing there.")
        return
    start, end = walker.place, Place(x, y, below.height(x, y))
    up = walker.terrain.steps_up(surface, x, y, start.z)
    low = walker.terrain.low(start.z - end.z, surface, below)
    low = low and not _walks_into(walker, surface, line.part(off, landing), below)
    if up is not None or low:
        # No ledge but a step, or stairs.
        walker.walk(line.part(off, line.length))
        walker.ends_at(z, "TC-JMP-5")
        return
    if not _clear_over(walker, line.part(off, landing), start.z, "TC-JMP-5"):
        return
    jumped = Crossing("drop", start, end, landing - off, "TC-JMP-5", start.z - end.z)
    _across(walker, line, landing, jumped, below)
    walker.ends_at(z, "TC-JMP-5")


def _walks_into(walker: Walker, ramp: Surface, part: Line, below: Surface) -> bool:
    """Whether a base that steps off the side of a ramp would walk into what of it is more than a
    step high: it may jump down past that."""
    if ramp.ramp is None:
        return False
    known, z = len(walker.hits), below.height(*part.end)
    walker.policy.in_way(walker, part, below, z, z)
    met = {hit.about for hit in walker.hits[known:]}
    del walker.hits[known:]
    return not met.isdisjoint(ramp.entries)


def jump_gap(walker: Walker, to: Point, z: float | None) -> None:
    """Over a gap to what lies beyond, and on (TC-JMP-1): from the rim of the base at the lip."""
    name, at = walker.body.name, walker.place
    line, r = Line(at.x, at.y, *to), walker.radius
    ledge = _ledge(walker, line)
    if ledge is None:
        walker.refuse("TC-JMP-1", f"{name} jumps from the lip of a gap only.")
        return
    off, surface, _ = ledge
    found = far_side(
        walker.terrain,
        line.part(off, line.length),
        lambda level: z is None or abs(level - z) <= TOLERANCE,
    )
    if found is None:
        walker.refuse("TC-JMP-1", f"Nothing to land on lies in that direction for {name}.")
        return
    width, far = found
    lip = off + width
    landing = min(line.length, lip + r)
    walker.walk(line.part(0.0, max(0.0, off - r)))
    if walker.lost:
        return
    start = walker.place
    x, y = line.at(landing)
    end = Place(x, y, far.height(x, y))
    x, y = line.at(off + _BEYOND)
    gap = walker.storeys.below(x, y, start.z, TOLERANCE)
    up = walker.terrain.steps_up(surface, x, y, start.z)
    if up is not None or (
        gap is not None and walker.terrain.low(start.z - gap.height(x, y), surface, gap)
    ):
        walker.refuse("TC-JMP-1", f"No gap but a step lies before {name} there.")
        return
    if not _clear_over(walker, line.part(off, lip), max(start.z, end.z), "TC-JMP-1"):
        return
    limit = JUMP_SHARE * movement(walker.state, walker.body)
    if more_than(width, limit):
        wide, most = figures(width, limit)
        text = f"The gap is {wide} in wide; {name} may jump {most} in."
        walker.hit("TC-JMP-1", text, about=walker.body.id, measured=width, limit=limit)
    rise = max(0.0, end.z - start.z)
    ux, uy = (line.bx - line.ax) / line.length, (line.by - line.ay) / line.length
    lips = ((line.at(off), (ux, uy)), (line.at(lip), (-ux, -uy)))
    drop = max(0.0, start.z - end.z)
    jumped = Crossing("jump", start, end, width + rise, "TC-JMP-1", drop, width, lips=lips)
    _across(walker, line, landing, jumped, far)
    walker.ends_at(z, "TC-JMP-1")


def _across(
    walker: Walker, line: Line, landing: float, crossing: Crossing, surface: Surface
) -> None:
    """Take a crossing and walk on along the rest of its leg."""
    end = crossing.end
    danger = walker.terrain.danger_at(surface, *end, walker.radius) or None
    walker.cross(replace(crossing, danger=danger), surface)
    walker.walk(line.part(landing, line.length))
