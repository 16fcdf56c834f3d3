"""Does something carry a body where it stands, and at which heights would something?"""

from __future__ import annotations

from tapeline.engine.bases import on_plan
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.system import System
from tapeline.table.bodies import Body
from tapeline.table.solids import ground_of
from tapeline.table.storeys import STANDABLE, storeys_of
from tapeline.table.terrain import Battlefield, Piece

__all__ = ["bearing_fault", "heights_at"]


def bearing_fault(system: System, body: Body, table: Battlefield) -> str:
    """What to say of a body that nothing carries at its height; "" of one that something does."""
    if not system.storeys or _carried(system, body, table):
        return ""
    x, y = body.x, body.y
    heights = ", ".join(f"{top:.6g}" for top in heights_at(system, table, x, y))
    return f"nothing to stand on at ({x:g}, {y:g}) is {body.z:g} high; there is {heights}"


def heights_at(system: System, table: Battlefield, x: float, y: float) -> list[float]:
    """The heights, table units, at which a centre is carried at a place, the lowest first."""
    if not system.storeys:
        return [0.0]
    found = {surface.height(x, y) for surface in storeys_of(table).over(x, y, TOLERANCE)}
    found |= {piece.top for piece in table.pieces if _bears(system, piece, x, y)}
    found |= set() if on_plan(table, x, y) else {0.0}
    return sorted(found)


def _carried(system: System, body: Body, table: Battlefield) -> bool:
    """Whether something carries the centre of a body at its height."""
    x, y, z, slack = body.x, body.y, body.z, 2.0 * TOLERANCE
    if z == 0.0 and not table.structures and not any(p.has(STANDABLE) for p in table.pieces):
        return True
    if not on_plan(table, x, y) and abs(z) <= slack:
        return True  # whoever may be there is on level ground
    storeys = storeys_of(table)
    return (
        storeys.support(x, y, z, slack) is not None
        or storeys.ladder_at(x, y, z, slack) is not None
        or any(
            abs(piece.top - z) <= slack and _bears(system, piece, x, y) for piece in table.pieces
        )
    )


def _bears(system: System, piece: Piece, x: float, y: float) -> bool:
    """Whether a body may stand on top of a piece that is no storey, at a place."""
    return system.may_bear(piece) and any(
        ground_of(outline).depth(x, y) >= -2.0 * TOLERANCE for outline in piece.outlines
    )
