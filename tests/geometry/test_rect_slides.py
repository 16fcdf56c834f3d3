"""Rectangles: overlap, distance, slides. Figures by hand from the cases named in the tests."""

from __future__ import annotations

import math
import random

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.clip import clip_to, front_arc, loop_area
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Rect,
    Region,
    nearest_point,
    overlaps,
    overshoots,
    region_of_circle,
    region_of_polygon,
    region_of_rect,
    region_of_segment,
    separation,
    union_of,
)
from tapeline.geometry.rectangles.separating_axis import depth_of_parts
from tapeline.geometry.rectangles.slide import slide, slide_into, slide_to_border
from tapeline.geometry.rectangles.slide_impact import box_ahead, box_overlap
from tapeline.geometry.rectangles.slide_spans import slide_span

T = 1e-6


def box(x0: float, y0: float, x1: float, y1: float) -> Region:
    return region_of_polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def inf(x: float, y: float, degrees: float) -> Rect:
    return Rect.of_degrees(x, y, degrees, 4, 2)


def touches(a: Rect, b: Rect | Region, within: float = 0.0) -> bool:
    return separation(a, b).gap <= within and not overlaps(a, b, within)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 360, -90, 450])
def test_corners_are_exact_at_quarter_turns(degrees: float) -> None:
    wide = (degrees // 90) % 2 == 1
    w, d = (2.0, 1.0) if wide else (1.0, 2.0)
    expected = {(10 + i * w, 10 + j * d) for i in (-1, 1) for j in (-1, 1)}
    assert set(Rect(10, 10, math.radians(degrees), 4, 2).corners) == expected
    assert set(inf(10, 10, degrees).corners) == expected


def test_corner_order_and_front() -> None:
    rect = inf(10, 10, 0)
    assert rect.corners == ((11, 8), (11, 12), (9, 12), (9, 8))
    assert rect.front == (11, 10)
    assert rect.local((11, 12)) == (1, 2)
    assert rect.world(1, 2) == (11, 12)
    assert rect.turned(math.pi / 2).corners == ((12, 11), (8, 11), (8, 9), (12, 9))
    assert rect.turned(math.pi / 2, (0, 0)).front == (-10, 11)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_rect_refuses_numbers_that_are_not_finite(bad: float) -> None:
    for i in range(5):
        values = [1.0, 1.0, 0.0, 1.0, 1.0]
        values[i] = bad
        with pytest.raises(ShapeError):
            Rect(*values)


def test_rect_refuses_sides_without_length() -> None:
    with pytest.raises(ShapeError):
        Rect(0, 0, 0, 0, 1)
    with pytest.raises(ShapeError):
        Rect(0, 0, 0, 1, -1)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (1, 1)],
        [(0, 0), (1, 1), (2, 2)],
        [(0, 0), (2, 2), (2, 0), (0, 2)],
        [(0, 0), (4, 0), (4, 4), (2, 4), (2, 0.0), (2, 4), (0, 4)],
        [(0, 0), (1, 0), (math.nan, 1)],
        [(0, 0), (0, 0), (0, 0), (1, 1)],
    ],
)
def test_polygons_that_cannot_be_measured_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(ShapeError):
        region_of_polygon(corners)


def test_convex_parts_cover_a_concave_polygon_with_its_own_corners() -> None:
    comb = [(0, 0), (7, 0), (7, 3), (6, 3), (6, 1), (4, 1), (4, 3), (3, 3), (3, 1), (1, 1), (1, 3)]
    comb.append((0, 3))
    region = region_of_polygon(comb)
    assert sum(loop_area(p.loop) for p in region.parts) == pytest.approx(13, abs=1e-12)
    own = {v for c in comb for v in [tuple(map(float, c))]}
    for part in region.parts:
        assert set(zip(part.loop[::2], part.loop[1::2], strict=True)) <= own


# Overlap, depth, gap


def test_flush_rectangles_touch_and_do_not_overlap() -> None:
    a, b = inf(10, 10, 0), inf(12, 10, 0)
    s = separation(a, b)
    assert (s.gap, s.depth) == (0.0, 0.0)
    assert not overlaps(a, b)
    assert touches(a, b)
    assert not touches(a, b.moved(1e-5, 0), T)
    assert touches(a, b.moved(1e-7, 0), T)
    assert touches(a, b.moved(-1e-7, 0), T)
    assert overlaps(a, b.moved(-1e-5, 0), T)


def test_corner_to_corner_touches() -> None:
    assert touches(inf(10, 10, 0), inf(12, 14, 0))
    assert not overlaps(inf(10, 10, 0), inf(12, 14, 0))


def test_depth_is_the_least_translation() -> None:
    s = separation(inf(10, 10, 0), inf(11.75, 13, 0))
    assert s.depth == pytest.approx(0.25)
    moved = (s.on_a[0] - s.on_b[0], s.on_a[1] - s.on_b[1])
    assert moved == pytest.approx((0.25, 0.0))
    assert touches(inf(10, 10, 0), inf(11.75, 13, 0).moved(*moved), 1e-12)


def test_depth_against_discs_inside_and_across() -> None:
    assert separation(inf(10, 10, 0), region_of_circle(10.5, 10, 0.25)).depth == pytest.approx(0.75)
    assert separation(inf(10, 10, 0), region_of_circle(12, 10, 1.5)).depth == pytest.approx(0.5)
    s = separation(inf(10, 10, 0), region_of_circle(14, 16, 1))
    assert s.gap == pytest.approx(4)
    assert s.on_a == (11, 12)
    assert s.on_b == pytest.approx((13.4, 15.2))


def test_segment_is_overlapped_only_from_inside() -> None:
    rect = inf(10, 10, 0)
    assert overlaps(rect, region_of_segment((0, 10), (20, 10)))
    assert not overlaps(rect, region_of_segment((11, 0), (11, 20)))
    assert touches(rect, region_of_segment((11, 0), (11, 20)))
    assert separation(rect, region_of_segment((12.5, 0), (12.5, 20))).gap == 1.5


def test_concave_polygon_leaves_its_bay_free() -> None:
    bay = region_of_polygon([(0, 0), (10, 0), (10, 6), (8, 6), (8, 2), (2, 2), (2, 6), (0, 6)])
    inside = Rect(5, 4, 0, 4, 6)
    assert touches(inside, bay)
    assert not overlaps(inside, bay)
    assert overlaps(inside.moved(0.01, 0), bay, T)
    assert separation(Rect(5, 4, 0, 1, 4), bay).gap == 1


def test_nearest_point_case_65() -> None:
    # Clamp (6, 10) into x 14..16, y 16..20: sqrt(64 + 36).
    assert nearest_point(inf(15, 18, 0), (6, 10)) == (10.0, (14.0, 16.0))
    assert nearest_point(inf(15, 18, 0), (15.5, 17)) == (0.0, (15.5, 17))
    assert separation(inf(5, 10, 0), inf(15, 18, 0)).gap == pytest.approx(math.sqrt(80), abs=1e-12)


def test_block_of_rectangles_is_one_shape() -> None:
    block = [inf(10, 10, 0), inf(10, 20, 0)]
    s = separation(block, inf(14, 20, 0))
    assert (s.gap, s.part_a) == (2.0, 1)
    result = slide(block, box(15, 19, 16, 20), (1, 0), 8)
    assert result.contact is not None
    assert (result.contact.at, result.contact.mover) == (4.0, 1)


def test_overshoots_name_side_and_corner() -> None:
    by_side = {o.side: o for o in overshoots(inf(46.5, 18, 90), 48, 36)}
    assert by_side["right"].amount == 0.5
    assert by_side["left"].amount == -44.5
    assert by_side["top"].amount == -17


# Slides


def test_case_12_flush_stop_in_front_of_a_rectangle() -> None:
    s = slide(inf(10, 18, 0), inf(18, 18, 90), (1, 0), 8, T)
    assert s.contact is not None
    assert s.contact.at == 5.0
    assert s.contact.ends == ((16.0, 17.0), (16.0, 19.0)) or s.contact.ends == (
        (16.0, 19.0),
        (16.0, 17.0),
    )
    assert s.spans[0].start == 5.0
    assert s.spans[0].stop == 11.0


def test_case_15_corner_against_a_wall() -> None:
    s = slide(inf(10, 10, 45), box(16, 0, 18, 30), (1, 1), 8, T)
    assert s.contact is not None
    assert s.contact.at == pytest.approx(6 * math.sqrt(2) - 3, abs=1e-12)
    assert s.contact.point[0] == pytest.approx(16)


def test_case_16_and_17_circle_before_the_face_and_at_the_corner() -> None:
    face = slide(inf(10, 18, 0), region_of_circle(18, 19, 3), (1, 0), 8, T)
    assert face.contact is not None
    assert face.contact.at == pytest.approx(4, abs=1e-12)
    assert face.contact.point == pytest.approx((15, 19))
    corner = slide(inf(10, 18, 0), region_of_circle(18, 21, 3), (1, 0), 8, T)
    assert corner.contact is not None
    assert corner.contact.at == pytest.approx(7 - 2 * math.sqrt(2), abs=1e-12)
    assert corner.contact.point == pytest.approx((18 - 2 * math.sqrt(2), 20))


def test_case_18_river() -> None:
    s = slide(inf(10, 18, 0), box(13, 0, 15, 36), (1, 0), 4, T)
    assert s.contact is not None
    assert s.contact.at == 2.0


def test_cases_21_and_22_border() -> None:
    flat = slide_to_border(inf(44, 18, 0), (1, 0), 48, 36)
    assert flat is not None
    assert (flat.at, flat.side) == (3.0, "right")
    slanted = slide_to_border(inf(44, 18, 30), inf(44, 18, 30).world(1, 0), 48, 36)
    u = inf(44, 18, 30)
    slanted = slide_to_border(u, (u.ux, u.uy), 48, 36)
    assert slanted is not None
    assert slanted.at == pytest.approx(2.464101615137755, abs=1e-9)
    assert slanted.corner == 0


def test_sliding_along_the_border_is_free() -> None:
    edge = slide_to_border(inf(10, 2, 0), (1, 0), 48, 36)
    assert edge is not None
    assert edge.side == "right"


def test_case_54_two_woods_in_a_row() -> None:
    cav = Rect(6, 18, 0, 5, 2)
    first = slide(cav, box(9, 14, 10, 22), (1, 0), 10, T)
    second = slide(cav, box(14, 14, 16, 22), (1, 0), 10, T)
    assert [(s.start, s.stop) for s in first.spans] == [(2, 5)]
    assert [(s.start, s.stop) for s in second.spans] == [(7, 11)]
    third = slide(cav, box(11, 14, 13, 22), (1, 0), 10, T)
    assert [(s.start, s.stop) for s in third.spans] == [(4, 8)]


def test_case_57_wood_at_45_degrees() -> None:
    s = slide(inf(10, 10, 45), box(13, 0, 20, 30), (1, 1), 5, T)
    assert s.spans[0].start == pytest.approx(1.2426406871192852, abs=1e-12)


def test_one_feature_entered_twice_gives_two_spans() -> None:
    teeth = union_of([box(14, 14, 15, 22), box(20, 14, 21, 22)])
    s = slide(inf(10, 18, 0), teeth, (1, 0), 30, T)
    assert [(x.start, x.stop) for x in s.spans] == [(3, 6), (9, 12)]
    joined = union_of([box(14, 14, 15, 22), box(16, 14, 17, 22)])
    s = slide(inf(10, 18, 0), joined, (1, 0), 30, T)
    assert [(x.start, x.stop) for x in s.spans] == [(3, 8)]
    bay = region_of_polygon([(14, 0), (30, 0), (30, 40), (14, 40), (14, 30), (26, 30), (26, 10)])
    s = slide(Rect(10, 18, 0, 4, 2), bay, (1, 0), 40, T)
    assert len(s.spans) == 1


def test_contact_with_two_arms_at_once_is_told_at_an_end_of_it() -> None:
    arms = union_of([box(14, 16.5, 20, 17.5), box(14, 18.5, 20, 19.5)])
    contact = slide(Rect(10, 18, 0, 4, 2), arms, (1, 0), 30, T).contact
    assert contact
    assert (contact.at, contact.point, contact.ends) == (3, (14, 16.5), ((14, 16.5), (14, 19.5)))
    wall = union_of([box(14, 16.5, 20, 18), box(14, 18, 20, 19.5)])
    contact = slide(Rect(10, 18, 0, 4, 2), wall, (1, 0), 30, T).contact
    assert contact
    assert contact.point == (14, 18)


@pytest.mark.parametrize("aslant", [0.0, 1e-11, -1e-11, 1e-8, -1e-8])
def test_a_side_all_but_parallel_to_the_way_is_touched_where_it_begins(aslant: float) -> None:
    """Figures of a turned table are rounded: what is flush is aslant by a hair then."""
    wall = region_of_polygon([(14, 20 + 6 * aslant), (20, 20), (20, 22), (14, 22)])
    s = slide(inf(10, 18, 0), wall, (1, 0), 8, T)
    assert s.contact is None
    assert s.touch is not None
    assert s.touch.at == pytest.approx(3, abs=1e-6)
    assert s.touch.point == pytest.approx((14, 20), abs=1e-6)


def test_standing_in_a_feature_starts_below_zero() -> None:
    s = slide(inf(10, 10, 0), box(8, 4, 10.5, 16), (1, 0), 5, T)
    assert [(x.start, x.stop) for x in s.spans] == [(-3, 1.5)]
    assert s.contact is not None
    assert s.contact.at == 0.0


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 30, 45, 17.3])
def test_sliding_along_a_side_is_a_graze(degrees: float) -> None:
    """Past two neighbours, flush on the left; the one further on counts for `touch` only."""
    me = Rect.of_degrees(20, 20, degrees, 4, 2)
    u = (me.ux, me.uy)
    beside = Rect.of_degrees(*me.world(0, 4), degrees, 4, 2)
    ahead = Rect.of_degrees(*me.world(5, 4), degrees, 4, 2)
    along = slide(me, beside, u, 8, T)
    assert along.contact is None
    assert along.touch is None
    later = slide(me, ahead, u, 8, T)
    assert later.contact is None
    assert later.contact is None
    assert later.touch is not None
    assert later.touch.at == pytest.approx(3, abs=1e-9)
    deeper = slide(me.moved(*[1e-4 * v for v in (-me.uy, me.ux)]), ahead, u, 8, T)
    assert deeper.contact is not None
    assert deeper.contact.at == pytest.approx(3, abs=1e-9)


@pytest.mark.parametrize("noise", [-5e-7, -1e-15, 0.0, 1e-15, 5e-7])
def test_within_the_tolerance_a_side_is_still_only_slid_along(noise: float) -> None:
    s = slide(inf(10, 18, 0), inf(14, 22 + noise, 0), (1, 0), 8, T)
    assert s.contact is None
    assert s.touch is not None
    assert s.touch.at == pytest.approx(2, abs=2e-6)


@pytest.mark.parametrize("degrees", [0, 20, 71, 300])
@pytest.mark.parametrize("gap", [-9e-7, -1e-10, 0.0, 1e-10, 9e-7])
def test_a_round_part_beside_the_lane_is_touched_where_it_lies_level(
    degrees: float, gap: float
) -> None:
    """Its overlap by a rounding would be met 1e-5 sooner, by a millionth more than 1e-3."""
    me = Rect.of_degrees(20, 20, degrees, 4, 2)
    rock = region_of_circle(*me.world(6, 3.5 + gap), 1.5)
    s = slide(me, rock, (me.ux, me.uy), 8, T)
    assert s.contact is None
    assert s.touch is not None
    assert s.touch.at == pytest.approx(5, abs=1e-9)
    assert s.touch.point == pytest.approx(me.world(6, 2), abs=1e-6)


def test_a_round_part_a_little_more_in_the_lane_is_met_where_it_is() -> None:
    s = slide(Rect(20, 20, 0, 4, 2), region_of_circle(26, 23.5 - 3e-6, 1.5), (1, 0), 8, T)
    assert s.contact is not None
    assert s.touch is not None
    met = 5 - math.sqrt(1.5**2 - (1.5 - 3e-6) ** 2)
    assert (s.contact.at, s.touch.at) == pytest.approx((met, met), abs=1e-9)


def test_corner_clipped_in_a_point_is_a_graze() -> None:
    # A diamond whose lowest corner lies on the line of the left side.
    diamond = region_of_polygon([(15, 20), (16, 21), (15, 22), (14, 21)])
    s = slide(inf(10, 18, 0), diamond, (1, 0), 8, T)
    assert s.contact is None
    assert s.touch is not None
    assert s.touch.at == pytest.approx(4, abs=1e-6)
    assert s.touch.point == pytest.approx((15, 20), abs=1e-6)


def test_moving_away_from_a_touched_side_is_free_and_into_it_is_contact() -> None:
    away = slide(inf(10, 10, 0), inf(8 + 5e-7, 10, 0), (1, 0), 5, T)
    assert away.contact is None
    assert away.touch is None
    into = slide(inf(10, 10, 0), inf(12 - 5e-7, 10, 0), (1, 0), 5, T)
    assert into.contact is not None
    assert into.contact.at == 0.0


def test_slide_that_ends_on_contact_is_not_stopped_by_it() -> None:
    s = slide(inf(10, 18, 0), inf(18, 18, 90), (1, 0), 5.0, T)
    assert s.contact is None
    assert s.touch is not None
    assert s.touch.at == 5.0


def test_sliding_on_along_the_next_part_of_one_wall_is_no_new_touch() -> None:
    wall = union_of([box(0, 20, 12, 22), box(12, 20, 30, 22)])
    assert slide(inf(10, 18, 0), wall, (1, 0), 8, T).touch is None
    two = slide(inf(10, 18, 0), box(12, 20, 30, 22), (1, 0), 8, T)
    assert two.touch is not None


def test_slide_sideways_and_against_a_segment() -> None:
    s = slide(inf(10, 10, 0), region_of_segment((10.5, 15), (30, 15)), (0, 1), 5, T)
    assert s.contact is not None
    assert s.contact.at == 3.0
    assert s.contact.ends == ((11.0, 15.0), (10.5, 15.0)) or s.contact.point == (10.75, 15.0)


def test_slide_refuses_no_direction() -> None:
    with pytest.raises(ShapeError):
        slide(inf(0, 0, 0), inf(9, 9, 0), (0, 0), 1)
    with pytest.raises(ShapeError):
        slide(inf(0, 0, 0), inf(9, 9, 0), (1, 0), -1)
    with pytest.raises(ShapeError):
        slide(inf(0, 0, 0), inf(9, 9, 0), (1, 0), math.nan)


# Clipping


def test_case_73_front_arc() -> None:
    shooter, target = inf(10, 10, 0), inf(15, 18, 270)
    corner45 = clip_to(target.loop, front_arc(shooter, math.pi / 4, 2))
    assert max(corner45[1::2]) == pytest.approx(18, abs=1e-12)
    assert clip_to(target.loop, front_arc(shooter, math.pi / 4, 0)) == ()


def test_case_75_behind_is_outside_the_arc() -> None:
    assert clip_to(inf(4, 10, 0).loop, front_arc(inf(10, 10, 0), math.pi / 4, 2)) == ()


def test_clipping_is_closed() -> None:
    square = (0.0, 0.0, 2.0, 0.0, 2.0, 2.0, 0.0, 2.0)
    assert clip_to(square, [(1, 0, 0)]) == (0.0, 0.0, 0.0, 2.0)
    assert clip_to(square, [(1, 1, 0)]) == (0.0, 0.0)
    assert clip_to(square, [(1, 0, -1e-12)]) == ()
    assert loop_area(clip_to(square, [(1, 1, 2)])) == 2
    assert region_of_rect(Rect(1, 1, 0, 2, 2)).bounds == (0, 0, 2, 2)


@pytest.mark.parametrize(("gap", "met"), [(1e-4, None), (0.0, "touch"), (-1e-4, "contact")])
def test_disc_passed_on_the_side(gap: float, met: str | None) -> None:
    s = slide(inf(10, 18, 0), region_of_circle(15, 21 + gap, 1), (1, 0), 8, T)
    assert (s.contact is not None) == (met == "contact")
    assert (s.touch is not None) == (met is not None)


def test_two_circles_apart_and_overlapping() -> None:
    a = region_of_circle(0, 0, 1)
    apart = separation(a, region_of_circle(3, 4, 2))
    assert (apart.gap, apart.depth) == (2.0, 0.0)
    assert apart.on_a == pytest.approx((0.6, 0.8))
    over = separation(a, region_of_circle(2, 0, 2))
    assert (over.gap, over.depth) == (0.0, 1.0)
    assert separation(a, region_of_circle(0, 0, 2)).depth == 3.0
    assert not overlaps(a, region_of_circle(3, 0, 2))
    assert overlaps(a, region_of_circle(2.9, 0, 2))


def random_part(rng: random.Random) -> Part:
    """A point, segment, polygon or disc about the middle of a table."""
    x, y = rng.uniform(-8, 8), rng.uniform(-4, 4)
    if rng.random() < 0.25:
        return Part((x, y), rng.choice([1e-7, 0.5, 3.0]))
    corners = rng.choice([1, 2, 3, 4, 6])
    first, size = rng.uniform(0, 6), rng.uniform(0.2, 4)
    if rng.random() < 0.3:
        first = 0.0
    angles = [first + 2 * math.pi * k / corners for k in range(corners)]
    return Part(tuple(v for a in angles for v in (x + size * math.cos(a), y + size * math.sin(a))))


def test_overlap_in_the_frame_of_a_rectangle_agrees_with_all_axes() -> None:
    rng = random.Random(5)
    out = [0.0] * 4
    met = ahead = 0
    for _ in range(4000):
        degrees = rng.choice([0.0, 90.0, 30.0, rng.uniform(0, 360)])
        rect = Rect.of_degrees(0.5, 0.25, degrees, rng.uniform(0.5, 8), rng.uniform(0.5, 4))
        part = random_part(rng)
        frame = (rect.x, rect.y, rect.ux, rect.uy, 0.5 * rect.depth, 0.5 * rect.width)
        for need in (0.0, T, 0.1):
            depth = depth_of_parts(rect.loop, part.loop, part.radius, out)
            if abs(depth - need) > 1e-12:
                answer = box_overlap(frame, part.loop, part.radius, need)
                assert answer == (depth > need)
                met += answer
            deep = [0.0] * 4
            if not box_ahead(frame, part.loop, part.radius, need, deep):
                if slide_span(rect.loop, part.loop, part.radius, rect.ux, rect.uy, need, out):
                    assert out[1] - out[0] < 1e-6
                continue
            ahead += 1
            for at, least in ((2, need), (0, 0.0)):
                slide_span(rect.loop, part.loop, part.radius, rect.ux, rect.uy, least, out)
                assert deep[at : at + 2] == pytest.approx(out[:2], abs=1e-9)
    assert met > 2000
    assert ahead > 2000


def _some_feature(rng: random.Random) -> Region:
    """A rectangle, a disc, one grown by a hair, a segment or a few of them, near the middle."""
    x, y = rng.uniform(8, 22), rng.uniform(8, 22)
    kind = rng.randrange(5)
    if kind == 0:
        return region_of_rect(Rect.of_degrees(x, y, rng.choice([0, 90, rng.uniform(0, 360)]), 4, 2))
    if kind == 1:
        return region_of_circle(x, y, rng.uniform(0.2, 4))
    if kind == 2:
        loop = Rect.of_degrees(x, y, rng.uniform(0, 360), 4, 2).loop
        return Region((Part(loop, rng.choice([T, 0.5])),), (x - 4, y - 4, x + 4, y + 4))
    if kind == 3:
        return region_of_segment((x, y), (x + 3, y + rng.uniform(-3, 3)))
    return union_of([_some_feature(rng) for _ in range(3)])


def test_slide_into_gives_what_slide_gives(budget) -> None:  # type: ignore[no-untyped-def]
    """Spans and contact are the same to the last bit; random, touching and level ones."""
    rng, met = random.Random(4), 0
    for _ in range(budget(1_500, 50_000)):
        mover = Rect.of_degrees(15, 15, rng.choice([0, 90, 37, rng.uniform(0, 360)]), 4, 2)
        way = rng.choice([(1.0, 0.0), (0.0, -1.0), (rng.uniform(-1, 1), rng.uniform(-1, 1))])
        length = rng.choice([2.0, 12.0])
        depth = rng.choice([1e-9, 1e-6, 5e-10])
        feature = _some_feature(rng)
        whole = slide(mover, feature, way, length, depth)
        assert slide_into(mover, feature, way, length, depth) == (whole.spans, whole.contact)
        met += whole.contact is not None
    assert met > 100


def test_grown_loops_out_of_the_lane_are_left_out_as_the_rays_say() -> None:
    """Level with the side of a grown loop, and a hair beyond it either way."""
    square, rect = (
        (0.0, 0.0, 2.0, 0.0, 2.0, 2.0, 0.0, 2.0),
        (6.0, 2.5, 8.0, 2.5, 8.0, 4.0, 6.0, 4.0),
    )
    out = [0.0, 0.0, 0.0, 0.0]
    assert not slide_span(square, rect, 0.5 - 1e-8, 1.0, 0.0, 0.0, out)
    assert not slide_span(square, rect, 0.5, 1.0, 0.0, 0.0, out)
    assert slide_span(square, rect, 0.5 + 1e-8, 1.0, 0.0, 0.0, out)
    assert out[0] == pytest.approx(4.0, abs=2e-4)
