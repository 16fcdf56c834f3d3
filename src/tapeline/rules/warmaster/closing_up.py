"""WM-CMD-8: the units of a brigade end as one touching body; those still to move come up with the
others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tapeline.engine.limits import more_than, within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import Rect, Region, Separation
from tapeline.ranks.bases import apart, box_about, rect_of
from tapeline.ranks.blocks import as_column, as_line, shared_out
from tapeline.ranks.edges import behind, beside, free_offsets
from tapeline.rules.warmaster.actions import Charge, MoveUnit
from tapeline.rules.warmaster.charge import found_charge
from tapeline.rules.warmaster.figures import FIRST_CONTACT_CM
from tapeline.rules.warmaster.formation import goes_by_road, islands, pace_of
from tapeline.rules.warmaster.lineup import attacked_edges
from tapeline.rules.warmaster.measures import MoveSpec, after_move, kind_of, spec_of, study_of
from tapeline.rules.warmaster.plans import plan_move, ways_of
from tapeline.rules.warmaster.sight import line_of_sight
from tapeline.rules.warmaster.state import (
    cm,
    enemies_near,
    findings,
    is_legal,
    kept,
    rects_of,
    stands_of,
    unit_of,
    units_on_table,
)
from tapeline.rules.warmaster.terrain import ground_of, in_the_midst
from tapeline.table.bodies import Unit

__all__ = [
    "closes_up",
    "closing_move",
    "ends_together",
    "joining",
    "not_charging",
    "not_together",
    "to_close_up",
]

#: How a refusal begins of a move that would leave a brigade apart.
_APART = "The brigade could not end as one touching body"


def not_together(
    state: State, units: Sequence[Unit], text: str, about: str, rects: Sequence[Rect] = ()
) -> Iterator[Finding]:
    """That units, and some stands besides, do not form one touching body: how far one part is from
    the others, and where."""
    rects = [*rects, *(rect for unit in units for rect in rects_of(state, unit))]
    first, *others = _parts(rects)
    if others:
        lie = _nearest(first, [rect for part in others for rect in part])
        yield Finding(text, lie.gap, 0.0, lie.on_b, about, clause="WM-CMD-8")


def _parts(rects: Sequence[Rect]) -> list[list[Rect]]:
    """Stands by the parts that hang together by contact."""
    return [[rects[i] for i in part] for part in islands(rects)]


def _nearest(some: Iterable[Rect], others: Sequence[Rect]) -> Separation:
    """How the two nearest of some stands and others lie to each other."""
    return min((apart(a, b) for a in some for b in others), key=lambda lie: lie.gap)


def ends_together(state: State, spec: MoveSpec) -> Iterator[Finding]:
    """The last unit of a brigade to move joins those that have; those before it stay where one that
    is still to move can come to them."""
    group = state.progress.texts("group")
    if spec.kind not in ("order", "half") or spec.unit not in group:
        return
    others = [unit_of(state, name) for name in group if name != spec.unit]
    others = [unit for unit in others if stands_of(state, unit)]
    waiting = [unit for unit in others if unit.marks.text("may_move")]
    stay = [unit for unit in others if not unit.has("charged") and unit not in waiting]
    ends = study_of(state, spec).ends
    if not waiting:
        text = "The brigade does not end as one touching body."
        # A unit left alone hangs together of itself (WM-FORM-1).
        yield from not_together(state, stay, text, spec.unit, ends) if stay else ()
        return
    if any(_might_charge(state, unit) for unit in waiting):
        return
    parts = _parts([*ends, *(rect for unit in stay for rect in rects_of(state, unit))])
    for there in parts:
        able = [unit for unit in waiting if not _out_of_touch(state, unit, there)]
        if not able:
            names = ", ".join(unit.name for unit in waiting)
            why = f"it lies in the midst of ground barred to {names}, still to move."
            yield Finding(f"{_APART}: {why}", place=(there[0].x, there[0].y), about=spec.unit)
            return
        lie, pace = min(
            (_between(state, unit, there) for unit in able),
            key=lambda found: found[0].gap - found[1],
        )
        if more_than(lie.gap, pace):
            why = f"{cm(lie.gap, pace)} to those still to move, who go {pace:g}."
            yield Finding(f"{_APART}: {why}", lie.gap, pace, lie.on_b, spec.unit)
            return
    there = [rect for part in parts for rect in part]
    stretch = {unit.id: sum(2.0 * r.reach for r in rects_of(state, unit)) for unit in waiting}
    most = sum(stretch.values())
    for unit in waiting:
        # Between a slow one and those that have moved the others may stand.
        lie, pace = _between(state, unit, there)
        between = most - stretch[unit.id]
        if more_than(lie.gap, pace + between):
            why = f"{cm(lie.gap, pace + between)} to {unit.name}, still to move, who goes {pace:g}"
            why += f"; the others still to move stretch over {between:.4f}." if between else "."
            yield Finding(f"{_APART}: {why}", lie.gap, pace + between, lie.on_b, spec.unit)
            return
    for part in parts if len(parts) > 1 else ():
        lie = _nearest(part, [rect for other in parts if other is not part for rect in other])
        if more_than(lie.gap, most):
            why = f"{cm(lie.gap, most)} between those that have moved; those still to move stretch"
            yield Finding(f"{_APART}: {why} over {most:.4f}.", lie.gap, most, lie.on_b, spec.unit)
            return


def _out_of_touch(state: State, unit: Unit, rects: Sequence[Rect]) -> bool:
    """Whether some stands lie in the midst of ground where a unit may not end."""
    stand, on_road = stands_of(state, unit)[0], goes_by_road(state, unit)
    ground = ground_of(state)
    return all(
        in_the_midst(rect, ground.closed_to(stand, box_about(rect), on_road=on_road))
        for rect in rects
    )


def _between(state: State, unit: Unit, rects: Sequence[Rect]) -> tuple[Separation, float]:
    """How a unit lies to some stands, and how far it may go, cm."""
    return _nearest(rects_of(state, unit), rects), pace_of(state, unit, kind_of(unit)).allowance


def _might_charge(state: State, unit: Unit) -> bool:
    """Whether an enemy that a unit sees before it is near enough to be charged, with room at an
    edge that it would attack."""
    reach = pace_of(state, unit, "charge").allowance
    return unit.marks.text("may_move") == "order" and any(
        within(gap, reach)
        and line_of_sight(state, unit, enemy, front_only=True) is not None
        and _has_room_before(state, unit, enemy)
        for gap, enemy in enemies_near(state, unit, reach)
    )


def _has_room_before(state: State, unit: Unit, enemy: Unit) -> bool:
    """Whether the ground, and the stands of those who are not of the brigade, leave room for a
    stand of a unit at an edge of the enemy that it would attack."""
    group = state.progress.texts("group")
    others = [other for other in units_on_table(state) if other.id not in group]
    bodies = [body for other in others for body in stands_of(state, other)]
    table, stands = (state.table.width, state.table.depth), stands_of(state, unit)
    on_road = goes_by_road(state, unit)
    for body in stands_of(state, enemy):
        there = rect_of(body)
        box = box_about(there, there.reach + 3.0 * max(rect_of(stand).reach for stand in stands))
        barred = ground_of(state).closed_to(stands[0], box, on_road=on_road)
        taken: list[Rect | Region] = [feature.region for feature in barred]
        taken += [rect_of(other) for other in bodies if other.id != body.id]
        for edge in attacked_edges(state, unit, body):
            for start in {rect_of(stand) for stand in stands}:
                if free_offsets(start, taken, there, edge, FIRST_CONTACT_CM, table):
                    return True
    return False


def not_charging(state: State) -> list[Unit]:
    """The units of the brigade ordered last that are on the table and have not charged."""
    units = [unit_of(state, name) for name in state.progress.texts("group")]
    return [unit for unit in units if not unit.has("charged") and stands_of(state, unit)]


@kept
def to_close_up(state: State) -> list[Unit]:
    """The units of a brigade moved apart that still have to come together, or to charge, where they
    are found a way to do so: who finds none, however it forms up, holds nobody back."""
    still = not_charging(state)
    waiting = [unit for unit in still if unit.marks.text("may_move")]
    if not waiting or not list(not_together(state, still, "", "")):
        return []
    held = any(_finds_charge(state, unit) for unit in waiting) or closing_move(state)
    return waiting if held else []


@kept
def closing_move(state: State) -> MoveUnit | None:
    """A move after which, others following, a brigade moved apart stands together again, if one is
    found: whoever is held back by it is offered it."""
    group = state.progress.texts("group")
    found = (_close_up(state, group, anyhow=anyhow) for anyhow in (False, True))
    return next((moves[0] for moves in found if moves), None)


def _finds_charge(state: State, unit: Unit) -> bool:
    if not _might_charge(state, unit):
        return False
    near = enemies_near(state, unit, pace_of(state, unit, "charge").allowance)
    charges = (Charge(actor=unit.id, target=enemy.id) for _, enemy in near)
    return found_charge(partial(findings, state), state, charges) is not None


def closes_up(state: State, spec: MoveSpec) -> bool:
    """Whether after a move of one unit of a brigade those still to move are found ways to it and
    to one another (WM-CMD-8)."""
    others = [name for name in state.progress.texts("group") if name != spec.unit]
    if spec.unit not in state.progress.texts("group") or not others:
        return True
    return _close_up(after_move(state, spec), others) is not None


def _close_up(
    state: State, others: Sequence[str], *, anyhow: bool = False
) -> tuple[MoveUnit, ...] | None:
    """Moves of units still to move, in turn, by which each comes to those that have, if they are
    found; where none has, one stays for the others to come to."""
    units = [unit_of(state, name) for name in others]
    waiting = [unit for unit in units if unit.marks.text("may_move") and stands_of(state, unit)]
    if not waiting:
        return ()
    stays = not _gone_before(state)
    for unit in waiting:
        move = MoveUnit(actor=unit.id) if stays else joining(state, unit, anyhow=anyhow)
        if move is None:
            continue
        moved = spec_of(state, unit, stands=move.stands)
        if stays and not is_legal(state, moved):
            continue
        rest = _close_up(after_move(state, moved), others, anyhow=anyhow)
        if rest is not None:
            return (move, *rest)
    return None


def _gone_before(state: State) -> list[Unit]:
    """The units of a brigade that have moved, charges apart."""
    return [unit for unit in not_charging(state) if not unit.marks.text("may_move")]


def joining(
    state: State,
    unit: Unit,
    fits: Callable[[MoveSpec], bool] = lambda spec: True,
    *,
    anyhow: bool = False,
) -> MoveUnit | None:
    """A move of a unit as it stands to one of its brigade that has moved, if one is found: the last
    of a brigade has to come to the others (WM-CMD-8), and would hardly do so by chance. anyhow: by
    the shortest way, in line and in column, and round what is in the way."""
    if unit.id not in state.progress.texts("group"):
        return None
    spec = spec_of(state, unit)
    bodies, rects, ways = stands_of(state, unit), rects_of(state, unit), ways_of(state, spec)
    there = [rect for other in _gone_before(state) for rect in rects_of(state, other)]
    for places in _formed_up(rects, there, anyhow=anyhow) if there else ():
        ends = {body.id: place for body, place in zip(bodies, places, strict=True)}
        if not ways.affords_ends(ends):
            continue
        plan = plan_move(state, spec, ends, detours=anyhow)
        moved = replace(spec, stands=plan.stands)
        if plan.whole and is_legal(state, moved) and fits(moved):
            return MoveUnit(actor=unit.id, stands=plan.stands)
    return None


def _formed_up(
    rects: Sequence[Rect], there: Sequence[Rect], *, anyhow: bool
) -> Iterator[Sequence[Rect]]:
    """Places for the stands of a unit that touch others: as they stand, one of them beside or
    behind each; anyhow: by the shortest way of one of them too, and in line and in column."""
    count = len(rects)
    for lead in rects:
        least = min((apart(lead, other) for other in there), key=lambda lie: lie.gap)
        (x0, y0), (x1, y1) = least.on_a, least.on_b
        near = (lead.moved(x1 - x0, y1 - y0),) if anyhow else ()
        for pose in (*near, *beside(there, lead), *behind(there, lead), lead):
            by = math.atan2(pose.uy, pose.ux) - math.atan2(lead.uy, lead.ux)
            shift = (pose.x - lead.x, pose.y - lead.y)
            yield [rect.turned(by, lead.centre).moved(*shift) for rect in rects]
            lines = (as_line(pose, count, place) for place in {0, count - 1})
            for places in (*lines, as_column(pose, count)) if anyhow else ():
                yield shared_out(rects, places)
