"""The border of a reach: closed forms, and every place inside or outside as membership says."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.discs import boundary, occlusion, wavefront
from tapeline.geometry.discs.boundary_cells import Parts
from tapeline.geometry.discs.dominance import GENERATOR
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.offset_sides import once
from tapeline.geometry.discs.reach import DiscReach, Outline, reach
from tapeline.geometry.discs.wavefront_pieces import Pieces

from .test_field_discs import random_field


def test_open_ground_is_a_circle() -> None:
    outline = Field.of().reach((3.0, 4.0), 0.5, 6.0).outline(1e-4)
    assert len(outline.rings) == 1
    assert math.isclose(outline.area, math.pi * 36, rel_tol=1e-4)
    assert all(math.isclose(math.dist(p, (3.0, 4.0)), 6.0) for p in outline.rings[0])


def test_half_a_table() -> None:
    # Against the table's side, from half way: the far part of the circle is cut off.
    outline = Field.of(width=100, depth=100).reach((3.0, 50.0), 0.5, 5.0).outline(1e-4)
    d = 2.5
    cut = 25 * math.acos(d / 5) - d * math.sqrt(25 - d * d)
    assert math.isclose(outline.area, math.pi * 25 - cut, abs_tol=0.01)


def test_behind_a_long_wall_the_border_is_an_involute() -> None:
    # A half plane of wall to the right of x = 0 below y = 0: round its corner at (0, 0).
    r, allowance = 0.5, 4.0
    field = Field.of(walls=[(0.0, 0.0, 0.0, -100.0)])
    start = (-r, -2.0)
    outline = field.reach(start, r, allowance).outline(1e-4)
    # Past the corner (after 2 along the wall) the string unwinds from the corner's circle: at
    # angle t gone round, it is 2 - r t long, and the tip is perpendicular to the radius.
    for k in range(1, 20):
        t = k * math.pi / 20
        length = allowance - 2.0 - r * t
        a = math.pi - t
        x = r * math.cos(a) + length * math.sin(a)
        y = r * math.sin(a) - length * math.cos(a)
        near = min(math.dist((x, y), corner) for ring in outline.rings for corner in ring)
        assert near < 0.05
        step = 5e-4
        assert outline.contains(x - step * math.sin(a), y + step * math.cos(a))
        assert not outline.contains(x + step * math.sin(a), y - step * math.cos(a))


def test_an_island_leaves_a_hole() -> None:
    outline = Field.of(posts=[(2.0, 0.0, 0.5)]).reach((0.0, 0.0), 0.5, 6.0).outline(1e-4)
    assert len(outline.rings) == 2
    inner = min(outline.rings, key=len)
    assert all(abs(math.dist(p, (2.0, 0.0)) - 1.0) < 1e-6 for p in inner)


def test_a_closed_room_is_its_inside() -> None:
    room = [(0, 0, 4, 0), (4, 0, 4, 3), (4, 3, 0, 3), (0, 3, 0, 0)]
    outline = Field.of(walls=room).reach((2.0, 1.0), 0.5, 20.0).outline(1e-4)
    assert len(outline.rings) == 1
    assert math.isclose(outline.area, 3.0 * 2.0, abs_tol=1e-3)


def test_nothing_to_reach() -> None:
    assert Field.of().reach((0.0, 0.0), 0.5, 0.0).outline().rings == ()
    blocked = Field.of(posts=[(0.0, 0.0, 1.0)]).reach((0.0, 0.0), 0.5, 3.0)
    assert blocked.outline().rings == ()
    assert blocked.generators == ()


@pytest.mark.parametrize("eps", [0.0, -1.0, math.nan, math.inf])
def test_eps_that_will_not_do(eps: float) -> None:
    with pytest.raises(ShapeError):
        Field.of().reach((0.0, 0.0), 0.5, 1.0).outline(eps)


def test_outline_is_membership(budget: Callable[[int, int], int]) -> None:
    """Outside a band of eps about the border, the rings and membership say the same."""
    rng = random.Random(31)
    eps = 0.002
    inside = outside = 0
    for _ in range(budget(20, 2000)):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        zone = field.reach(start, 0.5, 6.0)
        outline = zone.outline(eps)
        for _ in range(60):
            x, y = start[0] + rng.uniform(-6.2, 6.2), start[1] + rng.uniform(-6.2, 6.2)
            said = zone.contains(x, y)
            inside += said
            outside += not said
            if outline.contains(x, y) != said:
                rim = [(x + 1.1 * eps * math.cos(k), y + 1.1 * eps * math.sin(k)) for k in range(7)]
                assert any(zone.contains(*p) != said for p in rim)
    assert min(inside, outside) > 50


def test_corners_are_on_the_border(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(32)
    corners = 0
    for _ in range(budget(6, 300)):
        field = random_field(rng)
        zone = field.reach((rng.uniform(1, 29), rng.uniform(1, 29)), 0.5, 5.0)
        for ring in zone.outline(0.01).rings:
            for x, y in ring[::5]:
                corners += 1
                rim = [(x + 1e-4 * math.cos(k), y + 1e-4 * math.sin(k)) for k in range(7)]
                states = {zone.contains(*p) for p in rim}
                assert False in states
                # In a wedge between obstacles it is thinner than any step: look closely.
                assert True in states or any(
                    zone.contains(x + d * math.cos(k / 8), y + d * math.sin(k / 8))
                    for d in (0.0, 1e-9, 1e-4, 1e-3, 0.01)
                    for k in range(50)
                )
    assert corners > 50


def test_bracket_holds_the_reach_between_two_outlines(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(33)
    inside = outside = 0
    for _ in range(budget(8, 500)):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        zone = field.reach(start, 0.5, 6.0)
        inner, outer = zone.bracket(0.02)
        assert inner.area <= outer.area
        for _ in range(80):
            x, y = start[0] + rng.uniform(-6.2, 6.2), start[1] + rng.uniform(-6.2, 6.2)
            if inner.contains(x, y):
                inside += 1
                assert zone.contains(x, y)
            if not outer.contains(x, y):
                outside += 1
                assert not zone.contains(x, y)
    assert min(inside, outside) > 50
    inner, outer = Field.of().reach((0.0, 0.0), 0.5, 6.0).bracket(0.01)
    assert inner.area < math.pi * 36 < outer.area


@pytest.fixture
def plain() -> Iterator[None]:
    """Plain kernels, whose parts a test can put others in place of."""
    backends.use("plain")
    yield
    backends.use("auto")


def _off(outline: Outline, x: float, y: float) -> float:
    """Distance of a place from the rings."""
    best = math.inf
    for ring in outline.rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            dx, dy = bx - ax, by - ay
            t = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / ((dx * dx + dy * dy) or 1.0)))
            best = min(best, math.hypot(ax + t * dx - x, ay + t * dy - y))
            ax, ay = bx, by
    return best


def _agree(zone: DiscReach, outline: Outline, rng: random.Random, count: int) -> tuple[int, int]:
    """Hold random places against the rings; gives how many are inside, how many outside."""
    found = [0, 0]
    x0, y0 = zone.start
    far = 1.05 * zone.allowance
    for _ in range(count):
        x, y = x0 + rng.uniform(-far, far), y0 + rng.uniform(-far, far)
        said = zone.contains(x, y)
        found[0 if said else 1] += 1
        assert outline.contains(x, y) == said or _off(outline, x, y) <= outline.eps
    return found[0], found[1]


def test_chords_keep_within_eps(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(34)
    inside = outside = 0
    for _ in range(budget(60, 20000)):
        zone = random_field(rng).reach((rng.uniform(1, 29), rng.uniform(1, 29)), 0.5, 7.0)
        a, b = _agree(zone, zone.outline(rng.choice([1e-4, 1e-3, 0.01])), rng, 40)
        inside, outside = inside + a, outside + b
    assert min(inside, outside) > 500


def test_places_next_to_the_border(budget: Callable[[int, int], int]) -> None:
    """The middle of each chord, moved to its left by a little more than eps, is in reach."""
    rng = random.Random(35)
    eps = 1e-3
    looked = 0
    for _ in range(budget(8, 300)):
        field = random_field(rng)
        zone = field.reach((rng.uniform(1, 29), rng.uniform(1, 29)), 0.5, 6.0)
        outline = zone.outline(eps)
        for ring in outline.rings:
            for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
                length = math.dist((ax, ay), (bx, by))
                if length < 0.05:
                    continue
                k = 1.5 * eps / length
                x, y = 0.5 * (ax + bx), 0.5 * (ay + by)
                left = x - k * (by - ay), y + k * (bx - ax)
                right = x + k * (by - ay), y - k * (bx - ax)
                for place, within in ((left, True), (right, False)):
                    # Near another part of the border either may be.
                    if outline.contains(*place) == within and _off(outline, *place) > 1.2 * eps:
                        looked += 1
                        assert zone.contains(*place) == within
    assert looked > 400


def test_within_circles_the_border_ends_at_them(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(36)
    inside = outside = 0
    for _ in range(budget(40, 8000)):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        keep = []
        for _ in range(rng.randint(1, 3)):
            radius = rng.uniform(2, 8)
            d, angle = radius * math.sqrt(rng.random()), rng.uniform(0, math.tau)
            keep.append((start[0] + d * math.cos(angle), start[1] + d * math.sin(angle), radius))
        zone = reach(field, start, 0.5, 6.0, keep=keep)
        a, b = _agree(zone, zone.outline(0.002), rng, 40)
        inside, outside = inside + a, outside + b
    assert min(inside, outside) > 100


def test_a_lens_of_two_circles() -> None:
    keep = [(0.0, 0.0, 2.0), (2.0, 0.0, 2.0), (2.0, 0.0, 2.0)]
    outline = reach(Field.of(), (1.0, 0.0), 0.5, 9.0, keep=keep).outline(1e-4)
    lens = 8 * math.pi / 3 - 2 * math.sqrt(3)
    assert len(outline.rings) == 1
    assert math.isclose(outline.area, lens, abs_tol=2e-3)


def test_round_a_post_where_its_angles_begin() -> None:
    # Behind the post as seen from the start; the circle to stay in cuts the post's own circle on
    # the far side from angle 0.
    field = Field.of(posts=[(0.0, 0.0, 1.0)])
    zone = reach(field, (0.5, 2.0), 0.5, 9.0, keep=[(2.0, 0.0, 3.0)])
    assert zone.contains(0.5, -2.0)
    assert math.isclose(zone.cost(0.5, -2.0), field.reach((0.5, 2.0), 0.5, 9.0).cost(0.5, -2.0))


def test_ground_that_only_the_centre_may_not_enter() -> None:
    field = Field.of(grounds=[[1, -1, 3, -1, 3, 1, 1, 1]])
    zone = field.reach((0.0, 0.0), 0.5, 10.0)
    outline = zone.outline(1e-4)
    hole = min(outline.rings, key=len)
    assert sorted((round(x, 6), round(y, 6)) for x, y in hole) == [(1, -1), (1, 1), (3, -1), (3, 1)]
    assert _agree(zone, outline, random.Random(1), 300)[0] > 100
    nook = [0, 0, 6, 0, 6, 6, 0, 6, 0, 4, 4, 4, 4, 2, 0, 2]
    zone = Field.of(grounds=[nook]).reach((1.0, 3.0), 0.5, 7.0)
    outline = zone.outline(1e-3)
    assert _agree(zone, outline, random.Random(2), 400)[0] > 60


def test_a_table_with_one_side() -> None:
    field = Field.of(box=(0.0, -math.inf, math.inf, math.inf))
    outline = field.reach((0.5, 0.0), 0.5, 2.0).outline(1e-4)
    assert math.isclose(outline.area, 2 * math.pi, abs_tol=1e-3)


def test_an_allowance_of_a_million() -> None:
    walled = Field.of(width=10, depth=8, posts=[(5.0, 4.0, 1.0)])
    outline = walled.reach((1.0, 1.0), 0.5, 1e6).outline(1e-4)
    assert math.isclose(outline.area, 9 * 7 - math.pi * 1.5**2, abs_tol=2e-3)
    open_ground = Field.of().reach((1.0, 1.0), 0.5, 1e6).outline(1.0)
    assert math.isclose(open_ground.area, math.pi * 1e12, rel_tol=1e-5)


def test_a_moved_body_moves_the_border() -> None:
    rng = random.Random(37)
    for _ in range(6):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        field.reach(start, 0.5, 6.0).outline(0.01)
        name = rng.choice(sorted(field.bodies))
        for moved in (
            field.moved(name, start[0] + rng.uniform(1, 3), start[1] + rng.uniform(1, 3)),
            field.removed(name),
            field.added("new", start[0] - 2.0, start[1], 0.7),
        ):
            known = moved.reach(start, 0.5, 6.0).outline(0.01)
            fresh = moved.on_backend(moved.compiled)
            fresh._borders = {}
            assert known == fresh.reach(start, 0.5, 6.0).outline(0.01)


def test_zones_are_in_the_border() -> None:
    wall = [(0.0, -5.0, 0.0, 5.0)]
    field = Field.of(walls=wall)
    field.reach((2.0, 0.0), 0.5, 4.0).outline()
    zone = field.reach((2.0, 0.0), 0.5, 4.0, zones=[(0.5, 1.0, 1.0)])
    outline = zone.outline(1e-3)
    inside, outside = _agree(zone, outline, random.Random(3), 300)
    assert min(inside, outside) > 50
    assert not outline.contains(0.8, 1.0)


@pytest.mark.usefixtures("compiled")
def test_gears_agree_on_the_border(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(38)
    for _ in range(budget(30, 2000)):
        plain = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        one = plain.reach(start, 0.5, 6.0).outline(0.005)
        two = plain.on_backend(True).reach(start, 0.5, 6.0).outline(0.005)
        assert one == two


def test_no_generator_is_needless(budget: Callable[[int, int], int]) -> None:
    """None could have been reached sooner along its own arc from another."""
    rng = random.Random(39)
    pairs = 0
    for _ in range(budget(6, 200)):
        posts: list[tuple[float, float, float]] = []
        while len(posts) < 25:
            post = (rng.uniform(1, 19), rng.uniform(1, 19), 0.4)
            if all(math.dist(post[:2], other[:2]) > 1.9 for other in posts):
                posts.append(post)
        found = Field.of(posts=posts, width=20, depth=20).reach((0.6, 0.6), 0.5, 15.0).generators
        for a in found[1:]:
            for b in found[1:]:
                if a is not b and (a.x, a.y, a.sense) == (b.x, b.y, b.sense):
                    pairs += 1
                    turn = (a.sense * (a.angle - b.angle)) % math.tau
                    assert turn > b.ahead or b.cost + b.radius * turn >= a.cost - 1e-9
    assert pairs > 10


def test_slivers_far_apart_make_no_ring() -> None:
    """Stray bits of border, one at each of three places, end where they are."""
    square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)]
    strays = [((x, y), (x + 7e-5, y)) for x, y in ((9.0, 1.0), (15.0, 20.0), (30.0, 2.0))]
    pieces = [*strays, *itertools.pairwise(square)]
    flat = [v for piece in pieces for place in piece for v in place]
    starts = [0, *(2 * k for k in range(len(pieces) + 1))]
    out, rings, areas = [0.0] * 64, [0] * 8, [0.0] * 8
    order, begins = [0] * (2 * len(pieces)), [0.0] * (2 * len(pieces))
    made = Pieces(flat, starts, [0] * len(pieces))
    things, parts = occlusion.Things([], 0, 0, order, []), Parts([], [], [], [])
    room = boundary.Room([], [], things, [], [], made, begins, parts, out, rings, areas)
    found = boundary.chained(len(pieces), 1e-3, room)
    assert found == 1
    assert rings[:2] == [0, 4]
    assert areas[0] == 16.0


def test_cells_change_no_outline(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(40)
    for _ in range(budget(15, 600)):
        field = random_field(rng)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        known = field.reach(start, 0.5, 6.0).outline(0.005)
        field.checker(0.5)
        zone = field.reach(start, 0.5, 6.0)
        assert len(zone._query.free.cells.lists) > 0
        assert zone.outline(0.005) == known


def _gaps(lines: list[float], count: int, most: float) -> list[float]:
    """Where what shades leave open begins and ends, slits aside."""
    found: list[float] = []
    at = 0.0
    shaded = zip(lines[0 : 2 * count : 2], lines[1 : 2 * count : 2], strict=True)
    for begin, end in (*sorted(shaded), (most, most)):
        if begin - at > 1e-6:
            found += [at, min(begin, most)]
        at = max(at, end)
    return found


def _laid_out(zone: DiscReach, slack: float) -> occlusion.Things:
    """What may shade rays of a reach of 8."""
    C, H = zone._query.circles.discs, zone._query.sides().figures
    near = [0] * (len(C) + len(H))
    circles, sides = occlusion.near_by(*zone.start, 8.0, C, H, near)
    count = circles + sides
    room = occlusion.Things([0.0] * (occlusion.THING * count), 0, 0, [0] * count, [0.0] * count)
    return occlusion.laid_out(C, H, near, circles, sides, slack, room)


def test_rays_shaded_from_near_to_far_are_all_that_are_shaded(
    budget: Callable[[int, int], int],
) -> None:
    """What is left out of sight of the open rays shades none of them."""
    rng = random.Random(41)
    open_rays = 0
    for _ in range(budget(8, 400)):
        zone = random_field(rng).reach((rng.uniform(1, 29), rng.uniform(1, 29)), 0.5, 8.0)
        if not zone.generators:
            continue
        slack = zone._query.slack
        things = _laid_out(zone, slack)
        for k in range(len(zone.generators)):
            v = zone._V[GENERATOR * k : GENERATOR * (k + 1)]
            fan = wavefront.fan_of(v, 0, 8.0)
            gx, gy, _, turn, _, left, most = fan
            if left <= 0.0:
                continue
            lines, every = [0.0] * 400, [0.0] * 400
            n = occlusion.shades(fan, slack, things, lines)
            m = 0
            for i in range(0, occlusion.THING * things.size, occlusion.THING):
                ax, ay, bx, by, side = things.figures[i : i + 5]
                ax, ay = ax - gx, turn * (ay - gy)
                if not side:
                    m = wavefront.shade_by_disc(every, m, ax, ay, bx, fan)
                    continue
                bx, by = bx - gx, turn * (by - gy)
                if turn < 0.0:
                    ax, ay, bx, by = bx, by, ax, ay
                m = wavefront.shade_by_side(every, m, ax, ay, bx, by, fan)
            assert _gaps(lines, n, most) == pytest.approx(_gaps(every, m, most), abs=1e-12)
            open_rays += len(_gaps(lines, n, most)) // 2
    assert open_rays > 30


def _boxes(rng: random.Random, grounds: Sequence[Sequence[float]] = ()) -> Field:
    """Boxes, walls and discs on a lattice: doors exactly as wide as the disc, ends that meet."""
    solids, bodies = [], {}
    for _ in range(rng.randrange(2, 12)):
        x, y, w, d = rng.randrange(12), rng.randrange(12), rng.choice([1, 2, 5]), rng.choice([1, 2])
        if rng.random() < 0.5:
            w, d = d, w
        solids.append([x, y, x + w, y, x + w, y + d, x, y + d])
    for k in range(rng.randrange(3)):
        bodies[f"b{k}"] = (rng.randrange(24) / 2, rng.randrange(24) / 2, 0.5)
    walls = [(x, 3.0, x + 2.0, 3.0) for x in range(0, 12, 3)] if rng.random() < 0.5 else []
    return Field.of(
        width=12.0, depth=12.0, solids=solids, walls=walls, grounds=grounds, bodies=bodies
    )


def _shuffled(rng: random.Random) -> Callable[[list[int], list[float], int], None]:
    """`occlusion.sort`, ties in any order."""

    def sort(order: list[int], keys: list[float], n: int) -> None:
        rows = sorted((keys[k], rng.random(), order[k]) for k in range(n))
        for k, (key, _, one) in enumerate(rows):
            keys[k], order[k] = key, one

    return sort


def test_things_are_in_the_order_they_are_looked_up_in(budget: Callable[[int, int], int]) -> None:
    """To the bit, though sides that begin at one x are moved back by slack to either hand."""
    rng = random.Random(43)
    begun_alike = 0
    for _ in range(budget(40, 2000)):
        zone = _boxes(rng).reach((rng.randrange(24) / 2, rng.uniform(0.0, 12.0)), 0.5, 8.0)
        things = _laid_out(zone, 1e-9)
        begins = things.figures[occlusion.THING * things.wide + 5 :: occlusion.THING]
        assert begins == sorted(begins)
        begun_alike += sum(b - a < 1e-6 for a, b in itertools.pairwise(begins))
    assert begun_alike > 200


@pytest.mark.parametrize("start", [(3.5, 5.5), (3.0, 1.0), (1.0, 1.0), (0.5, 0.5)])
def test_ground_that_begins_where_the_table_lets_the_disc_begin(start: tuple[float, float]) -> None:
    """A corner of it is on the line that the table's side keeps the centre to."""
    ground = [0.5, 1.5, 2.5, 1.5, 2.5, 3.5, 0.5, 3.5]
    field = Field.of(width=8.0, depth=6.0, grounds=[ground])
    outline = field.reach(start, 0.5, 12.0).outline()
    assert outline.area == pytest.approx(7.0 * 5.0 - 4.0, abs=1e-6)


@pytest.mark.parametrize(
    "ground",
    [
        [0.5, 5.5, 2.5, 5.5, 2.5, 6.5, 0.5, 6.5],
        [0.5, 5.5, 7.5, 5.5, 7.5, 6.5, 0.5, 6.5],
        [-1.0, 0.5, 0.5, 0.5, 0.5, 3.0, -1.0, 3.0],
        [7.5, 3.5, 8.0, 3.5, 8.0, 5.5, 7.5, 5.5],
    ],
)
def test_ground_beside_the_line_that_the_table_keeps_the_disc_to(ground: list[float]) -> None:
    """A side of it runs along that line from its end: no ray passes between the two there."""
    field = Field.of(width=8.0, depth=6.0, grounds=[ground])
    for start in ((3.5, 5.5), (3.0, 1.0), (1.0, 1.0), (0.5, 0.5)):
        outline = field.reach(start, 0.5, 12.0).outline()
        assert outline.area == pytest.approx(7.0 * 5.0, abs=1e-6)


def test_of_sides_that_run_along_one_another_the_one_that_goes_on_has_the_end() -> None:
    ground, table = [1.0, 11.0, 5.0, 11.0, 1.0, 1.0], [1.0, 11.0, 11.0, 11.0, -1.0, -1.0]
    rest = [5.0, 11.0, 11.0, 11.0, 0.0, -1.0]
    assert once(ground + table) == [1.0, 11.0, 5.0, 11.0, -1.0, 0.0, *rest]
    assert once(table + ground) == table
    inner = [2.0, 11.0, 5.0, 11.0, 1.0, 1.0]
    before = [1.0, 11.0, 2.0, 11.0, -1.0, 0.0]
    assert once(inner + table) == [2.0, 11.0, 5.0, 11.0, 0.0, 0.0, *before, *rest]
    behind = [5.0, 11.0, 11.0, 11.0, 1.0, 1.0]
    assert once(ground + behind) == ground + behind


@pytest.mark.usefixtures("plain")
def test_the_order_of_ties_changes_no_outline(
    budget: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(44)
    cases: list[tuple[DiscReach, Outline]] = []
    while len(cases) < budget(30, 3000):
        corner = (0.5, rng.randrange(11) + 0.5)
        square = [(0, 0), (2, 0), (2, 2), (0, 2)]
        ground = [v + w for p in square for v, w in zip(corner, p, strict=True)]
        field = _boxes(rng, grounds=[ground])
        zone = field.reach((rng.randrange(24) / 2, rng.uniform(0, 12)), 0.5, rng.uniform(2.0, 9.0))
        if zone.generators:
            cases.append((zone, zone.outline(0.01)))
    for module in (occlusion, boundary):
        monkeypatch.setattr(module, "sort", _shuffled(rng))
    for zone, found in cases:
        for _ in range(2):
            assert zone.outline(0.01).area == pytest.approx(found.area, abs=1e-9)


@pytest.mark.parametrize("allowance", [3.2, 3.5, 4.0])
def test_a_gap_as_wide_as_the_disc_that_the_allowance_ends_behind(allowance: float) -> None:
    """The table's side goes on through the gap, and is in reach up to the front without width."""
    areas = []
    for more in (0.0, 1e-5):
        solid = [2.0 - more, 5.0, 3.0, 5.0, 3.0, 6.0, 2.0 - more, 6.0]
        field = Field.of(width=12.0, depth=12.0, solids=[solid], bodies={"b": (4.0, 2.0, 0.25)})
        zone = field.reach((1.0, 2.0), 1.0, allowance)
        areas.append(zone.outline(0.001).area)
        assert zone.outline(0.001).contains(1.5, 2.0)
    assert areas[0] == pytest.approx(areas[1], abs=1e-3)


@pytest.mark.usefixtures("plain")
def test_parts_are_in_by_their_chain_as_each_is_alone(
    budget: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(42)
    cases: list[tuple[DiscReach, Outline]] = []
    asked = [0]
    leads = boundary._leads

    def counted(*args: Any) -> int:
        asked[0] += 1
        return leads(*args)

    monkeypatch.setattr(boundary, "_leads", counted)
    while len(cases) < budget(40, 4000):
        lattice = rng.random() < 0.5
        field = _boxes(rng) if lattice else random_field(rng)
        size = 12.0 if lattice else 30.0
        start = (rng.randrange(int(2 * size)) / 2, rng.uniform(0, size))
        zone = field.reach(start, 0.5, rng.choice([1.0, 2.0, 3.5, 5.0, rng.uniform(0.5, 8.0)]))
        if zone.generators:
            cases.append((zone, zone.outline(0.01)))
    chained = asked[0]
    # No slack is little enough for chains: each part is asked.
    monkeypatch.setattr(boundary, "_MOST", 0.0)
    for zone, known in cases:
        alone = zone.outline(0.01)
        assert alone.area == pytest.approx(known.area, abs=1e-9)
        assert alone.rings == known.rings
    assert chained < 0.35 * (asked[0] - chained)


def test_a_room_behind_a_door_where_the_allowance_ends_is_out_of_reach() -> None:
    """The door is as wide as the disc: what ends in it is a front without width."""
    solids = [[0, 4.8, 4.5, 4.8, 4.5, 5.2, 0, 5.2], [5.5, 4.8, 10, 4.8, 10, 5.2, 5.5, 5.2]]
    field = Field.of(width=10.0, depth=10.0, solids=solids)
    for allowance, room in ((2.9, False), (3.0, False), (3.1, False), (3.6, True)):
        border = field.reach((5.0, 2.0), 0.5, allowance).outline()
        assert border.contains(5.0, 3.0)
        assert border.contains(5.0, 5.4) == room, allowance
        assert not border.contains(2.0, 8.0)


@pytest.mark.parametrize("off", [0.0, 3e-10])
def test_bases_in_one_place_are_one(off: float) -> None:
    rng = random.Random(5)
    for _ in range(12):
        alone = random_field(rng, 6)
        both = alone
        for name, (x, y, radius) in alone.bodies.items():
            both = both.added(f"{name} again", x + off, y, radius)
        start = (rng.uniform(1, 29), rng.uniform(1, 29))
        one, two = (field.reach(start, 0.5, 6.0).outline() for field in (alone, both))
        assert two.area == pytest.approx(one.area, abs=1e-6)
        assert len(two.rings) == len(one.rings)


def test_no_outline_without_slack() -> None:
    reach = Field.of(width=20.0, depth=20.0).reach((5.0, 5.0), 0.5, 3.0, slack=0.0)
    assert reach.contains(8.0, 5.0)
    with pytest.raises(ShapeError, match="slack of 1e-10"):
        reach.outline()
