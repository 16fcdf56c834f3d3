"""Cases: a scene, steps, and what is expected; the golden tests, an umpire's file, a bug report."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Choice
from tapeline.engine.codec import parse_action
from tapeline.engine.names import did_you_mean
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Session
from tapeline.engine.setup import BLOCK_MARKS
from tapeline.engine.state import State, Turn
from tapeline.engine.system import System
from tapeline.engine.verdicts import Finding, Verdict
from tapeline.errors import AnswerError, DocumentError, Fault, UnknownSystemError
from tapeline.play.battle import Battle, load
from tapeline.table.json_documents import read_json, validate
from tapeline.table.marks import Marks, freeze, thaw
from tapeline.wording import counted

__all__ = [
    "CASE_FORMAT",
    "CaseDoc",
    "CaseResult",
    "ExpectDoc",
    "StepDoc",
    "StepResult",
    "case_entries",
    "case_files",
    "expectation_faults",
    "open_case",
    "read_cases",
    "run_case",
    "run_case_file",
]

CASE_FORMAT = "tapeline-case/1"
#: No figure of a verdict or a state is as large as this.
_LARGEST = 1e15


class _Doc(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class BodyExpectDoc(_Doc):
    """What is expected of a body or a unit; null marks are expected to be absent."""

    position: list[float] | None = None
    z: float | None = None
    facing: float | None = None
    marks: dict[str, Any] = {}
    gone: bool | None = None


class ExpectDoc(_Doc):
    """What is expected of a step. Names that the system does not have are faults.

    findings: exactly these clause ids. cites: at least these. pending: "roll", "choice", or null
    for nothing; a step that ends at a question fails unless it is said. values, marks, progress:
    null for none there. details: figures of a finding by clause id. nearest: null for none
    offered; not checked when the key is missing. cost: of all that moved, as the ledger sums it.
    """

    verdict: Literal["LEGAL", "STOPPED", "ILLEGAL", "CHOICE", "FORCED"] | None = None
    findings: list[str] | None = None
    cites: list[str] = []
    pending: Literal["roll", "choice"] | None = None
    cost: float | None = None
    values: dict[str, Any] = {}
    bodies: dict[str, BodyExpectDoc] = {}
    turn: dict[str, Any] = {}
    progress: dict[str, Any] = {}
    details: dict[str, dict[str, Any]] = {}
    nearest: dict[str, Any] | None = None


class StepDoc(_Doc):
    """One action with its dice and answers; without an action the open question goes on."""

    action: dict[str, Any] | None = None
    dice: list[list[int]] = []
    answers: list[Any] = []
    expect: ExpectDoc | None = None


class CaseDoc(_Doc):
    """A case. scene: the document, or a path relative to the case file."""

    format: Literal["tapeline-case/1"]
    id: Annotated[str, Field(min_length=1, max_length=80)]
    note: str = ""
    title: str = ""
    source: str = ""
    scene: dict[str, Any] | str
    options: dict[str, str] = {}
    tolerance: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 1e-6
    steps: Annotated[list[StepDoc], Field(min_length=1, max_length=1000)]


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step judged. wrong: every way in which it is not as expected; empty if it is."""

    index: int
    verdict: Verdict
    wrong: tuple[str, ...]
    expected: bool
    state: State


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case judged."""

    id: str
    title: str
    path: str
    steps: tuple[StepResult, ...]
    start: Battle = field(repr=False)

    @property
    def passed(self) -> bool:
        """All as expected; a step without expectation passes if it is legal."""
        return all(not step.wrong and (step.expected or step.verdict.legal) for step in self.steps)


def case_files(places: Iterable[str | Path]) -> Iterator[Path]:
    """Case files in files and folders, folders searched for *.json in order of name."""
    for place in places:
        path = Path(place)
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*.json") if file.is_file())
        else:
            yield path


def case_entries(path: Path) -> list[CaseDoc | DocumentError]:
    """The cases of a file, for each one that cannot be used its faults.

    Raises DocumentError if the file as a whole cannot be read as cases, OSError.
    """
    what = str(path)
    data = read_json(path)
    items = data if isinstance(data, list) else [data]
    if not items:
        raise DocumentError(what, [Fault("", "holds no case")])
    found: list[CaseDoc | DocumentError] = []
    for index, item in enumerate(items):
        prefix = f"[{index}]" if isinstance(data, list) else ""
        try:
            if isinstance(item, dict) and item.get("format") != CASE_FORMAT:
                came = repr(item.get("format"))[:60]
                raise DocumentError(what, [Fault("format", f"must be {CASE_FORMAT!r}; got {came}")])
            found.append(validate(CaseDoc, item, what))
        except DocumentError as error:
            found.append(DocumentError(what, error.faults_at(prefix)))
    return found


def read_cases(path: Path) -> list[CaseDoc]:
    """The cases of a file. Raises DocumentError with every fault, OSError."""
    entries = case_entries(path)
    faults = [f for entry in entries if isinstance(entry, DocumentError) for f in entry.faults]
    if faults:
        raise DocumentError(str(path), faults)
    return [entry for entry in entries if isinstance(entry, CaseDoc)]


def run_case_file(path: str | Path) -> list[CaseResult]:
    """Judge every case of a file. Raises DocumentError for a malformed one."""
    path = Path(path)
    return [run_case(case, path) for case in read_cases(path)]


def _beside(name: str, folder: Path) -> Path:
    """The scene file of that name in a folder or below it. Raises ValueError, OSError."""
    folder = folder.resolve()
    where = (folder / name).resolve(strict=True)
    if not where.is_relative_to(folder):
        raise ValueError("must be a file beside that of the case")
    if not where.is_file():
        raise ValueError("must be a regular file")
    return where


def open_case(case: CaseDoc, path: Path | None = None) -> Battle:
    """The battle that a case begins with."""
    scene: Any = case.scene
    if isinstance(scene, str):
        try:
            where = _beside(scene, path.parent if path is not None else Path())
            scene = read_json(where)
        except (OSError, RuntimeError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise DocumentError(case.id, [Fault("scene", f"{scene!r}: {why}")]) from None
    if case.options and isinstance(scene, dict):
        options = scene.get("options", {})
        if isinstance(options, dict):
            scene = {**scene, "options": {**options, **case.options}}
    return load(scene)


def run_case(
    case: CaseDoc, path: Path | None = None, watch: Callable[[Session], None] | None = None
) -> CaseResult:
    """Judge a case step by step; `watch` sees each session when its step is over.

    Raises DocumentError for a scene, an action or an expectation that cannot be used.
    """
    what = f"{path}: case {case.id}" if path is not None else f"case {case.id}"
    try:
        battle = open_case(case, path)
    except DocumentError as error:
        raise DocumentError(what, error.faults_at("scene")) from None
    except UnknownSystemError as error:
        raise DocumentError(what, [Fault("scene.system", str(error))]) from None
    unknown = expectation_faults(case, battle)
    if unknown:
        raise DocumentError(what, unknown)
    state = battle.state
    session: Session | None = None
    results = []
    for index, step in enumerate(case.steps):
        where = f"steps[{index}]"
        if step.action is not None and session is not None and session.ask is not None:
            message = f"begins an action while a question is open: {session.ask.purpose}"
            raise DocumentError(what, [Fault(where, message)])
        if step.action is not None:
            try:
                action = parse_action(battle.system, step.action)
                session = Session(battle.system, state, action)
            except DocumentError as error:
                raise DocumentError(what, error.faults_at(f"{where}.action")) from None
        elif session is None or session.ask is None:
            raise DocumentError(what, [Fault(where, "has no action, and no question is open")])
        try:
            unused = _feed(session, step)
        except (AnswerError, TypeError) as error:
            raise DocumentError(what, [Fault(where, str(error))]) from None
        state = session.state
        wrong = [*unused, *_left_open(step, session)]
        if step.expect is not None:
            wrong += _compare(step.expect, session, case.tolerance)
        results.append(
            StepResult(index, session.verdict, tuple(wrong), step.expect is not None, state)
        )
        if watch is not None:
            watch(session)
    return CaseResult(case.id, case.title, str(path or ""), tuple(results), battle)


def _feed(session: Session, step: StepDoc) -> list[str]:
    dice, answers = list(step.dice), list(step.answers)
    while session.ask is not None:
        if isinstance(session.ask, Roll):
            if not dice:
                break
            accepted = session.send(Answer(faces=tuple(dice.pop(0))))
        else:
            if not answers:
                break
            accepted = session.send(Answer(value=freeze(answers.pop(0))))
        if not accepted:
            break
    wrong = []
    if dice:
        wrong.append(
            f"{counted(len(dice), 'roll of dice was', 'rolls of dice were')} not asked for"
        )
    if answers:
        wrong.append(f"{counted(len(answers), 'answer was', 'answers were')} not asked for")
    return wrong


def _left_open(step: StepDoc, session: Session) -> list[str]:
    """That a question is open at the end of a step that says nothing of it."""
    ask = session.ask
    if ask is None or (step.expect is not None and "pending" in step.expect.model_fields_set):
        return []
    pending = "choice" if isinstance(ask, Choice) else "roll"
    return [f'ends at an open {pending} ({ask.purpose}); expect it by "pending": "{pending}"']


#: What documents of the engine's own make hold, whatever the system.
_FINDING = tuple(f.name for f in fields(Finding))
_TURN = tuple(f.name for f in fields(Turn))
_LEG = tuple(f.name for f in fields(Leg))


def expectation_faults(case: CaseDoc, battle: Battle) -> list[Fault]:
    """Names in what a case expects that its system or its scene does not have."""
    found: list[Fault] = []
    for index, step in enumerate(case.steps):
        if step.expect is not None:
            where = f"steps[{index}].expect"
            found.extend(_unknown_names(step.expect, battle.system, battle.state, where))
    return found


def _unknown_names(expect: ExpectDoc, system: System, state: State, where: str) -> Iterator[Fault]:
    title, names = system.title, system.names

    def unknown(
        given: Iterable[str], known: Collection[str], path: str, what: str
    ) -> Iterator[Fault]:
        for name in given:
            if name not in known:
                message = f"{title} has no {what} {name!r}{did_you_mean(name, known)}"
                yield Fault(f"{where}.{path}.{name}", message)

    def clauses(given: Iterable[str], path: str) -> Iterator[Fault]:
        for clause in given:
            if clause not in system.book:
                near = did_you_mean(clause, [known.id for known in system.book])
                hint = (
                    near
                    if "did you mean" in near
                    else f"; `tapeline rules {system.name}` lists all"
                )
                yield Fault(f"{where}.{path}", f"{title} has no clause {clause!r}{hint}")

    yield from clauses(expect.findings or (), "findings")
    yield from clauses(expect.cites, "cites")
    yield from clauses(expect.details, "details")
    for clause, figures in expect.details.items():
        yield from unknown(figures, _FINDING, f"details.{clause}", "figure of a finding")
    if names.values:
        yield from unknown(expect.values, names.values, "values", "value")
    if system.progress:
        yield from unknown(expect.progress, system.progress, "progress", "entry of the progress")
    yield from unknown(expect.turn, _TURN, "turn", "entry of the turn")
    marks = {*system.marks, *BLOCK_MARKS, "gone"}
    bodies = {**state.bodies, **state.gone, **state.units}
    for body_id, wanted in expect.bodies.items():
        if body_id not in bodies:
            message = f"nothing in the scene has the id {body_id!r}{did_you_mean(body_id, bodies)}"
            yield Fault(f"{where}.bodies.{body_id}", message)
        yield from unknown(wanted.marks, marks, f"bodies.{body_id}.marks", "mark")
    yield from _unknown_in_nearest(expect.nearest or {}, system, f"{where}.nearest")


def _unknown_in_nearest(nearest: Mapping[str, Any], system: System, where: str) -> Iterator[Fault]:
    actions = system.actions.values()
    known = {"kind", "how", "short_by", "path"} | {f.name for kind in actions for f in fields(kind)}
    for name, value in nearest.items():
        if name not in known:
            message = f"is no entry of a nearest move{did_you_mean(name, sorted(known))}"
            yield Fault(f"{where}.{name}", message)
        for index, leg in enumerate(value if name == "path" and isinstance(value, list) else ()):
            for key in leg if isinstance(leg, dict) else ():
                if key not in _LEG:
                    path = f"{where}.path[{index}].{key}"
                    yield Fault(path, f"is no entry of a leg{did_you_mean(key, _LEG)}")


def _compare(expect: ExpectDoc, session: Session, tolerance: float) -> list[str]:
    verdict, state = session.verdict, session.state
    wrong = []
    if expect.verdict is not None and verdict.kind != expect.verdict:
        why = "; ".join(f"{f.clause}: {f.text}" for f in verdict.findings)
        wrong.append(
            f"verdict {verdict.kind}, expected {expect.verdict}" + (f" ({why})" if why else "")
        )
    found = sorted({finding.clause for finding in verdict.findings})
    if expect.findings is not None and found != sorted(set(expect.findings)):
        wrong.append(f"findings {found}, expected {sorted(set(expect.findings))}")
    missing = [clause for clause in expect.cites if clause not in verdict.cites]
    if missing:
        wrong.append(f"does not cite {missing}; cites {list(verdict.cites)}")
    if "pending" in expect.model_fields_set:
        open_ask = session.ask
        now = None if open_ask is None else "choice" if isinstance(open_ask, Choice) else "roll"
        if now != expect.pending:
            purpose = f" ({open_ask.purpose})" if open_ask is not None else ""
            wrong.append(f"pending {now}{purpose}, expected {expect.pending}")
    if "cost" in expect.model_fields_set and not _alike(expect.cost, verdict.cost, tolerance):
        wrong.append(f"cost is {_show(verdict.cost)}, expected {_show(expect.cost)}")
    wrong += _differences("values", expect.values, verdict.values, tolerance)
    for body_id, wanted in expect.bodies.items():
        wrong += _body_differences(body_id, wanted, state, tolerance)
    turn = {name: getattr(state.turn, name, None) for name in expect.turn}
    wrong += _differences("turn", expect.turn, turn, tolerance)
    wrong += _differences("progress", expect.progress, state.progress, tolerance)
    for clause, figures in expect.details.items():
        candidates = [f for f in verdict.findings if f.clause == clause]
        if not candidates:
            wrong.append(f"no finding of {clause}")
            continue
        tries: list[list[str]] = [
            _differences(
                f"{clause}", figures, {name: getattr(f, name, None) for name in figures}, tolerance
            )
            for f in candidates
        ]
        wrong += sorted(tries, key=lambda found: len(found))[0]
    got = verdict.nearest
    if expect.nearest is None:
        if "nearest" in expect.model_fields_set and got is not None:
            wrong.append(f"nearest is {got.text!r} ({got.how}), expected none")
    else:
        if got is None:
            wrong.append("no nearest legal move")
        else:
            figures = {**thaw(got.action), "how": got.how, "short_by": got.short_by}
            wrong += _differences("nearest", expect.nearest, figures, tolerance)
    return wrong


def _body_differences(
    body_id: str, wanted: BodyExpectDoc, state: State, tolerance: float
) -> list[str]:
    body = state.gone.get(body_id) or state.bodies.get(body_id)
    gone = not state.bodies_of(body_id)
    wrong = []
    if wanted.gone is not None and wanted.gone != gone:
        wrong.append(f"{body_id} is {'gone' if gone else 'on the table'}")
    if body is None:
        if (wanted.position, wanted.z, wanted.facing) != (None, None, None):
            wrong.append(f"{body_id} is a unit of stands; only they have a place")
        marks = state.units[body_id].marks
        return wrong + _differences(f"{body_id}.marks", wanted.marks, marks, tolerance)
    if wanted.position is not None:
        wrong += _differences(
            body_id, {"position": wanted.position}, {"position": (body.x, body.y)}, tolerance
        )
    if wanted.z is not None:
        wrong += _differences(body_id, {"z": wanted.z}, {"z": body.z}, tolerance)
    if wanted.facing is not None:
        off = (body.facing - wanted.facing + 180.0) % 360.0 - 180.0
        if not abs(off) <= tolerance:
            wrong.append(f"{body_id}.facing is {body.facing:.9g}, expected {wanted.facing:.9g}")
    wrong += _differences(f"{body_id}.marks", wanted.marks, body.marks, tolerance)
    return wrong


def _differences(
    where: str, wanted: Mapping[str, Any], got: Mapping[str, Any], tolerance: float
) -> list[str]:
    return [
        f"{where}.{name} is {_show(got.get(name))}, expected {_show(value)}"
        for name, value in wanted.items()
        if not _alike(value, got.get(name), tolerance)
    ]


def _show(value: Any) -> str:
    return repr(thaw(value)) if isinstance(value, Marks | tuple) else repr(value)


def _alike(wanted: Any, got: Any, tolerance: float) -> bool:
    if wanted is None or isinstance(wanted, bool | str):
        return bool(wanted == got) and (wanted is None or isinstance(got, type(wanted)))
    if isinstance(wanted, int | float):
        return (
            isinstance(got, int | float)
            and not isinstance(got, bool)
            and abs(wanted) < _LARGEST
            and math.isclose(wanted, got, rel_tol=0.0, abs_tol=tolerance)
        )
    if isinstance(wanted, list):
        return (
            isinstance(got, list | tuple)
            and len(wanted) == len(got)
            and all(_alike(a, b, tolerance) for a, b in zip(wanted, got, strict=True))
        )
    if isinstance(wanted, dict):
        return isinstance(got, Mapping) and all(
            _alike(value, got.get(name), tolerance) for name, value in wanted.items()
        )
    return False
