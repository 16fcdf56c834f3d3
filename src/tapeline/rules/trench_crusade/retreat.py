"""TC-RET: attacks on a model that retreats, whether it can get away, and where it may go.

It can get away if some path ends more than 1 inch from all enemies (G-31).
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, affords, more_than, overlaps, within
from tapeline.engine.paths import Leg, LegPath, legs_of
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.goals import CircleGoal
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.plane.legs import Arc
from tapeline.rules.trench_crusade.actions import ForcedRetreat, Retreat, Walk
from tapeline.rules.trench_crusade.book import BOOK, DIFFICULT_FACTOR, NEAR_IN
from tapeline.rules.trench_crusade.context import Context, is_legal
from tapeline.rules.trench_crusade.ground import (
    built,
    chart_of,
    in_space,
    level_routes,
    terrain_of,
)
from tapeline.rules.trench_crusade.measures import (
    Citations,
    away_from,
    beside,
    gap,
    holding,
    ignored_by,
    level_with,
    reach_of,
)
from tapeline.rules.trench_crusade.moves import carry_out, refuse_path, too_far
from tapeline.rules.trench_crusade.sequence import melee_attack, take
from tapeline.rules.trench_crusade.sight import visible
from tapeline.rules.trench_crusade.state import (
    flies,
    is_down,
    is_halved,
    melee_armed,
    movement,
    radius,
)
from tapeline.rules.trench_crusade.ways_out import climbs, has_other_ways, ways_out, zones_of
from tapeline.table.bodies import Body
from tapeline.table.storeys import TABLE
from tapeline.travel.chart import with_discs
from tapeline.travel.level_routes import Disc, LevelRoutes, shortest_to
from tapeline.travel.route import Route
from tapeline.travel.search import Seeker
from tapeline.wording import told_apart

if TYPE_CHECKING:
    from tapeline.geometry.weighted.regions import WeightedArea
    from tapeline.geometry.weighted.route import WeightedRouter

__all__ = ["WayOut", "forced_retreat", "retreat", "way_out"]

Retreating = Context[Retreat | ForcedRetreat | Walk]


@BOOK.clause("TC-RET-1", src="seed", bars=(Retreat, ForcedRetreat), at=Moment.DECLARE)
def near_an_enemy(ask: Context[Retreat | ForcedRetreat]) -> Iterator[Finding]:
    """Retreat is for a model within 1 inch of at least one enemy."""
    if ask.held:
        ask.cite("TC-RET-1")
        return
    near = min(ask.state.enemies(ask.mover), key=lambda e: gap(ask.mover, e), default=None)
    if near is None:
        yield Finding("There is no enemy to retreat from.", about=ask.mover.id)
        return
    measured = gap(ask.mover, near)
    off = told_apart(measured, NEAR_IN, ".2f")
    text = f"No enemy is within 1 in; the nearest, {near.name}, is {off} in away."
    yield Finding(text, measured, NEAR_IN, near.centre, near.id)


BOOK.resolves_each("""
TC-RET-2 (seed) Before a retreat move the opponent may make a Melee Attack on the model with each
    enemy within 1 inch of it.
TC-RET-3 (seed) The attacks are made also when a rule forces the retreat.
TC-RET-4 (seed) The model may be moved only if no attack gave a Down or an Out of Action result.
""")


@BOOK.clause("TC-RET-5", src="seed", bars=(Retreat, ForcedRetreat, Walk), at=Moment.END)
def ends_clear_of_enemies(ask: Retreating) -> Iterator[Finding]:
    """A retreat move finishes more than 1 inch from every enemy."""
    walk = ask.walk
    if walk is None or walk.manner != "retreat" or ask.track.length <= 0.0:
        return
    ask.cite("TC-RET-5")
    for enemy in ask.around.enemies:
        measured = beside(ask.mover, enemy).gap(ask.way.end)
        if not more_than(measured, NEAR_IN):
            off = told_apart(measured, NEAR_IN, ".2f")
            text = f"Ends {off} in from {enemy.name}, must be more than 1 in."
            yield Finding(text, measured, NEAR_IN, ask.way.end.xy, enemy.id, ask.way.length)
    if ask.state.option("retreat_direction") == "directly_away":
        yield from _not_directly_away(ask)


def _not_directly_away(ask: Retreating) -> Iterator[Finding]:
    away = away_from(ask.mover, ask.held)
    if away is None:
        text = "The enemies are on opposite sides: no way leads directly away."
        yield Finding(text, about=ask.mover.id, travelled=0.0)
        return
    gone = 0.0
    for before, part in ask.track.stretches:
        if part.length <= 0.0:
            continue
        dx, dy = part.end.x - ask.mover.x, part.end.y - ask.mover.y
        along, off = dx * away[0] + dy * away[1], dx * away[1] - dy * away[0]
        beside = not within(abs(off), 0.0)
        if isinstance(part.leg, Arc) or along < gone or beside:
            far, back = told_apart(abs(off), 0.0, ".2f"), told_apart(gone - along, 0.0, ".2f")
            text = f"Leaves the line directly away from the enemies by {far} in."
            if 0.0 <= along < gone:
                text = f"Turns back {back} in toward the enemies."
            elif along < gone and not beside:
                text = f"Goes {back} in toward the enemies."
            measured = abs(off) if beside else max(0.0, gone - along)
            yield Finding(text, measured, 0.0, part.end.xy, ask.mover.id, before)
            return
        gone = along


BOOK.resolves_each("""
TC-RET-6 (seed) If no finish more than 1 inch from every enemy can be reached, the model does not
    move.
TC-RET-7 (public) Retreat may be declared even by a model that cannot move; it is attacked all the
    same.
TC-RET-8 (public) Each of the attacks is one Melee Attack with one weapon.
""")


@BOOK.clause("TC-RET-9", src="public", bars=(Retreat, ForcedRetreat, Walk), at=Moment.PATH)
def retreats_up_to_movement(ask: Retreating) -> Iterator[Finding]:
    """A retreat move may be as long as the Movement Characteristic."""
    walk = ask.walk
    if walk is None or walk.manner != "retreat":
        return
    ask.cite("TC-RET-9")
    yield from too_far(ask, walk)


def _attackers(state: State, body: Body) -> list[Body]:
    return [enemy for enemy in holding(state, body) if _kept_from(state, body, enemy) is None]


def _kept_from(state: State, body: Body, enemy: Body) -> str | None:
    """The clause that keeps an enemy within 1 inch from attacking a retreat, if one does."""
    if body.keyword("DISENGAGE") or ignored_by(body, enemy):
        return "TC-KW-3"
    return None if melee_armed(enemy) and visible(state, enemy, body) else "TC-MEL-1"


def _attacks(run: Run, body_id: str) -> Generator[Ask, Answer, bool]:
    """The attacks on a retreating model. Whether it may still be moved."""
    body = run.state.bodies[body_id]
    opponent = run.state.other_side(body.side)
    near = holding(run.state, body)
    kept = [_kept_from(run.state, body, enemy) for enemy in near]
    run.cite(*filter(None, kept))
    left = {e.id: e for e, clause in zip(near, kept, strict=True) if clause is None}
    may_move = True
    while left:
        # Who has been struck off a ledge may be out of reach of the others.
        able = {enemy.id for enemy in _attackers(run.state, run.state.bodies[body_id])}
        left = {enemy_id: enemy for enemy_id, enemy in left.items() if enemy_id in able}
        if not left:
            break
        options = {e.id: f"attack with {e.name}" for e in left.values()}
        options["pass"] = "no more attacks"
        whom = f"{body.name} retreats: attack with whom?"
        value = yield from run.pick(
            opponent, whom, "TC-RET-2", options, default=next(iter(left)), about=body_id
        )
        if value == "pass":
            break
        enemy = left.pop(str(value))
        run.cite("TC-RET-8")
        injury = yield from melee_attack(
            run, enemy.id, body_id, f"{enemy.name} attacks {body.name}"
        )
        if injury == "out":
            run.cite("TC-RET-4")
            return False
        run.cite("TC-RET-4")
        if injury == "down":
            may_move = False
    return may_move


def _get_away(run: Run, body_id: str, path: LegPath | None, held: tuple[str, ...]) -> Procedure:
    """What follows the attacks: the possibility test, the path, the move."""
    body = run.state.bodies[body_id]
    allowance = movement(run.state, body)
    if not way_out(run.state, body, allowance).possible:
        text = f"{body.name} has no way to get more than 1 in from all enemies and stays"
        run.happened("retreat impossible", text, "TC-RET-6", about=body_id, outcome=True)
        run.cite("TC-RET-7", "TC-RET-9")
        if allowance > 0.0:
            stays = Route.read(body, ())
            run.cite(*Citations(run.state, body, stays, allowance).of_reach())
        if is_halved(run.state, body):
            run.cite("TC-DOWN-3", "TC-MOVE-14")
        return
    run.cite("TC-ACT-3")
    if path is None:
        prompt = f"{body.name} may retreat up to {allowance:g} in: along which path? None: it stays"
        path = yield from run.path(body.side, prompt, "TC-RET-5", body_id)
        refuse_path(run, Walk(body_id, path, allowance, "retreat", held))
    gone = yield from carry_out(run, body_id, path, "TC-RET-9", allowance=allowance)
    if path and gone:
        run.happened(
            "retreated", f"{body.name} has retreated", "TC-RET-5", about=body_id, outcome=True
        )


def retreat(run: Run, action: Retreat) -> Procedure:
    """The Retreat ACTION: attacks, then the move if it is still possible."""
    body = run.state.body(action.actor)
    held = tuple(enemy.id for enemy in holding(run.state, body))
    take(run, "retreat", "TC-RET-1")
    yield from _carry_out_retreat(run, body.id, action.path, held)


def _carry_out_retreat(
    run: Run, body_id: str, path: LegPath | None, held: tuple[str, ...]
) -> Procedure:
    was_down = is_down(run.state.bodies[body_id])
    may_move = yield from _attacks(run, body_id)
    if body_id not in run.state.bodies:
        return
    if was_down:
        run.cite("TC-RET-7")
        text = f"{run.state.bodies[body_id].name} is Down and stays"
        run.happened("cannot be moved", text, "TC-DOWN-2", about=body_id)
        return
    if may_move:
        yield from _get_away(run, body_id, path, held)


def forced_retreat(run: Run, action: ForcedRetreat) -> Procedure:
    """A retreat that a rule brings about: attacks as usual; no ACTION is spent."""
    body = run.state.body(action.actor)
    run.forced()
    run.cite("TC-RET-3", "TC-ACT-4")
    held = tuple(enemy.id for enemy in holding(run.state, body))
    yield from _carry_out_retreat(run, body.id, action.path, held)


#: The same for ends of ways that a search has found, in the order tried, and directions.
_BEYOND, _TURNS = (2e-6, 1e-5, 1e-4, 1e-3, 1e-2, 2e-7), 16
#: How far beyond 1 inch a search keeps off enemies that were farther: amply, then barely more than
#: the tolerance, for ways and ends that just fit between two inches.
_AMPLE_IN, _BARE_IN = 3 * TOLERANCE, 1.05 * TOLERANCE
#: How far apart the bounds of the least cost may lie, one after another.
_BRACKETS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
#: Legs that a search on one surface may make.
_WORK = 200_000


class WayOut(NamedTuple):
    """Whether a model can get away, and a legal path by which it does, if one is known.

    possible without a path: where it may leave its level, as no search decides then, and where
    the only ways found come back within 1 inch of an enemy that they have left.
    """

    possible: bool
    path: LegPath | None = None


def way_out(state: State, body: Body, allowance: float) -> WayOut:
    """Whether some path of the allowance ends more than 1 inch from every enemy, on nobody."""
    if allowance <= 0.0:
        return WayOut(False)
    for end in ways_out(state, body, allowance):
        path = (Leg(to=end),)
        if _legal(state, body, path, allowance):
            return WayOut(True, path)
    if in_space(state, body) and has_other_ways(state, body, allowance):
        # Up, down or through the air: the player is asked for a path, and may always stay.
        return WayOut(True)
    here = terrain_of(state).goes_from(body)
    level = not flies(body) and (here is None or here.ramp is None)
    if not level or state.option("retreat_direction") == "directly_away":
        return WayOut(False)
    routes = level_routes(state, body)
    search = _Search(state, body, routes, allowance)
    # Ways beyond the edge of a roof count here: what leads nowhere so leads nowhere on it.
    if here is not None and here.id != TABLE and not search.leads_out_on(here.id):
        return WayOut(False)
    found = search.way_out()
    if not found.possible and search.keeps_off:
        just = _Search(state, body, routes, allowance, _BARE_IN).way_out()
        if just.path is not None:
            return just
    if found.possible or not built(state.table) or not climbs(state, body, allowance):
        return found
    over = level_routes(state, body, climbing=True)  # what can be climbed may be a way out
    return WayOut(_Search(state, body, over, allowance).way_out().possible)


def _legal(state: State, body: Body, path: LegPath, allowance: float) -> bool:
    held = tuple(enemy.id for enemy in holding(state, body))
    return is_legal(state, Walk(body.id, path, allowance, "retreat", held))


class _Search:
    """The exact test on level ground: the shortest way to where a retreat may end.

    It may not end in the zones of the enemies that hold the model, nor on a friend: where it first
    may, it comes out of one of these. It is never over an enemy's base, within 1 inch of enemies
    that were farther, or in what is impassable. Over Difficult ground the way of least cost counts.
    """

    def __init__(
        self,
        state: State,
        body: Body,
        routes: LevelRoutes,
        allowance: float,
        room: float = _AMPLE_IN,
    ) -> None:
        self.state, self.body, self.allowance = state, body, allowance
        r = radius(body)
        held = holding(state, body)
        zones = list(zones_of(body, held))
        walls = [Disc(e.x, e.y, r + radius(e)) for e in held if level_with(body, e)]
        ids = {enemy.id for enemy in held}
        #: Whether enemies that were farther stand so near that they may be in the way.
        self.keeps_off = False
        for enemy in state.enemies(body):
            reach = reach_of(body, enemy, NEAR_IN)
            if enemy.id not in ids and reach is not None:
                walls.append(Disc(enemy.x, enemy.y, reach + room))
                far = math.dist(enemy.centre, body.centre)
                self.keeps_off = self.keeps_off or far <= reach + room + allowance
        # Who touches a friend is not on it, so that a base may stand where it just fits between.
        friends = [
            Disc(f.x, f.y, r + radius(f) - 0.5 * TOLERANCE)
            for f in state.friends(body)
            if level_with(body, f)
        ]
        self.near = box_about(*body.centre, allowance + r + 1.0)
        self.walls = walls
        self.field = routes.field(body, discs=walls, near=self.near)
        self.goals: list[CircleGoal] = []
        for disc in (*zones, *friends):
            if math.dist(disc[:2], body.centre) > disc.radius + allowance:
                continue
            others = [other for other in (*zones, *friends, *walls) if other is not disc]
            shut = routes.shut(body, disc, others, 0.5 * TOLERANCE)
            if not shut or shut[0][1] - shut[0][0] < math.tau - 1e-9:
                self.goals.append(CircleGoal(*disc, True, tuple(shut)))

    def way_out(self) -> WayOut:
        """What the search comes to."""
        limit, start = self.allowance + TOLERANCE, self.body.centre
        found = shortest_to(self.field, start, self.goals, limit) if self.goals else None
        if found is None or not affords(found.length, self.allowance):
            return WayOut(False)
        within_reach = []
        for goal in self.goals:
            alone = shortest_to(self.field, start, [goal], limit)
            for way in () if alone is None else (alone, *alone.ties):
                within_reach.append(goal)
                whole = self._beyond(legs_of(way.path.legs), goal)
                if whole is not None:
                    return WayOut(True, whole)
        slow = self._least_cost()
        return WayOut(True) if slow is None else self._over_slow_ground(slow, within_reach)

    def leads_out_on(self, surface: str) -> bool:
        """Whether there is a way on a surface above the table; so too where no search tells."""
        body, r = self.body, radius(self.body)
        chart = chart_of(self.state, body, frozenset())
        discs = [(surface, f"held {k}", *d[:2], d.radius - r) for k, d in enumerate(self.walls)]
        levels = with_discs(chart, discs).keeping(lambda way: False)
        seeker = Seeker((surface, *body.centre), r, _WORK)
        if not seeker.stands(levels):
            return True
        goals = [(surface, goal) for goal in self.goals]
        found = seeker.route(levels, goals, self.allowance + TOLERANCE) if goals else None
        return found is not None and affords(found.cost, self.allowance)

    def _over_slow_ground(self, slow: WeightedRouter, goals: list[CircleGoal]) -> WayOut:
        """What the least cost comes to: bracketed ever closer until it tells, or to the tolerance.

        Possible without a path where the bracket holds the allowance to the last, or work runs out.
        """
        for eps in _BRACKETS:
            try:
                cheapest = slow.cheapest(
                    self.body.centre, goals, eps, limit=self.allowance + TOLERANCE
                )
            except WorkLimitError:
                break
            if cheapest is None:
                return WayOut(False)
            whole = self._beyond(legs_of(cheapest.path.legs), goals[cheapest.goal])
            if whole is not None:
                return WayOut(True, whole)
            if affords(cheapest.upper, self.allowance):
                break
        return WayOut(True)

    def _least_cost(self) -> WeightedRouter | None:
        """A search over Difficult ground, if there is some that the model feels.

        Where it counts by the area of the base, the shortest way alone is tried.
        """
        from tapeline.geometry.weighted.regions import WeightedDisc, WeightedGround, WeightedRing
        from tapeline.geometry.weighted.route import WeightedRouter

        body, terrain = self.body, terrain_of(self.state)
        if terrain.policy.half_area or body.keyword("NEGATE DIFFICULT TERRAIN"):
            return None
        areas: list[WeightedArea] = []
        for patch in terrain.patches_near(self.near):
            if patch.factor <= 1.0 or not patch.lies(terrain.under(body), body.z):
                continue
            if patch.plan.ring is not None:
                areas.append(WeightedRing(patch.plan.ring, DIFFICULT_FACTOR))
            elif patch.plan.circle is not None:
                areas.append(WeightedDisc(*patch.plan.circle, DIFFICULT_FACTOR))
        if not areas:
            return None
        return WeightedRouter(self.field, 0.0, WeightedGround(areas), (), TOLERANCE)

    def _beyond(self, path: LegPath, goal: CircleGoal) -> LegPath | None:
        """A path to where a retreat may end gone on until it may; None if that is illegal."""
        x, y = Route.read(self.body, path).end.xy
        square = math.atan2(y - goal.y, x - goal.x)
        for far in _BEYOND:
            for k in range(_TURNS):
                turn = math.pi * ((k + 1) // 2) / (_TURNS // 2) * (1 - 2 * (k % 2))
                to = (x + far * math.cos(square + turn), y + far * math.sin(square + turn))
                if self._may_end(*to):
                    whole = (*path, Leg(to=to))
                    if _legal(self.state, self.body, whole, self.allowance):
                        return whole
        return None

    def _may_end(self, x: float, y: float) -> bool:
        state, body = self.state, self.body
        there = body.at(x, y, body.z)
        return not any(within(gap(there, e), NEAR_IN) for e in state.enemies(body)) and not any(
            level_with(body, f) and overlaps(radius(body) + radius(f) - math.dist((x, y), f.centre))
            for f in state.friends(body)
        )
