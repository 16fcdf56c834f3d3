"""What a worker answers about no match yet: new ones, scenes, systems, examples, the start page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tapeline.errors import DocumentError, Fault, UnknownSystemError
from tapeline.play.fairness import Chain
from tapeline.play.files import examples_folder
from tapeline.play.match import Match
from tapeline.play.rosters import read_roster
from tapeline.play.systems import load_system, system_names
from tapeline.table.json_documents import parse_json
from tapeline.web.documents.catalogue import Fault as FaultShown
from tapeline.web.documents.catalogue import ListRead, Roster
from tapeline.web.documents.match import NewMatch
from tapeline.web.views import catalogue
from tapeline.web.views.catalogue import demo, demo_try
from tapeline.web.views.log import log_lines
from tapeline.web.views.scene_check import checked
from tapeline.web.work import deeds
from tapeline.web.work.faults import MissingError
from tapeline.web.work.followed import Answer, Arguments, dumped, list_of
from tapeline.web.work.kinds import Holder, check_log, check_scene

__all__ = ["OF_ITSELF", "begun"]


def begun(match: Match, said: Arguments, typed: bool) -> str:
    """What is kept of a new match: a line about it, then its log."""
    if match.entries:
        # A roll that was left open elsewhere waits for nobody's share here.
        match.entries[-1] = replace(match.entries[-1], commitments={})
    commitment = Chain(said["seed"], said["id"]).commitment
    match.dice = {
        "commitment": commitment,
        "salt": said["id"],
        "typed": typed,
        "after": len(match.entries),
    }
    sides = [[side.id, side.name or side.id] for side in match.battles[0].state.sides]
    about = {"sides": sides, "commitment": commitment, **said.get("told", {})}
    return "\n".join([dumped(about), *match.lines()])


def _body(content: bytes) -> Any:
    """The body of a call, read as strictly as a scene file. Raises DocumentError."""
    return parse_json(content, "body")


def _begin(said: Arguments, content: bytes) -> str:
    """A match from the body of a call."""
    try:
        new = NewMatch.model_validate(_body(content))
    except ValidationError as error:
        faults = [
            Fault(".".join(map(str, fault["loc"])), fault["msg"])
            for fault in error.errors(include_url=False, include_input=False)
        ]
        raise DocumentError("match", faults) from None
    given = [name for name in ("example", "scene", "log") if getattr(new, name) is not None]
    if len(given) != 1:
        raise DocumentError("match", [Fault("", "begin with one of example, scene or log")])
    told: dict[str, Any] = {}
    if new.log is not None:
        lines = new.log.splitlines()
        check_log(lines, said["most"]["entries"])
        match = Match.replay(lines)
        _can_be_shown(match)
        if match.dice is not None:
            told = {"log_of": match.dice["salt"], "no_copies": deeds.no_copies(match.battle.system)}
    else:
        scene = new.scene
        if scene is None:
            assert new.example is not None
            try:
                scene = catalogue.example(_folder(said), new.example)
            except KeyError:
                message = f"there is no example {new.example!r}"
                raise DocumentError("match", [Fault("example", message)]) from None
        check_scene(scene, said["most"])
        match = Match.start(scene)
    told |= {"mode": new.mode, "dice": new.dice}
    told["clock"] = new.clock and new.clock.model_dump()
    return begun(match, {**said, "told": told}, new.mode == "hotseat" or new.dice == "typed")


def _can_be_shown(match: Match) -> None:
    """Raises DocumentError for a log that folds, but whose entries are no entries of a match."""
    try:
        log_lines(match)
        deeds.undo_offer(match, Holder("both", ()))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        message = f"holds an entry that cannot be shown ({type(error).__name__}: {error})"
        raise DocumentError("match", [Fault("log", message[:300])]) from None


def _check(said: Arguments, content: bytes) -> Answer:
    scene = _body(content)
    if not isinstance(scene, dict):
        raise DocumentError("scene", [Fault("", "must be an object")])
    check_scene(scene, said["most"])
    return checked(scene)


def _folder(said: Arguments) -> Path | None:
    return Path(said["folder"]) if said["folder"] else examples_folder()


@contextmanager
def _known(missing: str = "") -> Iterator[None]:
    """Raises MissingError for a system, or what `missing` says, that is not there."""
    try:
        yield
    except UnknownSystemError as error:
        raise MissingError(str(error)) from None
    except KeyError:
        raise MissingError(missing) from None


def _system(said: Arguments, content: bytes) -> Answer:
    with _known():
        return catalogue.system(said["name"])


def _roster(said: Arguments, content: bytes) -> Answer:
    with _known():
        system = load_system(said["name"])
    try:
        found = read_roster(said["text"], system, said["called"])
    except DocumentError as error:
        return ListRead(roster=None, faults=[*map(FaultShown.of, error.faults)])
    return ListRead(roster=Roster.model_validate(found.model_dump()))


def _clause(said: Arguments, content: bytes) -> Answer:
    name, clause = said["name"], said["clause"]
    with _known(f"{name} has no clause {clause!r}"):
        return catalogue.clause(name, clause)


def _example(said: Arguments, content: bytes) -> str:
    with _known(f"there is no example {said['name']!r}"):
        return dumped(catalogue.example(_folder(said), said["name"]))


_NOTHING = "this server has nothing to try on its start page"


def _demo(said: Arguments, content: bytes) -> Answer:
    with _known(_NOTHING):
        return demo(_folder(said))


def _demo_try(said: Arguments, content: bytes) -> Answer:
    x, y = said["to"]
    with _known(_NOTHING):
        return demo_try(_folder(said), (x, y))


#: Questions about none; the second argument is the body of a call as it came.
OF_ITSELF: dict[str, Callable[[Arguments, bytes], Answer]] = {
    "ready": lambda _said, _content: "true",
    "begin": _begin,
    "check": _check,
    "systems": lambda _said, _content: list_of([*map(catalogue.system, system_names())]),
    "system": _system,
    "clause": _clause,
    "roster": _roster,
    "examples": lambda said, _content: list_of(catalogue.examples(_folder(said))),
    "example": _example,
    "demo": _demo,
    "demo try": _demo_try,
}
