"""Slow answers about discs on legs: dense points, plain sums, shapely. Imports nothing of ours."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import shapely

Place = tuple[float, float]


def line_places(ax: float, ay: float, bx: float, by: float, n: int) -> np.ndarray:
    """n + 1 places along a straight leg, evenly."""
    t = np.linspace(0.0, 1.0, n + 1)
    return np.stack([ax + t * (bx - ax), ay + t * (by - ay)], axis=1)


def arc_places(cx: float, cy: float, r: float, begin: float, sweep: float, n: int) -> np.ndarray:
    """n + 1 places along an arc, evenly."""
    a = begin + np.linspace(0.0, 1.0, n + 1) * sweep
    return np.stack([cx + r * np.cos(a), cy + r * np.sin(a)], axis=1)


def solid_gap(places: np.ndarray, shape: shapely.Geometry) -> np.ndarray:
    """Distance of each place from a solid, minus the depth where inside."""
    points = shapely.points(places)
    gap = shapely.distance(points, shape)
    if shape.geom_type == "Polygon":
        depth = shapely.distance(points, shape.exterior)
        gap = np.where(shapely.contains(shape, points), -depth, gap)
    return gap


def spans_of(flags: np.ndarray, length: float) -> list[tuple[float, float]]:
    """Runs of True among places spread evenly over a length."""
    n = len(flags) - 1
    spans = []
    begin = None
    for i, flag in enumerate(flags):
        if flag and begin is None:
            begin = i
        if not flag and begin is not None:
            spans.append((begin * length / n, (i - 1) * length / n))
            begin = None
    if begin is not None:
        spans.append((begin * length / n, length))
    return spans


def share_inside(x: float, y: float, r: float, inside: Callable[[np.ndarray], np.ndarray]) -> float:
    """Share of a disc inside something, by even area samples on a sunflower."""
    n = 20_000
    k = np.arange(n) + 0.5
    rho = r * np.sqrt(k / n)
    a = k * math.pi * (3.0 - math.sqrt(5.0))
    places = np.stack([x + rho * np.cos(a), y + rho * np.sin(a)], axis=1)
    return float(np.mean(inside(places)))


def disc_polygon(x: float, y: float, r: float, shape: shapely.Geometry) -> tuple[float, float]:
    """Bounds of the area that a disc and a polygon share: chords inside and outside the circle."""
    n = 720
    a = np.arange(n) * 2 * math.pi / n
    ring = np.stack([np.cos(a), np.sin(a)], axis=1)
    low = shapely.Polygon(ring * r + (x, y)).intersection(shape).area
    high = shapely.Polygon(ring * r / math.cos(math.pi / n) + (x, y)).intersection(shape).area
    return float(low), float(high)
