"""Boards: every example in full, terrain as shapes, who touches whom, badges, whose turn it is."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from shapely import Point, Polygon
from shapely.ops import unary_union

from support.installing import toy_installed
from support.scenarios import example_scenes, golden_scenes
from support.scenes import disc, toy_scene
from tapeline.engine.events import Moved, Progressed, Removed, TurnChanged
from tapeline.engine.state import State
from tapeline.picture.structures import middle
from tapeline.play.battle import Battle, load
from tapeline.play.systems import load_system, system_names
from tapeline.table.bodies import Body, Round
from tapeline.table.marks import Marks
from tapeline.table.terrain import Floor, Wall
from tapeline.web.documents.board import Board, Figure
from tapeline.web.views.board import board_of

EXAMPLES = example_scenes()


def figure_of(board: Board, body: str) -> Figure:
    return next(figure for figure in (*board.figures, *board.gone) if figure.id == body)


def called(state: State, body: Body) -> str:
    """A body as people call it: a stand without a name of its own is numbered in its unit."""
    unit = state.unit_of(body.id) if body.name == body.id else None
    return body.name if unit is None else f"{unit.name} {unit.members.index(body.id) + 1}"


def test_a_profile_by_another_name_keeps_its_sign() -> None:
    board = board_of(load(EXAMPLES["trench-well"]))
    assert figure_of(board, "red-captain").profile == "Captain"
    assert figure_of(board, "red-captain").role == "hero"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_gives_a_board_that_travels(name: str) -> None:
    battle = load(EXAMPLES[name])
    state = battle.state
    board = board_of(battle)
    assert Board.model_validate_json(board.model_dump_json()) == board
    assert [figure.id for figure in board.figures] == list(state.bodies)
    assert [ground.id for ground in board.terrain or ()] == [e.id for e in state.table.entries]
    assert board.hash == battle.hash
    assert board.status
    assert set(board.acting) <= {side.id for side in state.sides}
    assert board.acting
    for party in board.parties:
        assert party.bodies == sum(body.side == party.id for body in state.bodies.values())
    for group in board.groups:
        assert group.members == list(state.units[group.id].members)
    assert board_of(battle, terrain=False).terrain is None


def test_golden_scenes_give_boards(budget: Callable[[int, int], int]) -> None:
    shown = 0
    for system in system_names():
        scenes = golden_scenes(system)
        for scene in scenes[:: budget(len(scenes) // 120, 1)]:
            battle = load(scene)
            board = board_of(battle)
            assert len(board.figures) == len(battle.state.bodies)
            shown += 1
    assert shown > 400


@pytest.mark.parametrize("name", EXAMPLES)
def test_figures_stand_where_their_bodies_do(name: str) -> None:
    battle = load(EXAMPLES[name])
    board = board_of(battle)
    for body in battle.state.bodies.values():
        figure = figure_of(board, body.id)
        assert (figure.x, figure.y, figure.z, figure.facing) == (
            body.x,
            body.y,
            body.z,
            body.facing,
        )
        if isinstance(body.base, Round):
            assert (figure.radius, figure.width) == (body.base.radius, None)
        else:
            assert (figure.width, figure.depth) == (body.base.width, body.base.depth)
        storey = board.storeys[figure.storey]
        assert storey.bottom - 1e-6 <= max(body.z, 0.0)
        assert storey.top is None or body.z < storey.top
        assert figure.says.startswith(f"{called(battle.state, body)}, ")


def base_of(body: Body) -> Any:
    if isinstance(body.base, Round):
        return Point(body.x, body.y).buffer(body.base.radius, quad_segs=64)
    c, s = math.cos(math.radians(body.facing)), math.sin(math.radians(body.facing))
    d, w = 0.5 * body.base.depth, 0.5 * body.base.width
    corners = [(d, w), (-d, w), (-d, -w), (d, -w)]
    return Polygon([(body.x + c * x - s * y, body.y + s * x + c * y) for x, y in corners])


@pytest.mark.parametrize("name", EXAMPLES)
def test_who_is_in_contact_is_said_as_shapely_finds_it(name: str) -> None:
    battle = load(EXAMPLES[name])
    state, board = battle.state, board_of(battle)
    unit_of = {member: unit.id for unit in state.units.values() for member in unit.members}
    met: dict[str, set[str]] = {body: set() for body in state.bodies}
    for a, b in combinations(state.bodies.values(), 2):
        near = math.hypot(a.x - b.x, a.y - b.y) <= a.base.reach + b.base.reach + 0.01
        if not near or abs(a.z - b.z) > 1e-6:
            continue
        if unit_of.get(a.id, a.id) == unit_of.get(b.id, b.id):
            continue
        gap = base_of(a).distance(base_of(b))
        assert not 1e-6 < gap < 1e-3, "the oracle must be able to tell"
        if gap <= 1e-6:
            met[a.id].add(called(state, b))
            met[b.id].add(called(state, a))
    for body, names in met.items():
        says = figure_of(board, body).says
        _, _, told = says.partition("in contact with ")
        assert set(re.split(", | and ", told)) - {""} == names


@pytest.mark.parametrize(("gap", "met"), [(0.0, True), (5e-7, True), (2e-6, False)])
def test_bases_are_in_contact_within_the_tolerance(gap: float, met: bool) -> None:
    with toy_installed():
        scene = toy_scene(disc("R1", "red", 5, 5), disc("B1", "blue", 7 + gap, 5))
        battle = load(scene)
        board = board_of(battle)
    says = [figure.says for figure in board.figures]
    assert [("in contact with" in words) for words in says] == [met, met]


def test_some_example_has_bases_in_contact() -> None:
    boards = [board_of(load(scene)) for scene in EXAMPLES.values()]
    assert any("in contact with" in figure.says for board in boards for figure in board.figures)


@pytest.mark.parametrize("name", EXAMPLES)
def test_terrain_is_drawn_on_the_plans_it_belongs_to(name: str) -> None:
    battle = load(EXAMPLES[name])
    board = board_of(battle)
    ground = {entry.id: entry for entry in board.terrain or ()}
    for entry in battle.state.table.entries:
        shown = ground[entry.id]
        assert shown.storeys, entry.id
        assert shown.shapes
        assert shown.says.lower().startswith((entry.name or entry.id).lower())
        assert shown.bottom <= shown.top
        if isinstance(entry, Floor):
            assert shown.storeys[0] == max(
                storey.index for storey in board.storeys if storey.bottom <= entry.z + 1e-6
            )


def test_a_wall_is_whole_but_for_its_openings() -> None:
    walls = 0
    for scene in EXAMPLES.values():
        battle = load(scene)
        ground = {entry.id: entry for entry in board_of(battle).terrain or ()}
        for wall in battle.state.table.walls:
            assert isinstance(wall, Wall)
            shapes = ground[wall.id].shapes
            openings = {shape.id: shape for shape in shapes if shape.id}
            assert set(openings) == {opening.id for opening in wall.openings}
            for opening in wall.openings:
                shape = openings[opening.id]
                assert (shape.part, shape.bottom, shape.top) == (
                    opening.kind,
                    opening.bottom,
                    opening.top,
                )
                middle = 0.5 * (opening.bottom + opening.top)
                here = [
                    Polygon(s.corners)
                    for s in shapes
                    if s.part == "wall" and (s.bottom or 0.0) < middle < (s.top or 0.0)
                ]
                hole = Polygon([c for s in shapes if s.id == opening.id for c in s.corners][:4])
                assert unary_union(here).intersection(hole).area < 1e-6
            low = [Polygon(s.corners) for s in shapes]
            line = [*wall.line, wall.line[0]] if wall.closed else list(wall.line)
            length = sum(math.dist(a, b) for a, b in pairwise(line))
            straight = all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(line))
            assert straight, "slabs of right-angled walls add up to length times thickness"
            assert unary_union(low).area == pytest.approx(length * wall.thickness, abs=1e-6)
            walls += 1
    assert walls > 5


def test_storeys_keep_their_numbers_when_somebody_climbs_a_block() -> None:
    battle = load(EXAMPLES["mordheim-market"])
    heights = {storey.bottom for storey in board_of(battle).storeys}
    block = next(
        piece
        for piece in battle.state.table.pieces
        if piece.has("standable") and all(abs(piece.top - height) > 0.5 for height in heights)
    )
    x, y = middle(block.outlines[0])
    body = next(iter(battle.state.bodies.values()))
    up = battle.override([Moved(body.id, x, y, block.top, body.facing)])
    up.state.table.prepared.clear()
    board = board_of(up)
    assert {storey.bottom for storey in board.storeys} == heights
    assert figure_of(board, body.id).storey == 0


def test_a_side_called_after_a_colour_has_it() -> None:
    board = board_of(load(EXAMPLES["trench-mire"]))
    looks = {party.id: party.look for party in board.parties}
    assert looks["red"] == 0
    assert len(set(looks.values())) == len(looks)


@pytest.mark.parametrize("name", system_names())
def test_badges_are_of_marks_that_the_system_has(name: str) -> None:
    system = load_system(name)
    assert system.badges
    for mark, (letter, words) in system.badges.items():
        kind = system.marks[mark.partition("=")[0]].kind
        assert letter
        assert words
        if "=" in mark:
            assert kind is str
        else:
            assert kind is not tuple or "{}" in words


def marked(battle: Battle, body: Body, **marks: Any) -> Battle:
    bodies = {**battle.state.bodies, body.id: body.marked(**marks)}
    return Battle(battle.system, replace(battle.state, bodies=bodies))


def test_states_show_as_letters_and_in_words() -> None:
    battle = load(EXAMPLES["mordheim-market"])
    one, *_, other = battle.state.bodies.values()
    engaged = {"condition": "knocked_down", "wounds_lost": 2, "engaged": (other.id,), "spent": 1.5}
    figure = figure_of(board_of(marked(battle, one, **engaged, hidden=False)), one.id)
    assert [(badge.letter, badge.words) for badge in figure.badges] == [
        ("D", "knocked down"),
        ("W2", "wounds lost 2"),
        ("E", f"fights {other.name}"),
    ]
    assert f"knocked down, wounds lost 2, fights {other.name}" in figure.says


def test_a_system_without_badges_shows_every_mark() -> None:
    with toy_installed():
        battle = load(toy_scene())
        one = next(iter(battle.state.bodies.values()))
        figure = figure_of(board_of(marked(battle, one, shoved=3, odd_mark=True)), one.id)
    assert [(badge.letter, badge.words) for badge in figure.badges] == [
        ("Sh3", "shoved 3"),
        ("O", "odd mark"),
    ]


def test_who_left_the_table_is_told_with_the_reason() -> None:
    battle = load(EXAMPLES["trench-mire"])
    body = next(iter(battle.state.bodies.values()))
    board = board_of(battle.override([Removed(body.id, "taken out of action")]))
    assert [figure.id for figure in board.gone] == [body.id]
    assert "gone: taken out of action" in board.gone[0].says
    assert board.parties[0].gone + board.parties[1].gone == 1
    assert body.id not in [figure.id for figure in board.figures]


def test_who_may_act() -> None:
    sovl = load(EXAMPLES["sovl-ford"])
    assert board_of(sovl).acting == ["west"]
    assert board_of(sovl.override([TurnChanged(phase="done")])).acting == ["west", "east"]
    mordheim = load(EXAMPLES["mordheim-market"])
    fight = mordheim.override(
        [TurnChanged(phase="hand-to-hand"), Progressed(Marks({"step": None}))]
    )
    assert len(board_of(fight).acting) == 2
    asked, _ = load(EXAMPLES["sovl-broad-field"]).play({"kind": "roll_off"})
    assert asked.pending is not None
    assert board_of(asked).acting == [asked.pending.ask.by]
