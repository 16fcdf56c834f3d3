"""Visible regions from many eyes at once: the same as one by one, bit for bit, in both backends."""

from __future__ import annotations

import pickle
import random

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.rectangle import (
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_segment,
)
from tapeline.geometry.sight.visible_region import Blockers, VisibleRegion


def cluttered(rng: random.Random, count: int) -> list[Region]:
    """Boxes, discs and segments, some over one another, on 48 x 48."""
    regions = []
    for _ in range(count):
        x, y, a = rng.uniform(3, 44), rng.uniform(3, 44), rng.uniform(0.5, 2)
        kind = rng.random()
        if kind < 0.5:
            square = [(x - a, y - a), (x + a, y - a), (x + a, y + a), (x - a, y + a)]
            regions.append(region_of_polygon(square))
        elif kind < 0.8:
            regions.append(region_of_circle(x, y, a))
        else:
            regions.append(region_of_segment((x, y), (x + a, y - 2 * a)))
    return regions


def same(one: VisibleRegion, two: VisibleRegion) -> bool:
    return one.eye == two.eye and one.outline == two.outline and one.area == two.area


def test_many_eyes_see_what_each_sees_alone() -> None:
    rng = random.Random(2)
    for count in (0, 1, 25):
        blockers = Blockers(cluttered(rng, count), 48, 48)
        eyes = [(rng.uniform(0, 48), rng.uniform(0, 48)) for _ in range(120)]
        views = list(blockers.views(eyes))
        assert all(same(a, blockers.seen_from(eye)) for a, eye in zip(views, eyes, strict=True))
        assert list(blockers.views([])) == []
    # More than the rows first made room for: they were listed in several goes.
    assert sum(len(view.outline) for view in views) > 8 * len(blockers.owners) + 8 + 16 * 120


def test_distances_follow_the_outline() -> None:
    rng = random.Random(3)
    (view,) = Blockers(cluttered(rng, 25), 48, 48).views([(24, 24)])
    for stretch in view.outline:
        ux, uy = (0.5 * (p + q) - 24 for p, q in zip(stretch.a, stretch.b, strict=True))
        far = (ux * ux + uy * uy) ** 0.5
        assert view.distance(ux / far, uy / far) <= far + 1e-9
        if stretch.radius == 0.0:
            assert view.distance(ux / far, uy / far) == pytest.approx(far, abs=1e-9)


def test_an_eye_outside_the_frame_is_refused_and_blockers_travel() -> None:
    blockers = Blockers(cluttered(random.Random(4), 5), 48, 48)
    with pytest.raises(ShapeError, match="outside the frame"):
        blockers.views([(5, 5), (49, 5)])
    view = blockers.seen_from((5, 5))
    assert same(pickle.loads(pickle.dumps(blockers)).seen_from((5, 5)), view)
