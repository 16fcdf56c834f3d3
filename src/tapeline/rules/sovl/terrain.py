"""SV-TER, SV-PROP: what ground takes, bars and lets through, and for whom."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.referee import Run
from tapeline.engine.system import TerrainKind
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.actions import Advance, Pivot
from tapeline.rules.sovl.figures import BOOK, DIFFICULT_LOSS_IN
from tapeline.rules.sovl.measures import Toll, order_measure, pivot_measure
from tapeline.rules.sovl.profiles import flies
from tapeline.rules.sovl.state import OrderContext
from tapeline.wording import told_apart

__all__ = ["KINDS", "TRAITS", "pay_toll"]

TRAITS = frozenset({"difficult", "impassable", "opaque"})
#: The kinds of terrain of SV-TER-1, -5 and -6; "ground" is what a map gives traits of its own.
KINDS = {
    "forest": TerrainKind("forest", frozenset({"difficult", "opaque"}), 4.0, "trees"),
    "swamp": TerrainKind("swamp", frozenset({"difficult"}), 0.0, "reeds"),
    "cliff": TerrainKind("cliff", frozenset({"impassable", "opaque"}), 6.0, "hatch"),
    "building": TerrainKind("building", frozenset({"impassable", "opaque"}), 4.0, "bricks", "roof"),
    "river": TerrainKind("river", frozenset({"impassable"}), 0.0, "waves"),
    "lake": TerrainKind("lake", frozenset({"impassable"}), 0.0, "waves"),
    "ground": TerrainKind("ground", frozenset(), 0.0, "plain", "marked"),
}

BOOK.resolves_each("""
SV-TER-1 (seed) Forest and swamp are Difficult Terrain, and whatever else a map declares to be.
SV-TER-2 (seed) A unit that starts its activation in Difficult Terrain loses 2 allowance, once.
SV-TER-3 (seed) A unit that enters Difficult Terrain loses 2 allowance at that moment, also where it
    has been clear of it for one instant.
""")


def pay_toll(run: Run, toll: Toll) -> None:
    """Enter what the entries took in the ledger."""
    for entry in toll.entries:
        run.cite("SV-TER-1")
        if toll.free:
            run.cite("SV-PROP-2")
        else:
            run.pay(f"enters {entry.thing.name}", 0.0, 1.0, DIFFICULT_LOSS_IN, "SV-TER-3")
            run.cite("SV-TER-4")


@BOOK.clause("SV-TER-4", src="seed", bars=(Advance, Pivot), at=Moment.PATH)
def two_left_to_enter(ask: OrderContext[Advance | Pivot]) -> Iterator[Finding]:
    """With less than 2 allowance left Difficult Terrain may not be entered; 2 is enough."""
    measured = ask.measure(order_measure)
    if measured is None or not ask.actor_is_active:
        return
    for entry in measured.toll.banned:
        left = max(0.0, entry.left)
        rest = told_apart(left, DIFFICULT_LOSS_IN, ".3f")
        yield Finding(
            f"{rest} in of allowance are left where {entry.thing.name} would be entered; "
            f"{DIFFICULT_LOSS_IN:g} are needed.",
            left,
            DIFFICULT_LOSS_IN,
            measured.place_at(entry.at),
            entry.thing.id,
            entry.at if isinstance(ask.subject, Advance) else None,
        )


@BOOK.clause("SV-TER-5", src="public", bars=Pivot, at=Moment.END)
def impassable_ground(ask: OrderContext[Pivot]) -> Iterator[Finding]:
    """Cliff, building, river and lake bar movement; an Advance halts there (SV-ADV-2)."""
    measured = ask.measure(pivot_measure)
    if measured is None or flies(ask.mover):
        return
    for clash in measured.clashes:
        if not clash.thing.is_unit:
            text = f"No way leads through {clash.thing.name}."
            yield Finding(text, *clash.figures(ask.subject.by), clash.place, clash.thing.id)


BOOK.resolves_each("""
SV-TER-6 (public) Forest, cliff and building block line of sight; swamp, river and lake do not.
SV-PROP-1 (public) Heavy Armor, Sturdy and Reanimated take 1 from the allowance, Swift adds 1; all
    add up, but Sturdy lifts the loss of Heavy Armor.
""")


@BOOK.exception("SV-PROP-2", src="public", lifts="SV-TER-4", bars=(Advance, Pivot))
def scouts_enter(ask: OrderContext[Advance | Pivot], finding: Finding) -> bool:
    """A Scout loses nothing to Difficult Terrain, so it may always enter."""
    return ask.mover.keyword("Scout")


@BOOK.clause("SV-PROP-3", src="public", bars=(Advance, Pivot), at=Moment.END)
def flyers_land_clear(ask: OrderContext[Advance | Pivot]) -> Iterator[Finding]:
    """A flyer has 20 allowance and ignores terrain, but may not end on impassable terrain; a
    fleeing one ends before it."""
    if not flies(ask.mover):
        return
    measured = ask.measure(order_measure)
    if measured is None:
        return
    for clash in measured.landing:
        text = f"A flyer may not end its move on {clash.thing.name}."
        yield Finding(text, clash.depth, 0.0, clash.place, clash.thing.id)
