"""Malformed scenes and actions, kind by kind: where the fault is and what is allowed."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import tapeline as tl
from support.counting import slowness
from support.scenes import disc, toy_scene
from tapeline.errors import DocumentError, TapelineError
from tapeline.table.json_documents import parse_json

DELETE = object()


def changed(scene: dict[str, Any], *keys_and_value: Any) -> dict[str, Any]:
    """The scene with the value at the end of the keys changed (or taken away)."""
    *keys, value = keys_and_value
    scene = copy.deepcopy(scene)
    at: Any = scene
    for key in keys[:-1]:
        at = at[key]
    if value is DELETE:
        del at[keys[-1]]
    else:
        at[keys[-1]] = value
    return scene


def sc(*keys_and_value: Any) -> dict[str, Any]:
    return changed(toy_scene(), *keys_and_value)


def faults(document: Any) -> list[tuple[str, str]]:
    with pytest.raises(DocumentError) as raised:
        tl.load(document)
    assert all(str(fault) in str(raised.value) for fault in raised.value.faults)
    return [(fault.path, fault.message) for fault in raised.value.faults]


SHAPE = ("terrain", 0, "shape")
REGIMENT = {"id": "G1", "side": "red", "profile": "disc", "models": 10, "position": [12, 12]}
HUGE = 10**400

# name: (scene, path of the one fault, words of its message)
ONE: dict[str, tuple[Any, str, str]] = {
    # head
    "format missing": (sc("format", DELETE), "format", "is missing"),
    "format of another document": (sc("format", "tapeline-case/1"), "format", "'tapeline-scene/1'"),
    "format of the future": (sc("format", "tapeline-scene/2"), "format", "got 'tapeline-scene/2'"),
    "format a number": (sc("format", 1), "format", "must be 'tapeline-scene/1'; got 1"),
    "system missing": (sc("system", DELETE), "system", "is missing"),
    "system a number": (sc("system", 4), "system", "must be a text; got 4"),
    "system empty": (sc("system", ""), "system", "at least 1 character"),
    "strange key": (sc("weather", "rain"), "weather", "is not a known key"),
    "strange key with a bell in it": (sc("a\x07b", 1), "a\\u0007b", "is not a known key"),
    "name a list": (sc("name", []), "name", "must be a text; got []"),
    "name too long": (sc("name", "n" * 121), "name", "at most 120 characters"),
    "name half a letter": (sc("name", "\ud800"), "name", "UTF-8"),
    # table
    "table missing": (sc("table", DELETE), "table", "is missing"),
    "table a list": (sc("table", [24, 24]), "table", "must be an object"),
    "width missing": (sc("table", "width", DELETE), "table.width", "is missing"),
    "width zero": (sc("table", "width", 0), "table.width", "must be at least 0.001; got 0"),
    "width negative": (sc("table", "width", -24), "table.width", "must be at least 0.001; got -24"),
    "width a text": (sc("table", "width", "24"), "table.width", "must be a number; got '24'"),
    "width true": (sc("table", "width", True), "table.width", "must be a number; got True"),
    "width endless": (sc("table", "width", float("inf")), "table.width", "must be a finite number"),
    "width a mile": (sc("table", "width", 63360), "table.width", "at most 1000"),
    "width no float can hold": (sc("table", "width", HUGE), "table.width", "must be"),
    "depth nan": (sc("table", "depth", float("nan")), "table.depth", "must be a finite number"),
    "unit of nobody": (sc("table", "unit", "ft"), "table.unit", "must be 'in' or 'cm'; got 'ft'"),
    "unit of another system": (sc("table", "unit", "cm"), "table.unit", "is measured in 'in'"),
    "strange key of the table": (sc("table", "felt", "green"), "table.felt", "is not a known key"),
    # options
    "options a list": (sc("options", []), "options", "must be an object"),
    "option of nobody": (
        sc("options", {"wind": "x"}),
        "options.wind",
        "no such option; it has shove.die",
    ),
    "option value of nobody": (
        sc("options", {"shove.die": "6+"}),
        "options.shove.die",
        "must be one of 4+, 5+; got '6+'",
    ),
    "option value a number": (
        sc("options", {"shove.die": 4}),
        "options.shove.die",
        "a text; got 4",
    ),
    # terrain
    "terrain an object": (sc("terrain", {}), "terrain", "must be a list; got {}"),
    "piece a number": (sc("terrain", 0, 5), "terrain[0]", "must be an object; got 5"),
    "piece null": (sc("terrain", 1, None), "terrain[1]", "must be an object; got None"),
    "piece without id": (sc("terrain", 0, "id", DELETE), "terrain[0].id", "is missing"),
    "piece with an empty id": (sc("terrain", 0, "id", ""), "terrain[0].id", "at least 1 character"),
    "piece with a spaced id": (sc("terrain", 0, "id", "a b"), "terrain[0].id", "must be an id"),
    "piece with a long id": (sc("terrain", 0, "id", "x" * 65), "terrain[0].id", "at most 64"),
    "piece with a line end in its id": (sc("terrain", 0, "id", "T1\n"), "terrain[0].id", "an id"),
    "piece of no kind": (sc("terrain", 0, "kind", DELETE), "terrain[0].kind", "is missing"),
    "piece of a strange kind": (
        sc("terrain", 0, "kind", "lava"),
        "terrain[0].kind",
        "must be one of bog, wall; got 'lava'",
    ),
    "piece of a strange trait": (
        sc("terrain", 1, "traits", ["slippery", "wet"]),
        "terrain[1].traits[1]",
        "must be among slippery; got 'wet'",
    ),
    "traits a text": (
        sc("terrain", 1, "traits", "slippery"),
        "terrain[1].traits",
        "must be a list",
    ),
    "piece without shape": (
        sc("terrain", 0, "shape", DELETE),
        "terrain[0]",
        "give exactly one of shape and shapes",
    ),
    "piece with shape and shapes": (
        sc("terrain", 0, "shapes", [{"circle": {"centre": [1, 1], "radius": 1}}]),
        "terrain[0]",
        "give exactly one of shape and shapes",
    ),
    "shape of no form": (sc(*SHAPE, {"blob": 3}), "terrain[0].shape", "one of the keys polygon"),
    "shape a list": (sc(*SHAPE, [[0, 0], [1, 0], [0, 1]]), "terrain[0].shape", "one of the keys"),
    "shape of two forms": (
        sc(
            *SHAPE, {"polygon": [[0, 0], [1, 0], [0, 1]], "circle": {"centre": [1, 1], "radius": 1}}
        ),
        "terrain[0].shape.circle",
        "is not a known key",
    ),
    "circle without radius": (
        sc(*SHAPE, {"circle": {"centre": [1, 1]}}),
        "terrain[0].shape.circle.radius",
        "is missing",
    ),
    "circle of no size": (
        sc(*SHAPE, {"circle": {"centre": [1, 1], "radius": 0}}),
        "terrain[0].shape.circle.radius",
        "must be at least 0.001",
    ),
    "circle round three figures": (
        sc(*SHAPE, {"circle": {"centre": [1, 1, 1], "radius": 1}}),
        "terrain[0].shape.circle.centre",
        "must have at most 2 entries",
    ),
    "rectangle turned about": (
        sc(*SHAPE, {"rectangle": {"centre": [1, 1], "width": 1, "depth": -1}}),
        "terrain[0].shape.rectangle.depth",
        "must be at least 0.001",
    ),
    "rectangle facing a text": (
        sc(*SHAPE, {"rectangle": {"centre": [1, 1], "width": 1, "depth": 1, "facing": "N"}}),
        "terrain[0].shape.rectangle.facing",
        "must be a number; got 'N'",
    ),
    "polygon of two corners": (
        sc(*SHAPE, {"polygon": [[0, 0], [1, 1]]}),
        "terrain[0].shape.polygon",
        "at least 3 entries",
    ),
    "polygon corner a text": (
        sc(*SHAPE, {"polygon": [[0, 0], [1, "x"], [1, 1]]}),
        "terrain[0].shape.polygon[1][1]",
        "must be a number; got 'x'",
    ),
    "polygon far away": (
        sc(*SHAPE, {"polygon": [[0, 0], [1, 30000], [1, 1]]}),
        "terrain[0].shape.polygon[1][1]",
        "must be at most 20000",
    ),
    "polygon corner twice": (
        sc(*SHAPE, {"polygon": [[0, 0], [1, 0], [1, 0], [0, 1]]}),
        "terrain[0].shape.polygon[1]",
        "stands twice in a row",
    ),
    "polygon closed by its first corner": (
        sc(*SHAPE, {"polygon": [[0, 0], [1, 0], [0, 1], [0, 0]]}),
        "terrain[0].shape.polygon[3]",
        "stands twice in a row",
    ),
    "polygon a line": (
        sc(*SHAPE, {"polygon": [[0, 0], [1, 1], [2, 2]]}),
        "terrain[0].shape.polygon",
        "has no area",
    ),
    "polygon across itself": (
        sc(*SHAPE, {"polygon": [[0, 0], [4, 3], [4, 0], [0, 4]]}),
        "terrain[0].shape.polygon",
        "is not a simple polygon: self-intersection",
    ),
    "second of the shapes": (
        changed(
            sc("terrain", 0, "shape", DELETE),
            "terrain",
            0,
            "shapes",
            [{"circle": {"centre": [1, 1], "radius": 1}}, {"polygon": [[0, 0], [1, "x"], [1, 1]]}],
        ),
        "terrain[0].shapes[1].polygon[1][1]",
        "must be a number",
    ),
    "height negative": (sc("terrain", 1, "height", -1), "terrain[1].height", "must be at least 0"),
    "base height a text": (
        sc("terrain", 1, "base_height", "2"),
        "terrain[1].base_height",
        "number",
    ),
    # sides
    "sides missing": (sc("sides", DELETE), "sides", "is missing"),
    "one side": (sc("sides", [{"id": "red"}]), "sides", "must have at least 2 entries"),
    "nine sides": (sc("sides", [{"id": f"s{i}"} for i in range(9)]), "sides", "at most 8 entries"),
    "sides as texts": (
        sc("sides", [{"id": "red"}, {"id": "blue"}, "green"]),
        "sides[2]",
        "must be an object",
    ),
    # models
    "models an object": (sc("models", {}), "models", "must be a list"),
    "model without side": (sc("models", 0, "side", DELETE), "models[0].side", "is missing"),
    "model of a strange side": (
        sc("models", 0, "side", "green"),
        "models[0].side",
        "no side 'green'; sides are red, blue",
    ),
    "model id twice": (
        sc("models", 1, "id", "R1"),
        "models[1].id",
        "'R1' is already the id at models[0].id",
    ),
    "model id of a piece": (
        sc("models", 1, "id", "T1"),
        "models[1].id",
        "'T1' is already the id at terrain[0].id",
    ),
    "model id of a side": (
        sc("models", 1, "id", "red"),
        "models[1].id",
        "already the id at sides[0]",
    ),
    "profile missing": (sc("models", 0, "profile", DELETE), "models[0].profile", "is missing"),
    "profile nearly known": (
        sc("models", 0, "profile", "disk"),
        "models[0].profile",
        "'disk'; did you mean disc?",
    ),
    "profile a number": (
        sc("models", 0, "profile", 3),
        "models[0].profile",
        "must be a text or an object; got 3",
    ),
    "profile like nobody": (
        sc("models", 0, "profile", {"like": "cube"}),
        "models[0].profile.like",
        "no profile 'cube'",
    ),
    "profile like a list": (
        sc("models", 0, "profile", {"like": ["disc"]}),
        "models[0].profile.like",
        "knows no profile",
    ),
    "profile with a strange figure": (
        sc("models", 0, "profile", {"like": "disc", "luck": 7}),
        "models[0].profile.luck",
        "is not a figure of a profile; known: keywords, speed",
    ),
    "profile figure a text": (
        sc("models", 0, "profile", {"like": "disc", "speed": "fast"}),
        "models[0].profile.speed",
        "must be a number; got 'fast'",
    ),
    "profile figure true": (
        sc("models", 0, "profile", {"like": "disc", "speed": True}),
        "models[0].profile.speed",
        "must be a number; got True",
    ),
    "profile figure huge": (
        sc("models", 0, "profile", {"like": "disc", "speed": HUGE}),
        "models[0].profile.speed",
        "at most 15 digits",
    ),
    "profile figure nan": (
        sc("models", 0, "profile", {"like": "disc", "speed": float("nan")}),
        "models[0].profile.speed",
        "nan is not a finite number",
    ),
    "profile keywords no list": (
        sc("models", 0, "profile", {"like": "disc", "keywords": "flyer"}),
        "models[0].profile.keywords",
        "must be a list of texts; got 'flyer'",
    ),
    "profile keywords numbers": (
        sc("models", 0, "profile", {"like": "disc", "keywords": ["flyer", 3]}),
        "models[0].profile.keywords",
        "got ['flyer', 3]",
    ),
    "profile name a number": (
        sc("models", 0, "profile", {"like": "disc", "name": 3}),
        "models[0].profile.name",
        "must be a text; got 3",
    ),
    "no base anywhere": (
        sc("models", 0, "profile", {"speed": 3}),
        "models[0].base",
        "is missing, and the profile has no base either",
    ),
    "base of nothing": (sc("models", 0, "base", {}), "models[0].base", "exactly one of round_mm"),
    "base of two forms": (
        sc("models", 0, "base", {"round_mm": 25, "rectangle_mm": [25, 25]}),
        "models[0].base",
        "exactly one of round_mm, round, rectangle_mm and rectangle",
    ),
    "base of no size": (
        sc("models", 0, "base", {"round_mm": 0}),
        "models[0].base.round_mm",
        "must be at least 0.1",
    ),
    "base of one side": (
        sc("models", 0, "base", {"rectangle_mm": [25]}),
        "models[0].base.rectangle_mm",
        "must have at least 2 entries",
    ),
    "base a number": (sc("models", 0, "base", 25), "models[0].base", "must be an object; got 25"),
    "position missing": (sc("models", 0, "position", DELETE), "models[0].position", "is missing"),
    "position of one figure": (
        sc("models", 0, "position", [5]),
        "models[0].position",
        "at least 2",
    ),
    "position an object": (
        sc("models", 0, "position", {"x": 5, "y": 5}),
        "models[0].position",
        "must be a list",
    ),
    "position nan": (
        sc("models", 0, "position", [float("nan"), 5]),
        "models[0].position[0]",
        "finite number",
    ),
    "position off the table": (
        sc("models", 0, "position", [25, 5]),
        "models[0].position",
        "(25, 5) is not on the table, which is 24 x 24",
    ),
    "base over the edge": (
        sc("models", 0, "position", [0.75, 5]),
        "models[0].position",
        "the base of 'R1' at (0.75, 5) reaches 0.25 over the edge of the table, which is 24 x 24",
    ),
    "base over the corner": (
        sc("models", 0, "position", [12, 23.5]),
        "models[0].position",
        "reaches 0.5 over the edge",
    ),
    "two on one spot": (
        sc("models", 2, "position", [5, 5]),
        "models[2].position",
        "the base of 'B1' overlaps that of 'R1' by 2",
    ),
    "overlap by a hair": (
        sc("models", 2, "position", [6.99999, 5]),
        "models[2].position",
        "overlaps that of 'R1' by 1e-05",
    ),
    "facing a text": (sc("models", 0, "facing", "north"), "models[0].facing", "must be a number"),
    "facing many turns": (sc("models", 0, "facing", 1e6), "models[0].facing", "at most 3600"),
    "height of a tower": (sc("models", 0, "z", 5000), "models[0].z", "must be at most 1000"),
    "state a list": (sc("models", 0, "state", []), "models[0].state", "must be an object"),
    "state of nobody": (
        sc("models", 0, "state", {"asleep": True}),
        "models[0].state.asleep",
        "is not a state of Discs; it has flying, gone, note, shaken, shoved, tags, weight",
    ),
    "state a number for yes": (
        sc("models", 0, "state", {"flying": 1}),
        "models[0].state.flying",
        "must be true or false; got 1",
    ),
    "state true for a number": (
        sc("models", 0, "state", {"shoved": True}),
        "models[0].state.shoved",
        "must be a whole number; got True",
    ),
    "state half a number": (
        sc("models", 0, "state", {"shoved": 1.5}),
        "models[0].state.shoved",
        "must be a whole number; got 1.5",
    ),
    "state null": (
        sc("models", 0, "state", {"note": None}),
        "models[0].state.note",
        "must be a text",
    ),
    "state a text for a list": (
        sc("models", 0, "state", {"tags": "a"}),
        "models[0].state.tags",
        "must be a list; got 'a'",
    ),
    "state too large a number": (
        sc("models", 0, "state", {"shoved": HUGE}),
        "models[0].state.shoved",
        "at most 15 digits",
    ),
    "state true for a weight": (
        sc("models", 0, "state", {"weight": False}),
        "models[0].state.weight",
        "must be a number",
    ),
    "gone for no reason": (
        sc("models", 1, "state", {"gone": True}),
        "models[1].state.gone",
        "must be a text; got True",
    ),
    "strange key of a model": (sc("models", 0, "hp", 3), "models[0].hp", "is not a known key"),
    # units
    "unit with nobody": (
        sc("units", 0, "members", ["Z9"]),
        "units[0].members[0]",
        "no model has the id 'Z9'",
    ),
    "unit without members": (
        sc("units", 0, "members", []),
        "units[0].members",
        "at least 1 entries",
    ),
    "unit of the enemy": (
        sc("units", 0, "members", ["B1", "R1"]),
        "units[0].members[1]",
        "'R1' belongs to side 'red'",
    ),
    "member twice": (
        sc("units", 0, "members", ["B1", "B1"]),
        "units[0].members[1]",
        "'B1' is already in unit 'U1'",
    ),
    "member of two units": (
        sc("units", [toy_scene()["units"][0], {"id": "U2", "side": "blue", "members": ["B2"]}]),
        "units[1].members[0]",
        "'B2' is already in unit 'U1'",
    ),
    "unit of a strange side": (
        sc("units", 0, {"id": "U1", "side": "green", "members": ["B1"]}),
        "units[0].side",
        "no side 'green'",
    ),
    "unit profile of nobody": (
        sc("units", 0, "profile", "cube"),
        "units[0].profile",
        "knows no profile 'cube'",
    ),
    "unit state of nobody": (
        sc("units", 0, "state", {"asleep": 1}),
        "units[0].state.asleep",
        "is not a state of Discs",
    ),
    "regiment of nobody": (
        sc("units", 0, {**REGIMENT, "models": 0}),
        "units[0].models",
        "at least 1",
    ),
    "regiment of halves": (
        sc("units", 0, {**REGIMENT, "models": 2.5}),
        "units[0].models",
        "must be a whole number; got 2.5",
    ),
    "regiment too wide": (
        sc("units", 0, {**REGIMENT, "files": 11}),
        "units[0].files",
        "more files than models (10); got 11",
    ),
    "regiment over the edge": (
        sc("units", 0, {**REGIMENT, "position": [12, 22]}),
        "units[0].position",
        "over the edge",
    ),
    "regiment on a model": (
        sc("units", 0, {**REGIMENT, "models": 1, "position": [8, 6.8]}),
        "units[0].position",
        "overlaps that of 'B1' by 0.2",
    ),
    "unit a number": (sc("units", 0, 7), "units[0]", "must be an object; got 7"),
    # turn
    "turn a list": (sc("turn", []), "turn", "must be an object"),
    "round zero": (sc("turn", {"round": 0}), "turn.round", "must be at least 1; got 0"),
    "round half": (sc("turn", {"round": 1.5}), "turn.round", "must be a whole number; got 1.5"),
    "round true": (sc("turn", {"round": True}), "turn.round", "must be a whole number; got True"),
    "phase of nobody": (sc("turn", {"phase": "lunch"}), "turn.phase", "must be one of play, over"),
    "active side of nobody": (sc("turn", {"active": "green"}), "turn.active", "no side 'green'"),
    "initiative of nobody": (sc("turn", {"initiative": "x"}), "turn.initiative", "no side 'x'"),
    "progress a list": (sc("turn", {"progress": []}), "turn.progress", "must be an object"),
    "progress not of the system": (
        sc("turn", {"progress": {"moved": 3}}),
        "turn.progress.moved",
        "must be a list; got 3",
    ),
    "progress too large a number": (
        sc("turn", {"progress": {"moved": [HUGE]}}),
        "turn.progress",
        "at most 15 digits",
    ),
    "strange key of the turn": (sc("turn", {"turn": 1}), "turn.turn", "is not a known key"),
    # whole documents
    "a list": ([], "", "must be an object; got []"),
    "a number": (3, "", "must be an object"),
    "null": (None, "", "must be an object"),
}


@pytest.mark.parametrize("name", ONE)
def test_one_fault(name: str) -> None:
    document, path, words = ONE[name]
    if not isinstance(document, dict):
        from tapeline.table.scene import parse_scene

        with pytest.raises(DocumentError) as raised:
            parse_scene(document)
        found = [(f.path, f.message) for f in raised.value.faults]
    else:
        found = faults(document)
    assert [where for where, _ in found] == [path]
    assert words in found[0][1]


def test_there_are_enough_kinds() -> None:
    assert len(ONE) + len(TEXTS) + len(ACTIONS) >= 150


def test_the_scene_itself_has_no_fault() -> None:
    assert tl.load(toy_scene()).judge(tl.Action("done")).legal


# --- texts that are no JSON

TEXTS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "cut off": (b'{"format": "tapeline-scene/1",', "is not JSON"),
    "a comma too many": (b'{"a": 1,}', "is not JSON"),
    "single quotes": (b"{'a': 1}", "is not JSON"),
    "two documents": (b"{} {}", "is not JSON: Extra data"),
    "a comment": (b"{} // scene", "is not JSON"),
    "no UTF-8": (b'{"a": "\xff"}', "is not UTF-8 text (byte 7)"),
    "UTF-16": ("{}".encode("utf-16"), "is not UTF-8"),
    "nan": (b'{"a": [1, NaN]}', "a[1]: NaN is not a number that JSON knows"),
    "infinity": (b'{"a": -Infinity}', "-Infinity is not a number"),
    "too large": (b'{"a": 1e999}', "a: 1e999 is too large a number"),
    "a key twice": (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
    "a key twice deep inside": (b'{"a": [{"b": 1, "b": 1}]}', "the key 'b' stands twice"),
    "endless digits": (b'{"a": ' + b"1" * 5000 + b"}", "too long"),
    "endless depth": (b"[" * 100_000, "nested too deeply"),
    "a control character": (b'{"a": "\x01"}', "is not JSON"),
    "a zero byte": (b"\x00", "is not JSON"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_no_json(name: str, tmp_path: Any) -> None:
    text, words = TEXTS[name]
    path = tmp_path / "scene.json"
    path.write_bytes(text)
    with pytest.raises(DocumentError) as raised:
        tl.load(path)
    assert words in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_byte_order_mark_is_no_fault() -> None:
    assert parse_json(b"\xef\xbb\xbf{}", "x") == {}


def test_depth_within_a_scene() -> None:
    deep: Any = 1
    for _ in range(200_000):
        deep = [deep]
    with pytest.raises(DocumentError, match="nested too deeply"):
        tl.load(sc("turn", {"progress": {"a": deep}}))


# --- all at once


def test_faults_of_every_kind_come_at_once() -> None:
    scene = toy_scene(
        disc("R1", "red", 5, 5),
        disc("R2", "red", "five", 9),
        disc("B1", "blue", 8, 5, profile="cube"),
        disc("B2", "blue", 30, 20, state={"shoved": "x"}),
        disc("B3", "green", 12, 12),
        disc("B3", "blue", 5.5, 5),
        weather="rain",
    )
    scene["options"] = {"wind": "east"}
    scene["terrain"][0]["kind"] = "lava"
    scene["terrain"][1]["shape"] = {"polygon": [[0, 0], [4, 3], [4, 0], [0, 4]]}
    scene["terrain"].append({"id": "T3", "kind": "bog", "shape": 3})
    scene["units"] = [{"id": "U1", "side": "blue", "members": ["B1", "Z9"]}]
    scene["turn"] = {"phase": "lunch"}
    found = faults(scene)
    paths = {path for path, _ in found}
    assert paths == {
        "weather",
        "models[1].position[0]",
        "terrain[2].shape",
        "options.wind",
        "terrain[0].kind",
        "terrain[1].shape.polygon",
        "models[2].profile",
        "models[3].position",
        "models[3].state.shoved",
        "models[4].side",
        "models[5].id",
        "models[5].position",
        "units[0].members[1]",
        "turn.phase",
    }
    assert ("models[5].id", "'B3' is already the id at models[4].id") in found


def test_a_lost_side_makes_no_false_faults() -> None:
    scene = sc("sides", [{"id": "red"}, {"id": "blue"}, {"id": "green", "name": 3}])
    scene["models"].append(disc("G1", "green", 20, 12))
    scene["models"].append(disc("G2", "green", 20, 12))
    scene["units"].append({"id": "U2", "side": "green", "members": ["G1"]})
    scene["turn"] = {"active": "green"}
    assert [path for path, _ in faults(scene)] == ["sides[2].name"]


def test_a_lost_member_makes_no_false_fault() -> None:
    scene = sc("models", 3, "facing", "x")
    assert [path for path, _ in faults(scene)] == ["models[3].facing"]


def test_an_unknown_system_comes_with_the_other_faults() -> None:
    scene = changed(toy_scene(system="chess"), "models", 0, "side", "green")
    assert [path for path, _ in faults(scene)] == ["models[0].side", "system"]


def test_many_on_one_spot_is_not_a_flood() -> None:
    scene = toy_scene(*[disc(f"M{i}", "red", 12, 12) for i in range(400)])
    found = faults(scene)
    assert 399 <= len(found) <= 3 * 400


def test_a_full_table_loads_fast() -> None:
    import time

    models = [
        disc(f"M{i}", "red", 0.5 + 0.5 * (i % 47), 0.5 + 0.5 * (i // 47), base={"round_mm": 12})
        for i in range(2000)
        if i // 47 < 46
    ]
    scene = toy_scene(*models)
    start = time.process_time()
    tl.load(scene)
    assert time.process_time() - start < 2.0 * slowness()


def test_touching_is_no_overlap() -> None:
    for x in (7.0, 6.9999995):
        assert tl.load(sc("models", 2, "position", [x, 5])).judge(tl.Action("done")).legal


# --- actions

MOVE = {"kind": "move", "actor": "R1", "path": [{"to": [5, 4]}]}
ACTIONS: dict[str, tuple[Any, str, str]] = {
    "a list": ([], "", "must be an object with the key kind; got []"),
    "a text": ("move", "", "must be an object with the key kind; got 'move'"),
    "null": (None, "", "must be an object"),
    "kind missing": ({}, "kind", "is missing; Discs has move, shove, glide, done"),
    "kind null": ({"kind": None}, "kind", "is missing"),
    "kind of nobody": ({"kind": "charge"}, "kind", "no action 'charge'; it has move, shove"),
    "kind a list": ({"kind": ["move"]}, "kind", "no action ['move']"),
    "kind with capitals": ({"kind": "Move"}, "kind", "no action 'Move'"),
    "actor missing": ({"kind": "glide"}, "actor", "is missing"),
    "actor a number": ({"kind": "glide", "actor": 3}, "actor", "must be a text; got 3"),
    "actor null": ({"kind": "glide", "actor": None}, "actor", "must be a text; got None"),
    "strange key": ({**MOVE, "speed": 3}, "speed", "is not a known key"),
    "path missing": ({"kind": "move", "actor": "R1"}, "path", "is missing"),
    "path an object": ({**MOVE, "path": {}}, "path", "must be a list"),
    "leg a point": ({**MOVE, "path": [[5, 4]]}, "path[0]", "must be an object"),
    "leg of nothing": ({**MOVE, "path": [{}]}, "path[0]", "not both and not neither"),
    "leg straight and turning": (
        {**MOVE, "path": [{"to": [5, 4], "by": 3}]},
        "path[0]",
        "not both and not neither",
    ),
    "arc without angle": ({**MOVE, "path": [{"centre": [5, 4]}]}, "path[0]", "not neither"),
    "turn that climbs": ({**MOVE, "path": [{"by": 3, "z": 1}]}, "path[0]", "straight leg"),
    "second leg": (
        {**MOVE, "path": [{"to": [5, 4]}, {"to": [5, "x"]}]},
        "path[1].to[1]",
        "must be a number",
    ),
    "leg to three figures": ({**MOVE, "path": [{"to": [1, 2, 3]}]}, "path[0].to", "at most 2"),
    "leg to one figure": ({**MOVE, "path": [{"to": [1]}]}, "path[0].to[1]", "is missing"),
    "leg to nan": ({**MOVE, "path": [{"to": [float("nan"), 1]}]}, "path[0].to[0]", "finite"),
    "leg to a huge number": ({**MOVE, "path": [{"to": [HUGE, 1]}]}, "path[0].to[0]", "must be"),
    "strange key of a leg": (
        {**MOVE, "path": [{"to": [5, 4], "via": 1}]},
        "path[0].via",
        "is not a known key",
    ),
    "manner a number": ({**MOVE, "path": [{"to": [5, 4], "how": 1}]}, "path[0].how", "a text"),
    "what no document holds": ({**MOVE, "path": {1, 2}}, "", "cannot be written as JSON"),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_malformed_actions(name: str) -> None:
    document, path, words = ACTIONS[name]
    with pytest.raises(DocumentError) as raised:
        tl.load(toy_scene()).judge(document)
    assert [f.path for f in raised.value.faults] == [path]
    assert words in raised.value.faults[0].message


def test_all_faults_of_an_action_at_once() -> None:
    with pytest.raises(DocumentError) as raised:
        tl.load(toy_scene()).judge({"kind": "move", "actor": 3, "path": [{"to": 1}, {}], "x": 1})
    assert {f.path for f in raised.value.faults} == {"actor", "path[0].to", "path[1]", "x"}


@pytest.mark.parametrize("to", [[1e300, 1e300], [-1e308, 0], [1e-320, 5]])
def test_far_away_is_illegal_not_an_error(to: list[float]) -> None:
    try:
        verdict = tl.load(toy_scene()).judge({**MOVE, "path": [{"to": to}]})
    except TapelineError:
        return
    assert not verdict.legal or to == [1e-320, 5]


def test_messages_can_be_printed() -> None:
    scene = toy_scene(disc("R1", "red", 5, 5, profile="\x1b[31m\u202e"))
    scene["odd\x1b\ud800key"] = 1
    with pytest.raises(DocumentError) as raised:
        tl.load(scene)
    text = str(raised.value)
    assert text.encode("utf-8")
    assert "\x1b" not in text
    assert json.dumps(text)


def test_a_wall_without_length_is_a_fault_and_nothing_is_built_on_it() -> None:
    scene = {
        "format": "tapeline-scene/1",
        "system": "mordheim",
        "table": {"width": 24, "depth": 24, "unit": "in"},
        "terrain": [
            {"id": "w", "wall": [[4, 4], [9, 4], [9, 4]], "height": 3},
            {"id": "f", "floor": {"rectangle": {"centre": [6, 6], "width": 4, "depth": 4}}, "z": 3},
        ],
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": [{"id": "m", "side": "red", "profile": "Mercenary Warrior", "position": [6, 6]}],
    }
    with pytest.raises(DocumentError, match=r"terrain\[0\]\.wall\[1\]: corner .* stands twice"):
        tl.load(scene)
