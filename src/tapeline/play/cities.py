"""Ruined cities from a seed, for systems with storeys: houses of two to four, models on all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tapeline.engine.system import Profile, System
from tapeline.errors import DocumentError, Fault
from tapeline.table.bodies import MM_PER_UNIT

__all__ = ["make_city"]

#: Inches: the side of a plot, what is left beside it to the edge, and the height of a storey.
_PLOT, _MARGIN, _STOREY = 9.5, 3.0, 3.0
#: Inches: stairs, their length and width, and how far from the walls they begin.
_RUN, _WIDE, _OFF = 4.0, 1.2, 0.8
#: Least and most houses, storeys of one, and models a side.
_HOUSES, _STOREYS, _MODELS = (10, 40), (2, 4), (6, 20)
#: Share of the models that stand upstairs.
_UPSTAIRS = 0.35
#: Attempts at a city without faults, and at a place for a model.
_TRIES, _PLACES = 20, 60

Doc = dict[str, Any]


def make_city(system: System, seed: str | int) -> Doc:
    """A scene of 10 to 40 ruins with 2 to 4 storeys and 12 to 40 models that loads without faults.

    The same seed gives the same city. Profiles that the system refuses are not drawn again. Raises
    DocumentError if it knows no storeys.
    """
    from tapeline.engine.setup import state_from_scene
    from tapeline.table.scene import parse_scene

    if not system.storeys:
        text = f"{system.title} has no storeys to build one of; take duel, skirmish or battle"
        raise DocumentError("city", [Fault("", text)])
    refused: set[str] = set()
    error = DocumentError("city", [Fault("", f"{system.title} has no bodies for one")])
    for attempt in range(_TRIES):
        rng = Random(f"{system.name}:city:{seed}:{attempt}")
        bases = [p for p in system.profiles.values() if p.base_mm is not None]
        round_ones = [p for p in bases if len(p.base_mm or ()) == 1 and p.name not in refused]
        if not round_ones:
            break
        scene = _city(system, rng, round_ones, seed)
        try:
            state_from_scene(parse_scene(scene), system)
        except DocumentError as found:
            error = found
            refused |= {
                model["profile"]
                for number, model in enumerate(scene["models"])
                if any(fault.path.startswith(f"models[{number}].prof") for fault in found.faults)
            }
        else:
            return scene
    raise error


@dataclass(frozen=True, slots=True)
class _House:
    """A house on the plan, inches; turned: its stairs climb the other way."""

    name: str
    x: float
    y: float
    width: float
    depth: float
    storeys: int
    turned: bool

    def at(self, along: float, across: float) -> list[float]:
        """The place so far along and across it."""
        if self.turned:
            along, across = self.width - along, self.depth - across
        return [round(self.x + along, 3), round(self.y + across, 3)]

    def ring(self, *corners: tuple[float, float]) -> list[list[float]]:
        return [self.at(*corner) for corner in corners]

    def box(self, along: float, across: float, length: float, width: float) -> list[list[float]]:
        """Corners of a rectangle from a place of it on."""
        u, v = along + length, across + width
        return self.ring((along, across), (u, across), (u, v), (along, v))


def _city(system: System, rng: Random, profiles: list[Profile], seed: str | int) -> Doc:
    count = rng.randint(*_HOUSES)
    columns = math.ceil(math.sqrt(1.3 * count))
    rows = math.ceil(count / columns)
    width, depth = columns * _PLOT + 2 * _MARGIN, rows * _PLOT + 2 * _MARGIN
    houses = []
    for number, plot in enumerate(sorted(rng.sample(range(columns * rows), count)), 1):
        wide, deep = rng.uniform(7.2, 7.8), rng.uniform(5.4, 7.5)
        x = _MARGIN + plot % columns * _PLOT + rng.uniform(0.3, _PLOT - wide - 0.3)
        y = _MARGIN + plot // columns * _PLOT + rng.uniform(0.3, _PLOT - deep - 0.3)
        house = (round(x, 2), round(y, 2), round(wide, 2), round(deep, 2))
        houses.append(_House(f"h{number}", *house, rng.randint(*_STOREYS), rng.random() < 0.5))
    terrain = [entry for house in houses for entry in _built(house, rng)]
    models = [*_models(system, rng, profiles, houses, width, depth)]
    return {
        "format": "tapeline-scene/1",
        "system": system.name,
        "name": f"Ruined city {seed}",
        "table": {"width": width, "depth": depth, "unit": system.unit},
        "terrain": terrain,
        "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
        "models": models,
        "turn": {"round": 1, "active": "red"},
    }


def _built(house: _House, rng: Random) -> Iterator[Doc]:
    """Walls with openings, floors with their stairwells, stairs, and what is left of the top."""
    w, d, name = house.width, house.depth, house.name
    yield {
        "id": f"{name}-walls",
        "wall": house.ring((0, 0), (w, 0), (w, d), (0, d)),
        "closed": True,
        "height": _STOREY,
        "openings": [
            {"id": f"{name}-door", "kind": "door", "from": 0.5 * w, "to": 0.5 * w + 1.4},
            {"id": f"{name}-gap", "kind": "gap", "from": w + 1.0, "to": w + 3.0},
            {
                "id": f"{name}-window", "kind": "window", "from": w + d + 2.0, "to": w + d + 4.0,
                "sill": 1.0, "head": 2.2,
            },
        ],
    }  # fmt: skip
    for storey in range(1, house.storeys):
        z = storey * _STOREY
        # From storey to storey the stairs change sides.
        across = _OFF if storey % 2 else d - _OFF - _WIDE
        yield {
            "id": f"{name}-floor-{storey}",
            "floor": {"polygon": house.box(-0.1, -0.1, w + 0.2, d + 0.2)},
            "z": z,
            "holes": [{"polygon": house.box(_OFF, across, _RUN, _WIDE)}],
        }
        middle = across + 0.5 * _WIDE
        yield {
            "id": f"{name}-stairs-{storey}",
            "stairs": {
                "foot": [*house.at(_OFF, middle), z - _STOREY],
                "head": [*house.at(_OFF + _RUN, middle), z],
                "width": _WIDE,
            },
        }
        corners = [(0.0, 0.0), (w, 0.0), (w, d), (0.0, d), (0.0, 0.0)]
        first = rng.randrange(3)
        top = storey == house.storeys - 1
        yield {
            "id": f"{name}-upper-{storey}",
            "wall": house.ring(*corners[first : first + (2 if top else 3)]),
            "base_height": z,
            "height": 1.0 if top else _STOREY,
        }


def _models(
    system: System,
    rng: Random,
    profiles: list[Profile],
    houses: list[_House],
    width: float,
    depth: float,
) -> Iterator[Doc]:
    """Two sides, each on its half of the streets and of the upper floors."""
    taken: list[tuple[float, float, float]] = []
    for side, low in (("red", True), ("blue", False)):
        mine = [house for house in houses if (house.y + house.depth < 0.5 * depth) == low]
        rooms = [(house, storey) for house in mine for storey in range(1, house.storeys)]
        rng.shuffle(rooms)
        for number in range(1, rng.randint(*_MODELS) + 1):
            profile = rng.choice(profiles)
            assert profile.base_mm is not None
            r = 0.5 * profile.base_mm[0] / MM_PER_UNIT[system.unit]
            model = {
                "id": f"{side}-{number}", "side": side, "name": profile.name,
                "profile": profile.name, "facing": 90.0 if low else 270.0,
            }  # fmt: skip
            if rooms and r < 0.8 and rng.random() < _UPSTAIRS:
                house, storey = rooms.pop()
                place = house.at(house.width - 1.2, 0.5 * house.depth)
                yield {**model, "position": place, "z": storey * _STOREY}
                continue
            for _ in range(_PLACES):
                x = round(rng.uniform(r + 0.1, width - r - 0.1), 2)
                y = round(rng.uniform(r + 0.1, 0.45 * depth), 2)
                y = y if low else round(depth - y, 2)
                if all(math.dist((x, y), (a, b)) > r + s + 1.2 for a, b, s in taken) and all(
                    _beside(house, x, y) > r + 0.3 for house in houses
                ):
                    taken.append((x, y, r))
                    yield {**model, "position": [x, y]}
                    break


def _beside(house: _House, x: float, y: float) -> float:
    """How far a place is from a house; 0 in it."""
    dx = max(house.x - x, 0.0, x - house.x - house.width)
    dy = max(house.y - y, 0.0, y - house.y - house.depth)
    return math.hypot(dx, dy)
