"""Actions worth judging: what controls offer, filled in at critical places, and random offers.

Everything that comes from here is judged by the referee before it is done; a path that is too long
or runs into something is given up for the nearest legal one that the referee names.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.codec import parse_action
from tapeline.engine.controls import Control
from tapeline.engine.state import State
from tapeline.errors import TapelineError
from tapeline.geometry.plane.legs import Point
from tapeline.opponent.places import free, places
from tapeline.play.battle import Battle
from tapeline.table.bodies import Body
from tapeline.table.marks import thaw

__all__ = ["acting_bodies", "actions_of", "actions_to", "befallen", "steps"]

#: Shares of a handle's length that are tried.
_SHARES = (1.0, 0.5)
#: Targets tried of those a control names, the nearest ones.
_TARGETS = 4
#: Places for which other ways to lay a body down than the first one are tried.
_OTHER_WAYS = 2
#: Table units by which a way round may be dearer over slow ground than the cheapest one.
_GAP = 0.25
#: Share of the reach of two bases within which enemies are not laid down beside each other.
_NEAR = 0.9


def steps(battle: Battle) -> Iterator[Action]:
    """What leads the game on, and what the sides do as such."""
    for control in battle.system.controls(battle.state, None):
        if not control.why_not and control.gesture == "press":
            yield from _read(battle, dict(thaw_action(control)))


def acting_bodies(battle: Battle, side: str) -> list[str]:
    """Ids of the units and lone bodies of a side that have something to do, in scene order."""
    state = battle.state
    return [
        one.id
        for one in state.combatants()
        if one.side == side
        and one.id not in state.gone
        and any(_open(battle, control) for control in battle.system.controls(state, one.id))
    ]


def _open(battle: Battle, control: Control) -> bool:
    """Whether a control may be chosen now, and tells nothing that only people can know."""
    if control.why_not:
        return False
    action = battle.system.actions[str(control.action["kind"])]
    chances = battle.system.attested.get(action.kind)
    return not action.attests if chances is None else chances.befalls is None


def befallen(battle: Battle, seed: str) -> Iterator[list[Action]]:
    """What nobody chooses and yet happens now, drawn by the chances of the system: for each body or
    unit that something befalls, the ways in which it may.

    The same seed draws the same in one turn of one side.
    """
    state = battle.state
    for kind, chances in battle.system.attested.items():
        if chances.befalls is None:
            continue
        rng = Random(f"{seed}:{state.turn.round}:{state.turn.active}:{kind}")
        drawn = [(rng.random(), one.id, chances.draw(rng)) for one in state.combatants()]
        for _, of, value in sorted(drawn, key=lambda one: one[0]):
            body = _centre(state, of)
            if value is None or body is None or not chances.befalls(state, of):
                continue
            goals = places(state, body, {}, _TARGETS)
            yield [
                action
                for control in battle.system.controls(state, of)
                if control.action["kind"] == kind and not control.why_not
                for document in _filled(state, control, body, goals)
                for action in _read(battle, {**document, chances.slot: value})
            ]


def thaw_action(control: Control) -> Mapping[str, Any]:
    """The document of an action that has been begun."""
    return {name: thaw(value) for name, value in control.action.items()}


def actions_of(
    battle: Battle, of: str, far: Mapping[str, float], most: int, *, brief: bool = False
) -> Iterator[tuple[Action, Control]]:
    """Actions of one body or unit, not yet judged, and the control that each is of.

    most: places tried. brief: of several ways to lay it down or to turn it only the first.
    """
    body = _centre(battle.state, of)
    if body is None:
        return
    goals = places(battle.state, body, far, most)
    laid = False
    for control in _worthwhile([*_controls(battle, of)], brief=brief):
        among = goals[:_OTHER_WAYS] if laid and control.gesture == "pose" else goals
        laid = laid or control.gesture == "pose"
        yield from _actions(battle, body, control, among)
        if control.gesture == "path" and among and not brief:
            yield from _around(battle, body, control, among[0])


def actions_to(battle: Battle, of: str, goals: list[Point]) -> Iterator[tuple[Action, Control]]:
    """The same towards given places, by all controls."""
    body = _centre(battle.state, of)
    for control in _controls(battle, of) if body else ():
        assert body is not None
        yield from _actions(battle, body, control, goals)


def _controls(battle: Battle, of: str) -> Iterator[Control]:
    controls = battle.system.controls(battle.state, of)
    return (control for control in controls if _open(battle, control))


def _worthwhile(controls: list[Control], *, brief: bool) -> Iterator[Control]:
    """Of several controls that come to the same those that are tried.

    Going on and turning come to whatever a pose does. A pose whose place may be left out turns a
    body where it stands, too.
    """
    gestures = {control.gesture for control in controls}
    posed, turned = {"distance", "turn"} <= gestures, False
    for control in controls:
        if control.gesture == "pose":
            if posed:
                continue
            posed, turned = brief, brief and control.optional
        elif control.gesture == "turn" and turned:
            continue
        yield control


def _actions(
    battle: Battle, body: Body, control: Control, goals: list[Point]
) -> Iterator[tuple[Action, Control]]:
    for document in _filled(battle.state, control, body, goals):
        for action in _read(battle, document):
            yield action, control


def _around(
    battle: Battle, body: Body, control: Control, goal: Point
) -> Iterator[tuple[Action, Control]]:
    """Nearly the cheapest way to a place, round what stands in the straight one."""
    with suppress(TapelineError):
        way = battle.route(body.id, goal, gap=_GAP)
        if way is not None and len(way.legs) > 1:
            begun = thaw_action(control)
            for action in _read(battle, {**begun, control.slot: way.document()["path"]}):
                yield action, control


def _centre(state: State, of: str) -> Body | None:
    """The body, or the middle one of a unit's."""
    members = state.bodies_of(of)
    return members[len(members) // 2] if members else None


def _filled(
    state: State, control: Control, body: Body, goals: list[Point]
) -> Iterator[dict[str, Any]]:
    """Documents of actions that a control may lead to."""
    begun, slot, gesture = dict(thaw_action(control)), control.slot, control.gesture
    if gesture == "press" or (control.optional and gesture not in ("path", "pose")):
        yield begun
    if gesture in ("pick", "pick_many"):
        near = sorted(control.candidates, key=lambda name: _away(state, body, name))[:_TARGETS]
        for name in near:
            yield {**begun, slot: name if gesture == "pick" else [name]}
        if gesture == "pick_many" and len(near) > 1:
            yield {**begun, slot: near[:2]}
    elif gesture == "path":
        for goal in goals:
            yield {**begun, slot: [{"to": list(goal)}]}
    elif gesture == "place":
        for goal in goals:
            yield {**begun, slot: list(goal)}
    elif gesture == "pose":
        for goal in goals:
            yield from _poses(state, control, begun, body, goal)
    elif gesture == "turn":
        for goal in goals:
            turn = _turn(body, goal)
            absolute = control.low == 0.0 and control.high == 360.0
            value = (turn + body.facing) % 360.0 if absolute else turn
            yield {**begun, slot: _kept(value, control)}
            if absolute:
                yield {**begun, slot: (value + 180.0) % 360.0}
    elif gesture == "distance":
        high = control.high or 0.0
        for share in _SHARES:
            yield {**begun, slot: share * high}
        ahead = math.radians(body.facing)
        for x, y in goals:
            along = (x - body.x) * math.cos(ahead) + (y - body.y) * math.sin(ahead)
            if 0.0 < along < high:
                yield {**begun, slot: along}


def _poses(
    state: State, control: Control, begun: dict[str, Any], body: Body, goal: Point
) -> Iterator[dict[str, Any]]:
    """At the place: as it faces now, and facing the way it goes; no farther than the allowance,
    of which turning takes what the outermost of a unit goes round."""
    turn = _turn(body, goal)
    faces = control.turns == "facing"
    members = state.bodies_of(str(begun.get("actor", "")))
    x, y = body.centre if faces or not members else _middle(members)
    carried = [body] if faces else members
    wide = max((math.dist(one.centre, (x, y)) + one.base.reach for one in members), default=0.0)
    d = math.dist(goal, (x, y))
    for share in _SHARES:
        for by in dict.fromkeys((0.0, turn)):
            arc = 2.0 * wide * math.sin(math.radians(0.5 * abs(by)))
            far = d if control.allowance is None else min(d, max(0.0, control.allowance - arc))
            k = share * far / d if d else 0.0
            to = (x + k * (goal[0] - x), y + k * (goal[1] - y))
            if not _crowded(state, carried, (x, y), to, by):
                angle = faces * body.facing + by
                yield {**begun, control.slot: list(to), control.turn_slot: angle}


def _crowded(state: State, members: list[Body], middle: Point, to: Point, by: float) -> bool:
    """Whether bodies that are carried to a place and turned about their middle would certainly
    come to lie over others, or most likely touch an enemy."""
    turn, about = cmath.rect(1.0, math.radians(by)), complex(*middle)
    places = [complex(*to) + turn * (complex(*body.centre) - about) for body in members]
    return not all(
        free(state, body, (place.real, place.imag), enemies=_NEAR)
        for body, place in zip(members, places, strict=True)
    )


def _middle(bodies: list[Body]) -> Point:
    count = len(bodies)
    return sum(body.x for body in bodies) / count, sum(body.y for body in bodies) / count


def _turn(body: Body, goal: Point) -> float:
    """By how much a body must turn to face a place, degrees, at most 180 either way."""
    towards = math.degrees(math.atan2(goal[1] - body.y, goal[0] - body.x))
    return (towards - body.facing + 180.0) % 360.0 - 180.0


def _kept(value: float, control: Control) -> float:
    low = -math.inf if control.low is None else control.low
    high = math.inf if control.high is None else control.high
    return min(max(value, low), high)


def _away(state: State, body: Body, name: str) -> float:
    other = _centre(state, name)
    return math.inf if other is None else math.dist(body.centre, other.centre)


def _read(battle: Battle, document: dict[str, Any]) -> Iterator[Action]:
    try:
        yield parse_action(battle.system, document)
    except TapelineError:
        return
