"""Scenes to start from, for any system: made from its profiles and kinds of terrain and a seed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tapeline.engine.system import Profile, System
from tapeline.errors import DocumentError
from tapeline.table.bodies import MM_PER_UNIT

__all__ = ["TEMPLATES", "Template", "make_scene"]

#: Attempts at a scene without faults before the last faults are reported.
_TRIES = 30


@dataclass(frozen=True, slots=True)
class Template:
    """width, depth: of the table in inches. pieces: of terrain. bodies: least and most a side."""

    title: str
    width: float
    depth: float
    pieces: tuple[int, int]
    bodies: tuple[int, int]


TEMPLATES: dict[str, Template] = {
    "duel": Template("A duel", 24, 24, (0, 0), (1, 1)),
    "skirmish": Template("A skirmish", 48, 48, (12, 16), (6, 8)),
    "battle": Template("A battle", 72, 48, (18, 26), (8, 12)),
}


def make_scene(
    system: System, template: str = "skirmish", seed: str | int | None = None
) -> dict[str, Any]:
    """A scene document for the system that loads without faults.

    template: a key of TEMPLATES. seed: draws one of the templates with terrain, its table and
    its bodies at random; the same seed gives the same scene. Profiles and shapes that the system
    refuses are not drawn again. Raises DocumentError if it accepts no scene all the same.
    """
    from tapeline.engine.setup import state_from_scene
    from tapeline.table.scene import parse_scene

    last: DocumentError | None = None
    refused: set[tuple[str, ...]] = set()
    for attempt in range(_TRIES):
        rng = Random(f"{system.name}:{template if seed is None else seed}:{attempt}")
        name = template if seed is None else rng.choice(["skirmish", "battle"])
        maker = _Maker(system, TEMPLATES[name], rng, frozenset(refused))
        title = TEMPLATES[name].title if seed is None else f"Random table {seed}"
        scene = maker.scene(title)
        try:
            state_from_scene(parse_scene(scene), system)
        except DocumentError as error:
            last = error
            refused.update(maker.blamed(error))
        else:
            return scene
    assert last is not None
    raise last


@dataclass
class _Maker:
    """refused: names of profiles, and kinds of terrain with their form, that are not drawn."""

    system: System
    template: Template
    rng: Random
    refused: frozenset[tuple[str, ...]] = frozenset()
    forms: list[tuple[str, str]] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)
    models: list[dict[str, Any]] = field(default_factory=list)
    units: list[dict[str, Any]] = field(default_factory=list)
    scale: float = field(init=False)

    def __post_init__(self) -> None:
        self.scale = 25.4 / MM_PER_UNIT[self.system.unit]

    def scene(self, title: str) -> dict[str, Any]:
        width, depth = (
            round(side * self.scale / 10) * 10 if self.scale > 1 else side
            for side in (self.template.width, self.template.depth)
        )
        for side, low, facing in (("red", True, 90.0), ("blue", False, 270.0)):
            count = self.rng.randint(*self.template.bodies)
            for number in range(1, count + 1):
                profile = self.profile(leads=number == 1 < count)
                self.body(profile, f"{side}-{number}", side, width, depth, low, facing)
        terrain = self.terrain(width, depth)
        return {
            "format": "tapeline-scene/1",
            "system": self.system.name,
            "name": title,
            "table": {"width": width, "depth": depth, "unit": self.system.unit},
            "terrain": terrain,
            "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
            "models": self.models,
            "units": self.units,
            "turn": {"round": 1, "active": "red"},
        }

    def place(
        self, x0: float, x1: float, y0: float, y1: float, reach: float, apart: float
    ) -> tuple[float, float] | None:
        """A spot whose circle of that reach is clear of all taken so far; None if none is found."""
        for _ in range(200):
            x = round(self.rng.uniform(x0, x1) * 4) / 4
            y = round(self.rng.uniform(y0, y1) * 4) / 4
            if all(math.hypot(x - a, y - b) >= reach + r + apart for a, b, r in self.taken):
                self.taken.append((x, y, reach))
                return x, y
        return None

    def profile(self, leads: bool) -> Profile:
        """One at random; who leads a side of units of stands stands alone."""
        based = [p for p in self.system.profiles.values() if p.base_mm is not None]
        profiles = [p for p in based if (p.name,) not in self.refused] or based
        alone = [p for p in profiles if "stands" not in p.stats]
        return self.rng.choice(alone if leads and len(alone) < len(profiles) else profiles)

    def body(
        self,
        profile: Profile,
        body_id: str,
        side: str,
        width: float,
        depth: float,
        low: bool,
        facing: float,
    ) -> None:
        """Put a model, a regiment (a profile with files) or a line of stands on its side."""
        made: dict[str, Any] = {
            "id": body_id,
            "side": side,
            "name": profile.name,
            "profile": profile.name,
        }
        reach = self._reach(profile, made)
        edge = max(2.0 * self.scale, reach + 0.5 * self.scale)
        strip = max(edge + 0.5, 0.25 * depth)
        y0, y1 = (edge, strip) if low else (depth - strip, depth - edge)
        spot = self.place(edge, width - edge, y0, y1, reach, 0.5 * self.scale)
        if spot is None:
            return
        if "members" not in made:
            made |= {"facing": facing, "position": list(spot)}
            (self.units if "models" in made else self.models).append(made)
            return
        self.units.append(made)
        front = self._size(profile)[0]
        for place, name in enumerate(made["members"]):
            x = spot[0] + (place - 0.5 * (len(made["members"]) - 1)) * front
            stand = {"id": name, "side": side, "profile": profile.name}
            self.models.append({**stand, "facing": facing, "position": [x, spot[1]]})

    def _size(self, profile: Profile) -> tuple[float, float]:
        """Width and depth of the base, table units; of a round one the diameter, twice."""
        assert profile.base_mm is not None
        wide, deep = (profile.base_mm * 2)[:2]
        return wide / MM_PER_UNIT[self.system.unit], deep / MM_PER_UNIT[self.system.unit]

    def _reach(self, profile: Profile, made: dict[str, Any]) -> float:
        """Largest half extent; says of a profile with files or stands how many there are."""
        assert profile.base_mm is not None
        wide, deep = self._size(profile)
        stands = profile.stats.get("stands")
        if isinstance(stands, int):
            made["members"] = [f"{made['id']}-{place}" for place in range(1, stands + 1)]
            return 0.5 * math.hypot(stands * wide, deep)
        if "files" not in profile.stats:
            return 0.5 * math.hypot(wide, deep) if len(profile.base_mm) > 1 else 0.5 * wide
        size = profile.stats.get("size")
        least, most = (size[0], size[1]) if isinstance(size, tuple) and len(size) == 2 else (5, 20)
        assert isinstance(least, int)
        assert isinstance(most, int)
        count = self.rng.randint(least, max(least, min(most, 20)))
        files_stat = profile.stats["files"]
        files = min(count, files_stat) if isinstance(files_stat, int) else min(5, count)
        made["models"], made["files"] = count, files
        ranks = -(-count // files)
        return 0.5 * math.hypot(files * wide, ranks * deep)

    def terrain(self, width: float, depth: float) -> list[dict[str, Any]]:
        drawn = [
            (kind, form)
            for kind in self.system.terrain_kinds
            for form in ("circle", "rectangle", "polygon", "polygon")
            if (kind, form) not in self.refused
        ]
        if not drawn:
            return []
        pieces: list[dict[str, Any]] = []
        for number in range(1, self.rng.randint(*self.template.pieces) + 1):
            kind, form = self.rng.choice(drawn)
            reach = self.rng.uniform(1.5, 4.0) * self.scale
            spot = self.place(reach, width - reach, reach, depth - reach, reach, 0.75 * self.scale)
            if spot is None:
                continue
            self.forms.append((kind, form))
            named = {"id": f"T{number}", "kind": kind, "name": f"{kind.capitalize()} {number}"}
            pieces.append({**named, "shape": self.outline(form, *spot, reach)})
        return pieces

    def blamed(self, error: DocumentError) -> Iterator[tuple[str, ...]]:
        """What the faults of the scene made are about, to be `refused`."""
        bodies = {"models": self.models, "units": self.units}
        for fault in error.faults:
            found = re.match(r"(models|units|terrain)\[(\d+)\]", fault.path)
            if found is not None and found[1] == "terrain":
                yield self.forms[int(found[2])]
            elif found is not None:
                yield (bodies[found[1]][int(found[2])]["profile"],)

    def outline(self, form: str, x: float, y: float, reach: float) -> dict[str, Any]:
        if form == "circle":
            return {"circle": {"centre": [x, y], "radius": round(0.8 * reach, 2)}}
        if form == "rectangle":
            share = self.rng.uniform(0.25, 0.7)
            return {
                "rectangle": {
                    "centre": [x, y],
                    "width": round(1.7 * reach, 2),
                    "depth": round(1.7 * reach * share, 2),
                    "facing": float(self.rng.choice(range(0, 180, 15))),
                }
            }
        count = self.rng.randint(5, 8)
        first = self.rng.uniform(0, 2 * math.pi)
        corners = []
        for index in range(count):
            turn = first + 2 * math.pi * index / count
            r = reach * self.rng.uniform(0.6, 1.0)
            corners.append([round(x + r * math.cos(turn), 2), round(y + r * math.sin(turn), 2)])
        return {"polygon": corners}
