"""What a worker answers about a match, as functions by name.

Each takes plain JSON values and gives a document, or text or bytes as they travel, so that whoever
asks need know nothing of the engine. A deed is done on a fork of the match: its lines come back,
and count once they are kept and sent again with the next question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tapeline.bots.process import Limits
from tapeline.bots.program import turn_of
from tapeline.dice import Roll
from tapeline.engine.actions import Action
from tapeline.engine.codec import action_document
from tapeline.errors import AnswerError, DocumentError, Fault
from tapeline.opponent import LEVELS, Opponent
from tapeline.play.battle import Battle
from tapeline.play.entries import Result
from tapeline.play.match import Match, hides_set_up, judged_again
from tapeline.play.opening import opening_of
from tapeline.table.marks import thaw
from tapeline.web.documents.asked import Push
from tapeline.web.documents.match import Act, Again, Answered
from tapeline.web.documents.verdict import Verdict
from tapeline.web.views.asked import (
    Place,
    flush_view,
    odds_view,
    reach_view,
    route_view,
    sight_view,
    tape_view,
    threat_view,
    view_view,
)
from tapeline.web.views.board import board_of
from tapeline.web.views.exports import case_of, log_of, picture_of
from tapeline.web.views.hints import hints_view, lesson_view, puzzle_view, solution_view
from tapeline.web.views.log import log_lines
from tapeline.web.views.verdicts import action_with, control_document, controls_of, verdict_of
from tapeline.web.work import deeds
from tapeline.web.work.faults import ForbiddenError, ProgramError
from tapeline.web.work.followed import Answer, Arguments, Followed, dumped, list_of, text_of
from tapeline.web.work.kinds import Holder, check_action
from tapeline.web.work.no_match import begun

__all__ = ["ABOUT_A_MATCH", "judge_again"]


# The page


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
        "log": list_of(log_lines(match, since)),
        "controls": shown.controls(holder.role == "both") if acts else "[]",
        "undo": text_of(deeds.undo_offer(match, holder)),
        "commitment": dumped(commitment),
        "over": dumped(over),
        "no_copies": dumped(
            deeds.no_copies(match.battle.system) if said["mode"] == "links" else ""
        ),
        "puzzle": text_of(puzzle_view(match)),
        "lesson": text_of(lesson_view(match)),
    }
    return f"{shown.version} " + ",".join(f'"{name}":{text}' for name, text in members.items())


def _opening(held: Followed, said: Arguments) -> str:
    """The presses that make a drag of a body possible, in order."""
    untold = Holder.of(said["by"]).role == "both"
    found = opening_of(held.battle, said["of"], untold=untold)
    return list_of([control_document(control, held.battle.system) for control in found])


def _wanted(held: Followed, said: Arguments) -> Action:
    """The action that is asked about."""
    check_action(said["action"])
    return held.battle.action(action_with(held.battle.system, said["action"]))


def _try(held: Followed, said: Arguments) -> Verdict:
    """The verdict on an action, refused ones with the nearest legal move if that is wanted."""
    action = _wanted(held, said)
    return verdict_of(held.battle, action, held.battle.judge(action, nearest=said["nearest"]))


def _try_answer(held: Followed, said: Arguments) -> Verdict:
    check_action(said["path"])
    return deeds.try_answer(held.battle, Holder.of(said["by"]), said["path"])


def _route(held: Followed, said: Arguments) -> Answer:
    x, y, z = said["to"]
    to: Place = (x, y) if z is None else (x, y, z)
    return route_view(held.battle, said["body"], said["kind"], to)


def _entry(match: Match, n: int, what: str, name: str = "n", least: int = 0) -> int:
    """The number of an entry, 0 for the start. Raises DocumentError for one that is not there."""
    if not least <= n <= len(match.entries):
        message = f"must be from {least} to {len(match.entries)}"
        raise DocumentError(what, [Fault(name, message)])
    return n


def _at(held: Followed, said: Arguments) -> Answer:
    return board_of(held.match.battles[_entry(held.match, said["n"], "at")], terrain=False)


def judge_again(match: Match, number: int) -> Again:
    """Whether the referee rules an entry as before, and in words what differs."""
    what = match.entries[_entry(match, number, "judge again", least=1) - 1].what
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
    return dumped({"lines": lines, "verdict": verdict, "acting": _acting(deed.match), **more})


def _acting(match: Match) -> list[str]:
    """The sides that are waited for."""
    return [] if match.result else [*match.battle.acting]


def _rolling(said: Arguments) -> deeds.Rolling:
    return deeds.Rolling(said["dice"], said["seed"], said["commitments"])


def _act(held: Followed, said: Arguments) -> str:
    wanted = Act.model_validate(said["wanted"])
    check_action(wanted.action)
    return _rolled(held, said, wanted, deeds.act)


def _answer(held: Followed, said: Arguments) -> str:
    given = Answered.model_validate(said["given"])
    check_action(given.value)
    return _rolled(held, said, given, deeds.answer)


def _rolled(
    held: Followed, said: Arguments, wanted: Act | Answered, do: Callable[..., deeds.Deed]
) -> str:
    """Do what may throw dice; what it attests is only told until the others have agreed."""
    holder, rolling = Holder.of(said["by"]), _rolling(said)
    if not said["agreed"] and deeds.attests(held.match, holder, wanted, rolling.dice):
        # Looked at without the dice of the server, which fall when it is done.
        typed = replace(rolling, dice="typed", seed="")
        return _told(held, do(held.match, holder, wanted, typed), wanted)
    return _done(held, do(held.match, holder, wanted, rolling))


def _told(held: Followed, deed: deeds.Deed, wanted: Act | Answered) -> str:
    """What a side attests, to be proposed to the others; or why it cannot be."""
    if deed.verdict is not None and not deed.verdict.legal:
        return _done(held, deed)
    by = deed.match.entries[-1].by
    return dumped({"by": by, "says": deeds.attested(held.match, deed.match, wanted)})


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
        return dumped({"roll": True})
    player = Opponent(LEVELS[said["level"]], said["seed"])
    if battle.pending is not None:
        return dumped({"value": thaw(player.answer(battle))})
    found = player.choose(battle, side)
    if found is None:
        raise ForbiddenError("The table finds nothing that this side can do.")
    return dumped({"action": action_document(found.action)})


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
        return dumped({"roll": True})
    known = held.seen_by([side]).match
    turn = turn_of(known, side, said["command"], said["seconds"], Limits(*said["limits"]))
    if turn.resigns:
        return dumped({"resigns": True})
    failed = turn.failed
    if turn.action is not None and not battle.judge(turn.action, nearest=False).legal:
        failed = "what it wanted was refused"
    if failed:
        name = battle.side_name(side)
        raise ProgramError(
            f"{said['name']} did not play for {name}: {failed}. "
            f"Let the computer play for {name}, or play yourself."
        )
    if turn.action is not None:
        return dumped({"action": action_document(turn.action)})
    return dumped({"value": thaw(turn.value)})


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
    return dumped({"by": by, "says": offer.says, "entries": offer.entries})


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
    return dumped({"by": by})


def _override(held: Followed, said: Arguments) -> str:
    """Whether the table can be changed so, and in whose name it is proposed."""
    by = deeds.in_whose_name(held.battle, Holder.of(said["by"]))
    if said["looked"]:
        deeds.override(held.match, deeds.events_from(said["events"]), by, said["reason"])
    return dumped({"by": by})


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
    return len(match.entries) if n is None else _entry(match, n, "file")


def _scene(held: Followed, said: Arguments) -> str:
    battle = held.match.battles[_number(held.match, said["n"])]
    if battle.pending is not None:
        raise AnswerError("a question is open; a scene cannot hold it: take the log")
    return dumped(battle.scene())


def _case(held: Followed, said: Arguments) -> str:
    _number(held.match, said["n"])
    return dumped(case_of(held.match, said["n"]))


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


def _copy(held: Followed, said: Arguments) -> str:
    match, at = held.match, said["at"]
    _tells_all(held, said)
    _entry(match, at, "copy", "at")
    why_not = deeds.no_copies(match.battle.system)
    if said["mode"] == "links" and why_not:
        raise ForbiddenError(why_not)
    return begun(match.upto(at), said, typed=True)


#: What is asked of what a side may know of a match, by name.
_SEEN: dict[str, Callable[[Followed, Arguments], Answer]] = {
    "show": _show,
    "controls": lambda held, said: list_of(controls_of(held.battle, said["of"])),
    "opening": _opening,
    "try": _try,
    "try answer": _try_answer,
    "reach": lambda held, said: reach_view(held.battle, said["body"], said["kind"], said["storey"]),
    "route": _route,
    "odds": lambda held, said: odds_view(held.battle, _wanted(held, said)),
    "tape": lambda held, said: tape_view(held.battle, said["a"], said["b"]),
    "sight": lambda held, said: sight_view(held.battle, said["a"], said["b"]),
    "view": lambda held, said: view_view(held.battle, said["body"]),
    "threat": lambda held, said: threat_view(
        held.battle, said["by"], said["on"], said["place"], said["bands"]
    ),
    "may hint": _may_hint,
    "hints": _hints,
    "flush": lambda held, said: flush_view(held.battle.state, Push.model_validate(said["push"])),
    "at": _at,
    "again": lambda held, said: judge_again(held.match, said["n"]),
    "solution": lambda held, said: list_of(solution_view(held.match)),
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
    "sides": lambda held, said: dumped([one.id for one in held.match.battles[0].state.sides]),
    "acting": lambda held, said: dumped(_acting(held.match)),
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
    "rematch": lambda held, said: begun(Match.start(held.match.scene), said, typed=said["typed"]),
}
