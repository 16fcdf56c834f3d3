"""Turning rectangles. Figures by hand from the cases named in the tests."""

from __future__ import annotations

import math

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    overlaps,
    overshoots,
    region_of_circle,
    region_of_polygon,
    region_of_segment,
    union_of,
)
from tapeline.geometry.rectangles.turn import turn, turn_to_border

T = 1e-6
FIRST = math.degrees(math.atan(2) - math.atan(0.5))  # 63.434949 - 26.565051


def box(x0: float, y0: float, x1: float, y1: float) -> Region:
    return region_of_polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def inf(x: float, y: float, degrees: float) -> Rect:
    return Rect.of_degrees(x, y, degrees, 4, 2)


def test_case_33_end_pose() -> None:
    me, friend = inf(10, 10, 0), inf(13, 10, 0)
    assert overlaps(me.turned(math.radians(60)), friend, T)
    assert not overlaps(me.turned(math.radians(36)), friend, T)
    assert overlaps(me.turned(math.radians(37)), friend, T)


def test_case_34_first_contact() -> None:
    t = turn(inf(10, 10, 0), inf(13, 10, 0), (10, 10), math.radians(60), T)
    assert t.contact is not None
    assert math.degrees(t.contact.at) == pytest.approx(FIRST, abs=1e-9)
    assert pytest.approx(36.869898, abs=1e-6) == FIRST


def test_case_35_overlap_on_the_way_only() -> None:
    me, friend = inf(10, 10, 0), inf(13, 10, 0)
    assert not overlaps(me.turned(math.pi / 2), friend, T)
    t = turn(me, friend, (10, 10), math.pi / 2, T)
    assert len(t.spans) == 1
    assert math.degrees(t.spans[0].start) == pytest.approx(FIRST, abs=1e-9)
    assert math.degrees(t.spans[0].stop) == pytest.approx(90, abs=1e-9)
    back = turn(me, friend, (10, 10), -math.pi / 2, T)
    assert math.degrees(back.spans[0].start) == pytest.approx(FIRST, abs=1e-9)


def test_whole_turn_has_an_overlap_for_each_corner() -> None:
    # The wall begins at 2 from the centre; corners reach sqrt(5) at four angles of a full turn.
    t = turn(inf(10, 10, 0), box(12, 0, 20, 20), (10, 10), 2 * math.pi, T)
    half = math.degrees(math.acos(2 / math.sqrt(5)))
    polar = math.degrees(math.atan(2))
    expected = sorted(
        ((corner - half) % 360, (corner + half) % 360)
        for corner in (polar, -polar, 180 - polar, polar - 180)
    )
    merged = [(expected[0][0], expected[1][1]), (expected[2][0], expected[3][1])]
    found = [(math.degrees(s.start), math.degrees(s.stop)) for s in t.spans]
    assert len(found) in (2, 4)
    assert found[0][0] == pytest.approx(merged[0][0], abs=1e-9)
    assert found[-1][1] == pytest.approx(merged[-1][1], abs=1e-9)


def test_case_37_border() -> None:
    me = inf(46.5, 18, 0)
    assert max(o.amount for o in overshoots(me.turned(math.pi / 2), 48, 36)) == 0.5
    edge = turn_to_border(me, (46.5, 18), math.pi / 2, 48, 36, T)
    assert edge is not None
    expected = math.degrees(math.atan(2) - math.acos(1.5 / math.sqrt(5)))
    assert math.degrees(edge.at) == pytest.approx(expected, abs=1e-9)
    assert edge.point[0] == pytest.approx(48, abs=1e-9)
    assert turn_to_border(me, (46.5, 18), math.radians(15), 48, 36, T) is None
    clockwise = turn_to_border(me, (46.5, 18), -math.pi / 2, 48, 36, T)
    assert clockwise is not None
    assert clockwise.at == pytest.approx(edge.at, abs=1e-12)


def test_turning_flush_against_a_wall() -> None:
    # A square turning about a corner that touches the wall behind: leaves it; in front: enters.
    me = Rect(10, 10, 0, 2, 2)
    wall = box(0, 5, 9, 15)
    assert turn(me, wall, (9, 9), -math.pi / 4, T).contact is None
    into = turn(me, wall, (9, 9), math.pi / 4, T)
    assert into.contact is not None
    assert into.contact.at == pytest.approx(0, abs=1e-6)


def test_turn_within_the_tolerance_is_a_graze() -> None:
    me = Rect(10, 10, 0, 2, 2)
    reach = math.sqrt(2)
    for gap, hit in ((5e-7, False), (-5e-7, False), (-5e-6, True)):
        t = turn(me, box(10 + reach + gap, 5, 20, 15), (10, 10), math.pi / 2, T)
        assert (t.contact is not None) is hit


def test_turn_against_a_circle_corner_and_side() -> None:
    me = Rect(0, 0, 0, 2, 2)
    # The corner at 45 degrees reaches sqrt 2; a circle of radius 1 waits at 90.
    t = turn(me, region_of_circle(0, 2.4, 1), (0, 0), math.pi, T)
    corner = math.acos((2 + 2.4**2 - 1) / (2 * math.sqrt(2) * 2.4))
    assert t.contact is not None
    assert t.contact.at == pytest.approx(math.pi / 4 - corner, abs=1e-12)
    side = turn(me, region_of_circle(0, 2.2, 1), (0, 0), math.pi, T)
    assert side.contact is not None
    assert side.contact.at == pytest.approx(math.acos(2 / 2.2), abs=1e-12)
    # About a far pivot the front side comes down on a small circle.
    far = turn(Rect(10, 0, 0, 2, 2), region_of_circle(10, 4, 0.5), (0, 0), math.pi / 2, T)
    assert far.contact is not None
    expected = math.atan2(4, 10) - math.asin(1.5 / math.hypot(10, 4))
    assert far.contact.at == pytest.approx(expected, abs=1e-12)


def test_turn_against_a_segment_and_inside_a_bay() -> None:
    me = Rect(0, 0, 0, 2, 2)
    t = turn(me, region_of_segment((1.2, -5), (1.2, 5)), (0, 0), math.pi / 2, T)
    assert t.contact is not None
    assert t.contact.at == pytest.approx(math.pi / 4 - math.acos(1.2 / math.sqrt(2)), abs=1e-12)
    bay = region_of_polygon(
        [(-3, -3), (3, -3), (3, 3), (1.3, 3), (1.3, -1.3), (-1.3, -1.3), (-1.3, 3), (-3, 3)]
    )
    t = turn(me, bay, (0, 0), math.pi / 2, T)
    assert t.contact is not None
    assert t.contact.at == pytest.approx(math.pi / 4 - math.acos(1.3 / math.sqrt(2)), abs=1e-12)
    assert len(t.spans) == 1


def test_union_of_parts_merges_spans_and_blocks_turn_together() -> None:
    parts = union_of([box(1.2, -5, 3, 0), box(1.2, 0, 3, 5)])
    one = turn(Rect(0, 0, 0, 2, 2), parts, (0, 0), math.pi / 2, T)
    whole = turn(Rect(0, 0, 0, 2, 2), box(1.2, -5, 3, 5), (0, 0), math.pi / 2, T)
    assert len(one.spans) == len(whole.spans) == 1
    assert one.spans[0].start == pytest.approx(whole.spans[0].start, abs=1e-12)
    assert one.spans[0].stop == pytest.approx(whole.spans[0].stop, abs=1e-12)
    block = [Rect(0, 0, 0, 2, 2), Rect(0, 10, 0, 2, 2)]
    t = turn(block, box(-11, -1, -9.5, 1), (0, 0), math.pi / 2, T)
    assert t.contact is not None
    assert t.contact.mover == 1


@pytest.mark.parametrize("over", [0.0, 5e-7])
def test_a_turn_that_is_clear_for_an_instant_has_three_overlaps(over: float) -> None:
    """A square on its corner: at 45 and at 135 degrees its side is on the border."""
    below = box(0, 0, 20, 9 + over)
    spans = turn(Rect.of_degrees(10, 10, 45, 2, 2), below, (10, 10), math.pi, T).spans
    angles = [(math.degrees(s.start), math.degrees(s.stop)) for s in spans]
    assert angles == [pytest.approx(a, abs=1e-6) for a in ((0, 45), (45, 135), (135, 180))]
    deeper = box(0, 0, 20, 9 + 3e-6)
    assert len(turn(Rect.of_degrees(10, 10, 45, 2, 2), deeper, (10, 10), math.pi, T).spans) == 1


def test_both_sides_meet_at_once_and_bad_input() -> None:
    me = inf(10, 10, 0)
    for x, met in ((13, True), (7, True), (30, False)):
        contact = turn(me, inf(x, 10, 0), (10, 10), 1.0, T).contact
        assert (contact is not None) == met
        if contact is not None:
            assert math.degrees(contact.at) == pytest.approx(FIRST, abs=1e-9)
    with pytest.raises(ShapeError):
        turn(me, me, (math.nan, 0), 1.0)
