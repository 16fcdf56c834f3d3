"""Views expanded over triangles against views swept, and many views in one call."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.rectangles.rectangle import (
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_segment,
)
from tapeline.geometry.sight import visible_region
from tapeline.geometry.sight.constrained_delaunay import triangles
from tapeline.geometry.sight.triangular_expansion import ELSEWHERE, direction, expand
from tapeline.geometry.sight.visible_region import Blockers

SIDE = 30.0


def straight(rng: random.Random, count: int) -> list[Region]:
    """Boxes, triangles and segments: over one another, flush, on whole numbers, off the frame."""
    found = []
    for _ in range(count):
        x, y, a = rng.uniform(-1, 31), rng.uniform(-1, 31), rng.uniform(0.3, 3)
        if rng.random() < 0.4:
            x, y, a = round(x), round(y), round(a + 0.5)
        kind = rng.random()
        if kind < 0.5:
            found.append(
                region_of_polygon([(x - a, y - a), (x + a, y - a), (x + a, y + a), (x - a, y + a)])
            )
        elif kind < 0.7:
            found.append(region_of_polygon([(x, y), (x + a, y + a / 3), (x - a / 2, y + a)]))
        else:
            found.append(region_of_segment((x, y), (x + a, y - 2 * a)))
    return found


def swept(regions: list[Region]) -> Blockers:
    """Blockers that have no triangles."""
    blockers = Blockers(regions, SIDE, SIDE)
    blockers.__dict__["_mesh"] = ([], [])
    return blockers


def expanded(blockers: Blockers, eye: tuple[float, float]) -> bool:
    """Whether the view of an eye is expanded, not swept."""
    M, Q = blockers._mesh
    count = len(Q)
    return expand(*eye, M, Q, [0.0] * 4 * count, [0] * count, [0.0] * 6 * count, 0) != ELSEWHERE


def eyes_of(rng: random.Random, count: int) -> list[tuple[float, float]]:
    """Eyes anywhere, on whole numbers, on the frame and in its corners."""
    eyes = [(rng.uniform(0, SIDE), rng.uniform(0, SIDE)) for _ in range(count)]
    eyes += [(float(rng.randint(0, 30)), float(rng.randint(0, 30))) for _ in range(count // 3)]
    return [*eyes, (0.0, 0.0), (SIDE, 7.5), (12.25, 0.0)]


def test_expanded_and_swept_views_are_the_same(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(71)
    ways = {True: 0, False: 0}
    for _ in range(budget(12, 1500)):
        regions = straight(rng, rng.randrange(0, 30))
        one, two = Blockers(regions, SIDE, SIDE), swept(regions)
        for eye in eyes_of(rng, 12):
            ways[expanded(one, eye)] += 1
            seen, other = one.seen_from(eye), two.seen_from(eye)
            assert seen.area == pytest.approx(other.area, abs=1e-9), eye
            if expanded(one, eye):
                pieces = [int(v) for v in seen._rows[1::6]]
                assert all(k != m for k, m in itertools.pairwise(pieces)), eye
            marks = [v for view in (seen, other) for v in view._rows[::6]]
            for _ in range(6):
                angle = rng.uniform(-math.pi, math.pi)
                ux, uy = math.cos(angle), math.sin(angle)
                # Next to a line of sight past a corner either side may be told.
                if all(1e-6 < abs(direction(ux, uy) - v) < 4.0 - 1e-6 for v in marks):
                    far = other.distance(ux, uy)
                    assert seen.distance(ux, uy) == pytest.approx(far, abs=1e-9), (eye, angle)
    assert ways[True] > 100
    assert ways[False] > 20


def test_triangles_fill_the_frame_and_follow_the_borders() -> None:
    rng = random.Random(72)
    for _ in range(12):
        regions = straight(rng, 25)
        blockers = Blockers(regions, SIDE, SIDE)
        pieces = blockers._borders[0]
        parts = [part.loop for region in regions for part in region.parts]
        M, Q = triangles(pieces, parts, SIDE, SIDE)
        count = Q[0]
        corners = [(M[2 + 2 * v], M[3 + 2 * v]) for v in Q[3 : 3 + 3 * count]]
        across, on = Q[3 + 3 * count : 3 + 6 * count], Q[3 + 6 * count : 3 + 9 * count]
        area = 0.0
        along: dict[int, float] = {}
        for edge in range(3 * count):
            k = edge - edge % 3
            a, b = corners[edge], corners[k + (edge + 1) % 3]
            area += 0.5 * (a[0] * b[1] - a[1] * b[0])
            if across[edge] >= 0:
                assert across[across[edge]] == edge
                assert on[across[edge]] == on[edge]
                assert corners[across[edge]] == b
            else:
                assert 0 <= on[edge] < 4 or min(*a, *b) == 0.0 or SIDE in (*a, *b)
            if on[edge] >= 0 and edge > across[edge]:
                along[on[edge]] = along.get(on[edge], 0.0) + math.dist(a, b)
        assert area == pytest.approx(SIDE * SIDE, abs=1e-9)
        for k, length in along.items():
            ax, ay, bx, by = pieces[5 * k : 5 * k + 4]
            assert length <= math.dist((ax, ay), (bx, by)) + 1e-9
        assert len(along) > 0.8 * len(blockers.owners) - 40


def test_round_borders_and_triangles_gone_wrong_are_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    disc = region_of_circle(15, 15, 2)
    assert Blockers([disc], SIDE, SIDE)._mesh == ([], [])
    rng = random.Random(73)
    regions = straight(rng, 10)
    wanted = Blockers(regions, SIDE, SIDE).seen_from((29.3, 0.7)).area
    monkeypatch.setattr(visible_region, "triangles", lambda *_: ([], []))
    assert Blockers(regions, SIDE, SIDE).seen_from((29.3, 0.7)).area == pytest.approx(wanted)
    # Two borders nearer to each other than rounding tells apart, and across each other.
    near = [region_of_segment((5, 5), (9, 5 + 1e-12)), region_of_segment((5, 5 + 1e-12), (9, 5))]
    M, Q = triangles(Blockers(near, SIDE, SIDE)._borders[0], [], SIDE, SIDE)
    assert (len(M) > 0) == (len(Q) > 0)
    assert triangles([0, 0, 4, 4, 0, 0, 4, 4, 0, 0], [], SIDE, SIDE) == ([], [])


@pytest.mark.usefixtures("compiled")
def test_many_views_in_flat_arrays_in_both_backends() -> None:
    np = pytest.importorskip("numpy")
    rng = random.Random(74)
    for regions in ([], straight(rng, 30), [*straight(rng, 4), region_of_circle(15, 15, 2)]):
        blockers = Blockers(regions, SIDE, SIDE)
        eyes = eyes_of(rng, 90)
        backends.use("plain")
        slow = blockers.views(eyes)
        singles = [blockers.seen_from(eye) for eye in eyes]
        backends.use("compiled")
        quick = blockers.views(np.array(eyes))
        assert [view.outline for view in quick] == [view.outline for view in slow]
        assert [view.outline for view in slow] == [view.outline for view in singles]
        assert [blockers.seen_from(eye).outline for eye in eyes] == [v.outline for v in singles]
        assert quick.areas.tolist() == slow.areas == [view.area for view in singles]
        assert quick.rows.tolist() == slow.rows
        assert quick.first.tolist() == slow.first
        assert quick[-1].eye == eyes[-1]
        assert [view.eye for view in quick[1:3]] == eyes[1:3]
        backends.use("plain")
    with pytest.raises(IndexError, match="has the number 125"):
        slow[125]


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("backend", ["plain", "compiled"])
def test_eyes_that_will_not_do_are_refused(backend: str) -> None:
    backends.use(backend)
    blockers = Blockers([], SIDE, SIDE)
    assert list(blockers.views([])) == []
    for eyes in ([(5, 5), (31, 5)], [(5, math.nan)]):
        with pytest.raises(ShapeError, match="outside the frame"):
            blockers.views(eyes)
    if backend == "compiled":
        with pytest.raises(ShapeError, match="rows of x, y"):
            blockers.views([1.0, 2.0])  # type: ignore[list-item]
    backends.use("plain")
