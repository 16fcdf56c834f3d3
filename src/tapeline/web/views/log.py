"""The log of a match in words: what was done, what came of it, by which rule."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from tapeline.dice import Reading, Roll
from tapeline.engine import events as engine
from tapeline.engine.badges import badges_of, looks_of
from tapeline.engine.codec import parse_action
from tapeline.engine.deployment import TRAY
from tapeline.engine.score import points_of, score_words
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.picture.traces import movements_of
from tapeline.picture.words import value_words
from tapeline.play.battle import Battle
from tapeline.play.entries import Entry
from tapeline.play.match import Match
from tapeline.table.bodies import Body
from tapeline.table.marks import EMPTY, Marks, Value, thaw
from tapeline.web.documents.match import Happening, LogLine
from tapeline.web.documents.verdict import Trace
from tapeline.web.views.verdicts import movement_traces
from tapeline.wording import figure, listed, spaced

__all__ = ["action_title", "log_lines"]

What: TypeAlias = Literal["action", "answer", "override", "undo", "result"]

#: Names of events in documents, by class.
_KINDS: dict[type, str] = {made: name for name, made in engine.EVENTS.items()}


def log_lines(match: Match, after: int = 0) -> list[LogLine]:
    """The entries of a match after number `after`, in words."""
    counts = set(match.counting())
    along = pairwise(match.battles.states(after))
    return [
        _line(match, number, before, now, number in counts)
        for number, (before, now) in enumerate(along, after + 1)
    ]


def _line(match: Match, number: int, before: State, after: State, counts: bool) -> LogLine:
    entry = match.entries[number - 1]
    story = _Story(match.battle.system, before, after)
    ways = movement_traces(before, movements_of(before, entry.events))
    if entry.what == "undo":
        back = len(match.upto(number - 1).counting()) - (entry.to or 0)
        title = f"Take back {back} {'entry' if back == 1 else 'entries'}"
    else:
        title = _title(entry, story, ways)
    result, good = "", None
    if entry.what == "action" and entry.action is not None:
        result, good = _told(match.battle.system, entry.action)
        # What did nothing no event tells.
        title += f": {result}" if result and not good else ""
    return LogLine.of(
        entry,
        n=number,
        title=title,
        word=spaced(result).capitalize(),
        good=good,
        happenings=[
            *_alike((told for event in entry.events for told in story.tell(event)), story),
            *_scored(before, after),
        ],
        traces=ways,
        clauses=list(dict.fromkeys(e.clause for e in entry.events if e.clause)),
        dice=bool(entry.answers),
        counts=counts,
        action=None if entry.action is None else dict(entry.action),
        commitments=dict(entry.commitments),
        reveals=dict(entry.reveals),
    )


def _alike(told: Iterable[Happening], story: _Story) -> list[Happening]:
    """What several in a row are marked with alike is told once, with all their names."""
    lines: list[Happening] = []
    found: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for one in told:
        name = story.name(one.about)
        if one.event not in ("marked", "unit_marked"):
            found.clear()
        elif (words := (one.text.removeprefix(name), one.clause)) in found:
            place, names = found[words]
            names.append(name)
            text = f"{listed(names)}{words[0]}"
            lines[place] = lines[place].model_copy(update={"text": text})
            continue
        else:
            found[words] = len(lines), [name]
        lines.append(one)
    return lines


def _scored(before: State, after: State) -> list[Happening]:
    """What an entry did to the score, if anything."""
    if points_of(before) == points_of(after) and not _ends(before, after):
        return []
    return [Happening(event="scored", text=score_words(after), clause="")]


def _ends(before: State, after: State) -> bool:
    return before.game is not None and after.game is not None and before.game.over < after.game.over


def _title(entry: Entry, story: _Story, ways: Sequence[Trace]) -> str:
    """What was done in one line: `Move A. Brandt 3.2 in`."""
    if entry.result is not None:
        return entry.result.words(story.name)
    if entry.what == "override":
        return "Changed by agreement"
    if entry.what == "action" and entry.action is None:
        return "Set up, hidden as yet"
    if entry.what == "answer" or entry.action is None:
        parts = (story.answered(event) for event in entry.events)
        return next((part for part in parts if part), "Answer")
    return _done(entry.action, story, ways)


def _told(system: System, document: Mapping[str, Any]) -> tuple[str, bool | None]:
    """What is told that a shot or blow at somebody did, as `miss`, and whether that is anything."""
    if not isinstance(document.get("target"), str):
        return "", None
    action = parse_action(system, document)
    results = ((getattr(action, name, None), name in action.claims) for name in action.attests)
    return next(((result, did) for result, did in results if isinstance(result, str)), ("", None))


def action_title(battle: Battle, action: Mapping[str, Any], ways: Sequence[Trace]) -> str:
    """An action in one line, as the log would say it: `Move A. Brandt 3.2 in, run`."""
    return _done(action, _Story(battle.system, battle.state, battle.state), ways)


def _done(action: Mapping[str, Any], story: _Story, ways: Sequence[Trace]) -> str:
    if label := story.pressed(action):
        return label
    name = story.name
    words = [story.titles.get(action["kind"]) or spaced(action["kind"]).capitalize()]
    actor, target = action.get("actor"), action.get("target")
    if isinstance(actor, str):
        words.append(name(actor))
    for key, link in (("units", "to"), ("targets", "on")):
        listed = action.get(key)
        if isinstance(listed, list | tuple) and listed:
            if isinstance(actor, str):
                words.append(link)
            words.append(", ".join(name(str(item)) for item in listed))
    if isinstance(target, str):
        words += ["on", name(target)]
    lengths: dict[str, float] = {}
    for way in ways:
        gone = sum(stretch.length for stretch in way.stretches)
        lengths[way.body] = lengths.get(way.body, 0.0) + gone
    far = lengths.get(str(actor), max(lengths.values(), default=0.0))
    turn = action.get("by")
    if far > 0.005:
        words.append(f"{figure(far)} {story.unit}")
    elif ways and isinstance(turn, int | float) and not isinstance(turn, bool):
        words.append(f"by {figure(turn)} degrees")
    said = [key for key, value in action.items() if value is True]
    return ", ".join([" ".join(words), *said])


def _thrown(roll: Roll, faces: Sequence[int], reading: Reading | None) -> dict[str, object]:
    """Dice as they lie, and what the rules read from them."""
    summed = dict.fromkeys(("sum", "sum_highest"), roll.total)
    total = {**summed, "successes": roll.successes}.get(roll.reads)
    thrown: dict[str, object] = {
        "purpose": roll.purpose,
        "faces": list(faces),
        "sides": roll.sides,
        "counts": list(roll.counts(faces)),
        "target": roll.target,
        "total": None if total is None else total(faces),
    }
    if reading is None:
        return thrown
    band = reading.result(roll, faces)
    return thrown | {
        "total": reading.total(roll, faces),
        "word": reading.word(roll, faces),
        "needs": reading.needs(roll),
        "good": None if band is None else band.good,
    }


#: How the name of an outcome ends that is what was tried for, or is not.
_ENDS = {"succeeded": True, "succeeds": True, "failed": False, "blundered": False, "misses": False}


class _Story:
    """Tells the events of an entry in order; knows names, and what was before each event."""

    def __init__(self, system: System, before: State, after: State) -> None:
        self.unit = before.table.unit
        self.titles = {kind: action.title for kind, action in system.actions.items()}
        self._looks = looks_of(system, before)
        self._read = system.reading
        self._steps = system.steps
        self._controls = system.controls
        self._states = (before, after)
        self._marks: dict[str, Marks] = {}
        self._bodies: dict[str, Body] = {}

    def name(self, thing: str | None) -> str:
        """The name of what has an id."""
        if thing is None:
            return ""
        before, after = self._states
        known = before if before.side_of(thing) else after
        return known.name_of(thing)

    def pressed(self, action: Mapping[str, Any]) -> str:
        """What the control is called that leads the game on by an action; "" for any other."""
        if set(action) != {"kind"}:
            return ""
        controls = self._controls(self._states[0], None)
        steps = (c for c in controls if c.group == "step" and dict(c.action) == dict(action))
        return next((control.label for control in steps), "")

    def _body(self, body: str) -> Body:
        """A body as it is just before the event told."""
        before = self._states[0]
        return self._bodies.get(body) or before.bodies.get(body) or before.gone[body]

    def _marks_of(self, thing: str) -> Marks:
        if thing in self._marks:
            return self._marks[thing]
        before = self._states[0]
        found = before.bodies.get(thing) or before.gone.get(thing) or before.units.get(thing)
        return EMPTY if found is None else found.marks

    def tell(self, event: engine.Event) -> list[Happening]:
        """An event in words; what the players need not read gives none."""
        text, about = self._words(event)
        if not text:
            return []
        told = Happening(event=_KINDS[type(event)], text=text, clause=event.clause, about=about)
        if isinstance(event, engine.Happened) and event.outcome:
            ends = [good for words, good in _ENDS.items() if event.name.endswith(words)]
            told = told.model_copy(
                update={"word": event.name.capitalize(), "good": ends[0] if ends else None}
            )
        if isinstance(event, engine.Rolled):
            reading = self._read(self._states[0], event.roll)
            told = told.model_copy(update=_thrown(event.roll, event.faces, reading))
        return [told]

    def _words(self, event: engine.Event) -> tuple[str, str | None]:
        match event:
            case engine.Happened():
                return event.text, event.about
            case engine.Moved():
                return self._moved(event), event.body
            case engine.Rolled():
                return self.answered(event), event.roll.about
            case engine.Answered():
                return self.answered(event), event.choice.about
            case engine.Removed():
                if event.reason == TRAY:
                    return f"{self.name(event.body)} is in the tray again", event.body
                return f"{self.name(event.body)} leaves the table: {event.reason}", event.body
            case engine.Returned():
                body = self._body(event.body)
                self._bodies[event.body] = body.at(event.x, event.y, event.z, event.facing)
                back = "stands" if body.marks.get("gone", TRAY) == TRAY else "is back"
                return f"{body.name} {back} at {_place(event)}", event.body
            case engine.Resized():
                body = self._body(event.body)
                self._bodies[event.body] = body.at(event.x, event.y).based(event.base)
                return f"{body.name} stands on another base", event.body
            case engine.Marked():
                return self._marked(event.body, event.changes), event.body
            case engine.UnitMarked():
                return self._marked(event.unit, event.changes), event.unit
            case engine.TurnChanged():
                return self._turn(event), None
            case _:
                return "", None

    def answered(self, event: engine.Event) -> str:
        """A roll or a choice in words; nothing for other events."""
        if isinstance(event, engine.Rolled):
            faces = ", ".join(map(str, event.faces)) or "no dice"
            said = self._result(event)
            if said:
                return said
            return f"{self.name(event.roll.by)} rolled {faces}: {event.roll.purpose}"
        if not isinstance(event, engine.Answered):
            return ""
        choice, value = event.choice, event.value
        if choice.form == "path":
            chosen = "a path" if value else "to stay"
        else:
            texts = (o.text for o in choice.options if o.value == value and o.text)
            chosen = next(texts, "") or self._value(value)
        return f"{self.name(choice.by)} chose {chosen}: {choice.purpose}"

    def _result(self, event: engine.Rolled) -> str:
        """What came of a roll in a sentence; nothing where the rules read a number."""
        roll = event.roll
        reading = self._read(self._states[0], roll) if event.faces else None
        about = self.name(roll.about or roll.by)
        return "" if reading is None else reading.sentence(about, roll, event.faces)

    def _value(self, value: Value) -> str:
        if isinstance(value, str):
            return self.name(value)
        if value is None:
            return "nothing"
        if isinstance(value, tuple):
            return ", ".join(self._value(item) for item in value) or "nothing"
        return value_words(thaw(value))

    def _moved(self, event: engine.Moved) -> str:
        body = self._body(event.body)
        self._bodies[event.body] = body.at(event.x, event.y, event.z, event.facing)
        gone = math.hypot(event.x - body.x, event.y - body.y, event.z - body.z)
        turned = abs((event.facing - body.facing + 180.0) % 360.0 - 180.0)
        if gone <= 1e-6 and turned > 1e-6:
            return f"{body.name} faces {figure(event.facing % 360.0)} degrees"
        return f"{body.name} stands {'still at' if gone <= 1e-6 else 'at'} {_place(event)}"

    def _marked(self, thing: str, changes: Marks) -> str:
        """The marks that show on the board: those it has now, and those it has no more."""
        before = self._marks_of(thing)
        now = self._marks[thing] = before.update(changes)
        parts, ended = [], []
        for mark, value in changes.items():
            fresh = self._badges(mark, value)
            if fresh:
                parts += [words for words, _ in fresh]
            elif not self._badges(mark, now.get(mark)):
                # Of a number that was there, only what it was of.
                told = isinstance(before.get(mark), str | tuple)
                ended += [b[0] if told else b[1] for b in self._badges(mark, before.get(mark))]
        if ended:
            parts.append("no longer marked " + listed([f'"{words}"' for words in ended]))
        return f"{self.name(thing)}: {', '.join(parts)}" if parts else ""

    def _badges(self, mark: str, value: Value) -> list[tuple[str, str]]:
        found = badges_of(Marks({mark: value}), self._looks, self.name)
        return [(badge.words, badge.what) for badge in found]

    def _turn(self, event: engine.TurnChanged) -> str:
        parts = []
        if event.round is not None:
            parts.append(f"turn {event.round}")
        if event.phase is not None:
            name = spaced(event.phase)
            parts.append(self._steps.get(event.phase, name))
        if event.active is not None:
            parts.append(f"{self.name(event.active)} to act")
        if event.initiative is not None:
            parts.append(f"the initiative is with {self.name(event.initiative)}")
        text = ", ".join(parts)
        return text[:1].upper() + text[1:]


def _place(event: engine.Moved | engine.Returned) -> str:
    up = f", {figure(event.z)} up" if abs(event.z) > 1e-6 else ""
    return f"{figure(event.x)}, {figure(event.y)}{up}"
