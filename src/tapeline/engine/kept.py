"""What was worked out of states, tables or what stands on them last: asked again, it is told at
once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

__all__ = ["Kept"]

AnswerT = TypeVar("AnswerT")


class Kept:
    """Answers about single states, tables or pieces of them, the last `size` of them.

    None of these ever changes, so neither does what is worked out of it. It is known by being the
    same object: offers, the referee and the procedure ask about one state each in turn.
    """

    __slots__ = ("_answers", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._answers: dict[tuple[int, Hashable], tuple[object, Any]] = {}

    def once(self, of: object, key: Hashable, work: Callable[[], AnswerT]) -> AnswerT:
        """What `work` gives, worked out once for a state, a table or a piece and a key."""
        known = self._answers.get((id(of), key))
        if known is not None and known[0] is of:
            kept: AnswerT = known[1]
            return kept
        found = work()
        over = len(self._answers) + 1 - self._size
        for oldest in list(self._answers)[: max(over, 0)]:
            self._answers.pop(oldest, None)  # another thread may have been first
        self._answers[id(of), key] = of, found
        return found
