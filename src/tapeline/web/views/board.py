"""The board document of a battle: who stands where and in what state, and whose turn it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from tapeline.engine.badges import badges_of, looks_of
from tapeline.engine.bases import base_overlap
from tapeline.engine.deployment import TRAY, in_trays
from tapeline.engine.limits import within
from tapeline.engine.score import goal_words, score_words, shown_zones
from tapeline.engine.state import State
from tapeline.engine.system import Activity, Question, System, role_of
from tapeline.picture.look import side_words
from tapeline.picture.storeys import Storey, storey_of, storeys_of
from tapeline.picture.words import status_lines
from tapeline.play.battle import Battle
from tapeline.play.match import hides_set_up
from tapeline.table.bodies import Base, Body, Rectangle, Round, Unit
from tapeline.table.marks import Marks, thaw
from tapeline.web.documents import board as documents
from tapeline.web.views.ground import between, ground_of, outline_shape
from tapeline.wording import figure, listed, spaced

__all__ = ["board_of", "storeys_shown"]


def board_of(battle: Battle, *, terrain: bool = True) -> documents.Board:
    """Everything to be seen at one moment. terrain: whether to send it along."""
    state, system = battle.state, battle.system
    table = state.table
    activity = system.activity(state)
    view = _View(state, system, activity.meant)
    tray = None if state.deployment is None else [body.id for body in in_trays(state.gone)]
    return documents.Board(
        system=system.name,
        title=system.title,
        name=state.name,
        unit="cm" if table.unit == "cm" else "in",
        width=table.width,
        depth=table.depth,
        round=state.turn.round,
        phase=spaced(state.turn.phase) if tray is None else "set-up",
        status=status_lines(state, system),
        acting=list(battle.acting),
        parties=_parties(state),
        storeys=_storeys(view.storeys, table.unit),
        terrain=ground_of(table, system, view.storeys) if terrain else None,
        figures=[view.figure(body) for body in state.bodies.values()],
        groups=[view.group(unit) for unit in state.units.values()],
        gone=[view.figure(body) for body in state.gone.values()],
        hash=battle.hash,
        tray=tray,
        hidden=hides_set_up(state),
        zones=_zones(state),
        ground=system.ground,
        score=score_words(state),
        goals=[goal_words(state, goal) for goal in state.game.goals] if state.game else [],
        next=list(battle.next_to_act),
        over=state.game is not None and state.game.over,
        active=list(activity.active),
        waiting=list(activity.waiting),
        tape=not system.may_measure(state, Question("tape")),
        idle=_idle(activity),
    )


def _idle(activity: Activity) -> str:
    """What those who wait have not done; of one alone in the singular."""
    words = activity.words if activity.waiting else ""
    if len(activity.waiting) != 1:
        return words
    return words.replace("have ", "has ").replace("were ", "was ")


def _zones(state: State) -> list[documents.Zone]:
    sides = {side.id: side.name for side in state.sides}
    found = []
    for zone in shown_zones(state):
        whose = sides.get(zone.side, "")
        about = f", where {whose} sets up" if whose else ""
        says = f"{zone.name}, a zone{about}, {between(zone.outline.box)}"
        told = {"side": zone.side or None, "label": zone.name, "says": says}
        found.append(documents.Zone.of(zone, shape=outline_shape(zone.outline, "zone"), **told))
    return found


def storeys_shown(state: State) -> tuple[Storey, ...]:
    """The storeys of a table as the page numbers them: the table, then every height with a floor.

    They follow from the terrain alone, so that numbers hold for the whole match.
    """
    prepared = state.table.prepared
    found = prepared.get("web storeys")
    if not isinstance(found, tuple):
        found = prepared["web storeys"] = storeys_of(state.table)
    return found


def _storeys(storeys: Iterable[Storey], unit: str) -> list[documents.Storey]:
    shown = tuple(storeys)
    return [
        documents.Storey.of(
            storey,
            top=storey.top if storey.top < 1e9 else None,
            caption=storey.caption(unit) if len(shown) > 1 else "The whole table",
        )
        for storey in shown
    ]


def _parties(state: State) -> list[documents.Party]:
    looks = side_words([(side.id, side.name) for side in state.sides])
    on = [body.side for body in state.bodies.values()]
    waiting = {body.id for body in in_trays(state.gone)}
    gone = [body.side for body in state.gone.values() if body.id not in waiting]
    return [
        documents.Party.of(
            side, look=looks[side.id], bodies=on.count(side.id), gone=gone.count(side.id)
        )
        for side in state.sides
    ]


def _count(value: object) -> int | None:
    """A number of models, if it is one."""
    return value if isinstance(value, int) and value > 0 and value is not True else None


class _View:
    """What figures and groups of one moment have in common."""

    def __init__(self, state: State, system: System, meant: Mapping[str, tuple[str, ...]]) -> None:
        self.state, self.system = state, system
        self.storeys = storeys_shown(state)
        self.looks = looks_of(system, state)
        self.here = {*state.bodies, *(body.id for body in in_trays(state.gone))}
        self.unit_of = {name: unit.id for unit in state.units.values() for name in unit.members}
        self.touching = _touching(state, self.unit_of)
        self.aims = {
            one: [other for other in others if other in state.bodies]
            for one, others in meant.items()
        }
        self.sides = {side.id: side.name for side in state.sides}

    def name(self, thing: str) -> str:
        """The name of what has an id; stands without one are numbered in their unit."""
        state = self.state
        unit = state.units.get(self.unit_of.get(thing, ""))
        if unit is not None and thing in state.bodies and state.bodies[thing].name == thing:
            return f"{unit.name} {unit.members.index(thing) + 1}"
        return state.name_of(thing)

    def badges(self, marks: Marks) -> list[documents.Badge]:
        """Marks as badges."""
        return [*map(documents.Badge.of, badges_of(marks, self.looks, self.name))]

    def figure(self, body: Body) -> documents.Figure:
        """A body, on the table or gone."""
        base = body.base
        badges = self.badges(body.marks)
        return documents.Figure.of(
            body,
            unit=self.unit_of.get(body.id),
            radius=base.radius if isinstance(base, Round) else None,
            width=base.width if isinstance(base, Rectangle) else None,
            depth=base.depth if isinstance(base, Rectangle) else None,
            storey=storey_of(self.storeys, max(body.z, 0.0)).index,
            badges=badges,
            stats=_stats(body.stats),
            says=self._says(body, badges),
            models=_count(body.marks.get("models")),
            files=_count(body.marks.get("files")),
            role=role_of(self.system.profiles, body.profile, body.stats),
            aims=self.aims.get(body.id, []),
        )

    def _says(self, body: Body, badges: Iterable[documents.Badge]) -> str:
        """A body in one line, for who does not see the board."""
        words = [self.name(body.id), self.sides.get(body.side, body.side)]
        gone = body.marks.get("gone")
        if body.id in self.state.gone:
            words.append("gone" if gone is None else TRAY if gone == TRAY else f"gone: {gone}")
        else:
            words.append(f"at {figure(body.x, 1)}, {figure(body.y, 1)}")
            words.append("on the table" if abs(body.z) <= 1e-6 else f"{figure(body.z)} up")
            words.append(f"facing {figure(body.facing % 360.0, 0)} degrees")
        words += [badge.words for badge in badges]
        aims = self.aims.get(body.id)
        if aims:
            words.append(f"against {listed([self.name(other) for other in aims])}")
        met = self.touching.get(body.id)
        if met:
            names = listed([self.name(name) for name in met])
            words.append(f"in contact with {names}")
        return ", ".join(words)

    def group(self, unit: Unit) -> documents.Group:
        """A unit."""
        return documents.Group.of(
            unit,
            members=[name for name in unit.members if name in self.here],
            words=self.system.unit_words(self.state, unit),
            badges=self.badges(unit.marks),
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
