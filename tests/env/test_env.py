"""Environments: what PettingZoo and Gymnasium ask of them, and what is told is so."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

from tapeline import env
from tapeline.engine.score import points_of
from tapeline.env.choices import CANDIDATE, MOST, WISH
from tapeline.errors import DocumentError
from tapeline.play.systems import system_names
from tapeline.table.bodies import Round
from tapeline.table.solids import ground_of
from tapeline.table.terrain import Piece

# Advice to give plain boxes, and to call agents `player_0`: ours are dictionaries and sides.
pytestmark = [
    pytest.mark.filterwarnings(
        "ignore:Observation:UserWarning", "ignore:We recommend agents:UserWarning"
    ),
    pytest.mark.compiled,
]
SYSTEMS = pytest.mark.parametrize("system", system_names())


@SYSTEMS
@pytest.mark.parametrize("form", ["candidates", "wish"])
def test_pettingzoo_finds_no_fault(
    system: str, form: Any, capsys: pytest.CaptureFixture[str], budget: Callable[[int, int], int]
) -> None:
    api_test(env.table(system, form=form), num_cycles=budget(6, 12))
    assert "Passed API test" in capsys.readouterr().out


@SYSTEMS
def test_the_same_seed_gives_the_same_game_also_side_by_side(
    system: str, budget: Callable[[int, int], int]
) -> None:
    seed_test(lambda: env.table(system), num_cycles=budget(6, 12))
    parallel_api_test(env.parallel(system), num_cycles=budget(6, 12))


@SYSTEMS
@pytest.mark.parametrize("form", ["candidates", "wish"])
def test_gymnasium_finds_no_fault(system: str, form: str) -> None:
    one = gymnasium.make(f"tapeline/{system}-v0", form=form).unwrapped
    # What a picture shows does not hang on how an action is said.
    check_env(one, skip_render_check=form == "wish")


def played(table: env.TableEnv, most: int = 400) -> int:
    """Play it at random to its end; how many steps that took."""
    for steps, agent in enumerate(table.agent_iter(most)):
        seen, _, over, cut, _ = table.last()
        if over or cut:
            return steps
        assert seen is not None
        table.step(table.action_space(agent).sample(seen["action_mask"]))
    return most


@SYSTEMS
def test_a_game_is_played_to_its_end_and_rewards_are_its_points(system: str) -> None:
    # By wishes where candidates, each of which is judged, take long.
    wishes = system == "mordheim"
    table = env.table(system, form="wish" if wishes else "candidates")
    table.reset(seed=3)
    got = dict.fromkeys(table.possible_agents, 0.0)
    rng = np.random.default_rng(3)
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        if wishes:
            table.step(rng.uniform(-1.0, 1.0, len(WISH)).astype(np.float32))
        else:
            mask = table.observe(table.agent_selection)["action_mask"]
            table.step(int(rng.choice(np.flatnonzero(mask))))
        for agent, reward in table.rewards.items():
            got[agent] += reward
    assert all(table.terminations.values()), table.infos
    one, two = table.possible_agents
    points = points_of(table.battle.state)
    assert got == {one: points[one] - points[two], two: points[two] - points[one]}


@SYSTEMS
def test_an_observation_can_be_read_back(system: str) -> None:
    table = env.table(system, steps=25)
    table.reset(seed=5)
    played(table)
    state = table.battle.state
    for agent in table.possible_agents:
        read = table.encoding.read(table.observe(agent)["observation"], agent)
        assert list(read) == [name for name in table.encoding.bodies if name in state.bodies]
        for name, found in read.items():
            body = state.bodies[name]
            holders = [body, *(unit for unit in state.units.values() if name in unit.members)]
            marks = {
                key: len(value) if isinstance(value, tuple) else value
                for one in reversed(holders)
                for key, value in one.marks.items()
                if value
            }
            assert found["side"] == body.side
            assert (found["x"], found["y"], found["z"]) == pytest.approx(
                (body.x, body.y, body.z), abs=1e-4
            )
            turned = (found["facing"] - body.facing + 180.0) % 360.0 - 180.0
            assert math.isclose(turned, 0.0, abs_tol=1e-3)
            wide = 2 * body.base.radius if isinstance(body.base, Round) else body.base.width
            assert found["width"] == pytest.approx(wide)
            assert found["marks"] == pytest.approx(marks)


def test_candidates_say_what_they_are() -> None:
    table = env.table("trench-crusade")
    table.reset(seed=1)
    told = table.observe(table.agent_selection)["observation"]["candidates"]
    rows = [dict(zip(CANDIDATE, row, strict=True)) for row in told]
    kinds = list(table.encoding.system.actions)
    first, action = rows[0], table._candidates[0].action
    assert action is not None
    assert kinds[int(first["kind"]) - 1] == action.kind
    assert table.encoding.ids[int(first["who"]) - 1] == action.actor  # type: ignore[attr-defined]
    other = next(one for one in table.possible_agents if one != table.agent_selection)
    assert not table.observe(other)["action_mask"].any(), "it is not its turn"


@pytest.mark.parametrize("system", ["trench-crusade", "mordheim"])
def test_where_little_is_offered_candidates_lead_on_to_other_places_too(system: str) -> None:
    table = env.table(system)
    table.reset(seed=1)
    for _ in range(6):
        table.step(0)
        found = [one.action for one in table._candidates if one.action is not None]
        offered = list(table.battle.offers(0))
        assert len(found) == len(set(found)) <= MOST
        assert all(table.battle.judge(one).legal for one in found)
        if len(found) > len(offered) + 3:
            return
    raise AssertionError("nothing but what is offered")


def test_a_wish_is_carried_out_as_near_as_the_rules_let() -> None:
    table = env.table("sovl", form="wish")
    table.reset(seed=1)
    rng = np.random.default_rng(2)
    told = []
    while not any(table.terminations.values()) and len(told) < 60:
        agent = table.agent_selection
        table.step(rng.uniform(-1.0, 1.0, len(WISH)).astype(np.float32))
        told.append(table.infos[agent].get("short_by"))
    assert 0.0 in told, "some are legal as they are wished"
    assert any(one is not None and one > 0.1 for one in told), "some fall short"
    with pytest.raises(ValueError, match="NaN"):
        table.step(np.full(len(WISH), np.nan, np.float32))


def test_one_side_against_an_opponent_gets_what_the_table_gives() -> None:
    one = env.SideEnv(env.scene_of("sovl"), side="east", opponent="random")
    seen, _ = one.reset(seed=4)
    got, over, cut = 0.0, False, False
    rng = np.random.default_rng(4)
    while not (over or cut):
        assert one.table.agent_selection == "east"
        assert (one.action_masks() == seen["action_mask"].astype(bool)).all()
        seen, reward, over, cut, _ = one.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        got += reward
    assert over
    points = points_of(one.table.battle.state)
    assert got == points["east"] - points["west"]


def test_many_at_once() -> None:
    many = gymnasium.make_vec("tapeline/sovl-v0", num_envs=2)
    seen, _ = many.reset(seed=[1, 1])
    assert (seen["observation"]["bodies"][0] == seen["observation"]["bodies"][1]).all()
    many.close()


def test_what_cannot_be_is_a_fault() -> None:
    scene = env.scene_of("sovl")
    with pytest.raises(ValueError, match="no side 'north'"):
        env.SideEnv(scene, side="north")
    with pytest.raises(KeyError):
        env.SideEnv(scene, opponent="godlike")
    with pytest.raises(ValueError, match="form must be"):
        env.TableEnv(scene, form="guess")  # type: ignore[arg-type]
    with pytest.raises(DocumentError, match="states no goals"):
        env.TableEnv({key: value for key, value in scene.items() if key != "game"})


def test_a_picture_is_drawn_if_wanted() -> None:
    assert env.table("sovl").render() is None
    drawn = env.table("sovl", render_mode="svg").render()
    assert drawn is not None
    assert drawn.startswith("<svg")
    seen = env.table("sovl", render_mode="rgb_array").render()
    assert seen.dtype == np.uint8
    assert seen.shape[2] == 3
    assert min(seen.shape[:2]) > 100
    assert len(np.unique(seen[::5, ::5].reshape(-1, 3), axis=0)) > 50, "something is drawn"


@SYSTEMS
def test_a_raster_shows_what_lies_at_the_centre_of_each_cell(system: str) -> None:
    table = env.table(system, raster=48)
    state, encoding = table.battle.state, table.encoding
    raster = encoding.raster
    assert raster is not None
    for agent in table.possible_agents:
        planes = table.observe(agent)["observation"]["raster"]
        assert planes.shape == raster.shape
        named = dict(zip(raster.names, planes, strict=True))
        for body in state.bodies.values():
            cell = min(int(body.y / raster.cell), planes.shape[1] - 1), int(body.x / raster.cell)
            plane = "side 0" if body.side == agent else "side 1"
            assert named[plane][cell] == pytest.approx(1.0 + body.z), body.id
        rows, columns = planes.shape[1:]
        reach = max(body.base.reach for body in state.bodies.values()) + raster.cell
        for row, column in np.random.default_rng(1).integers(0, (rows, columns), (200, 2)):
            x, y = (column + 0.5) * raster.cell, (row + 0.5) * raster.cell
            far = all(math.hypot(b.x - x, b.y - y) > reach for b in state.bodies.values())
            assert not (far and (named["side 0"][row, column] or named["side 1"][row, column]))
            kinds = {
                entry.kind
                for entry in state.table.entries
                if isinstance(entry, Piece)
                and any(ground_of(one).depth(x, y) > 1e-9 for one in entry.outlines)
            }
            told = {
                n.removeprefix("kind:")
                for n in named
                if n.startswith("kind:") and named[n][row, column]
            }
            assert kinds <= told
    with pytest.raises(ValueError, match="1 to 1024"):
        env.table(system, raster=5_000)
