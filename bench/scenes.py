"""Seeded random tables for benchmarks: pieces apart from each other, models clear of them."""

from __future__ import annotations

import math
import random
from typing import Any

from shapely import Point as GeosPoint
from shapely import Polygon, STRtree
from shapely.affinity import rotate, translate
from shapely.geometry import box

__all__ = ["free_spots", "outlines", "sovl_scene", "trench_scene"]


def _shape(rng: random.Random, low: float, high: float, slim: bool) -> Polygon:
    long = rng.uniform(low, high)
    short = rng.uniform(0.4, 0.9) if slim else long * rng.uniform(0.3, 0.9)
    form = rng.randrange(3)
    if form == 0:
        shape = box(0, 0, long, short)
    elif form == 1:
        arm = 0.4 * short if not slim else short
        shape = box(0, 0, long, arm).union(box(0, 0, arm, max(short, 1.5 * arm)))
    else:
        corners = [
            (
                0.5 * long * rng.uniform(0.7, 1.0) * math.cos(a),
                0.5 * short * rng.uniform(0.7, 1.0) * math.sin(a),
            )
            for a in (i * math.tau / 8 for i in range(8))
        ]
        shape = Polygon(corners)
    return rotate(shape, rng.uniform(0, 360))


def outlines(pieces: int, width: float, depth: float, seed: int) -> list[Polygon]:
    """`pieces` disjoint simple polygons on a width x depth table, the same for the same seed."""
    rng = random.Random(f"{seed}-{pieces}")
    low, high, slim = (2.0, 8.0, False) if pieces <= 60 else (2.0, 3.5, True)
    found: list[Polygon] = []
    tries = 0
    while len(found) < pieces:
        tries += 1
        shrink = 1.0 if tries < 40 * pieces else 0.5
        shape = _shape(rng, low * shrink, high * shrink, slim)
        shape = translate(shape, rng.uniform(0, width), rng.uniform(0, depth))
        inside = box(0.05, 0.05, width - 0.05, depth - 0.05).contains(shape)
        if inside and all(shape.distance(other) > 0.2 for other in found):
            found.append(shape)
    return found


def _terrain(shapes: list[Polygon], kinds: list[str], rng: random.Random) -> list[dict[str, Any]]:
    return [
        {
            "id": f"t{i}",
            "kind": kinds[rng.randrange(len(kinds))],
            "shape": {"polygon": [list(c) for c in shape.exterior.coords[:-1]]},
        }
        for i, shape in enumerate(shapes)
    ]


def free_spots(
    count: int,
    radius: float,
    blocked: list[Polygon],
    width: float,
    depth: float,
    rng: random.Random,
) -> list[tuple[float, float]]:
    """Places for bases of one radius, clear of outlines and of each other. RuntimeError if full."""
    tree = STRtree(blocked) if blocked else None
    spots: list[tuple[float, float]] = []
    for _ in range(200_000):
        if len(spots) == count:
            return spots
        x, y = rng.uniform(radius, width - radius), rng.uniform(radius, depth - radius)
        if any(math.dist((x, y), s) < 2 * radius + 0.02 for s in spots):
            continue
        if tree is not None and len(tree.query(GeosPoint(x, y), "dwithin", radius + 0.02)):
            continue
        spots.append((x, y))
    raise RuntimeError(f"no room for {count} bases")


def trench_scene(pieces: int, models: int = 40, seed: int = 1) -> dict[str, Any]:
    """A Trench Crusade table with `models` models in all, 48 x 48 in."""
    rng = random.Random(f"tc-{seed}-{pieces}-{models}")
    shapes = outlines(pieces, 48.0, 48.0, seed)
    terrain = _terrain(shapes, ["ruin", "mud", "wire", "bunker"], rng)
    spots = free_spots(models, 0.63, shapes, 48.0, 48.0, rng)
    return {
        "format": "tapeline-scene/1",
        "system": "trench-crusade",
        "name": f"bench {pieces}",
        "table": {"width": 48, "depth": 48, "unit": "in"},
        "terrain": terrain,
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": [
            {
                "id": f"m{i}",
                "side": "red" if i % 2 == 0 else "blue",
                "profile": "Azeb" if i % 2 == 0 else "Heretic Trooper",
                "position": [x, y],
            }
            for i, (x, y) in enumerate(spots)
        ],
    }


def sovl_scene(pieces: int, units: int = 20, seed: int = 1) -> dict[str, Any]:
    """A SOVL table with `units` regiments in all, 72 x 48 in."""
    rng = random.Random(f"sv-{seed}-{pieces}-{units}")
    shapes = [s.convex_hull for s in outlines(pieces, 72.0, 48.0, seed)]
    terrain = _terrain(shapes, ["forest", "swamp", "swamp", "forest", "building", "river"], rng)
    impassable = [
        shape
        for shape, piece in zip(shapes, terrain, strict=True)
        if piece["kind"] in {"building", "river"}
    ]
    spots = free_spots(units, 3.0, impassable, 72.0, 48.0, rng)
    return {
        "format": "tapeline-scene/1",
        "system": "sovl",
        "name": f"bench {pieces}",
        "table": {"width": 72, "depth": 48, "unit": "in"},
        "terrain": terrain,
        "sides": [{"id": "red"}, {"id": "blue"}],
        "units": [
            {
                "id": f"u{i}",
                "side": "red" if i % 2 == 0 else "blue",
                "profile": ["Imperial Archers", "Orc Warriors", "Goblin Wolf Riders"][i % 3],
                "models": [10, 15, 5][i % 3],
                "files": 5,
                "position": [x, y],
                "facing": rng.choice([0, 90, 180, 270, rng.uniform(0, 360)]),
            }
            for i, (x, y) in enumerate(spots)
        ],
    }
