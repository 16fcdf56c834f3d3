"""What can be taken away from a match: cases for umpires, pictures."""

from __future__ import annotations

from typing import Any, Literal

from tapeline.dice import Roll
from tapeline.engine.actions import Action
from tapeline.engine.asks import Answer
from tapeline.engine.codec import action_document, parse_action
from tapeline.engine.referee import Session
from tapeline.engine.scene_document import scene_document
from tapeline.engine.state import State
from tapeline.errors import DocumentError, Fault
from tapeline.picture import png
from tapeline.picture.page import draw_entry
from tapeline.play.cases import CASE_FORMAT
from tapeline.play.entries import Entry
from tapeline.play.fairness import Chain
from tapeline.play.match import Match
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, thaw

__all__ = ["case_of", "picture_of"]


def log_of(match: Match, seed: str) -> str:
    """The log as a file, with the key to the dice of its last entry and those before it.

    seed: the secret of the match, which the key does not tell, nor any dice to come.
    """
    told = match.upto(len(match.entries))
    number = len(match.entries)
    if told.dice is not None and number:
        key = Chain(seed, told.dice["salt"]).key(number)
        told.dice = {**told.dice, "key": key, "told": number}
    return "".join(line + "\n" for line in told.lines())


def case_of(match: Match, n: int) -> dict[str, Any]:
    """The case document of entry n: the scene before, the action with its dice and choices, and
    what came of it. Of an answer: the action from its beginning, with the answer as last step.

    Raises DocumentError for an entry that is not there, or that the referee did not rule on.
    """
    entry = _entry(match, n)
    if entry.what not in ("action", "answer"):
        message = f"entry {n} is an {entry.what}: the players agreed on it, there is no ruling"
        raise DocumentError("case", [Fault("n", message)])
    battle = match.battles[n - 1]
    pending = battle.pending
    action: Action
    earlier: tuple[Answer, ...] = ()
    if entry.what == "action":
        start = battle.state
        action = parse_action(battle.system, entry.action)
    else:
        assert pending is not None
        start, earlier, action = pending.start, pending.answers, pending.action
    session = Session(battle.system, start, action)
    first: dict[str, Any] = {"action": action_document(action)}
    steps: list[dict[str, Any]] = []
    if entry.what == "answer":
        given = _given(session, earlier)
        steps.append({**first, **given, "expect": {"pending": _pending(session)}})
        first = {}
    last = {**first, **_given(session, entry.answers)}
    steps.append({**last, "expect": _expected(session, start)})
    name = match.battle.state.name or battle.system.title
    return {
        "format": CASE_FORMAT,
        "id": f"entry-{n}",
        "title": f"{name}: entry {n}",
        "source": "taken from a match; what is expected is what the referee ruled",
        "scene": scene_document(start, battle.system),
        "steps": steps,
    }


def _entry(match: Match, n: int) -> Entry:
    if not 1 <= n <= len(match.entries):
        message = f"must be from 1 to {len(match.entries)}; got {n}"
        raise DocumentError("match", [Fault("n", message)])
    return match.entries[n - 1]


def _given(session: Session, answers: tuple[Answer, ...]) -> dict[str, Any]:
    """Send answers; what a step of a case says of them."""
    dice, values = [], []
    for answer in answers:
        if isinstance(session.ask, Roll):
            dice.append(list(answer.faces or ()))
        else:
            values.append(thaw(answer.value))
        session.send(answer)
    return {name: told for name, told in (("dice", dice), ("answers", values)) if told}


def _pending(session: Session) -> str | None:
    """What is needed next, as a case says it."""
    ask = session.ask
    return None if ask is None else "roll" if isinstance(ask, Roll) else "choice"


def _expected(session: Session, start: State) -> dict[str, Any]:
    """What is expected of the last step: verdict, clauses, figures, whom it changed."""
    verdict, state = session.verdict, session.state
    expected: dict[str, Any] = {
        "verdict": verdict.kind.value,
        "findings": sorted({finding.clause for finding in verdict.findings}),
        "cites": list(verdict.cites),
        "pending": _pending(session),
        "cost": verdict.cost,
    }
    bodies = {
        name: _body(was, now, gone=name in state.gone)
        for name, was, now in _pairs(start, state)
        if was != now or (name in start.gone) != (name in state.gone)
    }
    bodies |= {
        name: {"marks": _marks(unit.marks, state.units[name].marks)}
        for name, unit in start.units.items()
        if name in state.units and unit.marks != state.units[name].marks
    }
    names = ("round", "phase", "active", "initiative")
    turn = {
        name: getattr(state.turn, name)
        for name in names
        if getattr(state.turn, name) != getattr(start.turn, name)
    }
    changed = {
        "values": thaw(verdict.values),
        "bodies": bodies,
        "turn": turn,
        "progress": _marks(start.progress, state.progress),
    }
    return expected | {name: value for name, value in changed.items() if value}


def _pairs(start: State, end: State) -> list[tuple[str, Body, Body]]:
    was = {**start.gone, **start.bodies}
    now = {**end.gone, **end.bodies}
    return [(name, was[name], body) for name, body in now.items() if name in was]


def _body(was: Body, now: Body, *, gone: bool) -> dict[str, Any]:
    """Where a body stands then, and its marks that changed; null for one it has no more."""
    found: dict[str, Any] = {}
    if not gone:
        found = {"position": [now.x, now.y], "z": now.z, "facing": now.facing}
    marks = _marks(was.marks, now.marks)
    if marks:
        found["marks"] = marks
    found["gone"] = gone
    return found


def _marks(was: Marks, now: Marks) -> dict[str, Any]:
    changed = {name: thaw(value) for name, value in now.items() if was.get(name) != value}
    return {**changed, **{name: None for name in was if name not in now}}


def picture_of(match: Match, n: int, fmt: Literal["svg", "png"] = "svg") -> bytes:
    """The table after entry n (0: as it began) with the ways that were gone in it.

    Raises DocumentError for an entry that is not there, PngError where PNG cannot be made.
    """
    if n:
        _entry(match, n)
    svg = draw_entry(match, n)
    return png(svg) if fmt == "png" else svg.encode()
