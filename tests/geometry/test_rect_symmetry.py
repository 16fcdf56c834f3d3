"""Symmetry of the rectangle and sight functions: quarter turns decide exactly alike, also at razor
edges, and shifting, mirroring and reversing change nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    overlaps,
    region_of_polygon,
    separation,
)
from tapeline.geometry.rectangles.slide import slide
from tapeline.geometry.rectangles.turn import turn
from tapeline.geometry.sight.lines import sight_to_region

T = 1e-6
#: Quarter inches: sums and differences are exact, so razor edges are met often.
GRID = st.integers(-40, 40).map(lambda k: k / 4)
SIDE = st.integers(1, 16).map(lambda k: k / 4)
QUARTER = st.integers(0, 3)


@dataclass(frozen=True)
class Motion:
    """A quarter turn, then perhaps a mirror in the x axis, then a shift."""

    quarter: int
    mirror: bool
    dx: float
    dy: float

    def point(self, p: tuple[float, float]) -> tuple[float, float]:
        x, y = p
        for _ in range(self.quarter):
            x, y = -y, x
        if self.mirror:
            y = -y
        return (x + self.dx, y + self.dy)

    def degrees(self, degrees: float) -> float:
        degrees += 90 * self.quarter
        return -degrees if self.mirror else degrees

    def rect(self, r: tuple[float, float, float, float, float]) -> Rect:
        x, y = self.point((r[0], r[1]))
        return Rect.of_degrees(x, y, self.degrees(r[2]), r[3], r[4])

    def region(self, corners: list[tuple[float, float]]) -> Region:
        return region_of_polygon([self.point(c) for c in corners])


MOTION = st.builds(
    Motion, QUARTER, st.booleans(), st.integers(-100, 100).map(float), st.integers(-9, 9).map(float)
)
HERE = Motion(0, False, 0.0, 0.0)
RECT = st.tuples(GRID, GRID, st.sampled_from([0.0, 90.0, 180.0, 30.0, 45.0, 77.5]), SIDE, SIDE)


@st.composite
def ell(draw: st.DrawFn) -> list[tuple[float, float]]:
    """An L, a bar or a triangle on the grid."""
    x, y = draw(GRID), draw(GRID)
    w, h = draw(SIDE) + 0.5, draw(SIDE) + 0.5
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return [
            (x, y),
            (x + w, y),
            (x + w, y + 0.25),
            (x + 0.25, y + 0.25),
            (x + 0.25, y + h),
            (x, y + h),
        ]
    if kind == 1:
        return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    return [(x, y), (x + w, y), (x, y + h)]


@given(RECT, ell(), MOTION)
def test_overlap_and_gap_are_alike(
    r: tuple[float, float, float, float, float], corners: list[tuple[float, float]], m: Motion
) -> None:
    a, b = separation(HERE.rect(r), HERE.region(corners)), separation(m.rect(r), m.region(corners))
    assert abs(a.gap - b.gap) <= 1e-9
    assert (a.depth > T) == (b.depth > T)
    assert overlaps(HERE.rect(r), HERE.region(corners), T) == overlaps(
        m.rect(r), m.region(corners), T
    )
    back = separation(HERE.region(corners), HERE.rect(r))
    assert abs(a.gap - back.gap) <= 1e-12
    assert (a.depth > T) == (back.depth > T)
    if a.gap > 0:
        assert math.dist(a.on_a, a.on_b) == a.gap or abs(math.dist(a.on_a, a.on_b) - a.gap) < 1e-12


@given(RECT, ell(), MOTION, st.sampled_from([0.0, 90.0, 45.0]))
def test_slides_are_alike(
    r: tuple[float, float, float, float, float],
    corners: list[tuple[float, float]],
    m: Motion,
    way: float,
) -> None:
    results = []
    for motion in (HERE, m):
        me = motion.rect(r)
        along = motion.rect((0.0, 0.0, r[2] + way, 1.0, 1.0))
        results.append(slide(me, motion.region(corners), (along.ux, along.uy), 12.0, T))
    a, b = results
    assert len(a.spans) == len(b.spans)
    for s, t in zip(a.spans, b.spans, strict=True):
        assert abs(s.start - t.start) < 1e-8
        assert abs(s.stop - t.stop) < 1e-8
    assert (a.contact is None) == (b.contact is None)
    assert (a.touch is None) == (b.touch is None)
    if a.contact is not None and b.contact is not None:
        assert abs(a.contact.at - b.contact.at) < 1e-8


@given(RECT, ell(), st.sampled_from([0.0, 90.0]), st.sampled_from([0.5, 3.0, 12.0]))
def test_slide_back_meets_the_same_spans(
    r: tuple[float, float, float, float, float],
    corners: list[tuple[float, float]],
    way: float,
    length: float,
) -> None:
    me, region = HERE.rect(r), HERE.region(corners)
    along = HERE.rect((0.0, 0.0, r[2] + way, 1.0, 1.0))
    there = slide(me, region, (along.ux, along.uy), length, T)
    end = me.moved(length * along.ux, length * along.uy)
    back = slide(end, region, (-along.ux, -along.uy), length, T)
    assert len(there.spans) == len(back.spans)
    for s, t in zip(there.spans, reversed(back.spans), strict=True):
        assert abs(s.start - (length - t.stop)) < 1e-8


@given(RECT, ell(), MOTION, st.sampled_from([45.0, 90.0, 180.0, -37.0]), st.integers(0, 4))
def test_turns_are_alike(
    r: tuple[float, float, float, float, float],
    corners: list[tuple[float, float]],
    m: Motion,
    degrees: float,
    pivot: int,
) -> None:
    spans = []
    for motion in (HERE, m):
        me = motion.rect(r)
        about = motion.point((r[0], r[1]) if pivot == 4 else HERE.rect(r).corners[pivot])
        angle = math.radians(-degrees if motion.mirror else degrees)
        spans.append(turn(me, motion.region(corners), about, angle, T).spans)
    assert len(spans[0]) == len(spans[1])
    for s, t in zip(*spans, strict=True):
        assert abs(s.start - t.start) < 1e-7
        assert abs(s.stop - t.stop) < 1e-7


@given(RECT, ell(), ell(), MOTION, GRID, GRID, st.booleans())
def test_sight_is_alike(
    r: tuple[float, float, float, float, float],
    one: list[tuple[float, float]],
    two: list[tuple[float, float]],
    m: Motion,
    x: float,
    y: float,
    see_out: bool,
) -> None:
    answers = [
        sight_to_region(
            motion.point((x, y)),
            motion.rect(r),
            [motion.region(one), motion.region(two)],
            see_out=see_out,
        ).visible
        for motion in (HERE, m)
    ]
    assert answers[0] == answers[1]
