"""Whole paths of round bases as the referee judges them, against dense sampling of plain rules.

The oracle knows inches, discs and shapely outlines only. It samples each path every 0.004 in and
finds for each rule the worst margin; a table whose worst margin is within what sampling can miss is
not counted.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from shapely import Polygon
from shapely.affinity import rotate, translate
from shapely.geometry import box

import tapeline as tl

SIDE = 20.0
STEP = 0.004
#: Between two samples a gap changes by at most STEP, and twice that is asked for.
MARGIN = 2 * STEP
MOVE = 6.0


def random_scene(rng: random.Random) -> tuple[dict[str, Any], list[Polygon], list[Polygon]]:
    """A small crowded table: the scene, its impassable and its difficult outlines."""
    shapes: list[Polygon] = []
    for _ in range(rng.randint(1, 6)):
        shape = box(0, 0, rng.uniform(0.5, 5), rng.uniform(0.3, 2))
        if rng.random() < 0.4:
            shape = shape.union(box(0, 0, 0.5, 3))
        shape = translate(
            rotate(shape, rng.choice([0, 90, rng.uniform(0, 360)])),
            rng.uniform(1, 15),
            rng.uniform(1, 15),
        )
        if box(0, 0, SIDE, SIDE).contains(shape):
            shapes.append(shape)
    kinds = [rng.choice(["wall", "mud"]) for _ in shapes]
    walls = [s for s, kind in zip(shapes, kinds, strict=True) if kind == "wall"]
    mud = [s for s, kind in zip(shapes, kinds, strict=True) if kind == "mud"]
    models: list[dict[str, Any]] = []
    for index in range(rng.randint(2, 9)):
        for _ in range(50):
            x, y = rng.uniform(1, SIDE - 1), rng.uniform(1, SIDE - 1)
            mm = rng.choice([25, 32, 50])
            r = mm / 50.8
            clear = all(w.distance(shapely.Point(x, y)) > r + 0.05 for w in walls) and all(
                math.dist((x, y), m["position"]) > r + m["base"]["round_mm"] / 50.8 + 0.05
                for m in models
            )
            if clear:
                models.append(
                    {
                        "id": f"m{index}",
                        "side": "red" if not models else rng.choice(["red", "blue"]),
                        "profile": "Azeb",
                        "base": {"round_mm": mm},
                        "position": [x, y],
                    }
                )
                break
    scene = {
        "format": "tapeline-scene/1",
        "system": "trench-crusade",
        "table": {"width": SIDE, "depth": SIDE, "unit": "in"},
        "terrain": [
            {
                "id": f"t{i}",
                "kind": kind,
                "shape": {"polygon": [list(c) for c in s.exterior.coords[:-1]]},
            }
            for i, (s, kind) in enumerate(zip(shapes, kinds, strict=True))
        ],
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": models,
        "turn": {"active": "red"},
    }
    return scene, walls, mud


def sampled(corners: list[tuple[float, float]]) -> np.ndarray:
    parts = [np.array(corners[:1])]
    for a, b in pairwise(corners):
        n = max(1, math.ceil(math.dist(a, b) / STEP))
        t = np.linspace(0.0, 1.0, n + 1)[1:, None]
        parts.append(np.array(a) * (1 - t) + np.array(b) * t)
    return np.vstack(parts)


def margins(
    scene: dict[str, Any],
    walls: list[Polygon],
    mud: list[Polygon],
    corners: list[tuple[float, float]],
) -> dict[str, float]:
    """For each rule by how much the path keeps it; negative when it breaks it."""
    mover, *others = scene["models"]
    r = mover["base"]["round_mm"] / 50.8
    points = sampled(corners)
    places = shapely.points(points)
    length = float(np.hypot(*np.diff(np.array(corners), axis=0).T).sum())
    found = {"length": MOVE - length}
    if mud:
        inside = sum(
            shapely.LineString([a, b]).intersection(shapely.union_all(mud)).length
            for a, b in pairwise(corners)
        )
        found["cost"] = MOVE - length - inside
    edge = np.minimum(points, SIDE - points).min() - r
    found["table"] = float(edge)
    for index, wall in enumerate(walls):
        found[f"wall {index}"] = float(shapely.distance(wall, places).min()) - r
    start = np.array(mover["position"])
    for other in others:
        s = other["base"]["round_mm"] / 50.8
        centre = np.array(other["position"])
        gaps = np.hypot(*(points - centre).T) - r - s
        if other["side"] == mover["side"]:
            found[f"end on {other['id']}"] = float(gaps[-1])
        elif np.hypot(*(start - centre)) - r - s <= 1.0:
            found[f"held by {other['id']}"] = 1.0 - float(gaps.max())
            found[f"over {other['id']}"] = float(gaps.min())
        else:
            found[f"near {other['id']}"] = float(gaps.min()) - 1.0
    return found


def test_moves_are_judged_as_sampling_finds_them(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(20261121)
    counted = {True: 0, False: 0}
    tables = budget(250, 10_000)
    for _ in range(tables):
        scene, walls, mud = random_scene(rng)
        battle, _ = tl.load(scene).play(tl.Activate("m0"))
        x, y = scene["models"][0]["position"]
        for _ in range(3):
            corners = [(x, y)]
            for _ in range(rng.randint(1, 3)):
                reach = rng.choice([0.4, 1.5, 3.5])
                corners.append(
                    (
                        corners[-1][0] + rng.uniform(-reach, reach),
                        corners[-1][1] + rng.uniform(-reach, reach),
                    )
                )
            path = [{"to": list(corner)} for corner in corners[1:]]
            verdict = battle.judge(tl.Move("m0", path=path), nearest=False)
            found = margins(scene, walls, mud, corners)
            worst = min(found.values())
            if min(abs(m) for m in found.values()) <= MARGIN:
                continue
            counted[verdict.legal] += 1
            why = [(f.clause, f.text) for f in verdict.findings]
            assert verdict.legal == (worst > 0), (found, why, scene, path)
    assert counted[True] > tables // 4
    assert counted[False] > tables // 4
