"""Shortest routes of a disc against sums done by hand, and at razor edges."""

from __future__ import annotations

import math
import random

import pytest

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, PointGoal
from tapeline.geometry.discs.shortest_path import Answer, shortest
from tapeline.geometry.plane.legs import Arc, Line, Path

BLOCK = [4.0, 4.0, 6.0, 4.0, 6.0, 6.0, 4.0, 6.0]


def to(field: Field, a: tuple[float, float], b: tuple[float, float], r: float) -> Answer:
    return shortest(field, a, [PointGoal(*b)], r)


def length(answer: Answer) -> float:
    assert answer.route is not None, answer.reason
    assert math.isclose(answer.route.path.length, answer.route.length, abs_tol=1e-9)
    return answer.route.length


def round_disc(d: float, e: float, rho: float, angle: float) -> float:
    """Taut string from distance d to distance e of a circle's centre, the two `angle` apart."""
    return (
        math.sqrt(d * d - rho * rho)
        + math.sqrt(e * e - rho * rho)
        + rho * (angle - math.acos(rho / d) - math.acos(rho / e))
    )


def test_open_ground_is_straight() -> None:
    answer = to(Field.of(width=10, depth=10), (1.0, 1.0), (4.0, 5.0), 0.5)
    assert length(answer) == 5.0
    assert answer.route is not None
    assert answer.route.path.legs == (Line(1.0, 1.0, 4.0, 5.0),)


def test_round_one_disc() -> None:
    field = Field.of(posts=[(0.0, 0.0, 1.0)])
    answer = to(field, (-5.0, 0.0), (3.0, 1e-9), 0.5)
    assert math.isclose(length(answer), round_disc(5.0, 3.0, 1.5, math.pi), abs_tol=2e-9)
    assert answer.route is not None
    first, arc, last = answer.route.path.legs
    assert isinstance(first, Line)
    assert isinstance(arc, Arc)
    assert isinstance(last, Line)
    # Tangents meet their circle square.
    assert abs((first.bx - first.ax) * first.bx + (first.by - first.ay) * first.by) < 1e-9


def test_two_ways_round_a_disc_tie() -> None:
    field = Field.of(posts=[(0.0, 0.0, 1.0)])
    answer = to(field, (-5.0, 0.0), (5.0, 0.0), 0.5)
    assert answer.route is not None
    assert len(answer.route.ties) == 1
    sides = {math.copysign(1.0, answer.route.path.at(length(answer) / 2)[1])}
    sides.add(math.copysign(1.0, answer.route.ties[0].path.at(length(answer) / 2)[1]))
    assert sides == {1.0, -1.0}


def test_round_one_corner() -> None:
    # A wall from (0, 0) up beyond all reach: round its lower end.
    field = Field.of(walls=[(0.0, 0.0, 0.0, 1000.0)])
    a, b = (-3.0, 1.0), (4.0, 1.0)
    turn = math.pi + 2 * 0.0
    d, e = math.hypot(*a), math.hypot(*b)
    turn = math.tau - (math.atan2(a[1], a[0]) - math.atan2(b[1], b[0]))
    assert math.isclose(length(to(field, a, b, 0.5)), round_disc(d, e, 0.5, turn), abs_tol=1e-9)


def test_s_bend_between_two_discs_uses_the_inner_tangent() -> None:
    # Walls force the route under the first post and over the second.
    field = Field.of(
        posts=[(0.0, 0.0, 1.0), (6.0, 0.0, 1.0)],
        walls=[(0.0, 0.0, 0.0, 500.0), (6.0, 0.0, 6.0, -500.0)],
    )
    rho, s = 1.25, 3.0
    inner = 2 * math.sqrt(s * s - rho * rho)
    phi = math.acos(rho / s)
    # From below the first post to above the second, starting and ending at contact.
    a, b = (0.0, -rho), (6.0, rho)
    arc = rho * (math.pi / 2 - phi)
    assert math.isclose(length(to(field, a, b, 0.25)), inner + 2 * arc, abs_tol=1e-9)


def test_no_way_and_why() -> None:
    room = [(0, 0, 4, 0), (4, 0, 4, 4), (4, 4, 0, 4), (0, 4, 0, 0)]
    field = Field.of(width=20, depth=20, box=(-10, -10, 20, 20), walls=room)
    assert to(field, (2.0, 2.0), (8.0, 8.0), 0.5).reason == "cut off"
    assert to(field, (0.1, 2.0), (8.0, 8.0), 0.5).reason == "start"
    assert to(field, (8.0, 8.0), (0.1, 2.0), 0.5).reason == "goal"
    answer = shortest(field, (8.0, 8.0), [PointGoal(12.0, 8.0)], 0.5, limit=3.999)
    assert answer.reason == "limit"
    assert shortest(field, (8.0, 8.0), [PointGoal(12.0, 8.0)], 0.5, limit=4.0).route is not None


def test_inside_a_solid_is_no_place_to_start() -> None:
    field = Field.of(solids=[[0, 0, 20, 0, 20, 20, 0, 20]])
    assert to(field, (10.0, 10.0), (12.0, 10.0), 0.5).reason == "start"


def frames() -> list[tuple[str, float, bool, float, float]]:
    return [
        (f"quarter {q}, mirrored {m}, shifted {s}", q, m, s, s / 3)
        for q in range(4)
        for m in (False, True)
        for s in (0.0, 100.1)
    ]


@pytest.mark.parametrize(("name", "quarter", "mirror", "dx", "dy"), frames())
@pytest.mark.parametrize("change", [0.0, -1e-6, 1e-6])
def test_gap_of_exactly_the_base_is_passable(
    name: str, quarter: float, mirror: bool, dx: float, dy: float, change: float
) -> None:
    """Two blocks with a gap of 2 r: the way leads through it; a millionth less and it is shut."""
    r = 0.62992126

    def place(x: float, y: float) -> tuple[float, float]:
        if mirror:
            x = -x
        for _ in range(int(quarter)):
            x, y = -y, x
        return x + dx, y + dy

    def ring(*corners: tuple[float, float]) -> list[float]:
        return [v for corner in corners for v in place(*corner)]

    g = r + change / 2
    field = Field.of(
        solids=[
            ring((-50, g), (1, g), (1, 9), (-50, 9)),
            ring((0, -9), (60, -9), (60, -g), (0, -g)),
        ],
        walls=[(*place(-50, g), *place(-50, 80)), (*place(60, -g), *place(60, -80))],
    )
    answer = to(field, place(-4.0, -2.0 * r), place(5.0, 2.0 * r), r)
    if change < 0:
        assert answer.route is None or answer.route.length > 20
    else:
        assert length(answer) < 12


@pytest.mark.parametrize(("name", "quarter", "mirror", "dx", "dy"), frames())
def test_contact_start_slides_off(
    name: str, quarter: float, mirror: bool, dx: float, dy: float
) -> None:
    """A base in contact with another, and with a wall, may move away along both."""
    r = 125 / 254

    def place(x: float, y: float) -> tuple[float, float]:
        if mirror:
            x = -x
        for _ in range(int(quarter)):
            x, y = -y, x
        return x + dx, y + dy

    field = Field.of(walls=[(*place(-9, 0), *place(9, 0))], bodies={"b": (*place(2 * r, r), r)})
    answer = to(field, place(0.0, r), place(-3.0, r), r)
    assert math.isclose(length(answer), 3.0, abs_tol=1e-9)
    over = to(field, place(0.0, r), place(4 * r, r), r)
    # Half round the other base, in contact all the way.
    assert math.isclose(length(over), math.pi * 2 * r, abs_tol=1e-8)


def test_collinear_and_shared_corners_change_nothing() -> None:
    whole = Field.of(solids=[[0, 0, 6, 0, 6, 2, 0, 2]])
    split = Field.of(
        solids=[
            [0, 0, 1, 0, 2, 0, 3, 0, 3, 2, 0, 2],
            [3, 0, 6, 0, 6, 2, 4.5, 2, 3, 2],
            [0, 0, 3, 0, 3, 2, 0, 2],
        ]
    )
    for a, b in [((-1.0, 1.0), (7.0, 1.0)), ((1.0, -0.5), (5.0, 2.5)), ((-0.5, 0.0), (7.0, 3.0))]:
        assert math.isclose(
            length(to(whole, a, b, 0.5)), length(to(split, a, b, 0.5)), abs_tol=1e-9
        )


def test_contact_with_a_disc_goes_straight_at_it() -> None:
    field = Field.of(bodies={"t": (10.0, 0.0, 0.5)})
    answer = shortest(field, (0.0, 0.0), [CircleGoal(10.0, 0.0, 1.0)], 0.5)
    assert math.isclose(length(answer), 9.0, abs_tol=1e-12)


def test_contact_place_taken_goes_round_the_taker() -> None:
    # Discs of 25 mm: the straight contact place is taken by a disc that touches the target;
    # the nearest free one is 60 degrees round, reached by a straight leg that ends touching both.
    r = 125 / 254
    field = Field.of(bodies={"t": (20.0, 10.0, r), "f": (20.0 - 2 * r, 10.0, r)})
    answer = shortest(field, (10.0, 10.0), [CircleGoal(20.0, 10.0, 2 * r)], r)
    end = (20.0 - 2 * r * math.cos(math.pi / 3), 10.0 + 2 * r * math.sin(math.pi / 3))
    d, rho = 10.0 - 2 * r, 2 * r
    # Tangent to the taker's circle, then along it to the place 120 degrees from the start.
    taut = math.sqrt(d * d - rho * rho) + rho * (2 * math.pi / 3 - math.acos(rho / d))
    straight = math.dist((10.0, 10.0), end)
    assert answer.route is not None
    assert len(answer.route.ties) == 1
    assert math.isclose(length(answer), taut, abs_tol=1e-9)
    assert taut >= straight
    x, y = answer.route.path.end
    assert math.isclose(x, end[0], abs_tol=1e-7)
    assert math.isclose(abs(y - 10.0), end[1] - 10.0, abs_tol=1e-7)


def test_within_k_of_a_disc_stops_on_its_ring() -> None:
    field = Field.of(bodies={"t": (10.0, 0.0, 0.5)})
    answer = shortest(field, (0.0, 0.0), [CircleGoal(10.0, 0.0, 2.0)], 0.5)
    assert math.isclose(length(answer), 8.0, abs_tol=1e-12)
    there = shortest(field, (8.5, 0.0), [CircleGoal(10.0, 0.0, 2.0)], 0.5)
    assert length(there) == 0.0


def test_shut_angles_are_not_reached() -> None:
    field = Field.of(bodies={"t": (10.0, 0.0, 0.5)})
    goal = CircleGoal(10.0, 0.0, 1.0, shut=((math.pi - 0.5, math.pi + 0.25),))
    answer = shortest(field, (0.0, 0.0), [goal], 0.5)
    a = math.pi + 0.25
    end = (10.0 + math.cos(a), math.sin(a))
    assert math.isclose(length(answer), math.hypot(*end), abs_tol=1e-9)


def test_nearest_way_out_of_two_rings() -> None:
    # Rings of radius 2 about (0, 0) and (1, 0). The near sides are inside the other ring, the far
    # sides 2.2 and 2.8 away: the way out is by the points where the rings cross.
    goals = [
        CircleGoal(0.0, 0.0, 2.0, True, ((-math.acos(0.25), math.acos(0.25)),)),
        CircleGoal(1.0, 0.0, 2.0, True, ((math.pi - math.acos(0.25), math.pi + math.acos(0.25)),)),
    ]
    answer = shortest(Field.of(), (0.2, 0.0), goals, 0.5)
    cross = (0.5, 2 * math.sin(math.acos(0.25)))
    assert math.isclose(length(answer), math.dist((0.2, 0.0), cross), abs_tol=1e-9)
    one = shortest(Field.of(), (-0.5, 0.0), goals[:1], 0.5)
    assert math.isclose(length(one), 1.5, abs_tol=1e-12)


def test_zones_are_kept_out_of_for_one_search_only() -> None:
    field = Field.of(width=20, depth=20)
    a, b = (2.0, 10.0), (18.0, 10.0)
    free = shortest(field, a, [PointGoal(*b)], 0.5)
    kept = shortest(field, a, [PointGoal(*b)], 0.5, zones=[(10.0, 10.0, 3.0)])
    assert length(free) == 16.0
    assert math.isclose(length(kept), round_disc(8.0, 8.0, 3.0, math.pi), abs_tol=1e-9)
    assert length(shortest(field, a, [PointGoal(*b)], 0.5)) == 16.0


def test_table_edge_bounds_the_way() -> None:
    # The post can be passed only on the side where table is left.
    field = Field.of(width=20, depth=10, posts=[(10.0, 8.0, 1.2)])
    answer = to(field, (2.0, 8.5), (18.0, 8.5), 0.5)
    assert answer.route is not None
    assert answer.route.path.at(length(answer) / 2)[1] < 8.0


def test_a_point_goes_along_a_border_but_not_in() -> None:
    field = Field.of(grounds=[BLOCK])
    along = shortest(field, (4.0, 3.0), [PointGoal(4.0, 7.0)], 0.0)
    assert math.isclose(length(along), 4.0)
    across = shortest(field, (3.0, 5.0), [PointGoal(7.0, 5.0)], 0.0)
    assert math.isclose(length(across), 2 * math.sqrt(2) + 2, abs_tol=1e-12)
    assert across.route is not None
    assert len(across.route.ties) == 1


def test_grounds_bind_the_centre_only() -> None:
    field = Field.of(grounds=[BLOCK])
    answer = to(field, (3.0, 5.0), (7.0, 5.0), 1.0)
    assert math.isclose(length(answer), 2 * math.sqrt(2) + 2, abs_tol=1e-12)


def test_work_limit_is_told() -> None:
    rng = random.Random(3)
    posts = [(rng.uniform(0, 40), rng.uniform(0, 40), 0.3) for _ in range(120)]
    field = Field.of(posts=posts)
    with pytest.raises(WorkLimitError, match="states"):
        shortest(field, (-5.0, -5.0), [PointGoal(45.0, 45.0)], 0.4, work=50)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_that_will_not_do(bad: float) -> None:
    field = Field.of(width=10, depth=10)
    with pytest.raises(ShapeError):
        to(field, (bad, 1.0), (2.0, 2.0), 0.5)
    with pytest.raises(ShapeError):
        to(field, (1.0, 1.0), (2.0, bad), 0.5)
    with pytest.raises(ShapeError):
        to(field, (1.0, 1.0), (2.0, 2.0), bad)
    with pytest.raises(ShapeError):
        shortest(field, (1.0, 1.0), [CircleGoal(2.0, 2.0, bad)], 0.5)
    with pytest.raises(ShapeError):
        shortest(field, (1.0, 1.0), [PointGoal(2.0, 2.0)], 0.5, zones=[(bad, 1.0, 1.0)])


def test_far_away_coordinates_still_answer() -> None:
    far = 1e9
    field = Field.of(posts=[(far, far, 1.0)])
    answer = to(field, (far - 5.0, far), (far + 5.0, far), 0.5)
    assert answer.route is not None
    expected = round_disc(5.0, 5.0, 1.5, math.pi)
    assert math.isclose(answer.route.length, expected, abs_tol=1e-4)
    assert math.isclose(answer.route.path.length, expected, abs_tol=1e-4)


def test_a_goal_within_the_slack_of_an_obstacle_is_reached_round_it() -> None:
    # Rule systems let a base stand a millionth inside; from behind, the way is along the obstacle.
    field = Field.of(posts=[(0.0, 0.0, 1.0)])
    goal = (1.5 - 5e-7, 0.0)
    answer = shortest(field, (-5.0, 0.0), [PointGoal(*goal)], 0.5, slack=1e-6)
    assert answer.route is not None
    expected = math.sqrt(25 - 2.25) + 1.5 * (math.pi - math.acos(0.3))
    assert math.isclose(answer.route.length, expected, abs_tol=1e-5)
    assert math.isclose(
        field.reach((-5.0, 0.0), 0.5, 9.0, slack=1e-6).cost(*goal), expected, abs_tol=1e-5
    )


@pytest.mark.parametrize("flip", [False, True])
def test_ends_of_walls_are_obstacles(flip: bool) -> None:
    wall = (0.0, 1.2, 0.0, 30.0)
    if flip:
        wall = (0.0, 30.0, 0.0, 1.2)
    post = (0.0, 0.0, 0.5)
    field = Field.of(walls=[wall])
    assert field.follows([(-3.0, 0.7), (3.0, 0.7)], 0.5)
    assert not field.follows([(-3.0, 0.71), (3.0, 0.71)], 0.5)
    # Between the wall's end and the post is 0.7: no way for a base 1 across, so below the post.
    both = Field.of(walls=[wall], posts=[post])
    answer = to(both, (-3.0, 0.5), (3.0, 0.5), 0.5)
    assert answer.route is not None
    assert answer.route.path.at(length(answer) / 2)[1] < 0.0
    arcs = [leg for leg in answer.route.path.legs if isinstance(leg, Arc)]
    assert all(both.follows(Path((arc,)), 0.5, 2e-9) for arc in arcs)
    # From contact with the post's top left, round it and not through the wall's end.
    near = to(both, (-math.cos(0.6), math.sin(0.6)), (math.cos(0.6), math.sin(0.6)), 0.5)
    assert math.isclose(length(near), math.pi + 1.2, abs_tol=1e-8)


@pytest.mark.parametrize("corners", [12, 40, 90])
def test_round_a_many_sided_solid(corners: int) -> None:
    """Each corner's free arc is small; the string lies along them all."""
    turns = [k * math.tau / corners for k in range(corners)]
    ring = [v for a in turns for v in (2 * math.cos(a), 2 * math.sin(a))]
    answer = to(Field.of(solids=[ring]), (-6.0, 0.0), (6.0, 0.0), 0.5)
    outer = round_disc(6.0, 6.0, 2.5, math.pi)
    inner = round_disc(6.0, 6.0, 2 * math.cos(math.pi / corners) + 0.5, math.pi)
    assert inner - 1e-9 <= length(answer) <= outer + 1e-9
