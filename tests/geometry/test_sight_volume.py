"""Sight over heights. Figures by similar triangles."""

from __future__ import annotations

import math

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.rectangle import (
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_segment,
    union_of,
)
from tapeline.geometry.sight.volume import Cylinder, Prism, sight_over_heights


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
FAR = Cylinder(10.0, 0.0, 0.5, 0.0, 1.5)
WIDE = box(4, -30, 5, 30)


def test_nothing_between_and_wholly_hidden() -> None:
    assert sight_over_heights(EYE, FAR, []).visible
    result = sight_over_heights(EYE, FAR, [Prism(WIDE, 0, 3)])
    assert not result.visible


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 33.3])
def test_top_face_in_line_is_free_and_a_hair_higher_is_not(degrees: float) -> None:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    target = Cylinder(10 * c, 10 * s, 0.5, 0.0, 1.5)
    wall = spun(WIDE, degrees)
    assert sight_over_heights(EYE, target, [Prism(wall, 0, 1.5)]).visible
    assert not sight_over_heights(EYE, target, [Prism(wall, 0, 1.5 + 1e-6)]).visible


def test_looking_down_past_a_parapet() -> None:
    # From height 4 over the wall's far edge at 5: down to 4 - (4 - h) * d / 5 at distance d.
    # The farthest point of the target, at 10.5, has its top at 1.5: h <= 4 - 2.5 * 5 / 10.5.
    h = 4 - 2.5 * 5 / 10.5
    eye = (0.0, 0.0, 3.0, 4.0)
    assert sight_over_heights(eye, FAR, [Prism(WIDE, 0, h - 1e-7)]).visible
    assert not sight_over_heights(eye, FAR, [Prism(WIDE, 0, h + 1e-7)]).visible


def test_looking_up_at_the_nearest_edge() -> None:
    # Up to 4 at distance 9.5 over the wall's near edge at 4: clear of heights 1.5 + 2.5 * 4 / 9.5.
    h = 1.5 + 2.5 * 4 / 9.5
    target = Cylinder(10.0, 0.0, 0.5, 2.0, 4.0)
    assert sight_over_heights(EYE, target, [Prism(WIDE, 0, h - 1e-7)]).visible
    assert not sight_over_heights(EYE, target, [Prism(WIDE, 0, h + 1e-7)]).visible


def test_under_a_bridge_and_through_a_window() -> None:
    assert sight_over_heights(EYE, FAR, [Prism(WIDE, 1.0, 9)]).visible
    assert not sight_over_heights(EYE, FAR, [Prism(WIDE, 0, 9)]).visible
    window = [Prism(WIDE, 0, 0.7), Prism(WIDE, 0.8, 9)]
    assert sight_over_heights(EYE, FAR, window).visible
    # A lower sill nearer by and a lintel farther off leave a slanted way only.
    slanted = [Prism(box(3, -30, 4, 30), 0, 1.2), Prism(box(6, -30, 7, 30), 1.1, 9)]
    assert sight_over_heights(EYE, FAR, slanted).visible
    shut = [Prism(box(3, -30, 4, 30), 0, 1.45), Prism(box(4, -30, 5, 30), 1.0, 9)]
    assert not sight_over_heights(EYE, FAR, shut).visible


def test_round_and_past_the_side() -> None:
    post = Prism(region_of_circle(5, 0, 0.24), 0, 9)
    # Tangent from the eye to the target: sin = 0.05; a post of radius 0.25 at 5 just covers it.
    assert sight_over_heights(EYE, FAR, [post]).visible
    covers = Prism(region_of_circle(5, 0, 0.25), 0, 9)
    assert sight_over_heights(EYE, FAR, [covers]).visible  # along the common tangent
    assert not sight_over_heights(EYE, FAR, [Prism(region_of_circle(5, 0, 0.2501), 0, 9)]).visible


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
        return Prism(ground, 0, 2.9)

    eye = (0.0, 0.0, 3.0, 4.0)
    seen = sight_over_heights(eye, FAR, [wall(most - 1e-5)])
    assert seen.visible
    assert seen.line is not None
    assert math.atan2(seen.line[1][1], seen.line[1][0]) == pytest.approx(best, abs=1e-3)
    assert not sight_over_heights(eye, FAR, [wall(most + 1e-5)]).visible


def test_no_line_runs_under_a_wall_that_stands_on_the_ground() -> None:
    overhead = Prism(box(8, 5, 9, 6), 1.0, 2.0)  # not in the way, but not standing either
    shelf = Prism(box(2, -1, 3, 1), 1.2, 2.0)
    wall = Prism(WIDE, 0, 3)
    assert not sight_over_heights(EYE, FAR, [wall, overhead]).visible
    assert not sight_over_heights(EYE, FAR, [wall, shelf]).visible
    assert sight_over_heights(EYE, FAR, [Prism(WIDE, 1e-6, 3)]).visible


def test_slits_are_free_and_seams_are_shut() -> None:
    left, right = box(4, 0, 5, 30), box(4, -30, 5, 0)
    assert sight_over_heights(EYE, FAR, [Prism(left, 0, 9), Prism(right, 0, 9)]).visible
    assert not sight_over_heights(EYE, FAR, [Prism(union_of([left, right]), 0, 9)]).visible
    lapped = [Prism(box(4, -1e-6, 5, 30), 0, 9), Prism(right, 0, 9)]
    assert not sight_over_heights(EYE, FAR, lapped).visible


def test_eye_over_the_target() -> None:
    below = Cylinder(0.1, 0.0, 0.5, 0.0, 1.5)
    above = (0.0, 0.0, 4.0, 5.5)
    assert sight_over_heights(above, below, []).visible
    assert sight_over_heights((0, 0, 1, 2), below, [Prism(box(-9, -9, 9, 9), 0, 9)]).visible
    floor = Prism(box(-9, -9, 9, 9), 2, 3)
    assert not sight_over_heights(above, below, [floor]).visible
    hatch = Prism(
        region_of_polygon([(-9, -9), (9, -9), (9, 9), (0.3, 9), (0.3, -0.2), (-9, -0.2)]), 2, 3
    )
    assert sight_over_heights(above, below, [hatch]).visible


def test_bad_input_is_refused() -> None:
    with pytest.raises(ShapeError):
        sight_over_heights((0, 0, 2, 1), FAR, [])
    with pytest.raises(ShapeError):
        sight_over_heights((0, 0, 0, math.nan), FAR, [])
    with pytest.raises(ShapeError):
        sight_over_heights(EYE, Cylinder(9, 0, -1, 0, 1), [])
    with pytest.raises(ShapeError):
        sight_over_heights(EYE, FAR, [Prism(region_of_segment((5, -1), (5, 1)), 0, 9)])


def test_only_the_part_before_a_tall_block_is_seen() -> None:
    """The target's near rim is hidden by a parapet, its far rim by a tower standing in it."""
    target = Cylinder(10.0, 0.0, 2.0, 0.0, 0.5)
    eye = (0.0, 0.0, 3.0, 4.0)
    # At the parapet's far edge, 5, the line to distance d is at 4 - 17.5 / d.
    parapet = Prism(WIDE, 0, 2.2)
    tower = Prism(box(10.2, -3, 13, 3), 0, 9)
    sides = [Prism(box(6, 0.2, 6.5, 9), 0, 9), Prism(box(6, -9, 6.5, -0.2), 0, 9)]
    assert sight_over_heights(eye, target, [parapet, tower, *sides]).visible
    nearer = Prism(box(9.7, -3, 13, 3), 0, 9)  # 4 - 17.5 / 9.7 < 2.2
    assert not sight_over_heights(eye, target, [parapet, nearer, *sides]).visible
