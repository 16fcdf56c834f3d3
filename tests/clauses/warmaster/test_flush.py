"""WM-TER-14, WM-VIS-3, -8: pieces and stands laid edge to edge, at any angle and to a hair."""

from __future__ import annotations

import math

import pytest

from clauses.warmaster.tabling import OVER, UNDER, Doc, Game, Pose, ids, to, unit, way
from tapeline.errors import TapelineError

#: Degrees; at some of them the corners of pieces laid flush are rounded apart.
ANGLES = [0, -8, 24, 45, 71.3, 90, 131, 233.7]
WAYS = [
    ("river", "bridge", "Chariots"),
    ("river", "ford", "Knights"),
    ("wall", "gateway", "Infantry"),
    ("wood", "road", "Knights"),
]


class Turned:
    """Figures about (90,60), turned by an angle."""

    def __init__(self, angle: float) -> None:
        self.angle = angle

    def at(self, x: float, y: float) -> list[float]:
        """A point."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return [90 + c * x - s * y, 60 + s * x + c * y]

    def pose(self, x: float, y: float, facing: float = 90.0) -> Pose:
        """A pose."""
        px, py = self.at(x, y)
        return px, py, facing + self.angle

    def box(self, kind: str, left: float, right: float, low: float, high: float) -> Doc:
        """A piece of terrain with straight sides."""
        corners = [(left, low), (right, low), (right, high), (left, high)]
        return {"id": kind, "kind": kind, "shape": {"polygon": [self.at(*c) for c in corners]}}


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize(("below", "over", "profile"), WAYS)
def test_wm_ter_14_as_deep_as_what_it_leads_over(
    below: str, over: str, profile: str, angle: float
) -> None:
    t = Turned(angle)
    ground = [t.box(below, -30, 30, 5, 8), t.box(over, -3, 3, 5, 8)]
    game = Game([unit("U", [t.pose(0, 0)], profile, may_move="order")], ground)
    assert not ids(game.move(way("U-1", to(*t.at(0, 10)))))
    aside = Game([unit("U", [t.pose(2.5, 0)], profile, may_move="order")], ground)
    assert ids(aside.move(way("U-1", to(*t.at(2.5, 10)))))


@pytest.mark.parametrize("angle", [0, 24])
@pytest.mark.parametrize(
    ("strip", "legal"), [(1e-9, True), (UNDER, True), (OVER, False), (1e-3, False)]
)
def test_wm_ter_14_a_strip_thinner_than_the_tolerance(
    strip: float, legal: bool, angle: float
) -> None:
    """At the bank, across the middle between two lengths of bridge, and one of each bank."""
    t = Turned(angle)
    river = t.box("river", -30, 30, 5, 8)
    for spans in (
        [(5 + strip, 9)],
        [(4, 8 - strip)],
        [(5, 6), (6 + strip, 8)],
        [(5 + strip, 8 - strip)],
    ):
        ground = [river, *(t.box("bridge", -3, 3, low, high) for low, high in spans)]
        for number, piece in enumerate(ground):
            piece["id"] = f"{piece['kind']}-{number}"
        game = Game([unit("U", [t.pose(0, 0)], "Chariots", may_move="order")], ground)
        found = ids(game.move(way("U-1", to(*t.at(0, 14)))))
        assert found == (set() if legal else {"WM-TER-3"}), spans


@pytest.mark.parametrize("angle", ANGLES)
def test_wm_ter_14_driven_back_over_a_bridge_as_deep_as_the_river(angle: float) -> None:
    t = Turned(angle)
    ground = [t.box("river", -30, 30, -10, -6), t.box("bridge", -1, 1, -10, -6)]
    parts = [unit("U", [t.pose(0, 0)], "Chariots"), unit("E", [t.pose(0, 20, 270)])]
    game = Game(parts, ground, phase="other", active="blue")
    verdict = game.do("drive_back", (6, 6), actor="U", hits=2, shooter="E-1")
    assert verdict.value("moved") == pytest.approx(12)


@pytest.mark.parametrize("angle", ANGLES)
def test_wm_fly_4_landing_on_a_bridge_as_deep_as_the_river(angle: float) -> None:
    t = Turned(angle)
    ground = [t.box("river", -30, 30, 5, 11), t.box("bridge", -2, 2, 5, 11)]
    game = Game([unit("U", [t.pose(0, 0)], "Giant Eagles", may_move="order")], ground)
    assert not ids(game.move(way("U-1", to(*t.at(0, 7)))))


@pytest.mark.parametrize("angle", ANGLES)
def test_wm_ter_12_a_stand_fills_its_gateway(angle: float) -> None:
    t = Turned(angle)
    ground = [t.box("wall", -30, 30, -0.5, 1), t.box("gateway", -2, 2, -0.5, 1)]
    parts = [unit("U", [t.pose(0, 0)]), unit("E", [t.pose(0, 11, 270)])]
    game = Game(parts, ground, phase="initiative")
    assert not ids(game.move(way("U-1", to(*t.at(0, 9))), kind="initiative_charge", target="E"))
    with pytest.raises(TapelineError, match="inside 'wall'"):
        Game([unit("U", [t.pose(1e-3, 0)])], ground)


@pytest.mark.parametrize("angle", ANGLES)
def test_wm_vis_3_through_a_gateway_as_deep_as_the_wall(angle: float) -> None:
    t = Turned(angle)
    ground = [t.box("wall", -30, 30, 4, 6), t.box("gateway", -3, 3, 4, 6)]
    parts = [unit("U", [t.pose(0, 0)]), unit("E", [t.pose(0, 14, 270)])]
    charge = {"kind": "initiative_charge", "target": "E"}
    game = Game(parts, ground, phase="initiative")
    assert not ids(game.move(way("U-1", to(*t.at(0, 12))), **charge))  # type: ignore[arg-type]
    shut = Game(parts, ground[:1], phase="initiative")
    assert "WM-INIT-1" in ids(shut.move(way("U-1", to(*t.at(0, 12))), **charge))  # type: ignore[arg-type]


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("kind", ["wood", "village", "scrub"])
@pytest.mark.parametrize("off", [-1e-9, 0.0, 1e-9, UNDER, OVER])
def test_wm_vis_8_a_front_on_the_edge(off: float, kind: str, angle: float) -> None:
    """The front lies on the edge or to a hair in front of it or behind it; so does the enemy's."""
    t = Turned(angle)
    parts = [unit("U", [t.pose(0, 0)]), unit("E", [t.pose(0, 9, 270)])]
    away = way("U-1", to(*t.at(0, -6)))
    for piece in (t.box(kind, -9, 9, -6, 1 - off), t.box(kind, -9, 9, 8 + off, 15)):
        game = Game(parts, [piece], phase="initiative")
        assert not ids(game.move(away, kind="evade", target="E"))


@pytest.mark.parametrize("angle", ANGLES)
def test_wm_vis_8_no_farther_than_2_from_a_front_on_the_edge(angle: float) -> None:
    """The wood begins at the front and lies between the two: 2 cm of it are seen through."""
    t = Turned(angle)
    parts = [unit("U", [t.pose(0, 0)]), unit("E", [t.pose(0, 9, 270)])]
    away = way("U-1", to(*t.at(0, -6)))
    for deep, seen in ((2.0, True), (2 + UNDER, True), (2.001, False)):
        game = Game(parts, [t.box("wood", -30, 30, 1, 1 + deep)], phase="initiative")
        found = ids(game.move(away, kind="evade", target="E"))
        assert found == (set() if seen else {"WM-INIT-1"})
