"""Scenes: a model stands on something, at the height of it, whatever the table."""

from __future__ import annotations

from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to
from tapeline.errors import DocumentError

Doc = dict[str, Any]
HERALD = {"profile": "Herald of Beelzebub", "base": 40}
BLOCK = box("block", 8, 14, 8, 14, height=2.0)


@pytest.mark.parametrize(
    ("z", "terrain", "there"),
    [
        (0.0, [], "ok"),
        (1e-6, [], "0"),
        (0.4, [], "0"),
        (-0.5, [], "0"),
        (0.4, [box("mud", 8, 14, 8, 14)], "0"),
        (0.8, [box("barricade", 8, 14, 8, 14, height=0.8)], "ok"),
        (0.7, [box("barricade", 8, 14, 8, 14, height=0.8)], "0, 0.8"),
        (0.8, [box("barricade", 18, 20, 8, 14, height=0.8)], "0"),
        (2.5, [{**box("trench", 8, 14, 8, 14), "height": 2.5}], "ok"),
        (4.0, [box("wood", 8, 14, 8, 14)], "0"),
        (3.0, [box("wall", 18, 20, 8, 14)], "0"),
        (2.0, [BLOCK], "ok"),
        (2.1, [BLOCK], "0, 2"),
        (1.0, [BLOCK], "0, 2"),
    ],
)
@pytest.mark.parametrize("flying", [False, True])
@pytest.mark.parametrize("built", [False, True])
def test_a_height_that_stands_on_nothing_is_a_fault(
    z: float, terrain: list[Doc], there: str, flying: bool, built: bool
) -> None:
    elsewhere = [box("block", 30, 34, 30, 34, height=3.0, id="far")] if built else []
    model = red("A", 11, 11, z=z, **(HERALD if flying else {}))
    if there == "ok" or z == 1e-6:
        assert Table([model, blue("E", 40, 40)], [*terrain, *elsewhere]).body().z == z
        return
    with pytest.raises(DocumentError, match=f"nothing to stand on .* there is {there}"):
        Table([model, blue("E", 40, 40)], [*terrain, *elsewhere])


def test_a_solid_that_cannot_be_stood_on_carries_nobody() -> None:
    with pytest.raises(DocumentError, match="nothing to stand on"):
        Table([red("A", 11, 11, z=2.0)], [{**box("wall", 8, 14, 8, 14), "height": 2.0}])


@pytest.mark.parametrize("kind", ["open", "mud", "crater", "rubble", "wire", "minefield", "gas"])
@pytest.mark.parametrize("built", [False, True])
def test_ground_that_has_a_height_carries_nobody_on_top(kind: str, built: bool) -> None:
    elsewhere = [box("block", 30, 34, 30, 34, height=3.0, id="far")] if built else []
    ground = box(kind, 8, 14, 8, 14, height=1.0)
    with pytest.raises(DocumentError, match=r"nothing to stand on .* there is 0"):
        Table([red("A", 11, 11, z=1.0), blue("E", 16, 11)], [ground, *elsewhere])
    # Through it, an inch costs what its kind says; with the trait of a trench wall it is solid.
    table = Table([red("A", 11, 11), blue("E", 40, 40)], [ground, *elsewhere])
    cost = 4.0 if ground["kind"] in ("mud", "crater", "rubble") else 2.0
    assert table.do("move", path=to((13, 11))).cost == cost
    wall = {**ground, "traits": ["trench"]}
    assert Table([red("A", 11, 11, z=1.0)], [wall, *elsewhere]).body().z == 1.0


@pytest.mark.parametrize("built", [False, True])
def test_a_model_steps_off_a_low_obstacle(built: bool) -> None:
    elsewhere = [box("block", 30, 34, 30, 34, height=3.0, id="far")] if built else []
    barricade = box("barricade", 10, 12, 8, 14, height=0.8)
    table = Table([red("A", 11, 11, z=0.8), blue("E", 16, 11)], [barricade, *elsewhere])
    # TC-MOVE-7 is measured from the top at first, and from the ground after the step.
    assert ids(table.do("move", path=to((14.1, 11)))) == ["TC-MOVE-7"]
    verdict = table.do("move", path=to((14, 11)))
    assert verdict.legal
    assert verdict.cost == pytest.approx(3.0)
    assert "TC-TER-7" in verdict.cites
    assert table.body().z == 0.0


def test_a_model_charges_from_a_low_obstacle() -> None:
    barricade = box("barricade", 10, 12, 8, 14, height=0.8)
    table = Table([red("A", 11, 11, z=0.8), blue("E", 18, 11)], [barricade])
    verdict = table.do("charge", "A", (1,), target="E")
    assert "TC-CHG-12" in verdict.cites
    assert (table.body().x, table.body().z) == (pytest.approx(18 - 125 / 127), 0.0)


def test_nobody_is_set_up_under_a_floor_too_low() -> None:
    ground: list[Any] = [
        {"id": "f", "floor": {"polygon": [[8, 8], [14, 8], [14, 12], [8, 12]]}, "z": 1.2},
        {"id": "l", "ladder": {"foot": [14, 10, 0], "head": [14, 10, 1.2]}},
    ]
    with pytest.raises(DocumentError, match=r"'f' leaves 1\.1 in of height there; 1\.5 in are"):
        Table([red("A", 10, 10), blue("E", 30, 30)], ground)


def test_nobody_is_set_up_in_a_window() -> None:
    window = {"id": "w", "kind": "window", "from": 7, "to": 9, "sill": 1, "head": 2.8}
    ground: list[Any] = [
        {"id": "v", "wall": [[4, 10], [20, 10]], "height": 3, "openings": [window]}
    ]
    # What fills it is no ceiling that leaves an inch: the base is in the wall.
    with pytest.raises(DocumentError, match=r"the base stands 0\.5921 in inside 'v'"):
        Table([red("A", 12, 10), blue("E", 30, 30)], ground)
