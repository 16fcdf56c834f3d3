"""What a picture holds, read back as XML; no pixels are compared."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, replace
from typing import ClassVar
from xml.etree.ElementTree import Element

import pytest

from support import toy
from support.colours import contrast
from support.scenes import disc, toy_scene
from tapeline.engine.actions import Action
from tapeline.engine.allowed import Mark
from tapeline.engine.paths import Leg
from tapeline.engine.referee import judge
from tapeline.engine.state import State
from tapeline.engine.system import TerrainKind
from tapeline.engine.verdicts import Finding, Kind, LedgerLine, Movement, Verdict
from tapeline.errors import DocumentError
from tapeline.picture import draw
from tapeline.picture.features import feature, swatch
from tapeline.picture.look import LOOK, PATTERNS, THEMES, mixed, side_looks, tile
from tapeline.picture.rings import sown
from tapeline.play.battle import load
from tapeline.play.systems import load_system, system_names
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.marks import Marks
from tapeline.table.terrain import Polygon

SVG = "{http://www.w3.org/2000/svg}"


def state_of(*models: dict[str, object], **more: object) -> State:
    return load(toy_scene(*models, **more), system=toy.SYSTEM).state


def parsed(svg: str) -> Element:
    return ElementTree.fromstring(svg)


def classed(root: Element, name: str) -> list[Element]:
    return [item for item in root.iter() if name in item.get("class", "").split()]


def words(root: Element) -> str:
    return " ".join(item.text or "" for item in root.iter(f"{SVG}text"))


def placed(item: Element) -> tuple[float, float, float]:
    found = re.fullmatch(
        r"translate\(([-\d.]+) ([-\d.]+)\) rotate\(([-\d.]+)\)", item.get("transform", "")
    )
    assert found is not None
    x, y, turn = map(float, found.groups())
    return x, y, turn


def scale_of(root: Element) -> tuple[float, float, float]:
    """Left, bottom of the table in pixels, and pixels an inch (the toy table is 24 in wide)."""
    ground = classed(root, "ground")[0]
    left, top = float(ground.get("x", "")), float(ground.get("y", ""))
    width, height = float(ground.get("width", "")), float(ground.get("height", ""))
    return left, top + height, width / 24


def test_bases_stand_in_their_place_and_true_size() -> None:
    root = parsed(draw(state_of(), toy.SYSTEM))
    left, bottom, scale = scale_of(root)
    bodies = {item.get("data-body"): item for item in classed(root, "body")}
    assert set(bodies) == {"R1", "R2", "B1", "B2"}
    x, y, turn = placed(bodies["R2"])
    assert (x - left) / scale == pytest.approx(5, abs=0.01)
    assert (bottom - y) / scale == pytest.approx(9, abs=0.01)
    assert turn == -90
    circle = bodies["R2"].find(f"{SVG}circle")
    assert circle is not None
    outer = float(circle.get("r", "")) + 0.5 * float(circle.get("stroke-width", ""))
    assert outer / scale == pytest.approx(1.0, abs=0.01)


def test_sides_differ_by_rim_as_well_as_by_colour() -> None:
    root = parsed(draw(state_of(), toy.SYSTEM))
    rims = {}
    for item in classed(root, "body"):
        circle = item.find(f"{SVG}circle")
        assert circle is not None
        milled = [rim.get("stroke-dasharray") for rim in classed(item, "rim")]
        rims[item.get("data-side")] = (circle.get("stroke"), circle.get("fill"), milled)
    (red, light, plain), (blue, dark, milled) = rims["red"], rims["blue"]
    assert red != blue
    assert plain == []
    assert None not in milled
    assert len(milled) == 1
    assert contrast(light, dark) >= 4.5, "a side is told in grey print"


def test_facing_is_a_notch_ahead_of_the_base() -> None:
    root = parsed(draw(state_of(), toy.SYSTEM))
    for item in classed(root, "body"):
        notch = next(part for part in item if "facing" in part.get("class", ""))
        circle = item.find(f"{SVG}circle")
        assert circle is not None
        radius = float(circle.get("r", "")) + 0.5 * float(circle.get("stroke-width", ""))
        assert re.match(r"M([\d.]+) 0L", notch.get("d", "")) is not None
        assert float(notch.get("d", "")[1:].split()[0]) == pytest.approx(radius, abs=0.01)


def regiment() -> State:
    state = state_of()
    marks = Marks({"models": 12, "files": 5, "file_width": 0.8, "rank_depth": 0.8})
    block = Body("S1", "red", "Spears", Rectangle(4.0, 2.4), 12, 12, 0, 30, marks=marks)
    return replace(state, bodies={**state.bodies, "S1": block})


def test_regiments_show_their_front_their_ranks_and_their_count() -> None:
    root = parsed(draw(regiment(), toy.SYSTEM))
    _, _, scale = scale_of(root)
    item = next(item for item in classed(root, "body") if item.get("data-body") == "S1")
    far, side = re.findall(r"M([\d.]+) -([\d.]+)v", classed(item, "facing")[0].get("d", ""))[0]
    assert float(far) / scale == pytest.approx(1.2, abs=0.01)
    assert float(side) / scale == pytest.approx(2.0, abs=0.01)
    blocks = [float(block.get("y", "")) for block in classed(item, "ranks")[0]]
    assert len(blocks) == 12
    assert sum(blocks[10:]) / 2 == pytest.approx(sum(blocks[:5]) / 5, abs=0.01)
    assert [count.text for count in classed(root, "count")] == ["12"]


def test_terrain_has_the_pattern_of_its_kind_its_name_and_its_height() -> None:
    root = parsed(draw(state_of(), toy.SYSTEM))
    pieces = {item.get("data-piece"): item for item in classed(root, "terrain")}
    assert set(pieces) == {"T1", "T2"}
    fills = {item[1].get("fill", "") for item in pieces.values()}
    assert len(fills) == 2
    tiles = {f"url(#{item.get('id')})" for item in root.iter(f"{SVG}pattern")}
    assert {fill for fill in fills if fill.startswith("url")} <= tiles
    shown = words(root)
    assert "T2" in shown
    assert f"height {toy.SYSTEM.terrain_kinds['wall'].height:g}" in shown


def test_concave_polygons_keep_all_corners() -> None:
    state = state_of()
    hook = Polygon(((2, 12), (8, 12), (8, 14), (4, 14), (4, 18), (2, 18)))
    table = replace(
        state.table, pieces=(replace(state.table.pieces[0], id="T9", outlines=(hook,)),)
    )
    root = parsed(draw(replace(state, table=table), toy.SYSTEM))
    polygon = next(item for item in classed(root, "terrain")[0] if item.tag == f"{SVG}polygon")
    assert len(polygon.get("points", "").split()) == 6


def test_ticks_stand_every_six_inches() -> None:
    root = parsed(draw(state_of(), toy.SYSTEM))
    ticks = [item.text for item in classed(root, "tick")]
    assert ticks == ["0", "6", "12", "18", "24", "0", "6", "12", "18", "24"]


def test_true_marks_are_badges_with_letters_and_explained() -> None:
    state = state_of(disc("R1", "red", 5, 5), disc("B1", "blue", 9, 9, state={"shoved": 2}))
    root = parsed(draw(state, replace(toy.SYSTEM, marks={"shoved": Mark(int)})))
    badges = classed(root, "badge")
    assert [badge.get("data-body") for badge in badges] == ["B1"]
    assert words(badges[0]).strip() == "S2"
    assert "shoved" in words(root)


def test_marks_with_the_same_first_letter_get_different_badges() -> None:
    state = state_of(disc("R1", "red", 5, 5), disc("B1", "blue", 9, 9))
    marks = Marks({"down": True, "dazed": True, "moved": False})
    body = replace(state.bodies["R1"], marks=marks)
    root = parsed(draw(replace(state, bodies={**state.bodies, "R1": body}), toy.SYSTEM))
    letters = [words(badge).strip() for badge in classed(root, "badge")]
    assert len(letters) == len(set(letters)) == 2


def test_a_refusal_shows_path_pins_sentence_measure_clause_and_nearest() -> None:
    state = state_of()
    action = toy.Move(actor="R1", path=(Leg(to=(5, 12)), Leg(to=(7, 16))))
    verdict = judge(toy.SYSTEM, replace(state, bodies=far_apart(state)), action)
    assert verdict.kind is Kind.ILLEGAL
    assert verdict.nearest is not None
    state = replace(state, bodies=far_apart(state))
    root = parsed(draw(state, toy.SYSTEM, action=action, verdict=verdict))
    assert len(classed(root, "wanted")) == 1
    assert len(classed(root, "nearest")) >= 1
    shown = words(root)
    assert "ILLEGAL" in shown
    assert "TY-MOV-2" in shown
    assert "limit 5" in shown
    assert "move R1" in shown
    ghosts = classed(root, "ghost")
    left, bottom, scale = scale_of(root)
    ends = [
        ((x - left) / scale, (bottom - y) / scale) for x, y, _ in (placed(item) for item in ghosts)
    ]
    assert any(math.dist(end, (7, 16)) < 0.01 for end in ends)
    assert any(math.dist(end, (5, 10)) < 0.01 for end in ends)


def far_apart(state: State) -> dict[str, Body]:
    return {name: body for name, body in state.bodies.items() if name in {"R1", "B2"}}


def test_pins_point_at_the_place_and_carry_the_number_of_the_sentence() -> None:
    state = state_of()
    findings = (
        Finding("Too near.", 0.93, 1.0, (10, 10), "B1", clause="TY-A-1"),
        Finding("Somewhere.", clause="TY-A-2"),
        Finding("About a piece.", about="T1", clause="TY-A-3"),
    )
    verdict = Verdict(Kind.ILLEGAL, findings)
    root = parsed(draw(state, toy.SYSTEM, verdict=verdict))
    left, bottom, scale = scale_of(root)
    pins = {pin.get("data-number"): pin for pin in classed(root, "pin")}
    assert set(pins) == {"1", "3"}
    tip = pins["1"].findall(f"{SVG}circle")[0]
    at = (float(tip.get("cx", "")) - left) / scale, (bottom - float(tip.get("cy", ""))) / scale
    assert at == pytest.approx((10, 10), abs=0.01)
    assert words(pins["1"]).strip() == "1"
    panel = words(classed(root, "panel")[0])
    assert "measured 0.93, limit 1" in panel
    assert all(finding.text in panel for finding in findings)


def test_arcs_are_drawn_as_arcs_and_turn_the_right_way() -> None:
    state = state_of()
    path = (Leg(centre=(5, 8), by=90.0),)
    moved = Movement("R1", (5, 5, 0), path, (8, 8, 0), 0.0)
    root = parsed(draw(state, toy.SYSTEM, verdict=Verdict(Kind.LEGAL, moved=(moved,))))
    way = next(item for item in root.iter() if item.get("class") == "path").get("d", "")
    found = re.findall(r"A([\d.]+) [\d.]+ 0 0 (\d) ([\d.]+) ([\d.]+)", way)
    assert len(found) == 2
    left, bottom, scale = scale_of(root)
    radius, sweep, x, y = found[-1]
    assert float(radius) / scale == pytest.approx(3, abs=0.01)
    assert sweep == "0"
    end = ((float(x) - left) / scale, (bottom - float(y)) / scale)
    assert end == pytest.approx((8, 8), abs=0.01)


def test_the_ledger_and_the_figures_are_listed() -> None:
    ledger = (
        LedgerLine("open ground", 2.5, 1, 2.5, "TY-A-1"),
        LedgerLine("rubble", 1.5, 2, 3.0, "TY-A-2"),
    )
    verdict = Verdict(Kind.LEGAL, ledger=ledger, cost=5.5, values=Marks({"allowance_left": 0.5}))
    panel = words(classed(parsed(draw(state_of(), toy.SYSTEM, verdict=verdict)), "panel")[0])
    assert "1.5 × 2 = 3" in panel
    assert "all together 5.5" in panel
    assert "allowance left 0.5" in panel


def test_names_with_markup_in_them_stay_text() -> None:
    name = '<script>"x" & \x0b</script>'
    scene = toy_scene(disc("R1", "red", 5, 5, name=name), disc("B1", "blue", 9, 9))
    scene["name"] = name
    state = load(scene, system=toy.SYSTEM).state
    root = parsed(draw(state, toy.SYSTEM))
    assert not list(root.iter(f"{SVG}script"))
    assert "<script>" in words(root)


def test_an_unknown_theme_is_refused_with_what_there_is() -> None:
    with pytest.raises(DocumentError, match="light, dark"):
        draw(state_of(), toy.SYSTEM, theme="sepia")


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read_on_everything_it_may_stand_on(name: str) -> None:
    theme = THEMES[name]
    grounds = [theme["table"], theme["paper"]]
    for ink in (theme["ink"], theme["muted"], theme["moved"], theme["wanted"]):
        assert all(contrast(ink, ground) >= 4.5 for ground in grounds), ink
    for fill, _ in theme.terrain.values():
        for tint in (None, *theme.tints):
            shade = fill if tint is None else mixed(fill, tint, 0.35)
            assert contrast(theme["ink"], shade) >= 4.5, fill
    for word, (colour, fill) in theme.sides.items():
        assert contrast(colour, theme["table"]) >= 4.5, word
        assert contrast(colour, fill) >= 4.5, word
    for kind, colour in theme.kinds.items():
        assert contrast(theme.on_kind, colour) >= 4.5, kind
    assert contrast(theme["on-fault"], theme["fault"]) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_marks_of_terrain_stand_out_from_their_ground(name: str) -> None:
    theme = THEMES[name]
    for pattern, (fill, ink) in theme.terrain.items():
        shades = [fill, *(mixed(fill, tint, 0.35) for tint in theme.tints)]
        assert all(contrast(shade, ink) >= 3.0 for shade in [*shades, theme["table"]]), pattern


@pytest.mark.parametrize("pattern", [name for name in PATTERNS if name != "plain"])
def test_every_pattern_is_laid_or_drawn(pattern: str) -> None:
    if pattern in LOOK.tiles:
        made = ElementTree.fromstring(tile(pattern, "t", "#ffffff", "#000000"))
        assert made.get("width") == made.get("height")
        assert len(made) == 2
    else:
        flat = swatch((0, 0), "wood", "#ffffff", "#000000", 0.0)
        assert len(feature(flat, THEMES["light"], "", pattern)) >= 1


def test_every_installed_system_names_patterns_that_exist() -> None:
    for name in system_names():
        kinds = load_system(name).terrain_kinds.values()
        assert {kind.pattern for kind in kinds} <= set(PATTERNS), name


def test_kinds_that_share_a_pattern_differ_in_tint() -> None:
    kinds = {name: TerrainKind(name, frozenset(), 0, "dots") for name in ("bog", "wall")}
    root = parsed(draw(state_of(), replace(toy.SYSTEM, terrain_kinds=kinds)))
    laid = [item for item in root.iter(f"{SVG}pattern") if item.get("id") != "ground"]
    assert len({item[0].get("fill") for item in laid}) == 2


def test_a_side_called_after_a_colour_wears_it_and_no_two_share_one() -> None:
    theme = THEMES["light"]
    looks = side_looks(theme, [("a", "Northern"), ("b", "Red Host"), ("c", "Blue"), ("d", "")])
    assert looks["b"].colour == theme.sides["red"][0]
    assert looks["c"].colour == theme.sides["blue"][0]
    assert len({look.colour for look in looks.values()}) == 4
    assert len({look.rim for look in looks.values()}) == 4


def test_the_ways_of_all_stands_that_an_action_lists_are_drawn() -> None:
    @dataclass(frozen=True)
    class Part:
        stand: str
        path: tuple[Leg, ...]

    @dataclass(frozen=True, kw_only=True)
    class Together(Action):
        kind: ClassVar[str] = "together"
        stands: tuple[Part, ...]

    state = state_of(disc("A1", "red", 5, 5), disc("A2", "red", 8, 5))
    action = Together(stands=(Part("A1", (Leg(to=(5, 9)),)), Part("A2", (Leg(to=(8, 9)),))))
    root = parsed(draw(state, toy.SYSTEM, action=action, verdict=Verdict(Kind.ILLEGAL)))
    assert {way.get("data-body") for way in classed(root, "way")} == {"A1", "A2"}


def test_what_stands_casts_a_shadow_and_what_lies_flat_none() -> None:
    state = state_of()
    for top, cast in ((0.0, False), (2.0, True)):
        piece = replace(state.table.pieces[0], bottom=0.0, top=top)
        table = replace(state.table, pieces=(piece,))
        (shadow,) = classed(parsed(draw(replace(state, table=table), toy.SYSTEM)), "shadows")
        assert (shadow.get("d") != "") == cast


def test_what_looks_random_is_what_the_page_draws() -> None:
    # The first numbers for that name as the page's board/rings.js has them.
    random = sown("clay")
    assert [round(random(), 9) for _ in range(3)] == [0.597311974, 0.61956782, 0.795457824]
