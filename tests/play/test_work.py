"""A limit on work: any question stops with the library's own error, and says where it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

import tapeline as tl
from support.playing import battles_along
from tapeline.errors import DeadlineError
from tapeline.work import count_work, work_limit

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_without_a_limit_nothing_stops() -> None:
    count_work(10**18, "a test")


def test_the_last_step_allowed_may_be_done() -> None:
    with work_limit(5) as work:
        count_work(5, "a test")
        with pytest.raises(DeadlineError, match=r"^given up after 5 steps of work, at the next$"):
            count_work(1, "the next")
    assert work.done == 6


def test_an_inner_limit_allows_no_more_than_is_left_outside() -> None:
    with work_limit(10):
        count_work(4, "a test")
        with work_limit(100), pytest.raises(DeadlineError):
            count_work(7, "a test")
        # What was done inside is done outside too.
        with pytest.raises(DeadlineError):
            count_work(0, "a test")


def test_an_inner_limit_that_is_met_leaves_the_rest() -> None:
    with work_limit(10) as outer:
        with work_limit(3), pytest.raises(DeadlineError):
            count_work(4, "a test")
        count_work(6, "a test")
    assert outer.done == 10


def test_a_thread_that_a_task_waits_for_counts_for_it() -> None:
    async def ask() -> int:
        with work_limit(10) as work:
            await asyncio.to_thread(count_work, 7, "a test")
        return work.done

    assert asyncio.run(ask()) == 7


QUESTIONS: dict[str, tuple[str, Callable[[tl.Battle], object]]] = {
    "judge": ("trench-storeys", lambda b: b.judge(tl.Move("r-1", path=[{"to": [5, 5]}]))),
    "offers": ("warmaster-dale", lambda b: next(b.offers())),
    "reach": ("mordheim-roofs", lambda b: b.reach("r-diver")),
    "outline": ("mordheim-market", lambda b: b.reach("r-captain").outline()),
    "route": ("mordheim-market", lambda b: b.route("r-captain", (20.0, 20.0))),
    "odds": ("mordheim-roofs", lambda b: b.odds(tl.Charge("r-diver"))),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_any_question_can_be_stopped(name: str) -> None:
    example, ask = QUESTIONS[name]
    battle = tl.load(EXAMPLES / f"{example}.json")
    with work_limit(1), pytest.raises(DeadlineError, match="steps of work, at "):
        ask(battle)


def test_the_same_question_takes_the_same_steps() -> None:
    def steps() -> int:
        battle = tl.load(EXAMPLES / "mordheim-roofs.json")
        with work_limit(10**9) as work:
            for _ in zip(range(12), battle.offers(3), strict=False):
                pass
        return work.done

    first = steps()
    assert first > 100
    assert steps() == first


@pytest.mark.parametrize("system", ["mordheim", "trench-crusade", "warmaster"])
def test_the_first_offer_comes_at_once(system: str) -> None:
    for battle in battles_along(system):
        with work_limit(8_000):  # a charge takes up to 130,000
            next(battle.offers(1), None)
