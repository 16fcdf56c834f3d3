"""The case runner: every kind of expectation can fail, and malformed cases say where."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from support.scenes import disc, toy_scene
from tapeline.errors import DocumentError
from tapeline.play.cases import case_files, read_cases, run_case_file

MOVE = {"kind": "move", "actor": "R1", "path": [{"to": [5, 3]}, {"to": [3, 3]}]}


def case(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "format": "tapeline-case/1",
        "id": "TY-1",
        "scene": toy_scene(),
        "steps": list(steps),
        **more,
    }


def run(document: Any, tmp_path: Path) -> Any:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(document))
    results = run_case_file(path)
    return results if isinstance(document, list) else results[0]


# Steps that all come out as expected; each key is then changed in turn.
STEPS: list[dict[str, Any]] = [
    {
        "action": {**MOVE, "path": [{"to": [5, -3]}]},
        "expect": {
            "verdict": "ILLEGAL",
            "findings": ["TY-MOV-2", "TY-MOV-5"],
            "details": {
                "TY-MOV-2": {"measured": 8, "limit": 5, "about": None},
                "TY-MOV-5": {"measured": 4, "place": [5, -3]},
            },
            "bodies": {"R1": {"position": [5, 5]}},
        },
    },
    {
        "action": {**MOVE, "actor": "B1", "path": [{"to": [5, -1]}]},
        "expect": {"findings": ["TY-ACT-1", "TY-MOV-2", "TY-MOV-5"], "nearest": None},
    },
    {
        "action": {**MOVE, "path": [{"to": [2, 5]}, {"to": [2, 10]}]},
        "expect": {
            "nearest": {"how": "prefix", "short_by": 3, "path": [{"to": [2, 5]}, {"to": [2, 7]}]},
        },
    },
    {
        "action": MOVE,
        "expect": {
            "verdict": "LEGAL",
            "findings": [],
            "cites": ["TY-MOV-6"],
            "pending": None,
            "cost": 4,
            "values": {"left": 1, "right": None},
            "bodies": {
                "R1": {
                    "position": [3, 3],
                    "z": 0,
                    "facing": 0,
                    "gone": False,
                    "marks": {"flying": None},
                },
                "B2": {"marks": {"shoved": 1}},
            },
            "turn": {"active": "red", "round": 1},
            "progress": {"moved": ["R1"], "other": None},
        },
    },
    {"action": {"kind": "glide", "actor": "B1"}, "expect": {"verdict": "FORCED", "cost": 0}},
    {"action": {"kind": "move", "actor": "R2", "path": [{"to": [9, 7]}]}, "expect": {}},
    {
        "action": {"kind": "shove", "actor": "R2", "target": "B1"},
        "expect": {"verdict": "LEGAL", "pending": "roll"},
    },
    {
        "dice": [[5]],
        "expect": {"verdict": "CHOICE", "pending": "choice", "values": {"shown": 5}},
    },
    {
        "answers": ["spin"],
        "expect": {"pending": "choice", "cites": ["TY-SHV-3", "TY-SHV-4"]},
    },
    {"answers": [1], "expect": {"bodies": {"B1": {"facing": -90}}, "pending": None}},
]

# Where to write what, and words that the complaint then holds.
WRONG: dict[str, tuple[int, tuple[Any, ...], Any, str]] = {
    "verdict": (3, ("verdict",), "ILLEGAL", "verdict LEGAL, expected ILLEGAL"),
    "verdict with its reasons": (0, ("verdict",), "LEGAL", "TY-MOV-2: 8.000 in is more than 5"),
    "forced": (4, ("verdict",), "LEGAL", "verdict FORCED, expected LEGAL"),
    "findings missing": (0, ("findings",), ["TY-MOV-2"], "findings ['TY-MOV-2', 'TY-MOV-5']"),
    "findings too many": (0, ("findings",), ["TY-MOV-2", "TY-MOV-3", "TY-MOV-5"], "findings"),
    "findings none": (0, ("findings",), [], "findings"),
    "findings of a legal move": (3, ("findings",), ["TY-MOV-2"], "findings []"),
    "cites": (3, ("cites",), ["TY-MOV-6", "TY-FLY-1"], "does not cite ['TY-FLY-1']"),
    "pending roll": (6, ("pending",), None, "pending roll (shove), expected None"),
    "pending roll for choice": (6, ("pending",), "choice", "pending roll (shove), expected choice"),
    "pending nothing": (3, ("pending",), "roll", "pending None, expected roll"),
    "pending choice": (7, ("pending",), "roll", "pending choice (what to do with it)"),
    "cost": (3, ("cost",), 4.00001, "cost is 4.0, expected 4.00001"),
    "cost null": (3, ("cost",), None, "cost is 4.0, expected None"),
    "values": (3, ("values", "left"), 1.00001, "values.left is 1.0, expected 1.00001"),
    "values of another kind": (3, ("values", "left"), True, "values.left"),
    "values text for a number": (7, ("values", "shown"), "5", "values.shown is 5, expected '5'"),
    "values absent": (3, ("values", "right"), 1, "values.right is None"),
    "values present": (3, ("values", "left"), None, "values.left is 1.0, expected None"),
    "position": (3, ("bodies", "R1", "position"), [3, 3.00001], "R1.position is [3.0, 3.0]"),
    "position of another length": (3, ("bodies", "R1", "position"), [3, 3, 0], "R1.position"),
    "position after a refusal": (0, ("bodies", "R1", "position"), [5, 4], "R1.position"),
    "z": (3, ("bodies", "R1", "z"), 1, "R1.z is 0.0, expected 1"),
    "facing": (9, ("bodies", "B1", "facing"), 90, "B1.facing is 270, expected 90"),
    "gone": (3, ("bodies", "R1", "gone"), True, "R1 is on the table"),
    "mark": (3, ("bodies", "B2", "marks", "shoved"), 2, "B2.marks.shoved is 1, expected 2"),
    "mark absent": (3, ("bodies", "B2", "marks", "shoved"), None, "B2.marks.shoved is 1"),
    "mark present": (3, ("bodies", "R1", "marks", "flying"), True, "R1.marks.flying is None"),
    "mark true for one": (3, ("bodies", "B2", "marks", "shoved"), True, "B2.marks.shoved"),
    "turn": (3, ("turn", "active"), "blue", "turn.active is 'red', expected 'blue'"),
    "turn round": (3, ("turn", "round"), 2, "turn.round is 1, expected 2"),
    "progress": (3, ("progress", "moved"), [], "progress.moved is ['R1'], expected []"),
    "progress absent": (3, ("progress", "moved"), None, "progress.moved is ['R1']"),
    "details measured": (0, ("details", "TY-MOV-2", "measured"), 8.1, "TY-MOV-2.measured is 8.0"),
    "details limit": (0, ("details", "TY-MOV-2", "limit"), 6, "TY-MOV-2.limit is 5.0"),
    "details about": (0, ("details", "TY-MOV-2", "about"), "B1", "TY-MOV-2.about is None"),
    "details place": (0, ("details", "TY-MOV-5", "place"), [5, 3], "TY-MOV-5.place"),
    "details of no such finding": (0, ("details",), {"TY-MOV-3": {}}, "no finding of TY-MOV-3"),
    "nearest": (2, ("nearest", "short_by"), 2, "nearest.short_by is"),
    "nearest how": (2, ("nearest", "how"), "end", "nearest.how is 'prefix'"),
    "nearest path": (2, ("nearest", "path"), [{"to": [2, 5]}], "nearest.path is"),
    "nearest where none is": (1, ("nearest",), {"how": "prefix"}, "no nearest legal move"),
    "no nearest where one is": (2, ("nearest",), None, "nearest"),
    "the last facing": (9, ("bodies", "B1", "facing"), -90.1, "B1.facing"),
}


def test_all_as_expected(tmp_path: Path) -> None:
    result = run(case(*STEPS), tmp_path)
    assert [step.wrong for step in result.steps] == [()] * len(STEPS)
    assert result.passed


@pytest.mark.parametrize("name", WRONG)
def test_every_expectation_can_fail(name: str, tmp_path: Path) -> None:
    index, keys, value, words = WRONG[name]
    steps = copy.deepcopy(STEPS)
    at = steps[index]["expect"]
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = value
    result = run(case(*steps), tmp_path)
    assert not result.passed
    assert words in " / ".join(result.steps[index].wrong)
    assert all(not step.wrong for step in result.steps if step.index != index)


def test_every_key_of_an_expectation_is_tried() -> None:
    from tapeline.play.cases import BodyExpectDoc, ExpectDoc

    tried = {keys[0] for _, keys, _, _ in WRONG.values()}
    assert tried == set(ExpectDoc.model_fields)
    bodies = {keys[2] for _, keys, _, _ in WRONG.values() if keys[0] == "bodies" and keys[2:]}
    assert bodies == set(BodyExpectDoc.model_fields)


#: What an expectation names that is not there, where that is said, and words of it.
UNKNOWN: dict[str, tuple[Any, str, str]] = {
    "finding": ({"findings": ["TY-MOV-22"]}, "findings", "did you mean TY-MOV-2"),
    "finding unlike any": ({"findings": ["WM-9"]}, "findings", "`tapeline rules toy` lists all"),
    "cited": ({"cites": ["TY-MVO-2"]}, "cites", "did you mean TY-MOV-2"),
    "details of": ({"details": {"TY-MOV-22": {}}}, "details", "did you mean TY-MOV-2"),
    "figure": (
        {"details": {"TY-MOV-2": {"mesured": 1}}},
        "details.TY-MOV-2.mesured",
        "no figure of a finding 'mesured'; did you mean measured?",
    ),
    "figure null": (
        {"details": {"TY-MOV-2": {"abuot": None}}},
        "details.TY-MOV-2.abuot",
        "did you mean about?",
    ),
    "value": ({"values": {"lefft": 1}}, "values.lefft", "no value 'lefft'; did you mean left?"),
    "value null": ({"values": {"lefft": None}}, "values.lefft", "did you mean left?"),
    "value unlike any": ({"values": {"x": 1}}, "values.x", "there are left, right, shown"),
    "mark": (
        {"bodies": {"B2": {"marks": {"shovd": 1}}}},
        "bodies.B2.marks.shovd",
        "no mark 'shovd'; did you mean shoved?",
    ),
    "mark null": (
        {"bodies": {"B2": {"marks": {"shovd": None}}}},
        "bodies.B2.marks.shovd",
        "shoved",
    ),
    "body": ({"bodies": {"R11": {}}}, "bodies.R11", "the id 'R11'; did you mean R1"),
    "body unlike any": ({"bodies": {"Z9": {}}}, "bodies.Z9", "there are R1, R2, B1, B2"),
    "progress": ({"progress": {"move": []}}, "progress.move", "did you mean moved?"),
    "progress null": ({"progress": {"move": None}}, "progress.move", "did you mean moved?"),
    "turn": ({"turn": {"actve": "red"}}, "turn.actve", "did you mean active?"),
    "turn null": ({"turn": {"xyz": None}}, "turn.xyz", "there are round, phase, active"),
    "nearest": ({"nearest": {"short": 3}}, "nearest.short", "did you mean short_by?"),
    "nearest leg": (
        {"nearest": {"path": [{"to": [2, 5], "zz": None}]}},
        "nearest.path[0].zz",
        "did you mean z?",
    ),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_name_that_is_not_known_is_an_error(name: str, tmp_path: Path) -> None:
    expect, place, words = UNKNOWN[name]
    with pytest.raises(DocumentError) as raised:
        run(case({"action": MOVE}, {"action": MOVE, "expect": expect}), tmp_path)
    assert [fault.path for fault in raised.value.faults] == [f"steps[1].expect.{place}"]
    assert words in raised.value.faults[0].message


def test_all_names_that_are_not_known_are_told_at_once(tmp_path: Path) -> None:
    both = {"values": {"lefft": 1, "ghost": None}, "cites": ["TY-1"]}
    with pytest.raises(DocumentError) as raised:
        run(case({"action": MOVE, "expect": both}), tmp_path)
    assert len(raised.value.faults) == 3


def test_every_kind_of_name_is_checked() -> None:
    from tapeline.play.cases import ExpectDoc

    named = {place.partition(".")[0] for _, place, _ in UNKNOWN.values()}
    assert named == set(ExpectDoc.model_fields) - {"verdict", "pending", "cost"}


@pytest.mark.parametrize("expect", [None, {}, {"verdict": "LEGAL"}, {"values": {"shown": None}}])
def test_a_step_that_ends_at_a_question_says_so(expect: Any, tmp_path: Path) -> None:
    shove = {"action": {"kind": "shove", "actor": "R1", "target": "B1"}}
    step = shove if expect is None else {**shove, "expect": expect}
    result = run(case(step), tmp_path)
    assert not result.passed
    assert result.steps[0].wrong == (
        'ends at an open roll (shove); expect it by "pending": "roll"',
    )
    chosen = {**step, "dice": [[6]]}
    told = run(case(chosen), tmp_path).steps[0].wrong
    assert any(words.startswith("ends at an open choice") for words in told)
    assert run(case({**shove, "expect": {"pending": "roll"}}), tmp_path).passed


def test_left_over_dice_and_answers_fail(tmp_path: Path) -> None:
    result = run(case({"action": MOVE, "dice": [[3]], "answers": [1, 2]}), tmp_path)
    assert not result.passed
    assert result.steps[0].wrong == (
        "1 roll of dice was not asked for",
        "2 answers were not asked for",
    )


def test_wrong_dice_are_a_refusal(tmp_path: Path) -> None:
    shove = {"kind": "shove", "actor": "R1", "target": "B1"}
    step = {"action": shove, "dice": [[3, 4]], "expect": {"verdict": "ILLEGAL", "pending": "roll"}}
    assert run(case(step), tmp_path).passed


def test_without_expectation_legal_is_as_expected(tmp_path: Path) -> None:
    assert run(case({"action": MOVE}), tmp_path).passed
    assert not run(case({"action": {**MOVE, "path": [{"to": [5, 23]}]}}), tmp_path).passed


def test_options_and_tolerance_of_a_case(tmp_path: Path) -> None:
    shove = {"action": {"kind": "shove", "actor": "R1", "target": "B1"}, "dice": [[4]]}
    held = {**shove, "expect": {"pending": None}}
    assert not run(case(held), tmp_path).passed
    assert run(case(held, options={"shove.die": "5+"}), tmp_path).passed
    near = {"action": MOVE, "expect": {"values": {"left": 1.01}}}
    assert not run(case(near), tmp_path).passed
    assert run(case(near, tolerance=0.02), tmp_path).passed


def test_a_scene_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(toy_scene()))
    assert run(case({"action": MOVE}, scene="scene.json"), tmp_path).passed
    with pytest.raises(DocumentError, match=r"scene: .*none\.json': No such file"):
        run(case({"action": MOVE}, scene="none.json"), tmp_path)


def test_a_list_of_cases_and_folders(tmp_path: Path) -> None:
    results = run([case({"action": MOVE}), case({"action": MOVE}, id="TY-2")], tmp_path)
    assert [r.id for r in results] == ["TY-1", "TY-2"]
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.json").write_text("{}")
    (tmp_path / "readme.md").write_text("no case")
    names = [p.name for p in case_files([tmp_path])]
    assert names == ["case.json", "a.json"]
    assert [p.name for p in case_files([tmp_path / "sub" / "a.json"])] == ["a.json"]


BAD: dict[str, tuple[Any, str]] = {
    "empty list": ([], "holds no case"),
    "a number": (3, "must be an object"),
    "null": (None, "must be an object"),
    "no format": ({}, "format: must be 'tapeline-case/1'; got None"),
    "another format": (case({}, format="x"), "format: must be 'tapeline-case/1'; got 'x'"),
    "no steps": (case(), "steps: must have at least 1 entries"),
    "strange key": (case({"action": MOVE}, mood=1), "mood: is not a known key"),
    "id a number": (case({"action": MOVE}, id=3), "id: must be a text; got 3"),
    "strange key in a step": (case({"actions": MOVE}), "steps[0].actions: is not a known key"),
    "strange expectation": (
        case({"action": MOVE, "expect": {"verdicts": "LEGAL"}}),
        "steps[0].expect.verdicts: is not a known key",
    ),
    "no such verdict": (
        case({"action": MOVE, "expect": {"verdict": "legal"}}),
        "steps[0].expect.verdict: must be 'LEGAL', 'STOPPED'",
    ),
    "dice no lists": (case({"action": MOVE, "dice": [3]}), "steps[0].dice[0]: must be a list"),
    "dice of halves": (
        case({"action": MOVE, "dice": [[1.5]]}),
        "steps[0].dice[0][0]: must be a whole number; got 1.5",
    ),
    "tolerance zero": (case({"action": MOVE}, tolerance=0), "tolerance: must be more than 0"),
    "an action of no kind": (
        case({"action": {"kind": "charge"}}),
        "steps[0].action.kind: Discs has no action 'charge'",
    ),
    "an action without figures": (
        case({"action": {"kind": "move", "actor": "R1"}}),
        "steps[0].action.path: is missing",
    ),
    "an actor that is not there": (
        case({"action": {**MOVE, "actor": "R9"}}),
        "nothing on the table has the id 'R9'",
    ),
    "no action to begin with": (
        case({"dice": [[3]]}),
        "steps[0]: has no action, and no question is open",
    ),
    "a step after all is said": (
        case({"action": MOVE}, {"answers": [1]}),
        "steps[1]: has no action, and no question is open",
    ),
    "an action while a question is open": (
        case({"action": {"kind": "shove", "actor": "R1", "target": "B1"}}, {"action": MOVE}),
        "steps[1]: begins an action while a question is open: shove",
    ),
    "a path that is none": (
        case(
            {"action": {"kind": "shove", "actor": "R1", "target": "B1"}, "dice": [[6]]},
            {"answers": ["push", [{"to": [1]}]]},
        ),
        "steps[1]: path[0].to must be a point [x, y]",
    ),
    "a scene with faults": (
        case({"action": MOVE}, scene=toy_scene(disc("R1", "red", 5, 5, profile="cube"))),
        "scene.models[0].profile: Discs knows no profile 'cube'",
    ),
    "a scene of no system": (
        case({"action": MOVE}, scene=toy_scene(system="chess")),
        "no rule system 'chess' is installed",
    ),
    "a scene that is a list": (
        case({"action": MOVE}, scene=[]),
        "scene: must be an object or a text; got []",
    ),
    "options of nobody": (
        case({"action": MOVE}, options={"wind": "east"}),
        "scene.options.wind: Discs has no such option",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_malformed_cases(name: str, tmp_path: Path) -> None:
    document, words = BAD[name]
    with pytest.raises(DocumentError) as raised:
        run(document, tmp_path)
    assert words in str(raised.value)
    if isinstance(document, dict):
        with pytest.raises(DocumentError) as raised:
            run([case({"action": MOVE}), document], tmp_path)
        assert words in str(raised.value)


def test_every_bad_case_of_a_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps([case({"action": MOVE}), case(), 3, case({"act": 1}, id="")]))
    with pytest.raises(DocumentError) as raised:
        read_cases(path)
    assert [f.path for f in raised.value.faults] == [
        "[1].steps",
        "[2]",
        "[3].id",
        "[3].steps[0].act",
    ]


def _with_scene(folder: Path, name: str) -> Path:
    """A case file in a folder whose scene is in the file of that name."""
    folder.mkdir(exist_ok=True)
    steps = [{"action": MOVE}]
    case = {"format": "tapeline-case/1", "id": "c", "scene": name, "steps": steps}
    path = folder / "case.json"
    path.write_text(json.dumps(case))
    return path


@pytest.mark.parametrize("name", ["scene.json", "below/scene.json", "here.json"])
def test_the_scene_of_a_case_is_a_file_beside_it(tmp_path: Path, name: str) -> None:
    path = _with_scene(tmp_path / "cases", name)
    (path.parent / "below").mkdir()
    for place in ("", "below"):
        (path.parent / place / "scene.json").write_text(json.dumps(toy_scene()))
    (path.parent / "here.json").symlink_to("below/scene.json")
    assert run_case_file(path)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../scene.json", "must be a file beside"),
        ("below/../../scene.json", "must be a file beside"),
        ("{}/scene.json", "must be a file beside"),
        ("/dev/zero", "must be a file beside"),
        ("out.json", "must be a file beside"),
        ("below/device.json", "must be a file beside"),
        ("way/scene.json", "must be a file beside"),
        ("fifo", "must be a regular file"),
        (".", "must be a regular file"),
        ("below", "must be a regular file"),
        ("none.json", "No such file"),
        ("round", "oop"),
        ("nul\x00", "null byte"),
        ("x" * 5_000, "name too long"),
        ("below/scene.json/x", "Not a directory"),
    ],
)
def test_a_case_opens_no_other_file(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(toy_scene()))
    path = _with_scene(tmp_path / "cases", name.format(tmp_path))
    here = path.parent
    (here / "below").mkdir()
    (here / "below" / "scene.json").write_text(json.dumps(toy_scene()))
    (here / "out.json").symlink_to(tmp_path / "scene.json")
    (here / "way").symlink_to(tmp_path)
    (here / "round").symlink_to("round")
    (here / "below" / "device.json").symlink_to("/dev/zero")
    os.mkfifo(here / "fifo")
    with pytest.raises(DocumentError) as error:
        run_case_file(path)
    [fault] = error.value.faults
    assert fault.path.startswith("scene")
    assert says.lower() in fault.message.lower()


def test_a_folder_of_cases_holds_files(tmp_path: Path) -> None:
    path = _with_scene(tmp_path, "scene.json")
    os.mkfifo(tmp_path / "fifo.json")
    (tmp_path / "folder.json").mkdir()
    assert [*case_files([tmp_path])] == [path]
