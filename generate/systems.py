"""A page for each rule system: what its scenes, actions and cases may name.

Everything on a page is asked of the system: profiles, terrain, marks, phases, actions, options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.allowed import Mark
from tapeline.engine.setup import BLOCK_MARKS, GONE_MARK
from tapeline.engine.system import Profile, System
from tapeline.table.marks import Value, thaw

__all__ = ["page"]

_KINDS = {bool: "true or false", int: "whole number", float: "number", str: "text", tuple: "list"}


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    heads = [*heads]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    cells = ([cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows)
    return [*lines, *(f"| {' | '.join(row)} |".replace("  |", " |") for row in cells), ""]


def _names(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _shown(value: Value) -> str:
    """A figure in a few characters."""
    plain = thaw(value)
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, list):
        return ", ".join(map(str, plain)) or "none"
    if isinstance(plain, float):
        return f"{plain:g}"
    return str(plain) if plain != "" else "none"


def _profiles(system: System) -> list[str]:
    """The figures, and the profiles: a table for all that have the same figures."""
    names = system.names
    groups: dict[tuple[str, ...], list[Profile]] = {}
    for profile in system.profiles.values():
        groups.setdefault(tuple(profile.stats), []).append(profile)
    known = dict.fromkeys(name for figures in groups for name in figures)
    rows = [
        (f"`{name}`", names.figures.get(name, ""), _names(names.words.get(name, ())))
        for name in known
    ]
    lines = ["## Profiles", "", *_table(("figure", "means", "one or more of"), rows)]
    for profiles in groups.values():
        usual = _usual(profiles)
        shown = "; ".join(f"{name} {_shown(value)}" for name, value in usual.items())
        lines += [f"Where a profile shows nothing else: {shown}.", ""]
        lines += _table(("profile", "base", "figures"), (_profile(p, usual) for p in profiles))
    return lines


def _usual(profiles: Iterable[Profile]) -> dict[str, Value]:
    """Of every figure the value that most of the profiles have."""
    counts: dict[str, Counter[Value]] = {}
    for profile in profiles:
        for name, value in profile.stats.items():
            counts.setdefault(name, Counter())[value] += 1
    return {name: found.most_common(1)[0][0] for name, found in counts.items()}


def _profile(profile: Profile, usual: Mapping[str, Value]) -> tuple[str, str, str]:
    mm = profile.base_mm
    base = "" if mm is None else " x ".join(f"{side:g}" for side in mm) + " mm"
    own = [f"{n} {_shown(value)}" for n, value in profile.stats.items() if value != usual[n]]
    return f"`{profile.name}`", base, "; ".join(own)


def _terrain(system: System) -> list[str]:
    rows = [
        (f"`{kind.name}`", f"{kind.height:g} {system.unit}", _names(sorted(kind.traits)))
        for kind in system.terrain_kinds.values()
    ]
    lines = ["## Terrain", "", "Heights are those of a piece that gives none.", ""]
    lines += _table(("kind", "height", "traits it brings"), rows)
    every = sorted(system.traits | {t for k in system.terrain_kinds.values() for t in k.traits})
    may_add = {True: "yes", False: "no, only kinds bring it"}
    traits = [
        (f"`{t}`", system.names.traits.get(t, ""), may_add[t in system.traits]) for t in every
    ]
    lines += _table(("trait", "means", "may be added to a piece"), traits)
    if system.storeys:
        built = (
            "Floors, walls, stairs, ramps, ladders, ropes and faces: see [scenes](../../scenes.md)."
        )
        lines += [built, ""]
    return lines


def _holds(rule: Mark) -> str:
    """What a mark or an entry of the progress may be."""
    kind = rule.kind
    if rule.words:
        words = _names(word for word in rule.words if word)
        return f"list of {words}" if kind is tuple else words
    if rule.ids:
        return f"ids: {rule.ids}" if kind is tuple else f"id: {rule.ids}"
    span = [f"{end:g}" for end in (rule.least, rule.most) if end is not None]
    if len(span) == 2:
        return f"{_KINDS[kind]} from {span[0]} to {span[1]}"
    return f"{_KINDS[kind]}, {span[0]} or more" if rule.least is not None else _KINDS[kind]


def _marks(system: System) -> list[str]:
    blocks = any("files" in profile.stats for profile in system.profiles.values())
    marks = {**system.marks, **(BLOCK_MARKS if blocks else {}), **GONE_MARK}
    rows = [(f"`{name}`", _holds(mark), mark.says) for name, mark in marks.items()]
    says = "`state` of a model or unit in a scene, `marks` in a case; null in a case: not there."
    return ["## Marks", "", says, "", *_table(("mark", "holds", "means"), rows)]


def _progress(system: System) -> list[str]:
    entries = (system.progress or {}).items()
    rows = [(f"`{name}`", _holds(entry), entry.says) for name, entry in entries]
    phases = f"`phase` of the turn, the usual one first: {_names(system.phases)}."
    says = "`turn.progress` in a scene, `progress` in a case: where the game is within the phase."
    lines = ["## Phases and progress", "", phases, "", says, ""]
    return [*lines, *_table(("entry", "holds", "means"), rows)]


def _actions(system: System) -> list[str]:
    rows = [
        (f"`{name}`", ", ".join(map(_key, fields(kind))) or "none", _first(kind))
        for name, kind in system.actions.items()
    ]
    lines = ["## Actions", "", "Keys in brackets may be left out.", ""]
    lines += _table(("kind", "keys", "is"), rows)
    if system.names.legs:
        legs = [(f"`{how}`", means) for how, means in system.names.legs.items()]
        lines += ["Legs of a path, by `how`:", "", *_table(("leg", "goes"), legs)]
    return lines


def _key(key: Field[Any]) -> str:
    optional = key.default is not MISSING or key.default_factory is not MISSING
    return f"[`{key.name}`]" if optional else f"`{key.name}`"


def _first(kind: type[Action]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _values(system: System) -> list[str]:
    rows = [(f"`{name}`", means) for name, means in system.names.values.items()]
    return ["## Values", "", "Figures of a verdict.", "", *_table(("value", "is"), rows)]


def _options(system: System) -> list[str]:
    rows = [
        (f"`{spec.name}`", spec.question, _names(spec.values), ", ".join(spec.clauses))
        for spec in system.options
    ]
    says = (
        "`options` of a scene or a case, the default first; [readings](../readings.md) tells more."
    )
    return ["## Options", "", says, "", *_table(("option", "question", "values", "clauses"), rows)]


def page(system: System) -> str:
    """The page of a system, as Markdown."""
    unit = {"in": "inches", "cm": "centimetres"}[system.unit]
    lines = [
        f"# {system.title}",
        "",
        "Written by `make docs`; do not edit.",
        f'`"system": "{system.name}"` in a scene; lengths are {unit}. Clauses: `tapeline rules',
        f"{system.name}`, [clauses](../clauses.md). How cases use these names:",
        "[cases](../../cases.md).",
        "",
    ]
    for part in (_profiles, _terrain, _marks, _progress, _actions, _values, _options):
        lines += part(system)
    return "\n".join(lines).rstrip() + "\n"
