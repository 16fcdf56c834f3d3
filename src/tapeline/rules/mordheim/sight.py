"""MH-LOS and 3.5: who sees whom, from body to body past everything solid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.sight.bodies import BodySight, Solid, Solids, sight_between_bodies
from tapeline.rules.mordheim.actions import Shoot
from tapeline.rules.mordheim.contact import gap
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK, CROUCH_FACTOR
from tapeline.rules.mordheim.state import (
    base_part,
    condition,
    height,
    initiative,
    is_hidden,
    is_standing,
)
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid as Obstacle
from tapeline.table.storeys import storeys_of
from tapeline.table.terrain import Battlefield

__all__ = [
    "body_of",
    "bystanders",
    "sees",
    "sees_upright",
    "sight_between",
    "sight_line",
    "solids_of",
    "tall",
]


#: Where with a table sight between places is remembered, and for how many pairs.
_KEPT = "mordheim sight between"
_REMEMBERED = 1 << 13


def tall(body: Body, *, crouched: bool | None = None) -> float:
    """What of its height a model shows, inches: half if it is hidden, or as said."""
    if crouched is None:
        crouched = is_hidden(body)
    return height(body) * (CROUCH_FACTOR if crouched else 1.0)


def body_of(body: Body, *, crouched: bool | None = None) -> Solid:
    """A model as sight takes it: its base times its height, cut down if it hides."""
    return Solid(base_part(body), body.z, body.z + tall(body, crouched=crouched))


def _prisms(obstacle: Obstacle) -> Iterator[Solid]:
    bottom, top = obstacle.bottom, obstacle.top
    for part in obstacle.ground.region.parts:
        yield Solid(part, bottom, top)


def solids_of(table: Battlefield) -> Solids:
    """All that blocks sight on a table, worked out once: blocks, walls without their windows and
    open doors, shut doors, floors without their holes.

    Where one stands on another they are joined, so that nobody looks along the seam.
    """
    found = table.prepared.get("mordheim sight")
    if isinstance(found, Solids):
        return found
    storeys = storeys_of(table)
    opaque = [solid for solid in (*storeys.solids, *storeys.plates) if not solid.see_through]
    solids: list[Solid] = []
    for over in opaque:
        standing = any(
            abs(under.top - over.bottom) <= TOLERANCE and under.ground.meets(over.ground.box)
            for under in opaque
        )
        sunk = TOLERANCE if standing else 0.0
        solids.extend(Solid(p.ground, p.bottom - sunk, p.top) for p in _prisms(over))
    found = table.prepared["mordheim sight"] = Solids(solids)
    return found


def bystanders(state: State, *others: str) -> list[Solid]:
    """Bodies of standing models, but for some, where models block sight (`models_block_sight`)."""
    if state.option("models_block_sight") == "no":
        return []
    standing = [body for body in state.bodies.values() if is_standing(body)]
    return [body_of(body) for body in standing if body.id not in others]


def sight_between(table: Battlefield, a: Solid, b: Solid, more: Sequence[Solid]) -> BodySight:
    """Sight between two bodies past what blocks it on a table, and past more solids.

    Without more of them, what was found is remembered with the table.
    """
    if more:
        return sight_between_bodies(a, b, solids_of(table), more=more)
    kept = table.prepared.get(_KEPT)
    if not isinstance(kept, dict) or len(kept) >= _REMEMBERED:
        kept = table.prepared[_KEPT] = {}
    known: dict[tuple[Solid, Solid], BodySight] = kept
    found = known.get((a, b))
    if found is None:
        found = known[a, b] = sight_between_bodies(a, b, solids_of(table))
    return found


def sight_line(state: State, a: Body, b: Body) -> BodySight:
    """Sight between two models, with the line. Hidden ones show half their height."""
    more = bystanders(state, a.id, b.id)
    return sight_between(state.table, body_of(a), body_of(b), more)


def sees(state: State, a: Body, b: Body) -> bool:
    """Whether some point of one model and some point of another are joined by a free segment."""
    return sight_line(state, a, b).visible


def sees_upright(state: State, a: Body, b: Body) -> bool:
    """Whether a model sees another for its own shot, spell or charge, for which one that hides
    rises to its full height (MH-HIDE-8), as does whoever is found (MH-HIDE-11)."""
    return sees(state, a.marked(hidden=None), b if hides(state, b) else b.marked(hidden=None))


def watches(body: Body) -> bool:
    """Whether a model finds and sees hidden enemies: all but stunned ones do."""
    return condition(body) != "stunned"


def detects(state: State, watcher: Body, hider: Body) -> bool:
    """Whether a hidden model is within the Initiative in inches of an enemy."""
    return watches(watcher) and within(gap(state, watcher, hider), float(initiative(watcher)))


def hides(state: State, body: Body) -> bool:
    """Whether a model has its counter and is found by none of its enemies where it stands."""
    return is_hidden(body) and not any(detects(state, e, body) for e in state.enemies(body))


@BOOK.clause("MH-LOS-1", src="public", bars=Shoot, at=Moment.DECLARE)
def shooter_sees_its_target(ask: Context[Shoot]) -> Iterator[Finding]:
    """Models see all round, from any point of the body; nobody shoots at what it does not see."""
    target_id = ask.subject.target
    if target_id is None:
        return
    target = ask.state.body(target_id)
    ask.cite("MH-LOS-1")
    if target.side != ask.mover.side and not sees_upright(ask.state, ask.mover, target):
        text = f"{ask.mover.name} cannot see {target.name}."
        yield Finding(text, place=target.centre, about=target_id)
