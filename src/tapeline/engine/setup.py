"""From a scene document to a state. Lists every fault; changes nothing silently."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from tapeline.engine.allowed import (
    KIND_NAMES,
    Holder,
    Mark,
    close_to,
    id_faults,
    mark_fault,
    value_fault,
)
from tapeline.engine.bases import base_overlap
from tapeline.engine.deployment import TRAY, Deployment, deployment_from
from tapeline.engine.faults import at_body, located
from tapeline.engine.game import Game, game_from
from tapeline.engine.limits import TOLERANCE, sunk
from tapeline.engine.state import Side, State, Turn
from tapeline.engine.support import bearing_fault
from tapeline.engine.system import Profile, System
from tapeline.errors import DocumentError, Fault
from tapeline.table.access import way_faults
from tapeline.table.bodies import MM_PER_UNIT, Base, Body, Rectangle, Round, Unit
from tapeline.table.deployment import waiting_ids
from tapeline.table.entries import battlefield, outline, structure
from tapeline.table.marks import EMPTY, Marks, Value, freeze, thaw
from tapeline.table.storeys import STANDABLE, storeys_of
from tapeline.table.terrain import Battlefield, Entry, Piece
from tapeline.table.zones import zones_from

if TYPE_CHECKING:
    from tapeline.table.puzzle import ConditionDoc
    from tapeline.table.scene import BaseDoc, SceneDoc
    from tapeline.table.terrain_documents import TerrainDoc

from tapeline.engine.scene_document import GONE

__all__ = [
    "BLOCK_MARKS",
    "GONE_MARK",
    "battlefield_from_scene",
    "block_size",
    "memory_faults",
    "scene_faults",
    "state_from_scene",
]


def block_size(models: int, files: int, width: float, depth: float) -> tuple[float, float]:
    """Width and depth of models ranked base to base; a part-filled rear rank counts whole.

    >>> block_size(12, 5, 1.0, 2.0)
    (5.0, 6.0)
    """
    return files * width, math.ceil(models / files) * depth


def scene_faults(scene: SceneDoc, system: System) -> list[Fault]:
    """What is wrong with a scene under a system, as far as that shows without its whole state."""
    builder = _Builder(scene, system)
    builder.draft()
    return builder.faults


def battlefield_from_scene(scene: SceneDoc, system: System) -> Battlefield:
    """The table and the terrain of a scene, whatever else is wrong with it."""
    return _Builder(scene, system).terrain()


def state_from_scene(scene: SceneDoc, system: System) -> State:
    """The state a scene describes under a system. Raises DocumentError with every fault."""
    return _Builder(scene, system).build()


class _Builder:
    def __init__(self, scene: SceneDoc, system: System) -> None:
        self.scene = scene
        self.system = system
        self.faults: list[Fault] = []
        self.scale = 1.0 / MM_PER_UNIT[scene.table.unit]
        self.sound = True
        #: Where bodies are in the document, by id.
        self.paths: dict[str, str] = {}

    def fault(self, path: str, message: str) -> None:
        self.faults.append(Fault(path, message))

    def build(self) -> State:
        system = self.system
        state = self.draft()
        if not self.faults:
            # A game that has yet to be set up is completed when it begins.
            if state.deployment is None:
                state = system.finish(state)
            self.faults.extend(located(system.faults(state), self.paths))
        if self.faults:
            name = self.scene.name
            raise DocumentError(f"scene {name!r}" if name else "scene", self.faults)
        return state

    def draft(self) -> State:
        scene, system = self.scene, self.system
        table = self.terrain()
        everyone: dict[str, Body] = {}
        paths = self.paths
        for index, model in enumerate(scene.models):
            where = f"models[{index}]"
            paths[model.id] = where
            everyone[model.id] = self.body(model, where)
        units: dict[str, Unit] = {}
        for index, unit in enumerate(scene.units):
            where = f"units[{index}]"
            if hasattr(unit, "members"):
                name, stats, _ = (
                    self.profile(unit.profile, where) if unit.profile else ("", EMPTY, None)
                )
                units[unit.id] = Unit(
                    unit.id,
                    unit.side,
                    unit.name or unit.id,
                    tuple(unit.members),
                    name,
                    stats,
                    self.marks(unit.state, where, "unit"),
                )
            else:
                paths[unit.id] = where
                everyone[unit.id] = self.regiment(unit, where)
        waiting = self.waiting(everyone, units)
        everyone |= {key: everyone[key].marked(gone=TRAY) for key in waiting}
        state = State(
            system.name,
            scene.name,
            table,
            tuple(Side(side.id, side.name or side.id) for side in scene.sides),
            {key: body for key, body in everyone.items() if GONE not in body.marks},
            units,
            {key: body for key, body in everyone.items() if GONE in body.marks},
            self.turn(),
            self.options(),
            self.progress(),
            self.game(),
            self.deployment(),
        )
        if table.unit == system.unit:
            self.placing(state, paths)
        self.faults.extend(located(memory_faults(state, system), paths))
        self.tasks()
        return state

    def tasks(self) -> None:
        """What a puzzle or a lesson asks of its system that this one has not."""
        puzzle, lesson, system = self.scene.puzzle, self.scene.lesson, self.system
        for name in ("goals", "always") if puzzle is not None else ():
            self.conditions(getattr(puzzle, name), f"puzzle.{name}")
        for index, step in enumerate(lesson.steps if lesson is not None else ()):
            where = f"lesson.steps[{index}]"
            self.conditions(step.until, f"{where}.until")
            if step.done and step.done not in system.actions:
                allowed = ", ".join(system.actions)
                self.fault(f"{where}.done", f"must be one of {allowed}; got {step.done!r}")

    def conditions(self, conditions: list[ConditionDoc], where: str) -> None:
        system = self.system
        for index, condition in enumerate(conditions):
            path = f"{where}[{index}]"
            if condition.kind in ("seen", "unseen") and system.sees is None:
                self.fault(f"{path}.kind", f"{system.title} has no rule of sight")
            for key, value in getattr(condition, "state", {}).items():
                text = mark_fault(key, value, system.marks, None, system.title)
                if text is not None and (value is not None or key not in system.marks):
                    self.fault(f"{path}.state.{key}", text)

    def progress(self) -> Marks:
        try:
            frozen = freeze(self.scene.turn.progress)
        except TypeError as error:
            self.fault("turn.progress", str(error))
            return EMPTY
        assert isinstance(frozen, Marks)
        return frozen

    def game(self) -> Game | None:
        system = self.system
        game, faults = game_from(self.scene.game, system.idle, system.beaten, system.away)
        self.faults.extend(faults)
        return game

    def deployment(self) -> Deployment | None:
        doc = self.scene.deployment
        return None if doc is None else deployment_from(doc, self.zoned())

    def zoned(self) -> tuple[str, ...]:
        """The sides that have a zone."""
        scene = self.scene
        return tuple(s.id for s in scene.sides if any(zone.side == s.id for zone in scene.zones))

    def waiting(self, bodies: Mapping[str, Body], units: Mapping[str, Unit]) -> set[str]:
        """Ids of the bodies in the trays."""
        doc = self.scene.deployment
        if doc is None:
            return set()
        owners = {key: body.side for key, body in bodies.items() if GONE not in body.marks}
        owners |= {unit.id: unit.side for unit in units.values()}
        members = {unit.id: unit.members for unit in units.values()}
        return waiting_ids(doc, owners, members, self.zoned()) & {*owners}

    def options(self) -> Marks:
        system = self.system
        given = dict(self.scene.options)
        found: dict[str, Any] = {spec.name: spec.default for spec in system.options}
        for name, value in given.items():
            spec = system.option(name)
            if spec is None:
                known = ", ".join(s.name for s in system.options) or "none"
                self.fault(f"options.{name}", f"{system.title} has no such option; it has {known}")
            elif value not in spec.values:
                allowed = ", ".join(spec.values)
                self.fault(f"options.{name}", f"must be one of {allowed}; got {value!r}")
            else:
                found[name] = value
        return Marks(found)

    def turn(self) -> Turn:
        doc, system = self.scene.turn, self.system
        phase = doc.phase or system.phases[0]
        if phase not in system.phases:
            allowed = ", ".join(system.phases)
            self.fault("turn.phase", f"must be one of {allowed}; got {phase!r}")
        active = doc.active or self.scene.sides[0].id
        return Turn(doc.round, phase, active, doc.initiative or active)

    def terrain(self) -> Battlefield:
        from tapeline.table.terrain_documents import TerrainDoc, terrain_faults

        system, scene = self.system, self.scene
        if scene.table.unit != system.unit:
            self.fault("table.unit", f"{system.title} is measured in {system.unit!r}")
        entries: list[Entry] = []
        for index, doc in enumerate(scene.terrain):
            where = f"terrain[{index}]"
            if isinstance(doc, TerrainDoc):
                entries.append(self.piece(doc, where))
                continue
            if not system.storeys:
                key = type(doc).__name__.removesuffix("Doc").lower()
                self.fault(where, f"{system.title} has no terrain of the sort {key}")
            entries.append(structure(doc, self.traits(doc.traits, where)))
        table = scene.table
        found = battlefield(float(table.width), float(table.depth), table.unit, entries)
        if scene.zones:
            found = replace(found, zones=zones_from(scene.zones))
        # What is built on faults is not looked at: walls without length have no sides.
        stood_on = found.structures or any(piece.has(STANDABLE) for piece in found.pieces)
        self.sound = not stood_on or not terrain_faults(scene.terrain)
        if found.structures and system.storeys and self.sound:
            self.faults.extend(way_faults(storeys_of(found)))
        return found

    def traits(self, traits: list[str], where: str) -> frozenset[str]:
        for place, trait in enumerate(traits):
            if trait not in self.system.traits:
                allowed = ", ".join(sorted(self.system.traits)) or "none"
                self.fault(f"{where}.traits[{place}]", f"must be among {allowed}; got {trait!r}")
        return frozenset(traits)

    def piece(self, doc: TerrainDoc, where: str) -> Piece:
        kind = self.system.terrain_kinds.get(doc.kind)
        if kind is None:
            allowed = ", ".join(self.system.terrain_kinds)
            self.fault(f"{where}.kind", f"must be one of {allowed}; got {doc.kind!r}")
        traits = self.traits(doc.traits, where) | (kind.traits if kind else frozenset())
        height = doc.height if doc.height is not None else (kind.height if kind else 0.0)
        shapes = [doc.shape] if doc.shape is not None else list(doc.shapes)
        return Piece(
            doc.id,
            doc.kind,
            doc.name or doc.id,
            tuple(outline(shape) for shape in shapes),
            float(doc.base_height),
            float(doc.base_height + height),
            traits,
        )

    def profile(
        self, profile: str | dict[str, Any], where: str
    ) -> tuple[str, Marks, tuple[float, ...] | None]:
        system = self.system
        if isinstance(profile, str):
            known = system.profiles.get(profile)
            if known is None:
                hint = close_to(profile, system.profiles)
                self.fault(f"{where}.profile", f"{system.title} knows no profile {profile!r}{hint}")
                return profile, EMPTY, None
            return known.name, known.stats, known.base_mm
        data = dict(profile)
        stats, base_mm = EMPTY, None
        like = data.pop("like", None)
        if like is not None:
            if isinstance(like, str) and like in system.profiles:
                stats, base_mm = system.profiles[like].stats, system.profiles[like].base_mm
            else:
                self.fault(f"{where}.profile.like", f"{system.title} knows no profile {like!r}")
        name = data.pop("name", like if isinstance(like, str) else "inline")
        if not isinstance(name, str):
            self.fault(f"{where}.profile.name", f"must be a text; got {name!r}")
        known_stats = {key for p in system.profiles.values() for key in p.stats}
        for key, value in data.items():
            if key not in known_stats:
                allowed = ", ".join(sorted(known_stats))
                self.fault(
                    f"{where}.profile.{key}", f"is not a figure of a profile; known: {allowed}"
                )
                continue
            try:
                frozen = freeze(value)
            except TypeError as error:
                self.fault(f"{where}.profile.{key}", str(error))
                continue
            examples = [p.stats[key] for p in system.profiles.values() if key in p.stats]
            if not any(_like(frozen, example) for example in _pooled(examples)):
                allowed = _make(examples[0])
                self.fault(f"{where}.profile.{key}", f"must be {allowed}; got {value!r}"[:200])
                continue
            stats = stats.update({key: frozen})
        made = system.derive(Profile(str(name), base_mm, stats), frozenset(data))
        return made.name, made.stats, made.base_mm

    def marks(self, data: Mapping[str, Any], where: str, holder: Holder) -> Marks:
        found: dict[str, Any] = {}
        system, known = self.system, {**self.system.marks, **GONE_MARK}
        for key, value in data.items():
            path = f"{where}.state.{key}"
            try:
                frozen = freeze(value)
            except TypeError as error:
                self.fault(path, str(error))
                continue
            fault = mark_fault(key, frozen, known, holder, system.title)
            if fault is not None:
                self.fault(path, fault)
                continue
            if known[key].kind is float and isinstance(frozen, int):
                frozen = float(frozen)
            found[key] = frozen
        return Marks(found)

    def base(self, doc: BaseDoc | None, mm: tuple[float, ...] | None, where: str) -> Base:
        k = self.scale
        if doc is not None:
            if doc.round_mm is not None:
                return Round(0.5 * doc.round_mm * k)
            if doc.round is not None:
                return Round(0.5 * doc.round)
            if doc.rectangle_mm is not None:
                return Rectangle(doc.rectangle_mm[0] * k, doc.rectangle_mm[1] * k)
            if doc.rectangle is not None:
                return Rectangle(float(doc.rectangle[0]), float(doc.rectangle[1]))
        if mm is None:
            if not any(f.path.startswith(f"{where}.profile") for f in self.faults):
                self.fault(f"{where}.base", "is missing, and the profile has no base either")
            return Round(1.0)
        return Round(0.5 * mm[0] * k) if len(mm) == 1 else Rectangle(mm[0] * k, mm[1] * k)

    def body(self, doc: Any, where: str) -> Body:
        name, stats, mm = self.profile(doc.profile, where)
        return Body(
            doc.id,
            doc.side,
            doc.name or doc.id,
            self.base(doc.base, mm, where),
            float(doc.position[0]),
            float(doc.position[1]),
            float(doc.z),
            float(doc.facing),
            name,
            stats,
            self.marks(doc.state, where, "model"),
        )

    def regiment(self, doc: Any, where: str) -> Body:
        body = self.body(doc, where)
        files = doc.files
        if files is None:
            files = int(body.stat("files", 0)) or min(5, doc.models)
            files = min(files, doc.models)
        # A footprint in table units may be wider than its models: ranks thin, files do not change.
        given = doc.base is not None and doc.base.rectangle is not None
        if files > doc.models and not given:
            self.fault(f"{where}.files", f"more files than models ({doc.models}); got {files}")
        base = body.base
        marks = body.marks.set(models=doc.models, files=files)
        if given:
            assert isinstance(base, Rectangle)
            ranks = math.ceil(doc.models / files)
            marks = marks.set(file_width=base.width / files, rank_depth=base.depth / ranks)
        else:
            width = base.width if isinstance(base, Rectangle) else 2 * base.radius
            depth = base.depth if isinstance(base, Rectangle) else 2 * base.radius
            marks = marks.set(file_width=width, rank_depth=depth)
            base = Rectangle(*block_size(doc.models, files, width, depth))
        return replace(body, base=base, marks=marks, _digest=[])

    def placing(self, state: State, paths: dict[str, str]) -> None:
        bodies = list(state.bodies.values())
        for body in bodies:
            self.standing(body, state, f"{paths[body.id]}.position")
        order = {body.id: index for index, body in enumerate(bodies)}
        found: list[tuple[int, int, Fault]] = []
        counted: dict[str, int] = {}
        # Sweep along x: only bodies whose extents meet are measured.
        line = sorted(bodies, key=lambda body: body.x - body.base.reach)
        for i, one in enumerate(line):
            for two in islice(line, i + 1, None):
                if two.x - two.base.reach >= one.x + one.base.reach:
                    break
                a, b = (one, two) if order[one.id] < order[two.id] else (two, one)
                if counted.get(b.id, 0) >= _OVERLAPS or self.system.may_overlap(a, b):
                    continue
                if abs(a.z - b.z) > TOLERANCE:
                    continue
                if math.hypot(a.x - b.x, a.y - b.y) >= a.base.reach + b.base.reach:
                    continue
                depth = base_overlap(a, b)
                if sunk(depth):
                    counted[b.id] = counted.get(b.id, 0) + 1
                    text = f"the base of {b.id!r} overlaps that of {a.id!r} by {depth:.4g}"
                    where = Fault(f"{paths[b.id]}.position", text)
                    found.append((order[b.id], order[a.id], where))
        found.sort(key=lambda item: item[:2])
        self.faults.extend(fault for _, _, fault in found)

    def standing(self, body: Body, state: State, path: str) -> None:
        off, table = self.system.off_edge(state, body), state.table
        if off:
            self.fault(path, off)
        if self.sound:
            nothing = bearing_fault(self.system, body, table)
            if nothing:
                self.fault(path.replace(".position", ".z"), nothing)


#: Marks of a block of ranked models, beside those of its system.
BLOCK_MARKS = {
    "models": Mark(int, "how many models the regiment has"),
    "files": Mark(int, "how many stand in a rank"),
    "file_width": Mark(float, "width of a file, table units"),
    "rank_depth": Mark(float, "depth of a rank, table units"),
}
GONE_MARK = {GONE: Mark(str, "why it has left the table; absent while it is there")}
#: How many bodies that one overlaps are reported; the first ones tell enough.
_OVERLAPS = 3


def memory_faults(state: State, system: System) -> Iterator[Fault]:
    """What is wrong with what a state remembers: ids that marks hold, entries of the progress."""
    holders: list[tuple[Body | Unit, str]] = [
        (body, at_body(body)) for body in (*state.bodies.values(), *state.gone.values())
    ]
    holders += [(unit, f"units[{index}]") for index, unit in enumerate(state.units.values())]
    for holder, where in holders:
        for name, value in holder.marks.items():
            rule = system.marks.get(name)
            for text in () if rule is None else id_faults(value, rule, state, holder):
                yield Fault(f"{where}.state.{name}", text)
    known = system.progress
    if known is None:
        return
    for name, value in state.progress.items():
        where = f"turn.progress.{name}"
        if name not in known:
            has = ", ".join(known) or "none"
            yield Fault(where, f"is not known; progress has {has}{close_to(name, known)}")
            continue
        fault = value_fault(value, known[name])
        texts = id_faults(value, known[name], state, None) if fault is None else [fault]
        yield from (Fault(where, text) for text in texts)


def _pooled(examples: list[Value]) -> list[Value]:
    """The examples, lists among them as one list of everything that any of them holds."""
    items = tuple(item for e in examples if isinstance(e, tuple) for item in e)
    rest: list[Value] = [e for e in examples if not isinstance(e, tuple)]
    if len(rest) < len(examples):
        rest.append(items)
    return rest


def _make(example: Value) -> str:
    """What figures of the make of an example are called."""
    if isinstance(example, tuple) and all(isinstance(item, str) for item in example):
        return "a list of texts"
    kind = float if type(example) is int else type(example)
    return KIND_NAMES.get(kind, f"like {thaw(example)!r}")


def _like(value: Value, example: Value) -> bool:
    """Whether a value is of the same make as an example; an empty list allows texts."""
    if isinstance(example, bool):
        return isinstance(value, bool)
    if isinstance(example, int | float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(example, tuple):
        return isinstance(value, tuple) and all(
            any(_like(item, model) for model in example or ("",)) for item in value
        )
    if isinstance(example, Marks):
        return isinstance(value, Marks) and all(
            name in example and _like(item, example[name]) for name, item in value.items()
        )
    return isinstance(value, type(example))
