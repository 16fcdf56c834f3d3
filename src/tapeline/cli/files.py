"""Files of any kind that a command takes: scenes, cases, logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault
from tapeline.geometry import backends
from tapeline.picture.words import ask_words
from tapeline.play.match import Match
from tapeline.table.json_documents import content_of, parse_json

__all__ = [
    "kind_of_file",
    "load_compiled",
    "must_be_log",
    "never_over",
    "no_open_question",
    "open_match",
    "position",
    "speed_up",
    "to_be_won",
]


def kind_of_file(path: str | Path) -> str:
    """ "scene", "case" or "log", by what is in it. Raises DocumentError, OSError."""
    content = content_of(path)
    first = content.split(b"\n", 1)[0]
    if b'"tapeline-log/' in first:
        return "log"
    data: Any = parse_json(content, str(path))
    if isinstance(data, list):
        return "case"
    form = data.get("format") if isinstance(data, dict) else None
    if isinstance(form, str):
        for kind in ("scene", "case"):
            if form.startswith(f"tapeline-{kind}/"):
                return kind
    fault = Fault("format", "must be that of a scene, a case or a log")
    raise DocumentError(str(path), [fault])


def open_match(path: str | Path) -> Match:
    """The match of a log, replayed, or a new one from a scene."""
    kind = kind_of_file(path)
    if kind == "log":
        return Match.replay(path)
    if kind == "scene":
        try:
            return Match.start(path)
        except DocumentError as error:
            raise DocumentError(str(path), error.faults) from None
    raise DocumentError(str(path), [Fault("", "is a case; a scene or a log is needed")])


def must_be_log(path: str | Path) -> None:
    """Raises DocumentError if there is something else in a file than a log."""
    kind = kind_of_file(path)
    if kind != "log":
        raise DocumentError(str(path), [Fault("", f"is a {kind}; a log is needed")])


def position(path: str | Path) -> tuple[System, State]:
    """Where a scene or a log stands that waits for no answer. Raises DocumentError otherwise."""
    match = open_match(path)
    return match.battle.system, no_open_question(match, path)


def to_be_won(path: str | Path) -> Match:
    """The match of a scene or a log that can be won. Raises DocumentError otherwise."""
    match = open_match(path)
    if match.battle.state.game is None:
        raise DocumentError(str(path), [Fault("game", "states no goals, so nobody can win")])
    return match


def never_over(path: str | None, words: str = "a log is never written over") -> None:
    """Raises DocumentError if there is something at a path already."""
    if path is not None and Path(path).exists():
        raise DocumentError(path, [Fault("", f"exists already; {words}")])


def no_open_question(match: Match, path: str | Path) -> State:
    """The state of a match that waits for nothing. Raises DocumentError otherwise."""
    battle = match.battle
    if battle.pending is not None:
        message = f"waits for an answer: {ask_words(battle.pending.ask)}"
        raise DocumentError(str(path), [Fault("", message)])
    return battle.state


def load_compiled() -> None:
    """Before what takes long: the compiled kernels, where they are in the cache.

    Loading them takes a second or two.
    """
    if backends.in_cache():
        backends.warmup()


def speed_up(state: State, whole_game: bool = False) -> None:
    """The compiled kernels where they pay: over storeys, and for a whole game."""
    if whole_game or state.table.structures:
        load_compiled()
