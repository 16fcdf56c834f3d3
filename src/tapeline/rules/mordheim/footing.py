"""MH-TER and MH-MOVE-5: slow ground, doors, barriers, and where a base may be."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import affords
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Crawl, Move
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK
from tapeline.travel.route import Stretch

__all__ = []


Pathed = Context[Move | Crawl]


@BOOK.clause("MH-MOVE-5", src="pick", bars=(Move, Crawl), at=Moment.PATH)
def base_stays_on_free_ground(ask: Pathed) -> Iterator[Finding]:
    """The base keeps a surface under it, enters no solid and no other base, and stays on the
    table."""
    if ask.bound.beside:
        ask.cite("MH-MOVE-5")
    yield from ask.hits("MH-MOVE-5")


BOOK.resolves(
    "MH-TER-1",
    src="seed",
    says="The table, floors, overhangs, ladders and ropes are open ground: an inch costs an inch.",
)
BOOK.resolves("MH-TER-2", src="seed", says="Doors and hatches are passed without slowing.")


@BOOK.clause("MH-TER-3", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def difficult_ground_halves(ask: Pathed) -> Iterator[Finding]:
    """Difficult ground is crossed at half speed."""
    yield from over_allowance_in(ask, "MH-TER-3", "half")


@BOOK.clause("MH-TER-4", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def very_difficult_ground_quarters(ask: Pathed) -> Iterator[Finding]:
    """Very difficult ground is crossed at a quarter of the speed."""
    yield from over_allowance_in(ask, "MH-TER-4", "a quarter of the")


def over_allowance_in(ask: Pathed, clause: str, share: str) -> Iterator[Finding]:
    """The finding for a way that slow ground of that clause makes cost more than the allowance."""
    track = ask.bound
    slow = [part for part in track.parts if isinstance(part, Stretch) and part.clause == clause]
    if not slow or affords(track.cost, ask.allowance):
        return
    if ask.over_a_gap:
        yield ask.too_long_over_it()
        return
    place = track.place_at_cost(ask.allowance)
    length = sum(part.length for part in slow)
    text = (
        f"{length:.4g} in of the path lie in ground crossed at {share} speed; it costs "
        f"{track.cost:.4g} in, and {ask.mover.name} has {ask.allowance:g} in."
    )
    yield Finding(text, track.cost, ask.allowance, (place.x, place.y), slow[0].piece)


BOOK.resolves(
    "MH-TER-5", src="seed", says="Barriers are low things in the way: gone round or leapt over."
)


@BOOK.clause("MH-TER-6", src="seed", bars=(Move, Crawl), at=Moment.PATH)
def only_low_barriers_are_leapt(ask: Pathed) -> Iterator[Finding]:
    """A barrier of less than 1 inch is leapt, which costs nothing; a higher one must be climbed."""
    yield from ask.hits("MH-TER-6")
