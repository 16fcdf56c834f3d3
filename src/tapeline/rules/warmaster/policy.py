"""WM-INIT-2: what army lists say of initiative: who must charge, who may not, who never acts."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.warmaster.actions import EndStep, Evade, HomeBack, InitiativeCharge, Order
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.charging import Check, charge_bars
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.profiles import policy_of
from tapeline.rules.warmaster.state import INITIATIVE, flag, stands_of, units_on_table
from tapeline.table.bodies import Unit

__all__ = ["must_charge"]

#: What goes on to orders, after which nobody acts on initiative.
_GOING_ON = (Order, EndStep, HomeBack)


def must_charge(check: Check, state: State, unit: Unit) -> Unit | None:
    """The enemy unit that troops bound to charge can and must charge; None if there is none."""
    stands = stands_of(state, unit)
    if policy_of(stands[0]) != "must_charge" or flag(unit, "initiative"):
        return None
    for candidate in targets_of(state, unit):
        action = InitiativeCharge(actor=unit.id, target=candidate.unit.id)
        if not check(action) and not charge_bars(check, state, action):
            return candidate.unit
    return None


@BOOK.clause("WM-INIT-2", src="seed", bars=(InitiativeCharge, Evade, *_GOING_ON), at=Moment.DECLARE)
def what_the_army_list_says(ask: Context[InitiativeCharge | Evade | Order]) -> Iterator[Finding]:
    """Initiative is optional, but for troops that their list binds."""
    action = ask.action
    if isinstance(action, InitiativeCharge | Evade):
        if not ask.stands:
            return
        yield from _may_answer(ask.unit, ask, charges=isinstance(action, InitiativeCharge))
        return
    turn = ask.state.turn
    if ask.run is None or turn.phase != INITIATIVE or ask.state.progress.get("closed") is True:
        return
    for unit in units_on_table(ask.state):
        if unit.side == turn.active:
            target = must_charge(ask.run.check, ask.state, unit)
            if target is not None:
                yield Finding(f"{unit.name} must charge {target.name} first.", about=unit.id)


def _may_answer(
    unit: Unit, ask: Context[InitiativeCharge | Evade | Order], *, charges: bool
) -> Iterator[Finding]:
    policy = policy_of(ask.stands[0])
    if policy == "never":
        yield Finding(f"{unit.name} never acts on initiative.", about=unit.id)
    elif policy == "no_charge" and charges:
        yield Finding(f"{unit.name} does not charge on initiative.", about=unit.id)
    elif not charges and (policy == "must_charge" or ask.stands[0].keyword("never_evades")):
        yield Finding(f"{unit.name} never evades.", about=unit.id)
