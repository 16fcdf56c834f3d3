"""Tables for the kernels: outlines and round bases, seeded or from a folder of tables."""

from __future__ import annotations

import json
import math
import os
import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from shapely import Polygon
from shapely.geometry.polygon import orient

from bench.harness import Setting
from bench.scenes import free_spots, outlines
from tapeline.geometry.discs.field import Field

__all__ = [
    "RADIUS",
    "SIZES",
    "Group",
    "Pair",
    "Point",
    "Table",
    "data_folder",
    "groups",
    "pairs_of",
    "paths_of",
    "places_of",
    "random_table",
    "shared_tables",
]

Point: TypeAlias = tuple[float, float]
Pair: TypeAlias = tuple[Point, Point]

#: Radius of a 32 mm base, in.
RADIUS = 0.63
#: Pieces and models of the random tables.
SIZES = ((20, 40), (60, 40), (200, 40), (600, 40), (60, 200), (200, 200), (600, 200))


@dataclass(frozen=True, eq=False)
class Table:
    """Outlines and round bases on a table, and the base of who moves; inches."""

    name: str
    width: float
    depth: float
    shapes: tuple[Polygon, ...]
    discs: tuple[tuple[float, float, float], ...]
    radius: float = RADIUS

    @property
    def rings(self) -> list[list[float]]:
        """Corners flat, counter-clockwise, not closed."""
        return [
            [float(v) for corner in orient(shape).exterior.coords[:-1] for v in corner]
            for shape in self.shapes
        ]

    def field(self, compiled: bool) -> Field:
        """The table as our kernels take it."""
        return Field.of(
            width=self.width,
            depth=self.depth,
            solids=self.rings,
            bodies={f"m{i}": disc for i, disc in enumerate(self.discs)},
            compiled=compiled,
        )


@dataclass(frozen=True, eq=False)
class Group:
    """Tables that make one line of the figures."""

    name: str
    tables: tuple[Table, ...]
    pieces: int
    models: int


@lru_cache(maxsize=32)
def random_table(pieces: int, models: int = 40, seed: int = 1) -> Table:
    """A seeded table, 48 x 48 in; 84 x 84 in from 600 pieces on, or they would not fit."""
    side = 48.0 if pieces < 600 else 84.0
    shapes = outlines(pieces, side, side, seed)
    rng = random.Random(f"kernels-{seed}-{pieces}-{models}")
    spots = free_spots(models, RADIUS, shapes, side, side, rng)
    discs = tuple((x, y, RADIUS) for x, y in spots)
    return Table(f"random-{pieces}-{models}", side, side, tuple(shapes), discs)


def data_folder(given: str | None = None) -> Path | None:
    """The folder with `tables/` and `polyanya/`: as given, TAPELINE_DATA, or ../shared/data."""
    named = given or os.environ.get("TAPELINE_DATA")
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    for path in (Path(named),) if named else (beside,):
        if path.is_dir():
            return path
    return None


@lru_cache(maxsize=2)
def shared_tables(data: Path, models: int = 40) -> tuple[Table, ...]:
    """The tournament tables of a folder, each with as many models as fit, at most `models`."""
    found = []
    for path in sorted((data / "tables").glob("table_*.json")):
        document = json.loads(path.read_text())
        width, depth = float(document["width"]), float(document["depth"])
        shapes = tuple(Polygon(corners) for corners in document["terrain"])
        spots = free_spots(models, RADIUS, list(shapes), width, depth, random.Random(path.stem))
        discs = tuple((x, y, RADIUS) for x, y in spots)
        found.append(Table(path.stem, width, depth, shapes, discs))
    return tuple(found)


def groups(setting: Setting, sizes: tuple[tuple[int, int], ...] = SIZES) -> list[Group]:
    """The tables of a run: random ones by size, then the tournament tables where there are any."""
    if setting.quick:
        sizes = tuple(size for size in sizes if size in ((20, 40), (60, 40)))
    found = [
        Group(f"{pieces} pieces, {models} models", (random_table(pieces, models),), pieces, models)
        for pieces, models in sizes
    ]
    if setting.data is not None:
        tables = shared_tables(setting.data)
        tables = tables[: 3 if setting.quick else len(tables)]
        found.append(Group(f"{len(tables)} tournament tables", tables, 16, 40))
    return found


def places_of(table: Table, count: int, seed: int = 3) -> list[Point]:
    """Places where the mover may stand."""
    rng = random.Random(f"{seed}-{table.name}")
    field, r = table.field(False), table.radius
    found: list[Point] = []
    while len(found) < count:
        place = (rng.uniform(r, table.width - r), rng.uniform(r, table.depth - r))
        if field.standable(*place, r):
            found.append(place)
    return found


def pairs_of(table: Table, count: int, seed: int = 7) -> list[Pair]:
    """Pairs of places 4 to 12 in apart."""
    rng = random.Random(f"{seed}-{table.name}")
    field, r = table.field(False), table.radius
    found: list[Pair] = []
    while len(found) < count:
        a = (rng.uniform(r, table.width - r), rng.uniform(r, table.depth - r))
        if not field.standable(*a, r):
            continue
        d, angle = rng.uniform(4.0, 12.0), rng.uniform(0.0, math.tau)
        b = (a[0] + d * math.cos(angle), a[1] + d * math.sin(angle))
        if field.standable(*b, r):
            found.append((a, b))
    return found


def paths_of(table: Table, count: int, seed: int = 5) -> npt.NDArray[np.float64]:
    """Paths of three legs of 1 to 4 in from places where the mover may stand: (count, 4, 2)."""
    rng = random.Random(f"{seed}-{table.name}")
    r = table.radius
    paths = np.empty((count, 4, 2))
    for i, place in enumerate(places_of(table, count, seed)):
        paths[i, 0] = place
        for k in range(1, 4):
            while True:
                d, angle = rng.uniform(1.0, 4.0), rng.uniform(0.0, math.tau)
                x = paths[i, k - 1, 0] + d * math.cos(angle)
                y = paths[i, k - 1, 1] + d * math.sin(angle)
                if r <= x <= table.width - r and r <= y <= table.depth - r:
                    paths[i, k] = x, y
                    break
    return paths
