"""What an agent may do, as a list of candidates with a mask, or as a wish in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tapeline.dice import Roll
from tapeline.engine.actions import Action
from tapeline.engine.asks import Choice, take_default
from tapeline.engine.codec import action_document, plain
from tapeline.env.encoding import Encoding
from tapeline.opponent.candidates import acting_bodies, actions_of, actions_to, steps
from tapeline.play.battle import Battle
from tapeline.table.marks import Value

__all__ = [
    "CANDIDATE",
    "MOST",
    "WISH",
    "Chosen",
    "candidates",
    "described",
    "may_act",
    "wish_space",
    "wished",
]

#: How many candidates there are at most.
MOST = 64
#: Of these so many offers are looked at, to draw the candidates from.
_LOOKED_AT = 4
#: Places worth going to that are tried for each body or unit.
_PLACES = 6
#: What is told of a candidate: its kind, who and with whom (from 1, as in `Encoding.ids`), where it
#: ends, a number that it states (a turn, a distance, what is answered).
CANDIDATE = ("kind", "who", "whom", "x", "y", "number")
#: What a wish is made of, each from -1 to 1: who, what, where (the table's edges at -1 and 1), and
#: which of the ways there are to do that.
WISH = ("who", "what", "x", "y", "way")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is done: an action, or the answer to the open question.

    short_by: how far it ends from what was wished, table units; None where something else had to be
    taken, as nothing legal lies near.
    """

    action: Action | None
    value: Value = None
    short_by: float | None = 0.0


def candidates(battle: Battle, seed: str) -> list[Chosen]:
    """What may be done now, at most `MOST`: answers to the open question, else legal actions as
    the rules offer them, drawn evenly from more; where there are fewer, then also those that lead
    to goals, enemies and cover. The same position and seed give the same list."""
    if battle.pending is not None:
        return [Chosen(None, value) for value in islice(_answers(battle.pending.ask), MOST)]
    rng = Random(f"{seed}:{battle.hash}")
    found = list(islice(battle.offers(rng), _LOOKED_AT * MOST))
    if len(found) > MOST:
        found = [found[n] for n in sorted(rng.sample(range(len(found)), MOST))]
    elif found:
        found = list(islice(dict.fromkeys((*found, *islice(_aimed(battle), MOST))), MOST))
    return [Chosen(action) for action in found]


def may_act(battle: Battle) -> bool:
    """Whether there is anything to do: a question to answer, or a legal action."""
    return battle.pending is not None or next(battle.offers(Random(0)), None) is not None


def _aimed(battle: Battle) -> Iterator[Action]:
    """Legal actions of whoever has something to do that lead to places worth going to."""
    for of in acting_bodies(battle, battle.next_to_act[0]):
        for action, control in actions_of(battle, of, {}, _PLACES):
            legal = None if control.group == "step" else _legal(battle, action)
            if legal is not None and legal.action is not None:
                yield legal.action


def _legal(battle: Battle, action: Action) -> Chosen | None:
    """An action, or the nearest that is legal; None if there is none."""
    verdict = battle.judge(action, nearest=True)
    if verdict.legal:
        return Chosen(action)
    nearest = verdict.nearest
    if nearest is None or "kind" not in nearest.action:
        return None
    return Chosen(battle.action(plain(nearest.action)), None, nearest.short_by)


def _answers(ask: Roll | Choice) -> Iterator[Value]:
    assert isinstance(ask, Choice)
    if ask.form == "one":
        yield from (option.value for option in ask.options)
    elif ask.form == "path":
        yield take_default(ask)
    else:
        numbers = np.linspace(ask.low, ask.high, 9)
        yield from dict.fromkeys(round(n) if ask.whole else float(n) for n in numbers)


def described(battle: Battle, encoding: Encoding, found: list[Chosen]) -> NDArray[np.float32]:
    """A row for each candidate, `CANDIDATE`; 0 below the last of them."""
    rows = np.zeros((MOST, len(CANDIDATE)), np.float32)
    for number, (row, chosen) in enumerate(zip(rows, found, strict=False)):
        if chosen.action is None:
            row[5] = chosen.value if isinstance(chosen.value, int | float) else number
            continue
        document = action_document(chosen.action)
        row[0] = 1 + list(encoding.system.actions).index(document["kind"])
        for key, value in document.items():
            _tell(row, key, value, encoding.ids)
    return rows


def _tell(row: NDArray[np.float32], key: str, value: Any, ids: tuple[str, ...]) -> None:
    if isinstance(value, list) and value and isinstance(value[0], str):
        value = value[0]
    if isinstance(value, str) and value in ids:
        row[1 if key in ("actor", "units") else 2] = 1 + ids.index(value)
    elif isinstance(value, list) and value and isinstance(value[-1], dict):
        _tell(row, "to", value[-1].get("to"), ids)
    elif key == "to" and isinstance(value, list) and len(value) >= 2:
        row[3:5] = value[:2]
    elif isinstance(value, int | float):
        row[5] = value


def wish_space() -> spaces.Box:
    """The space of wishes."""
    return spaces.Box(-1.0, 1.0, (len(WISH),), np.float32)


def wished(battle: Battle, wish: NDArray[np.float32], seed: str) -> Chosen | None:
    """The nearest legal thing to a wish, and how far off it is; None if nothing can be done.

    wish: `WISH`; what is beyond -1 and 1 counts as these. Raises ValueError for NaN.
    """
    if np.isnan(wish).any():
        raise ValueError("a wish must be made of numbers; got NaN")
    who, what, x, y, way = (0.5 + 0.5 * min(max(float(one), -1.0), 1.0) for one in wish)
    if battle.pending is not None:
        return Chosen(None, _part(list(_answers(battle.pending.ask)), way))
    table = battle.state.table
    side = battle.next_to_act[0]
    actors = acting_bodies(battle, side)
    doing: list[list[Action]] = []
    # After the last body come the steps of the game.
    if actors and who < len(actors) / (len(actors) + 1):
        actor = _part(actors, who * (len(actors) + 1) / len(actors))
        kinds: dict[str, list[Action]] = {}
        for action, _ in actions_to(battle, actor, [(x * table.width, y * table.depth)]):
            kinds.setdefault(action.kind, []).append(action)
        doing = list(kinds.values())
    else:
        doing = [[action] for action in steps(battle)]
    if doing:
        legal = _legal(battle, _part(_part(doing, what), way))
        if legal is not None:
            return legal
    found = candidates(battle, seed)
    return Chosen(_part(found, way).action, None, None) if found else None


def _part(among: list[Any], share: float) -> Any:
    return among[min(int(share * len(among)), len(among) - 1)]
