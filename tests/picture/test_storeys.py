"""Plans of a table with floors: what each shows in full, and ways between storeys."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from support import toy
from support.scenes import disc, toy_scene
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Kind, Movement, Verdict
from tapeline.errors import DocumentError
from tapeline.picture import draw
from tapeline.picture.storeys import storey_of, storeys_of
from tapeline.play.battle import load

SYSTEM = replace(toy.SYSTEM, storeys=True)

HOUSE: list[dict[str, Any]] = [
    {
        "id": "walls",
        "wall": [[4, 4], [12, 4], [12, 12], [4, 12]],
        "closed": True,
        "thickness": 0.2,
        "height": 3,
        "openings": [
            {"id": "door", "kind": "door", "from": 3, "to": 4.5, "head": 2},
            {"id": "pane", "kind": "window", "from": 10, "to": 12, "sill": 1, "head": 2},
        ],
    },
    {
        "id": "upstairs",
        "floor": {"rectangle": {"centre": [8, 8], "width": 8, "depth": 8}},
        "z": 3,
        "holes": [{"rectangle": {"centre": [6, 6], "width": 1, "depth": 1}}],
    },
    {"id": "flight", "stairs": {"foot": [5, 11, 0], "head": [9, 11, 3], "width": 1}},
    {"id": "rungs", "ladder": {"foot": [12.2, 8, 0], "head": [11.8, 8, 3]}},
    {"id": "attic", "floor": {"rectangle": {"centre": [6, 8], "width": 8, "depth": 4}}, "z": 6},
]


def house(*models: dict[str, object]) -> State:
    return load(toy_scene(*models, terrain=HOUSE), system=SYSTEM).state


def parsed(svg: str) -> Element:
    return ElementTree.fromstring(svg)


def classed(root: Element, name: str) -> list[Element]:
    return [item for item in root.iter() if name in item.get("class", "").split()]


def at(where: dict[str, object], z: float) -> dict[str, object]:
    return {**where, "z": z}


def test_a_table_with_floors_is_drawn_storey_by_storey() -> None:
    state = house(disc("A1", "red", 15, 15), at(disc("B1", "blue", 8, 8), 3.0))
    root = parsed(draw(state, SYSTEM))
    captions = [item.text for item in classed(root, "storey")]
    assert captions == ["On the table, below 3 in", "From 3 in, below 6", "From 6 in and above"]
    assert len(classed(root, "bodies")) == 3
    # Each body stands in full on one plan and as a faint ring on the two others.
    for body in ("A1", "B1"):
        assert [e.get("data-body") for e in classed(root, "body")].count(body) == 1
        assert [e.get("data-body") for e in classed(root, "elsewhere")].count(body) == 2


def test_plans_do_not_overlap_and_share_one_scale() -> None:
    root = parsed(draw(house(disc("A1", "red", 15, 15)), SYSTEM))
    boxes = [
        tuple(float(item.get(name, "")) for name in ("x", "y", "width", "height"))
        for item in classed(root, "ground")
    ]
    assert len(boxes) == 3
    assert len({(w, h) for _, _, w, h in boxes}) == 1
    for i, (x, y, w, h) in enumerate(boxes):
        for x2, y2, w2, h2 in boxes[:i]:
            assert x >= x2 + w2 or x2 >= x + w or y >= y2 + h2 or y2 >= y + h


def test_names_of_clips_are_not_used_twice() -> None:
    root = parsed(draw(house(disc("A1", "red", 15, 15)), SYSTEM))
    names = [item.get("id") for item in root.iter() if item.get("id")]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("floor", "full", "faint"),
    [
        ("0", {"walls", "flight", "rungs"}, {"upstairs", "attic"}),
        ("3", {"upstairs", "flight", "rungs"}, {"walls", "attic"}),
        ("4.5", {"upstairs", "flight", "rungs"}, {"walls", "attic"}),
        ("6", {"attic"}, {"walls", "upstairs", "flight", "rungs"}),
        ("top", {"walls", "flight", "rungs", "upstairs", "attic"}, set()),
    ],
)
def test_one_storey_shows_what_is_on_it(floor: str, full: set[str], faint: set[str]) -> None:
    root = parsed(draw(house(disc("A1", "red", 15, 15)), SYSTEM, floor=floor))
    drawn = classed(root, "structure")
    shown = {e.get("data-piece") for e in drawn if "faint" not in e.get("class", "")}
    passed = {e.get("data-piece") for e in drawn if "faint" in e.get("class", "")}
    assert shown == full
    assert passed == faint


def test_a_floor_that_is_none_is_said_with_those_there_are() -> None:
    with pytest.raises(DocumentError, match="a floor \\(0, 3, 6\\)"):
        draw(house(disc("A1", "red", 15, 15)), SYSTEM, floor="cellar")


def test_openings_and_holes_are_there() -> None:
    root = parsed(draw(house(disc("A1", "red", 15, 15)), SYSTEM, floor="top"))
    assert len(classed(root, "door")) == 1
    assert len(classed(root, "window")) == 1
    assert len(classed(root, "hole")) == 1


def test_a_climb_shows_on_both_storeys_with_its_height() -> None:
    state = house(disc("A1", "red", 12.7, 8))
    path = (Leg(to=(12.1, 8)), Leg(to=(11.8, 8), z=3.0, how="climb"), Leg(to=(10, 8), z=3.0))
    moved = [Movement("A1", (12.7, 8, 0.0), path, (10.0, 8.0, 3.0), 0.0)]
    root = parsed(draw(state, SYSTEM, moved=moved))
    rises = [item.text for item in classed(root, "rise") if item.text]
    assert rises == ["climb \u2191 3 in", "climb \u2191 3 in"]
    ways = classed(root, "way")
    ends = [len(classed(way, "ghost")) for way in ways]
    # The end stands on the second plan alone; the third shows nothing of the way.
    assert ends == [0, 1, 0]
    assert [len(classed(way, "path")) for way in ways] == [1, 1, 0]


def test_a_finding_is_pinned_on_the_plan_it_is_about() -> None:
    state = house(disc("A1", "red", 15, 15), at(disc("B1", "blue", 8, 8), 3.0))
    finding = Finding("Too near.", 1.0, 2.0, (8.0, 8.0), "B1", clause="TOY-1")
    verdict = Verdict(Kind.ILLEGAL, (finding,))
    boards = classed(parsed(draw(state, SYSTEM, verdict=verdict)), "findings")
    assert [len(classed(board, "pin")) for board in boards] == [0, 1, 0]


def test_storeys_by_height() -> None:
    state = house(disc("A1", "red", 15, 15))
    storeys = storeys_of(state.table)
    assert [(s.bottom, s.top) for s in storeys] == [(0.0, 3.0), (3.0, 6.0), (6.0, math.inf)]
    assert [storey_of(storeys, z).index for z in (-1.0, 0.0, 2.9, 3.0, 5.0, 9.0)] == [
        0, 0, 0, 1, 1, 2,
    ]  # fmt: skip
