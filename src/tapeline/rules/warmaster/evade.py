"""WM-EVADE: a unit makes off from the enemy that it answers to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tapeline.engine.clauses import Moment
from tapeline.engine.events import UnitMarked
from tapeline.engine.limits import TOLERANCE, closer_than, overlaps, within
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.grid import boxes_meet
from tapeline.geometry.rectangles.obstacles import Obstacles
from tapeline.geometry.rectangles.rectangle import Rect, region_of_circle, region_of_rect
from tapeline.geometry.rectangles.slide import slide_into, slide_to_border
from tapeline.geometry.rectangles.slide_spans import free_stretches
from tapeline.ranks.bases import (
    NearestPair,
    Point,
    apart,
    apart_at_least,
    away_from,
    box_about,
    box_about_all,
    box_of_slide,
    grown,
    nearest_pairs,
    rect_of,
    shifts_within,
    touch,
    ways_off,
)
from tapeline.ranks.blocks import Aim, Ranked, Slot, in_slot, slots_about
from tapeline.rules.warmaster.actions import Evade, StandMove
from tapeline.rules.warmaster.figures import BOOK, EVADE_CLEAR_CM, EVADE_LEAST_CM, flies
from tapeline.rules.warmaster.forced import confuse
from tapeline.rules.warmaster.formation import engaged_units, is_engaged, shunned
from tapeline.rules.warmaster.initiative import cite_answer
from tapeline.rules.warmaster.measures import (
    Barrier,
    MoveSpec,
    MoveStudy,
    StandStudy,
    near_box,
    spec_of,
    study_of,
)
from tapeline.rules.warmaster.moves import carry_out
from tapeline.rules.warmaster.plans import plain_ways, turn_between, ways_of
from tapeline.rules.warmaster.state import UnitContext, called, cm, rects_of, stands_of, unit_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks

__all__ = ["do_evade", "not_to_burst", "plan_evade"]


Ask = UnitContext[MoveSpec]


def _pairs(ask: Ask) -> list[NearestPair]:
    """The nearest pairs of stands of the evading unit and the unit that it evades."""
    spec = ask.subject
    target = ask.state.units.get(spec.target or "")
    if target is None:
        return []
    return nearest_pairs(ask.stands, stands_of(ask.state, target))


def _evades(ask: Ask) -> MoveStudy | None:
    return ask.measure(study_of) if ask.subject.kind == "evade" else None


@BOOK.clause("WM-EVADE-5", src="seed", bars=MoveSpec, at=Moment.PATH)
def the_nearest_stand_goes_first(ask: Ask) -> Iterator[Finding]:
    """The stand nearest to the enemy evades first."""
    study = _evades(ask)
    if study is None:
        return
    pairs, first = _pairs(ask), study.stands[0]
    if pairs and all(pair.own.id != first.body.id for pair in pairs):
        names = " or ".join(dict.fromkeys(called(ask.state, pair.own.id) for pair in pairs))
        text = f"{first.name} goes first; {names} is nearest to the enemy."
        yield Finding(text, about=first.body.id)


def _course(study: MoveStudy) -> tuple[float, float]:
    """How far the centre of the first stand goes, and how far it strays from a straight line."""
    first = study.stands[0]
    x0, y0 = first.start.x, first.start.y
    dx, dy = first.end.x - x0, first.end.y - y0
    length = math.hypot(dx, dy)
    stray, behind = 0.0, 0.0
    for number, pose in enumerate(first.poses):
        ex, ey = pose.x - x0, pose.y - y0
        if length <= TOLERANCE:
            stray = max(stray, math.hypot(ex, ey))
            continue
        stray = max(stray, abs(ex * dy - ey * dx) / length)
        along = (ex * dx + ey * dy) / length
        stray = max(stray, behind - along)
        behind = max(behind, along)
        if number < len(first.path):
            leg = first.path[number]
            if leg.centre is not None and math.dist(leg.centre, pose.centre) > TOLERANCE:
                # The centre runs on an arc; it strays by the height of the arc over its chord.
                radius = math.dist(leg.centre, pose.centre)
                stray = max(stray, radius * (1.0 - math.cos(math.radians(leg.by or 0.0) / 2)))
    return length, stray


@BOOK.clause("WM-EVADE-6", src="seed", bars=MoveSpec, at=Moment.PATH)
def the_first_stand_goes_straight(ask: Ask) -> Iterator[Finding]:
    """The first stand goes in one straight line, turning as it likes."""
    study = _evades(ask)
    if study is None:
        return
    _, stray = _course(study)
    if not within(stray, 0.0):
        first = study.stands[0]
        text = f"{first.name} strays {cm(stray)} from a straight line."
        yield Finding(text, stray, 0.0, first.end.centre, first.body.id)


def _from_ray(x: float, y: float, way: Point) -> float:
    """How far a point lies from the ray from the origin along a unit vector."""
    ahead = x * way[0] + y * way[1]
    return abs(x * way[1] - y * way[0]) if ahead > 0.0 else math.hypot(x, y)


@BOOK.clause("WM-EVADE-1", src="seed", bars=MoveSpec, at=Moment.PATH)
def directly_away(ask: Ask) -> Iterator[Finding]:
    """An evade goes directly away from the closest enemy."""
    study = _evades(ask)
    if study is None:
        return
    first = study.stands[0]
    length, stray = _course(study)
    ways = [away_from(pair) for pair in _pairs(ask) if pair.own.id == first.body.id]
    if length <= TOLERANCE or not within(stray, 0.0) or not ways:
        return
    dx, dy = first.end.x - first.start.x, first.end.y - first.start.y
    off = min(_from_ray(dx, dy, way) for way in ways if way is not None)
    if not within(off, 0.0):
        text = f"{first.name} ends {cm(off)} from the line straight away from the enemy."
        yield Finding(text, off, 0.0, first.end.centre, first.body.id)


@BOOK.clause("WM-EVADE-2", src="seed", bars=MoveSpec, at=Moment.END)
def at_least_one_centimetre(ask: Ask) -> Iterator[Finding]:
    """An evade goes at least 1 cm."""
    study = _evades(ask)
    if study is None:
        return
    length, _ = _course(study)
    if closer_than(length, EVADE_LEAST_CM):
        first = study.stands[0]
        gone = cm(length, EVADE_LEAST_CM)
        text = f"{first.name} goes {gone}; at least {EVADE_LEAST_CM:g} are needed."
        yield Finding(text, length, EVADE_LEAST_CM, about=first.body.id)


@BOOK.clause("WM-EVADE-9", src="seed", bars=MoveSpec, at=Moment.PATH)
def not_through_enemies_or_fights(ask: Ask) -> Iterator[Finding]:
    """An evade does not go through barred ground, enemies or combats; it bursts through friends
    alone."""
    study = _evades(ask)
    if study is None:
        return
    yield from not_to_burst(ask.state, ask.unit, ask.subject.burst)
    units = ask.state.units
    fighting = {b for name in engaged_units(ask.state) for b in units[name].members}
    for stand in study.stands:
        for met in stand.meetings:
            if met.sort in ("terrain", "foe") or (met.sort == "friend" and met.id in fighting):
                text = f"No way leads {stand.name} through {met.name}."
                gone = stand.travelled(met.leg, met.at, ask.state.option("dist_metric"))
                yield Finding(text, place=met.place, about=met.id, travelled=gone)


def not_to_burst(state: State, unit: Unit, burst: Sequence[str]) -> Iterator[Finding]:
    """What of that a unit may not burst through, and why (WM-EVADE-9)."""
    for name in burst:
        friend = state.units.get(name)
        if friend is None or friend.side != unit.side or friend.id == unit.id:
            text = f"{called(state, name)} is no other unit of this side."
        elif is_engaged(state, friend):
            text = f"{friend.name} is in combat: no way leads through it."
        else:
            continue
        yield Finding(text, about=name, clause="WM-EVADE-9")


@BOOK.clause("WM-EVADE-10", src="seed", bars=MoveSpec, at=Moment.END)
def clear_of_enemies_and_fights(ask: Ask) -> Iterator[Finding]:
    """Every stand ends at least 5 cm from all enemy units and all units in combat."""
    study = _evades(ask)
    if study is None:
        return
    for unit in shunned(ask.state, ask.unit):
        gaps = [
            (apart(end, rect).gap, stand)
            for stand, end in zip(study.stands, study.ends, strict=True)
            for rect in rects_of(ask.state, unit)
            if apart_at_least(end, rect) < EVADE_CLEAR_CM
        ]
        if not gaps:
            continue
        gap, stand = min(gaps, key=lambda pair: pair[0])
        if closer_than(gap, EVADE_CLEAR_CM):
            away = f"{cm(gap, EVADE_CLEAR_CM)} from {unit.name}"
            text = f"{stand.name} ends {away}; {EVADE_CLEAR_CM:g} are needed."
            yield Finding(text, gap, EVADE_CLEAR_CM, stand.end.centre, unit.id)


@BOOK.clause("WM-EVADE-12", src="seed", bars=MoveSpec, at=Moment.END)
def completely_clear_of_friends(ask: Ask) -> Iterator[Finding]:
    """A unit that bursts through friends ends completely clear of them."""
    study = _evades(ask)
    if study is None:
        return
    for name in ask.subject.burst:
        unit = ask.state.units.get(name)
        for body in () if unit is None else stands_of(ask.state, unit):
            for stand in study.stands:
                depth = apart(stand.end, rect_of(body)).depth
                if overlaps(depth):
                    text = f"{stand.name} ends {cm(depth)} over {called(ask.state, body.id)}."
                    yield Finding(text, depth, 0.0, stand.end.centre, body.id)


@BOOK.clause("WM-FLY-1", src="public", bars=Evade, at=Moment.DECLARE)
def flyers_never_evade(ask: UnitContext[Evade]) -> Iterator[Finding]:
    """Flyers may charge on initiative; they never evade."""
    if ask.stands and flies(ask.stands):
        yield Finding(f"{ask.unit.name} flies; flyers do not evade.", about=ask.unit.id)


BOOK.resolves_each("""
WM-EVADE-3 (seed) Directly away is along the line through the nearest points of the two nearest
    stands.
WM-EVADE-4 (seed) Where several pairs of stands are nearest, the evading player picks one.
WM-EVADE-7 (seed) The stand turns as it goes, as it likes.
WM-EVADE-8 (seed) The others follow one by one; distance spent turning counts for all.
WM-EVADE-11 (seed) Each evade proposed is judged; a unit for which none is legal does not evade.
WM-EVADE-13 (seed) The unit burst through is confused; the evading one is not.
WM-STAND-10 (seed) Only an evading unit passes over another unit on the ground, by bursting through
    it.
""")


def do_evade(run: Run, action: Evade) -> MoveStudy:
    """Carry out an evade, and confuse the friends burst through; gives the move as measured."""
    unit = unit_of(run.state, action.actor)
    more = {"stands": action.stands, "target": action.target, "burst": action.burst}
    spec = spec_of(run.state, unit, "evade", **more)
    study = carry_out(run, spec, "WM-EVADE-1")
    run.cite("WM-EVADE-2", "WM-EVADE-3", "WM-EVADE-5", "WM-EVADE-6", "WM-EVADE-10", "WM-EVADE-11")
    if len(study.stands) > 1:
        run.cite("WM-EVADE-8")
    if any(barrier.sort != "placed" for stand in study.stands for barrier in stand.barriers):
        run.cite("WM-EVADE-9")
    cite_answer(run, unit, action.target)
    if len(_pairs(UnitContext(run.start, spec, run))) > 1:
        run.cite("WM-EVADE-4")
    if any(leg.by for leg in study.stands[0].path):
        run.cite("WM-EVADE-7")
    run.emit(UnitMarked(unit.id, Marks({"initiative": True}), "WM-INIT-4"))
    for name in action.burst:
        friend = unit_of(run.start, name)
        there = rects_of(run.start, friend)
        if any(stand.goes_over(rect) for stand in study.stands for rect in there):
            run.cite("WM-STAND-10", "WM-EVADE-12")
            confuse(run, friend, "WM-EVADE-13")
    return study


#: Length by which a stand may be in either of two things that it just fits between, cm.
_FIT = 0.25 * TOLERANCE
#: Depth of an overlap that is still none, cm.
_SHALLOW = 0.25 * TOLERANCE
#: Shares of a stretch that are tried, from its far end.
_SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
#: What a changed facing, and an arrangement that is neither line nor column, are worth, cm.
_FACING_CM, _IRREGULAR_CM = 8.0, 4.0
#: Plans looked at: whether the first stand goes end on, whether the others go round what is in
#: between, and how many, those worth most first.
_PASSES = ((False, False, 600), (False, True, 40), (True, False, 120), (True, True, 20))
#: Parts of the way at which a stand that goes end on turns, and turns back.
_TURNS = ((0.0, 1.0), (0.0, 0.66), (0.33, 1.0), (0.33, 0.66), (0.0, 0.33), (0.66, 1.0))

#: Whether something bars a move of a unit, or what does.
_Barred = Callable[[MoveSpec], object]


@dataclass(frozen=True, slots=True)
class Evasion:
    """An evade planned. stands: in order with their ways, empty if none is legal; then tried: how
    many plans were looked at; none at all where the stands have no room anywhere."""

    stands: tuple[StandMove, ...]
    tried: int = 0


class _Planner:
    """One evade of a unit: what its stands have to keep clear of, and their ways."""

    def __init__(self, barred: _Barred, state: State, spec: MoveSpec, most: float) -> None:
        self.is_barred, self.state, self.spec = barred, state, spec
        self.ways = ways_of(state, spec)
        self.moving = self.ways.moving
        self.bodies = {body.id: body for body in self.moving.bodies}
        self.most = min(most, spec.allowance)
        rects = [rect_of(body) for body in self.moving.bodies]
        # No stand is placed farther off than this, wherever the others go.
        far = self.most + sum(4.0 * rect.reach for rect in rects)
        self._about = box_about_all(rects, far)
        zones = (
            grown(rect, EVADE_CLEAR_CM)
            for unit in shunned(state, self.moving.unit)
            for rect in rects_of(state, unit)
            if boxes_meet(self._about, box_about(rect, EVADE_CLEAR_CM))
        )
        burst = (
            region_of_rect(rect)
            for name in spec.burst
            for rect in rects_of(state, state.units[name])
        )
        self._shut = (*burst, *zones)
        self._grounds: dict[tuple[int, ...], Obstacles] = {}
        self._ground_of: dict[str, Obstacles] = {}
        self._firsts: dict[tuple[str, Rect, bool], StandStudy | None] = {}
        self._taken: dict[tuple[Rect, Point], list[tuple[float, float]]] = {}

    def barred(self, body: Body, pose: Rect, u: Point) -> list[tuple[float, float]]:
        """Shifts of a stand along a direction at which it may not end."""
        key = (pose, u)
        if key not in self._taken:
            spans = self._ground(body).spans(pose, u, self.most, _SHALLOW)
            table, far = self.state.table, pose.reach + self.most + 1.0
            if not (far <= pose.x <= table.width - far and far <= pose.y <= table.depth - far):
                ahead = slide_to_border(pose, u, table.width, table.depth)
                if ahead is not None:
                    spans.append((ahead.at + 0.5 * TOLERANCE, math.inf))
            self._taken[key] = spans
        return self._taken[key]

    def _ground(self, body: Body) -> Obstacles:
        """All that a stand may not end on; the same for stands that heed the same."""
        if body.id not in self._ground_of:
            heeded = self.moving.heeded(body, (), self._about)
            near = near_box(heeded, self._about)
            key = tuple(map(id, near))
            if key not in self._grounds:
                shapes = [barrier.region for barrier in near]
                self._grounds[key] = Obstacles((*shapes, *self._shut))
            self._ground_of[body.id] = self._grounds[key]
        return self._ground_of[body.id]

    def arrangements(
        self, first: Body, u: Point, *, plain: bool
    ) -> Iterator[tuple[float, Callable[[], Iterable[Aim]]]]:
        """Arrangements of the stands with one of them gone straight along a direction: what none
        is worth more than, and where the stands may end in it. plain: facing as it does, as they
        stand or in a line or column; else in all other ways."""
        start = rect_of(first)
        reach = self.way_is_open(first, u)
        others = [body for body in self.moving.bodies if body.id != first.id]
        rects = [rect_of(body) for body in others]
        own = Obstacles([region_of_rect(rect) for rect in rects])
        all_slots = list(slots_about(start, rects))
        for facing in _facings(start, u):
            turned = Rect(start.x, start.y, facing, start.width, start.depth)
            same = abs(facing - start.facing) < TOLERANCE
            if plain and not same:
                continue
            least, most = self.near_enough(start, turned, u)
            least, most = max(EVADE_LEAST_CM, least), min(reach, most)
            # A stand that the first has ended on could not get away from under it.
            over = [*own.spans(turned, u, self.most, _SHALLOW), *self.barred(first, turned, u)]
            free = list(free_stretches(over, least, most, _FIT))
            for slots, regular in all_slots if free else ():
                if (same and regular) is not plain:
                    continue
                lost = (0.0 if same else _FACING_CM) + (0.0 if regular else _IRREGULAR_CM)
                work = partial(self._aims, first, others, turned, slots, u, over, (least, most))
                yield free[-1][1] + 3.0 * _FIT - lost, partial(work, lost)

    def _aims(
        self, first: Body, others: Sequence[Body], turned: Rect, slots: Sequence[Slot], u: Point,
        over: Sequence[tuple[float, float]], within_reach: tuple[float, float], lost: float,
    ) -> Iterator[Aim]:  # fmt: skip
        """Where the stands may end in one arrangement: every stand in every place. over: where the
        first may not."""
        least, most = within_reach
        places = [in_slot(turned, slot) for slot in slots]
        spans = [*over]
        for body, place in zip(others, places, strict=True):
            barred = self.barred(body, place, u)
            if any(a < least - TOLERANCE and b > most + TOLERANCE for a, b in barred):
                return
            spans += barred
        free = list(free_stretches(spans, least, most, _FIT))
        if not free:
            return
        near = [[self.near_enough(rect_of(b), place, u) for place in places] for b in others]
        for order in set(itertools.permutations(range(len(places)))):
            low = max((least, *(near[k][i][0] for k, i in enumerate(order))))
            high = min((most, *(near[k][i][1] for k, i in enumerate(order))))
            ends = (
                (first.id, turned),
                *((b.id, places[i]) for b, i in zip(others, order, strict=True)),
            )
            for a, b in free:
                a, b = max(a, low), min(b, high)
                if a > b + _FIT:
                    continue
                for d in dict.fromkeys(a + share * (b - a) for share in _SHARES):
                    yield Aim(d - lost, ends, u, d)

    def near_enough(self, start: Rect, end: Rect, u: Point) -> tuple[float, float]:
        """The shifts of an end along a direction at which no corner is farther from where it begins
        than the pace. An empty stretch if there are none."""
        return shifts_within(start, end, u, self.spec.allowance) or (math.inf, -math.inf)

    def way_is_open(self, first: Body, u: Point) -> float:
        """How far a stand could go along a line at most, however it turns: the disc in its middle
        meets something there."""
        start = rect_of(first)
        disc = region_of_circle(start.x, start.y, 0.5 * min(start.width, start.depth) - TOLERANCE)
        box = box_of_slide(start, self.most * u[0], self.most * u[1])
        met = [
            slide_into(disc, barrier.shape, u, self.most)[1]
            for barrier in near_box(self.moving.heeded(first, (), box), box)
        ]
        return min((contact.at for contact in met if contact is not None), default=self.most)

    def first_way(self, name: str, end: Rect, u: Point, *, end_on: bool) -> StandStudy | None:
        """A clear way of the first stand straight to its end; looked for once."""
        key = (name, end, end_on)
        if key not in self._firsts:
            body = self.bodies[name]
            paths = _straight_ways(rect_of(body), end, u, end_on=end_on)
            studies = (self.ways.along(body, path, ()) for path in paths)
            self._firsts[key] = next((found for found in studies if found is not None), None)
        return self._firsts[key]

    def carried(self, aim: Aim, *, end_on: bool, detours: bool) -> tuple[StandMove, ...]:
        """Ways of all stands to where they are to end that nothing bars; none if not found."""
        ends = aim.ends
        study = self.first_way(*next(ends), aim.u, end_on=end_on)
        found = None if study is None else self._others((study,), dict(ends), detours)
        if found is None:
            return ()
        stands = tuple(StandMove(stand=s.body.id, path=s.path) for s in found)
        return () if self.is_barred(replace(self.spec, stands=stands)) else stands

    def _others(
        self, placed: tuple[StandStudy, ...], ends: dict[str, Rect], detours: bool
    ) -> tuple[StandStudy, ...] | None:
        if not ends:
            return placed
        barriers: list[Barrier] = [self.moving.placed(study) for study in placed]
        for name, end in ends.items():
            if not any(touch(end, study.end) for study in placed):
                continue
            study = self.ways.way(self.bodies[name], end, barriers)
            if study is None and not detours and not self.moving.fights:
                # Stands that are placed only take away ground: it has none later either.
                return None
            if study is None and detours:
                study = self.ways.way(self.bodies[name], end, barriers, detours=True)
            if study is not None:
                left = {n: e for n, e in ends.items() if n != name}
                found = self._others((*placed, study), left, detours)
                if found is not None:
                    return found
        return None


def _facings(start: Rect, u: Point) -> Iterator[float]:
    """Facings that the first stand may end in, radians: as it faces, and by quarter turns; then
    toward the enemy, away from it, and along its front."""
    away = math.atan2(u[1], u[0])
    found: list[float] = []
    for base in (start.facing, away + math.pi):
        for quarter in (0, 2, 1, 3):
            facing = base + quarter * 0.5 * math.pi
            if all(abs(math.remainder(facing - known, math.tau)) > TOLERANCE for known in found):
                found.append(facing)
                yield facing


def _straight_ways(start: Rect, end: Rect, u: Point, *, end_on: bool) -> Iterator[LegPath]:
    """Ways of the first stand straight to its end, turned as it goes, the plainest first; end_on:
    those on which it goes end on, for narrow places."""
    far = math.dist(start.centre, end.centre)

    def at(share: float) -> Point:
        return start.x + share * far * u[0], start.y + share * far * u[1]

    to = end.centre
    if not end_on:
        yield from plain_ways(start, end, None)
    away = math.atan2(u[1], u[0]) + (0.5 * math.pi if start.width > start.depth else 0.0)
    for facing in (away, away + math.pi) if end_on else ():
        turned = Rect(start.x, start.y, facing, start.width, start.depth)
        before, after = turn_between(start, turned), turn_between(turned, end)
        if min(abs(before), abs(after)) * start.reach <= TOLERANCE:
            continue
        for one, two in _TURNS:
            yield (
                Leg(to=at(one), by=before, how="free") if one else Leg(by=before),
                Leg(to=at(two)),
                Leg(to=to, by=after, how="free") if two < 1.0 else Leg(by=after),
            )


def plan_evade(
    barred: _Barred,
    state: State,
    unit: Unit,
    target: Unit,
    burst: tuple[str, ...] = (),
    most: float = math.inf,
) -> Evasion:
    """The evade of a unit that is worth most, of those found that nothing bars.

    barred: whether something bars a move in that state, or what does. burst: friends that it may
    go through. most: no farther, cm.
    """
    spec = spec_of(state, unit, "evade", target=target.id, burst=burst)
    planner = _Planner(barred, state, spec, most)
    ways = ways_off(stands_of(state, unit), stands_of(state, target))
    tried = 0
    for plain in (True, False):
        ranked = Ranked(
            found for pair, u in ways for found in planner.arrangements(pair.own, u, plain=plain)
        )
        for end_on, detours, number in _PASSES:
            for aim in ranked.first(number):
                stands = planner.carried(aim, end_on=end_on, detours=detours)
                if stands:
                    return Evasion(stands)
        tried += sum(1 for _ in ranked.first(math.inf))
    return Evasion((), tried)
