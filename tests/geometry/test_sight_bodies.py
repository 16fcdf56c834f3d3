"""Sight between two upright bodies: limits by hand, symmetry, motions, both backends alike."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import pytest

from support.kernels import warm
from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.sight.bodies import Solid, Solids, sight_between_bodies


def box(x0: float, x1: float, y0: float, y1: float, bottom: float, top: float) -> Solid:
    return Solid(Part((x0, y0, x1, y0, x1, y1, x0, y1)), bottom, top)


def man(x: float, y: float, z: float = 0.0, tall: float = 1.25, r: float = 0.5) -> Solid:
    return Solid(Part((x, y), r), z, z + tall)


def sees(a: Solid, b: Solid, *solids: Solid) -> bool:
    sight = sight_between_bodies(a, b, Solids(solids))
    assert sight.certain
    return sight.visible


@pytest.mark.parametrize(("off", "seen"), [(-2e-6, False), (2e-6, True)])
def test_over_a_low_wall(off: float, seen: bool) -> None:
    """From the far rim of one at x 19.5 to the near rim of the other at 29.5: over the near edge
    of the wall, 1 in on, the line runs at h + (1.25 - h) / 10, which is 0.75 for h = 6.25 / 9."""
    wall = box(20.5, 20.7, -50, 70, 0, 0.75)
    assert sees(man(20, 10, tall=6.25 / 9 + off), man(30, 10), wall) == seen


@pytest.mark.parametrize(("off", "seen"), [(-2e-6, False), (2e-6, True)])
def test_round_the_end_of_a_wall(off: float, seen: bool) -> None:
    """Both bases touch a line through the corner (20.7, 12): 0.93 d + 0.5 sqrt(1 + d^2 / 100) = 2,
    so d = 1.606013818 (case C82)."""
    wall = box(20.5, 20.7, 8, 12, 0, 0.75)
    assert sees(man(20, 11.606013818 + off, tall=0.625), man(30, 10), wall) == seen


@pytest.mark.parametrize(("off", "seen"), [(-2e-6, False), (0.0, True), (2e-6, True)])
def test_a_slit_between_two_walls(off: float, seen: bool) -> None:
    """A body that reaches a slit to the letter is seen along it."""
    above, below = box(5, 6, 0.5, 9, 0, 9), box(5, 6, -9, 0.4, 0, 9)
    assert sees(man(0, 0, r=0.4 + off), man(11, 0, r=0.4 + off), above, below) == seen


@pytest.mark.parametrize(("slit", "seen"), [(0.0, False), (1e-12, False), (2e-6, True)])
def test_nothing_is_seen_between_two_solids_stacked(slit: float, seen: bool) -> None:
    low, high = box(4, 5, -9, 9, 0, 1), box(4, 5, -9, 9, 1 + slit, 9)
    assert sees(man(0, 0), man(9, 0), low, high) == seen
    # Along the edge that they share, where the one stands behind the other.
    behind = box(5, 6, -9, 9, 0, 1)
    assert sees(man(0, 0), man(9, 0, z=0.9), behind, high) == seen


def test_along_a_face_and_through_a_corner() -> None:
    wall = box(4, 5, -3, 0.5, 0, 9)
    assert sees(man(0, 0), man(9, 0), wall)
    assert not sees(man(0, 0, r=0.499), man(9, 0, r=0.499), wall)


def test_seams_between_solids_are_shut() -> None:
    """Walls side by side, and a storey upon a storey, let nothing through where they touch."""
    left, right = box(4, 5, -9, 0, 0, 9), box(4, 5, 0, 9, 0, 9)
    assert not sees(man(0, 0), man(9, 0), left, right)
    low, high = box(4, 5, -9, 9, 0, 3), box(4, 5, -9, 9, 2.999999, 9)
    assert not sees(man(0, 0, 2.4), man(9, 0, 2.4), low, high)


def test_a_seam_level_with_the_side_or_the_head_of_a_body_is_shut() -> None:
    """The one solid only touches the strip between the bodies; alone, the other is seen past."""
    left, right = box(4, 5, -9, 0.5, 0, 9), box(4, 5, 0.5, 9, 0, 9)
    low, high = box(4, 5, -9, 9, 0, 1.25), box(4, 5, -9, 9, 1.25, 9)
    for one, other in ((left, right), (low, high)):
        assert sees(man(0, 0), man(9, 0), one)
        assert not sees(man(0, 0), man(9, 0), one, other)


def test_through_a_window() -> None:
    parts = [
        box(4, 4.2, -9, 9, 0, 1),
        box(4, 4.2, -9, 9, 1.1, 5),
        box(4, 4.2, -9, 2, 0, 5),
        box(4, 4.2, 3, 9, 0, 5),
    ]
    assert sees(man(0, 2.5), man(9, 2.5), *parts)
    assert not sees(man(0, 2.5, tall=0.9), man(9, 2.5, tall=0.9), *parts)
    assert not sees(man(0, -4), man(9, -4), *parts)


def test_between_floors() -> None:
    floor = box(-5, 5, -5, 5, 2.9, 3)
    up, down = man(0, 0, 3.0), man(1, 0, 0.0)
    assert not sees(up, down, floor)
    assert sees(up, man(13, 0), floor), "past the edge, down"
    assert not sees(up, man(8, 0), floor), "too near below it"
    assert not sees(up, man(5.2, 0, 0.0, tall=0.5), floor)
    hole = [
        box(-5, -0.5, -5, 5, 2.9, 3),
        box(1.2, 5, -5, 5, 2.9, 3),
        box(-5, 5, -5, -1, 2.9, 3),
        box(-5, 5, 1, 5, 2.9, 3),
    ]
    assert sees(up, down, *hole)


def test_under_a_roof_that_touches_both_heads() -> None:
    """Solids that rest on bodies hide nothing between them, and are not looked through."""
    roof = box(-5, 15, -5, 5, 1.25, 2)
    assert sees(man(0, 0), man(9, 0), roof)
    assert not sees(man(0, 0), man(9, 0, 2.0), roof)


def test_bodies_that_meet_see_each_other() -> None:
    assert sees(man(0, 0), man(0.9, 0), box(0.4, 0.5, -1, 1, 0, 9))
    assert not sees(man(0, 0), man(0.9, 0, 3), box(-9, 9, -9, 9, 1.5, 2))


def test_what_lies_within_a_body_does_not_hide_it() -> None:
    """A body astride a wall looks from beyond it; one that only reaches into it does not."""
    low, far = man(0, 0, tall=0.9), man(9, 0, tall=0.9)
    for a, b in ((low, far), (far, low)):
        assert sees(a, b, box(-0.1, 0.1, -9, 9, 0, 1))
        assert not sees(a, b, box(0.3, 0.8, -9, 9, 0, 1))


def test_bad_numbers() -> None:
    with pytest.raises(ShapeError):
        Solids([Solid(Part((0.0, 0.0)), 0, 1)])
    with pytest.raises(ShapeError):
        Solids([Solid(Part((0.0, 0.0), 1.0), 0, math.nan)])
    with pytest.raises(ShapeError):
        sight_between_bodies(Solid(Part((0.0, 0.0), 1.0), 2, 1), man(5, 5), Solids([]))


def _scene(rng: random.Random) -> tuple[Solid, Solid, list[Solid]]:
    solids = []
    for _ in range(rng.randint(1, 10)):
        bottom = rng.choice([0.0, 0.0, 1.0, 3.0])
        top = bottom + rng.choice([0.75, 1.0, 3.0])
        x, y = rng.uniform(2, 10), rng.uniform(-3, 3)
        if rng.random() < 0.3:
            solids.append(Solid(Part((x, y), rng.uniform(0.2, 1.0)), bottom, top))
        else:
            w, d = rng.uniform(0.1, 4), rng.uniform(0.1, 3)
            solids.append(box(x - w / 2, x + w / 2, y - d / 2, y + d / 2, bottom, top))
    a = man(-1, 0, rng.choice([0.0, 3.0]), rng.choice([0.625, 1.25]))
    b = man(13, rng.uniform(-2, 2), rng.choice([0.0, 0.0, 2.0]), rng.choice([0.625, 1.25]))
    return a, b, solids


def _moved(solid: Solid, turn: float, dx: float, dy: float, dz: float) -> Solid:
    c, s = math.cos(turn), math.sin(turn)
    loop = solid.ground.loop
    flat: list[float] = []
    for k in range(0, len(loop), 2):
        x, y = loop[k], loop[k + 1]
        flat += [c * x - s * y + dx, s * x + c * y + dy]
    return Solid(Part(tuple(flat), solid.ground.radius), solid.bottom + dz, solid.top + dz)


def test_symmetric_and_the_same_wherever_it_lies(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(3)
    tally = [0, 0]
    for _ in range(budget(200, 5_000)):
        a, b, solids = _scene(rng)
        seen = sees(a, b, *solids)
        tally[seen] += 1
        assert sees(b, a, *solids) == seen
        motion = (rng.uniform(0, 6), rng.uniform(-20, 20), rng.uniform(-20, 20), rng.uniform(0, 5))
        moved = [_moved(solid, *motion) for solid in (a, b, *solids)]
        assert sees(*moved) == seen
    assert min(tally) > 20


def test_more_solids_never_show_more(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(4)
    hidden = 0
    for _ in range(budget(150, 5_000)):
        a, b, solids = _scene(rng)
        seen = [sees(a, b, *solids[:k]) for k in range(len(solids) + 1)]
        assert seen == sorted(seen, reverse=True)
        hidden += not seen[-1]
        more = sight_between_bodies(a, b, Solids(solids[:1]), more=solids[1:]).visible
        assert more == seen[-1]
    assert hidden > 20


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    warm()
    yield
    backends.use("auto")


@pytest.mark.usefixtures("compiled")
def test_gears_agree_bit_for_bit(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(5)
    for _ in range(budget(100, 5_000)):
        a, b, solids = _scene(rng)
        ready = Solids(solids)
        backends.use("plain")
        plain = sight_between_bodies(a, b, ready)
        backends.use("auto")
        assert backends.chosen()
        assert sight_between_bodies(a, b, ready) == plain
