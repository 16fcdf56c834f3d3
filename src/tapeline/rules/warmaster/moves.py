"""WM-STAND, WM-FORM-1, WM-TER: what every move of a unit must keep to, and carrying it out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tapeline.engine.clauses import Moment
from tapeline.engine.events import Moved
from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, within
from tapeline.engine.referee import Run
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.grid import boxes_meet
from tapeline.geometry.rectangles.corner_paths import Leg as Motion
from tapeline.geometry.rectangles.corner_paths import SlideLeg
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    nearest_point,
    overshoots,
    separation,
)
from tapeline.ranks.bases import Point, apart, apart_at_least, box_about, rect_of, shape_of, touch
from tapeline.ranks.blocks import arm_of, pivot_of
from tapeline.ranks.motions import box_of_leg, motions, reverses, spans_of
from tapeline.rules.warmaster.actions import CHARGE_KINDS, Wheel
from tapeline.rules.warmaster.figures import BOOK, TURN_MOST_DEG, mask_of
from tapeline.rules.warmaster.formation import (
    Formation,
    goes_by_road,
    islands,
    pace_of,
    turns_beyond,
)
from tapeline.rules.warmaster.gaps import beside_enemy, gap_between, sides_near
from tapeline.rules.warmaster.measures import (
    Barrier,
    Meeting,
    MoveSpec,
    MoveStudy,
    StandStudy,
    flies_over,
    near_box,
    study_of,
    terrain_of,
)
from tapeline.rules.warmaster.state import (
    UnitContext,
    called,
    characters,
    cm,
    kept_for,
    on_the_table,
    remembered,
)
from tapeline.rules.warmaster.terrain import clause_barring, clauses_allowing, ground_of
from tapeline.wording import told_apart

__all__ = ["carry_out", "goes_beyond"]


def bearing_on(study: MoveStudy) -> tuple[str, ...]:
    """Ids of all clauses that bore on a legal move of a unit; worked out once for a state."""

    def work() -> tuple[str, ...]:
        return tuple(dict.fromkeys((*kept_to(study), *used_in(study))))

    return remembered(kept_for(study.state, "warmaster:bearing"), study.spec, work)


def used_in(study: MoveStudy) -> Iterator[str]:
    """Ids of clauses that a move of a unit made use of; some may come twice."""
    state = study.state
    flying = flies_over(study.spec, (stand.body for stand in study.stands))
    ground = ground_of(state)
    engaged = {
        barrier.id for s in study.stands for barrier in s.barriers if barrier.sort == "engaged"
    }
    company = [(shape_of(body), body.side) for body in characters(state)]
    for index, stand in enumerate(study.stands):
        for pose, leg in zip(stand.poses, stand.legs, strict=False):
            if not _straight_ahead(pose, leg):
                yield "WM-STAND-5"
            if reverses(pose, leg):
                yield "WM-STAND-14"
        if flying:
            continue
        unmoved = [s for s in study.stands[index + 1 :] if s.body.id not in engaged]
        if any(stand.goes_over(other.start) for other in unmoved):
            yield "WM-STAND-8"
        for shape, side in company:
            if stand.goes_over(shape):
                yield "WM-STAND-11"
                yield from ("WM-CHAR-8",) if side == study.unit.side else ()
        for pose, leg in zip(stand.poses, stand.legs, strict=False):
            for feature in ground.near(box_of_leg(pose, leg)):
                if spans_of(pose, leg, feature.region, TOLERANCE)[0]:
                    yield from clauses_allowing(feature.piece, mask_of(stand.body))


def kept_to(study: MoveStudy) -> Iterator[str]:
    """Ids of clauses that a legal move of a unit had to keep to: those about something that was
    near enough for a move of its length to break them; some may come twice."""
    spec, metric = study.spec, study.state.option("dist_metric")
    yield from ("WM-STAND-1", "WM-STAND-6")
    if len(study.stands) > 1:
        yield from ("WM-STAND-2", "WM-FORM-1", "WM-STAND-12")
    lengths = [stand.distance(metric) for stand in study.stands]
    if any(closer_than(length, spec.allowance) for length in lengths):
        yield "WM-PACE-3"
    flying = flies_over(spec, (stand.body for stand in study.stands))
    if flying:
        yield "WM-FLY-4"
    near: dict[str, Barrier] = {}
    sides: dict[str, Barrier] = {}
    entered: dict[str, Barrier] = {}
    for stand, length in zip(study.stands, lengths, strict=True):
        if not stand.legs:
            continue
        if _edge_near(study, stand, length):
            yield "WM-STAND-12"
        if flying:
            landed = any(_within_reach(stand.end, barrier, 0.0) for barrier in stand.barriers)
            yield from ("WM-STAND-12",) if landed else ()
            continue
        # What bounds a gap as wide as the front need not be in the way.
        reached = {b.id: b for b in _in_reach(study, stand, length + stand.start.width)}
        sides = reached | sides
        found = reached.items()
        near = {i: b for i, b in found if _within_reach(stand.start, b, length)} | near
        entered |= {b.id: b for b in sides_near(study.state, stand)[len(stand.barriers) :]}
    for barrier in near.values():
        yield from _in_the_way(study, barrier)
    yield from _narrow(study.stands[0].start, tuple(sides.values()), tuple(entered.values()))


def _in_the_way(study: MoveStudy, barrier: Barrier) -> Iterator[str]:
    """Clauses about something that a stand on the ground might have run into."""
    yield "WM-STAND-4"
    if barrier.sort in ("foe", "friend"):
        yield from ("WM-STAND-7", "WM-STAND-12")
        if barrier.sort == "foe" and not study.spec.charges:
            yield "WM-STAND-13"
    elif barrier.feature is None:
        yield "WM-STAND-9"
    else:
        yield clause_barring(barrier.feature.piece, mask_of(study.stands[0].body))


def _narrow(stand: Rect, near: Sequence[Barrier], entered: Sequence[Barrier]) -> Iterator[str]:
    """Clauses about narrow places that stands of a size came near: beside the enemy, or others.
    entered: features that may be entered, where they bound places beside the enemy."""
    limits = {"WM-GAP-1": 2.0 * min(stand.width, stand.depth), "WM-GAP-2": 2.0 * stand.width}
    sides = (*near, *entered)
    for j, b in enumerate(sides):
        for a in near[:j]:
            wanted = [
                clause
                for clause, limit in limits.items()
                if (beside_enemy(a, b) if clause == "WM-GAP-2" else j < len(near))
                and boxes_meet(a.box, b.box, limit)
            ]
            gap = gap_between(a, b) if wanted else 0.0
            for clause in wanted:
                if more_than(gap, 0.0) and within(gap, limits[clause]):
                    yield clause
                    del limits[clause]
            if not limits:
                return


def _in_reach(study: MoveStudy, stand: StandStudy, length: float) -> Iterator[Barrier]:
    """What a stand might come to in a move of that length, whichever way it went."""
    on_road = goes_by_road(study.state, study.unit)
    box = box_about(stand.start, length)
    barred = ground_of(study.state).barred(mask_of(stand.body), box, on_road=on_road)
    things = (*(b for b in stand.barriers if b.feature is None), *map(terrain_of, barred))
    return (barrier for barrier in things if _within_reach(stand.start, barrier, length))


def _within_reach(rect: Rect, barrier: Barrier, length: float) -> bool:
    """Whether something is no farther than a length from the circle about a stand."""
    if not boxes_meet(box_about(rect, length), barrier.box, TOLERANCE):
        return False
    return within(nearest_point(barrier.shape, rect.centre)[0], rect.reach + length)


def _edge_near(study: MoveStudy, stand: StandStudy, length: float) -> bool:
    table, start = study.state.table, stand.start
    far = start.reach + length
    return not (far < start.x < table.width - far and far < start.y < table.depth - far)


def _straight_ahead(pose: Rect, leg: Motion) -> bool:
    if not isinstance(leg, SlideLeg):
        return False
    aside = leg.dx * pose.uy - leg.dy * pose.ux
    return abs(aside) <= TOLERANCE and leg.dx * pose.ux + leg.dy * pose.uy >= 0.0


Ask = UnitContext[MoveSpec]


def _study(ask: Ask) -> MoveStudy:
    return ask.measure(study_of)


def _at(ask: Ask, meeting: Meeting, stand: StandStudy, text: str) -> Finding:
    where = "where it is to end" if meeting.leg < 0 else f"on leg {meeting.leg + 1}"
    named = f"{stand.name} {text} {where}."
    gone = stand.travelled(meeting.leg, meeting.at, ask.state.option("dist_metric"))
    return Finding(named, place=meeting.place, about=meeting.id, travelled=gone)


def _turns_too_far(rects: Sequence[Rect], pivot: Point, by: float) -> bool:
    """Whether a turn about a point is by more than half a circle."""
    return turns_beyond(math.radians(abs(by)), TURN_MOST_DEG, arm_of(rects, pivot))


def _degrees(by: float) -> str:
    return f"{told_apart(abs(by), TURN_MOST_DEG, 'g')} degrees"


@BOOK.clause("WM-STAND-1", src="seed", bars=(MoveSpec, Wheel), at=Moment.DECLARE)
def stands_move_singly(ask: UnitContext[MoveSpec | Wheel]) -> Iterator[Finding]:
    """Stands of the unit move one at a time, each once, along a path given for it; a turn is by
    180 degrees at most."""
    spec = ask.subject
    if isinstance(spec, Wheel):
        rects = [rect_of(body) for body in ask.stands]
        if rects and _turns_too_far(rects, pivot_of(rects, spec.about), spec.by):
            text = f"A wheel by {_degrees(spec.by)}; a turn is by {TURN_MOST_DEG:g} at most."
            yield Finding(text, abs(spec.by), TURN_MOST_DEG, about=spec.actor)
        return
    unit = ask.state.units[spec.unit]
    seen: set[str] = set()
    for move in spec.stands:
        name = called(ask.state, move.stand)
        if move.stand not in unit.members or move.stand not in ask.state.bodies:
            yield Finding(f"{name} is no stand of {unit.name} on the table.", about=move.stand)
            continue
        if move.stand in seen:
            yield Finding(f"{name} is moved twice.", about=move.stand)
        seen.add(move.stand)
        start = rect_of(ask.state.bodies[move.stand])
        for number, leg in enumerate(move.path, 1):
            if not on_the_table(leg):
                text = f"Leg {number} of {name} is no slide, turn or free leg on the table."
                yield Finding(text, about=move.stand)
            elif leg.by is not None and abs(leg.by) > TURN_MOST_DEG:
                pose = motions(start, move.path[: number - 1])[1][-1]
                if _turns_too_far([pose], leg.centre or pose.centre, leg.by):
                    text = f"Leg {number} of {name} turns by {_degrees(leg.by)}; 180 at most."
                    yield Finding(text, abs(leg.by), TURN_MOST_DEG, about=move.stand)


@BOOK.clause("WM-STAND-6", src="seed", bars=MoveSpec, at=Moment.PATH)
def no_point_goes_farther(ask: Ask) -> Iterator[Finding]:
    """No point of a stand travels farther than the allowance; the farthest is a corner."""
    allowed = ask.subject.allowance
    for stand, distance in _study(ask).too_far():
        far = cm(distance, allowed)
        text = f"A corner of {stand.name} travels {far}; {allowed:g} are allowed."
        yield Finding(text, distance, allowed, stand.end.centre, stand.body.id)


def _over(ask: Ask, clause: str) -> Iterator[tuple[StandStudy, float]]:
    """Stands that go too far under an allowance that comes from a clause."""
    pace = pace_of(ask.state, ask.state.units[ask.subject.unit], ask.subject.kind)
    if clause in pace.clauses:
        yield from _study(ask).too_far()


def _too_far(ask: Ask, clause: str, why: str) -> Iterator[Finding]:
    for stand, distance in _over(ask, clause):
        text = f"{stand.name} travels {cm(distance, ask.subject.allowance)} at half pace: {why}."
        yield Finding(text, distance, ask.subject.allowance, about=stand.body.id)


def goes_beyond(ask: Ask, clause: str, most: str) -> Iterator[Finding]:
    """Stands that go farther than a clause allows to that kind of move, in whose words."""
    allowed = ask.subject.allowance
    for stand, distance in _over(ask, clause):
        text = f"{stand.name} travels {cm(distance, allowed)}; {most} {allowed:g}."
        yield Finding(text, distance, allowed, about=stand.body.id)


@BOOK.clause("WM-PACE-6", src="seed", bars=MoveSpec, at=Moment.PATH)
def fortified_units_move_at_half_pace(ask: Ask) -> Iterator[Finding]:
    """A unit with a stand in a fortified position moves at half pace, charges and evades apart."""
    yield from _too_far(ask, "WM-PACE-6", "it starts in a fortified position")


@BOOK.clause("WM-PACE-9", src="seed", bars=MoveSpec, at=Moment.PATH)
def irregular_units_move_at_half_pace(ask: Ask) -> Iterator[Finding]:
    """A unit that is neither line nor column moves at half pace, charges and evades apart."""
    yield from _too_far(ask, "WM-PACE-9", "its formation is irregular")


@BOOK.clause("WM-FLY-3", src="public", bars=MoveSpec, at=Moment.PATH)
def flyers_move_and_charge_so_far(ask: Ask) -> Iterator[Finding]:
    """A flyer moves up to 100 cm by order and charges up to 60."""
    does = "charge" if ask.subject.kind in CHARGE_KINDS else "move"
    yield from goes_beyond(ask, "WM-FLY-3", f"flyers {does} up to")


@BOOK.clause("WM-FLY-5", src="public", bars=MoveSpec, at=Moment.PATH)
def irregular_flyers_charge_at_half_pace(ask: Ask) -> Iterator[Finding]:
    """A flyer in irregular formation charges at half pace."""
    yield from _too_far(ask, "WM-FLY-5", "it flies, and its formation is irregular")


@BOOK.clause("WM-STAND-2", src="seed", bars=MoveSpec, at=Moment.END)
def each_stand_joins_those_placed(ask: Ask) -> Iterator[Finding]:
    """Each stand after the first touches one that has been placed already."""
    stands = _study(ask).stands
    for index, stand in enumerate(stands[1:], 1):
        if not any(touch(stand.end, other.end) for other in stands[:index]):
            gap = min(separation(stand.end, other.end).gap for other in stands[:index])
            text = f"{stand.name} does not come to touch a stand placed before it."
            yield Finding(text, gap, 0.0, stand.end.centre, stand.body.id)


@BOOK.clause("WM-FORM-1", src="seed", bars=MoveSpec, at=Moment.END)
def the_unit_hangs_together(ask: Ask) -> Iterator[Finding]:
    """At the end of a move the stands hang together by contact."""
    study = _study(ask)
    parts = islands(study.ends)
    if len(parts) > 1:
        first, second = parts[0], parts[1]
        gap = min(separation(study.ends[i], study.ends[j]).gap for i in first for j in second)
        apart = f"{cm(gap)} apart" if gap > 0.0 else "one over the other"
        text = f"The unit ends in {len(parts)} parts, {apart}."
        lone = study.stands[second[0]]
        yield Finding(text, gap, 0.0, lone.end.centre, lone.body.id)


@BOOK.clause("WM-STAND-4", src="seed", bars=MoveSpec, at=Moment.PATH)
def the_path_is_clear(ask: Ask) -> Iterator[Finding]:
    """Each stand has a clear path to its place."""
    yield from _terrain(ask, "WM-STAND-4")


@BOOK.clause("WM-STAND-7", src="seed", bars=MoveSpec, at=Moment.PATH)
def not_over_other_units(ask: Ask) -> Iterator[Finding]:
    """A stand does not pass over a stand of another unit, friend or foe."""
    for stand in _study(ask).stands:
        for sort in ("foe", "friend"):
            for meeting in stand.meetings_of(sort):
                yield _at(ask, meeting, stand, f"passes over {meeting.name}")


@BOOK.clause("WM-STAND-9", src="seed", bars=MoveSpec, at=Moment.PATH)
def not_over_placed_stands(ask: Ask) -> Iterator[Finding]:
    """A stand does not pass over stands of its unit that have moved already or that fight."""
    for stand in _study(ask).stands:
        for sort, why in (("placed", "has moved already"), ("engaged", "fights")):
            for meeting in stand.meetings_of(sort):
                yield _at(ask, meeting, stand, f"passes over {meeting.name}, which {why},")


BOOK.resolves_each("""
WM-STAND-3 (seed) The formation may change in a move.
WM-STAND-5 (seed) A stand goes and turns in any direction.
WM-STAND-8 (seed) A stand passes through stands of its unit that are still to move and do not fight.
WM-STAND-11 (seed) Stands pass through characters.
WM-STAND-14 (public) A stand that turns about on the spot sweeps its own base only.
""")


@BOOK.clause("WM-STAND-12", src="pick", bars=MoveSpec, at=Moment.END)
def ends_apart_and_on_the_table(ask: Ask) -> Iterator[Finding]:
    """No stand ends on another, and none leaves the table in a move of its own will."""
    study = _study(ask)
    for index, stand in enumerate(study.stands):
        edge = next(iter(stand.meetings_of("edge")), None)
        table = study.state.table
        for over in overshoots(stand.end, table.width, table.depth) if edge is not None else ():
            if overlaps(over.amount):
                edge = None
                text = f"{stand.name} ends {cm(over.amount)} over the {over.side} edge."
                yield Finding(text, over.amount, 0.0, over.at, over.side)
        if edge is not None:
            yield _at(ask, edge, stand, f"goes over {edge.name}")
        for other in study.stands[:index]:
            depth = apart(stand.end, other.end).depth
            if overlaps(depth):
                text = f"{stand.name} ends {cm(depth)} over {other.name}."
                yield Finding(text, depth, 0.0, stand.end.centre, other.body.id)
        end = stand.end
        for barrier in near_box(stand.barriers, box_about(end)):
            shape = barrier.shape
            if barrier.sort not in ("foe", "friend") or not isinstance(shape, Rect):
                continue
            if apart_at_least(end, shape) > 0.0:
                continue
            depth = apart(end, shape).depth
            if overlaps(depth):
                text = f"{stand.name} ends {cm(depth)} over {barrier.name}."
                yield Finding(text, depth, 0.0, stand.end.centre, barrier.id)


@BOOK.clause("WM-STAND-13", src="pick", bars=MoveSpec, at=Moment.PATH)
def only_a_charge_touches_the_enemy(ask: Ask) -> Iterator[Finding]:
    """Outside a charge a stand that starts clear of enemy stands never touches one."""
    for stand in _study(ask).stands:
        for meeting in stand.meetings_of("contact"):
            yield _at(ask, meeting, stand, f"touches {meeting.name} of the enemy without charging")


def _terrain(ask: Ask, clause: str) -> Iterator[Finding]:
    for stand in _study(ask).stands:
        mask = mask_of(stand.body)
        for meeting in stand.meetings:
            if meeting.sort != "terrain" or meeting.feature is None:
                continue
            if clause_barring(meeting.feature.piece, mask) == clause:
                yield _at(ask, meeting, stand, f"enters {meeting.name}, which is barred to it,")


def _ground(clause: str, says: str) -> None:
    """Write down a clause by which some terrain is barred to stands."""

    def check(ask: Ask) -> Iterator[Finding]:
        yield from _terrain(ask, clause)

    check.__doc__ = says
    BOOK.clause(clause, src="seed", bars=MoveSpec, at=Moment.PATH)(check)


_ground(
    "WM-TER-2",
    "Cavalry and monsters enter only hills, bridges, shallow rivers, fields and low obstacles.",
)
_ground("WM-TER-3", "Chariots and artillery enter only hills and bridges.")
_ground("WM-TER-4", "Machines enter what chariots enter, unless their own rules say otherwise.")
_ground("WM-TER-6", "Any other feature large enough to be modelled bars everybody but infantry.")
_ground("WM-TER-7", "Steep, rocky and wooded hills are for infantry only.")
_ground("WM-TER-8", "What is a barrier to everybody stops infantry too.")
_ground("WM-TER-12", "High walls and large buildings stop everybody who does not fly.")
_ground(
    "WM-TER-13", "Towers and the like are crossed on the ground only by infantry making an assault."
)


def carry_out(run: Run, spec: MoveSpec, clause: str) -> MoveStudy:
    """Refuse the move if anything bars it; otherwise move the stands in their order."""
    run.refuse(run.check(spec))
    study: MoveStudy = UnitContext(run.state, spec, run).measure(study_of)
    metric = run.state.option("dist_metric")
    pace = pace_of(run.state, study.unit, spec.kind)
    run.cite(*pace.clauses, "WM-PACE-1", "WM-PACE-2", "WM-PACE-4", "WM-SIZE-1")
    for stand in study.stands:
        body, end = stand.body, stand.end
        if stand.legs:
            # The turns are added up as they were given.
            facing = (body.facing + sum(leg.by or 0.0 for leg in stand.path)) % 360.0
            run.emit(Moved(body.id, end.x, end.y, body.z, facing, stand.path, clause))
    far = max(study.stands, key=lambda stand: stand.distance(metric))
    farthest, allowance = far.distance(metric), spec.allowance
    if far.legs:
        what, payer = f"{far.name}, by its farthest corner", study.unit.id
        run.pay(what, farthest, 1.0, farthest, "WM-STAND-6", payer=payer, allowance=allowance)
    run.value(allowance=allowance, distance=farthest)
    run.value(formation=str(study.start), new_formation=str(study.end))
    run.cite("WM-MOVE-1", *bearing_on(study))
    run.cite("WM-FORM-2", _FORMATION_CLAUSE[study.start])
    if study.start is not study.end:
        run.cite("WM-STAND-3", _FORMATION_CLAUSE[study.end])
    return study


_FORMATION_CLAUSE = {
    Formation.LINE: "WM-FORM-4",
    Formation.COLUMN: "WM-FORM-3",
    Formation.IRREGULAR: "WM-FORM-5",
    Formation.BROKEN: "WM-FORM-1",
}
