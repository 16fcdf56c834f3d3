"""Stands and their ways by plain arithmetic and shapely, apart from the engine."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from shapely import Polygon

Pose = tuple[float, float, float]


def corners(pose: Pose, front: float, depth: float) -> list[tuple[float, float]]:
    """Corners of a base whose front lies across its facing, degrees."""
    x, y, facing = pose
    c, s = math.cos(math.radians(facing)), math.sin(math.radians(facing))
    return [
        (x + f * c - g * s, y + f * s + g * c)
        for f, g in (
            (0.5 * depth, -0.5 * front),
            (0.5 * depth, 0.5 * front),
            (-0.5 * depth, 0.5 * front),
            (-0.5 * depth, -0.5 * front),
        )
    ]


def base(pose: Pose, front: float = 4.0, depth: float = 2.0) -> Polygon:
    return Polygon(corners(pose, front, depth))


def along(pose: Pose, leg: dict[str, Any], share: float) -> Pose:
    """The pose after a share of a leg as an action writes it."""
    x, y, facing = pose
    by = leg.get("by") or 0.0
    if "to" in leg:
        dx, dy = leg["to"][0] - x, leg["to"][1] - y
        return x + share * dx, y + share * dy, facing + share * by
    px, py = leg.get("centre", (x, y))
    a = math.radians(share * by)
    return (
        px + (x - px) * math.cos(a) - (y - py) * math.sin(a),
        py + (x - px) * math.sin(a) + (y - py) * math.cos(a),
        facing + share * by,
    )


def sampled(pose: Pose, legs: list[dict[str, Any]], steps: int) -> Iterator[list[Pose]]:
    """Poses along each leg, its ends among them."""
    for leg in legs:
        yield [along(pose, leg, k / steps) for k in range(steps + 1)]
        pose = along(pose, leg, 1.0)


def scene(
    units: dict[str, tuple[str, list[Pose]]],
    terrain: list[dict[str, Any]] | None = None,
    profile: str = "Infantry",
) -> dict[str, Any]:
    """A table of 180 x 120 cm; units: side and stands by id."""
    return {
        "format": "tapeline-scene/1",
        "system": "warmaster",
        "table": {"width": 180, "depth": 120, "unit": "cm"},
        "terrain": terrain or [],
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": [
            {"id": f"{u}-{k}", "side": side, "profile": profile, "position": [x, y], "facing": f}
            for u, (side, poses) in units.items()
            for k, (x, y, f) in enumerate(poses)
        ],
        "units": [
            {
                "id": u,
                "side": side,
                "members": [f"{u}-{k}" for k in range(len(poses))],
                "profile": profile,
            }
            for u, (side, poses) in units.items()
        ],
        "turn": {"phase": "initiative", "active": "red"},
    }
