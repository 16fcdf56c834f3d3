"""Surfaces, edges, support and solids of a table in three dimensions."""

from __future__ import annotations

import math
from random import Random

import pytest
from shapely import LineString, Point, Polygon, union_all

from tapeline.geometry.plane.legs import Line
from tapeline.table.access import out_of_reach, way_faults
from tapeline.table.entries import battlefield
from tapeline.table.outlines import without_holes
from tapeline.table.solids import wall_solids
from tapeline.table.storeys import SOLID, STANDABLE, TABLE, UNCLIMBABLE, Storeys
from tapeline.table.terrain import (
    Battlefield,
    Circle,
    Entry,
    Face,
    Floor,
    Ladder,
    Opening,
    Piece,
    Ramp,
    Wall,
)
from tapeline.table.terrain import Polygon as Outline

BLOCK = frozenset({SOLID, STANDABLE})
SLACK = 1e-6


def rect(x0: float, y0: float, x1: float, y1: float) -> Outline:
    return Outline(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def block(
    name: str, outline: Outline | Circle, top: float, traits: frozenset[str] = BLOCK
) -> Piece:
    return Piece(name, "block", name, (outline,), 0.0, top, traits)


def floor(name: str, outline: Outline, z: float, *holes: Outline) -> Floor:
    return Floor(name, "floor", name, (outline,), z, 0.1, tuple(holes))


def storeys(*entries: Entry) -> Storeys:
    return Storeys(battlefield(48.0, 48.0, "in", entries))


# Surfaces.


def test_floors_of_one_height_that_meet_are_one_surface() -> None:
    made = storeys(
        block("roof", rect(4, 4, 10, 10), 4.0),
        floor("bridge", rect(10, 6, 12, 7), 4.0),
        floor("apart", rect(20, 6, 22, 7), 4.0),
        floor("low", rect(10, 7, 12, 9), 2.0),
    )
    found = {surface.id: surface for surface in made.surfaces}
    assert set(found) == {TABLE, "low", "roof", "apart"}
    assert found["roof"].entries == ("roof", "bridge")
    assert found["roof"].depth(10, 6.5) == pytest.approx(0.5)
    assert found["roof"].depth(11, 8) < 0


def test_support_and_what_lies_below() -> None:
    made = storeys(
        block("roof", rect(4, 4, 10, 10), 4.0),
        floor("upper", rect(4, 4, 10, 10), 7.0, rect(6, 6, 7, 7)),
        floor("ledge", rect(10, 4, 11, 10), 2.0),
    )
    assert [s.id for s in made.over(5, 5, SLACK)] == ["upper", "roof", TABLE]
    assert [s.id for s in made.over(6.5, 6.5, SLACK)] == ["roof", TABLE]
    upper = made.support(5, 5, 7.0, SLACK)
    assert upper is not None
    assert upper.id == "upper"
    assert made.support(5, 5, 6.9, SLACK) is None
    assert made.support(10 + 0.9e-6, 5, 4.0, SLACK) is not None
    assert made.support(10 + 2e-6, 5, 4.0, SLACK) is None
    below = made.below(10.5, 5, 4.0)
    assert below is not None
    assert below.id == "ledge"
    assert made.below(-1.0, 5, 4.0) is None


def test_stairs_slope() -> None:
    made = storeys(Ramp("stairs", "stairs", "stairs", (10, 10, 1), (14, 10, 4), 2.0))
    surface = made.surface("stairs")
    assert surface.height(12, 10.5) == pytest.approx(2.5)
    assert surface.top == 4
    assert surface.depth(12, 10.9) == pytest.approx(0.1)
    assert made.support(12, 10, 2.5, SLACK) is surface


@pytest.mark.parametrize("seed", range(60))
def test_leaving_and_entering_against_geos(seed: int) -> None:
    """The first place off a floor with a hole, and the first on it, on random lines."""
    random = Random(seed)
    hole = rect(4, 4, 6, 7)
    outline = Outline(((0, 0), (10, 0), (10, 10), (7, 10), (7, 6.5), (3, 6.5), (3, 10), (0, 10)))
    made = storeys(floor("f", outline, 3.0, hole))
    surface = made.surface("f")
    shape = Polygon(outline.corners).difference(Polygon(hole.corners))
    x0, y0, x1, y1 = (random.uniform(-2, 12) for _ in range(4))
    leg, line = Line(x0, y0, x1, y1), LineString([(x0, y0), (x1, y1)])
    if shape.contains(Point(x0, y0)):
        out = line.difference(shape)
        expected = None if out.is_empty else line.project(Point(_first(out, line)))
        found = surface.leaves(leg, SLACK)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found == pytest.approx(expected, abs=1e-6)
    else:
        inside = line.intersection(shape)
        found = surface.enters(leg, SLACK)
        assert (found is None) == inside.is_empty
        if found is not None:
            assert found == pytest.approx(line.project(Point(_first(inside, line))), abs=1e-6)


def _first(part: object, line: LineString) -> tuple[float, float]:
    pieces = getattr(part, "geoms", [part])
    ends = [c for piece in pieces for c in piece.coords]
    return min(ends, key=lambda c: line.project(Point(c)))


def test_along_a_border_is_not_off() -> None:
    surface = storeys(floor("f", rect(0, 0, 10, 10), 3.0)).surface("f")
    assert surface.leaves(Line(0, 0, 10, 0), SLACK) is None
    assert surface.leaves(Line(0, 0, 11, 0), SLACK) == pytest.approx(10)
    assert surface.leaves(Line(5, 10, 5, 12), SLACK) == 0.0
    assert surface.enters(Line(-1, 10, 5, 10), SLACK) == pytest.approx(1)


# Edges.


def test_edges_tell_what_lies_beyond() -> None:
    made = storeys(
        block("house", rect(4, 4, 10, 16), 4.0),
        block("shed", rect(10, 4, 13, 8), 2.0),
        block("tower", rect(10, 12, 12, 16), 9.0),
        Wall("wall", "wall", ((10.1, 9.0), (10.1, 11.0)), 0.2, 0.0, 6.0),
    )
    east = [e for e in made.edges(made.surface("house")) if e.nx == 1.0]
    told = [(e.ay, e.by, e.beyond.id if e.beyond else None, e.against) for e in east]
    assert [(a, b) for a, b, _, _ in told] == [
        (4, 8),
        (8, pytest.approx(9)),
        (pytest.approx(9), pytest.approx(11)),
        (pytest.approx(11), 12),
        (12, 16),
    ]
    assert [(c, d) for _, _, c, d in told] == [
        ("shed", ""),
        (TABLE, ""),
        (None, "wall"),
        (TABLE, ""),
        (None, "tower"),
    ]
    assert east[0].drop(10, 5) == pytest.approx(2)
    assert east[2].drop(10, 10) == 0


def test_the_edge_of_a_hole_leads_into_it() -> None:
    made = storeys(floor("f", rect(0, 0, 10, 10), 3.0, rect(4, 4, 6, 6)))
    inner = [e for e in made.edges(made.surface("f")) if 3.9 < e.ax < 6.1 and 3.9 < e.ay < 6.1]
    assert len(inner) == 4
    for edge in inner:
        x, y = edge.at(0.5)
        assert made.surface("f").depth(x + 0.1 * edge.nx, y + 0.1 * edge.ny) < 0


def test_stairs_are_an_edge_beside_and_none_at_their_ends() -> None:
    made = storeys(
        floor("up", rect(14, 8, 20, 12), 3.0),
        Ramp("stairs", "stairs", "stairs", (10, 10, 0), (14, 10, 3), 2.0),
    )
    edges = made.edges(made.surface("stairs"))
    drops = sorted(edge.drop(*edge.at(0.5)) for edge in edges)
    assert drops == [pytest.approx(0), pytest.approx(0), pytest.approx(1.5), pytest.approx(1.5)]
    west = [e for e in made.edges(made.surface("up")) if e.nx == -1.0]
    assert [e.beyond.id if e.beyond else None for e in west] == [TABLE, "stairs", TABLE]


# Walls.


def _covered(wall: Wall, z: float) -> object:
    parts = [s for s in wall_solids(wall) if s.bottom < z < s.top and not s.see_through]
    rings = [s.ground.ring or () for s in parts if not s.walk_through]
    return union_all([Polygon(list(zip(r[0::2], r[1::2], strict=True))) for r in rings])


@pytest.mark.parametrize("closed", [False, True])
def test_walls_are_their_line_thickened_without_the_openings(closed: bool) -> None:
    line = ((0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (1.0, 7.0))
    openings = (
        Opening("d", "door", 2.0, 3.0, 0.0, 2.0),
        Opening("g", "gap", 7.0, 7.5, 0.0, 3.0),
        Opening("w", "window", 9.5, 11.0, 1.0, 2.0),
    )
    wall = Wall("w", "wall", line, 0.4, 0.0, 3.0, closed, openings)
    whole = LineString([*line, line[0]] if closed else line)
    thick = whole.buffer(0.2, cap_style="flat", join_style="mitre", mitre_limit=20)
    for z, gone in ((0.5, (0, 1)), (1.5, (0, 1, 2)), (2.5, (1,))):
        expected = thick
        for number in gone:
            o = openings[number]
            a = whole.interpolate(o.start)
            corners = [c for c in map(Point, whole.coords) if o.start < whole.project(c) < o.end]
            cut = LineString([a, *corners, whole.interpolate(o.end)])
            expected = expected.difference(
                cut.buffer(0.2001, cap_style="flat", join_style="mitre", mitre_limit=20)
            )
        assert _covered(wall, z).symmetric_difference(expected).area < 2e-3


def test_no_line_slips_between_the_parts_of_a_wall() -> None:
    """Every point of a wall that is not on its faces is inside a part, not on a seam of two."""
    line = ((0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (0.0, 4.0))
    wall = Wall("w", "wall", line, 0.4, 0, 3, True, (Opening("v", "window", 2.0, 3.0, 1.0, 2.0),))
    parts = [s for s in wall_solids(wall) if not s.see_through]
    for x, y, z in (
        (2.0, 0.1, 0.5),
        (3.0, 0.1, 2.5),
        (2.0 - 1e-9, 0.0, 1.5),
        (0.0, 0.0, 1.5),
        (0.05, 0.05, 2.5),
        (0.0, 2.0, 1.0),
        (2.5, 0.0, 0.9),
        (1.0, 0.0, 1.0),
    ):
        inside = [s for s in parts if s.bottom < z < s.top and s.ground.depth(x, y) > 0]
        assert inside, (x, y, z)


def test_windows_stop_bases_and_shut_doors_stop_sight() -> None:
    openings = (
        Opening("d", "door", 1.0, 2.0, 0.0, 2.0, shut=True),
        Opening("w", "window", 3.0, 4.0, 1.0, 2.0),
    )
    wall = Wall("w", "wall", ((0.0, 0.0), (6.0, 0.0)), 0.2, 0.0, 3.0, False, openings)
    (shut,) = [s for s in wall_solids(wall) if s.walk_through]
    (window,) = [s for s in wall_solids(wall) if s.see_through]
    assert (shut.bottom, shut.top, shut.ground.box[0]) == (0.0, 2.0, 1.0)
    assert (window.bottom, window.top, window.ground.box[2]) == (1.0, 2.0, 4.0)


def test_floors_with_holes_as_rings_without() -> None:
    outer = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    holes = (((2.0, 2.0), (3.0, 2.0), (3.0, 3.0)), ((5.0, 4.0), (8.0, 4.0), (8.0, 8.0), (5.0, 8.0)))
    rings = without_holes((outer, holes))
    whole = Polygon(outer, holes)
    assert union_all([Polygon(r) for r in rings]).symmetric_difference(whole).area < 1e-9
    # They overlap where they were cut.
    assert sum(Polygon(r).area for r in rings) > whole.area + 0.1


# What is wrong with a table.


def ladder(foot: tuple[float, float, float], head: tuple[float, float, float]) -> Ladder:
    return Ladder("ladder", "ladder", "ladder", foot, head)


@pytest.mark.parametrize(
    ("way", "paths"),
    [
        (ladder((5, 5, 0), (5, 5, 3)), []),
        (ladder((5, 5, 0), (5, 5, 3.5)), ["terrain[1].ladder.head"]),
        (ladder((5, 5, 1), (5, 5, 3)), ["terrain[1].ladder.foot"]),
        (ladder((10.1, 5, 0), (10.1, 5, 3)), ["terrain[1].ladder.head"]),
        (Ramp("r", "ramp", "r", (13, 5, 0), (10, 5, 3), 1.0), []),
        (Ramp("r", "ramp", "r", (13, 5, 0), (10.5, 5, 3), 1.0), ["terrain[1].ramp.head"]),
    ],
)
def test_ways_that_end_in_the_air(way: Entry, paths: list[str]) -> None:
    made = storeys(floor("f", rect(0, 0, 10, 10), 3.0), way)
    assert [fault.path for fault in way_faults(made)] == paths


def test_a_ladder_needs_a_hole_or_a_hatch() -> None:
    upper = floor("upper", rect(0, 0, 10, 10), 6.0)
    middle = floor("middle", rect(0, 0, 10, 10), 3.0)
    through = ladder((5, 5, 0), (5, 5, 6))
    (fault,) = way_faults(storeys(upper, middle, through))
    assert "'middle'" in fault.message
    hole = floor("middle", rect(0, 0, 10, 10), 3.0, rect(4, 4, 6, 6))
    assert not list(way_faults(storeys(upper, hole, through)))
    hatch = Floor("middle", "floor", "m", (rect(0, 0, 10, 10),), 3.0, 0.1, (), (rect(4, 4, 6, 6),))
    assert not list(way_faults(storeys(upper, hatch, through)))


def _unreached(*entries: Entry) -> list[str]:
    return [s.id for s in out_of_reach(storeys(*entries), step=1.0, drop=6.0, gap=3.0)]


def test_floors_out_of_reach() -> None:
    alone = floor("alone", rect(0, 0, 10, 10), 3.0)
    assert _unreached(alone) == ["alone"]
    assert _unreached(alone, ladder((5, 5, 0), (5, 5, 3))) == []
    assert _unreached(floor("low", rect(0, 0, 10, 10), 0.9)) == []
    assert _unreached(alone, Face("cliff", "cliff", (10, 2), (10, 4), 0.0, 3.0)) == []
    sheer = Face("cliff", "cliff", (10, 2), (10, 4), 0.0, 3.0, frozenset({UNCLIMBABLE}))
    assert _unreached(alone, sheer) == ["alone"]
    assert _unreached(block("b", rect(0, 0, 4, 4), 3.0)) == []
    assert _unreached(block("b", rect(0, 0, 4, 4), 3.0, BLOCK | {UNCLIMBABLE})) == ["b"]


def test_floors_reached_over_gaps_and_by_drops() -> None:
    house = block("house", rect(0, 0, 10, 10), 4.0)
    sheer = BLOCK | {UNCLIMBABLE}
    assert _unreached(house, block("b", rect(13, 0, 16, 4), 4.0, sheer)) == []
    assert _unreached(house, block("b", rect(13.1, 0, 16, 4), 4.0, sheer)) == ["b"]
    assert _unreached(house, block("b", rect(12, 0, 16, 4), 5.0, sheer)) == ["b"]
    assert _unreached(house, block("b", rect(12, 0, 16, 4), 1.0, sheer)) == []


def test_the_table_knows_the_places_of_its_terrain() -> None:
    table = battlefield(
        48, 48, "in", [ladder((5, 5, 0), (5, 5, 3)), block("b", rect(0, 0, 4, 4), 3.0)]
    )
    assert [entry.id for entry in table.entries] == ["ladder", "b"]
    assert table.where("b") == "terrain[1]"
    with pytest.raises(KeyError):
        table.where("c")
    assert isinstance(Battlefield(1, 1, "in").entries, tuple)
    assert math.isfinite(table.width)
