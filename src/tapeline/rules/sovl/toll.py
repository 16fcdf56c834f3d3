"""What Difficult Terrain takes: at the start of an activation and along one order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tapeline.engine.limits import closer_than, more_than
from tapeline.engine.state import State
from tapeline.rules.sovl.figures import DIFFICULT_LOSS_IN
from tapeline.rules.sovl.footprint import Span, Thing, block_of, difficult_ground, is_over
from tapeline.rules.sovl.profiles import flies
from tapeline.table.bodies import Body

__all__ = ["NO_TOLL", "Entry", "Toll", "start_loss", "toll_of", "untaxed"]


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry into Difficult Terrain: where on the way, and the allowance left there.

    at: inches or degrees along the order.
    """

    thing: Thing
    at: float
    left: float


@dataclass(frozen=True, slots=True)
class Toll:
    """What the ground takes on one order. loss: inches. free: a Scout pays nothing."""

    entries: tuple[Entry, ...] = ()
    banned: tuple[Entry, ...] = ()
    loss: float = 0.0
    free: bool = False


NO_TOLL = Toll()


def untaxed(body: Body) -> bool:
    """Whether Difficult Terrain takes nothing from it (SV-PROP-2, SV-PROP-3)."""
    return body.keyword("Scout") or flies(body)


def start_loss(state: State, body: Body) -> tuple[float, Thing | None]:
    """What starting where it stands costs, inches, and the ground it starts in (SV-TER-2)."""
    if flies(body):
        return 0.0, None
    block = block_of(body)
    for thing in difficult_ground(state.table, block, 0.0):
        if is_over(block, thing):
            return (0.0 if untaxed(body) else DIFFICULT_LOSS_IN), thing
    return 0.0, None


def toll_of(
    state: State,
    body: Body,
    spans: Sequence[tuple[Thing, Sequence[Span]]],
    end: float,
    left_at: Callable[[float], float],
) -> Toll:
    """What the entries of one order take, in the order they come (SV-TER-3, SV-TER-4).

    spans: for each Difficult piece the parts of the order, from -inf where the unit stands in it
    just before, on which the unit overlaps it. end: how far the order goes. left_at: allowance
    left there but for what the entries of this order took.
    """
    if not spans:
        return NO_TOLL
    free = untaxed(body)
    coming = sorted(
        (
            (max(0.0, span[0]), index, thing)
            for index, (thing, parts) in enumerate(spans)
            for span in parts
            if span[0] > -math.inf and more_than(end, span[0])
        ),
        key=lambda item: item[:2],
    )
    reading = state.option("terrain.penalty")
    paid = "lost" in state.progress
    loss = 0.0
    entries: list[Entry] = []
    banned: list[Entry] = []
    for at, _, thing in coming:
        if reading == "once" and (paid or entries):
            continue
        if reading == "out_to_in" and _inside(spans, entries, at):
            continue
        left = left_at(at) - loss
        if more_than(0.0, left):
            break
        entry = Entry(thing, at, left)
        if closer_than(left, DIFFICULT_LOSS_IN):
            banned.append(entry)
            if not free:
                continue
        entries.append(entry)
        if not free:
            loss += DIFFICULT_LOSS_IN
    return Toll(tuple(entries), tuple(banned), loss, free)


def _inside(
    spans: Iterable[tuple[Thing, Sequence[Span]]], entries: Sequence[Entry], at: float
) -> bool:
    """Whether the unit stands in Difficult Terrain just before a point of its way.

    What it leaves at that very point it has left: there it is clear, if only for an instant.
    """
    if entries and not more_than(at, entries[-1].at):
        return True
    return any(
        more_than(at, start) and more_than(stop, at) for _, parts in spans for start, stop in parts
    )
