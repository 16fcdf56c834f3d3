"""Exact odds of situations of Trench Crusade and SOVL, worked out by hand from the dice alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import tapeline as tl


def _rolled(net: int) -> list[int]:
    """All totals of a roll with so many + or - DICE, each as likely."""
    rolls = (sorted(r) for r in product(range(1, 7), repeat=2 + abs(net)))
    return [sum(r[-2:]) if net >= 0 else sum(r[:2]) for r in rolls]


def _share(net: int, least: int, most: int = 12) -> Fraction:
    totals = _rolled(net)
    return Fraction(sum(least <= total <= most for total in totals), len(totals))


def _trench(models: list[dict[str, Any]], *terrain: dict[str, Any], **progress: Any) -> tl.Battle:
    return tl.load(
        {
            "format": "tapeline-scene/1",
            "system": "trench-crusade",
            "options": {"los_mode": "attested"},
            "table": {"width": 48, "depth": 48, "unit": "in"},
            "terrain": list(terrain),
            "sides": [{"id": "red"}, {"id": "blue"}],
            "models": [
                {"id": f"{side}-1", "side": side, "profile": "Azeb"} | model
                for side, model in zip(("red", "blue"), models, strict=False)
            ],
            "turn": {"active": "red", "progress": {"actor": "red-1"} | progress},
        }
    )


def _piece(kind: str, x0: float, x1: float, **more: Any) -> dict[str, Any]:
    shape = {"polygon": [[x0, 10], [x1, 10], [x1, 30], [x0, 30]]}
    return {"id": f"{kind}-{x0:g}", "kind": kind, "shape": shape} | more


def _odds(battle: tl.Battle, action: dict[str, Any]) -> dict[str, Fraction]:
    odds = battle.odds(action)
    assert odds.exact
    return {outcome.label: outcome.exact for outcome in odds.outcomes}


RED = {"position": [20, 20]}
CHARGE = {"kind": "charge", "actor": "red-1", "target": "blue-1"}


@pytest.mark.parametrize(
    ("distance", "more", "progress", "expected"),
    [
        (10.984252, {}, {}, Fraction(4, 6)),  # 3 or more: 9 of the 10 inches
        (11.984252, {"charge_dice": 2}, {}, 1 - Fraction(1, 4)),  # one of two dice shows 4 or more
        (7.184252, {}, {"stood_up": True}, Fraction(2, 6)),  # (6 + die) / 2 is 5.2 at least
    ],
)
def test_a_charge_comes_within_the_inch(
    distance: float, more: dict[str, Any], progress: dict[str, Any], expected: Fraction
) -> None:
    red = RED | {"profile": {"like": "Azeb"} | more}
    battle = _trench([red, {"position": [20 + distance, 20]}], **progress)
    assert _odds(battle, CHARGE)["charge succeeded"] == expected


def test_a_charge_through_mines() -> None:
    battle = _trench([RED, {"position": [30.984252, 20]}], _piece("minefield", 24, 25))
    odds = _odds(battle, CHARGE)
    assert odds["charge succeeded"] == Fraction(4, 6) * _share(0, 7)
    assert odds["dangerous ground, out of action"] == _share(0, 2, 6) * _share(0, 9)


def test_a_dash_with_a_die_more() -> None:
    battle = _trench([RED | {"profile": "War Wolf"}])
    odds = _odds(battle, {"kind": "dash", "actor": "red-1", "path": [{"to": [23, 20]}]})
    assert odds["dash succeeded"] == _share(1, 7) == Fraction(29, 36)


@pytest.mark.parametrize(
    ("red", "blue", "dice", "armour"),
    [
        (RED, {"position": [21.2, 20]}, 0, 0),
        (
            RED | {"profile": "Janissary"},
            {"profile": "Sultanate Assassin", "position": [21.3, 20]},
            2,
            1,
        ),
    ],
)
def test_a_retreat_is_struck(
    red: dict[str, Any], blue: dict[str, Any], dice: int, armour: int
) -> None:
    odds = _odds(
        _trench([red, blue]), {"kind": "retreat", "actor": "red-1", "path": [{"to": [16, 20]}]}
    )
    hit, critical = _share(dice, 7, 11), _share(dice, 12)
    for label, least, most in (("out of action", 9, 12), ("down", 7, 8)):
        injured = [_share(more, least + armour, min(12, most + armour)) for more in (0, 1)]
        assert odds[label] == hit * injured[0] + critical * injured[1]


def test_a_climb_and_then_mines() -> None:
    battle = _trench(
        [RED | {"profile": "Lion of Jabir"}],
        _piece("block", 23, 29, height=2),
        _piece("minefield", 25, 26, base_height=2),
    )
    path = [{"to": [24, 20], "z": 2, "how": "climb"}, {"to": [26.5, 20]}]
    odds = _odds(battle, {"kind": "move", "actor": "red-1", "path": path})
    assert odds["climb failed"] == _share(1, 2, 6)
    assert odds["climbed"] == _share(1, 7) * _share(0, 7)


def test_a_jump_that_may_end_in_a_fall() -> None:
    battle = _trench(
        [RED | {"z": 4}], _piece("block", 17, 22, height=4), _piece("block", 24, 29, height=4)
    )
    path = [{"to": [24.6, 20], "z": 4, "how": "jump"}]
    odds = _odds(battle, {"kind": "move", "actor": "red-1", "path": path})
    assert odds["jumped"] == _share(0, 7)
    assert odds["jump failed, falls, out of action"] == _share(0, 2, 6) * _share(1, 9)


def _sovl(units: list[dict[str, Any]], phase: str = "strategic") -> tl.Battle:
    return tl.load(
        {
            "format": "tapeline-scene/1",
            "system": "sovl",
            "table": {"width": 48, "depth": 36, "unit": "in"},
            "sides": [{"id": "A"}, {"id": "B"}],
            "units": [
                {"id": f"{side}1", "side": side} | unit
                for side, unit in zip("AB", units, strict=False)
            ],
            "turn": {"phase": phase, "active": "A"},
        }
    )


def _active(battle: tl.Battle) -> tl.Battle:
    return battle.play({"kind": "activate", "actor": "A1"})[0]


def test_a_rally_of_three_ranks() -> None:
    orcs = {"profile": "Orc Warriors", "models": 14, "files": 5, "state": {"fleeing": True}}
    battle = _sovl([orcs | {"position": [20, 18], "facing": 0}])
    odds = _odds(_active(battle), {"kind": "rally", "actor": "A1"})
    assert odds["rallied"] == _share(0, 2, 6 + 3)


def test_shots_of_two_archers_and_of_a_cannon() -> None:
    archers = {"profile": "Imperial Archers", "models": 2, "files": 2}
    block = {"profile": "Infantry", "models": 10, "files": 5, "position": [30, 18], "facing": 180}
    shoot = {"kind": "shoot", "actor": "A1", "target": "B1"}
    odds = _odds(_active(_sovl([archers | {"position": [20, 18], "facing": 0}, block])), shoot)
    quarter = Fraction(1, 2) * Fraction(1, 2)  # hits on 4+, not saved on 4+
    assert odds["casualties 0"] == (1 - quarter) ** 2
    assert odds["casualties 2"] == quarter**2
    cannon = {"profile": "Dwarf Cannon", "models": 1, "files": 1, "position": [20, 18], "facing": 0}
    trolls = {"profile": "Trolls", "models": 3, "files": 3, "position": [30, 18], "facing": 180}
    odds = _odds(_active(_sovl([cannon, trolls])), shoot)
    assert odds["casualties 1"] == Fraction(1, 3) * Fraction(5, 6) ** 3  # three hits, none saved


def test_a_flight_over_the_border() -> None:
    unit = {"profile": "Infantry", "models": 10, "files": 5, "base": {"rectangle": [4, 2]}}
    battle = _sovl(
        [unit | {"position": [20, 5], "facing": 90, "state": {"fleeing": True}}], "flights"
    )
    odds = _odds(battle, {"kind": "flight", "actor": "A1"})
    assert odds["left the table"] == _share(0, 4)  # the front comes to the border after 4 in
