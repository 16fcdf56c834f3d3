"""The board document of a battle: who stands where and in what state, and whose turn it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from tapeline.engine.limits import within
from tapeline.engine.placing import base_overlap
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.picture.keys import badges_of
from tapeline.picture.look import side_words
from tapeline.picture.storeys import Storey, storey_of, storeys_of
from tapeline.picture.words import figure, status_lines
from tapeline.play.battle import Battle
from tapeline.table.bodies import Base, Body, Rectangle, Round, Unit
from tapeline.table.marks import Marks, thaw
from tapeline.web.documents import board as documents
from tapeline.web.views.ground import ground_of

__all__ = ["acting_of", "board_of", "storeys_shown"]


def board_of(battle: Battle, *, terrain: bool = True) -> documents.Board:
    """Everything to be seen at one moment. terrain: whether to send it along."""
    state, system = battle.state, battle.system
    table = state.table
    storeys = storeys_shown(state)
    letters = badges_of(state, system)
    unit_of = {name: unit.id for unit in state.units.values() for name in unit.members}
    touching = _touching(state, unit_of)
    names = {side.id: side.name for side in state.sides}
    figures = [
        _figure(body, unit_of.get(body.id), storeys, letters, names, _met(touching, state, body))
        for body in state.bodies.values()
    ]
    gone = [
        _figure(body, unit_of.get(body.id), storeys, letters, names, ())
        for body in state.gone.values()
    ]
    return documents.Board(
        system=system.name,
        title=system.title,
        name=state.name,
        unit="cm" if table.unit == "cm" else "in",
        width=table.width,
        depth=table.depth,
        round=state.turn.round,
        phase=state.turn.phase.replace("_", " ").replace("-", " "),
        status=status_lines(state, system),
        acting=list(acting_of(battle)),
        parties=_parties(state),
        storeys=_storeys(storeys, table.unit),
        terrain=ground_of(table, system, storeys) if terrain else None,
        figures=figures,
        groups=[_group(state, system, unit, letters) for unit in state.units.values()],
        gone=gone,
        hash=battle.hash,
    )


def storeys_shown(state: State) -> tuple[Storey, ...]:
    """The storeys of a table as the page numbers them: the table, then every height with a floor.

    They follow from the terrain alone, so that numbers hold for the whole match.
    """
    prepared = state.table.prepared
    found = prepared.get("web storeys")
    if not isinstance(found, tuple):
        found = prepared["web storeys"] = storeys_of(state.table)
    return found


def acting_of(battle: Battle) -> tuple[str, ...]:
    """The sides that may act: who must answer, else whom the rules let act."""
    if battle.pending is not None:
        return (battle.pending.ask.by,)
    return battle.system.acting(battle.state)


def _storeys(storeys: Iterable[Storey], unit: str) -> list[documents.Storey]:
    shown = tuple(storeys)
    return [
        documents.Storey(
            index=storey.index,
            bottom=storey.bottom,
            top=storey.top if storey.top < 1e9 else None,
            caption=storey.caption(unit) if len(shown) > 1 else "The whole table",
        )
        for storey in shown
    ]


def _parties(state: State) -> list[documents.Party]:
    looks = side_words([(side.id, side.name) for side in state.sides])
    on = [body.side for body in state.bodies.values()]
    gone = [body.side for body in state.gone.values()]
    return [
        documents.Party(
            id=side.id,
            name=side.name,
            look=looks[side.id],
            bodies=on.count(side.id),
            gone=gone.count(side.id),
        )
        for side in state.sides
    ]


def _figure(
    body: Body,
    unit: str | None,
    storeys: tuple[Storey, ...],
    letters: Mapping[str, str],
    sides: Mapping[str, str],
    met: tuple[str, ...],
) -> documents.Figure:
    base = body.base
    badges = _badges(body.marks, letters)
    storey = storey_of(storeys, max(body.z, 0.0))
    return documents.Figure(
        id=body.id,
        name=body.name,
        side=body.side,
        unit=unit,
        x=body.x,
        y=body.y,
        z=body.z,
        facing=body.facing,
        radius=base.radius if isinstance(base, Round) else None,
        width=base.width if isinstance(base, Rectangle) else None,
        depth=base.depth if isinstance(base, Rectangle) else None,
        storey=storey.index,
        badges=badges,
        profile=body.profile,
        stats=_stats(body.stats),
        says=_says(body, sides.get(body.side, body.side), badges, met),
    )


def _says(body: Body, side: str, badges: Iterable[documents.Badge], met: tuple[str, ...]) -> str:
    """A body in one line, for who does not see the board."""
    height = "on the table" if abs(body.z) <= 1e-6 else f"{figure(body.z)} up"
    words = [
        body.name,
        side,
        f"at {figure(body.x, 1)}, {figure(body.y, 1)}",
        height,
        f"facing {figure(body.facing % 360.0, 0)} degrees",
        *(badge.words for badge in badges),
    ]
    if met:
        words.append("in contact with " + " and ".join(met))
    return ", ".join(words)


def _badges(marks: Mapping[str, object], letters: Mapping[str, str]) -> list[documents.Badge]:
    found = []
    for name, value in marks.items():
        letter = letters.get(name)
        if letter is None:
            continue
        words = name.replace("_", " ").replace("-", " ")
        if value is True:
            found.append(documents.Badge(letter=letter, words=words))
        elif isinstance(value, int) and value > 0:
            found.append(documents.Badge(letter=f"{letter}{value}", words=f"{words} {value}"))
    return found


def _group(state: State, system: System, unit: Unit, letters: Mapping[str, str]) -> documents.Group:
    return documents.Group(
        id=unit.id,
        name=unit.name,
        side=unit.side,
        members=[name for name in unit.members if name in state.bodies],
        profile=unit.profile,
        words=system.unit_words(state, unit),
        badges=_badges(unit.marks, letters),
        stats=_stats(unit.stats),
    )


def _touching(state: State, unit_of: Mapping[str, str]) -> dict[str, list[str]]:
    """For each body those that its base touches, without those of its own unit."""
    found: dict[str, list[str]] = {}
    bodies = sorted(state.bodies.values(), key=lambda body: body.x - body.base.reach)
    for index, a in enumerate(bodies):
        far = a.x + a.base.reach + 1e-6
        for b in bodies[index + 1 :]:
            if b.x - b.base.reach > far:
                break
            near = a.base.reach + b.base.reach + 1e-6
            if abs(b.y - a.y) > near or not within(abs(b.z - a.z), 0.0):
                continue
            mine = unit_of.get(a.id)
            if mine is not None and mine == unit_of.get(b.id):
                continue
            if _contact(a, b):
                found.setdefault(a.id, []).append(b.id)
                found.setdefault(b.id, []).append(a.id)
    return found


def _contact(a: Body, b: Body) -> bool:
    """Whether two bases of one height have no gap between them on the plan."""
    if isinstance(a.base, Round) and isinstance(b.base, Round):
        gap = math.hypot(a.x - b.x, a.y - b.y) - a.base.radius - b.base.radius
        return within(gap, 0.0)
    return _near(a.base, a.x, a.y, a.facing, b.base, b.x, b.y, b.facing)


@lru_cache(maxsize=1 << 14)
def _near(
    one: Base, x: float, y: float, facing: float, other: Base, u: float, v: float, turned: float
) -> bool:
    a = Body("a", "", "", one, x, y, facing=facing)
    b = Body("b", "", "", other, u, v, facing=turned)
    return within(-base_overlap(a, b), 0.0)


@lru_cache(maxsize=1 << 12)
def _stats(marks: Marks) -> dict[str, Any]:
    return cast("dict[str, Any]", thaw(marks))


def _met(touching: Mapping[str, list[str]], state: State, body: Body) -> tuple[str, ...]:
    return tuple(state.bodies[name].name for name in touching.get(body.id, ()))
