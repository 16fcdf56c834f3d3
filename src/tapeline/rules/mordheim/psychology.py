"""MH-PSY, MH-FLEE, MH-COMP: fear, frenzy, stupidity, breaking; flights and stumbles."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked
from tapeline.engine.limits import TOLERANCE, affords, closer_than, more_than, within
from tapeline.engine.paths import Leg, Place, Point
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.rules.mordheim.actions import Compulsory, Crawl, DeclareCharge, Move
from tapeline.rules.mordheim.chart import chart_of, gone_round, peopled
from tapeline.rules.mordheim.climb import fall, put_down
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import (
    BOOK,
    BREAK_FRIEND_IN,
    STUMBLE_FACTOR,
    STUMBLE_GAP_IN,
    STUMBLE_MOVES,
)
from tapeline.rules.mordheim.goals import with_lines
from tapeline.rules.mordheim.hide import give_away, reveal_behind
from tapeline.rules.mordheim.moves import cite_gone, cite_rates, go_along
from tapeline.rules.mordheim.route import away, ladder_ends
from tapeline.rules.mordheim.sight import below_its_floor, first_within, sees_upright
from tapeline.rules.mordheim.state import (
    ahead,
    base_part,
    charging_allowance,
    engaged_with,
    is_engaged,
    is_fleeing,
    is_hidden,
    is_standing,
    movement,
    next_step,
    of_side,
    radius,
    release,
)
from tapeline.rules.mordheim.terrain import edges_near, fall_over, terrain_of
from tapeline.rules.mordheim.walker import pivot, walk, where_it_fits
from tapeline.rules.mordheim.wounds import distance_fled, leadership_test, take_out
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.table.solids import ring_sides
from tapeline.table.storeys import TABLE, Surface
from tapeline.travel.chart import ring_of
from tapeline.travel.edges import NearEdge
from tapeline.travel.landing import Landing
from tapeline.travel.route import Route, Stretch
from tapeline.travel.search import SLACK, legs_of_step
from tapeline.travel.terrain import Terrain

__all__ = ["breaking", "compulsory", "escapes", "fear", "frenzy", "run_for_edge", "stupidity"]


BOOK.resolves_each("""
MH-PSY-1 (public) A charge at an enemy that causes fear needs a Leadership test; failed, the model
    stands still and has failed its charge.
MH-PSY-2 (public) A frenzied model must charge if an enemy is in charge range once charges are
    declared.
""")


@BOOK.clause("MH-PSY-3", src="public", bars=(DeclareCharge, Move, Crawl), at=Moment.DECLARE)
def stupid_model_is_not_free(ask: Context[DeclareCharge | Move | Crawl]) -> Iterator[Finding]:
    """A stupid model that failed its Leadership test and is not engaged stumbles straight ahead at
    half speed or stands still; it does not charge."""
    mover = ask.mover
    if mover.has("stands_still"):
        if isinstance(ask.subject, DeclareCharge) or ask.subject.path:
            yield Finding(f"{mover.name} is stupid and stands still this turn.", about=mover.id)
    elif mover.has("stumbles") and not mover.has("moved"):
        yield Finding(f"{mover.name} is stupid and stumbles straight ahead.", about=mover.id)


def fear(run: Run, body_id: str, targets: tuple[str, ...]) -> Procedure:
    """The test of a model that charges one it fears (MH-PSY-1)."""
    body = run.state.body(body_id)
    feared = [t for t in targets if run.state.body(t).stats.get("fear")]
    if not feared or body.stats.get("fear") or body.stats.get("unshaken"):
        return
    name = run.state.body(feared[0]).name
    if (yield from leadership_test(run, body_id, f"fears {name}", "MH-PSY-1")):
        return
    changes = Marks({"targets": None, "dive": None, "charge": "failed", "moved": True})
    run.emit(Marked(body_id, changes, "MH-PSY-1"))
    text = f"{body.name} dares not charge {name} and stands still"
    run.happened("fears", text, "MH-PSY-1", about=body_id, outcome=True)
    give_away(run, body_id, f"{body.name} meant to charge and is no longer hidden", "MH-HIDE-3")


def _in_charge_range(state: State, body: Body) -> list[Body]:
    reach = charging_allowance(body)
    return [
        enemy
        for enemy in state.enemies(body)
        if not is_hidden(enemy)
        and enemy.id not in engaged_with(body)
        and within(gap(state, body, enemy), reach)
        and (sees_upright(state, body, enemy) or below_its_floor(state, body, enemy))
    ]


def frenzy(run: Run) -> Procedure:
    """Frenzied models that have not declared a charge do so now, if they can (MH-PSY-2)."""
    barred = ("charge", "stood_up", "rallied", "fallen", "stands_still", "stumbles", "moved")
    for body in of_side(run.state, run.state.turn.active):
        if not body.stats.get("frenzy") or not is_standing(body) or is_fleeing(body):
            continue
        if any(body.has(mark) for mark in barred) or any(
            is_standing(run.state.body(enemy)) for enemy in engaged_with(body)
        ):
            continue
        near = _in_charge_range(run.state, body)
        if not near:
            continue
        target: Any = near[0].id
        if len(near) > 1:
            options = {enemy.id: enemy.name for enemy in near}
            purpose = f"{body.name} is frenzied and must charge: whom?"
            target = yield from run.pick(
                body.side, purpose, "MH-PSY-2", options, default=target, about=body.id
            )
        changes = Marks({"targets": (target,), "charge": "declared"})
        run.emit(Marked(body.id, changes, "MH-PSY-2"))
        text = f"{body.name} is frenzied and charges {run.state.body(target).name}"
        run.happened("must charge", text, "MH-PSY-2", about=body.id)
        yield from fear(run, body.id, (str(target),))


def _spared(state: State, body: Body) -> bool:
    """Whether a friendly hero is near enough to keep a stupid model in hand."""
    reach = body.stat("stupid_hero_in")
    return reach > 0.0 and any(
        friend.stats.get("hero") and within(gap(state, body, friend), reach)
        for friend in state.friends(body)
    )


def stupidity(run: Run) -> Procedure:
    """Stupid models test as their movement phase begins (MH-PSY-3)."""
    for body in of_side(run.state, run.state.turn.active):
        if not body.stats.get("stupid") or not is_standing(body) or is_engaged(body):
            continue
        if is_fleeing(body):
            continue
        if _spared(run.state, body):
            run.cite("MH-PSY-3")
            continue
        if (yield from leadership_test(run, body.id, "is stupid", "MH-PSY-3")):
            continue
        roll = Roll(1, f"{body.name}: stumbles on 1-3", "MH-PSY-3", body.side, about=body.id)
        (face,) = yield from run.roll(roll, lambda faces: faces[0] <= STUMBLE_MOVES)
        moves = face <= STUMBLE_MOVES
        mark = "stumbles" if moves else "stands_still"
        run.emit(Marked(body.id, Marks({mark: True}), "MH-PSY-3"))
        text = f"{body.name} {'stumbles straight ahead' if moves else 'stands still'}"
        run.happened("stupid", text, "MH-PSY-3", about=body.id, outcome=True)


# Flight.


BOOK.resolves_each("""
MH-FLEE-1 (public) Alone against two or more opponents with no friend within 6 inches: a Leadership
    test at the end of the combat phase of its own turn, or it breaks: one automatic hit from each,
    then 2D6 inches directly away.
MH-FLEE-2 (public) Each later turn, if not rallied: 2D6 inches towards the nearest table edge;
    reaching it removes the model.
MH-FLEE-3 (public) Charged while fleeing: the charger is moved into contact, then the fleeing model
    runs a further 2D6 inches towards the edge.
""")


#: Straight out over each edge of the table.
_OUTWARD = {"west": (-1.0, 0.0), "south": (0.0, -1.0), "east": (1.0, 0.0), "north": (0.0, 1.0)}
#: Share of a piece at which is looked whether it leads nearer to somebody.
_AHEAD = 0.01


_RESULTS = {
    "nothing": "no harm",
    "knocked_down": "knocked down",
    "stunned": "stunned",
    "out": "out of action",
}


def outnumbered(state: State, body: Body) -> bool:
    """Whether a model on its feet fights two or more."""
    if not is_standing(body) or is_fleeing(body):
        return False
    return len([e for e in engaged_with(body) if e in state.bodies]) >= 2


def must_test(state: State, body: Body) -> bool:
    """Whether a model fights alone against two or more (MH-FLEE-1)."""
    if not outnumbered(state, body) or body.stats.get("unshaken"):
        return False
    return not any(
        is_standing(friend)
        and not is_fleeing(friend)
        and within(gap(state, body, friend), BREAK_FRIEND_IN)
        for friend in state.friends(body)
    )


def breaking(run: Run) -> Procedure:
    """The tests at the end of a hand-to-hand phase, of the models whose turn it is."""
    side = run.state.turn.active
    for body in of_side(run.state, side):
        if outnumbered(run.state, body) and not must_test(run.state, body):
            run.cite("MH-FLEE-1")
    for body in [b for b in of_side(run.state, side) if must_test(run.state, b)]:
        if body.id not in run.state.bodies or not must_test(run.state, run.state.body(body.id)):
            continue
        if (yield from leadership_test(run, body.id, "fights alone", "MH-FLEE-1")):
            run.happened(
                "stands", f"{body.name} fights on", "MH-FLEE-1", about=body.id, outcome=True
            )
            continue
        yield from _break(run, body.id)


def _break(run: Run, body_id: str) -> Procedure:
    body = run.state.body(body_id)
    opponents = [e for e in engaged_with(body) if e in run.state.bodies]
    run.emit(Marked(body_id, Marks({"fleeing": True, "fled": True}), "MH-FLEE-1"))
    run.happened("breaks", f"{body.name} breaks", "MH-FLEE-1", about=body_id, outcome=True)
    for enemy_id in opponents:
        enemy = run.state.body(enemy_id)
        if not is_standing(enemy):
            continue
        what = f"the automatic hit of {enemy.name} on {body.name}: what came of it?"
        value = yield from run.pick(
            enemy.side, what, "MH-FLEE-1", _RESULTS, default="nothing", about=body_id, attests=True
        )
        yield from put_down(run, body_id, str(value), "MH-FLEE-1")
        if body_id not in run.state.bodies:
            return
    body = run.state.body(body_id)
    if not is_standing(body) or body.has("fallen"):
        return
    places = [run.state.body(e).centre for e in opponents]
    cx = sum(x for x, _ in places) / len(places)
    cy = sum(y for _, y in places) / len(places)
    dx, dy = body.x - cx, body.y - cy
    far = math.hypot(dx, dy)
    direction = (dx / far, dy / far) if far > 0.0 else ahead(body)
    distance = yield from distance_fled(run, body_id, "MH-FLEE-1")
    release(run, body_id, "MH-FLEE-1")
    straight = away(run.state, run.state.body(body_id), direction, float(distance))
    track = straight.spending(float(distance))
    yield from _go_forced(run, body_id, track, float(distance), "MH-FLEE-1", straight)
    _leave_if_at_edge(run, body_id, "MH-FLEE-1")


def _go_forced(
    run: Run, body_id: str, track: Route, distance: float, clause: str, whole: Route
) -> Generator[Ask, Answer, None]:
    """Go a forced way as far as the base fits in its true shape. whole: all of the way, with what
    lies beyond the distance."""
    body = run.state.body(body_id)
    track, facing = where_it_fits(run.state, body, track)
    cite_gone(run, body, track, whole)
    pivot(run, body_id, facing, clause)
    yield from go_along(run, body_id, track, distance, clause)


def _leave_if_at_edge(run: Run, body_id: str, clause: str) -> None:
    """A fleeing model whose base touches the table edge is removed."""
    body = run.state.bodies.get(body_id)
    if body is None:
        return
    if any(
        escape.leaves and within(escape.track.length, 0.0) for escape in escapes(run.state, body)
    ):
        run.cite("MH-FLEE-2")
        take_out(run, body_id, clause, "fled")
        reveal_behind(run)


def run_for_edge(run: Run, body_id: str, clause: str) -> Generator[Ask, Answer, None]:
    """2D6 inches towards the nearest table edge; off the table if it gets there.

    clause: MH-FLEE-3 of a model that runs on as it is charged, else MH-FLEE-2.
    """
    body = run.state.body(body_id)
    give_away(run, body_id, f"{body.name} flees and is no longer hidden", "MH-HIDE-3")
    ways = escapes(run.state, body)
    way: Escape | None = ways[0] if ways else None
    if len(ways) > 1:
        options = {escape.edge: f"the {escape.edge} edge" for escape in ways}
        which = f"{body.name} is as near to several edges: which one?"
        value = yield from run.pick(
            body.side, which, clause, options, default=ways[0].edge, about=body_id
        )
        way = next(escape for escape in ways if escape.edge == value)
    distance = float((yield from distance_fled(run, body_id, clause)))
    run.emit(Marked(body_id, Marks({"fled": True}), clause))
    run.value(fled=distance)
    if way is None:
        run.happened("stays", f"{body.name} has no way out", clause, about=body_id, outcome=True)
        return
    track = way.track.spending(distance)
    yield from _go_forced(run, body_id, track, distance, clause, way.track)
    if body_id not in run.state.bodies:
        return
    if way.leaves and affords(way.track.cost, distance):
        run.cite("MH-FLEE-2")
        take_out(run, body_id, clause, "fled")
        reveal_behind(run)
    else:
        run.happened("flees", f"{body.name} flees on", clause, about=body_id, outcome=True)


def compulsory(run: Run, action: Compulsory) -> Procedure:
    """2: the move a model is forced to make."""

    run.forced()
    run.cite("MH-COMP-1")
    body = run.state.body(action.actor)
    run.emit(Marked(body.id, Marks({"moved": True}), "MH-COMP-1"))
    if is_fleeing(body):
        yield from run_for_edge(run, body.id, "MH-FLEE-2")
    else:
        yield from _stumble(run, body.id)
    next_step(run)


def _stumble(run: Run, body_id: str) -> Procedure:
    """A stupid model goes straight ahead at half speed (MH-PSY-3)."""
    body = run.state.body(body_id)
    cite_rates(run, body, run_like=False)
    distance = movement(body) * STUMBLE_FACTOR
    facing = ahead(body)
    straight = away(run.state, body, facing, distance)
    track = _kept_off(run.state, body, straight.spending(distance))
    yield from _go_forced(run, body_id, track, distance, "MH-PSY-3", straight)
    here = run.state.bodies.get(body_id)
    if here is None or not closer_than(track.cost, distance):
        return
    down = _over_edge(run.state, here, facing)
    if down is not None:
        yield from fall(run, body_id, down, "MH-PSY-3")


def _over_edge(state: State, body: Body, direction: tuple[float, float]) -> Landing | None:
    """The fall of a model that has come to an edge and walks on over it."""
    best: tuple[float, NearEdge] | None = None
    for edge in edges_near(state, body, 0.0):
        leads = edge.normal[0] * direction[0] + edge.normal[1] * direction[1]
        come_to = within(math.dist(edge.point, body.centre), TOLERANCE)
        if come_to and leads > TOLERANCE and (best is None or leads > best[0]):
            best = (leads, edge)
    if best is None:
        return None
    return fall_over(state, body, best[1].point, best[1].normal, body.z)


def _kept_off(state: State, body: Body, track: Route) -> Route:
    """The beginning of a way that stays more than 1 inch from every enemy."""
    kept: list[Stretch] = []
    for part in track.parts:
        assert isinstance(part, Stretch)
        share = min(
            (_share_until_near(state, body, enemy, part) for enemy in state.enemies(body)),
            default=1.0,
        )
        if share < 1.0:
            if share > 0.0:
                kept.append(part.upto(share))
            break
        kept.append(part)
    return Route(track.start, tuple(kept))


def _share_until_near(state: State, body: Body, enemy: Body, part: Stretch) -> float:
    """Share of a straight piece until a model is 1 inch from an enemy; 1 if it never is."""

    def apart(t: float) -> float:
        return gap(state, body.at(*part.at(t)), enemy)

    if within(apart(0.0), STUMBLE_GAP_IN):
        return 0.0 if apart(_AHEAD) < apart(0.0) else 1.0
    near = first_within(state, body, part, enemy, STUMBLE_GAP_IN)
    return 1.0 if near is None else near


@dataclass(frozen=True, slots=True)
class Escape:
    """A way to the nearest table edge. leaves: whether it gets there, the base touching it."""

    edge: str
    track: Route
    leaves: bool


def escapes(state: State, body: Body) -> list[Escape]:
    """Ways to the table edge nearest to the base; several where edges are equally near (3.14)."""
    far = _left_to_edges(state, body)
    least = min(far.values())
    found = []
    for edge, distance in far.items():
        track = None if more_than(distance, least) else _to_edge(state, body, edge)
        if track is not None:
            left = _left_to_edges(state, body.at(*track.end))[edge]
            found.append(Escape(edge, track, within(left, 0.0)))
    return found


def _left_to_edges(state: State, body: Body) -> dict[str, float]:
    """How far the base, as it stands, is from each edge of the table, inches."""
    base, table = base_part(body), state.table
    west, east = min(base.loop[::2]), table.width - max(base.loop[::2])
    south, north = min(base.loop[1::2]), table.depth - max(base.loop[1::2])
    left = {"west": west, "south": south, "east": east, "north": north}
    return {edge: inside - base.radius for edge, inside in left.items()}


def _at_edge(state: State, body: Body, edge: str, p: Point) -> Point:
    """The place abreast of another where the base, as it stands, touches the edge."""
    left, w, d = _left_to_edges(state, body)[edge], state.table.width, state.table.depth
    x = {"west": body.x - left, "east": body.x + left}.get(edge, min(max(p[0], 0.0), w))
    y = {"south": body.y - left, "north": body.y + left}.get(edge, min(max(p[1], 0.0), d))
    return x, y


def _to_edge(state: State, body: Body, edge: str) -> Route | None:
    """Straight to an edge, round what is in the way; at a drop it stops (3.14)."""
    if _left_to_edges(state, body)[edge] <= TOLERANCE:
        return Route(Place(body.x, body.y, body.z))
    foot = next(ladder_ends(state, body), None)
    if foot is not None:
        there = body.at(*foot)
        onward = _to_edge(state.with_body(there), there, edge)
        legs = () if onward is None else onward.legs
        track = walk(state, body, (Leg(to=foot.xy, z=foot.z), *legs))
        return track.until_hit
    distance = math.dist(_at_edge(state, body, edge, body.centre), body.centre)
    straight = away(state, body, _OUTWARD[edge], distance)
    ground = terrain_of(state)
    surface = ground.storeys.support(body.x, body.y, body.z, TOLERANCE)
    reached = within(_left_to_edges(state, body.at(*straight.end))[edge], 0.0)
    if reached or surface is None or surface.ramp is not None:
        return straight
    floor = _floor_under(ground, surface, body)
    if not ground.low(floor.z) and floor.depth(*straight.end.xy) <= TOLERANCE:
        return straight  # it has come to the drop
    return _round_about(state, body, edge, surface, floor) or straight


def _round_about(
    state: State, body: Body, edge: str, surface: Surface, floor: Surface
) -> Route | None:
    """The shortest way to an edge round what is in the way, from a surface that lies on a floor, or
    is it; on a floor that is no step up only as far as its border. None if there is none."""
    ground, round_top = terrain_of(state), floor.outer.circle is not None
    stops = not ground.low(floor.z)
    level = peopled(chart_of(state, body), radius(body), gone_round(state, body)).level
    w, d = state.table.width, state.table.depth
    # Where the border of a roof is come to it stops; nothing beyond is in the way.
    table = Level(TABLE, Field.of(box=(0.0, 0.0, w, d))) if stops else level(TABLE)
    own = {floor.id: level(floor.id)}
    off = _off_floor(ground, floor, _OUTWARD[edge], stops)
    # Off a round top within a step of what is below it goes as on that.
    on = TABLE if round_top and not stops else floor.id
    if surface is not floor and surface.outer.circle is None:
        on, own[surface.id] = surface.id, level(surface.id)
        for k, e in enumerate(ground.storeys.edges(surface)):
            side = Line(e.ax, e.ay, e.bx, e.by)
            off.append(Portal(f"down {k}", "off", (surface.id, *side), (floor.id, *side)))
    lines = _lines_of(state, body, edge, floor)
    levels, goals = with_lines(Levels((own | {TABLE: table}).values(), portals=off), lines)
    start = (on, body.x, body.y)
    answer = levels.route(start, goals, radius(body), slack=SLACK, strict=False)
    if answer.route is None:
        return None
    steps = [s for s in answer.route.steps if s.level in own or not stops]
    path = [leg for s in steps for leg in legs_of_step(s, levels.level(s.level), heights=True)]
    track = walk(state, body, tuple(path))
    if track.hits and round_top and stops:
        return track.until_hit  # it has come to the rim
    return None if track.hits else track


def _off_floor(
    ground: Terrain, floor: Surface, outward: tuple[float, float], stops: bool
) -> list[Portal]:
    """Ways off a floor on to the table, by its sides. outward: straight to the edge of the table.
    stops: whether who comes to its border stops there."""
    ux, uy = outward
    rim = ring_sides(ring_of(floor.outer)) if floor.outer.circle is not None and stops else []
    # Not those that face the other way: off them it would come on to the roof again.
    sides = [one for one in rim if (one.by - one.ay) * ux > (one.bx - one.ax) * uy]
    sides += [
        Line(e.ax, e.ay, e.bx, e.by)
        for e in ground.storeys.edges(floor)
        if not stops or e.nx * ux + e.ny * uy >= -TOLERANCE
    ]
    return [
        Portal(f"off {k}", "off", (floor.id, *side), (TABLE, *side)) for k, side in enumerate(sides)
    ]


def _lines_of(
    state: State, body: Body, edge: str, floor: Surface
) -> list[tuple[str, Point, Point]]:
    """Where the base touches an edge of the table: on the table, and on a floor that reaches it."""
    w, d = state.table.width, state.table.depth
    a, b = sorted({_at_edge(state, body, edge, (x, y)) for x in (0.0, w) for y in (0.0, d)})
    lines = [(TABLE, a, b)]
    if floor.id != TABLE:  # where it reaches the table edge, nothing is to be left before that
        line = Line(*a, *b)
        spans = floor.outer.spans(line)
        lines += [(floor.id, line.at(begin), line.at(end)) for begin, end in spans]
    return lines


def _floor_under(ground: Terrain, surface: Surface, body: Body) -> Surface:
    """The floor that a low box stands on whose top is a surface; else the surface itself."""
    if not ground.low(surface.z):
        for other in ground.storeys.over(body.x, body.y, 0.0):
            if other.ramp is None and other.z < surface.z and ground.low(surface.z - other.z):
                return other
    return surface
