"""Rigid slides of a whole unit: how far it goes until something halts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeline.engine.events import Moved, UnitMarked
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.rectangle import Part, Rect, Region
from tapeline.geometry.rectangles.slide import slide_into
from tapeline.rules.warmaster.characters import make_way, settled
from tapeline.rules.warmaster.figures import HALT_SHORT_CM
from tapeline.rules.warmaster.formation import goes_by_road
from tapeline.rules.warmaster.profiles import flies, is_character, mask_of
from tapeline.rules.warmaster.stands import Point, apart, apart_at_least, is_engaged, rect_of
from tapeline.rules.warmaster.state import OTHER, company_of, flag, stands_of, units_on_table
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = ["Halt", "first_halt", "shift_unit", "stand_halts"]


@dataclass(frozen=True, slots=True)
class Halt:
    """What halts a slide, and after how far. sort: "terrain", "foe", "fight" or "friend"."""

    at: float
    sort: str
    id: str
    name: str
    place: Point
    stand: str


def _wide(rect: Rect, more: float) -> Region:
    reach = rect.reach + more
    bounds = (rect.x - reach, rect.y - reach, rect.x + reach, rect.y + reach)
    return Region((Part(rect.loop, more),), bounds)


def _swept(rects: Sequence[Rect], v: Point, distance: float) -> Box:
    xs = [r.x + k * distance * v[0] for r in rects for k in (0, 1)]
    ys = [r.y + k * distance * v[1] for r in rects for k in (0, 1)]
    far = max(r.reach for r in rects) + HALT_SHORT_CM
    return min(xs) - far, min(ys) - far, max(xs) + far, max(ys) + far


def stand_halts(
    state: State, unit: Unit, body: Body, v: Point, distance: float, *, short: float
) -> list[Halt]:
    """Everything that a stand meets on a slide along a unit vector, the nearest first.

    short: how far before enemies, fights and friends it halts, cm; a stand that begins nearer to
    one of them comes no nearer to it. Terrain is touched.
    """
    rect = rect_of(body)
    box = _swept([rect], v, distance)
    found: list[Halt] = []
    on_road = goes_by_road(state, unit)
    for feature in ground_of(state).barred(mask_of(body), box, on_road=on_road):
        _, contact = slide_into(rect, feature.region, v, distance, TOLERANCE)
        if contact is not None:
            found.append(
                Halt(contact.at, "terrain", feature.id, feature.name, contact.point, body.id)
            )
    for other in units_on_table(state):
        if other.id == unit.id:
            continue
        sort = "foe" if other.side != unit.side else "friend"
        if sort == "friend" and is_engaged(state, other):
            sort = "fight"
        for stand in stands_of(state, other):
            there = rect_of(stand)
            if apart_at_least(rect, there) > distance + short:
                continue
            wide = _wide(there, min(short, apart(rect, there).gap))
            _, contact = slide_into(rect, wide, v, distance, TOLERANCE)
            if contact is not None:
                found.append(Halt(contact.at, sort, other.id, other.name, contact.point, body.id))
    return sorted(found, key=lambda halt: halt.at)


def first_halt(
    state: State, unit: Unit, v: Point, distance: float, *, short: float = HALT_SHORT_CM
) -> Halt | None:
    """What first halts a rigid slide of the whole unit (3.15 of the notes), if anything does."""
    halts = [
        halt
        for body in stands_of(state, unit)
        for halt in stand_halts(state, unit, body, v, distance, short=short)
    ]
    return min(halts, key=lambda halt: halt.at, default=None)


def shift_unit(run: Run, unit: Unit, v: Point, distance: float, clause: str) -> Procedure:
    """Slide a unit rigidly, with the characters that have joined it (WM-CHAR-3), who stay behind
    in the Command phase (WM-CHAR-2); other characters make way (WM-CHAR-10)."""
    company = company_of(run.state, unit)
    if company and run.state.turn.phase != OTHER:
        run.cite("WM-CHAR-2")
        company = []
    starts = [rect_of(body) for body in stands_of(run.state, unit)]
    for body in (*stands_of(run.state, unit), *company):
        x, y = body.x + distance * v[0], body.y + distance * v[1]
        if is_character(body):
            x, y = yield from settled(run, body, [(x, y)])
        path = (Leg(to=(x, y)),) if distance > 0.0 else ()
        run.emit(Moved(body.id, x, y, body.z, body.facing, path, clause))
    if distance > 0.0 and flag(unit, "fortified"):
        run.emit(UnitMarked(unit.id, Marks({"fortified": None}), clause))
    if company:
        run.cite("WM-CHAR-3")

    def over(shape: Region) -> bool:
        return any(slide_into(rect, shape, v, distance, TOLERANCE)[0] for rect in starts)

    flew = flies(stands_of(run.state, unit)) and run.state.turn.phase != OTHER
    yield from make_way(run, unit, None if flew else over)
