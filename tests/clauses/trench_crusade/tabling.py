"""A table in few words: models, terrain, orders, and what the referee says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tapeline.dice import Roll
from tapeline.engine.asks import Answer
from tapeline.engine.codec import parse_action
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.engine.verdicts import Verdict
from tapeline.rules.trench_crusade import SYSTEM
from tapeline.table.bodies import Body
from tapeline.table.marks import freeze, thaw
from tapeline.table.scene import parse_scene

Doc = dict[str, Any]


class Table:
    """One scene, played on. Red acts; its model A is active unless said otherwise."""

    def __init__(
        self,
        models: Iterable[Doc],
        terrain: Iterable[Doc] = (),
        progress: Doc | None = None,
        turn: Doc | None = None,
        **options: str,
    ) -> None:
        document = {
            "format": "tapeline-scene/1",
            "system": "trench-crusade",
            "options": options,
            "table": {"width": 48, "depth": 48, "unit": "in"},
            "terrain": list(terrain),
            "sides": [{"id": "red"}, {"id": "blue"}],
            "models": list(models),
            "turn": {
                "active": "red",
                **(turn or {}),
                "progress": {"actor": "A"} if progress is None else progress,
            },
        }
        self.state: State = state_from_scene(parse_scene(document), SYSTEM)
        self.session: Session | None = None

    def do(self, kind: str, actor: str | None = "A", *answers: Any, **more: Any) -> Verdict:
        """Judge and, if it goes through, play: tuples of int are dice, the rest are answers."""
        document = {"kind": kind, **more}
        if actor is not None:
            document["actor"] = actor
        session = Session(SYSTEM, self.state, parse_action(SYSTEM, document))
        for answer in answers:
            assert session.ask is not None, f"nothing is asked that {answer!r} could answer"
            if isinstance(session.ask, Roll):
                assert session.send(Answer(faces=tuple(answer))), session.verdict.findings
            elif not session.send(Answer(value=freeze(answer))):
                return session.verdict
        self.session = session
        if session.done:
            self.state = session.state
        return session.verdict

    def follow(self, verdict: Verdict) -> Verdict:
        """Judge the nearest legal move that a refusal offers."""
        assert verdict.nearest is not None
        return self.do(**thaw(verdict.nearest.action))

    def body(self, body_id: str = "A") -> Body:
        """A model as it stands now."""
        return self.state.body(body_id)


def model(body_id: str, side: str, x: float, y: float, base: float = 25, **more: Any) -> Doc:
    """A model; `profile` figures and `state` marks by keyword."""
    document: Doc = {
        "id": body_id,
        "side": side,
        "profile": more.pop("profile", "Azeb"),
        "base": {"round_mm": base},
        "position": [x, y],
        "z": more.pop("z", 0),
    }
    stats = more.pop("stats", None)
    if stats:
        document["profile"] = {"like": document["profile"], **stats}
    document["state"] = more
    return document


def red(body_id: str, x: float, y: float, base: float = 25, **more: Any) -> Doc:
    """A model of the side that acts."""
    return model(body_id, "red", x, y, base, **more)


def blue(body_id: str, x: float, y: float, base: float = 25, **more: Any) -> Doc:
    """An enemy."""
    return model(body_id, "blue", x, y, base, **more)


def box(kind: str, left: float, right: float, low: float, high: float, **more: Any) -> Doc:
    """A piece of terrain by its sides."""
    corners = [[left, low], [right, low], [right, high], [left, high]]
    return {"id": more.pop("id", "P1"), "kind": kind, "shape": {"polygon": corners}, **more}


def to(*points: tuple[float, float]) -> list[Doc]:
    """A path of straight legs."""
    return [{"to": list(point)} for point in points]


def ids(verdict: Verdict) -> list[str]:
    """Clauses of the findings, each once, in order."""
    return sorted({finding.clause for finding in verdict.findings})
