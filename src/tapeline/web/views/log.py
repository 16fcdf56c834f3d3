"""The log of a match in words: what was done, what came of it, by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from tapeline.engine import events as engine
from tapeline.engine.state import State
from tapeline.engine.verdicts import Movement
from tapeline.picture.words import figure, value_words
from tapeline.play.match import Entry, Match
from tapeline.table.marks import Marks, Value, thaw
from tapeline.web.documents.match import Happening, LogLine
from tapeline.web.documents.verdict import Trace
from tapeline.web.views.verdicts import movement_traces

__all__ = ["counting", "log_lines", "movements_of"]


def log_lines(match: Match, after: int = 0) -> list[LogLine]:
    """The entries of a match after number `after`, in words."""
    counts = counting(match)
    return [
        _line(match, number, number in counts)
        for number in range(after + 1, len(match.entries) + 1)
    ]


def counting(match: Match) -> list[int]:
    """Numbers of the entries that still count after undos, in order."""
    counted: list[int] = []
    for number, entry in enumerate(match.entries, 1):
        if entry.what == "undo":
            del counted[entry.to :]
        else:
            counted.append(number)
    return counted


def _line(match: Match, number: int, counts: bool) -> LogLine:
    entry = match.entries[number - 1]
    before, after = match.battles[number - 1].state, match.battles[number].state
    names = _Names(before, after)
    ways = movement_traces(before, movements_of(before, entry.events))
    happenings = [h for event in entry.events for h in _happenings(event, names)]
    return LogLine(
        n=number,
        what=entry.what,  # type: ignore[arg-type]
        by=entry.by,
        title=_title(entry, names, ways),
        happenings=happenings,
        traces=ways,
        clauses=list(dict.fromkeys(e.clause for e in entry.events if e.clause)),
        dice=bool(entry.answers),
        counts=counts,
        reason=entry.reason,
        action=None if entry.action is None else dict(entry.action),
    )


class _Names:
    """Names of all that an entry may speak of."""

    def __init__(self, before: State, after: State) -> None:
        self.unit = before.table.unit
        self._known: dict[str, str] = {}
        for state in (before, after):
            for group in (state.bodies, state.gone, state.units):
                self._known.update({key: thing.name for key, thing in group.items()})
        self._known.update({side.id: side.name for side in after.sides})
        self._known.update({e.id: e.name or e.id for e in after.table.entries})

    def __call__(self, name: str | None) -> str:
        return "" if name is None else self._known.get(name, name)


def _title(entry: Entry, names: _Names, ways: Sequence[Trace]) -> str:
    """What was done in one line: `Move A. Brandt 3.2 in`."""
    if entry.what == "undo":
        return f"Undo back to {entry.to} {'entry' if entry.to == 1 else 'entries'}"
    if entry.what == "override":
        return "Changed by agreement"
    if entry.what == "answer" or entry.action is None:
        parts = [_answered(event, names) for event in entry.events]
        return next((part for part in parts if part), "Answer")
    action = entry.action
    words = [str(action["kind"]).replace("_", " ").capitalize()]
    actor, target = action.get("actor"), action.get("target")
    if isinstance(actor, str):
        words.append(names(actor))
    for key in ("units", "targets"):
        listed = action.get(key)
        if isinstance(listed, Sequence) and not isinstance(listed, str):
            words.append("on" if key == "targets" else "to")
            words.append(", ".join(names(str(name)) for name in listed))
    if isinstance(target, str):
        words += ["on", names(target)]
    far = max((sum(s.length for s in way.stretches) for way in ways), default=0.0)
    if far > 0.005:
        words.append(f"{figure(far)} {names.unit}")
    return " ".join(words)


def _answered(event: engine.Event, names: _Names) -> str:
    if isinstance(event, engine.Rolled):
        return _rolled(event, names)
    if isinstance(event, engine.Answered):
        return f"{names(event.choice.by)} chooses{_chosen(event, names)}"
    return ""


def _rolled(event: engine.Rolled, names: _Names) -> str:
    faces = ", ".join(map(str, event.faces)) or "no dice"
    return f"{names(event.roll.by)} rolls {faces}: {event.roll.purpose}"


def _chosen(event: engine.Answered, names: _Names) -> str:
    choice = event.choice
    if choice.form == "path":
        legs = event.value if isinstance(event.value, tuple) else ()
        return " a path" if legs else " to stay"
    text = next((o.text for o in choice.options if o.value == event.value and o.text), "")
    return f": {text or _value(event.value, names)}"


def _value(value: Value, names: _Names) -> str:
    if isinstance(value, str):
        return names(value)
    if value is None:
        return "nothing"
    if isinstance(value, tuple):
        return ", ".join(_value(item, names) for item in value) or "none"
    return value_words(thaw(value))


def movements_of(before: State, events: Sequence[engine.Event]) -> list[Movement]:
    """What moved in events, in order, from a state."""
    at = {body.id: body for body in (*before.gone.values(), *before.bodies.values())}
    moved = []
    for event in events:
        if isinstance(event, engine.Moved) and event.body in at:
            body = at[event.body]
            end = (event.x, event.y, event.z)
            start = (body.x, body.y, body.z)
            moved.append(Movement(body.id, start, event.path, end, event.facing))
            at[body.id] = body.at(*end, event.facing)
        elif isinstance(event, engine.Returned) and event.body in at:
            at[event.body] = at[event.body].at(event.x, event.y, event.z, event.facing)
        elif isinstance(event, engine.Resized) and event.body in at:
            at[event.body] = at[event.body].at(event.x, event.y).based(event.base)
    return moved


def _happenings(event: engine.Event, names: _Names) -> list[Happening]:
    """An event in words; what the players need not read gives none."""
    text, about = "", None
    match event:
        case engine.Happened():
            text, about = event.text, event.about
        case engine.Moved():
            about = event.body
            up = f", {figure(event.z)} up" if abs(event.z) > 1e-6 else ""
            text = f"{names(about)} stands at {figure(event.x)}, {figure(event.y)}{up}"
        case engine.Rolled():
            text, about = _rolled(event, names), event.roll.about
        case engine.Answered():
            about = event.choice.about
            text = f"{names(event.choice.by)} chooses{_chosen(event, names)}"
        case engine.Removed():
            text, about = f"{names(event.body)} leaves the table: {event.reason}", event.body
        case engine.Returned():
            about = event.body
            text = f"{names(about)} is back at {figure(event.x)}, {figure(event.y)}"
        case engine.Resized():
            text, about = f"{names(event.body)} stands on another base", event.body
        case engine.Marked():
            about = event.body
            text = _marks(names(about), event.changes, names)
        case engine.UnitMarked():
            about = event.unit
            text = _marks(names(about), event.changes, names)
        case engine.TurnChanged():
            text = _turn(event, names)
        case engine.Progressed():
            text = ""
    if not text:
        return []
    kind = next(name for name, made in engine.EVENTS.items() if type(event) is made)
    told = Happening(event=kind, text=text, clause=event.clause, about=about)
    if isinstance(event, engine.Rolled):
        told = told.model_copy(update={"faces": list(event.faces), "sides": event.roll.sides})
    return [told]


def _marks(name: str, changes: Marks, names: _Names) -> str:
    parts = []
    for mark, value in changes.items():
        words = mark.replace("_", " ").replace("-", " ")
        if value is None or value is False or value == () or value == 0:
            parts.append(f"no longer {words}")
        elif value is True:
            parts.append(words)
        else:
            parts.append(f"{words} {_value(value, names)}")
    return f"{name}: {', '.join(parts)}" if parts else ""


def _turn(event: engine.TurnChanged, names: _Names) -> str:
    parts = []
    if event.round is not None:
        parts.append(f"turn {event.round}")
    if event.phase is not None:
        parts.append(event.phase.replace("_", " ").replace("-", " "))
    if event.active is not None:
        parts.append(f"{names(event.active)} to act")
    if event.initiative is not None:
        parts.append(f"{names(event.initiative)} has the initiative")
    return ", ".join(parts).capitalize()
