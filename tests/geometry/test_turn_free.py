"""Free legs and the travel of corners. Figures by hand, or by a plain sum where none is closed."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.corner_paths import (
    FreeLeg,
    SlideLeg,
    TurnLeg,
    after,
    elliptic_e,
    travel_between,
    travel_of,
)
from tapeline.geometry.rectangles.free_leg import (
    FreeMotion,
    FreeRoom,
    free_leg,
    free_leg_to_border,
    free_roots,
    free_spans,
)
from tapeline.geometry.rectangles.rectangle import Rect, Region, region_of_circle, region_of_polygon
from tapeline.geometry.rectangles.separating_axis import Pair
from tapeline.geometry.rectangles.slide import slide
from tapeline.geometry.rectangles.turn import turn, turn_to_border

T = 1e-6


def box(x0: float, y0: float, x1: float, y1: float) -> Region:
    return region_of_polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def roots(f: list[float], w: float) -> list[float]:
    out = [0.0] * 500
    return sorted(out[: free_roots(f, w, [0.0] * 200, 0, out)])


def test_roots_that_are_known() -> None:
    assert roots([-0.5, 1, 0, 0, 0, 0, 0], 1.0) == pytest.approx([0.5])
    assert roots([0, 0, 0, 1, 0, 0, 0], 3 * math.pi) == pytest.approx([1 / 6, 0.5, 5 / 6])
    assert roots([0.06, -0.5, 1, 0, 0, 0, 0], 0.0) == pytest.approx([0.2, 0.3])
    assert roots([2, 0, 0, 1, 0, 0, 0], 9.0) == []


def test_double_root_is_kept_as_a_candidate() -> None:
    # 1 - cos touches zero at 2 pi / w.
    found = roots([1, 0, 0, -1, 0, 0, 0], 4 * math.pi)
    assert any(abs(t - 0.5) < 1e-6 for t in found)


@given(st.lists(st.floats(-5, 5), min_size=7, max_size=7), st.floats(-7, 7))
def test_no_sign_change_is_missed(f: list[float], w: float) -> None:
    def value(t: float) -> float:
        return (
            f[0]
            + f[1] * t
            + f[2] * t * t
            + (f[3] + f[4] * t) * math.cos(w * t)
            + (f[5] + f[6] * t) * math.sin(w * t)
        )

    found = roots(f, w)
    last = value(0.0)
    for k in range(1, 201):
        now = value(k / 200)
        if last * now < 0.0 and min(abs(last), abs(now)) > 1e-9:
            assert any((k - 1) / 200 - 1e-7 <= t <= k / 200 + 1e-7 for t in found)
        last = now


@pytest.mark.parametrize("angle", [0.7, -2.5, math.pi])
def test_without_shift_a_free_leg_is_a_turn(angle: float) -> None:
    me = Rect(0, 0, 0.3, 4, 2)
    for region in (box(1.3, -1, 3, 5), region_of_circle(0.5, 2.4, 1), box(-9, 2.1, 9, 3)):
        spans = turn(me, region, (0, 0), angle, T).spans
        free = free_leg(me, region, (0, 0), (0, 0), angle, T).spans
        assert len(spans) == len(free)
        for s, f in zip(spans, free, strict=True):
            assert f.start * abs(angle) == pytest.approx(s.start, abs=1e-7)
            assert f.stop * abs(angle) == pytest.approx(s.stop, abs=1e-7)


def test_without_turn_a_free_leg_is_a_slide() -> None:
    me = Rect(0, 0, 0.3, 4, 2)
    for region in (box(3, -1, 4, 5), region_of_circle(5, 2.4, 1)):
        spans = slide(me, region, (3, 1), math.hypot(9, 3), T).spans
        free = free_leg(me, region, (0, 0), (9, 3), 0.0, T).spans
        assert len(spans) == len(free) == 1
        assert free[0].start * math.hypot(9, 3) == pytest.approx(spans[0].start, abs=1e-8)


def test_passing_a_door_only_by_turning() -> None:
    """A 4 by 1 bar across a door of 3.4 must turn end-on on its way; sliding it does not pass."""
    door = [box(5, 1.7, 5.5, 20), box(5, -20, 5.5, -1.7)]
    bar = Rect(0, 0, 0, 4, 1)
    for wall in door:
        assert slide(bar, wall, (1, 0), 10, T).contact is not None
        assert free_leg(bar, wall, (0, 0), (10, 0), math.pi, T).contact is None
        late = free_leg(bar, wall, (0, 0), (10, 0), math.pi / 4, T)
        assert late.contact is not None


def test_contact_of_a_corner_with_a_wall() -> None:
    f = free_leg(Rect(0, 0, 0, 2, 2), box(4, -9, 5, 9), (0, 0), (5, 0), math.pi / 2, T)
    assert f.contact is not None
    t = f.contact.at
    assert 5 * t + math.sqrt(2) * math.cos(math.pi / 2 * t - math.pi / 4) == pytest.approx(
        4, abs=1e-9
    )
    assert f.contact.point[0] == pytest.approx(4, abs=1e-8)


def test_only_corners_that_may_meet_are_looked_at() -> None:
    # A base that hardly turns runs past half a round lake of 216 corners: of these, each of which
    # crosses the lines of all its sides, it goes over a strip of 0.5.
    angles = [math.radians(-90 + k * 180 / 215) for k in range(216)]
    lake = [x for a in angles for x in (6 * math.cos(a), 6 * math.sin(a))]
    base = Rect(6.5, -12, math.pi / 2, 2, 4)
    room = FreeRoom([0.0] * 7, [0.0] * 200, [0.0] * 8, [0.0] * 4, [0.0] * 40)
    motion = FreeMotion(6.5, -12.0, 0.0, 24.0, 1e-5)
    assert free_spans(Pair(base.loop, lake, 0.0), motion, T, 2.0, room) == 1
    # Its corner at 5.5 meets the circle at y = sqrt(36 - 5.5^2), 10 ahead of its centre.
    assert 24 * room.out[0] == pytest.approx(10 - math.sqrt(36 - 5.5**2), abs=1e-2)


def test_border_of_free_legs() -> None:
    me = Rect(46.5, 18, 0, 4, 2)
    turned = turn_to_border(me, (46.5, 18), math.pi / 2, 48, 36, T)
    free = free_leg_to_border(me, (46.5, 18), (0, 0), math.pi / 2, 48, 36, T)
    assert turned is not None
    assert free is not None
    assert free.side == "right"
    assert free.at * math.pi / 2 == pytest.approx(turned.at, abs=1e-9)
    assert free_leg_to_border(me, (46.5, 18), (-5, 0), 0.1, 48, 36, T) is None
    straight = free_leg_to_border(me, (46.5, 18), (1, 0), 0.0, 48, 36, T)
    assert straight is not None
    assert straight.at == pytest.approx(0.5, abs=1e-9)


def test_bad_free_legs_are_refused() -> None:
    with pytest.raises(ShapeError):
        free_leg(Rect(0, 0, 0, 1, 1), box(4, 4, 5, 5), (0, 0), (math.inf, 0), 0.0)


# Travel


def test_slides_and_turns_in_closed_form() -> None:
    me = Rect(0, 0, 0, 4, 2)
    t = travel_of(me, [SlideLeg(3, 4)])
    assert t.straight == pytest.approx((5, 5, 5, 5))
    assert t.followed == pytest.approx((5, 5, 5, 5))
    # About the front left corner (1, 2): the far corner is sqrt(20) away.
    t = travel_of(me, [TurnLeg(1, 2, math.pi / 3)])
    assert t.straight[1] == pytest.approx(0, abs=1e-12)
    assert t.farthest_straight == pytest.approx(2 * math.sqrt(20) * math.sin(math.pi / 6))
    assert t.farthest_followed == pytest.approx(math.sqrt(20) * math.pi / 3)


def test_corners_are_summed_before_the_largest_is_taken() -> None:
    """There and back about opposite corners: no corner makes the longest leg twice."""
    me = Rect(0, 0, 0, 4, 2)
    legs = [TurnLeg(1, 2, 0.5), TurnLeg(1, -2, -0.5)]
    t = travel_of(me, legs)
    each = [max(travel_of(me, legs[:1]).straight)]
    each.append(max(travel_of(travel_of(me, legs[:1]).end, legs[1:]).straight))
    assert t.farthest_straight < sum(each) - 0.1


def test_free_leg_straight_is_the_lower_bound() -> None:
    me = Rect(0, 0, 0, 4, 2)
    leg = FreeLeg(3, 1, 1.0)
    least, most = travel_between(me, after(me, leg), 1.0)
    t = travel_of(me, [leg])
    assert t.farthest_straight == pytest.approx(least, abs=1e-12)
    assert least < t.farthest_followed < most
    assert travel_of(me, [TurnLeg(0, 0, 1.0), SlideLeg(3, 1)]).farthest_followed == pytest.approx(
        most, abs=1e-12
    )


def test_ways_of_free_legs_agree_with_plain_sums() -> None:
    rng = random.Random(5)
    for angle in (1e-9, 1e-4, 0.02, 0.9, 1.1, -0.5, -3.0, math.pi):
        for scale in (0.0, 1e-3, 0.5, 6.0):
            me = Rect(1, 2, rng.uniform(-3, 3), 4, 2)
            leg = FreeLeg(scale * rng.uniform(0.5, 1), scale * rng.uniform(-1, 1), angle)
            found = travel_of(me, [leg]).followed
            n = 4000
            for k, (x, y) in enumerate(me.corners):
                x, y = x - me.x, y - me.y
                total = 0.0
                for j in range(n):
                    u = angle * (j + 0.5) / n
                    vx = leg.dx - angle * (x * math.sin(u) + y * math.cos(u))
                    vy = leg.dy + angle * (x * math.cos(u) - y * math.sin(u))
                    total += math.hypot(vx, vy)
                assert found[k] == pytest.approx(total / n, abs=1e-6)


def test_way_through_a_cusp() -> None:
    """A corner that rolls like a point on a wheel: a whole cycloid is 8 radii long."""
    me = Rect(0, 0, 0, 2 * math.sqrt(0.5), 2 * math.sqrt(0.5))
    t = travel_of(me, [FreeLeg(2 * math.pi, 0, -2 * math.pi)])
    assert t.followed == pytest.approx((8, 8, 8, 8), abs=1e-9)


def test_elliptic_integral() -> None:
    assert elliptic_e(1.0, 0.0) == pytest.approx(1.0, abs=1e-15)
    assert elliptic_e(1.0, 1.0) == pytest.approx(math.sin(1.0), abs=1e-15)
    assert elliptic_e(math.pi, 1.0) == pytest.approx(2.0, abs=1e-15)
    assert elliptic_e(-2.0, 0.3) == -elliptic_e(2.0, 0.3)


def test_small_turns_lose_no_digits() -> None:
    me = Rect(0, 0, 0, 4, 2)
    for angle in (1e-3, 1e-6, 1e-9, 1e-12):
        followed = travel_of(me, [FreeLeg(7, 0, angle)]).followed
        assert min(followed) > 7 - 3 * angle
        assert max(followed) < 7 + 3 * angle + 1e-12
