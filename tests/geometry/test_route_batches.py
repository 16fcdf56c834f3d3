"""Many routes in one call: each the single call's answer, bit for bit, in both backends."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import Answer, PointGoal
from tapeline.geometry.discs.many_goals import REASONS, Routes
from tapeline.geometry.discs.scratch import SCRATCH
from tapeline.geometry.plane.legs import Arc, Line, Path

from .test_field_discs import random_field

Point = tuple[float, float]


@pytest.fixture(params=["plain", "compiled"])
def backend(request: pytest.FixtureRequest) -> bool:
    """Whether the compiled backend is meant."""
    if request.param == "compiled":
        request.getfixturevalue("compiled")
    return bool(request.param == "compiled")


def places(rng: random.Random, count: int) -> list[Point]:
    return [(rng.uniform(-0.5, 30.5), rng.uniform(-0.5, 30.5)) for _ in range(count)]


def singly(field: Field, starts: list[Point], goals: list[Point], limit: float) -> list[Answer]:
    return [
        field.route(a, [PointGoal(*b)], 0.5, limit=limit)
        for a, b in zip(starts, goals, strict=True)
    ]


def hold(found: Routes, answers: list[Answer]) -> None:
    """The batch's answers, and its arrays read as the docs tell."""
    assert list(found) == answers
    assert len(found) == len(answers)
    rows = [float(v) for v in found.rows]
    for i, answer in enumerate(answers):
        assert REASONS[found.codes[i]] == answer.reason
        assert (found.states[i], found.tested[i]) == (answer.states, answer.tested)
        begin, end = int(found.first[i]), int(found.first[i + 1])
        if answer.route is None:
            assert found.lengths[i] == math.inf
            assert begin == end
            continue
        assert found.lengths[i] == answer.route.length == rows[6 * begin + 1]
        legs = []
        for k in range(begin + 1, begin + 1 + int(rows[6 * begin + 2])):
            kind, *figures = rows[6 * k : 6 * k + 6]
            legs.append(Arc(*figures) if kind else Line(*figures[:4]))
        assert Path(tuple(legs)) == answer.route.path
        heads = sum(rows[6 * k] == 2.0 for k in range(begin, end))
        assert heads >= 1 + len(answer.route.ties)


def test_each_is_the_single_answer(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(61)
    reasons: dict[str, int] = {}
    for _ in range(budget(6, 300)):
        field = random_field(rng)
        starts, goals = places(rng, 30), places(rng, 30)
        answers = singly(field, starts, goals, 16.0)
        hold(field.routes(starts, goals, 0.5, limit=16.0), answers)
        for answer in answers:
            reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
    assert min(reasons.get(why, 0) for why in ("", "limit", "start", "goal")) > 5


@pytest.mark.usefixtures("compiled")
def test_gears_and_prepared_cells_agree(budget: Callable[[int, int], int]) -> None:
    np = pytest.importorskip("numpy")
    rng = random.Random(62)
    bent = 0
    for _ in range(budget(4, 300)):
        plain = random_field(rng)
        starts, goals = places(rng, 60), places(rng, 60)
        answers = singly(plain, starts, goals, 20.0)
        quick = plain.on_backend(True)
        hold(quick.routes(starts, goals, 0.5, limit=20.0), answers)
        # Prepared: more questions than a field answers unprepared.
        many = quick.routes(np.array(starts * 5), np.array(goals * 5), 0.5, limit=20.0)
        assert (0.5, 1e-9) in quick._ground.cells
        hold(many, answers * 5)
        assert singly(quick, starts, goals, 20.0) == answers
        # A state that has changed is not asked by cells of an earlier one.
        name = next(iter(plain.bodies))
        moved = plain.moved(name, *starts[0])
        assert list(quick.moved(name, *starts[0]).routes(starts, goals, 0.5)) == list(
            moved.routes(starts, goals, 0.5)
        )
        bent += sum(a.route is not None and len(a.route.path.legs) > 1 for a in answers)
    assert bent > 20


def test_it_goes_on_where_room_ran_out(backend: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(63)
    field = random_field(rng).on_backend(backend)
    starts, goals = places(rng, 50), places(rng, 50)
    whole = list(field.routes(starts, goals, 0.5))
    assert any(answer.states > 8 for answer in whole)
    asking = "tapeline.geometry.discs.many_goals"
    monkeypatch.setattr(f"{asking}._ROWS", 0)
    monkeypatch.setattr(f"{asking}._FIRST", 1)
    space = SCRATCH.space(backend)
    space.grow_nodes(3)
    space.search = space.search._replace(found=space.ints(1))
    space.question = space.question._replace(rows=space.floats(6))
    again = field.on_backend(not backend).on_backend(backend)
    assert list(again.routes(starts, goals, 0.5)) == whole
    assert space.nodes > 3
    assert len(space.search.found) > 1
    assert singly(again, starts, goals, math.inf) == whole
    assert len(space.question.rows) > 6


def test_ties_come_along() -> None:
    field = Field.of(width=10.0, depth=10.0, posts=[(5.0, 5.0, 1.0)], compiled=False)
    found = field.routes([(1.0, 5.0)], [(9.0, 5.0), (1.0, 9.0)], 0.5)
    main = found[0].route
    assert main is not None
    assert len(main.ties) == 1
    assert found[0] == field.route((1.0, 5.0), [PointGoal(9.0, 5.0)], 0.5)
    heads = [k for k in range(len(found.rows) // 6) if found.rows[6 * k] == 2.0]
    assert heads == [0, 4, 8]
    assert list(found.first) == [0, 8, 10]
    assert found[-1] == found[1] == found[:][1]
    with pytest.raises(IndexError, match="there are 2 routes"):
        found[2]


def test_one_point_stands_for_all_and_faults_are_told(backend: bool) -> None:
    field = Field.of(width=20.0, depth=20.0, posts=[(5.0, 5.0, 1.0)], compiled=backend)
    goals = [(1.0, 9.0), (9.0, 5.0), (19.0, 1.0)]
    hold(field.routes([(1.0, 5.0)], goals, 0.5), singly(field, [(1.0, 5.0)] * 3, goals, math.inf))
    hold(field.routes(goals, [(1.0, 5.0)], 0.5), singly(field, goals, [(1.0, 5.0)] * 3, math.inf))
    for none in (field.routes([], [], 0.5), field.routes([(1.0, 5.0)], [], 0.5)):
        assert list(none) == []
        assert list(none.first) == [0]
    for wrong in (
        lambda: field.routes(goals, goals[:2], 0.5),
        lambda: field.routes(goals, [(1.0, math.nan)], 0.5),
        lambda: field.routes(goals, [(1e11, 1.0)], 0.5),
        lambda: field.routes(goals, goals, -1.0),
        lambda: field.routes(goals, goals, 0.5, limit=math.nan),
        lambda: field.route((math.nan, 1.0), [PointGoal(1.0, 1.0)], 0.5),
        lambda: field.route((1.0, 1.0), [PointGoal(1.0, math.inf)], 0.5),
        lambda: field.route((1.0, 1.0), [PointGoal(1.0, 1.0)], 0.5, limit=math.nan),
    ):
        with pytest.raises(ShapeError):
            wrong()
    with pytest.raises(WorkLimitError):
        field.routes([(1.0, 5.0)], [(1.0, 9.0), (9.0, 5.0)], 0.5, work=2)
