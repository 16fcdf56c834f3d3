"""Units and brigades moved as one: blocks, wheels, lines and columns, as plain stand moves.

Each is planned and then judged by the clauses like a move given stand by stand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal, TypeAlias

from tapeline.engine.codec import action_marks
from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.geometry.rectangles.slide import slide_into
from tapeline.ranks.bases import Point, box_of_slide, grown, rect_of
from tapeline.ranks.blocks import (
    arm_of,
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
from tapeline.rules.warmaster.closing_up import not_charging
from tapeline.rules.warmaster.figures import EVADE_CLEAR_CM, EVADE_LEAST_CM, flies
from tapeline.rules.warmaster.formation import shunned
from tapeline.rules.warmaster.measures import MoveSpec, MoveStudy, after_move, spec_of, study_of
from tapeline.rules.warmaster.plans import MovePlan, Ways, in_order, plan_move, ways_of
from tapeline.rules.warmaster.sequence import do_move
from tapeline.rules.warmaster.state import is_legal, rects_of, stands_of, unit_of, units_on_table
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Value

__all__ = [
    "LEAST_SHARE",
    "SHARES",
    "AsOne",
    "affordable",
    "affords_as_one",
    "between",
    "comes_over",
    "do_as_one",
    "do_brigade",
    "goes_as_one",
    "has_room_as_one",
    "met_on_the_way",
    "no_landing",
    "planned",
    "shorter",
    "way_round",
]


#: A move of a unit as one.
AsOne: TypeAlias = Block | Wheel | AboutFace | FormLine | FormColumn
#: Where the stands of a unit end, and the point that they turn about if any.
Poses: TypeAlias = Callable[[Sequence[Rect]], tuple[Sequence[Rect], Point | None]]


def _places(
    action: AsOne, rects: Sequence[Rect], *, other: bool = False
) -> tuple[Sequence[Rect], Point | None]:
    """Where the stands of a unit end in a move as one, and the point that they turn about if any:
    a wheel is about a front corner at an end, a line or column is formed on the first stand.

    other: of a line to both sides of its first stand the odd one goes to the left.
    """
    if isinstance(action, Block):
        return as_block(rects, action.to or middle(rects), action.by), None
    if isinstance(action, Wheel):
        pivot = pivot_of(rects, action.about)
        return wheeled(rects, pivot, action.by), pivot
    if isinstance(action, AboutFace):
        return [rect.turned(math.pi) for rect in rects], None
    lead, count = _lead(rects, action), len(rects)
    if isinstance(action, FormLine):
        place = {"left": count - 1, "right": 0}.get(action.extend, (count - 1 + other) // 2)
        places = as_line(lead, count, place)
        first = places.pop(place)
    else:
        first, *places = as_column(lead, count)
    return [first, *shared_out(rects[1:], places)], None


def _lead(rects: Sequence[Rect], action: FormLine | FormColumn) -> Rect:
    """Where the first stand goes as others form up on it."""
    first = rects[0]
    x, y = action.to or first.centre
    if action.facing is None:
        return first.moved(x - first.x, y - first.y)
    return Rect.of_degrees(x, y, action.facing, first.width, first.depth)


def _ends(state: State, unit: Unit, poses: Poses) -> tuple[dict[str, Rect], Point | None]:
    """Where the stands of the unit are to end, and the point that they turn about if any."""
    there, pivot = poses(rects_of(state, unit))
    return dict(zip((body.id for body in stands_of(state, unit)), there, strict=True)), pivot


def _plan(
    state: State, unit: Unit, poses: Poses, action: AsOne | Brigade, *, detours: bool = True
) -> tuple[MoveSpec, dict[str, Rect], MovePlan]:
    """The kind of move that the unit may make, where its stands are to end, the ways found."""
    ends, pivot = _ends(state, unit, poses)
    spec = spec_of(state, unit)
    plan = _ways_there(state, spec, ends, pivot, detours=detours)
    for others in () if plan.whole else _instead(action, stands_of(state, unit), ends):
        shared = _ways_there(state, spec, others, detours=detours)
        if shared.whole:
            return spec, others, shared
    return spec, ends, plan


def _ways_there(
    state: State,
    spec: MoveSpec,
    ends: Mapping[str, Rect],
    pivot: Point | None = None,
    *,
    detours: bool,
) -> MovePlan:
    """Ways of stands to their ends. In a fall back not every stand may go first (WM-FB-1): orders
    that begin with one that may, where others are barred and there is a way by those."""
    plan = plan_move(state, spec, ends, pivot, detours=detours)
    if spec.kind != "fall_back" or is_legal(state, replace(spec, stands=plan.stands)):
        return plan

    def fits(order: Sequence[Body]) -> bool:
        return is_legal(state, replace(spec, ends=tuple((b.id, ends[b.id]) for b in order)))

    other = plan_move(state, spec, ends, pivot, detours=detours, fits=fits)
    return other if other.whole else plan


def _instead(
    action: AsOne | Brigade, bodies: Sequence[Body], ends: dict[str, Rect]
) -> Iterator[dict[str, Rect]]:
    """Ends that do as well as those planned: the places of a block with other stands in them, if
    the farthest has a shorter way then; a line with its odd stand on the other side."""
    rects = [rect_of(body) for body in bodies]
    if isinstance(action, Block | Brigade):
        places: Sequence[Rect] = shared_out(rects, [*ends.values()])
    elif isinstance(action, FormLine):
        places = _places(action, rects, other=True)[0]
    else:
        return
    others = dict(zip(ends, places, strict=True))
    if others != ends:
        yield others


def planned(state: State, action: AsOne) -> MoveUnit:
    """The plain move that a move as one comes to."""
    unit, poses = unit_of(state, action.actor), partial(_places, action)
    plan = _plan(state, unit, poses, action)[2]
    return MoveUnit(actor=action.actor, stands=plan.stands)


def _judged(
    run: Run, unit: Unit, poses: Poses, asked: AsOne | Brigade
) -> tuple[MoveUnit, list[Finding]]:
    """A plain move of the unit to some poses, and what bars it: what is wrong with the poses
    themselves or, if that is nothing, that no ways to them were found; what bars the only way there
    is, if each stand turns on the spot."""
    spec, ends, plan = _plan(run.state, unit, poses, asked)
    action = MoveUnit(actor=unit.id, stands=plan.stands)
    barred = run.check(action)
    found = barred or run.check(replace(spec, stands=plan.stands))
    if barred or not found or isinstance(asked, AboutFace):
        return action, found
    order = [move.stand for move in plan.stands] or list(ends)
    wrong = run.check(replace(spec, ends=tuple((name, ends[name]) for name in order)))
    if run.state.option("dist_metric") == "arc":
        wrong = [_as_followed(one, spec, found) for one in wrong]
    return action, wrong or [_no_way(unit, plan, found[0])]


def _as_followed(finding: Finding, spec: MoveSpec, found: Sequence[Finding]) -> Finding:
    """What is wrong with an end; where it is too far off, by the length of the way that was tried:
    straight lines to it are shorter than any."""
    if finding.limit != spec.allowance:
        return finding
    what = (finding.clause, finding.about, finding.limit)
    return next((f for f in found if (f.clause, f.about, f.limit) == what), finding)


def _no_way(unit: Unit, plan: MovePlan, bars: Finding) -> Finding:
    """That the stands of a unit find no ways to their places, and what was tried."""
    orders = f"{plan.orders} order{'' if plan.orders == 1 else 's'} of its stands"
    text = (
        f"No clear ways were found for {unit.name} to its places: tried straight, turning before, "
        f"after or as it goes, and round what is in between, in {orders}. The plainest is barred: "
        f"{bars.text}"
    )
    return Finding(text, place=bars.place, about=bars.about, clause="WM-STAND-4")


def do_as_one(run: Run, action: AsOne) -> Procedure:
    """Move a unit as one: block, wheel, about face, line or column."""
    unit = unit_of(run.state, action.actor)
    if not stands_of(run.state, unit):
        run.refuse(run.check(MoveUnit(actor=unit.id)))
        return
    move, refused = _judged(run, unit, partial(_places, action), action)
    run.refuse(refused)
    yield from do_move(run, move)


def do_brigade(run: Run, action: Brigade) -> Procedure:
    """Move several units as one block, those ahead in its direction first."""
    units = [unit_of(run.state, name) for name in action.units]
    if not units or len(set(action.units)) < len(units):
        text = "A brigade is made of one unit, or of several different ones."
        run.refuse([Finding(text, clause="WM-CMD-8")])
    for unit in units:
        if not stands_of(run.state, unit):
            run.refuse(run.check(MoveUnit(actor=unit.id)))
    waiting, poses = _as_one(run.state, action)
    formed: dict[str, set[Value]] = {"formation": set(), "new_formation": set()}
    while waiting:
        following = _next_to_go(run.state, waiting, poses, action)
        if following is None:
            refused = _judged(run, waiting[-1], poses, action)[1]
            # All that are to end together do so as a block, wherever it is asked to go.
            together = {unit.id for unit in not_charging(run.state)} <= set(action.units)
            bars = [one for one in refused if not (together and one.clause == "WM-CMD-8")]
            run.refuse(bars or refused)
            return
        unit, move = following
        yield from do_move(run, MoveUnit(actor=unit.id, stands=move.stands))
        waiting.remove(unit)
        for name, known in formed.items():
            known.add(run.values.pop(name))
    # A formation that all have is that of the brigade.
    run.value(**{name: known.pop() for name, known in formed.items() if len(known) == 1})
    # The unit that went farthest, of several as far the one with the least pace, stands for all.
    paces = [(line.distance, line.allowance) for line in run.ledger if line.allowance is not None]
    if paces:
        far = max(distance for distance, _ in paces)
        run.value(distance=far, allowance=min(pace for gone, pace in paces if within(far, gone)))


def goes_as_one(state: State, action: Brigade) -> bool:
    """Whether several units may move as one block."""
    if not has_room_as_one(state, action):
        return False
    waiting, poses = _as_one(state, action)
    while waiting:
        following = _next_to_go(state, waiting, poses, action)
        if following is None:
            return False
        unit, move = following
        state = after_move(state, move)
        waiting.remove(unit)
    return True


def _next_to_go(
    state: State, waiting: Sequence[Unit], poses: Poses, action: Brigade
) -> tuple[Unit, MoveSpec] | None:
    """Which of the units of a block still to move can go next, and how; one that has to go round
    something only where none goes straight there, as it may be in the way of the others then."""
    able = [unit for unit in waiting if _has_room(state, unit, poses)]
    for unit, detours in [(unit, detours) for detours in (False, True) for unit in able]:
        spec, _, plan = _plan(state, unit, poses, action, detours=detours)
        move = replace(spec, stands=plan.stands)
        bare = MoveUnit(actor=unit.id, stands=plan.stands)
        if plan.whole and is_legal(state, bare) and is_legal(state, move):
            return unit, move
    return None


def _has_room(
    state: State, unit: Unit, poses: Poses, leaving: frozenset[str] = frozenset()
) -> bool:
    """Whether the stands of a unit have room where they are to end. leaving: units, itself among
    them, that may make way before."""
    ways, places = ways_of(state, spec_of(state, unit)), _ends(state, unit, poses)[0].values()
    bodies = stands_of(state, unit)
    may = partial(ways.may_end_after, leaving=leaving) if leaving else ways.may_end
    return all(any(may(body, place) for body in bodies) for place in places)


def has_room_as_one(state: State, action: Brigade) -> bool:
    """Whether a block is to end where its stands may go and nothing but the block itself is."""
    units, poses = _as_one(state, action)
    names = frozenset(unit.id for unit in units)
    return affords_as_one(state, action) and all(
        _has_room(state, unit, poses, names) for unit in units
    )


def affords_as_one(state: State, action: Brigade) -> bool:
    """Whether no corner of a stand of a block is to end farther away than it may go."""
    units, poses = _as_one(state, action)
    return all(
        ways_of(state, spec_of(state, unit)).affords_ends(_ends(state, unit, poses)[0])
        for unit in units
    )


def _as_one(state: State, action: Brigade) -> tuple[list[Unit], Poses]:
    """The units of a block, those ahead in its direction first, and where their stands go."""
    units = [unit_of(state, name) for name in action.units]
    centre = middle([rect for unit in units for rect in rects_of(state, unit)])
    to = action.to or centre
    shift = (to[0] - centre[0], to[1] - centre[1])

    def ahead(unit: Unit) -> float:
        x, y = middle(rects_of(state, unit))
        return -(x * shift[0] + y * shift[1])

    return sorted(units, key=ahead), _moved_with(centre, shift, action.by)


def _moved_with(centre: Point, shift: Point, by: float) -> Poses:
    def poses(rects: Sequence[Rect]) -> tuple[Sequence[Rect], None]:
        turned = (rect.turned(math.radians(by), centre) for rect in rects)
        return [rect.moved(*shift) for rect in turned], None

    return poses


def met_on_the_way(study: MoveStudy) -> list[float]:
    """The shares of a move at which a stand comes over or near what it may pass but not end at, and
    at which it is clear of that again; rising."""
    return sorted(set(_met_on_the_way(study)))


def _met_on_the_way(study: MoveStudy) -> Iterator[float]:
    spec, state = study.spec, study.state
    shapes: list[Rect | Region] = []
    if spec.kind == "evade":
        away = shunned(state, study.unit)
        shapes += [grown(rect, EVADE_CLEAR_CM) for u in away for rect in rects_of(state, u)]
        shapes += [rect for name in spec.burst for rect in rects_of(state, state.units[name])]
        first = study.stands[0]
        gone = [math.dist(p.centre, first.start.centre) for p in first.poses]
        for number, (a, b) in enumerate(itertools.pairwise(gone)):
            if a < EVADE_LEAST_CM <= b:
                yield (number + (EVADE_LEAST_CM - a) / (b - a)) / len(first.legs)
    elif flies(stand.body for stand in study.stands):
        shapes += no_landing(state, study.unit.id)
    for stand in study.stands:
        for number, (pose, leg) in enumerate(zip(stand.poses, stand.legs, strict=False)):
            for shape in shapes:
                for span in spans_of(pose, leg, shape, TOLERANCE)[0]:
                    for at in (span.start, span.stop):
                        if 0.0 < at < 1.0:
                            yield (number + at) / len(stand.legs)


def no_landing(state: State, flyer: str, friends: str = "") -> list[Rect | Region]:
    """What a unit or character may not land on: ground, and stands of other units, but of those of
    a side that are friends to it."""
    others = (u for u in units_on_table(state) if u.id != flyer and u.side != friends)
    shapes: list[Rect | Region] = [f.region for f in ground_of(state).no_landing()]
    return shapes + [rect for unit in others for rect in rects_of(state, unit)]


def comes_over(
    mover: Rect | Region, toward: Point, shapes: Iterable[Rect | Region]
) -> Iterator[float]:
    """The shares of a straight way at which something comes over a shape, and is clear of it."""
    length = math.hypot(*toward)
    for shape in shapes if length > TOLERANCE else ():
        for span in slide_into(mover, shape, toward, length, TOLERANCE)[0]:
            yield from (at / length for at in (span.start, span.stop) if at < length)


def affordable(near: Callable[[float], bool]) -> float:
    """The share of a move up to which it ends near enough, by halving; 1 if all of it or none."""
    if near(1.0) or not near(0.0):
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_FAR_HALVINGS):
        share = 0.5 * (low + high)
        low, high = (share, high) if near(share) else (low, share)
    return low


#: Shares of a move that are tried, the longest first; then the longest legal one is drawn out, of a
#: block that slides so far that of 20 cm less than 1e-6 is left.
SHARES, _DRAWN_OUT, _SLID_OUT = 12, 14, 21
#: A part of a move smaller than this is no offer.
LEAST_SHARE: Final = 1e-4
#: Halvings of the share up to which every stand can afford its end; those cost next to nothing.
_FAR_HALVINGS = 40


@dataclass(frozen=True)
class _Cut:
    """A move as one cut to a share of it. length: of the whole, cm; text: what is said of it;
    forms: whether a line or column is formed, which is worth an offer on the spot too, and hardly
    ever comes about without ways round those placed."""

    to: Callable[[float], AsOne]
    length: float
    text: str
    forms: bool = False


def shorter(state: State, action: AsOne) -> Nearest | None:
    """The move asked for, cut to the largest share of it that is found to be legal; a line, if none
    is, on the other side of its first stand; in place of an about face the unit turned as far as it
    can be.

    None where the unit may not move at all, or nothing of the kind is legal.
    """
    unit = unit_of(state, action.actor)
    stands = stands_of(state, unit)
    if not stands or not is_legal(state, MoveUnit(actor=unit.id)):
        return None
    spec = spec_of(state, unit)
    cuts = list(_cuts(rects_of(state, unit), action))
    # Ways round what is in between are looked for to come farther, or to come anywhere.
    tried = [
        (cut, detours) for detours in (False, True) for cut in cuts if detours or not cut.forms
    ]
    for cut, detours in tried:
        shares = _Shares(state, spec, stands, cut, ways_of(state, spec), detours)
        best = shares.longest()
        if best is not None:
            if not detours:
                best = replace(shares, detours=True).longest(best) or best
            other = action_marks(cut.to(best))
            return Nearest(other, "prefix", cut.text, (1.0 - best) * cut.length)
    return None


def _cuts(rects: Sequence[Rect], action: AsOne) -> Iterator[_Cut]:
    """How a move is shortened, what is closest to it first."""
    if isinstance(action, AboutFace):
        # Stands side by side jam each other as they turn about their middle.
        turned: tuple[Block | Wheel, ...] = (
            Wheel(actor=action.actor, by=180.0, about="left"),
            Wheel(actor=action.actor, by=-180.0, about="right"),
        )
        for instead in turned if len(rects) > 1 else (Block(actor=action.actor, by=180.0),):
            yield replace(next(_cuts(rects, instead)), text="Turned as far as it can be.")
    elif isinstance(action, Wheel):
        wheel = action
        yield _Cut(
            lambda share: replace(wheel, by=share * wheel.by),
            way_round(rects, pivot_of(rects, action.about), wheel.by),
            "The wheel as far round as it can go.",
        )
    elif isinstance(action, Block):
        block, from_ = action, middle(rects)
        to = block.to or from_
        yield _Cut(
            lambda share: replace(block, to=between(from_, to, share), by=share * block.by),
            math.dist(from_, to) + way_round(rects, from_, block.by),
            "The block as far as it can go that way.",
        )
    else:
        yield _formed_short(rects[0], action, "Formed as near to there as it can be.")
        if isinstance(action, FormLine):
            for extend in (side for side in _EXTENDS if side != action.extend):
                other = replace(action, extend=extend)
                yield _formed_short(rects[0], other, "Formed to another side of the first stand.")


#: The sides to which a line may be formed.
_EXTENDS: Final[tuple[Literal["both", "left", "right"], ...]] = ("both", "left", "right")


def _formed_short(first: Rect, action: FormLine | FormColumn, text: str) -> _Cut:
    """A line or a column formed on the way to its place, from where its first stand is."""
    from_, facing = first.centre, math.degrees(first.facing)
    to, turned = action.to or from_, 0.0
    if action.facing is not None:
        turned = math.remainder(action.facing - facing, 360.0)

    def less(share: float) -> FormLine | FormColumn:
        faces = None if action.facing is None else facing + share * turned
        return replace(action, to=between(from_, to, share), facing=faces)

    length = math.dist(from_, to) + way_round([first], from_, turned)
    return _Cut(less, length, text, forms=True)


def way_round(rects: Sequence[Rect], pivot: Point, by: float) -> float:
    """How far the corner that goes farthest goes as stands turn about a point by degrees."""
    return arm_of(rects, pivot) * math.radians(abs(by))


def between(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way from one to another."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


@dataclass(frozen=True)
class _Shares:
    """The shares of a move of a unit, each judged as it would be if it were carried out."""

    state: State
    spec: MoveSpec
    bodies: tuple[Body, ...]
    cut: _Cut
    ways: Ways
    detours: bool

    def longest(self, more_than: float = 0.0) -> float | None:
        """The largest share found to be legal, above one that is known to be.

        Where the allowance ends it, or what the stands first meet as they slide or wheel, it is the
        exact one; else it is drawn out from the longest legal twelfth of what can be afforded, to
        less than a twelfth over 2^14 of where it is barred: of 20 cm to about 1e-4 cm; of a block
        that slides over 2^21, to less than 1e-6 cm.
        """
        far = self._affordable()
        for share in () if more_than else self._limits(far):
            if share > LEAST_SHARE and self._holds(share):
                return share
        low: float | None = None
        high = far
        least = 0 if self.cut.forms else 1
        tried = range(SHARES - 1, least - 1, -1) if self.cut.to(0.0) != self.cut.to(1.0) else ()
        beyond = self._beyond() if self.detours else ()
        for share in sorted({*(far * k / SHARES for k in tried), *beyond}, reverse=True):
            if more_than < share < far:
                if self._holds(share):
                    low = share
                    break
                high = share
        if low is None:
            return None
        whole = self.cut.to(1.0)
        slides = isinstance(whole, Block) and whole.by == 0.0
        for _ in range(_SLID_OUT if slides else _DRAWN_OUT):
            share = 0.5 * (low + high)
            low, high = (share, high) if self._holds(share) else (low, share)
        return low

    def _beyond(self) -> Iterator[float]:
        """The shares at which stands that slide have come clear of what they slid over: a way round
        it may lead there, and not much farther."""
        action, ends, _ = self._ends(1.0)
        if not isinstance(action, Block) or action.by != 0.0 or self.ways.moving.flying:
            return
        for body in self.bodies:
            start, end = rect_of(body), ends[body.id]
            toward = end.x - start.x, end.y - start.y
            things = self.ways.moving.heeded(body, (), box_of_slide(start, *toward))
            over = comes_over(start, toward, (thing.shape for thing in things))
            yield from (at + 3.0 * TOLERANCE / self.cut.length for at in over)

    def _affordable(self) -> float:
        """The share up to which no corner is to end farther away than the stands may go."""

        def near(share: float) -> bool:
            return any(map(self.ways.affords_ends, self._ends_tried(share)))

        action = self.cut.to(1.0)
        if isinstance(action, Block) and action.by == 0.0:
            return 1.0 if near(1.0) else self.spec.allowance / self.cut.length
        return affordable(near)

    def _limits(self, far: float) -> list[float]:
        """Shares beyond which the move cannot be legal, tried first: where the allowance ends and,
        for stands that slide or wheel, just where the first meets something, or short of a touch;
        for those that fly, wherever one comes to what it may not land on, the farthest first."""
        action, ends, pivot = self._ends(far)
        found = [far] if far < 1.0 or self.cut.forms else []
        if isinstance(action, Wheel):
            paths = {body.id: (Leg(centre=pivot, by=action.by),) for body in self.bodies}
        elif self.cut.forms and self.ways.moving.flying:
            places, first = self._ends(0.0)[1], self.bodies[0].id
            toward = ends[first].x - places[first].x, ends[first].y - places[first].y
            shapes = no_landing(self.state, self.spec.unit)
            over = (at for place in places.values() for at in comes_over(place, toward, shapes))
            return found + [far * at for at in sorted(over, reverse=True)]
        elif isinstance(action, Block) and action.by == 0.0:
            paths = {b.id: (Leg(to=(ends[b.id].x, ends[b.id].y)),) for b in self.bodies}
        else:
            return found
        if self.ways.moving.flying:
            stands = tuple(StandMove(stand=name, path=path) for name, path in paths.items())
            met = met_on_the_way(study_of(self.state, replace(self.spec, stands=stands)))
        else:
            studies = (self.ways.moving.stand(b, paths[b.id], ()) for b in self.bodies)
            met = sorted(meeting.at for study in studies for meeting in study.meetings)[:1]
            found = [] if met else found
        short = 3.0 * TOLERANCE / self.cut.length if met else 0.0
        return found + [far * at - less for at in reversed(met) for less in (0.0, short)]

    def _ends(self, share: float) -> tuple[AsOne, dict[str, Rect], Point | None]:
        """The move cut to a share, where its stands end, and the point they turn about if any."""
        action = self.cut.to(share)
        places, pivot = _places(action, [rect_of(body) for body in self.bodies])
        return action, {b.id: place for b, place in zip(self.bodies, places, strict=True)}, pivot

    def _ends_tried(self, share: float) -> Iterator[dict[str, Rect]]:
        """Where the stands end in a share, and what does as well."""
        action, ends, _ = self._ends(share)
        yield ends
        yield from _instead(action, self.bodies, ends)

    def _holds(self, share: float) -> bool:
        """Whether a share is legal, planned as it is when it is carried out."""
        action, _, pivot = self._ends(share)
        return is_legal(self.state, action) and any(
            self._leads_to(ends, pivot) for ends in self._ends_tried(share)
        )

    def _leads_to(self, ends: dict[str, Rect], pivot: Point | None) -> bool:
        """Whether the stands come to their ends, planned as it is when it is carried out."""
        if not all(self.ways.may_end(body, ends[body.id]) for body in self.bodies):
            return False
        # Ways round are dear: not to where no way could lead.
        asked = in_order(self.bodies, ends, pivot) if self.detours else ()
        if asked and not is_legal(self.state, replace(self.spec, ends=asked)):
            return False
        plan = _ways_there(self.state, self.spec, ends, pivot, detours=self.detours)
        if not plan.whole:
            return False
        planned = MoveUnit(actor=self.spec.unit, stands=plan.stands)
        return is_legal(self.state, planned) and is_legal(
            self.state, replace(self.spec, stands=plan.stands)
        )
