"""What an action comes to, as far as anybody can see it, and what a person makes of a position."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from tapeline.analysis.odds import ends_of
from tapeline.dice import SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.asks import AttestedChoice, Choice, take_default
from tapeline.engine.attested import Chances
from tapeline.engine.codec import parse_action
from tapeline.engine.events import Event, Moved
from tapeline.engine.limits import more_than
from tapeline.engine.state import State
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Verdict
from tapeline.errors import AnswerError, TapelineError
from tapeline.opponent.candidates import befallen
from tapeline.play.battle import Battle
from tapeline.table.bodies import Body
from tapeline.table.marks import Value, thaw

__all__ = [
    "distances_secret",
    "goes_nowhere",
    "guessed_by_eye",
    "happening",
    "is_of_side",
    "named_instead",
    "names_in",
    "open_to",
    "open_to_chance",
    "results_of_dice",
    "same_facings",
    "same_places",
    "settled",
]


#: Table units, degrees: what nobody can measure.
_NOTHING = 1e-6
#: What a person misses by when guessing a distance, as a share of it.
_EYE = 0.06


def happening(battle: Battle, seed: str) -> Action | None:
    """What nobody chooses and yet happens now, away from enemies as far as may be.

    Who would only come to other enemies stays: between two it would go to and fro without end.
    """
    for actions in befallen(battle, seed):
        best, farthest = None, -math.inf
        for action in actions:
            after = battle.play(action, dice=SeededDice(seed))[0].state
            of = getattr(action, "actor", "")
            again = battle.system.attested[action.kind].befalls
            if again is not None and again(after, of):
                continue
            bodies = after.bodies_of(of)
            apart = (math.dist(b.centre, e.centre) for b in bodies for e in after.enemies(b))
            away = min(apart, default=0.0)
            if after is not battle.state and away > farthest:
                best, farthest = action, away
        if best is not None:
            return best
    return None


def settled(battle: Battle, action: Action, seed: str) -> Action | None:
    """The action with a result drawn for what it attests, by the table of chances of its system;
    None if then it is not done."""
    chances = battle.system.attested.get(action.kind)
    if chances is None:
        return None if action.attests else action
    if not open_to_chance(battle, action, chances):
        return None
    value = chances.draw(Random(f"{seed}:{action}"))
    if value is None:
        return None
    return replace(action, **{chances.slot: value}) if chances.slot else action


def open_to_chance(battle: Battle, action: Action, chances: Chances) -> bool:
    """Whether the chances are for such an action: of who has not had it, at whom it can."""
    system, state = battle.system, battle.state
    body = state.bodies.get(getattr(action, "actor", ""))
    enemy = state.bodies.get(getattr(action, "target", None) or "")
    if body is not None and chances.once and body.has(chances.once):
        return False
    if chances.within is None and not chances.seen:
        return True
    if body is None or enemy is None:
        return False
    apart = math.dist(body.centre, enemy.centre) - body.base.reach - enemy.base.reach
    if chances.within is not None and more_than(apart, chances.within):
        return False
    sees = system.sees(state, body, enemy).sees if chances.seen and system.sees else True
    return sees is not False


def results_of_dice(
    battle: Battle, action: Action, most: int
) -> list[tuple[float, Battle, Sequence[Event], bool]]:
    """All that the dice of an action may lead to, each with its exact chance, what happened, and
    that dice told it; none where they are more than `most`, or the players have a say in it."""
    try:
        ends = ends_of(battle.system, battle.state, action, _default, most)
    except TapelineError:
        return []
    return [
        (float(chance), Battle(battle.system, end.state, None, end.verdict), end.events, True)
        for chance, end in ends
    ]


def _default(choice: Choice) -> Value:
    if isinstance(choice, AttestedChoice):
        raise AnswerError(f"{choice.purpose}: the players tell")
    return take_default(choice)


def names_in(value: object) -> tuple[str, ...]:
    """The texts that a field of an action holds."""
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, tuple) else ()


def is_of_side(state: State, name: str, side: str) -> bool:
    """Whether a body or unit is of a side."""
    one = state.bodies.get(name) or state.units.get(name)
    return one is not None and one.side == side


def named_instead(battle: Battle, verdict: Verdict) -> Action | None:
    """The action that the referee names instead of a refused one."""
    if verdict.nearest is None:
        return None
    try:
        return parse_action(battle.system, thaw(verdict.nearest.action))
    except TapelineError:
        return None


def open_to(battle: Battle, name: str) -> frozenset[str]:
    """What a body or unit may do, by kinds of action."""
    controls = battle.system.controls(battle.state, name)
    return frozenset(str(c.action["kind"]) for c in controls if not c.why_not and c.group == "act")


def same_places(before: State, after: State) -> bool:
    """Whether everybody stands where it stood and nothing was scored."""
    if before.game is not after.game and before.game != after.game:
        return False
    return before.bodies.keys() == after.bodies.keys() and all(
        one is other or one.centre == other.centre
        for one, other in zip(before.bodies.values(), after.bodies.values(), strict=True)
    )


def same_facings(before: State, after: State) -> bool:
    """Whether everybody faces as it did, of the same bodies."""
    return all(one.facing == after.bodies[one.id].facing for one in before.bodies.values())


def goes_nowhere(before: State, after: Battle, events: Iterable[Event]) -> bool:
    """Whether bodies have been moved, none of them so far that anybody could measure it, and
    nothing else that can be seen has come of it."""
    if not any(isinstance(event, Moved) for event in events):
        return False
    now = after.state
    if after.pending is not None or before.turn != now.turn or before.units != now.units:
        return False
    if before.game != now.game or before.bodies.keys() != now.bodies.keys():
        return False
    return all(_alike(one, now.bodies[one.id]) for one in before.bodies.values())


def _alike(one: Body, other: Body) -> bool:
    """Whether a body is the same but for what nobody can measure."""
    if one is other:
        return True
    turn = (one.facing - other.facing + 180.0) % 360.0 - 180.0
    apart = max(abs(one.x - other.x), abs(one.y - other.y), abs(one.z - other.z), abs(turn))
    return apart <= _NOTHING and replace(other, x=one.x, y=one.y, z=one.z, facing=one.facing) == one


def distances_secret(battle: Battle) -> bool:
    """Whether the rules keep distances secret now."""
    return bool(battle.system.may_measure(battle.state, Question("tape")))


def guessed_by_eye(state: State, side: str, seed: int | str) -> State:
    """The state as a person of one side sees it by eye: enemies a little off, as far as people
    misjudge distances; alike all round."""
    ours = [body for body in state.bodies.values() if body.side == side]
    if not ours:
        return state
    bodies = dict(state.bodies)
    for body in state.bodies.values():
        if body.side == side:
            continue
        near = min(ours, key=lambda one: math.dist(one.centre, body.centre))
        rng = Random(f"{seed}:{state.turn.round}:{body.id}:{near.id}")
        k = 1.0 + rng.gauss(0.0, _EYE)
        x = near.x + k * (body.x - near.x)
        y = near.y + k * (body.y - near.y)
        reach = body.base.reach
        x = min(max(x, reach), state.table.width - reach)
        y = min(max(y, reach), state.table.depth - reach)
        bodies[body.id] = body.at(x, y)
    return replace(state, bodies=bodies)
