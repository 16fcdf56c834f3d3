"""What a worker answers, as functions by name: questions about a match, and those of themselves.

Each takes plain JSON values and gives a document, or text or bytes as they travel, so that whoever
asks need know nothing of the engine. A deed is done on a fork of the match: its lines come back,
and count once they are kept and sent again with the next question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from tapeline.bots.process import Limits
from tapeline.bots.single import turn_of
from tapeline.dice import Roll
from tapeline.engine.codec import action_document
from tapeline.errors import AnswerError, DocumentError, Fault, UnknownSystemError
from tapeline.opponent import LEVELS, Opponent
from tapeline.play.battle import Battle
from tapeline.play.examples import examples_folder
from tapeline.play.fairness import Chain
from tapeline.play.hidden import hides_set_up, seen_by
from tapeline.play.match import Match, judged_again
from tapeline.play.opening import opening_of
from tapeline.play.results import Result
from tapeline.play.rosters import read_roster
from tapeline.play.systems import load_system
from tapeline.table.marks import thaw
from tapeline.table.scene import parse_json
from tapeline.web.documents.asked import Push
from tapeline.web.documents.catalogue import Fault as FaultShown
from tapeline.web.documents.catalogue import ListRead, Roster
from tapeline.web.documents.match import Act, Again, Answered, NewMatch
from tapeline.web.documents.verdict import Verdict
from tapeline.web.views import catalogue
from tapeline.web.views.asked import (
    Place,
    odds_view,
    reach_view,
    route_view,
    sight_view,
    tape_view,
    threat_view,
    view_view,
)
from tapeline.web.views.board import board_of
from tapeline.web.views.controls import control_document, controls_of
from tapeline.web.views.demo import demo, demo_try
from tapeline.web.views.exports import case_of, log_of, picture_of
from tapeline.web.views.flush import flush_view
from tapeline.web.views.hints import hints_view
from tapeline.web.views.log import log_lines
from tapeline.web.views.puzzle import lesson_view, puzzle_view, solution_view
from tapeline.web.views.scene_check import checked
from tapeline.web.views.verdicts import question_of, verdict_of
from tapeline.web.work import deeds
from tapeline.web.work.budget import check_action, check_log, check_scene
from tapeline.web.work.faults import ForbiddenError, MissingError, ProgramError
from tapeline.web.work.holder import Holder

__all__ = ["ABOUT_A_MATCH", "OF_ITSELF", "Answer", "Followed", "judge_again", "verdict_on"]

Arguments: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = BaseModel | str | bytes | None


class Followed:
    """A match that a worker follows. done: the last deed on it, which may come to be kept."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.done: tuple[list[str], Match] | None = None
        self._shown: _Shown | None = None
        self._terrain: Any = None
        self._seen: dict[frozenset[str], Followed] = {}

    @property
    def battle(self) -> Battle:
        """The battle as it stands now."""
        return self.match.battle

    def follow(self, lines: list[str]) -> None:
        """Go on by further lines of the log. Raises DocumentError, LogError."""
        done, self.done = self.done, None
        if done is not None and done[0] == lines:
            # Its own deed has been kept: what was worked out for it is still there.
            self.match = done[1]
        else:
            self.match.follow(lines)

    def seen_by(self, sides: Collection[str]) -> Followed:
        """What those who move these sides may know of it; kept until the match goes on."""
        if not hides_set_up(self.battle.state):
            self._seen.clear()
            return self
        known = self._seen.get(frozenset(sides))
        if known is None or len(known.match.entries) != len(self.match.entries):
            seen = seen_by(self.match, sides)
            known = self if seen is self.match else Followed(seen)
            self._seen[frozenset(sides)] = known
        return known

    @property
    def shown(self) -> _Shown:
        """What all see of it now; made once for all of them."""
        if self._shown is None or self._shown.version != len(self.match.entries):
            self._shown = _Shown(self.match)
        return self._shown

    @property
    def terrain(self) -> Any:
        """The terrain as boards show it, which is the same for the whole match."""
        if self._terrain is None:
            self._terrain = board_of(self.match.battles[0]).terrain
        return self._terrain


class _Shown:
    """What all links see alike of one version, as JSON."""

    def __init__(self, match: Match) -> None:
        battle = match.battle
        self.version = len(match.entries)
        self.acting = battle.acting
        self.board = board_of(battle, terrain=False)
        self.question = _text(question_of(battle))
        self._battle = battle

    @cached_property
    def flat(self) -> str:
        """The board without terrain."""
        return self.board.model_dump_json()

    @cached_property
    def controls(self) -> str:
        """The controls that are about no body."""
        return _list(controls_of(self._battle, None))


def _text(document: Answer) -> str:
    if isinstance(document, BaseModel):
        return document.model_dump_json()
    return "null" if document is None else str(document)


def _list(documents: list[Any]) -> str:
    return f"[{','.join(document.model_dump_json() for document in documents)}]"


def _dumped(values: Any) -> str:
    return json.dumps(values, separators=(",", ":"), allow_nan=False)


# The page


def _sides(held: Followed, said: Arguments) -> str:
    sides = [side.id for side in held.match.battles[0].state.sides]
    return _dumped(sides)


def _show(held: Followed, said: Arguments) -> str:
    """The version, and the members of a `documents.match.Match` that the engine knows."""
    match, shown, holder = held.match, held.shown, Holder.of(said["by"])
    since: int = said["since"] if 0 <= said["since"] <= shown.version else 0
    if hides_set_up(match.battles[since].state) and not hides_set_up(match.battle.state):
        since = 0  # what was hidden is told now
    board = shown.flat
    if not since:
        board = shown.board.model_copy(update={"terrain": held.terrain}).model_dump_json()
    over = None if match.result is None else match.result.words(match.battle.side_name)
    acts = over is None and any(side in shown.acting for side in holder.sides)
    commitment = None if match.dice is None else match.dice["commitment"]
    members = {
        "board": board,
        "question": shown.question,
        "log_from": str(since),
        "log": _list(log_lines(match, since)),
        "controls": shown.controls if acts else "[]",
        "undo": _text(deeds.undo_offer(match, holder)),
        "commitment": _dumped(commitment),
        "over": _dumped(over),
        "no_copies": _dumped(
            deeds.no_copies(match.battle.system) if said["mode"] == "links" else ""
        ),
        "puzzle": _text(puzzle_view(match)),
        "lesson": _text(lesson_view(match)),
    }
    return f"{shown.version} " + ",".join(f'"{name}":{text}' for name, text in members.items())


def _waited_for(held: Followed, said: Arguments) -> str:
    return _dumped(_acting(held.match))


def _controls(held: Followed, said: Arguments) -> str:
    return _list(controls_of(held.battle, said["of"]))


def _opening(held: Followed, said: Arguments) -> str:
    """The presses that make a drag of a body possible, in order."""
    untold = Holder.of(said["by"]).role == "both"
    found = opening_of(held.battle, said["of"], untold=untold)
    return _list([control_document(control) for control in found])


def verdict_on(battle: Battle, document: Any, *, nearest: bool = True) -> Verdict:
    """The verdict on an action. Raises DocumentError, AnswerError while a question is open.

    nearest: whether a refusal comes with the nearest legal move.
    """
    action = battle.action(document)
    return verdict_of(battle, action, battle.judge(action, nearest=nearest))


def _try(held: Followed, said: Arguments) -> Verdict:
    check_action(said["action"])
    return verdict_on(held.battle, said["action"], nearest=said["nearest"])


def _try_answer(held: Followed, said: Arguments) -> Verdict:
    check_action(said["path"])
    return deeds.try_answer(held.battle, Holder.of(said["by"]), said["path"])


def _reach(held: Followed, said: Arguments) -> Answer:
    return reach_view(held.battle, said["body"], said["kind"], said["storey"])


def _route(held: Followed, said: Arguments) -> Answer:
    x, y, z = said["to"]
    to: Place = (x, y) if z is None else (x, y, z)
    return route_view(held.battle, said["body"], said["kind"], to)


def _odds(held: Followed, said: Arguments) -> Answer:
    check_action(said["action"])
    return odds_view(held.battle, held.battle.action(said["action"]))


def _place(end: Any) -> Any:
    return end if isinstance(end, str) else tuple(end)


def _tape(held: Followed, said: Arguments) -> Answer:
    return tape_view(held.battle, _place(said["a"]), _place(said["b"]))


def _sight(held: Followed, said: Arguments) -> Answer:
    return sight_view(held.battle, said["a"], said["b"])


def _view(held: Followed, said: Arguments) -> Answer:
    return view_view(held.battle, said["body"])


def _threat(held: Followed, said: Arguments) -> Answer:
    return threat_view(held.battle, said["by"], said["on"], said["place"], said["bands"])


def _flush(held: Followed, said: Arguments) -> Answer:
    return flush_view(held.battle.state, Push.model_validate(said["push"]))


def _at(held: Followed, said: Arguments) -> Answer:
    n = said["n"]
    if not 0 <= n < len(held.match.battles):
        message = f"must be from 0 to {len(held.match.battles) - 1}"
        raise DocumentError("at", [Fault("n", message)])
    return board_of(held.match.battles[n], terrain=False)


def _solution(held: Followed, said: Arguments) -> str:
    return _list(solution_view(held.match))


def _again(held: Followed, said: Arguments) -> Again:
    return judge_again(held.match, said["n"])


def judge_again(match: Match, number: int) -> Again:
    """Whether the referee rules an entry as before, and in words what differs."""
    if not 1 <= number <= len(match.entries):
        message = f"must be from 1 to {len(match.entries)}"
        raise DocumentError("judge again", [Fault("n", message)])
    what = match.entries[number - 1].what
    if what == "undo":
        return Again(same=True, message="An undo is not judged.")
    differs = judged_again(match, number)
    if differs is not None:
        return Again(same=False, message=f"Entry {number}: {differs}.")
    if what in ("override", "result"):
        words = "Settled by the players; the referee takes it as it is."
        return Again(same=True, message=words)
    return Again(same=True, message="The referee rules as before.")


# Deeds


def _done(held: Followed, deed: deeds.Deed, **more: Any) -> str:
    """The lines that the deed adds to the log, and the verdict on it."""
    lines = deeds.lines_after(deed.match, len(held.match.entries))
    held.done = (lines, deed.match)
    verdict = None if deed.verdict is None else deed.verdict.model_dump(mode="json")
    return _dumped({"lines": lines, "verdict": verdict, "acting": _acting(deed.match), **more})


def _acting(match: Match) -> list[str]:
    """The sides that are waited for."""
    return [] if match.result else [*match.battle.acting]


def _rolling(said: Arguments) -> deeds.Rolling:
    return deeds.Rolling(said["dice"], said["seed"], said["commitments"])


def _act(held: Followed, said: Arguments) -> str:
    wanted = Act.model_validate(said["wanted"])
    check_action(wanted.action)
    holder, rolling = Holder.of(said["by"]), _rolling(said)
    if not said["agreed"] and deeds.attests(held.match, holder, wanted, rolling.dice):
        # Looked at without the dice of the server, which fall when it is done.
        typed = replace(rolling, dice="typed")
        return _told(held, deeds.act(held.match, holder, wanted, typed), wanted)
    return _done(held, deeds.act(held.match, holder, wanted, rolling))


def _told(held: Followed, deed: deeds.Deed, wanted: Act | Answered) -> str:
    """What a side attests, to be proposed to the others; or why it cannot be."""
    if deed.verdict is not None and not deed.verdict.legal:
        return _done(held, deed)
    by = deed.match.entries[-1].by
    return _dumped({"by": by, "says": deeds.attested(held.match, deed.match, wanted)})


def _answer(held: Followed, said: Arguments) -> str:
    given = Answered.model_validate(said["given"])
    check_action(given.value)
    holder, rolling = Holder.of(said["by"]), _rolling(said)
    if not said["agreed"] and deeds.attests(held.match, holder, given, rolling.dice):
        typed = replace(rolling, dice="typed")
        return _told(held, deeds.answer(held.match, holder, given, typed), given)
    return _done(held, deeds.answer(held.match, holder, given, rolling))


def _rolls_next(battle: Battle, side: str) -> bool:
    """Whether a roll is open, not something to be thought about. Raises ForbiddenError if it is not
    for the side to act."""
    game = battle.state.game
    if game is not None and game.over:
        raise ForbiddenError("The game is over.")
    if side not in battle.next_to_act:
        raise ForbiddenError("Another side is to act.")
    return battle.pending is not None and isinstance(battle.pending.ask, Roll)


def _think(held: Followed, said: Arguments) -> str:
    """What the computer opponent does next for a side: an action, an answer, or a roll."""
    battle, side = held.battle, said["side"]
    if _rolls_next(battle, side):
        return _dumped({"roll": True})
    player = Opponent(LEVELS[said["level"]], said["seed"])
    if battle.pending is not None:
        return _dumped({"value": thaw(player.answer(battle))})
    found = player.choose(battle, side)
    if found is None:
        raise ForbiddenError("The table finds nothing that this side can do.")
    return _dumped({"action": action_document(found.action)})


def _may_hint(held: Followed, said: Arguments) -> str:
    """Raises ForbiddenError where hints would tell what may not be measured: they try things out,
    as somebody would on a copy."""
    if said["mode"] == "links" and deeds.no_copies(held.battle.system):
        title = held.battle.system.title
        raise ForbiddenError(
            f"{title} forbids measuring ahead: a hint would tell what may not be measured."
        )
    return "true"


def _hints(held: Followed, said: Arguments) -> Answer:
    _may_hint(held, said)
    battle, holder = held.battle, Holder.of(said["by"])
    if held.match.result is not None or (battle.state.game is not None and battle.state.game.over):
        raise ForbiddenError("The game is over.")
    side = next((side for side in battle.next_to_act if side in holder.sides), None)
    if side is None:
        raise ForbiddenError("Another side is to act.")
    return hints_view(battle, side, said["seed"])


def _program(held: Followed, said: Arguments) -> str:
    """What a program does next for a side, of which it knows what that side may know."""
    battle, side = held.battle, said["side"]
    if _rolls_next(battle, side):
        return _dumped({"roll": True})
    known = held.seen_by([side]).match
    turn = turn_of(known, side, said["command"], said["seconds"], Limits(*said["limits"]))
    if turn.resigns:
        return _dumped({"resigns": True})
    failed = turn.failed
    if turn.action is not None and not battle.judge(turn.action, nearest=False).legal:
        failed = "what it wants is refused"
    if failed:
        name = battle.side_name(side)
        raise ProgramError(
            f"{said['name']} did not play for {name}: {failed}. "
            f"Let the computer play for {name}, or play yourself."
        )
    if turn.action is not None:
        return _dumped({"action": action_document(turn.action)})
    return _dumped({"value": thaw(turn.value)})


def _draw(held: Followed, said: Arguments) -> str:
    return _done(held, deeds.draw(held.match, _rolling(said), said["reveals"]))


def _undo(held: Followed, said: Arguments) -> str:
    """Take entries back if that is free; else what is to be proposed."""
    holder, entries = Holder.of(said["by"]), said["entries"]
    by = deeds.in_whose_name(held.battle, holder)
    offer = deeds.undo_offer(held.seen_by(holder.sides).match, holder, entries)
    if offer is None or offer.free:
        # Without an offer the match itself says why.
        return _done(held, deeds.undo(held.match, offer.entries if offer else entries, by))
    return _dumped({"by": by, "says": offer.says, "entries": offer.entries})


def _end(held: Followed, said: Arguments) -> str:
    """A side gives up; or whether something can be proposed, and in whose name."""
    match, holder = held.match, Holder.of(said["by"])
    by = said["side"] or deeds.in_whose_name(held.battle, holder)
    if by not in holder.sides:
        raise ForbiddenError(f"This link does not speak for {held.battle.side_name(by)}.")
    if said["how"] == "time":
        return _done(held, deeds.end(match, replace(deeds.resigned(match, by), how="time"), by))
    if said["how"] == "resign":
        return _done(held, deeds.end(match, deeds.resigned(match, by), by))
    if said["how"] == "draw":
        deeds.end(match, Result("draw"), by)
    return _dumped({"by": by})


def _override(held: Followed, said: Arguments) -> str:
    """Whether the table can be changed so, and in whose name it is proposed."""
    by = deeds.in_whose_name(held.battle, Holder.of(said["by"]))
    if said["looked"]:
        deeds.override(held.match, deeds.events_from(said["events"]), by, said["reason"])
    return _dumped({"by": by})


def _carry_out(held: Followed, said: Arguments) -> str:
    """What has been agreed on."""
    match, by = held.match, said["by"]
    if said["what"] == "undo":
        return _done(held, deeds.undo(match, said["entries"], by))
    if said["what"] == "draw":
        return _done(held, deeds.end(match, Result("draw"), by))
    events = deeds.events_from(said["events"])
    return _done(held, deeds.override(match, events, by, said["reason"]))


# Files


def _number(match: Match, n: int | None) -> int:
    if n is None:
        return len(match.entries)
    if n > len(match.entries):
        raise DocumentError("file", [Fault("n", f"must be from 0 to {len(match.entries)}")])
    return n


def _scene(held: Followed, said: Arguments) -> str:
    battle = held.match.battles[_number(held.match, said["n"])]
    if battle.pending is not None:
        raise AnswerError("a question is open; a scene cannot hold it: take the log")
    return _dumped(battle.scene())


def _case(held: Followed, said: Arguments) -> str:
    _number(held.match, said["n"])
    return _dumped(case_of(held.match, said["n"]))


def _picture(held: Followed, said: Arguments) -> bytes:
    return picture_of(held.match, _number(held.match, said["n"]), said["form"])


def _log(held: Followed, said: Arguments) -> str:
    _tells_all(held, said)
    return log_of(held.match, said["seed"])


def _tells_all(held: Followed, said: Arguments) -> None:
    """Raises ForbiddenError while the others hide what they set up."""
    if held.seen_by(said.get("seen_by", ())) is not held:
        raise ForbiddenError("The others hide what they set up until all are ready.")


# New matches


def _begun(match: Match, said: Arguments, typed: bool) -> str:
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
    return "\n".join([_dumped(about), *match.lines()])


def _copy(held: Followed, said: Arguments) -> str:
    match, at = held.match, said["at"]
    _tells_all(held, said)
    if not 0 <= at <= len(match.entries):
        message = f"must be from 0 to {len(match.entries)}"
        raise DocumentError("copy", [Fault("at", message)])
    why_not = deeds.no_copies(match.battle.system)
    if said["mode"] == "links" and why_not:
        raise ForbiddenError(why_not)
    return _begun(match.upto(at), said, typed=True)


def _rematch(held: Followed, said: Arguments) -> str:
    """A match from the beginning of this one."""
    return _begun(Match.start(held.match.scene), said, typed=bool(said["typed"]))


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
    return _begun(match, {**said, "told": told}, new.mode == "hotseat" or new.dice == "typed")


def _can_be_shown(match: Match) -> None:
    """Raises DocumentError for a log that folds, but whose entries are no entries of a match."""
    try:
        log_lines(match)
        deeds.undo_offer(match, Holder("both", ()))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        message = f"holds an entry that cannot be shown ({type(error).__name__}: {error})"
        raise DocumentError("match", [Fault("log", message[:300])]) from None


# What belongs to no match


def _check(said: Arguments, content: bytes) -> Answer:
    scene = _body(content)
    if not isinstance(scene, dict):
        raise DocumentError("scene", [Fault("", "must be an object")])
    check_scene(scene, said["most"])
    return checked(scene)


def _folder(said: Arguments) -> Path | None:
    return Path(said["folder"]) if said["folder"] else examples_folder()


def _systems(said: Arguments, content: bytes) -> str:
    return _list(catalogue.systems())


def _system(said: Arguments, content: bytes) -> Answer:
    try:
        return catalogue.system(said["name"])
    except UnknownSystemError as error:
        raise MissingError(str(error)) from None


def _roster(said: Arguments, content: bytes) -> Answer:
    try:
        system = load_system(said["name"])
    except UnknownSystemError as error:
        raise MissingError(str(error)) from None
    try:
        found = read_roster(said["text"], system, said["called"])
    except DocumentError as error:
        faults = [FaultShown(path=f.path, message=f.message) for f in error.faults]
        return ListRead(roster=None, faults=faults)
    return ListRead(roster=Roster.model_validate(found.model_dump()))


def _clause(said: Arguments, content: bytes) -> Answer:
    name, clause = said["name"], said["clause"]
    try:
        return catalogue.clause(name, clause)
    except UnknownSystemError as error:
        raise MissingError(str(error)) from None
    except KeyError:
        raise MissingError(f"{name} has no clause {clause!r}") from None


def _examples(said: Arguments, content: bytes) -> str:
    return _list(catalogue.examples(_folder(said)))


def _example(said: Arguments, content: bytes) -> str:
    try:
        return _dumped(catalogue.example(_folder(said), said["name"]))
    except KeyError:
        raise MissingError(f"there is no example {said['name']!r}") from None


def _demo(said: Arguments, content: bytes) -> Answer:
    try:
        return demo(_folder(said))
    except KeyError:
        raise MissingError("this server has nothing to try on its start page") from None


def _demo_try(said: Arguments, content: bytes) -> Answer:
    x, y = said["to"]
    try:
        return demo_try(_folder(said), (x, y))
    except KeyError:
        raise MissingError("this server has nothing to try on its start page") from None


#: What is asked of what a side may know of a match, by name.
_SEEN: dict[str, Callable[[Followed, Arguments], Answer]] = {
    "show": _show,
    "controls": _controls,
    "opening": _opening,
    "try": _try,
    "try answer": _try_answer,
    "reach": _reach,
    "route": _route,
    "odds": _odds,
    "tape": _tape,
    "sight": _sight,
    "view": _view,
    "threat": _threat,
    "may hint": _may_hint,
    "hints": _hints,
    "flush": _flush,
    "at": _at,
    "again": _again,
    "solution": _solution,
    "scene": _scene,
    "case": _case,
    "picture": _picture,
}


def _as_seen(question: Callable[[Followed, Arguments], Answer]) -> Any:
    def asked(held: Followed, said: Arguments) -> Answer:
        # Of whom nothing is said may know nothing that is hidden.
        return question(held.seen_by(said.get("seen_by", ())), said)

    return asked


#: Questions about a match, by name.
ABOUT_A_MATCH: dict[str, Callable[[Followed, Arguments], Answer]] = {
    **{name: _as_seen(question) for name, question in _SEEN.items()},
    "sides": _sides,
    "acting": _waited_for,
    "act": _act,
    "answer": _answer,
    "draw": _draw,
    "think": _think,
    "program": _program,
    "undo": _undo,
    "override": _override,
    "end": _end,
    "carry out": _carry_out,
    "log": _log,
    "copy": _copy,
    "rematch": _rematch,
}

#: Questions about none; the second argument is the body of a call as it came.
OF_ITSELF: dict[str, Callable[[Arguments, bytes], Answer]] = {
    "ready": lambda _said, _content: "true",
    "begin": _begin,
    "check": _check,
    "systems": _systems,
    "system": _system,
    "clause": _clause,
    "roster": _roster,
    "examples": _examples,
    "example": _example,
    "demo": _demo,
    "demo try": _demo_try,
}
