"""A table with few words: units, terrain, orders, and what the referee says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from tapeline.engine.asks import Answer
from tapeline.engine.codec import parse_action
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.engine.verdicts import Verdict
from tapeline.rules.sovl import SYSTEM
from tapeline.table.bodies import Body
from tapeline.table.scene import parse_scene

Doc = dict[str, Any]


def unit(unit_id: str, x: float, y: float, facing: float = 0.0, **changes: Any) -> Doc:
    """INF of the note: 4 wide, 2 deep, 8 allowance, unless changed."""
    size = changes.pop("size", (4.0, 2.0))
    document: Doc = {
        "id": unit_id,
        "side": unit_id[0],
        "profile": "Infantry",
        "models": 10,
        "files": 5,
        "position": [x, y],
        "facing": facing,
        **changes,
    }
    if size is not None:
        document["base"] = {"rectangle": list(size)}
    return document


def box(kind: str, left: float, right: float, low: float, high: float, name: str = "F1") -> Doc:
    """A piece of terrain with straight sides."""
    corners = [[left, low], [right, low], [right, high], [left, high]]
    return {"id": name, "kind": kind, "shape": {"polygon": corners}}


def scene(
    units: Iterable[Doc],
    terrain: Iterable[Doc] = (),
    turn: Mapping[str, Any] | None = None,
    **options: str,
) -> Doc:
    """A 48 x 36 table with sides A and B."""
    return {
        "format": "tapeline-scene/1",
        "system": "sovl",
        "options": {name.replace("__", "."): value for name, value in options.items()},
        "table": {"width": 48, "depth": 36, "unit": "in"},
        "terrain": list(terrain),
        "sides": [{"id": "A"}, {"id": "B"}],
        "units": list(units),
        "turn": {"active": "A", **(turn or {})},
    }


class Game:
    """A game that takes orders one after another; a refused one changes nothing."""

    def __init__(self, document: Doc) -> None:
        self.state = state_from_scene(parse_scene(document), SYSTEM)
        self.session: Session | None = None

    def do(self, kind: str, actor: str | None = None, *answers: Any, **more: Any) -> Verdict:
        """Judge and play an action. answers: a list of faces for a roll, else a choice."""
        given = {} if actor is None else {"actor": actor}
        action = parse_action(SYSTEM, {"kind": kind, **given, **more})
        session = Session(SYSTEM, self.state, action)
        for answer in answers:
            faces = tuple(answer) if isinstance(answer, list) else None
            session.send(Answer(faces=faces) if faces is not None else Answer(value=answer))
        self.session = session
        if session.done:
            self.state = session.state
        return session.verdict

    def body(self, body_id: str) -> Body:
        """A body on the table."""
        return self.state.bodies[body_id]


def ids(verdict: Verdict) -> list[str]:
    """The clauses of the findings, in order."""
    return [finding.clause for finding in verdict.findings]


@pytest.fixture
def play() -> Callable[..., Game]:
    """Make a game: `play([unit(...)], [box(...)], turn={...}, option__name="value")`."""

    def make(*args: Any, **more: Any) -> Game:
        return Game(scene(*args, **more))

    return make


@pytest.fixture
def inf() -> Callable[..., Doc]:
    """`inf("A1", x, y, facing)`."""
    return unit


@pytest.fixture
def piece() -> Callable[..., Doc]:
    """`piece("forest", left, right, low, high)`."""
    return box


@pytest.fixture
def clauses() -> Callable[[Verdict], list[str]]:
    """The clauses of the findings of a verdict."""
    return ids
