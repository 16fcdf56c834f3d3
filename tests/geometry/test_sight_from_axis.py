"""Sight over heights from an axis to a body. Figures by similar triangles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_segment,
    union_of,
)
from tapeline.geometry.sight.bodies import BodySight, Solid, Solids, sight_between_bodies

#: Ground, bottom and top of what hides.
Prism: TypeAlias = tuple[Region, float, float]


def seen(
    viewer: tuple[float, float, float, float], target: Solid, prisms: Sequence[Prism]
) -> BodySight:
    """Sight from an upright axis (x, y, bottom, top) to a body."""
    x, y, bottom, top = viewer
    solids = [Solid(part, low, high) for region, low, high in prisms for part in region.parts]
    return sight_between_bodies(Solid(Part((x, y)), bottom, top), target, Solids(solids))


def cylinder(x: float, y: float, radius: float, bottom: float, top: float) -> Solid:
    return Solid(Part((x, y), radius), bottom, top)


def box(x0: float, y0: float, x1: float, y1: float) -> Region:
    return region_of_polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def spun(region: Region, degrees: float) -> Region:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return union_of(
        region_of_polygon(
            [(c * x - s * y, s * x + c * y) for x, y in zip(p.loop[::2], p.loop[1::2], strict=True)]
        )
        for p in region.parts
    )


EYE = (0.0, 0.0, 0.0, 1.5)
FAR = cylinder(10.0, 0.0, 0.5, 0.0, 1.5)
WIDE = box(4, -30, 5, 30)


def test_nothing_between_and_wholly_hidden() -> None:
    assert seen(EYE, FAR, []).visible
    result = seen(EYE, FAR, [(WIDE, 0, 3)])
    assert not result.visible


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 33.3])
def test_top_face_in_line_is_free_and_a_hair_higher_is_not(degrees: float) -> None:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    target = cylinder(10 * c, 10 * s, 0.5, 0.0, 1.5)
    wall = spun(WIDE, degrees)
    assert seen(EYE, target, [(wall, 0, 1.5)]).visible
    assert not seen(EYE, target, [(wall, 0, 1.5 + 1e-6)]).visible


def test_looking_down_past_a_parapet() -> None:
    # From height 4 over the wall's far edge at 5: down to 4 - (4 - h) * d / 5 at distance d.
    # The farthest point of the target, at 10.5, has its top at 1.5: h <= 4 - 2.5 * 5 / 10.5.
    h = 4 - 2.5 * 5 / 10.5
    eye = (0.0, 0.0, 3.0, 4.0)
    assert seen(eye, FAR, [(WIDE, 0, h - 1e-7)]).visible
    assert not seen(eye, FAR, [(WIDE, 0, h + 1e-7)]).visible


def test_looking_up_at_the_nearest_edge() -> None:
    # Up to 4 at distance 9.5 over the wall's near edge at 4: clear of heights 1.5 + 2.5 * 4 / 9.5.
    h = 1.5 + 2.5 * 4 / 9.5
    target = cylinder(10.0, 0.0, 0.5, 2.0, 4.0)
    assert seen(EYE, target, [(WIDE, 0, h - 1e-7)]).visible
    assert not seen(EYE, target, [(WIDE, 0, h + 1e-7)]).visible


def test_under_a_bridge_and_through_a_window() -> None:
    assert seen(EYE, FAR, [(WIDE, 1.0, 9)]).visible
    assert not seen(EYE, FAR, [(WIDE, 0, 9)]).visible
    window = [(WIDE, 0, 0.7), (WIDE, 0.8, 9)]
    assert seen(EYE, FAR, window).visible
    # A lower sill nearer by and a lintel farther off leave a slanted way only.
    slanted = [(box(3, -30, 4, 30), 0, 1.2), (box(6, -30, 7, 30), 1.1, 9)]
    assert seen(EYE, FAR, slanted).visible
    shut = [(box(3, -30, 4, 30), 0, 1.45), (box(4, -30, 5, 30), 1.0, 9)]
    assert not seen(EYE, FAR, shut).visible


def test_round_and_past_the_side() -> None:
    post = (region_of_circle(5, 0, 0.24), 0, 9)
    # Tangent from the eye to the target: sin = 0.05; a post of radius 0.25 at 5 just covers it.
    assert seen(EYE, FAR, [post]).visible
    covers = (region_of_circle(5, 0, 0.25), 0, 9)
    assert seen(EYE, FAR, [covers]).visible  # along the common tangent
    assert not seen(EYE, FAR, [(region_of_circle(5, 0, 0.2501), 0, 9)]).visible


def test_directions_that_only_halving_finds() -> None:
    """A low slanted wall seen over from above, in a narrow band between critical directions.

    In direction t the far border x = k + 3 y of the wall is k / (cos t - 3 sin t) away, the far rim
    of the target 10 cos t + sqrt(0.25 - 100 sin^2 t); a line from 4 down to 1.5 clears height 2.9
    up to 0.44 of the latter. So k may be at most their product, largest between 0 and the rim.
    """
    steps = [-math.asin(0.05) * j / 1000 for j in range(1000)]
    most, best = max(
        (
            0.44
            * (10 * math.cos(t) + math.sqrt(0.25 - 100 * math.sin(t) ** 2))
            * (math.cos(t) - 3 * math.sin(t)),
            t,
        )
        for t in steps
    )

    def wall(k: float) -> Prism:
        ground = region_of_polygon([(1, -1), (k - 3, -1), (k + 3, 1), (1, 1)])
        return (ground, 0, 2.9)

    eye = (0.0, 0.0, 3.0, 4.0)
    sight = seen(eye, FAR, [wall(most - 1e-5)])
    assert sight.visible
    assert sight.line is not None
    assert math.atan2(sight.line[1][1], sight.line[1][0]) == pytest.approx(best, abs=1e-3)
    assert not seen(eye, FAR, [wall(most + 1e-5)]).visible


def test_no_line_runs_under_a_wall_that_stands_on_the_ground() -> None:
    overhead = (box(8, 5, 9, 6), 1.0, 2.0)  # not in the way, but not standing either
    shelf = (box(2, -1, 3, 1), 1.2, 2.0)
    wall = (WIDE, 0, 3)
    assert not seen(EYE, FAR, [wall, overhead]).visible
    assert not seen(EYE, FAR, [wall, shelf]).visible
    assert seen(EYE, FAR, [(WIDE, 1e-6, 3)]).visible


def test_seams_are_shut() -> None:
    left, right = box(4, 0, 5, 30), box(4, -30, 5, 0)
    assert not seen(EYE, FAR, [(left, 0, 9), (right, 0, 9)]).visible
    lapped = [(box(4, -1e-6, 5, 30), 0, 9), (right, 0, 9)]
    assert not seen(EYE, FAR, lapped).visible


def test_eye_over_the_target() -> None:
    below = cylinder(0.1, 0.0, 0.5, 0.0, 1.5)
    above = (0.0, 0.0, 4.0, 5.5)
    assert seen(above, below, []).visible
    assert seen((0, 0, 1, 2), below, [(box(-9, -9, 9, 9), 0, 9)]).visible
    floor = (box(-9, -9, 9, 9), 2, 3)
    assert not seen(above, below, [floor]).visible
    hatch = (
        region_of_polygon([(-9, -9), (9, -9), (9, 9), (0.3, 9), (0.3, -0.2), (-9, -0.2)]),
        2,
        3,
    )
    assert seen(above, below, [hatch]).visible


def test_bad_input_is_refused() -> None:
    with pytest.raises(ShapeError):
        seen((0, 0, 2, 1), FAR, [])
    with pytest.raises(ShapeError):
        seen((0, 0, 0, math.nan), FAR, [])
    with pytest.raises(ShapeError):
        seen(EYE, FAR, [(region_of_segment((5, -1), (5, 1)), 0, 9)])


def test_only_the_part_before_a_tall_block_is_seen() -> None:
    """The target's near rim is hidden by a parapet, its far rim by a tower standing in it."""
    target = cylinder(10.0, 0.0, 2.0, 0.0, 0.5)
    eye = (0.0, 0.0, 3.0, 4.0)
    # At the parapet's far edge, 5, the line to distance d is at 4 - 17.5 / d.
    parapet = (WIDE, 0, 2.2)
    tower = (box(10.2, -3, 13, 3), 0, 9)
    sides = [(box(6, 0.2, 6.5, 9), 0, 9), (box(6, -9, 6.5, -0.2), 0, 9)]
    assert seen(eye, target, [parapet, tower, *sides]).visible
    nearer = (box(9.7, -3, 13, 3), 0, 9)  # 4 - 17.5 / 9.7 < 2.2
    assert not seen(eye, target, [parapet, nearer, *sides]).visible
