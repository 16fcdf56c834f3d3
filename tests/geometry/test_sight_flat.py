"""Sight on flat ground. Figures by hand from the cases named in the tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.clip import clip_to, front_arc
from tapeline.geometry.rectangles.rectangle import (
    Point,
    Rect,
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_rect,
    region_of_segment,
    union_of,
)
from tapeline.geometry.sight.lines import flat_features, sight_to_region
from tapeline.geometry.sight.obstructions import in_feature


def box(x0: float, y0: float, x1: float, y1: float) -> Region:
    return region_of_polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def line_is_clear(a: Point, b: Point, walls: Sequence[Region]) -> bool:
    return sight_to_region(a, b, walls).visible


def inf(x: float, y: float, degrees: float) -> Rect:
    return Rect.of_degrees(x, y, degrees, 4, 2)


def turned(region: Region, degrees: float) -> Region:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    loops = [
        region_of_polygon(
            [(c * x - s * y, s * x + c * y) for x, y in zip(p.loop[::2], p.loop[1::2], strict=True)]
        )
        for p in region.parts
    ]
    return union_of(loops)


def test_case_78_standing_in_a_wood() -> None:
    wood = box(9, 8, 12, 12)
    enemy = inf(20, 10, 180)
    assert sight_to_region((11, 10), enemy, [wood], see_out=True).visible
    assert sight_to_region((11, 10), enemy, [wood]).blockers == (0,)


def test_case_79_part_outside_the_wood_is_seen() -> None:
    wood = box(17, 6, 20, 14)
    enemy = inf(20, 10, 180)
    seen = sight_to_region((11, 10), enemy, [wood], see_out=True)
    assert seen.visible
    assert seen.line is not None
    assert seen.line[0] == (11, 10)
    assert not sight_to_region((11, 10), enemy, [wood]).visible
    wide = box(17, 6, 18, 14)
    assert not sight_to_region((11, 10), enemy, [wide], see_out=True).visible


def test_case_111_rectangle_between_hides_wholly() -> None:
    between, enemy = inf(15, 10, 0), inf(20, 10, 180)
    result = sight_to_region((11, 10), enemy, [region_of_rect(between)])
    assert not result.visible
    assert result.blockers == (0,)
    narrow = Rect(15, 10, 0, 1, 2)
    assert sight_to_region((11, 10), enemy, [region_of_rect(narrow)]).visible


def test_cases_73_and_75_with_the_arc() -> None:
    shooter = inf(10, 10, 0)
    arc = front_arc(shooter, math.pi / 4, 2)
    assert sight_to_region(shooter.front, clip_to(inf(15, 18, 270).loop, arc), []).visible
    assert not sight_to_region(shooter.front, clip_to(inf(4, 10, 0).loop, arc), []).visible


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 30, 45, 61.7])
def test_running_along_a_border_is_free_and_a_seam_is_not(degrees: float) -> None:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def at(x: float, y: float) -> tuple[float, float]:
        return (c * x - s * y, s * x + c * y)

    left, right = turned(box(4, 0, 6, 3), degrees), turned(box(4, -3, 6, 0), degrees)
    assert line_is_clear(at(0, 0), at(10, 0), [left, right])
    assert not line_is_clear(at(0, 0), at(10, 0), [union_of([left, right])])
    assert sight_to_region(at(0, 1), at(10, 1), [left, right]).blockers == (0,)
    diagonal = turned(region_of_polygon([(4, 0), (6, 0), (6, 3), (4, 3)]), degrees)
    assert line_is_clear(at(2, -3), at(6, 3), [diagonal]) is False
    assert line_is_clear(at(0, 0), at(4, 0), [diagonal])
    # Corner to corner between two squares: free for two features, shut for one.
    a, b = turned(box(2, 2, 4, 4), degrees), turned(box(4, 0, 6, 2), degrees)
    assert line_is_clear(at(2, 0), at(6, 4), [a, b])


def test_slit_of_no_width_lets_a_target_be_seen() -> None:
    target = Rect(10, 0, 0, 2, 2)
    walls = [box(4, 0, 6, 30), box(4, -30, 6, 0)]
    seen = sight_to_region((0, 0), target, walls)
    assert seen.visible
    assert seen.line is not None
    assert seen.line[1][1] == pytest.approx(0, abs=1e-9)
    walls[0] = box(4, -1e-6, 6, 30)
    assert not sight_to_region((0, 0), target, walls).visible


def test_sight_through_a_gap_far_from_the_nearest_line() -> None:
    target = Rect(10, 0, 0, 8, 2)
    walls = [box(4, -20, 5, 1.5), box(4, 2.1, 5, 20)]
    seen = sight_to_region((0, 0), target, walls)
    assert seen.visible
    assert seen.line is not None
    assert line_is_clear(*seen.line, walls)
    shut = [box(4, -20, 5, 1.5), box(4, 1.5, 5, 20)]
    slanted = sight_to_region((0, 0), target, shut)
    assert not slanted.visible
    assert slanted.blockers == (0, 1)


def test_discs_hide_to_their_tangents() -> None:
    # Tangent from the origin to a circle of radius 3 at distance 5 rises 3 in 4.
    disc = region_of_circle(5, 0, 3)
    assert sight_to_region((0, 0), Rect(10, 0, 0, 15.8, 1), [disc]).visible
    # Nearer side at x = 9.5, farther at 10.5: the corner (9.5, 7.125) lies on the tangent.
    assert sight_to_region((0, 0), Rect(10, 0, 0, 14.25, 1), [disc]).visible
    assert not sight_to_region((0, 0), Rect(10, 0, 0, 14.2499, 1), [disc]).visible


def test_round_targets_and_eyes_inside() -> None:
    assert sight_to_region((0, 0), region_of_circle(0.5, 0, 1), [box(-9, -9, 9, 9)]).visible
    wall = box(4, -1, 5, 1)
    assert not sight_to_region((0, 0), region_of_circle(10, 0, 1.9), [wall]).visible
    assert sight_to_region((0, 0), region_of_circle(10, 0, 2.6), [wall]).visible


def test_segments_block_when_crossed() -> None:
    fence = region_of_segment((5, -1), (5, 1))
    assert not line_is_clear((0, 0), (10, 0), [fence])
    assert line_is_clear((0, 1), (10, 1), [fence])
    assert line_is_clear((0, 0), (5, 0), [fence])
    assert line_is_clear((5, -5), (5, 5), [fence])


def test_a_feature_holds_what_is_deep_in_it_and_on_its_seams() -> None:
    both = flat_features([union_of([box(0, 0, 2, 2), box(2, 0, 4, 2)])], False)
    found = [0.0, 0.0]
    assert in_feature(both, 0, 2, 1, 1e-9, found)
    assert not in_feature(both, 0, 0, 1, 1e-9, found)
    assert not in_feature(both, 0, 1e-7, 1, 1e-6, found)
    assert in_feature(both, 0, 1e-5, 1, 1e-6, found)


def test_touching_the_edge_of_a_wood_is_not_standing_in_it() -> None:
    wood = box(11, 8, 13, 12)
    assert not sight_to_region((11, 10), inf(20, 10, 180), [wood], see_out=True).visible
    assert sight_to_region((11.01, 10), inf(20, 10, 180), [wood], see_out=True).visible


def test_see_out_looks_beyond_the_nearest_point_of_the_target() -> None:
    # One wood in two pieces: the nearer hides the target's front, but the target also stands in
    # the farther piece, and a feature that holds the point seen does not hide it.
    wood = union_of([box(5, -9, 6, 9), box(9.5, -9, 12, 9)])
    target = Rect(9, 0, 0, 2, 2)
    assert sight_to_region((0, 0), target, [wood], see_out=True).visible
    assert not sight_to_region((0, 0), target, [wood, box(6.5, -9, 7, 9)], see_out=True).visible


def test_an_eye_must_be_a_place() -> None:
    with pytest.raises(ShapeError):
        sight_to_region((math.nan, 0), inf(9, 9, 0), [])


def test_sliver_between_two_discs() -> None:
    """Only directions between two tangents are free, and no corner lies between them."""
    for middle in (0.03, 0.11, -0.17):
        discs = []
        for side in (1, -1):
            # Distance 6, radius 3: half angle 30 degrees; the sliver is 0.002 rad wide.
            angle = middle + side * (math.pi / 6 + 0.001)
            discs.append(region_of_circle(6 * math.cos(angle), 6 * math.sin(angle), 3))
        seen = sight_to_region((0, 0), Rect(12, 0, 0, 9, 2), discs)
        assert seen.visible
        assert seen.line is not None
        found = math.atan2(seen.line[1][1], seen.line[1][0])
        assert found == pytest.approx(middle, abs=0.00101)
