"""What was worked out of a state is told again for the same object only, and not for ever."""

from __future__ import annotations

from dataclasses import replace

from tapeline.engine.kept import Kept
from tapeline.engine.state import State
from tapeline.table.terrain import Battlefield


def test_asked_again_of_the_same_state_nothing_is_worked_out() -> None:
    state = State("x", "", Battlefield(1.0, 1.0, "in"), (), {})
    made: list[int] = []

    def work() -> int:
        made.append(len(made))
        return made[-1]

    kept = Kept(2)
    assert [kept.once(state, "a", work) for _ in range(3)] == [0, 0, 0]
    assert kept.once(state, "b", work) == 1
    # One that says the same is another: it may not be told by its place in memory alone.
    other = replace(state)
    assert other == state
    assert kept.once(other, "a", work) == 2
    # There is room for two: what was first is worked out again.
    assert kept.once(state, "b", work) == 1
    assert kept.once(state, "a", work) == 3


def test_what_fails_is_not_kept() -> None:
    state = State("x", "", Battlefield(1.0, 1.0, "in"), (), {})
    kept, tries = Kept(4), iter((True, False))

    def work() -> str:
        if next(tries):
            raise ValueError
        return "done"

    try:
        kept.once(state, "a", work)
    except ValueError:
        assert kept.once(state, "a", work) == "done"
