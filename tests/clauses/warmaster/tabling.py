"""A table in few words: units of stands, characters, terrain, orders, and what the referee says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tapeline.engine.asks import Answer
from tapeline.engine.codec import parse_action
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.engine.verdicts import Verdict
from tapeline.rules.warmaster import SYSTEM
from tapeline.table.scene import parse_scene

Doc = dict[str, Any]
Pose = tuple[float, float, float]

#: Half and twice the tolerance.
UNDER, OVER = 5e-7, 2e-6


def line(x: float, y: float, count: int = 3, facing: float = 90.0) -> list[Pose]:
    """Infantry side by side from left to right, facing 90 or 270."""
    return [(x + 4.0 * k, y, facing) for k in range(count)]


U0 = line(56, 40)


def unit(uid: str, poses: Sequence[Pose], profile: str = "Infantry", **state: Any) -> Doc:
    """A unit; of the enemy if its id begins with a letter from A to J."""
    side = "blue" if uid[0] in "ABCDEFGHIJ" else "red"
    return {"uid": uid, "side": side, "poses": poses, "profile": profile, "state": state}


def character(uid: str, x: float, y: float, profile: str = "Empire Hero", **state: Any) -> Doc:
    """A character of the red side."""
    place = {"profile": profile, "position": [x, y], "state": state}
    return {"model": {"id": uid, "side": "red", **place}}


def box(kind: str, left: float, right: float, low: float, high: float, name: str = "") -> Doc:
    """A piece of terrain with straight sides."""
    corners = [[left, low], [right, low], [right, high], [left, high]]
    return {"id": name or kind.replace(" ", "-"), "kind": kind, "shape": {"polygon": corners}}


def scene(
    parts: Iterable[Doc],
    terrain: Iterable[Doc] = (),
    *,
    phase: str = "orders",
    active: str = "red",
    **options: str,
) -> Doc:
    """A 180 x 120 table."""
    models, units = [], []
    for part in parts:
        if "model" in part:
            models.append(part["model"])
            continue
        names = [f"{part['uid']}-{k}" for k in range(1, len(part["poses"]) + 1)]
        for name, (x, y, facing) in zip(names, part["poses"], strict=True):
            place = {"position": [x, y], "facing": facing, "profile": part["profile"]}
            models.append({"id": name, "side": part["side"], **place})
        of = {"side": part["side"], "members": names, "state": part["state"]}
        units.append({"id": part["uid"], "profile": part["profile"], **of})
    return {
        "format": "tapeline-scene/1",
        "system": "warmaster",
        "options": options,
        "table": {"width": 180, "depth": 120, "unit": "cm"},
        "terrain": list(terrain),
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": models,
        "units": units,
        "turn": {"phase": phase, "active": active},
    }


class Game:
    """A game that takes actions one after another; a refused one changes nothing."""

    def __init__(self, parts: Iterable[Doc], terrain: Iterable[Doc] = (), **more: str) -> None:
        document = scene(parts, terrain, **more)  # type: ignore[arg-type]
        self.state: State = state_from_scene(parse_scene(document), SYSTEM)

    def do(self, kind: str, *dice: Sequence[int], **more: Any) -> Verdict:
        """Judge and play an action with the faces of its rolls."""
        session = Session(SYSTEM, self.state, parse_action(SYSTEM, {"kind": kind, **more}))
        for faces in dice:
            assert session.ask is not None, f"nothing is asked that {faces!r} could answer"
            session.send(Answer(faces=tuple(faces)))
        if session.done:
            self.state = session.state
        return session.verdict

    def move(self, *ways: Doc, kind: str = "move", actor: str = "U", **more: Any) -> Verdict:
        """A move of a unit, stand by stand."""
        return self.do(kind, actor=actor, stands=list(ways), **more)

    def mark(self, uid: str, name: str) -> Any:
        """A mark of a unit."""
        return self.state.units[uid].marks.get(name)


def way(stand: str, *legs: Doc) -> Doc:
    """The way of a stand."""
    return {"stand": stand, "path": list(legs)}


def to(x: float, y: float) -> Doc:
    """A slide."""
    return {"to": [x, y]}


def slides(uid: str, poses: Sequence[Pose], dx: float, dy: float, order: str = "") -> list[Doc]:
    """The same slide for every stand; order: their numbers, as "321"."""
    numbers = [int(digit) for digit in order] or range(1, len(poses) + 1)
    return [way(f"{uid}-{k}", to(poses[k - 1][0] + dx, poses[k - 1][1] + dy)) for k in numbers]


def ids(verdict: Verdict) -> set[str]:
    """The clauses of the findings."""
    return {finding.clause for finding in verdict.findings}
