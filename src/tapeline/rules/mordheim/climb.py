"""MH-TER, MH-EDGE, MH-FALL, MH-CLIMB, MH-JUMP, MH-GAP: ground crossed, edges, climbs, jumps."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved
from tapeline.engine.limits import TOLERANCE, affords, more_than, same, within
from tapeline.engine.paths import Place, Point
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Crawl, DeclareCharge, Hide, Move
from tapeline.rules.mordheim.contact import flat_gap, touching
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK, DIVE_IN, FALL_STRENGTH_MAX, GAP_IN, JUMP_TEST_IN
from tapeline.rules.mordheim.hide import reveal, reveal_behind
from tapeline.rules.mordheim.state import (
    charge_result,
    is_standing,
    may_climb,
    movement,
    release,
    targets_of,
    touching_at_start,
)
from tapeline.rules.mordheim.terrain import nearest_edges, room_at, terrain_of
from tapeline.rules.mordheim.walker import hits_at
from tapeline.rules.mordheim.wounds import apply_result, d3, initiative_test, take_hits
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.table.storeys import storeys_of
from tapeline.travel.landing import Landing
from tapeline.travel.route import Crossing, Stretch
from tapeline.wording import told_both

__all__ = ["cross", "fall", "fall_strength", "put_down"]


@BOOK.clause("MH-MOVE-5", src="pick", bars=(Move, Crawl), at=Moment.PATH)
def base_stays_on_free_ground(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """The base keeps a surface under it, enters no solid and no other base, and stays on the
    table."""
    if ask.bound.beside:
        ask.cite("MH-MOVE-5")
    yield from ask.bound.findings("MH-MOVE-5")


BOOK.resolves_each("""
MH-TER-1 (seed) The table, floors, overhangs, ladders and ropes are open ground: an inch costs an
    inch.
MH-TER-2 (seed) Doors and hatches are passed without slowing.
""")


@BOOK.clause("MH-TER-3", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def difficult_ground_halves(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """Difficult ground is crossed at half speed."""
    yield from _over_allowance_in(ask, "MH-TER-3", "half")


@BOOK.clause("MH-TER-4", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def very_difficult_ground_quarters(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """Very difficult ground is crossed at a quarter of the speed."""
    yield from _over_allowance_in(ask, "MH-TER-4", "a quarter of the")


def _over_allowance_in(ask: Context[Move | Crawl], clause: str, share: str) -> Iterator[Finding]:
    """The finding for a way that slow ground of that clause makes cost more than the allowance."""
    track = ask.bound
    slow = [part for part in track.parts if isinstance(part, Stretch) and part.clause == clause]
    if not slow or affords(track.cost, ask.allowance):
        return
    paid = track.spending(ask.allowance, crossings=True)
    length = sum(part.length for part in slow)
    text = f"{length:.4g} in of the path lie in ground crossed at {share} speed"
    if any(part.own[1] != clause for part in slow):
        text = f"Ground crossed at {share} speed slows all {length:.4g} in of the path"
    costs, has = told_both(track.cost, ask.allowance, of_limit="g")
    text += f"; it costs {costs} in, and {ask.mover.name} has {has} in."
    about = max(slow, key=lambda part: part.own[0]).piece
    yield Finding(text, track.cost, ask.allowance, paid.end.xy, about, paid.length)


BOOK.resolves("MH-TER-5", "seed", "Barriers are low things in the way: gone round or leapt over.")


@BOOK.clause("MH-TER-6", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def only_low_barriers_are_leapt(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """A barrier of less than 1 inch is leapt, which costs nothing; a higher one must be climbed."""
    yield from ask.bound.findings("MH-TER-6")


# Falls and edges.


#: Inches. How far off an enemy at its foot a falling model comes to lie.
_HAIR_IN = 1e-3


BOOK.resolves_each("""
MH-EDGE-1 (seed) A model put down within 1 inch of the edge of a roof or building tests Initiative.
MH-EDGE-2 (seed) If that test is failed it slips off, lands below and takes a fall.
MH-FALL-1 (seed) A fall is D3 hits at a Strength of the inches fallen.
MH-FALL-2 (seed) No armour save against the hits of a fall.
MH-FALL-3 (seed) The hits of a fall are never critical.
""")


@BOOK.clause("MH-FALL-4", src="seed", bars=(DeclareCharge, Move, Crawl, Hide), at=Moment.DECLARE)
def fallen_moves_no_more(ask: Context[DeclareCharge | Move | Crawl | Hide]) -> Iterator[Finding]:
    """A model that fell may not move further or hide that turn, hurt or not."""
    if ask.mover.has("fallen"):
        text = f"{ask.mover.name} has fallen this turn: it neither moves nor hides any more."
        yield Finding(text, about=ask.mover.id)


def fall_strength(height: float) -> int:
    """Strength of the hits of a fall: full inches, 10 at most.

    >>> fall_strength(1.9), fall_strength(4.0), fall_strength(0.9), fall_strength(14.0)
    (1, 4, 0, 10)
    """
    return min(FALL_STRENGTH_MAX, math.floor(height + TOLERANCE))


def fall(run: Run, body_id: str, down: Landing, clause: str) -> Generator[Ask, Answer, None]:
    """A model falls: it lands, takes its hits and moves no more this turn."""
    body = run.state.body(body_id)
    x, y, z = _off_enemies(run.state, body, down.foot, room_at(run.state, body, down.place))
    run.emit(Moved(body_id, x, y, z, body.facing, (), clause))
    run.emit(Marked(body_id, Marks({"fallen": True, "hidden": None}), "MH-FALL-4"))
    release(run, body_id, "MH-FALL-1")
    reveal(run, body_id)
    text = f"{body.name} falls {down.drop:.4g} in"
    run.happened("falls", text, "MH-FALL-1", about=body_id, outcome=True, height=down.drop)
    run.value(fallen=down.drop)
    strength = fall_strength(down.drop)
    if strength == 0:
        run.happened("unhurt", f"{body.name} is unhurt", "MH-FALL-1", about=body_id, outcome=True)
        return
    hits = yield from d3(run, body_id, f"{body.name} falls: D3 hits", "MH-FALL-1")
    run.cite("MH-FALL-2", "MH-FALL-3")
    result = yield from take_hits(run, body_id, hits, strength, "MH-FALL-1")
    yield from put_down(run, body_id, result, "MH-INJ-1")


def _off_enemies(state: State, body: Body, foot: Point | None, place: Place) -> Place:
    """Where a fall ends: a hair off enemies it would touch, since only charges bring combat.

    Straight away from them, or on the way from the foot to the nearest free place, as along a wall.
    """
    here = body.at(*place)
    touched = [enemy for enemy in state.enemies(here) if touching(here, enemy)]
    if not touched:
        return place
    away = [math.atan2(place.y - enemy.y, place.x - enemy.x) for enemy in touched]
    onward = () if foot is None else (math.atan2(place.y - foot[1], place.x - foot[0]),)
    between = math.atan2(sum(map(math.sin, away)), sum(map(math.cos, away)))
    for angle in (*away, between, *onward, *(k * math.tau / 16 for k in range(16))):
        x, y = place.x + _HAIR_IN * math.cos(angle), place.y + _HAIR_IN * math.sin(angle)
        there = body.at(x, y, place.z)
        if any(touching(there, enemy) for enemy in state.enemies(there)):
            continue
        carried = storeys_of(state.table).support(x, y, place.z, TOLERANCE) is not None
        if carried and not hits_at(state, there, Place(x, y, place.z)):
            return Place(x, y, place.z)
    return place


def put_down(run: Run, body_id: str, result: str, clause: str) -> Generator[Ask, Answer, None]:
    """Apply a result to a model, with the test of one put down beside an edge."""
    put = apply_result(run, body_id, result, clause)
    reveal_behind(run)
    if put:
        yield from edge_test(run, body_id)


def _edges_beside(state: State, body_id: str) -> list[tuple[float, Landing]]:
    return nearest_edges(state, state.body(body_id))


def edge_test(run: Run, body_id: str) -> Generator[Ask, Answer, None]:
    """The test of a model put down, if it lies within 1 inch of an edge."""
    body = run.state.body(body_id)
    edges = run.measure(_edges_beside, body_id)
    if not edges:
        return
    words = "may slip off the edge"
    passed = yield from initiative_test(run, body_id, words, "MH-EDGE-1", settled=True)
    if passed:
        run.happened(
            "holds on", f"{body.name} stays where it is", "MH-EDGE-1", about=body_id, outcome=True
        )
        return
    _, down = edges[0]
    if len(edges) > 1:
        roll = Roll(1, f"{body.name}: over which edge", "MH-EDGE-2", body.side, len(edges), body_id)
        (face,) = yield from run.roll(roll)
        _, down = edges[face - 1]
    yield from fall(run, body_id, down, "MH-EDGE-2")


# Climbs.


def _climbs(ask: Context[Move | Crawl]) -> list[Crossing]:
    return [hurdle for hurdle in ask.bound.crossings if hurdle.kind.startswith("climb")]


@BOOK.clause("MH-CLIMB-1", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def animals_do_not_climb(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """Any model on its feet but an animal may climb walls, fences and the like, up or down."""
    climbs = _climbs(ask)
    if climbs and not may_climb(ask.mover):
        why = "is an animal" if ask.mover.stats.get("animal") else "is not on its feet"
        place = climbs[0].start
        yield Finding(
            f"{ask.mover.name} {why} and does not climb.", None, None, place.xy, ask.mover.id
        )
    yield from ask.bound.findings("MH-CLIMB-1")


@BOOK.clause("MH-CLIMB-2", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def touched_since_the_phase_began(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """What is climbed was touched when the movement phase began."""
    touched = touching_at_start(ask.mover)
    wanted: dict[str, Crossing] = {}
    for hurdle in _climbs(ask):
        wanted.setdefault(hurdle.piece or "", hurdle)
    for feature, hurdle in wanted.items():
        if feature not in touched:
            name = terrain_of(ask.state).name(feature)
            text = f"{ask.mover.name} did not touch {name} when the movement phase began."
            place = hurdle.start
            yield Finding(text, None, None, place.xy, feature)


@BOOK.clause("MH-CLIMB-3", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def climbs_are_paid_from_movement(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """All that is climbed in a phase is paid from the Movement."""
    climbs = _climbs(ask)
    height = sum(hurdle.cost for hurdle in climbs)
    if len(climbs) > 1 and not affords(height, ask.allowance):
        place = climbs[0].start
        high, has = told_both(height, ask.allowance, of_limit="g")
        text = f"{high} in to climb in all; {ask.mover.name} has {has} in."
        yield Finding(text, height, ask.allowance, place.xy, climbs[0].piece)


@BOOK.clause("MH-CLIMB-4", src="seed", bars=Move, at=Moment.DECLARE)
def nobody_runs_and_climbs(ask: Context[Move]) -> Iterator[Finding]:
    """Nobody runs and climbs in one move."""
    if not ask.subject.run:
        return
    if any(leg.how == "climb" for leg in ask.subject.path):
        yield Finding(f"{ask.mover.name} may not run and climb in one move.", about=ask.mover.id)


BOOK.resolves("MH-CLIMB-5", "seed", "Movement left after a climb is used as usual.")


@BOOK.clause("MH-CLIMB-6", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def not_higher_than_a_move(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """What is higher than the model's normal move cannot be climbed."""
    limit = min(movement(ask.mover), ask.allowance)
    for hurdle in _climbs(ask):
        if more_than(hurdle.rise, limit):
            place = hurdle.start
            high, most = told_both(hurdle.rise, limit, of_limit="g")
            text = f"{high} in to climb at once; {ask.mover.name} climbs {most} in."
            yield Finding(text, hurdle.rise, limit, place.xy, hurdle.piece)


BOOK.resolves_each("""
MH-CLIMB-7 (seed) Each climb needs one Initiative test.
MH-CLIMB-8 (seed) If the test to climb up is failed the model cannot move that turn.
MH-CLIMB-9 (seed) If the test to climb down is failed it falls from where the descent began.
""")


def _climb_face(
    run: Run, body_id: str, hurdle: Crossing, left: float
) -> Generator[Ask, Answer, bool]:
    """One climb: its test, and what follows. Whether the model may go on."""
    body = run.state.body(body_id)
    if not affords(hurdle.cost, left):
        return False
    up = hurdle.kind == "climb up"
    name = terrain_of(run.state).name(hurdle.piece or "")
    words = f"climbs {'up' if up else 'down'} {name}, {hurdle.rise:.4g} in"
    run.cite("MH-CLIMB-1", "MH-CLIMB-2", "MH-CLIMB-6")
    if charge_result(body) == "":
        run.cite("MH-CLIMB-4")
    run.emit(Marked(body_id, Marks({"climbed": True}), "MH-CLIMB-7"))
    passed = yield from initiative_test(run, body_id, words, "MH-CLIMB-7")
    run.cite("MH-CLIMB-3")
    if not passed:
        if up:
            run.emit(Marked(body_id, Marks({"climb_failed": True}), "MH-CLIMB-8"))
            text = f"{body.name} does not get up {name} and moves no more"
            run.happened("climb failed", text, "MH-CLIMB-8", about=body_id, outcome=True)
            return False
        assert hurdle.fall is not None
        yield from fall(run, body_id, hurdle.fall, "MH-CLIMB-9")
        return False
    run.pay(words.removeprefix("climbs "), hurdle.rise, 1.0, hurdle.cost, "MH-CLIMB-3")
    run.emit(Moved(body_id, *hurdle.end, body.facing, (), "MH-CLIMB-7"))
    text = f"{body.name} {words}"
    run.happened("climbed", text, "MH-CLIMB-7", about=body_id, outcome=True)
    if more_than(left, hurdle.cost):
        run.cite("MH-CLIMB-5")
    return True


# Jumps down.


@BOOK.clause("MH-JUMP-1", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def no_higher_than_six(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """A warrior jumps down from 6 inches at most, any time in its movement phase."""
    jumps = [hurdle for hurdle in ask.bound.crossings if not hurdle.kind.startswith("climb")]
    jumps += [] if ask.gap is None else [ask.gap]
    if jumps and not is_standing(ask.mover):
        place = jumps[0].start
        text = f"{ask.mover.name} is not on its feet and does not jump."
        yield Finding(text, None, None, place.xy, ask.mover.id)
    yield from ask.bound.findings("MH-JUMP-1")


BOOK.resolves_each("""
MH-JUMP-2 (seed) One Initiative test for each complete 2 inches of the drop.
MH-JUMP-3 (seed) If a test is failed the model falls from where it jumped and moves no more that
    phase.
MH-JUMP-4 (seed) If all tests are passed the move goes on.
MH-JUMP-5 (seed) Jumping down takes nothing of the movement.
MH-JUMP-6 (public) Worked example: 3 inches to the edge, a drop of 5 with two tests, then 7 more.
""")


def tests_of(drop: float) -> int:
    """How many Initiative tests a drop takes: one for each complete 2 inches.

    >>> [tests_of(drop) for drop in (1.99, 2.0, 3.99, 4.0)]
    [0, 1, 1, 2]
    """
    return math.floor((drop + TOLERANCE) / JUMP_TEST_IN)


def dived_at(state: State, body: Body, jump: Crossing) -> list[Body]:
    """The targets of a diving charge that are near enough to where a jump lands, and on the level
    that it lands on (3.10)."""
    if not body.has("dive") or jump.kind != "jump down":
        return []
    landing, targets = body.at(*jump.end), map(state.bodies.get, targets_of(body))
    level = [one for one in targets if one and same(one.z, landing.z)]
    return [one for one in level if within(flat_gap(landing, one), DIVE_IN)]


def tests_passed(
    run: Run, body_id: str, jump: Crossing, down: Landing | None
) -> Generator[Ask, Answer, bool]:
    """Roll the tests of a drop, one at a time; at the first failure the model falls."""
    dives, drop = bool(dived_at(run.state, run.state.body(body_id), jump)), jump.rise
    clause = "MH-DIVE-3" if dives else "MH-JUMP-2"
    run.cite("MH-JUMP-1", clause)
    count = tests_of(drop)
    for number in range(1, count + 1):
        words = f"jumps down {drop:.4g} in, test {number} of {count}"
        passed = yield from initiative_test(run, body_id, words, clause)
        if not passed:
            assert down is not None
            yield from fall(run, body_id, down, "MH-JUMP-3")
            if dives:
                run.cite("MH-DIVE-4")
            return False
    return True


def _jump_down(
    run: Run, body_id: str, hurdle: Crossing, left: float
) -> Generator[Ask, Answer, bool]:
    """One jump down: its tests, and what follows. Whether the model may go on."""
    passed = yield from tests_passed(run, body_id, hurdle, hurdle.fall)
    if not passed:
        return False
    body = run.state.body(body_id)
    run.pay(f"jump down {hurdle.rise:.4g} in", hurdle.rise, 0.0, 0.0, "MH-JUMP-5")
    run.emit(Moved(body_id, *hurdle.end, body.facing, (), "MH-JUMP-4"))
    if body.has("ran"):
        run.cite("MH-JUMP-6")
    text = f"{body.name} jumps down {hurdle.rise:.4g} in"
    run.happened("jumped down", text, "MH-JUMP-4", about=body_id, outcome=True)
    return True


# Gaps.


@BOOK.clause("MH-GAP-1", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def leads_to_another_side(ask: Context[Move | Crawl]) -> Iterator[Finding]:
    """Gaps of up to 3 inches may be jumped, to a side less than 1 inch higher."""
    yield from ask.bound.findings("MH-GAP-1")


BOOK.resolves("MH-GAP-2", "seed", "The distance jumped is taken from the movement allowance.")
BOOK.resolves(
    "MH-GAP-4", "seed", "Without enough movement for the distance the model falls, without a test."
)
BOOK.resolves("MH-GAP-5", "seed", "With enough movement it tests Initiative, or falls.")
BOOK.resolves("MH-GAP-6", "seed", "Jumping a gap does not cost a model its shot; running does.")
BOOK.resolves("MH-GAP-7", "seed", "Jumps over gaps may be part of a charge or a run.")


def _jump_gap(
    run: Run, body_id: str, hurdle: Crossing, left: float
) -> Generator[Ask, Answer, bool]:
    """One jump over a gap: too wide or too far is a fall, else tested. Whether the model may go
    on."""
    body = run.state.body(body_id)
    text = "How wide the gap is, and what comes of the jump, is told once it is made."
    run.untold(Finding(text, place=hurdle.start.xy, about=body_id, clause="MH-GAP-3"))
    run.emit(Marked(body_id, Marks({"gap_jumped": True}), "MH-GAP-1"))
    run.cite("MH-GAP-3")
    hastens = body.has("ran") or body.marks.get("charge") is not None
    run.cite("MH-GAP-7" if hastens else "MH-GAP-6")
    if not affords(hurdle.width, left) or more_than(hurdle.width, GAP_IN):
        short = not affords(hurdle.width, left)
        clause = "MH-GAP-4" if short else "MH-GAP-1"
        width, most = told_both(hurdle.width, left if short else GAP_IN)
        why = f"with {most} in left" if short else f"and {most} in is the most"
        run.value(gap=hurdle.width)
        text = f"{body.name} jumps {width} in {why}: it falls"
        run.happened("gap too wide", text, clause, about=body_id, outcome=True)
        if hurdle.fall is not None:
            yield from fall(run, body_id, hurdle.fall, clause)
        return False
    # How wide it is is told once the test is rolled (MH-GAP-3).
    passed = yield from initiative_test(run, body_id, "jumps a gap", "MH-GAP-5")
    run.value(gap=hurdle.width)
    words = f"jumps a gap of {hurdle.width:.4g} in"
    if not passed:
        if hurdle.fall is not None:
            yield from fall(run, body_id, hurdle.fall, "MH-GAP-5")
        return False
    run.pay(f"jump over {hurdle.width:.4g} in", hurdle.width, 1.0, hurdle.cost, "MH-GAP-2")
    if hurdle.low is not None:
        landed = yield from tests_passed(run, body_id, hurdle, hurdle.low)
        if not landed:
            return False
    run.emit(Moved(body_id, *hurdle.end, body.facing, (), "MH-GAP-5"))
    text = f"{body.name} {words}"
    run.happened("gap jumped", text, "MH-GAP-5", about=body_id, outcome=True)
    return True


def cross(run: Run, body_id: str, hurdle: Crossing, left: float) -> Generator[Ask, Answer, bool]:
    """Carry out a climb or a jump with what is left of the allowance, inches.

    Whether the model may go on from the end of the hurdle.
    """
    carried_out = {"jump down": _jump_down, "gap": _jump_gap}.get(hurdle.kind, _climb_face)
    return (yield from carried_out(run, body_id, hurdle, left))
