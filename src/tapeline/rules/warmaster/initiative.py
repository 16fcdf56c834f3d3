"""WM-INIT: which enemy a unit answers to on its own initiative, and when."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, more_than, same, within
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.geometry.rectangles.rectangle import overlaps as shapes_overlap
from tapeline.ranks.bases import (
    NearestPair,
    Point,
    box_about,
    box_about_all,
    nearest_pairs,
    rect_of,
)
from tapeline.ranks.detour import detour
from tapeline.rules.warmaster.actions import Evade, InitiativeCharge
from tapeline.rules.warmaster.figures import BOOK, INITIATIVE_CM, flies, full_pace, mask_of, type_of
from tapeline.rules.warmaster.formation import fortified_stands, goes_by_road, is_engaged
from tapeline.rules.warmaster.sight import cite_unseen, line_of_sight, sight_clauses
from tapeline.rules.warmaster.state import (
    INITIATIVE,
    UnitContext,
    cm,
    enemies_near,
    kept,
    kept_of_places,
    rects_of,
    stands_of,
    unit_of,
)
from tapeline.rules.warmaster.terrain import Feature, ground_of, rings_of
from tapeline.table.bodies import Unit

__all__ = ["candidates", "cite_answer", "targets_of"]

Answer = InitiativeCharge | Evade
ANSWERS = (InitiativeCharge, Evade)
#: How far a point lies in some direction.
Measure: TypeAlias = Callable[[Point], float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An enemy unit that can be seen within 20 cm. placed: whether it may be left out of account
    as infantry or artillery in fortified positions; divided: as beyond a barrier to both."""

    unit: Unit
    distance: float
    placed: bool
    divided: bool


def fortified(state: State, unit: Unit) -> bool:
    """Whether a unit is in fortified positions, so that it may be left out of account."""
    placed = len(fortified_stands(state, unit))
    enough = 1 if state.option("fort_ignore") == "any_stand" else len(stands_of(state, unit))
    return placed >= enough


@kept_of_places
def _divided(state: State, unit: Unit, other: Unit) -> bool:
    """Whether a barrier to both divides two units, and neither gets round it in one move; nothing
    divides flyers from anybody."""
    mine, theirs = stands_of(state, unit), stands_of(state, other)
    if flies(mine) or flies(theirs):
        return False
    ground = ground_of(state)
    masks = (mask_of(mine[0]), mask_of(theirs[0]))
    roads = (goes_by_road(state, unit), goes_by_road(state, other))
    pairs = nearest_pairs(mine, theirs)
    if within(pairs[0].gap, 0.0):
        return False
    bounds = box_about_all([rect_of(body) for pair in pairs for body in (pair.own, pair.other)])
    barred = [
        {f.id: f for f in ground.barred(mask, bounds, on_road=road)}
        for mask, road in zip(masks, roads, strict=True)
    ]
    across = [(f, barred[1][name]) for name, f in barred[0].items() if name in barred[1]]
    if not across or not all(_all_cross(pair, across) for pair in pairs):
        return False
    one, two = rects_of(state, unit), rects_of(state, other)
    paces = full_pace(mine[0]), full_pace(theirs[0])
    # What bars both alike is as far round for both.
    if masks[0] == masks[1] and roads[0] == roads[1]:
        return _kept_apart(state, masks[0], roads[0], one, two, max(paces))
    return _kept_apart(state, masks[0], roads[0], one, two, paces[0]) and _kept_apart(
        state, masks[1], roads[1], two, one, paces[1]
    )


def _all_cross(pair: NearestPair, across: Sequence[tuple[Feature, Feature]]) -> bool:
    """Whether each of the nearest lines between two stands goes through something; of two that face
    each other there are many, side by side.

    across: what may divide them, as it bars the one and as it bars the other. Between two
    neighbouring lines at which a border begins, ends or comes to a stand all run alike.
    """
    (x, y), end = pair.on_own, pair.on_other
    dx, dy = end[0] - x, end[1] - y
    ux, uy = dx / pair.gap, dy / pair.gap

    def ahead(point: Point) -> float:
        return (point[0] - x) * ux + (point[1] - y) * uy

    def aside(point: Point) -> float:
        return (point[0] - x) * uy - (point[1] - y) * ux

    own, other = rect_of(pair.own).corners, rect_of(pair.other).corners
    faces = (
        [aside(p) for p in own if ahead(p) > -TOLERANCE],
        [aside(p) for p in other if ahead(p) < pair.gap + TOLERANCE],
    )
    low, high = max(map(min, faces)), min(map(max, faces))
    if high - low <= 2.0 * TOLERANCE:
        cuts = [0.0, 0.0]
    else:
        found = (
            v for f in across for one in f for v in _turning_points(one, ahead, aside, pair.gap)
        )
        cuts = sorted({low, high, *(v for v in found if low < v < high)})
    for a, b in pairwise(cuts):
        if len(cuts) > 2 and b - a <= 2.0 * TOLERANCE:
            continue
        at = 0.5 * (a + b)
        line = (x + at * uy, y - at * ux), (end[0] + at * uy, end[1] - at * ux)
        if not any(f.divides(*line) and g.divides(*line) for f, g in across):
            return False
    return True


def _turning_points(
    feature: Feature, ahead: Measure, aside: Measure, far: float
) -> Iterator[float]:
    """How far aside lines run, of all in one direction and of one length, at which a feature begins
    or ceases to cross them."""
    for ring in rings_of(feature.region):
        for p, q in pairwise([*ring, ring[0]]):
            yield aside(p)
            for level in (0.0, far):
                a, b = ahead(p) - level, ahead(q) - level
                if a * b < 0.0:
                    yield aside(p) + a / (a - b) * (aside(q) - aside(p))
    for part in feature.region.parts:
        if part.radius > 0.0:
            centre = (part.loop[0], part.loop[1])
            for off in (0.0, ahead(centre), ahead(centre) - far):
                if abs(off) < part.radius:
                    half = math.sqrt(part.radius**2 - off**2)
                    yield from (aside(centre) - half, aside(centre) + half)


def _kept_apart(
    state: State, mask: str, on_road: bool, one: list[Rect], other: list[Rect], pace: float
) -> bool:
    """Whether the way round what bars a type is longer than its pace. on_road: whether roads lead
    through it."""
    barred = ground_of(state).barred(mask, box_about_all(one, pace), on_road=on_road)
    barriers = list({id(whole): whole for whole in (f.as_one for f in barred)}.values())
    return more_than(detour(one, other, barriers, pace + 2.0 * TOLERANCE), pace)


@kept
def candidates(state: State, unit: Unit) -> tuple[Candidate, ...]:
    """Enemy units that a unit sees within 20 cm, the closest first; none beyond one that no reason
    leaves out of account, which hides them from every choice."""
    near = enemies_near(state, unit, INITIATIVE_CM)
    found: list[Candidate] = []
    most = INITIATIVE_CM
    for gap, other in sorted(near, key=lambda pair: pair[0]):
        if not within(gap, most):
            break
        if line_of_sight(state, unit, other) is None:
            continue
        kind = type_of(stands_of(state, other)[0])
        placed = kind in ("infantry", "artillery") and fortified(state, other)
        divided = _divided(state, unit, other)
        found.append(Candidate(other, gap, placed, divided))
        if not placed and not divided:
            most = min(most, gap)
    return tuple(found)


def targets_of(state: State, unit: Unit) -> list[Candidate]:
    """The enemy units that a unit may charge or evade on initiative: the closest of all, of those
    not left out of account for one reason, for the other, for both; ties are all legal."""
    legal: dict[str, Candidate] = {}
    for leave_placed in (False, True):
        for leave_divided in (False, True):
            counted = [
                c
                for c in candidates(state, unit)
                if not (leave_placed and c.placed) and not (leave_divided and c.divided)
            ]
            least = min((c.distance for c in counted), default=None)
            if least is not None:
                legal |= {c.unit.id: c for c in counted if within(c.distance, least)}
    return list(legal.values())


def cite_answer(run: Run, unit: Unit, target: str, *, charges: bool = False) -> None:
    """Cite what made an enemy unit one that a unit could answer to, as the action began."""
    state = run.start
    found = candidates(state, unit)
    chosen = next(c for c in found if c.unit.id == target)
    mine = stands_of(state, unit)
    run.cite("WM-INIT-1", "WM-INIT-2", "WM-INIT-3", "WM-INIT-5", "WM-INIT-6", "WM-INIT-7")
    run.cite(*sight_clauses(state, unit, chosen.unit))
    if type_of(mine[0]) == "artillery":
        run.cite("WM-INIT-10")
    if flies(mine):
        run.cite("WM-FLY-1")
    if line_of_sight(state, unit, chosen.unit, front_only=True) is None:
        run.cite("WM-VIS-5", "WM-INIT-9")
    if any(c is not chosen and same(c.distance, chosen.distance) for c in found):
        run.cite("WM-INIT-8")
    # What hides an enemy as near makes another the closest that is seen.
    near = {enemy.id for _, enemy in enemies_near(state, unit, chosen.distance)}
    for name in sorted(near - {c.unit.id for c in found}):
        run.cite(*sight_clauses(state, unit, state.units[name]))
    nearer = [c for c in found if more_than(chosen.distance, c.distance)]
    if any(c.placed for c in nearer):
        run.cite("WM-INIT-11")
    if any(c.divided for c in nearer):
        run.cite("WM-INIT-12")
    ground, mask = ground_of(state), mask_of(mine[0])
    for body in () if charges else stands_of(state, chosen.unit):
        rect = rect_of(body)
        box = box_about(rect)
        if any(shapes_overlap(rect, f.region, TOLERANCE) for f in ground.barred(mask, box)):
            run.cite("WM-INIT-13")


def _targets(state: State, action: Answer) -> list[Candidate]:
    return targets_of(state, unit_of(state, action.actor))


@BOOK.clause("WM-INIT-1", src="seed", bars=ANSWERS, at=Moment.DECLARE)
def the_closest_visible_enemy(ask: UnitContext[Answer]) -> Iterator[Finding]:
    """A unit answers to the closest enemy unit that it sees within 20 cm."""
    target = unit_of(ask.state, ask.subject.target)
    if target.side == ask.unit.side:
        yield Finding(f"{target.name} is no enemy unit.", about=target.id)
        return
    legal = ask.measure(_targets)
    if not legal:
        text = f"{ask.unit.name} sees no enemy unit within {INITIATIVE_CM:g} cm."
        pairs = nearest_pairs(ask.stands, stands_of(ask.state, target))
        gap = pairs[0].gap if pairs else None
        if gap is not None and within(gap, INITIATIVE_CM):
            cite_unseen(ask, target)
            text = f"{text[:-1]}: {target.name}, {cm(gap)} away, is out of its sight."
        elif gap is not None:
            text = f"{text[:-1]}: {target.name} is {cm(gap, INITIATIVE_CM)} away."
        yield Finding(text, gap, INITIATIVE_CM, about=target.id)


@BOOK.clause("WM-INIT-5", src="seed", bars=ANSWERS, at=Moment.DECLARE)
def only_that_enemy(ask: UnitContext[Answer]) -> Iterator[Finding]:
    """On initiative a unit charges or evades that enemy, no other."""
    target = ask.state.units.get(ask.subject.target)
    legal = ask.measure(_targets)
    if target is None or not legal or any(c.unit.id == target.id for c in legal):
        return
    names = " or ".join(c.unit.name for c in legal)
    pairs = nearest_pairs(ask.stands, stands_of(ask.state, target))
    gap = pairs[0].gap if pairs else None
    text = f"On initiative {ask.unit.name} answers to {names}, not to {target.name}."
    cite_unseen(ask, target)
    nearer = [c.distance for c in legal if gap is not None and within(c.distance, gap)]
    yield Finding(text, gap, max(nearer, default=legal[0].distance), about=target.id)


@BOOK.clause("WM-INIT-3", src="seed", bars=ANSWERS, at=Moment.DECLARE)
def before_any_order(ask: UnitContext[Answer]) -> Iterator[Finding]:
    """Units act on initiative one by one, before any order; afterwards none does."""
    closed = ask.state.progress.get("closed") is True
    if ask.state.turn.phase != INITIATIVE or closed:
        text = "Initiative is over for this turn." if closed else "This is not the time for it."
        yield Finding(text, about=ask.unit.id)
    if ask.unit.side != ask.state.turn.active:
        yield Finding(f"{ask.unit.name} is not of the side whose turn it is.", about=ask.unit.id)


@BOOK.clause("WM-INIT-10", src="seed", bars=InitiativeCharge, at=Moment.DECLARE)
def artillery_does_not_charge(ask: UnitContext[InitiativeCharge]) -> Iterator[Finding]:
    """Artillery does not charge on initiative; it may evade."""
    if ask.stands and type_of(ask.stands[0]) == "artillery":
        yield Finding(f"{ask.unit.name} is artillery: it evades or waits.", about=ask.unit.id)


@BOOK.clause("WM-INIT-14", src="public", bars=ANSWERS, at=Moment.DECLARE)
def units_that_cannot(ask: UnitContext[Answer]) -> Iterator[Finding]:
    """A confused or engaged unit does not act on initiative, nor one that may not move or that is
    off the table."""
    unit = ask.unit
    if not ask.stands:
        yield Finding(f"{unit.name} is not on the table.", about=unit.id)
        return
    if unit.has("confused"):
        yield Finding(f"{unit.name} is confused.", about=unit.id)
    if is_engaged(ask.state, unit):
        yield Finding(f"{unit.name} is in combat.", about=unit.id)
    if unit.has("no_move"):
        yield Finding(f"{unit.name} does not move this turn.", about=unit.id)
    if unit.has("initiative"):
        yield Finding(f"{unit.name} has acted on initiative already.", about=unit.id)
    if unit.has("failed") and not unit.marks.text("may_move"):
        text = f"{unit.name} has had all the movement that a failed order leaves."
        yield Finding(text, about=unit.id)


BOOK.resolves_each("""
WM-INIT-6 (seed) One unit acts at a time, in any sequence.
WM-INIT-7 (seed) Sight and distance are looked at anew for each unit as it acts.
WM-INIT-8 (seed) Of enemies equally close the player chooses.
WM-INIT-11 (seed) Infantry and artillery in fortified positions may be left out of account.
WM-INIT-12 (seed) So may an enemy beyond a barrier to both that neither gets round in a full-pace
    move.
WM-INIT-13 (public) The closest visible enemy binds even where it cannot be charged.
""")
