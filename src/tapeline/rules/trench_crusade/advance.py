"""How far a charger gets along its way over storeys or through the air (G-22)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tapeline.engine.limits import TOLERANCE, overlaps
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.actions import Charge
from tapeline.rules.trench_crusade.approach import contact_over
from tapeline.rules.trench_crusade.closeness import comes_onto, deepest, overlap
from tapeline.rules.trench_crusade.going import lay
from tapeline.rules.trench_crusade.policy import terrain_of
from tapeline.rules.trench_crusade.state import flies
from tapeline.rules.trench_crusade.stopping import last_stop
from tapeline.travel.route import Route, Stretch

if TYPE_CHECKING:
    from tapeline.table.bodies import Body

__all__ = ["way_taken"]


def way_taken(
    run: Run, mover: Body, target: Body, way: Route, action: Charge, allowance: float
) -> Route:
    """The way over storeys that the charger really follows."""
    state, whole = run.state, way
    way = way.spending(allowance, crossings=True)
    if action.stop is not None and state.option("charge_extent") == "upto":
        way = way.upto(min(way.length, whole.nearest(action.stop).travelled))
    for enemy in state.enemies(mover):
        if enemy.id != target.id and overlaps(deepest(way, mover, enemy).gap):
            way = way.upto(comes_onto(way, mover, enemy))
    if not any(overlaps(overlap(mover, friend, way.end)) for friend in state.friends(mover)):
        return _held(state, mover, _standing(state, mover, way))
    run.cite("TC-MOVE-5")
    other = contact_over(state, mover, target, action.forbid, allowance)
    if other is not None:
        return other
    return _held(state, mover, _standing(state, mover, way))


def _held(state: State, mover: Body, way: Route) -> Route:
    """A way cut back to where more than half the base is carried and no friend stands.

    A charger that cannot take the next ledge stands off it; what it would stand on at a ladder's
    foot may be a friend.
    """
    return way.upto(last_stop(state, mover, way, way.length))


def _standing(state: State, mover: Body, way: Route) -> Route:
    """A way cut back to where the model can stand: not in the air, not on a ladder."""
    if flies(mover):
        for s in _stops(state, way):
            found = way.upto(s)
            hits = lay(state, mover, found.legs).hits
            if not any(hit.clause in ("TC-FLY-1", "TC-MOVE-11") for hit in hits):
                return found
        return way.upto(0.0)
    last = way.parts[-1] if way.parts else None
    if isinstance(last, Stretch) and last.what in ("ladder", "rope"):
        x, y, z = way.end
        if terrain_of(state).storeys.support(x, y, z, TOLERANCE) is None:
            return Route(way.start, way.parts[:-1])
    return way


def _stops(state: State, way: Route) -> Iterator[float]:
    """Lengths of a flight at which it may come to, or leave, something to stand on; last first."""
    storeys = terrain_of(state).storeys
    found = {way.length}
    for before, part in way.marked:
        found |= {before, before + part.length}
        if not isinstance(part, Stretch) or part.start.z != part.end.z or not part.length:
            continue
        for surface in storeys.surfaces:
            if surface.ramp is None and abs(surface.z - part.start.z) <= TOLERANCE:
                found.update(before + s for s in surface.marks(part.leg, TOLERANCE))
    yield from sorted(found, reverse=True)
