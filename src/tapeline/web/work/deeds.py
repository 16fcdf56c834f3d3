"""What can be done to a match, as functions: the match before in, the match after out.

A match that is shared is never changed: each deed works on a fork, so that whoever reads meanwhile
reads the match as it was, and a deed that cannot be kept leaves no trace.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any

from tapeline.dice import DiceSource, Roll, SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.asks import Answer, AttestedChoice
from tapeline.engine.codec import event_from, parse_action
from tapeline.engine.events import Answered as AnsweredEvent
from tapeline.engine.events import Event
from tapeline.engine.system import Question, System
from tapeline.errors import AnswerError, DocumentError, Fault
from tapeline.play.battle import Battle
from tapeline.play.entries import Result
from tapeline.play.fairness import Chain, FixedDice, leads
from tapeline.play.match import Match
from tapeline.play.opening import onward_of
from tapeline.play.puzzles import EvenDice, lesson_of, puzzle_of
from tapeline.table.marks import freeze, thaw
from tapeline.web.documents.match import Act, Answered, UndoOffer
from tapeline.web.documents.verdict import Verdict
from tapeline.web.views.log import action_title, log_lines
from tapeline.web.views.verdicts import (
    BY_CHANCE,
    action_with,
    answer_with,
    left_to_chance,
    verdict_of,
)
from tapeline.web.work.faults import ForbiddenError
from tapeline.web.work.kinds import Holder

__all__ = [
    "Deed",
    "Rolling",
    "act",
    "answer",
    "attested",
    "attests",
    "draw",
    "end",
    "events_from",
    "hides",
    "in_whose_name",
    "lines_after",
    "no_copies",
    "override",
    "resigned",
    "try_answer",
    "undo",
    "undo_offer",
]


@dataclass(frozen=True, slots=True)
class Deed:
    """What came of it: the match after, and the verdict on an action or answer."""

    match: Match
    verdict: Verdict | None = None


def _fork(match: Match) -> Match:
    """A match of its own with the same past."""
    return match.upto(len(match.entries))


def lines_after(match: Match, number: int) -> list[str]:
    """The lines of the entries after a number, as they are kept."""
    return [
        json.dumps(entry.document(n), separators=(",", ":"), allow_nan=False)
        for n, entry in enumerate(match.entries[number:], number + 1)
    ]


def _may_act(holder: Holder, battle: Battle, action: Action) -> str:
    """The side in whose name the holder of a link does an action. Raises ForbiddenError."""
    side, acting = battle.side_of(action), battle.acting
    if holder.role == "watch":
        raise ForbiddenError("This link is for looking on: it moves nobody.")
    if holder.role == "both":
        return side or _foremost(battle)
    mine = holder.sides[0]
    if side is not None and side != mine:
        raise ForbiddenError(
            f"This link moves {battle.side_name(mine)}, not {battle.side_name(side)}."
        )
    if side is None and mine not in acting:
        waits = " or ".join(battle.side_name(other) for other in acting)
        raise ForbiddenError(f"This link moves {battle.side_name(mine)}; it is for {waits} to do.")
    return mine


def in_whose_name(battle: Battle, holder: Holder) -> str:
    """The side in whose name something is done that is about no model."""
    if holder.role == "side":
        return holder.sides[0]
    return _foremost(battle) or holder.sides[0]


def _foremost(battle: Battle) -> str:
    """Of the sides that may act the one whose turn it is, else the first; empty if none may."""
    acting, active = battle.acting, battle.state.turn.active
    return active if active in acting else next(iter(acting), "")


def hides(system: System) -> bool:
    """Whether a system has measures that it does not tell at all times."""
    never = next(field.default for field in fields(System) if field.name == "may_measure")
    return system.may_measure is not never


def no_copies(system: System) -> str:
    """Why no copy is made of a match between two in a system that hides measures, "" if it may."""
    if not hides(system):
        return ""
    return (
        f"{system.title} forbids measuring ahead: a copy to try things on would tell what may not "
        "be measured."
    )


def _may_type(holder: Holder, dice: str) -> None:
    if dice == "server" and holder.role != "both":
        raise ForbiddenError("In this match the server rolls the dice.")


@dataclass(frozen=True, slots=True)
class Rolling:
    """How dice come into a match.

    dice: as of the match, "server" or "typed". seed: secret, of the match. commitments: of the
    sides that have a share in the server's dice: a roll is left open until they reveal their keys.
    """

    dice: str
    seed: str
    commitments: Mapping[str, str] = field(default_factory=dict)

    def source(
        self, match: Match, reveals: Mapping[str, str] | None = None
    ) -> FixedDice | SeededDice | EvenDice:
        """The dice of the next entry: a stream of its own, so that none is seen before; in a
        puzzle or lesson all alike."""
        task = puzzle_of(match.scene) or lesson_of(match.scene)
        if task is not None:
            return EvenDice(task.die)
        number = len(match.entries) + 1
        if match.dice is None:
            # A match from before dice were fixed at the start.
            return SeededDice(f"{self.seed}:{number}")
        return Chain(self.seed, match.dice["salt"]).dice(number, reveals)

    def chance(self, match: Match) -> Random | None:
        """What draws a result that is left to chance, the same in the same place of a match; None
        where a deed is only looked at."""
        return Random(f"{self.seed}:{len(match.entries)}:chance") if self.seed else None

    def at_once(self, match: Match) -> FixedDice | SeededDice | EvenDice | None:
        """The server's dice, if it rolls in this match and no side has a share in them."""
        shared = self.commitments and match.dice is not None
        return None if self.dice != "server" or shared else self.source(match)

    def sign(self, match: Match, source: DiceSource | None = None) -> None:
        """Write into the last entry what its dice came from, and whose keys its roll waits for."""
        last = match.entries[-1]
        if isinstance(source, FixedDice) and source.key:
            last = replace(last, key=source.key, reveals=source.reveals)
        if self.dice == "server" and match.dice is not None and _is_roll(match.battle):
            last = replace(last, commitments=self.commitments)
        match.entries[-1] = last


def act(match: Match, holder: Holder, wanted: Act, rolling: Rolling) -> Deed:
    """Do an action: with the faces typed in, then with the server's dice if it rolls them."""
    before = match.battle
    action = before.action(action_with(before.system, wanted.action, rolling.chance(match)))
    by = _may_act(holder, before, action)
    if wanted.faces:
        _may_type(holder, rolling.dice)
    after = _fork(match)
    source = None if wanted.faces else rolling.at_once(after)
    verdict = after.do(action, dice=source, by=by).last
    left = [list(faces) for faces in wanted.faces]
    while left and _rolls(after.battle, holder):
        verdict = after.answer(left.pop(0), by=by).last
        if verdict is not None and not verdict.legal:
            assert after.battle.pending is not None
            raise AnswerError("; ".join(finding.text for finding in verdict.findings))
    if left:
        fault = Fault("faces", f"{len(left)} more than the rules ask for now")
        raise DocumentError("action", [fault])
    if wanted.faces and _is_roll(after.battle) and (source := rolling.at_once(after)):
        verdict = after.answer(dice=source, by=by).last
    if len(after.entries) > len(match.entries):
        rolling.sign(after, source)
        _lead_on(after, holder, wanted.onward)
    assert verdict is not None
    return Deed(after, verdict_of(before, action, verdict))


def _lead_on(match: Match, holder: Holder, sides: Sequence[str]) -> None:
    """Pass the steps in which nobody can do anything, as far as these sides act in them."""
    for step, acting, _ in onward_of(match.battle, untold=holder.role == "both"):
        foremost = (*match.battle.next_to_act, *acting)
        by = next((side for side in foremost if side in sides), None)
        if by is None:
            return
        match.do(dict(step.action), by=by)


def _is_roll(battle: Battle) -> bool:
    return battle.pending is not None and isinstance(battle.pending.ask, Roll)


def _rolls(battle: Battle, holder: Holder) -> bool:
    """Whether dice are asked for that the holder may roll."""
    pending = battle.pending
    return pending is not None and isinstance(pending.ask, Roll) and pending.ask.by in holder.sides


def _may_answer(holder: Holder, battle: Battle) -> str:
    if battle.pending is None:
        raise AnswerError("no question is open")
    asked = battle.pending.ask.by
    if asked not in holder.sides:
        raise ForbiddenError(f"The question is for {battle.side_name(asked)} to answer.")
    return asked


def answer(match: Match, holder: Holder, given: Answered, rolling: Rolling) -> Deed:
    """Answer the open question, then roll on with the server's dice if it rolls them."""
    before = match.battle
    by = _may_answer(holder, before)
    if match.entries and match.entries[-1].commitments:
        raise AnswerError("the dice are thrown as soon as the sides have given their share")
    after = _fork(match)
    source = rolling.source(after) if given.roll else rolling.at_once(after)
    value: Any = given.value
    valued = "value" in given.model_fields_set
    if sum((valued, given.faces is not None, given.roll)) != 1:
        raise DocumentError("answer", [Fault("", "give faces, roll or a value: one of them")])
    if given.roll:
        if not _is_roll(before):
            raise DocumentError("answer", [Fault("roll", "a choice is asked for, no dice")])
        # Only this roll: who types dice in, types in the next one too.
        if rolling.dice == "server":
            battle = after.answer(dice=source, by=by)
        else:
            assert before.pending is not None
            assert isinstance(before.pending.ask, Roll)
            assert source is not None
            faces = source.roll(before.pending.ask)
            battle = after.answer(Answer(faces=faces), by=by)
    elif given.faces is not None:
        _may_type(holder, rolling.dice)
        battle = after.answer(Answer(faces=tuple(given.faces)), dice=source, by=by)
    else:
        assert before.pending is not None
        rng, ask = rolling.chance(match), before.pending.ask
        value = answer_with(before.system, ask, given.value, rng)
        battle = after.answer(value, dice=source, by=by)
    if len(after.entries) > len(match.entries):
        rolling.sign(after, source)
    assert battle.last is not None
    return Deed(after, _answer_verdict(before, value, battle))


def draw(match: Match, rolling: Rolling, reveals: Mapping[str, str]) -> Deed:
    """Throw the dice that waited for the keys of the sides.

    reveals: those that have come; each must lead to the commitment in the entry that asked.
    """
    before, bound = match.battle, match.entries[-1].commitments
    after = _fork(match)
    number = len(after.entries) + 1
    led = {side: key for side, key in reveals.items() if leads(key, number, bound[side])}
    source = rolling.source(after, led)
    assert before.pending is not None
    battle = after.answer(dice=source, by=before.pending.ask.by)
    rolling.sign(after, source)
    return Deed(after, _answer_verdict(before, None, battle))


def _answer_verdict(before: Battle, value: Any, after: Battle) -> Verdict:
    assert after.last is not None
    path = freeze(value) if isinstance(value, list) else None
    return verdict_of(before, None, after.last, answer=path)


def try_answer(battle: Battle, holder: Holder, path: Sequence[Any]) -> Verdict:
    """The verdict on a path given as an answer to the open question. Nothing is rolled."""
    _may_answer(holder, battle)
    after, _ = battle.answer([*path])
    return _answer_verdict(battle, [*path], after)


def attests(match: Match, holder: Holder, wanted: Act | Answered, dice: str) -> bool:
    """Whether a side tells by this, on its own word, what was settled on the real table: faces of
    dice, or results. Where one page moves all sides they agree beside it."""
    battle = match.battle
    if holder.role != "side" or len(battle.state.sides) < 2:
        return False
    if wanted.faces:
        _may_type(holder, dice)
        return True
    if isinstance(wanted, Act):
        if left_to_chance(battle.system, wanted.action):
            return True
        return bool(battle.action(wanted.action).claims)
    ask = None if battle.pending is None else battle.pending.ask
    return isinstance(ask, AttestedChoice) and wanted.value != thaw(ask.default)


def attested(before: Match, after: Match, wanted: Act | Answered) -> str:
    """What a side tells, in words."""
    said = [line.title for line in log_lines(after, len(before.entries))]
    if isinstance(wanted, Act):
        system = before.battle.system
        action = before.battle.action(action_with(system, wanted.action))
        words = [_claim(before.battle, action, *claim) for claim in action.claims.items()]
        if left_to_chance(system, wanted.action):
            said, words = [action_title(before.battle, wanted.action, [])], ["by chance"]
        said[0] += "".join(f", {word}" for word in words if word)
    elif wanted.value == BY_CHANCE and before.battle.pending is not None:
        said = [f"{before.battle.pending.ask.purpose}: by chance"]
    return "; ".join(said)


def _claim(battle: Battle, action: Action, name: str, value: Any) -> str:
    """A field that attests something, in the words in which it is asked for."""
    if name == "kind":
        return ""
    controls = battle.system.controls(battle.state, getattr(action, "actor", None))
    extras = [extra for control in controls for extra in control.extras if extra.name == name]
    label = next((extra.label for extra in extras), name).lower()
    texts = (text for extra in extras for known, text in extra.options if known == value)
    return f"{label}: {next(texts, value)}"


def override(match: Match, events: Sequence[Event], by: str, reason: str) -> Deed:
    """Change the table as agreed."""
    after = _fork(match)
    after.override(events, by=by, reason=reason)
    return Deed(after)


def events_from(documents: Sequence[Any]) -> tuple[Event, ...]:
    """Events from their documents. Raises DocumentError with every fault."""
    faults: list[Fault] = []
    events: list[Event] = []
    for index, document in enumerate(documents):
        try:
            events.append(event_from(document))
        except DocumentError as error:
            faults.extend(
                Fault(f"events[{index}].{f.path}".rstrip("."), f.message) for f in error.faults
            )
    if not documents:
        faults.append(Fault("events", "must hold at least one event"))
    if faults:
        raise DocumentError("override", faults)
    return tuple(events)


def resigned(match: Match, by: str) -> Result:
    """What it comes to that a side gives up. Raises ForbiddenError unless there are two."""
    others = [side.id for side in match.battle.state.sides if side.id != by]
    if len(others) != 1:
        raise ForbiddenError(
            "A side can give up where there are two; here the sides can agree on a draw."
        )
    return Result("resigned", winner=others[0], loser=by)


def end(match: Match, result: Result, by: str) -> Deed:
    """End the match."""
    after = _fork(match)
    after.finish(result, by=by)
    return Deed(after)


def undo(match: Match, entries: int, by: str) -> Deed:
    """Take entries back."""
    after = _fork(match)
    after.undo(entries, by=by)
    return Deed(after)


def undo_offer(match: Match, holder: Holder, entries: int = 1) -> UndoOffer | None:
    """What an undo of so many entries would be for the holder; None if it cannot be had.

    One that would come to a roll for which sides gave their keys takes back what asked for it too,
    and one of a side that would come to a step in which nothing can be done what led there.
    """
    counted = match.counting()
    if holder.role == "watch" or not 1 <= entries <= len(counted):
        return None
    while entries < len(counted) and (
        match.entries[counted[-entries - 1] - 1].commitments
        or (holder.role == "side" and _passed(match, counted[-entries]))
    ):
        entries += 1
    taken = counted[-entries:]
    why = next((reason for number in taken if (reason := _not_free(match, number, holder))), "")
    past = match.upto(taken[0])
    title = log_lines(past, taken[0] - 1)[0].title
    what = title if entries == 1 else f"{entries} entries, from: {title}"
    says = f"Take back: {what}" + (f" ({why}: the other side must agree)" if why else "")
    begun = _activation(match, counted)
    return UndoOffer(entries=entries, free=not why, says=says, activation=begun)


def _not_free(match: Match, number: int, holder: Holder) -> str:
    """Why an entry is not taken back by its own side alone, "" if it is."""
    entry = match.entries[number - 1]
    if {"puzzle", "lesson"} & match.scene.keys():
        return ""
    if entry.what in ("override", "result"):
        return "it was agreed on" if entry.what == "override" else "the match has ended"
    if entry.commitments or any(answer.faces is not None for answer in entry.answers):
        return "dice were thrown"
    if entry.by not in holder.sides and _lost(match, number, holder):
        return ""
    chosen = {event.choice.by for event in entry.events if isinstance(event, AnsweredEvent)}
    others = entry.by not in holder.sides and not _passed(match, number)
    if holder.role != "both" and (others or chosen - {*holder.sides}):
        return "another side had a hand in it"
    if holder.role != "both" and _tells(match, number):
        return "it has told what could not be measured before"
    return ""


def _passed(match: Match, number: int) -> bool:
    """Whether entry `number` ended a step in which nothing else could be done."""
    action = match.entries[number - 1].action
    if action is None or "actor" in action:
        return False
    step = next((step for step, *_ in onward_of(match.battles[number - 1])), None)
    return step is not None and dict(step.action) == dict(action)


def _lost(match: Match, number: int, holder: Holder) -> bool:
    """Whether entry `number` is what another side attested of a loss of the holder's."""
    entry, before = match.entries[number - 1], match.battles[number - 1]
    if entry.action is None or not parse_action(before.system, entry.action).claims:
        return False
    hurt = {getattr(event, "body", None) for event in entry.events}
    return any(
        body.side in holder.sides for body in before.state.bodies.values() if body.id in hurt
    )


def _tells(match: Match, number: int) -> bool:
    """Whether entry `number` told what the rules let nobody measure before it."""
    system, entry = match.battle.system, match.entries[number - 1]
    if not hides(system):
        return False
    before, after = (match.battles[n].state for n in (number - 1, number))
    if system.may_measure(before, Question("tape")):
        return not system.may_measure(after, Question("tape"))
    if entry.action is None:
        return False
    action = parse_action(system, entry.action)
    return bool(system.may_measure(before, Question.odds(action)))


def _activation(match: Match, counted: Sequence[int]) -> int | None:
    """How many entries back the body or unit that acted last began to act; None if none did."""
    found: int | None = None
    actor: Any = None
    for back, number in enumerate(reversed(counted), 1):
        entry = match.entries[number - 1]
        if entry.what == "answer":
            continue
        named = None if entry.action is None else entry.action.get("actor")
        if named is None or (actor is not None and named != actor):
            break
        actor, found = named, back
    return found
