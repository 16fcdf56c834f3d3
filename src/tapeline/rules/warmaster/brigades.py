"""Units and brigades moved as one: blocks, wheels, lines and columns, as plain stand moves.

Each is planned and then judged by the clauses like a move given stand by stand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tapeline.engine.codec import action_marks
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.ranks.bases import Point, grown, rect_of
from tapeline.ranks.blocks import (
    as_block,
    as_column,
    as_line,
    middle,
    pivot_of,
    shared_out,
    wheeled,
)
from tapeline.ranks.motions import spans_of
from tapeline.rules.warmaster.actions import (
    AboutFace,
    Block,
    Brigade,
    FormColumn,
    FormLine,
    MoveUnit,
    StandMove,
    Wheel,
)
from tapeline.rules.warmaster.figures import EVADE_CLEAR_CM, EVADE_LEAST_CM, flies
from tapeline.rules.warmaster.formation import shunned
from tapeline.rules.warmaster.measures import MoveSpec, MoveStudy, after_move, spec_of, study_of
from tapeline.rules.warmaster.plans import MovePlan, Ways, plan_move, ways_of
from tapeline.rules.warmaster.sequence import do_move
from tapeline.rules.warmaster.state import is_legal, stands_of, unit_of, units_on_table
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit

__all__ = [
    "do_about_face",
    "do_block",
    "do_brigade",
    "do_form_column",
    "do_form_line",
    "do_wheel",
    "goes_as_one",
    "met_on_the_way",
    "planned",
    "shorter_block",
    "turned_about",
]


Poses = Callable[[Sequence[Rect]], Sequence[Rect]]


def _plan(
    state: State, unit: Unit, poses: Poses, pivot: Point | None
) -> tuple[MoveSpec, dict[str, Rect], MovePlan]:
    """The kind of move that the unit may make, where its stands are to end, the ways found."""
    bodies = stands_of(state, unit)
    there = poses([rect_of(body) for body in bodies])
    ends = dict(zip((body.id for body in bodies), there, strict=True))
    spec = spec_of(state, unit)
    return spec, ends, plan_move(state, spec, ends, pivot)


def planned(state: State, unit: Unit, poses: Poses, pivot: Point | None = None) -> MoveUnit:
    """A plain move of the unit to some poses."""
    return MoveUnit(actor=unit.id, stands=_plan(state, unit, poses, pivot)[2].stands)


def _judged(
    run: Run, unit: Unit, poses: Poses, pivot: Point | None = None
) -> tuple[MoveUnit, list[Finding]]:
    """A plain move of the unit to some poses, and what bars it: what is wrong with the poses
    themselves or, if that is nothing, that no ways to them were found."""
    spec, ends, plan = _plan(run.state, unit, poses, pivot)
    action = MoveUnit(actor=unit.id, stands=plan.stands)
    barred = run.check(action)
    found = barred or run.check(replace(spec, stands=plan.stands))
    if barred or not found:
        return action, found
    order = [move.stand for move in plan.stands] or list(ends)
    asked = run.check(replace(spec, ends=tuple((name, ends[name]) for name in order)))
    return action, asked or [_no_way(unit, plan, found[0])]


def _no_way(unit: Unit, plan: MovePlan, bars: Finding) -> Finding:
    """That the stands of a unit find no ways to their places, and what was tried."""
    orders = f"{plan.orders} order{'' if plan.orders == 1 else 's'} of its stands"
    text = (
        f"No clear ways were found for {unit.name} to its places: tried straight, turning before, "
        f"after or as it goes, and round what is in between, in {orders}. The plainest is barred: "
        f"{bars.text}"
    )
    return Finding(text, place=bars.place, about=bars.about, clause="WM-STAND-4")


def _carry(run: Run, actor: str, poses: Poses, pivot: Point | None = None) -> Procedure:
    unit = unit_of(run.state, actor)
    if not stands_of(run.state, unit):
        run.refuse(run.check(MoveUnit(actor=unit.id)))
        return
    action, refused = _judged(run, unit, poses, pivot)
    run.refuse(refused)
    yield from do_move(run, action)


def do_block(run: Run, action: Block) -> Procedure:
    """Move a unit as one block."""
    yield from _carry(
        run, action.actor, lambda rects: as_block(rects, action.to or middle(rects), action.by)
    )


def do_wheel(run: Run, action: Wheel) -> Procedure:
    """Wheel a unit about a front corner at one of its ends."""
    unit = unit_of(run.state, action.actor)
    rects = [rect_of(body) for body in stands_of(run.state, unit)]
    # Who is off the table has no corner to wheel about, and is refused.
    pivot = pivot_of(rects, action.about) if rects else None
    yield from _carry(
        run, action.actor, lambda now: wheeled(now, pivot or (0.0, 0.0), action.by), pivot
    )


def turned_about(rects: Sequence[Rect]) -> list[Rect]:
    """Every stand turned about on the spot."""
    return [rect.turned(math.pi) for rect in rects]


def do_about_face(run: Run, action: AboutFace) -> Procedure:
    """Turn every stand about on the spot."""
    yield from _carry(run, action.actor, turned_about)


def _lead(rects: Sequence[Rect], to: Point | None, facing: float | None) -> Rect:
    first = rects[0]
    x, y = to if to is not None else (first.x, first.y)
    if facing is None:
        return first.moved(x - first.x, y - first.y)
    return Rect.of_degrees(x, y, facing, first.width, first.depth)


def do_form_line(run: Run, action: FormLine) -> Procedure:
    """Form a line on the first stand."""

    def poses(rects: Sequence[Rect]) -> Sequence[Rect]:
        count = len(rects)
        place = {"left": count - 1, "right": 0}.get(action.extend, (count - 1) // 2)
        lead = _lead(rects, action.to, action.facing)
        places = as_line(lead, count, place)
        first = places.pop(place)
        return [first, *shared_out(rects[1:], places)]

    yield from _carry(run, action.actor, poses)


def do_form_column(run: Run, action: FormColumn) -> Procedure:
    """Form a column behind the first stand."""

    def poses(rects: Sequence[Rect]) -> Sequence[Rect]:
        lead = _lead(rects, action.to, action.facing)
        places = as_column(lead, len(rects))
        return [places[0], *shared_out(rects[1:], places[1:])]

    yield from _carry(run, action.actor, poses)


def do_brigade(run: Run, action: Brigade) -> Procedure:
    """Move several units as one block, those ahead in its direction first."""
    if not action.units or len(set(action.units)) < len(action.units):
        text = "A brigade is made of one unit, or of several different ones."
        run.refuse([Finding(text, clause="WM-CMD-8")])
    for name in action.units:
        if not stands_of(run.state, unit_of(run.state, name)):
            run.refuse(run.check(MoveUnit(actor=name)))
    waiting, poses = _as_one(run.state, action)
    refused: list[Finding] = []
    while waiting:
        for unit in waiting:
            move, refused = _judged(run, unit, poses)
            if not refused:
                yield from do_move(run, move)
                waiting.remove(unit)
                break
        else:
            run.refuse(refused)


def goes_as_one(state: State, action: Brigade) -> bool:
    """Whether several units may move as one block."""
    waiting, poses = _as_one(state, action)
    while waiting:
        for unit in waiting:
            spec, _, plan = _plan(state, unit, poses, None)
            moved = replace(spec, stands=plan.stands)
            bare = MoveUnit(actor=unit.id, stands=plan.stands)
            if plan.whole and is_legal(state, bare) and is_legal(state, moved):
                state = after_move(state, moved)
                waiting.remove(unit)
                break
        else:
            return False
    return True


def _as_one(state: State, action: Brigade) -> tuple[list[Unit], Poses]:
    """The units of a block, those ahead in its direction first, and where their stands go."""
    units = [unit_of(state, name) for name in action.units]
    centre = middle([rect_of(body) for unit in units for body in stands_of(state, unit)])
    to = action.to or centre
    shift = (to[0] - centre[0], to[1] - centre[1])

    def ahead(unit: Unit) -> float:
        x, y = middle([rect_of(body) for body in stands_of(state, unit)])
        return -(x * shift[0] + y * shift[1])

    return sorted(units, key=ahead), _moved_with(centre, shift, action.by)


def _moved_with(centre: Point, shift: Point, by: float) -> Poses:
    def poses(rects: Sequence[Rect]) -> Sequence[Rect]:
        turned = (rect.turned(math.radians(by), centre) for rect in rects)
        return [rect.moved(*shift) for rect in turned]

    return poses


def met_on_the_way(study: MoveStudy) -> Iterator[float]:
    """The shares of a move at which a stand comes over or near what it may pass but not end at, and
    at which it is clear of that again."""
    spec, state = study.spec, study.state
    shapes: list[Rect | Region] = []
    if spec.kind == "evade":
        away = shunned(state, study.unit)
        shapes += [grown(rect_of(b), EVADE_CLEAR_CM) for u in away for b in stands_of(state, u)]
        shapes += [rect_of(b) for name in spec.burst for b in stands_of(state, state.units[name])]
        first = study.stands[0]
        gone = [math.dist((p.x, p.y), (first.start.x, first.start.y)) for p in first.poses]
        for number, (a, b) in enumerate(itertools.pairwise(gone)):
            if a < EVADE_LEAST_CM <= b:
                yield (number + (EVADE_LEAST_CM - a) / (b - a)) / len(first.legs)
    elif flies(stand.body for stand in study.stands):
        table = (0.0, 0.0, state.table.width, state.table.depth)
        shapes += [feature.region for feature in ground_of(state).no_landing(table)]
        others = (unit for unit in units_on_table(state) if unit.id != study.unit.id)
        shapes += [rect_of(body) for unit in others for body in stands_of(state, unit)]
    for stand in study.stands:
        for number, (pose, leg) in enumerate(zip(stand.poses, stand.legs, strict=False)):
            for shape in shapes:
                for span in spans_of(pose, leg, shape, TOLERANCE)[0]:
                    for at in (span.start, span.stop):
                        if 0.0 < at < 1.0:
                            yield (number + at) / len(stand.legs)


#: Shares of a move that are tried, the longest first; then the longest legal one is drawn out.
_SHARES, _DRAWN_OUT = 12, 14
#: Halvings of the share up to which every stand can afford its end; those cost next to nothing.
_FAR_HALVINGS = 40

#: A move cut to a share of it.
_Shortened = Callable[[float], Block | Wheel]


def shorter_block(state: State, action: Block | Wheel) -> Nearest | None:
    """The move asked for, cut to the largest share of it that is found to be legal.

    None where the unit may not move at all, or no share is legal.
    """
    unit = unit_of(state, action.actor)
    stands = stands_of(state, unit)
    if not stands or not is_legal(state, MoveUnit(actor=unit.id)):
        return None
    shortened, length, text = _asked(stands, action)
    spec = spec_of(state, unit)
    best = _Shares(state, spec, stands, shortened, ways_of(state, spec)).longest(length)
    if best is None:
        return None
    return Nearest(action_marks(shortened(best)), "prefix", text, (1.0 - best) * length)


def _asked(stands: tuple[Body, ...], action: Block | Wheel) -> tuple[_Shortened, float, str]:
    """How a move is shortened, how long it is as asked, and what is said of it."""
    rects = [rect_of(body) for body in stands]
    if isinstance(action, Block):
        block, from_ = action, middle(rects)
        to = block.to or from_

        def less(share: float) -> Block:
            there = (
                from_[0] + share * (to[0] - from_[0]),
                from_[1] + share * (to[1] - from_[1]),
            )
            return replace(block, to=there, by=share * block.by)

        return less, math.dist(from_, to), "The block as far as it can go that way."
    wheel = action
    pivot = pivot_of(rects, wheel.about)
    far = max(math.dist(pivot, corner) for rect in rects for corner in rect.corners)
    return (
        lambda share: replace(wheel, by=share * wheel.by),
        far * math.radians(abs(wheel.by)),
        "The wheel as far round as it can go.",
    )


@dataclass(frozen=True)
class _Shares:
    """The shares of a move of a unit, each judged as it would be if it were carried out."""

    state: State
    spec: MoveSpec
    bodies: tuple[Body, ...]
    shortened: _Shortened
    ways: Ways

    def longest(self, length: float) -> float | None:
        """The largest share found to be legal; length: of the whole move, cm."""
        far = self._affordable()
        for share in self._limits(far, length):
            if share > 0.0 and self._holds(share):
                return share
        best, low, high = None, 0.0, far
        for k in range(_SHARES - 1, 0, -1):
            if k / _SHARES < far and self._holds(k / _SHARES):
                best = low = k / _SHARES
                high = min(far, (k + 1) / _SHARES)
                break
        if best is None:
            return None
        for _ in range(_DRAWN_OUT):
            share = 0.5 * (low + high)
            if self._holds(share):
                best = low = share
            else:
                high = share
        return best

    def _affordable(self) -> float:
        """The share up to which no corner is to end farther away than the stands may go."""

        def near(share: float) -> bool:
            _, ends, _ = self._ends(share)
            return all(self.ways.affords_end(body, ends[body.id]) for body in self.bodies)

        if near(1.0):
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(_FAR_HALVINGS):
            share = 0.5 * (low + high)
            low, high = (share, high) if near(share) else (low, share)
        return low

    def _limits(self, far: float, length: float) -> list[float]:
        """Shares beyond which the move cannot be legal, tried first: where the allowance ends and,
        for stands that slide, just where the first of them meets something, or short of a touch;
        for those that fly, wherever one comes to what it may not land on, the farthest first."""
        action, ends, _ = self._ends(far)
        found = [far] if far < 1.0 else []
        if not isinstance(action, Block) or action.by != 0.0:
            return found
        paths = {b.id: (Leg(to=(ends[b.id].x, ends[b.id].y)),) for b in self.bodies}
        if self.ways.moving.flying:
            stands = tuple(StandMove(stand=name, path=path) for name, path in paths.items())
            met = sorted(
                set(met_on_the_way(study_of(self.state, replace(self.spec, stands=stands))))
            )
        else:
            studies = (self.ways.moving.stand(b, paths[b.id], ()) for b in self.bodies)
            met = sorted(meeting.at for study in studies for meeting in study.meetings)[:1]
            found = [] if met else found
        short = 3.0 * TOLERANCE / length if met else 0.0
        return found + [far * at - less for at in reversed(met) for less in (0.0, short)]

    def _ends(self, share: float) -> tuple[Block | Wheel, dict[str, Rect], Point | None]:
        """The move cut to a share, where its stands end, and the point they turn about if any."""
        action = self.shortened(share)
        rects = [rect_of(body) for body in self.bodies]
        pivot = None
        if isinstance(action, Wheel):
            pivot = pivot_of(rects, action.about)
            poses = wheeled(rects, pivot, action.by)
        else:
            poses = as_block(rects, action.to or middle(rects), action.by)
        return action, {b.id: pose for b, pose in zip(self.bodies, poses, strict=True)}, pivot

    def _holds(self, share: float) -> bool:
        """Whether a share is legal, planned as it is when it is carried out."""
        action, ends, pivot = self._ends(share)
        if not all(self.ways.may_end(body, ends[body.id]) for body in self.bodies):
            return False
        if not is_legal(self.state, action):
            return False
        plan = plan_move(self.state, self.spec, ends, pivot, detours=False)
        if not plan.whole:
            return False
        planned = MoveUnit(actor=self.spec.unit, stands=plan.stands)
        return is_legal(self.state, planned) and is_legal(
            self.state, replace(self.spec, stands=plan.stands)
        )
