"""The battles of a match on the way: recent ones are kept, others are made again from the log.

A long match has many entries, and the states of all of them would fill the memory of a server with
many matches. Kept are the start, the last `RECENT`, and at most `SPREAD` spread evenly over the
rest; what lies between is folded from the nearest one before it. Looking at a past changes nothing
of it, so threads may share one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, overload

from tapeline.engine.asks import Answer
from tapeline.engine.codec import parse_action
from tapeline.engine.fold import fold_all
from tapeline.engine.referee import Session
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.errors import LogError
from tapeline.play.battle import Battle, Pending
from tapeline.play.entries import Entry

__all__ = ["RECENT", "SPREAD", "Past", "after_entries"]

#: Battles kept at the end of a past: as far as undo and a look back mostly go.
RECENT = 24
#: Battles kept before those, spread evenly. A look far back folds about a part in so many of the
#: entries, 2 * 20,000 / 32 at the most that the browser table lets a match have.
SPREAD = 32


def after_entries(battle: Battle, numbered: Sequence[tuple[int, Entry]]) -> Battle:
    """The battle after some entries, at least one and none of them an undo, by folding them.

    numbered: each with its number. Raises LogError for events or an open question that do not
    fit, DocumentError for an action that is none.
    """
    state = battle.state
    #: The open question: the state and action that led to it, and the answers so far.
    question: tuple[State, Any, tuple[Answer, ...]] | None = None
    if battle.pending is not None:
        question = (battle.pending.start, battle.pending.action, battle.pending.answers)
    number = 0
    for number, entry in numbered:
        if entry.what == "result":
            continue
        if entry.what == "action":
            question = (state, entry.action, entry.answers)
        elif entry.what == "answer" and question is not None:
            question = (*question[:2], (*question[2], *entry.answers))
        else:
            question = None
        try:
            state = fold_all(state, entry.events)
        except KeyError as error:
            message = f"entry {number}: an event is about {error.args[0]!r}, which is not there"
            raise LogError(message, number) from None
        if entry.ask is None:
            question = None
        elif question is None:
            raise LogError(f"entry {number}: leaves a question open that nobody asked", number)
    pending = None if question is None else _asked_again(number, battle.system, *question)
    return Battle(battle.system, state, pending)


def _asked_again(
    number: int, system: System, start: State, wanted: Any, answers: tuple[Answer, ...]
) -> Pending:
    action = parse_action(system, wanted, f"entry {number}: action")
    session = Session(system, start, action)
    for answer in answers:
        if session.ask is None or not session.send(answer):
            break
    if session.ask is None or len(session.answers) != len(answers):
        raise LogError(f"entry {number}: its question cannot be asked again", number)
    return Pending(start, action, answers, session.ask)


class Past(Sequence[Battle]):
    """The battle after each entry of a log, the start first; `entries` is the log it belongs to."""

    def __init__(self, start: Battle, entries: list[Entry]) -> None:
        self._entries = entries
        self._kept: dict[int, Battle] = {0: start}
        self._from = [0]
        self._apart = 1
        #: A battle a little before one long ago that was asked for last, as undos go back by one.
        self._aside: tuple[int, Battle] = (0, start)

    def __len__(self) -> int:
        return len(self._from)

    @property
    def kept(self) -> list[int]:
        """Which battles are in memory, in order."""
        return sorted(self._kept)

    def append(self, battle: Battle, back_to: int | None = None) -> None:
        """The battle after one more entry. back_to: for an undo, which battle it goes back to."""
        number = len(self._from)
        self._from.append(number - 1 if back_to is None else back_to)
        self._kept[number] = battle
        self._drop(number - RECENT)
        spread = len(self) - 1 - RECENT
        while spread > SPREAD * self._apart:
            self._apart *= 2
            for old in [*self._kept]:
                if old <= number - RECENT:
                    self._drop(old)

    def _drop(self, number: int) -> None:
        if number % self._apart:
            self._kept.pop(number, None)

    def upto(self, number: int, entries: list[Entry]) -> Past:
        """The past as it was at a battle, for a log of its own."""
        past = Past(self._kept[0], entries)
        past._from = self._from[: number + 1]
        past._apart = self._apart
        past._kept = {n: battle for n, battle in self._kept.items() if n <= number}
        past._kept[number] = self[number]
        return past

    @overload
    def __getitem__(self, index: int) -> Battle: ...

    @overload
    def __getitem__(self, index: slice) -> list[Battle]: ...

    def __getitem__(self, index: int | slice) -> Battle | list[Battle]:
        if isinstance(index, slice):
            return [self[number] for number in range(len(self))[index]]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} battles; got {index}")
        number_aside, aside = self._aside
        near, chain = self._way(number, self._kept.keys() | {number_aside})
        if len(chain) > 2 * RECENT:
            before = chain[-RECENT]
            numbered = [(n, self._entries[n - 1]) for n in chain[: 1 - RECENT]]
            start = aside if near == number_aside else self._kept[near]
            self._aside = before, after_entries(start, numbered)
        return self._made(number, {**self._kept, self._aside[0]: self._aside[1]})

    def __iter__(self) -> Iterator[Battle]:
        made: dict[int, Battle] = {}
        for number in range(len(self)):
            made[number] = battle = self._made(number, made | self._kept)
            made.pop(number - RECENT, None)
            yield battle

    def states(self, first: int) -> Iterator[State]:
        """The states alone from battle `first` on, which asks no question again."""
        made: dict[int, State] = {}
        for number in range(first, len(self)):
            near, chain = self._way(number, made.keys() | self._kept.keys())
            state = self._kept[near].state if near in self._kept else made[near]
            for n in chain:
                state = fold_all(state, self._entries[n - 1].events)
            made[number] = state
            made.pop(number - RECENT, None)
            yield state

    def _made(self, number: int, ready: Mapping[int, Battle]) -> Battle:
        near, chain = self._way(number, ready.keys())
        numbered = [(n, self._entries[n - 1]) for n in chain]
        return after_entries(ready[near], numbered) if numbered else ready[near]

    def _way(self, number: int, ready: Set[int]) -> tuple[int, list[int]]:
        """The nearest battle before one that is ready, and the entries that lead from it there;
        entries that were taken back are left out."""
        chain: list[int] = []
        while number not in ready:
            if self._entries[number - 1].what != "undo":
                chain.append(number)
            number = self._from[number]
        return number, chain[::-1]
