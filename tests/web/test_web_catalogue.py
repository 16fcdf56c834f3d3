"""Systems, clauses and examples as the browser gets them."""

from __future__ import annotations

import asyncio
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from tapeline.engine.deployment import in_trays
from tapeline.errors import UnknownSystemError
from tapeline.play.battle import load
from tapeline.play.files import examples_folder
from tapeline.play.systems import load_system, system_names
from tapeline.web.app import create_app
from tapeline.web.settings import Settings
from tapeline.web.views import catalogue

ROOT = Path(__file__).parents[2]


def call(
    method: str, path: str, document: Any = None, folder: Path | None = None, **more: Any
) -> httpx.Response:
    """The answer of a server whose matches are in memory."""

    async def ask() -> httpx.Response:
        app = create_app(Settings(examples=folder))
        transport = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            return await client.request(method, f"/api/{path}", json=document, **more)

    return asyncio.run(ask())


def test_every_installed_system_is_listed_with_its_words() -> None:
    found = {system.name: system for system in map(catalogue.system, system_names())}
    assert tuple(sorted(found)) == system_names()
    for name, system in found.items():
        engine = load_system(name)
        assert [p.name for p in system.profiles] == list(engine.profiles)
        assert [t.name for t in system.terrain] == list(engine.terrain_kinds)
        assert {r.name: next(iter(r.values)) for r in system.readings} == {
            option.name: option.default for option in engine.options
        }
        assert system.clauses == len(engine.book)
        assert set(system.marks) == set(engine.marks)


@pytest.mark.parametrize(
    ("system", "profile", "form", "count", "files"),
    [
        ("mordheim", "Ghoul", "model", 1, 1),
        ("sovl", "Infantry", "regiment", 10, 5),
        ("sovl", "Trolls", "regiment", 4, 3),
        ("sovl", "Dwarf Cannon", "regiment", 1, 1),
        ("warmaster", "Halberdiers", "stands", 3, 1),
        ("warmaster", "Cannon", "stands", 2, 1),
        ("warmaster", "Orc Hero", "model", 1, 1),
    ],
)
def test_how_a_profile_goes_on_the_table(
    system: str, profile: str, form: str, count: int, files: int
) -> None:
    found = next(p for p in catalogue.system(system).profiles if p.name == profile)
    assert (found.form, found.count, found.files) == (form, count, files)
    assert found.least <= found.count <= found.most


def test_a_clause_in_its_words() -> None:
    book = load_system("mordheim").book
    one = next(iter(book))
    found = catalogue.clause("mordheim", one.id)
    assert (found.id, found.says, found.state) == (one.id, one.says, str(one.status))
    with pytest.raises(KeyError):
        catalogue.clause("mordheim", "MH-NONE-1")
    with pytest.raises(UnknownSystemError):
        catalogue.clause("chess", one.id)


def test_every_example_loads_and_is_described_truly() -> None:
    folder = examples_folder()
    assert folder is not None
    found = catalogue.examples(folder)
    assert {one.system for one in found} == set(system_names())
    tasks = {*folder.glob("puzzles/*.json"), *folder.glob("lessons/*.json")}
    scenes = {*folder.glob("*.json"), *tasks, *folder.glob("set-ups/*.json")}
    scenes -= {*folder.glob("*-judged.json")}
    assert {one.name for one in found} == {path.stem for path in scenes}
    assert len(found) == len(scenes)
    for one in found:
        battle = load(catalogue.example(folder, one.name))
        table = battle.state.table
        assert (one.system, one.width, one.depth) == (battle.system.name, table.width, table.depth)
        waiting = [*in_trays(battle.state.gone)]
        assert sum(one.counts.values()) == len(battle.state.bodies) + len(waiting)
        assert one.says.endswith(".")
        of_task = one.puzzle is not None or one.lesson is not None
        assert of_task == (one.name in {path.stem for path in tasks})


def test_a_scene_that_is_easy_to_begin_comes_first() -> None:
    first: dict[str, str] = {}
    for one in catalogue.examples(examples_folder()):
        first.setdefault(one.system, one.name)
    assert first["trench-crusade"] == "trench-well", "not one in the midst of a fight"
    assert first["sovl"] == "sovl-mill"
    assert list(first) == sorted(first)


def test_only_scenes_of_a_folder_are_examples(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{"format": "tapeline-log/1"}')
    (tmp_path / "list.json").write_text("[]")
    scene = {
        "format": "tapeline-scene/1",
        "system": "sovl",
        "table": {"width": 40, "depth": 30, "unit": "in"},
        "sides": [{"id": "red", "name": "Red"}, {"id": "blue"}],
        "units": [
            {"side": "red", "models": 5},
            {"side": "red", "models": 5, "state": {"gone": "fled"}},
        ],
    }
    (tmp_path / "ford.json").write_text(json.dumps(scene))
    (tmp_path / "other.json").write_text(json.dumps({**scene, "system": "chess"}))
    [found] = catalogue.examples(tmp_path)
    assert (found.name, found.title, found.counts) == ("ford", "ford", {"Red": 1, "blue": 0})
    assert found.says == "An empty table."
    assert catalogue.examples(None) == []
    with pytest.raises(KeyError):
        catalogue.example(tmp_path, "../ford")


def test_the_calls_answer_and_refuse() -> None:
    assert {one["name"] for one in call("GET", "systems").json()} == set(system_names())
    assert call("GET", "systems/sovl").json()["unit"] == "in"
    assert call("GET", "systems/chess").status_code == 404
    book = load_system("sovl").book
    one = next(iter(book))
    assert call("GET", f"systems/sovl/clauses/{one.id}").json()["says"] == one.says
    assert call("GET", "systems/sovl/clauses/X-1").status_code == 404
    listed = call("GET", "examples").json()
    scene = call("GET", f"examples/{listed[0]['name']}").json()
    assert scene["system"] == listed[0]["system"]
    assert call("GET", "examples/none").status_code == 404
    assert call("GET", "examples/..%2Fpyproject").status_code == 404
    checked = call("POST", "scenes/check", scene).json()
    assert checked["faults"] == []
    assert call("POST", "scenes/check", []).status_code == 422
    twice = {"content": b'{"system": "sovl", "system": "sovl"}'}
    kind = {"headers": {"content-type": "application/json"}}
    assert call("POST", "scenes/check", **twice, **kind).status_code in (400, 422)


def test_a_server_may_have_examples_of_its_own(tmp_path: Path) -> None:
    folder = examples_folder()
    assert folder is not None
    name = "sovl-ford"
    (tmp_path / "ours.json").write_bytes((folder / f"{name}.json").read_bytes())
    listed = call("GET", "examples", folder=tmp_path).json()
    assert [one["name"] for one in listed] == ["ours"]
    assert call("GET", "examples/ours", folder=tmp_path).status_code == 200
    assert call("GET", f"examples/{name}", folder=tmp_path).status_code == 404


@pytest.mark.long
def test_a_wheel_brings_the_examples(tmp_path: Path) -> None:
    build = pytest.importorskip("hatchling.build")
    before = Path.cwd()
    try:
        os.chdir(ROOT)
        name = build.build_wheel(str(tmp_path))
    finally:
        os.chdir(before)
    inside = set(zipfile.ZipFile(tmp_path / name).namelist())
    assert {
        f"tapeline/examples/{path.name}" for path in (ROOT / "examples").glob("*.json")
    } <= inside
