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
from tapeline.rules.mordheim import SYSTEM
from tapeline.table.bodies import Body
from tapeline.table.marks import freeze, thaw
from tapeline.table.scene import parse_scene

Doc = dict[str, Any]


class Table:
    """One scene, played on. Red is active, in its remaining moves unless said otherwise."""

    def __init__(
        self,
        models: Iterable[Doc],
        terrain: Iterable[Doc] = (),
        *,
        phase: str = "movement",
        step: str = "remaining",
        active: str = "red",
        **options: str,
    ) -> None:
        turn: Doc = {"active": active, "initiative": "red", "phase": phase}
        if phase == "movement":
            turn["progress"] = {"step": step}
        document = {
            "format": "tapeline-scene/1",
            "system": "mordheim",
            "options": options,
            "table": {"width": 48, "depth": 48, "unit": "in"},
            "terrain": list(terrain),
            "sides": [{"id": "red"}, {"id": "blue"}],
            "models": list(models),
            "turn": turn,
        }
        self.state: State = state_from_scene(parse_scene(document), SYSTEM)
        self.session: Session | None = None

    def do(self, kind: str, actor: str | None = "A", *answers: Any, **more: Any) -> Verdict:
        """Judge and, if it goes through, play: lists are dice, the rest are answers."""
        document = {"kind": kind, **more}
        if actor is not None:
            document["actor"] = actor
        session = Session(SYSTEM, self.state, parse_action(SYSTEM, document))
        for answer in answers:
            assert session.ask is not None, f"nothing is asked that {answer!r} could answer"
            if isinstance(session.ask, Roll):
                assert session.send(Answer(faces=tuple(answer))), session.verdict.findings
            else:
                assert session.send(Answer(value=freeze(answer))), session.verdict.findings
        self.session = session
        if session.verdict.legal and session.ask is None:
            self.state = session.state
        return session.verdict

    def go(self, *path: Any, actor: str = "A", **more: Any) -> Verdict:
        """A remaining move along straight legs."""
        legs = [leg if isinstance(leg, dict) else {"to": list(leg)} for leg in path]
        return self.do("move", actor, path=legs, **more)

    def charge(self, *targets: str, actor: str = "A", dice: Iterable[Any] = ()) -> Verdict:
        """Declare a charge, close, move it."""
        assert self.do("declare_charge", actor, targets=list(targets)).legal
        assert self.do("close_declarations", None).legal
        return self.do("charge", actor, *dice)

    def body(self, body_id: str = "A") -> Body:
        """A model on the table."""
        return self.state.body(body_id)

    def mark(self, name: str, body_id: str = "A") -> Any:
        """A mark of a model."""
        return thaw(self.body(body_id).marks.get(name))


def model(body_id: str, side: str, x: float, y: float, z: float = 0.0, **more: Any) -> Doc:
    """A Mercenary Warrior on a base 1 inch across."""
    return {
        "id": body_id,
        "side": side,
        "profile": "Mercenary Warrior",
        "base": {"round": 1},
        "position": [x, y],
        "z": z,
        **more,
    }


def red(x: float, y: float, z: float = 0.0, body_id: str = "A", **more: Any) -> Doc:
    """A model of the active side."""
    return model(body_id, "red", x, y, z, **more)


def blue(x: float, y: float, z: float = 0.0, body_id: str = "E", **more: Any) -> Doc:
    """A model of the other side."""
    return model(body_id, "blue", x, y, z, **more)


def block(piece: str, x0: float, x1: float, y0: float, y1: float, height: float) -> Doc:
    """A building with a flat roof."""
    corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    return {"id": piece, "kind": "building", "shape": {"polygon": corners}, "height": height}


def strip(x0: float, x1: float, kind: str = "rubble") -> Doc:
    """Slow ground over the whole depth of the table."""
    corners = [[x0, 0], [x1, 0], [x1, 48], [x0, 48]]
    return {"id": f"strip-{x0:g}", "kind": kind, "shape": {"polygon": corners}}


def ids(verdict: Verdict) -> set[str]:
    """The clauses of the findings."""
    return {finding.clause for finding in verdict.findings}
