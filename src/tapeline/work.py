"""How much work a question may take, in steps that are the same on every machine.

What may take long counts its steps as it goes (`count_work`); whoever asks says how many he allows
(`work_limit`). A step is what takes compiled kernels about a microsecond: a state of a search, a
pair of shapes looked at; a clause that looks is ten. The same question of a fresh process takes the
same steps each time; what an earlier question has already worked out takes none.

>>> with work_limit(100) as work:
...     count_work(30, "a table")
>>> work.done
30
>>> with work_limit(100):
...     count_work(101, "a route")
Traceback (most recent call last):
tapeline.errors.DeadlineError: given up after 100 steps of work, at a route
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tapeline.errors import DeadlineError

__all__ = ["Work", "count_work", "making_what_stays", "settle", "work_limit"]

#: How many things are made, beyond those let go, before garbage is looked for among them: hardly
#: any is left by a question, and play would wait for it. Python itself does so from 700 on.
_MADE = 20_000


class Work:
    """The steps done of those allowed."""

    __slots__ = ("allowed", "done")

    def __init__(self, allowed: float) -> None:
        self.allowed = allowed
        self.done = 0


_WORK: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def work_limit(steps: float) -> Iterator[Work]:
    """Allow so many steps in here, and no more than are left of a limit around it.

    Raises DeadlineError from within when they are used up. It holds for the thread or the task
    that it is entered in, and for what that begins meanwhile.
    """
    outer = _WORK.get()
    work = Work(steps if outer is None else min(steps, outer.allowed - outer.done))
    token = _WORK.set(work)
    try:
        yield work
    finally:
        _WORK.reset(token)
        if outer is not None:
            outer.done += work.done


@contextmanager
def making_what_stays() -> Iterator[None]:
    """Make very many things that are kept, without looking for garbage among them meanwhile.

    Hardly any of them is, and each look goes through all there is: 0.1 s and more, several times
    while a chart of a city is drawn.
    """
    looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looking:
            gc.enable()


def settle() -> None:
    """What is loaded stays: it need not be looked through for garbage time and again, which would
    hold up an answer by a tenth of a second, and child processes go on sharing it. In all of this
    process new garbage is looked for less often too, unless that is turned off."""
    gc.collect()
    gc.freeze()
    first, *others = gc.get_threshold()
    if first > 0:
        gc.set_threshold(max(first, _MADE), *others)


def count_work(steps: int, doing: str) -> None:
    """Count steps of work done or about to be done; `doing` goes into the error's text.

    Raises DeadlineError when they are more than `work_limit` allows; free without one.
    """
    work = _WORK.get()
    if work is not None:
        work.done += steps
        if work.done > work.allowed:
            raise DeadlineError(f"given up after {work.allowed:,} steps of work, at {doing}")
