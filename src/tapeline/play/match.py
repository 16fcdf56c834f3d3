"""A match: a battle with its log. The log is append-only and is the only truth.

A log file is JSON lines. The first line is the header with the scene; every other line is one
entry: an action, an answer, an override, an undo or a result, with what it brought about and the
hash of the state after it. After a result nothing is written but an undo of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from tapeline.dice import DiceSource
from tapeline.engine.asks import Answer
from tapeline.engine.codec import action_document, ask_document, event_document, parse_action
from tapeline.engine.deployment_actions import PickUp, SetUp, held_with
from tapeline.engine.digest import digest
from tapeline.engine.events import Answered, Event, Rolled
from tapeline.engine.referee import Session
from tapeline.engine.state import State
from tapeline.errors import AnswerError, DocumentError, Fault, LogError, MatchOverError, in_one_line
from tapeline.play.battle import UNSAID, Battle, Chooser, load, resume
from tapeline.play.entries import Entry, Result, entry_from, read_at
from tapeline.play.fairness import check_dice
from tapeline.play.files import write_whole
from tapeline.play.past import Past, after_entries
from tapeline.table.json_documents import content_of, parse_json, read_json
from tapeline.table.marks import Marks

__all__ = [
    "LOG_FORMAT",
    "Match",
    "Mismatch",
    "differences",
    "hides_set_up",
    "judged_again",
    "read_log",
    "rereferee",
    "seen_by",
]

LOG_FORMAT = "tapeline-log/1"
T = TypeVar("T")


@dataclass
class Match:
    """A battle being played, with every entry since its scene and every battle on the way.

    battles: the one after each entry, the start first. Those long ago are made again from the log
    when they are asked for, and come without the verdict that `Battle.last` holds. dice: what the
    header tells of dice fixed beforehand, as of `fairness.check_dice`, None if nothing.
    """

    scene: dict[str, Any]
    entries: list[Entry]
    battles: Past
    dice: dict[str, Any] | None = None
    _counting: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    _looked_at: int = field(default=0, init=False, repr=False, compare=False)

    @classmethod
    def start(cls, scene: str | Path | dict[str, Any]) -> Match:
        """A match from a scene document or file. Raises DocumentError."""
        document = scene if isinstance(scene, dict) else read_json(scene)
        entries: list[Entry] = []
        return cls(document, entries, Past(load(document), entries))

    def upto(self, number: int) -> Match:
        """A match of its own with the same past up to entry `number`, 0 for the start."""
        entries = self.entries[:number]
        return Match(self.scene, entries, self.battles.upto(number, entries), self.dice)

    @property
    def battle(self) -> Battle:
        """The battle as it stands now."""
        return self.battles[-1]

    def do(
        self,
        request: Any,
        *,
        dice: DiceSource | None = None,
        answers: Iterable[Any] = (),
        chooser: Chooser | None = None,
        by: str = "",
    ) -> Battle:
        """Do an action and write it down; an illegal one is not written (see `battle.last`).

        This and what follows raise MatchOverError once the match has ended.
        """
        self._go_on()
        battle = self.battle
        action = battle.action(request)
        after, events = battle.play(action, dice=dice, answers=answers, chooser=chooser)
        verdict = after.last
        assert verdict is not None
        if not events and after.pending is None and not verdict.legal:
            return after
        self._keep("action", after, events, by, action=action_document(action))
        return after

    def answer(
        self,
        value: Any = UNSAID,
        *,
        dice: DiceSource | None = None,
        answers: Iterable[Any] = (),
        chooser: Chooser | None = None,
        by: str = "",
    ) -> Battle:
        """Answer the open question and write it down; a refused answer is not written."""
        self._go_on()
        after, events = self.battle.answer(value, dice=dice, answers=answers, chooser=chooser)
        if events:
            self._keep("answer", after, events, by)
        return after

    def override(self, events: Iterable[Event], *, by: str, reason: str) -> Battle:
        """Change the table by agreement, whatever the rules say; marked in the log for ever."""
        self._go_on()
        if not reason.strip():
            raise DocumentError("override", [Fault("reason", "must say why the players agreed")])
        events = tuple(events)
        after = self.battle.override(events)
        self._keep("override", after, events, by, reason=reason)
        return after

    @property
    def result(self) -> Result | None:
        """How the match has ended, None while it goes on."""
        counted = self._counted()
        return self.entries[counted[-1]].result if counted else None

    def finish(self, result: Result, *, by: str = "") -> None:
        """End the match: a side gives up, or all agree on a draw. An undo takes it back."""
        self._go_on()
        self.entries.append(Entry("result", self.battle.hash, by=by, result=result))
        self.battles.append(self.battle)

    def _go_on(self) -> None:
        """Raises MatchOverError once the match has ended."""
        result = self.result
        if result is not None:
            words = result.words(self.battle.side_name)
            raise MatchOverError(f"The match is over. {words} An undo of that goes on with it.")

    def undo(self, entries: int = 1, *, by: str = "") -> Battle:
        """Go back by some entries. The log keeps what was undone and says that it was."""
        counted = self._counted()
        if not 1 <= entries <= len(counted):
            message = f"there are {len(counted)} entries to undo; got {entries}"
            raise DocumentError("undo", [Fault("entries", message)])
        left = len(counted) - entries
        back_to = 0 if left == 0 else counted[left - 1] + 1
        back = self.battles[back_to]
        self.entries.append(Entry("undo", back.hash, by=by, to=left))
        self.battles.append(back, back_to)
        return back

    def counting(self) -> list[int]:
        """Numbers of the entries that still count after undos, in order, from 1."""
        return [index + 1 for index in self._counted()]

    def _counted(self) -> list[int]:
        """Indices of the entries that still count after undos, in order."""
        counted = self._counting
        for index in range(self._looked_at, len(self.entries)):
            entry = self.entries[index]
            if entry.what == "undo":
                del counted[entry.to :]
            else:
                counted.append(index)
        self._looked_at = len(self.entries)
        return counted

    def _keep(
        self,
        what: str,
        after: Battle,
        events: tuple[Event, ...],
        by: str,
        action: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> None:
        ask = None if after.pending is None else ask_document(after.pending.ask)
        answers = () if what == "override" else answers_in(events)
        self.entries.append(Entry(what, after.hash, action, answers, events, ask, by, None, reason))
        self.battles.append(after)

    def lines(self) -> Iterator[str]:
        """The log, a line at a time, without line ends."""
        header = {"format": LOG_FORMAT, "scene": self.scene, "hash": self.battles[0].hash}
        if self.dice is not None:
            header["dice"] = self.dice
        yield json.dumps(header, separators=(",", ":"), allow_nan=False)
        for number, entry in enumerate(self.entries, 1):
            yield json.dumps(entry.document(number), separators=(",", ":"), allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Write the log to a file; the file appears whole or not at all."""
        write_whole(path, "".join(line + "\n" for line in self.lines()).encode())

    @classmethod
    def replay(cls, source: str | Path | Iterable[str]) -> Match:
        """The match of a log, by folding its events; every hash is checked.

        Raises DocumentError for a malformed log, LogError where a hash differs.
        """
        header, entries = read_log(source)
        match = cls.start(header["scene"])
        if header["hash"] != match.battle.hash:
            raise LogError("the scene gives another state than the log was begun with", 0)
        match.dice = header.get("dice")
        for number, entry in enumerate(entries, 1):
            match._fold(number, entry)
        return match

    def follow(self, lines: Iterable[str]) -> None:
        """Go on by further lines of the log, as somebody else has written them.

        Raises DocumentError for a malformed line, LogError where a hash differs.
        """
        for line in lines:
            number = len(self.entries) + 1
            entry = entry_from(parse_json(line, f"log entry {number}"), number + 1, number)
            self._fold(number, entry)

    def retold(self, tell: Callable[[Entry], Entry]) -> Match:
        """The match that comes about when each entry is told otherwise; no hash is checked."""
        entries: list[Entry] = []
        told = Match(self.scene, entries, Past(self.battles[0], entries), self.dice)
        for number, entry in enumerate(self.entries, 1):
            told._fold(number, tell(entry), checked=False)
        return told

    def _fold(self, number: int, entry: Entry, *, checked: bool = True) -> None:
        back_to: int | None = None
        if entry.what == "undo":
            counted = self._counted()
            left = entry.to if entry.to is not None else -1
            if not 0 <= left < len(counted):
                raise LogError(f"entry {number}: undoes to {left} of {len(counted)}", number)
            back_to = 0 if left == 0 else counted[left - 1] + 1
            after = self.battles[back_to]
        elif self.result is not None:
            raise LogError(f"entry {number}: the match had ended before it", number)
        elif entry.what == "result":
            after = self.battle
        else:
            after = after_entries(self.battle, [(number, entry)])
        if checked and after.hash != entry.hash:
            raise LogError(f"entry {number}: the state after it differs from the log", number)
        self.entries.append(entry)
        self.battles.append(after, back_to)


def answers_in(events: Iterable[Event]) -> tuple[Answer, ...]:
    """The dice and choices that events report, in order."""
    found = []
    for event in events:
        if isinstance(event, Rolled):
            found.append(Answer(faces=event.faces))
        elif isinstance(event, Answered):
            found.append(Answer(value=event.value))
    return tuple(found)


def read_log(source: str | Path | Iterable[str]) -> tuple[dict[str, Any], list[Entry]]:
    """Header and entries of a log file or of its lines. Raises DocumentError, OSError."""
    if isinstance(source, str | Path):
        what = str(source)
        lines: list[str | bytes] = [*content_of(source).split(b"\n")]
    else:
        what, lines = "log", [*source]
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise DocumentError(what, [Fault("", "is empty")])
    header = parse_json(rows[0][1], f"{what} line 1")
    format = header.get("format") if isinstance(header, dict) else None
    if format != LOG_FORMAT:
        message = f"must be {LOG_FORMAT!r}; got {format!r}"[:120]
        raise DocumentError(what, [Fault("line 1.format", message)])
    if not isinstance(header.get("scene"), dict) or not isinstance(header.get("hash"), str):
        raise DocumentError(what, [Fault("line 1", "needs scene and hash")])
    unknown = set(header) - {"format", "scene", "hash", "dice"}
    if unknown:
        raise DocumentError(what, [Fault(f"line 1.{sorted(unknown)[0]}", "is not a known key")])
    if "dice" in header:
        read_at("line 1.dice", check_dice, header["dice"])
    entries: list[Entry] = []
    faults: list[Fault] = []
    due = 1  # the number of the next entry; 0 after a line that has none: one gap is one fault
    for number, line in rows[1:]:
        n = -1
        try:
            data = parse_json(line, what)
            if isinstance(data, dict) and isinstance(data.get("n"), int):
                n = data["n"]
            entries.append(entry_from(data, number, due or n))
        except DocumentError as error:
            faults += error.faults_at(f"line {number}")
        due = n + 1
    if faults:
        [*others, last] = faults
        if not others and last.path == f"line {rows[-1][0]}" and "is not JSON" in last.message:
            hint = "perhaps the file was cut off there: without this line it can be read"
            faults = [Fault(last.path, f"{last.message}; {hint}")]
        raise DocumentError(what, faults)
    return header, entries


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first entry that a second referee rules otherwise."""

    entry: int
    message: str


def rereferee(
    source: str | Path | Iterable[str], progress: Callable[[int], None] | None = None
) -> tuple[Match, Mismatch | None]:
    """Judge every action of a log again with the dice and choices it used.

    Gives the match as judged up to the first difference, and that difference or None.
    Overrides are folded as they stand: they are the players' own. Raises DocumentError.
    """
    header, entries = read_log(source)
    match = Match.start(header["scene"])
    match.dice = header.get("dice")
    if header["hash"] != match.battle.hash:
        return match, Mismatch(0, "the scene gives another state than the log was begun with")
    for number, entry in enumerate(entries, 1):
        if progress is not None:
            progress(number)
        try:
            message = _differs(match.battle, entry)
            if message is None:
                match._fold(number, entry)
        except (DocumentError, AnswerError, LogError) as error:
            message = in_one_line(error)
        if message is not None:
            return match, Mismatch(number, message)
    return match, None


def judged_again(match: Match, number: int) -> str | None:
    """How a second referee rules an entry of a match otherwise, None if as before.

    number: from 1. The entry is judged where the log had come to then, with its dice and choices.
    """
    try:
        return _differs(match.upto(number - 1).battle, match.entries[number - 1])
    except (DocumentError, AnswerError, LogError) as error:
        return in_one_line(error)


def differences(
    source: str | Path | Iterable[str], options: Mapping[str, str] | None = None
) -> tuple[Match, list[Mismatch]]:
    """Every entry of a log that would be ruled otherwise, and the match as the log tells it.

    Each entry is judged where the log had come to then, with its dice and choices, whatever came
    of those before. options: readings to judge under instead of the log's own; hashes then differ
    by themselves and are not compared. Raises DocumentError for a log or a reading that cannot be
    used, LogError where the log cannot be folded any further.
    """
    header, entries = read_log(source)
    changed = {**header["scene"].get("options", {}), **(options or {})}
    readings = load({**header["scene"], "options": changed}).state.options
    match = Match.start(header["scene"])
    other = readings != match.battle.state.options
    found = []
    if header["hash"] != match.battle.hash:
        found.append(Mismatch(0, "the scene gives another state than the log was begun with"))
    for number, entry in enumerate(entries, 1):
        try:
            battle = _under(match.battle, readings) if other else match.battle
            message = _differs(battle, entry, hashes=not other)
        except (DocumentError, AnswerError, LogError) as error:
            message = in_one_line(error)
        if message is not None:
            found.append(Mismatch(number, message))
        match._fold(number, entry, checked=False)
    return match, found


def _under(battle: Battle, readings: Marks) -> Battle:
    """A battle with other readings in force."""
    pending = battle.pending
    if pending is not None:
        pending = replace(pending, start=replace(pending.start, options=readings))
    return replace(battle, state=replace(battle.state, options=readings), pending=pending)


def _differs(battle: Battle, entry: Entry, *, hashes: bool = True) -> str | None:
    if entry.what in ("undo", "result"):
        return None
    if entry.what == "override":
        if battle.override(entry.events).hash != entry.hash and hashes:
            return "the state after it differs"
        return None
    if entry.what == "action":
        action = parse_action(battle.system, entry.action)
        if battle.pending is not None:
            return "an action while a question was open"
        session = Session(battle.system, battle.state, action)
        before = 0
    else:
        if battle.pending is None:
            return "an answer, but no question was open"
        session = resume(battle.system, battle.pending)
        before = len(session.events)
    if session.ask is None and not session.verdict.legal:
        return _why(session)
    for answer in entry.answers:
        if session.ask is None:
            return "more answers than the rules ask for"
        if not session.send(answer):
            return _why(session)
    events = session.events[before:]
    for index, (ours, theirs) in enumerate(zip(events, entry.events, strict=False)):
        if _essence(ours) != _essence(theirs):
            return (
                f"event {index + 1} is {event_document(ours)}, the log has {event_document(theirs)}"
            )
    if len(events) != len(entry.events):
        return f"{len(events)} events, the log has {len(entry.events)}"
    ask = None if session.ask is None else ask_document(session.ask)
    if (ask is None) != (entry.ask is None):
        return "a question is open, the log has none" if ask else "no question is open"
    if ask != entry.ask:
        return f"the open question is {ask}, the log has {entry.ask}"
    if hashes and digest(session.state) != entry.hash:
        return "the state after it differs"
    return None


def _essence(event: Event) -> dict[str, Any]:
    """An event without its sentence for people, which a later version may word better."""
    return {key: value for key, value in event_document(event).items() if key != "text"}


def _why(session: Session) -> str:
    reasons = "; ".join(f"{f.text} ({f.clause})" for f in session.verdict.findings)
    return f"is illegal: {reasons}"


#: Actions of setting up that name where something stands, or that it does.
_TELLING = (SetUp.kind, PickUp.kind)


def hides_set_up(state: State) -> bool:
    """Whether a set-up goes on that the sides hide from one another."""
    return state.deployment is not None and state.deployment.hidden


def seen_by(match: Match, sides: Collection[str]) -> Match:
    """The match as those who move these sides may know it: itself, unless a set-up is hidden.

    Else what the others set up waits in their trays still, and their entries have no action and no
    events. It is to be looked at only: what is done counts on the match itself.
    """
    start = match.battles[0].state
    if not hides_set_up(match.battle.state) or {s.id for s in start.sides} <= {*sides}:
        return match

    def told(entry: Entry) -> Entry:
        action = entry.action
        if action is None or action["kind"] not in _TELLING:
            return entry
        if held_with(start, action["actor"]).side in sides:
            return entry
        return replace(entry, action=None, events=())

    return match.retold(told)
