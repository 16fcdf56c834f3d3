"""Seeded random tables for benchmarks: pieces apart from each other, models clear of them."""

from __future__ import annotations

import math
import random
from typing import Any

from shapely import Point as GeosPoint
from shapely import Polygon, STRtree
from shapely.affinity import rotate, translate
from shapely.geometry import box

__all__ = ["free_spots", "outlines", "sovl_scene", "trench_scene", "warmaster_scene"]


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


#: Troops of a bench army in turn: name, front of a stand, stands.
_TROOPS = (
    ("Halberdiers", 4.0, 3),
    ("Knights", 2.0, 3),
    ("Halberdiers", 4.0, 3),
    ("Pistoliers", 2.0, 3),
    ("Halberdiers", 4.0, 3),
    ("Cannon", 2.0, 2),
)


def warmaster_scene(units: int, seed: int = 1) -> dict[str, Any]:
    """A Warmaster table of 180 x 120 cm with `units` units in all, two armies in two lines."""
    rng = random.Random(f"wm-{seed}-{units}")
    terrain = [
        ("wood", [(24, 54), (40, 50), (46, 60), (30, 68)]),
        ("wood", [(140, 56), (152, 52), (156, 64), (144, 68)]),
        ("hill", [(70, 84), (88, 80), (94, 94), (76, 98)]),
        ("hill", [(60, 12), (80, 10), (84, 24), (64, 26)]),
        ("village", [(104, 54), (118, 52), (120, 64), (106, 66)]),
        ("river", [(88, 0), (92, 0), (94, 40), (92, 80), (96, 120), (92, 120), (88, 80), (90, 40)]),
        ("bridge", [(86, 50), (97, 50), (97, 58), (86, 58)]),
        ("ford", [(86, 66), (97, 66), (97, 74), (86, 74)]),
    ]
    models: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    half = units // 2
    columns = (half + 1) // 2
    for number in range(units):
        side, index = ("red", number) if number < half else ("blue", number - half)
        row, column = divmod(index, columns)
        name, front, count = _TROOPS[(index + row) % len(_TROOPS)]
        sign = 1 if side == "red" else -1
        x = (column + 0.5) * 176.0 / columns + 2.0
        y = 60.0 - sign * (16.0 + 14.0 * row + rng.uniform(0.0, 3.0))
        # Nobody begins in the river.
        x = 80.0 if 80.0 < x <= 91.0 else 104.0 if 91.0 < x < 104.0 else x
        ids = []
        for k in range(count):
            ids.append(f"u{number}-{k}")
            place = [x + sign * (k - 0.5 * (count - 1)) * front, y]
            facing = 90 if side == "red" else 270
            models.append(
                {"id": ids[-1], "side": side, "profile": name, "position": place, "facing": facing}
            )
        found.append({"id": f"u{number}", "side": side, "members": ids, "profile": name})
    for side, y in (("red", 34.0), ("blue", 86.0)):
        for k, name in enumerate(("Empire General", "Empire Hero", "Empire Hero")):
            place = [40.0 + 45.0 * k, y]
            models.append({"id": f"{side}-{k}", "side": side, "profile": name, "position": place})
    return {
        "format": "tapeline-scene/1",
        "system": "warmaster",
        "name": f"bench {units}",
        "table": {"width": 180, "depth": 120, "unit": "cm"},
        "terrain": [
            {"id": f"t{i}", "kind": kind, "shape": {"polygon": [list(p) for p in corners]}}
            for i, (kind, corners) in enumerate(terrain)
        ],
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": models,
        "units": found,
        "turn": {"phase": "initiative", "active": "red"},
    }
