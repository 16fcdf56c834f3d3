"""The score of a game, folded from events. Knows no rule: see `table.goals` for the words.

A state with a game (`engine.game`) keeps in `Game.score` the points of each side, what has been
counted, where the markers are, and whether the game is over. Once it is over it stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tapeline.engine.events import (
    Event,
    Marked,
    Moved,
    Progressed,
    Removed,
    TurnChanged,
    UnitMarked,
)
from tapeline.engine.limits import within
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.table.bodies import MM_PER_UNIT, Body, Rectangle, Unit
from tapeline.table.goals import CarryDoc, GoalDoc, HoldDoc, LastDoc, LeaveDoc, ReachDoc, StrikeDoc
from tapeline.table.marks import EMPTY, Marks, Value
from tapeline.table.solids import ground_of
from tapeline.table.terrain import Circle, Zone

__all__ = [
    "able",
    "chosen",
    "figures",
    "goal_words",
    "holder",
    "in_zone",
    "is_idle",
    "leader",
    "marker",
    "points_of",
    "score_words",
    "scored",
    "shown_zones",
    "to_edge",
]

#: Radius of a marker as it is shown; what is carried is a place.
_MARKER_MM = 10.0


def points_of(state: State) -> dict[str, int]:
    """The points of each side; all 0 in a state without a game."""
    points = state.game.score.get("points", EMPTY) if state.game else EMPTY
    assert isinstance(points, Marks)
    return {side.id: points.whole(side.id) for side in state.sides}


def leader(state: State) -> str | None:
    """The side with the most points; None if two have as many."""
    points = points_of(state)
    most = max(points.values())
    first = [side for side, have in points.items() if have == most]
    return first[0] if len(first) == 1 else None


def able(state: State, body: Body) -> bool:
    """Whether a body can hold, reach and carry: on the table, of no army that is beaten, and under
    no mark of `Game.idle`."""
    game = state.game
    if game is None or body.id not in state.bodies or body.side == _beaten(state):
        return False
    return not is_idle(state, body, game.idle)


def is_idle(state: State, body: Body, marks: tuple[str, ...]) -> bool:
    """Whether a body or its unit bears one of the marks of `Game.idle`."""
    bearers = (body, state.unit_of(body.id))
    return any(_bears(one, mark) for one in bearers if one for mark in marks)


def _bears(one: Body | Unit, mark: str) -> bool:
    name, _, value = mark.partition("=")
    return one.marks.get(name) == value if value else one.has(name)


def _beaten(state: State) -> Value:
    """The side whose army is beaten, if any."""
    return state.progress.get(state.game.beaten) if state.game else None


def in_zone(state: State, zone: str, body: Body) -> bool:
    """Whether the centre of a body lies in a zone or on its border."""
    found = next(z for z in state.table.zones if z.id == zone)
    return within(-ground_of(found.outline).depth(body.x, body.y), 0.0)


def to_edge(state: State, edge: str, body: Body) -> float:
    """How far the centre of a body is from an edge of the table, table units."""
    table = state.table
    return {
        "north": table.depth - body.y,
        "south": body.y,
        "east": table.width - body.x,
        "west": body.x,
    }[edge]


def marker(state: State, goal: CarryDoc) -> tuple[tuple[float, float], str]:
    """Where the marker of a goal is, and the id of the body that has it, "" none."""
    game = state.game
    markers = game.score.get("markers", EMPTY) if game else EMPTY
    kept = markers.get(goal.id) if isinstance(markers, Marks) else None
    if not isinstance(kept, Marks):
        return (goal.at[0], goal.at[1]), ""
    by, at = kept.text("by"), kept.get("at")
    if by in state.bodies:
        return state.bodies[by].centre, by
    assert isinstance(at, tuple)
    return (float(at[0]), float(at[1])), ""  # type: ignore[arg-type]


def shown_zones(state: State) -> tuple[Zone, ...]:
    """The zones of the table, and the markers still in play as small ones."""
    game = state.game
    goals = [g for g in game.goals if isinstance(g, CarryDoc)] if game else []
    radius = _MARKER_MM / MM_PER_UNIT[state.table.unit]
    return state.table.zones + tuple(
        Zone(goal.id, goal.name or goal.id, "", Circle(*marker(state, goal)[0], radius))
        for goal in goals
        if not _counted(state, goal.id)
    )


def figures(state: State, side: str, ids: Iterable[str] = ()) -> Iterator[Body | Unit]:
    """Units and the bodies in none, gone ones too, of those named or else of every other side than
    `side`."""
    named = set(ids)
    if not named:
        yield from (one for one in state.combatants() if one.side != side)
    for kind in (state.units, state.bodies, state.gone):
        yield from (one for name, one in kind.items() if name in named)


def chosen(state: State, body: Body, goal: ReachDoc | LeaveDoc | LastDoc) -> bool:
    """Whether a goal is for a body: of its side, and one of `who`."""
    if body.side != goal.side:
        return False
    unit = state.unit_of(body.id)
    return not goal.who or body.id in goal.who or (unit is not None and unit.id in goal.who)


def scored(before: State, after: State, event: Event) -> State:
    """The state after an event, with the score that it brings."""
    game = after.game
    if game is None or game.over:
        return after
    if isinstance(event, Moved):
        after = _moved(after, after.bodies[event.body])
    elif isinstance(event, Marked | UnitMarked):
        after = _dropped(after)
    elif isinstance(event, Removed):
        after = _struck(_dropped(after, before.bodies[event.body]))
    elif isinstance(event, Progressed) and _beaten(after):
        return _finished(_dropped(after))
    elif isinstance(event, TurnChanged) and after.turn.round > before.turn.round:
        return _ended_round(after, before.turn.round)
    # The mark of who may come back follows on the removal.
    looks = isinstance(event, Removed) is not bool(game.away)
    return _finished(after) if looks and _one_left(after, game.away) else after


def _one_left(state: State, away: str) -> bool:
    """Whether the bodies of one side alone are left, others gone for good."""
    may_return: tuple[Body | Unit, ...] = (*state.units.values(), *state.gone.values())
    sides = {body.side for body in state.bodies.values()}
    sides |= {one.side for one in may_return if one.has(away)}
    lost = not away or any(body.side not in sides for body in state.gone.values())
    return len(sides) <= 1 and lost


def _score(state: State, **changes: Any) -> State:
    assert state.game is not None
    return replace(state, game=replace(state.game, score=state.game.score.update(changes)))


def _award(state: State, side: str, points: int) -> State:
    return _score(state, points=Marks({**points_of(state), side: points_of(state)[side] + points}))


def _counted(state: State, name: str) -> bool:
    assert state.game is not None
    return name in state.game.score.texts("counted")


def _once(state: State, name: str, side: str, points: int) -> State:
    """Award what is awarded once."""
    assert state.game is not None
    if _counted(state, name):
        return state
    counted = (*state.game.score.texts("counted"), name)
    return _award(_score(state, counted=counted), side, points)


def _goals(state: State) -> tuple[GoalDoc, ...]:
    assert state.game is not None
    return state.game.goals


def _moved(state: State, body: Body) -> State:
    if not able(state, body):
        return state
    for goal in _goals(state):
        name = f"{goal.id}:{body.id}"
        if isinstance(goal, ReachDoc):
            if chosen(state, body, goal) and in_zone(state, goal.zone, body):
                state = _once(state, name, goal.side, goal.points)
        elif isinstance(goal, LeaveDoc):
            near = within(to_edge(state, goal.edge, body), goal.within)
            if chosen(state, body, goal) and near:
                state = _once(state, name, goal.side, goal.points)
        elif isinstance(goal, CarryDoc) and goal.side in (None, body.side):
            state = _carried(state, goal, body)
    return state


def _carried(state: State, goal: CarryDoc, body: Body) -> State:
    if _counted(state, goal.id):
        return state
    at, by = marker(state, goal)
    if not by and _covers(body, at):
        state, by = _mark(state, goal, at, body.id), body.id
    if by == body.id and goal.zone is not None and in_zone(state, goal.zone, body):
        state = _once(state, goal.id, body.side, goal.points)
    return state


def _mark(state: State, goal: CarryDoc, at: tuple[float, float], by: str) -> State:
    assert state.game is not None
    markers = state.game.score.get("markers", EMPTY)
    assert isinstance(markers, Marks)
    return _score(state, markers=markers.set(**{goal.id: Marks({"at": at, "by": by})}))


def _covers(body: Body, at: tuple[float, float]) -> bool:
    """Whether a place lies under a base or on its rim."""
    base = body.base
    if isinstance(base, Rectangle):
        rect = Rect.of_degrees(body.x, body.y, body.facing, base.width, base.depth)
        return within(-ground_of(rect.corners).depth(*at), 0.0)
    dx, dy = at[0] - body.x, at[1] - body.y
    return within((dx * dx + dy * dy) ** 0.5, base.radius)


def _dropped(state: State, gone: Body | None = None) -> State:
    """Markers of those who can no longer act lie where they stand or stood."""
    assert state.game is not None
    markers = state.game.score.get("markers", EMPTY)
    for goal in _goals(state) if markers else ():
        kept = markers.get(goal.id) if isinstance(markers, Marks) else None
        by = kept.text("by") if isinstance(kept, Marks) else ""
        body = gone if gone is not None and gone.id == by else state.bodies.get(by)
        if isinstance(goal, CarryDoc) and body is not None and not able(state, body):
            state = _mark(state, goal, body.centre, "")
    return state


def _struck(state: State) -> State:
    for goal in _goals(state):
        if isinstance(goal, StrikeDoc):
            for one in figures(state, goal.side, goal.targets):
                if not state.bodies_of(one.id):
                    state = _once(state, f"{goal.id}:{one.id}", goal.side, goal.points)
    return state


def holder(state: State, zone: str) -> str | None:
    """The side with more able bodies in a zone than any other; None if none has."""
    counts = dict.fromkeys((side.id for side in state.sides), 0)
    for body in state.bodies.values():
        if in_zone(state, zone, body) and able(state, body):
            counts[body.side] += 1
    most = max(counts.values())
    first = [side for side, count in counts.items() if count == most]
    return first[0] if most and len(first) == 1 else None


def _ended_round(state: State, number: int) -> State:
    """Count a round that has been played; the last one is the end of the game."""
    assert state.game is not None
    last = number >= state.game.rounds
    for goal in _goals(state):
        if isinstance(goal, LastDoc):
            left = [b for b in state.bodies.values() if chosen(state, b, goal) and able(state, b)]
            if number == goal.round and len(left) >= goal.least:
                state = _once(state, goal.id, goal.side, goal.points)
        elif isinstance(goal, HoldDoc | CarryDoc) and (last or goal.each == "round"):
            side: str | None
            if isinstance(goal, HoldDoc):
                side = holder(state, goal.zone)
            elif goal.zone is not None:
                continue
            else:
                _, by = marker(state, goal)
                side = state.bodies[by].side if by else None
            if side is not None and goal.side in (None, side):
                state = _award(state, side, goal.points)
    return _score(state, over=True) if last else state


def _finished(state: State) -> State:
    """One side alone is left or unbeaten: the rounds to come are counted as things stand."""
    assert state.game is not None
    for number in range(state.turn.round, state.game.rounds + 1):
        state = _ended_round(state, number)
    return _score(state, over=True)


def score_words(state: State) -> str:
    """The score in one line; empty in a state without a game."""
    game = state.game
    if game is None:
        return ""
    points = points_of(state)
    score = ", ".join(f"{side.name} {points[side.id]}" for side in state.sides)
    if not game.over:
        return f"Score: {score}; round {min(state.turn.round, game.rounds)} of {game.rounds}"
    first = leader(state)
    won = next((f"{side.name} won" for side in state.sides if side.id == first), "a draw")
    return f"The game is over, {won}: {score}"


def goal_words(state: State, goal: GoalDoc) -> str:
    """What a goal asks for and what it is worth, in one sentence."""
    side = next((side.name for side in state.sides if side.id == goal.side), "either side")
    zones = {zone.id: zone.name for zone in state.table.zones}
    worth = f"{goal.points} {'point' if goal.points == 1 else 'points'}"
    ends = "at the end of each round"
    match goal:
        case HoldDoc():
            what = f"hold {zones[goal.zone]}"
            when = ends if goal.each == "round" else "at the end of the game"
        case ReachDoc():
            what, when = f"reach {zones[goal.zone]}", "for each that does"
        case LeaveDoc():
            what, when = f"get to the {goal.edge} edge", "for each that does"
        case CarryDoc():
            name = goal.name or goal.id
            what = f"have {name}" if goal.zone is None else f"carry {name} to {zones[goal.zone]}"
            when = ends if goal.each == "round" else "at the end of the game"
            when = when if goal.zone is None else "once"
        case StrikeDoc():
            named = figures(state, goal.side, goal.targets) if goal.targets else ()
            what = f"strike down {', '.join(one.name for one in named) or 'the enemy'}"
            when = "for each that leaves the table"
        case LastDoc():
            what, when = f"last to the end of round {goal.round}", "once"
    return f"{side}: {what}, {worth} {when}"
