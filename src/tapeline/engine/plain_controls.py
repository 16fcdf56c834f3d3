"""Controls of a system that says none of its own: read off the fields of its actions.

How a field is read: `path` of legs, a tuple of parts with a path each (stands), a point with or
without an angle `facing` or `by` beside it, `distance`, `by`, ids, one id; a choice of words, a
flag or a number is an extra. A text that is listed in what the body's profile says under the name
of the field, or of the action for a field `name` (with or without an s), is one of those words.
An action that needs two gestures of the hand, such as a path and a place, gets no control.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from tapeline.engine.actions import Action
from tapeline.engine.clauses import DECLARED
from tapeline.engine.controls import Control, Extra, Gesture
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Rules, Run, judge
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.errors import UnknownIdError
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks, Value

__all__ = ["plain_controls"]

_Form: TypeAlias = Literal[
    "path", "stands", "point", "distance", "turn", "ids", "id", "flag", "one", "some", "number", ""
]

#: Forms that take a gesture of the hand, the one that is looked for first before the others.
_BY_HAND: tuple[_Form, ...] = ("path", "stands", "point", "distance", "turn", "ids", "id")
#: Those that may be the gesture of an action that can do without.
_LEFT_OUT: tuple[_Form, ...] = ("path", "stands", "point")
_GESTURES: dict[_Form, Gesture] = {
    "path": "path",
    "stands": "stands",
    "point": "place",
    "distance": "distance",
    "turn": "turn",
    "ids": "pick_many",
    "id": "pick",
}
#: Names of an angle beside a point.
_ANGLES: tuple[Literal["facing", "by"], ...] = ("facing", "by")


@dataclass(frozen=True, slots=True)
class _Part:
    """A field of an action: what is to be given for it. words: of a choice."""

    name: str
    form: _Form
    required: bool
    default: Any
    words: tuple[str, ...] = ()


def plain_controls(system: Rules, state: State, of: str | None) -> Iterator[Control]:
    """What the actions of a system ask for: those without an actor, or those of a body or unit.

    What may be done now comes first; the others say why not as far as that is known before they
    are completed. What is ordered of units is had by each of their bodies. Raises UnknownIdError
    for an id that is neither a body nor a unit on the table.
    """
    actors: list[Body | Unit | None] = [None] if of is None else _actors(state, of)
    barred = []
    for kind in system.actions.values():
        begun = _begun(system, state, kind, actors)
        if begun is None:
            continue
        control, findings = begun
        if findings:
            barred.append((control, findings))
        else:
            yield control
    for control, findings in barred:
        yield replace(control, why_not=findings)


def _actors(state: State, of: str) -> list[Body | Unit | None]:
    """Who may be ordered under an id: a unit, or a body and the unit it is of."""
    if of in state.units:
        return [state.units[of]]
    return [state.body(of), *filter(None, [state.unit_of(of)])]


def _begun(
    system: Rules, state: State, kind: type[Action], actors: list[Body | Unit | None]
) -> tuple[Control, tuple[Finding, ...]] | None:
    """The control of a kind of action for the first who can be ordered so, and what bars it."""
    last: tuple[Control, tuple[Finding, ...]] | None = None
    for actor in actors:
        control = _control(state, kind, actor)
        if control is None:
            continue
        try:
            if state.units:
                sample = _sample(kind, control, actor)
                Run(system, state, sample).check(sample, DECLARED)
            return control, _why_not(system, state, kind, control)
        except UnknownIdError as error:
            # Not ordered of such an actor; or else what the sample names for a slot will not do.
            if actor is None or repr(actor.id) not in str(error):
                last = control, ()
    return last


def _sample(kind: type[Action], control: Control, actor: Body | Unit | None) -> Action:
    """Some action that the control may lead to."""
    filled: dict[str, Any] = {}
    for part in _parts(kind):
        if part.required and part.name not in control.action:
            first = control.candidates[:1]
            filled[part.name] = {
                "path": (),
                "stands": (),
                "point": actor.centre if isinstance(actor, Body) else (0.0, 0.0),
                "ids": first,
                "id": first[0] if first else "",
            }.get(part.form, 1.0)
    return kind(**{**_settled(control), **filled})


def _settled(control: Control) -> dict[str, Any]:
    return {name: value for name, value in control.action.items() if name != "kind"}


def _why_not(
    system: Rules, state: State, kind: type[Action], control: Control
) -> tuple[Finding, ...]:
    """What bars the action as far as it has been begun; nothing if too much of it is open."""
    settled = _settled(control)
    parts = {part.name: part for part in _parts(kind)}
    if any(part.required and name not in settled for name, part in parts.items()):
        return ()
    if any(parts[extra.name].required for extra in control.extras):
        return ()  # another value than the one it has at first may be allowed
    action = kind(**settled)
    if control.gesture == "press":
        verdict = judge(system, state, action, nearest=False)
        return () if verdict.legal else verdict.findings
    return tuple(Run(system, state, action).check(action, DECLARED))


def _control(state: State, kind: type[Action], actor: Body | Unit | None) -> Control | None:
    parts = {part.name: part for part in _parts(kind)}
    if ("actor" in parts) != (actor is not None):
        return None
    action: dict[str, Value] = {"kind": kind.kind}
    if actor is not None:
        action["actor"] = actor.id
        del parts["actor"]
    words = {name: _words_of(actor, kind, part) for name, part in parts.items()}
    if any(part.required and words[name] == () for name, part in parts.items()):
        return None
    slot = _slot(parts, words)
    gesture: Gesture = "press"
    turn: _Part | None = None
    ids = _ids(state, actor)
    if slot is not None:
        del parts[slot.name]
        gesture = _GESTURES[slot.form]
        if slot.form == "point":
            turn = next((parts[name] for name in _ANGLES if name in parts), None)
            if turn is not None:
                del parts[turn.name]
                gesture = "pose"
    extras = []
    for part in parts.values():
        extra = _extra(part, words[part.name], ids if actor else _sides(state))
        if extra is not None:
            extras.append(extra)
            if part.required:
                action[part.name] = extra.default
        elif part.required:
            return None
    return Control(
        Marks(action),
        kind.title,
        gesture,
        slot="" if slot is None else slot.name,
        turn_slot="" if turn is None else turn.name,
        turns="by" if turn is not None and turn.name == "by" else "facing",
        optional=slot is not None and not slot.required,
        candidates=tuple(one for one, _ in ids) if gesture in ("pick", "pick_many") else (),
        extras=tuple(extras),
        group="step" if actor is None else "act",
        says=_first_sentence(kind),
    )


def _slot(parts: dict[str, _Part], words: dict[str, tuple[str, ...] | None]) -> _Part | None:
    """The field that is given by hand: one that is needed, else a way or place that may be."""
    for required, forms in ((True, _BY_HAND), (False, _LEFT_OUT)):
        for form in forms:
            for part in parts.values():
                if part.form == form and part.required == required and not words[part.name]:
                    return part
    return None


def _extra(
    part: _Part, words: tuple[str, ...] | None, ids: tuple[tuple[str, str], ...]
) -> Extra | None:
    label = _title(part.name)
    listed: tuple[tuple[Value, str], ...]
    if part.form == "flag":
        return Extra(part.name, label, "flag", default=False if part.required else part.default)
    if part.form in ("number", "distance", "turn"):
        return Extra(part.name, label, "number", default=0 if part.required else part.default)
    if part.form == "one" or words:
        listed = tuple((word, _title(word)) for word in words or part.words)
    elif part.form == "some":
        listed = tuple((word, _title(word)) for word in part.words)
        return Extra(part.name, label, "some", listed, () if part.required else part.default)
    elif part.form == "ids":
        return Extra(part.name, label, "some", ids, () if part.required else part.default)
    elif part.form == "id":
        listed = ids
    else:
        return None
    if not part.required and part.default is None:
        return Extra(part.name, label, "one", ((None, "-"), *listed), None)
    if not listed:
        return None
    return Extra(part.name, label, "one", listed, listed[0][0] if part.required else part.default)


def _ids(state: State, actor: Body | Unit | None) -> tuple[tuple[str, str], ...]:
    """Everybody but the actor, enemies first, in scene order: ids and names."""
    everybody: list[Unit | Body] = [*state.units.values(), *state.bodies.values()]
    if actor is not None:
        everybody = [one for one in everybody if one.id != actor.id]
        everybody.sort(key=lambda one: one.side == actor.side)
    return tuple((one.id, one.name) for one in everybody)


def _sides(state: State) -> tuple[tuple[str, str], ...]:
    return tuple((side.id, side.name) for side in state.sides)


def _words_of(actor: Body | Unit | None, kind: type[Action], part: _Part) -> tuple[str, ...] | None:
    """The words that the profile lists for a field of text; None if it has no such list."""
    if actor is None or part.form != "id":
        return None
    stem = kind.kind if part.name == "name" else part.name
    for key in (stem, f"{stem}s", f"{stem.removesuffix('y')}ies"):
        found = actor.stats.get(key)
        if isinstance(found, tuple) and all(isinstance(word, str) for word in found):
            return tuple(str(word) for word in found)
    return None


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _first_sentence(kind: type[Action]) -> str:
    text = (kind.__doc__ or "").strip().split("\n")[0]
    return "" if text.startswith(f"{kind.__name__}(") else text  # the one a dataclass makes


# Fields.


def _parts(kind: type[Action]) -> tuple[_Part, ...]:
    key: Any = kind
    return _read(key)


@cache
def _read(kind: Any) -> tuple[_Part, ...]:
    hints = get_type_hints(kind)
    found = []
    for field in fields(kind):
        default = field.default
        if field.default_factory is not MISSING:
            default = field.default_factory()
        required = default is MISSING
        form, words = _form(field.name, _without_none(hints[field.name]))
        found.append(_Part(field.name, form, required, None if required else default, words))
    return tuple(found)


def _without_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        rest = [one for one in get_args(hint) if one is not type(None)]
        return rest[0] if len(rest) == 1 else hint
    return hint


def _form(name: str, hint: Any) -> tuple[_Form, tuple[str, ...]]:
    if get_origin(hint) is Literal:
        return "one", tuple(str(word) for word in get_args(hint))
    if get_origin(hint) is tuple:
        return _form_of_tuple(get_args(hint))
    if hint is float and name in ("distance", "by"):
        return ("distance" if name == "distance" else "turn"), ()
    simple: dict[Any, _Form] = {bool: "flag", int: "number", float: "number", str: "id"}
    return simple.get(hint, ""), ()


def _form_of_tuple(items: tuple[Any, ...]) -> tuple[_Form, tuple[str, ...]]:
    if items == (float, float):
        return "point", ()
    if len(items) != 2 or items[1] is not Ellipsis:
        return "", ()
    item = items[0]
    if item is Leg:
        return "path", ()
    if item is str:
        return "ids", ()
    if get_origin(item) is Literal:
        return "some", tuple(str(word) for word in get_args(item))
    if is_dataclass(item) and any(
        get_origin(hint) is tuple and get_args(hint)[0] is Leg
        for hint in get_type_hints(item).values()
    ):
        return "stands", ()
    return "", ()
