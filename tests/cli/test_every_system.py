"""`tapeline rules` and `tapeline new` for every system that ships, every topic, every shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice

import pytest
from click.testing import Result

from tapeline.play.battle import load
from tapeline.play.systems import load_system
from tapeline.play.templates import TEMPLATES

Run = Callable[..., Result]
SHIPPED = ("mordheim", "sovl", "trench-crusade", "warmaster")


@pytest.mark.parametrize("system", SHIPPED)
def test_rules_of_a_system(run: Run, system: str) -> None:
    book = load_system(system).book
    told = run("rules", system)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[-1].startswith(f"{len(book)} of {len(book)} clauses")
    assert all(f"\n{clause.id}  [" in f"\n{told.stdout}" for clause in book)
    found = json.loads(run("rules", system, "--json").stdout)
    assert [clause["id"] for clause in found["clauses"]] == [clause.id for clause in book]
    actions = {*load_system(system).actions}
    for clause in found["clauses"]:
        assert all(name in actions or name[0].isupper() for name in clause.get("bars", ()))


@pytest.mark.parametrize("system", SHIPPED)
def test_rules_of_setting_up_are_told_where_they_are_asked_for(run: Run, system: str) -> None:
    assert "\nSET-4  [" not in run("rules", system).stdout
    told = run("rules", system, "SET-4")
    assert told.exit_code == 0
    assert told.stdout.startswith("SET-4  [enforced; pick; bars set_up]")
    found = json.loads(run("rules", system, "SET-", "--json").stdout)
    assert [clause["id"] for clause in found["clauses"]] == [f"SET-{n}" for n in range(1, 8)]


@pytest.mark.parametrize("system", SHIPPED)
def test_rules_of_every_chapter(run: Run, system: str) -> None:
    chapters: dict[str, set[str]] = {}
    for clause in load_system(system).book:
        chapters.setdefault(clause.where.rpartition(".")[2], set()).add(clause.id)
    assert len(chapters) > 5
    for chapter, clauses in chapters.items():
        told = run("rules", system, chapter, "--json")
        assert told.exit_code == 0, chapter
        found = [clause["id"] for clause in json.loads(told.stdout)["clauses"]]
        assert set(found[: len(clauses)]) == clauses, chapter


SHAPES = [("--template", name) for name in TEMPLATES]
SEEDS = [("--random", str(seed)) for seed in range(6)]


@pytest.mark.parametrize("system", SHIPPED)
@pytest.mark.parametrize("words", SHAPES + SEEDS, ids=lambda words: words[1])
def test_a_new_scene_can_be_loaded_and_judged(
    run: Run, system: str, words: tuple[str, str]
) -> None:
    made = run("new", system, *words, "-o", "new.json")
    assert made.exit_code == 0, made.output
    assert run("check", "new.json").exit_code == 0
    battle = load("new.json")
    assert {body.side for body in battle.state.bodies.values()} == {"red", "blue"}
    offered = [*islice(battle.offers(1), 3)]
    assert offered
    assert all(battle.judge(action).legal for action in offered)
    judged = run("judge", "new.json", "-a", json.dumps(document_of(offered[0])), "--json")
    assert json.loads(judged.stdout)["legal"] is True


def document_of(action: object) -> object:
    from tapeline.engine.actions import Action
    from tapeline.engine.codec import action_document

    assert isinstance(action, Action)
    return action_document(action)


def test_the_systems_that_ship_are_all_tried() -> None:
    from importlib.metadata import entry_points

    ours = {e.name for e in entry_points(group="tapeline.systems") if "tapeline" in e.value}
    assert ours == set(SHIPPED)


@pytest.mark.parametrize("system", SHIPPED)
def test_many_seeds_make_sound_scenes(system: str, budget: Callable[[int, int], int]) -> None:
    from tapeline.play.templates import make_scene

    known = load_system(system)
    for seed in range(budget(20, 500)):
        battle = load(make_scene(known, seed=seed))
        sides = [body.side for body in battle.state.bodies.values()]
        assert min(sides.count("red"), sides.count("blue")) >= 5


def test_a_unit_of_stands_is_a_line_led_by_a_character() -> None:
    from tapeline.play.templates import make_scene

    battle = load(make_scene(load_system("warmaster"), "battle"))
    state = battle.state
    assert {unit.side for unit in state.units.values()} == {"red", "blue"}
    for unit in state.units.values():
        assert len(unit.members) == unit.stats["stands"]
    for side in ("red", "blue"):
        first = next(body for body in state.bodies.values() if body.side == side)
        assert first.stats["type"] == "character"
