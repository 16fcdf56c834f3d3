"""The terrain of a table as the movement rules see it, prepared once for each table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tapeline.engine.limits import more_than
from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box
from tapeline.rules.trench_crusade.book import DIFFICULT_FACTOR, LOW_OBSTACLE_IN, TRENCH_WALL_IN
from tapeline.rules.trench_crusade.state import flies, height, may_leave_table, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid, ground_of
from tapeline.table.storeys import SOLID, STANDABLE, TABLE, UNCLIMBABLE, Surface
from tapeline.table.terrain import Battlefield, Floor, Piece
from tapeline.travel.level_routes import LevelRoutes
from tapeline.travel.terrain import SlowKind, Terrain, TerrainPolicy

__all__ = [
    "TRENCH",
    "beneath",
    "built",
    "in_space",
    "is_low",
    "level_routes",
    "on_table",
    "terrain_of",
]


Point: TypeAlias = tuple[float, float]
#: Both a kind and a trait of what is Open for movement up to 3 inches, TC-TER-7.
TRENCH = "trench"
#: Kinds that carry a model on top though they are no storeys.
_LOW_KINDS = ("barricade", TRENCH)


def is_low(piece: Piece) -> bool:
    """Whether a piece is a solid obstacle that is Open for movement, TC-TER-7, and can be stood on.

    A barricade or the wall of a trench: mud, wire or gas of whatever height is gone through.
    """
    hard = piece.has("impassable") or piece.has(SOLID)
    low = piece.kind in _LOW_KINDS or piece.has(TRENCH)
    return low and not hard and more_than(piece.top, piece.bottom)


def _policy(half_area: bool) -> TerrainPolicy:
    return TerrainPolicy(
        height=height,
        step=LOW_OBSTACLE_IN,
        step_included=True,
        steps=((TRENCH, TRENCH_WALL_IN),),
        stands_on_low=True,
        barred="impassable",
        low_piece=is_low,
        slow=(SlowKind("difficult", DIFFICULT_FACTOR, "TC-TER-2"),),
        hazard="dangerous",
        half_area=half_area,
        climbs_windows=True,
        steep=True,
    )


def terrain_of(state: State) -> Terrain:
    """The prepared terrain of a state's table."""
    half = state.options.get("terrain_in") == "half_area"
    key = f"trench-crusade terrain {half}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Terrain):
        found = state.table.prepared[key] = Terrain(state.table, _policy(half))
    return found


def built(table: Battlefield) -> bool:
    """Whether a table has storeys, walls or tops to stand on: whether heights matter on it."""
    found = table.prepared.get("trench-crusade built")
    if not isinstance(found, bool):
        found = bool(table.structures) or any(
            p.has(SOLID) or p.has(STANDABLE) for p in table.pieces
        )
        table.prepared["trench-crusade built"] = found
    return found


def in_space(state: State, body: Body, path: LegPath = ()) -> bool:
    """Whether a move is measured in three dimensions: on a built table, in the air, up or down."""
    return (
        built(state.table)
        or flies(body)
        or body.z != 0.0
        or any(leg.how != "walk" or leg.z is not None for leg in path)
    )


def on_table(surface: Surface | None) -> bool:
    """Whether a surface is the table itself."""
    return surface is not None and surface.id == TABLE


def beneath(table: Battlefield, surface: Surface, x: float, y: float) -> str:
    """The id of what lies beneath a point of the plan, of all that a surface is made of."""
    parts: list[Floor | Piece] = [*table.floors, *table.pieces]
    depths = [
        (max(ground_of(outline).depth(x, y) for outline in part.outlines), part.id)
        for part in parts
        if part.id in surface.entries
    ]
    return max(depths, key=lambda found: found[0], default=(0.0, surface.entries[0]))[1]


def level_routes(state: State, mover: Body, *, climbing: bool = False) -> LevelRoutes:
    """Routes on the level of a model, with what was searched there before. climbing: whether what
    can be climbed is no obstacle."""
    terrain, under_half = terrain_of(state), state.options.get("edge_overhang") == "under_half"
    key = ("level routes", under_half, flies(mover), climbing)
    found = terrain.kept.get(key)
    if not isinstance(found, LevelRoutes):

        def inset(body: Body) -> float | None:
            return None if may_leave_table(body) else 0.0 if under_half else radius(body)

        def bars(body: Body, box: Box) -> Iterator[Solid]:
            z, tall = body.z, height(body)
            for o in terrain.beside(box, z, tall, 0.0 if flies(body) else radius(body)):
                stops = terrain.stops(o, z, z, tall)
                if flies(body):  # nothing is stepped over in the air
                    stops = stops or (more_than(o.top, z) and more_than(z + tall, o.bottom))
                climbed = climbing and not terrain.is_barred(o) and UNCLIMBABLE not in o.traits
                if stops and not climbed:
                    yield o

        found = terrain.kept[key] = LevelRoutes(terrain, inset, bars)
    return found
