"""Every command: what it prints, its exit code, and that bad input gives a plain error."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from glob import glob
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from support.scenes import disc, toy_scene
from tapeline.cli.app import COMMANDS, app
from tapeline.cli.shortform import EXAMPLES, read_action
from tapeline.errors import DocumentError
from tapeline.play.entries import Result as Ended
from tapeline.play.match import Match

Run = Callable[..., Result]
Write = Callable[[str, Any], str]
ROOT = Path(__file__).parents[2]


def data(result: Result) -> Any:
    return json.loads(result.stdout)


# All of them


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_examples_and_json(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert "--json" in result.output
    command = app.get_command(click.Context(app), name)
    assert command is not None
    for option in command.params:
        if isinstance(option, click.Option) and option.name not in {"number", "theme", "seed"}:
            assert option.help, option.name


def test_help_and_version(run: Run) -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    assert all(name in shown.output for name in COMMANDS)
    assert run("--version").output.startswith("tapeline, version ")


@pytest.mark.parametrize(
    "words",
    [
        ("judge", "missing.json"),
        ("judge", "scene.json"),
        ("judge", "scene.json", "-a", "fly R1"),
        ("judge", "scene.json", "-a", "move R9 path=1,1"),
        ("judge", "scene.json", "-a", "move R1 path=1"),
        ("judge", "scene.json", "-a", "move R1 path=nan,1"),
        ("judge", "scene.json", "-a", "{"),
        ("judge", "scene.json", "-a", "[1]"),
        ("judge", "scene.json", "-a", "@missing.json"),
        ("judge", "scene.json", "-a", "move 'R1"),
        ("judge", "scene.json", "-a", ""),
        ("judge", "scene.json", "-a", "shove R1 target=B1", "--dice", "x"),
        ("judge", "scene.json", "-a", "shove R1 target=B1", "--dice", "1", "--seed", "2"),
        ("judge", "scene.json", "-a", "shove R1 target=B1", "--dice", "1,2,3"),
        ("judge", "scene.json", "-a", "shove R1 target=B1", "-a", "done"),
        ("judge", "scene.json", "--dice", "1"),
        ("judge", "broken.json"),
        ("judge", "."),
        ("draw", "scene.json", "-o", "picture.gif"),
        ("draw", "scene.json", "-o", "picture.svg", "--step", "1"),
        ("draw", "scene.json", "-o", "picture.svg", "--case", "good"),
        ("draw", "cases.json", "-o", "picture.svg"),
        ("draw", "cases.json", "-o", "picture.svg", "--case", "none"),
        ("draw", "cases.json", "-o", "picture.svg", "--case", "good", "--step", "7"),
        ("draw", "cases.json", "-o", "picture.svg", "-a", "done"),
        ("odds", "scene.json", "fly", "R1"),
        ("odds", "cases.json", "done"),
        ("offers", "broken.json"),
        ("offers", "scene.json", "--kind", "fly"),
        ("do", "scene.json", "-a", "done"),
        ("do", "scene.json", "-a", "done", "-o", "broken.json"),
        ("do", "scene.json", "-a", "done", "-o", "game.log", "--dice", "3"),
        ("do", "scene.json", "-a", "done", "-o", "game.log", "--answer", "spin"),
        ("do", "scene.json", "-a", "done", "-o", "game.log", "--draw", "table.gif"),
        ("do", "scene.json", "--override", '{"event": "moved"}', "-o", "game.log"),
        ("do", "scene.json", "--undo", "1", "-o", "game.log"),
        ("replay", "scene.json"),
        ("replay", "missing.log"),
        ("rules", "chess"),
        ("check", "broken.json"),
        ("check", "list.json"),
        ("new", "chess"),
        ("new", "toy", "--template", "siege"),
        ("new", "toy", "--template", "duel", "--random", "1"),
        ("new", "toy", "-o", "scene.json"),
        ("gallery", "nowhere"),
        ("gallery", "empty"),
    ],
)
def test_bad_input_ends_with_2_and_says_why_on_stderr(
    run: Run, scene: str, cases: str, write: Write, tmp_path: Path, words: tuple[str, ...]
) -> None:
    write("broken.json", '{"format": "tapeline-scene/1", "system": "toy"}')
    write("list.json", "[]")
    (tmp_path / "empty").mkdir()
    before = sorted(tmp_path.iterdir())
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.stderr.strip()
    assert sorted(tmp_path.iterdir()) == before, "nothing is written"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("judge", "empty.json"), "empty.json: 1 fault\n  is empty"),
        (("judge", "cut.json"), "is not JSON: Unterminated string starting at line 1, column 2"),
        (("replay", "scene.json"), "is a scene; a log is needed"),
        (("replay", "cases.json"), "is a case; a log is needed"),
        (("offers", "scene.json", "--kind", "fly"), "--kind: Discs has no action 'fly'; it"),
        (("see", "scene.json", "R1", "--on", "B1", "--at", "1"), "--at: 1 fault"),
        (("draw", "scene.json", "-o", "a.svg", "--case", "b"), "--case: holds no cases; it is a"),
        (("draw", "scene.json", "-o", "a.svg", "--step", "1"), "the log has 0 entries; got 1"),
        (("opponent", "missing.json", "-o", "scene.json"), "scene.json: 1 fault\n  exists already"),
        (("roster", "toy", "empty.json"), "empty.json: 1 fault\n  is empty"),
        (("draw", "scene.json", "-o", "cut.json/a.svg"), "cut.json/a.svg: Not a directory"),
    ],
)
def test_a_fault_is_named_where_it_is(
    run: Run, scene: str, cases: str, write: Write, words: tuple[str, ...], told: str
) -> None:
    write("empty.json", " \n")
    write("cut.json", '["a')
    assert told in run(*words).stderr


# judge


def test_judge_tells_cases_as_expected_from_those_that_are_not(run: Run, cases: str) -> None:
    result = run("judge", cases)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["ok", "good", "ILLEGAL", "about", "good"]
    assert lines[1].startswith("WRONG  wrong")
    assert "step 1: verdict ILLEGAL, expected LEGAL" in lines[2]
    assert lines[-1] == "2 of 3 cases as expected"


def test_judge_failed_prints_only_those(run: Run, cases: str) -> None:
    result = run("judge", cases, "--failed")
    assert "good" not in result.stdout
    assert "WRONG  wrong" in result.stdout
    assert result.stdout.splitlines()[-1] == "2 of 3 cases as expected"
    found = data(run("judge", cases, "--failed", "--json"))
    assert [case["id"] for case in found["cases"]] == ["wrong"]
    assert (found["judged"], found["as_expected"]) == (3, 2)


def test_judge_json_has_every_step(run: Run, cases: str) -> None:
    found = data(run("judge", cases, "--json"))
    assert found["format"] == "tapeline-judged/1"
    assert (found["judged"], found["as_expected"], found["errors"]) == (3, 2, [])
    assert [case["as_expected"] for case in found["cases"]] == [True, False, True]
    step = found["cases"][0]["steps"][0]
    assert step["verdict"]["kind"] == "ILLEGAL"
    assert step["verdict"]["findings"][0]["clause"] == "TY-MOV-2"


def test_judge_folders_passes_over_scenes_and_goes_on_after_a_malformed_file(
    run: Run, cases: str, write: Write
) -> None:
    write("bad.json", "{")
    result = run("judge", ".", "--json")
    assert result.exit_code == 2
    found = data(result)
    assert (found["judged"], found["as_expected"], found["unusable"]) == (4, 2, 1)
    assert len(found["errors"]) == 1
    assert "bad.json" in result.stderr
    told = run("judge", "bad.json", "gone.json", cases)
    assert told.exit_code == 2
    assert told.stdout.splitlines()[-1] == "2 of 5 cases as expected; 2 could not be judged"
    assert "gone.json: No such file" in told.stderr


def test_judge_a_bad_case_of_a_file_leaves_the_others(run: Run, write: Write, cases: str) -> None:
    items = json.loads(Path(cases).read_text())
    items[0]["steps"][0]["expect"]["values"] = {"lefft": None}
    items.insert(1, {"format": "tapeline-case/1", "id": "empty"})
    items[-1]["steps"][0]["action"]["actor"] = "R9"
    items.append({**items[-1], "id": "lost", "scene": "gone.json"})
    items.append({**items[2], "id": "good", "steps": [{"action": {"kind": "done"}}]})
    result = run("judge", write("some.json", items))
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1] == "1 of 6 cases as expected; 4 could not be judged"
    for words in ("did you mean left?", "[1].scene: is missing", "the id 'R9'", "gone.json"):
        assert words in result.stderr
    checked = run("check", "some.json")
    assert checked.exit_code == 2


def test_judge_a_case_without_expectation_fails_when_illegal(run: Run, write: Write) -> None:
    far = {"kind": "move", "actor": "R1", "path": [{"to": [5, 23]}]}
    case = {
        "format": "tapeline-case/1",
        "id": "x",
        "scene": toy_scene(),
        "steps": [{"action": far}],
    }
    result = run("judge", write("case.json", case))
    assert result.exit_code == 1
    assert "TY-MOV-2" in result.stdout


def test_judge_an_action_in_words(run: Run, scene: str) -> None:
    result = run("judge", scene, "-a", "move R1 path=5,15")
    assert result.exit_code == 1
    assert result.stdout.startswith("ILLEGAL   move R1 path=[[5, 15]]")
    assert "10.000 in is more than 5 in. (TY-MOV-2)" in result.stdout
    assert "measured 10, limit 5" in result.stdout
    assert "nearest legal move: The longest legal beginning of the path." in result.stdout


def test_the_nearest_legal_move_can_be_given_back(run: Run, scene: str) -> None:
    verdict = data(run("judge", scene, "-a", "move R1 path=5,15", "--json"))["actions"][0][
        "verdict"
    ]
    again = run("judge", scene, "-a", json.dumps(verdict["nearest"]["action"]), "--json")
    assert again.exit_code == 0
    assert data(again)["legal"] is True


def test_judge_carries_actions_on_and_writes_nothing(run: Run, scene: str, tmp_path: Path) -> None:
    before = (tmp_path / scene).read_text()
    result = run("judge", scene, "-a", "move R1 path=5,8", "-a", "move R1 path=5,9", "--json")
    assert result.exit_code == 1
    kinds = [action["verdict"]["kind"] for action in data(result)["actions"]]
    assert kinds == ["LEGAL", "ILLEGAL"]
    assert data(result)["actions"][1]["verdict"]["findings"][0]["clause"] == "TY-ACT-2"
    assert (tmp_path / scene).read_text() == before


def test_what_came_of_an_action_is_told_and_who_left_no_longer_stands(
    run: Run, write: Callable[[str, Any], str]
) -> None:
    regiments = [
        {"id": name, "side": side, "profile": "Infantry", "models": 10, "files": 5, **more}
        for name, side, more in (
            ("R", "red", {"position": [24, 5], "state": {"fleeing": True}}),
            ("B", "blue", {"position": [24, 30]}),
        )
    ]
    document = {
        "format": "tapeline-scene/1",
        "system": "sovl",
        "table": {"width": 48, "depth": 36, "unit": "in"},
        "sides": [{"id": "red"}, {"id": "blue"}],
        "units": regiments,
        "turn": {"active": "red", "phase": "flights"},
    }
    scene = write("flight.json", document)
    flight = ("-a", "flight R", "--dice", "6 6")
    for words in (("judge", scene, *flight), ("do", scene, *flight, "-o", "game.log")):
        told = run(*words).stdout
        assert "R was last at (24, 0.787), facing 270" in told
        assert "R reached the edge of the table: destroyed." in told


def test_judge_stops_at_the_question_when_dice_run_out(run: Run, scene: str) -> None:
    shove = ("judge", scene, "-a", "shove R1 target=B1", "--json")
    assert data(run(*shove))["actions"][0]["verdict"]["ask"]["ask"] == "roll"
    rolled = data(run(*shove, "--dice", "6"))["actions"][0]["verdict"]
    assert (rolled["kind"], rolled["ask"]["ask"]) == ("CHOICE", "choice")
    spun = data(run(*shove, "--dice", "6", "--answer", "spin", "--answer", "2"))
    assert spun["actions"][0]["verdict"]["moved"][0]["facing"] == 180
    assert "ask" not in spun["actions"][0]["verdict"]


def test_a_seed_gives_the_same_dice(run: Run, scene: str) -> None:
    words = ("judge", scene, "-a", "shove R1 target=B1", "--seed", "7", "--defaults", "--json")
    assert data(run(*words)) == data(run(*words))


def test_typed_dice_and_choices_are_asked_for_until_they_fit(run: Run, scene: str) -> None:
    result = run(
        "judge", scene, "-a", "shove R1 target=B1", "--type-dice", typed="7\nsix\n6\nfly\n2\n9\n3\n"
    )
    assert result.exit_code == 0
    assert "a D6 has no face 7" in result.stderr
    assert "'fly' is not among" in result.stderr
    assert "9 is not from 1 to 3" in result.stderr
    assert "facing 270" in result.stdout


def test_paths_are_answered_as_points(run: Run, scene: str) -> None:
    words = ("judge", scene, "-a", "shove R1 target=B1", "--json")
    given = run(*words, "--dice", "6", "--answer", "push", "--answer", "9,6:9,7")
    assert data(given)["actions"][0]["verdict"]["moved"][0]["end"] == [9, 7, 0]
    typed = run(*words, "--type-dice", typed="6\npush\n9,6\n")
    assert json.loads(typed.stdout)["actions"][0]["verdict"]["moved"][0]["end"] == [9, 6, 0]
    far = run(*words, "--dice", "6", "--answer", "push", "--answer", "9,16")
    assert far.exit_code == 1
    assert data(far)["actions"][0]["verdict"]["findings"][0]["clause"] == "TY-SHV-5"


def test_the_end_of_typed_input_is_an_error(run: Run, scene: str) -> None:
    result = run("judge", scene, "-a", "shove R1 target=B1", "--type-dice", typed="")
    assert result.exit_code == 2
    assert "input ended" in result.stderr


# draw


def test_draw_writes_an_svg_of_a_scene(run: Run, scene: str, tmp_path: Path) -> None:
    result = run("draw", scene, "-o", "deep/table.svg", "--theme", "dark")
    assert result.exit_code == 0
    root = ElementTree.parse(tmp_path / "deep" / "table.svg").getroot()
    assert root.tag.endswith("svg")
    assert len([item for item in root.iter() if item.get("class") == "body"]) == 3


def test_draw_an_action_shows_its_verdict(run: Run, scene: str, tmp_path: Path) -> None:
    result = run("draw", scene, "-a", "move R1 path=5,15", "-o", "refused.svg", "--json")
    assert data(result)["verdict"]["kind"] == "ILLEGAL"
    text = (tmp_path / "refused.svg").read_text()
    assert 'data-kind="ILLEGAL"' in text
    assert "TY-MOV-2" in text


def test_draw_carries_out_the_actions_before_the_last(run: Run, scene: str) -> None:
    words = ("-a", "move R1 path=5,8", "-a", "done", "-a", "move B1 path=8,9", "-o", "x.svg")
    assert data(run("draw", scene, *words, "--json"))["verdict"]["kind"] == "LEGAL"
    words = ("-a", "move R1 path=5,23", "-a", "done", "-o", "y.svg")
    result = run("draw", scene, *words)
    assert result.exit_code == 2
    assert "is illegal; the next cannot be drawn" in result.stderr


def test_draw_steps_of_a_case(run: Run, cases: str, tmp_path: Path) -> None:
    result = run("draw", cases, "--case", "wrong", "--step", "0", "-o", "step.svg")
    assert "(LEGAL)" in result.stdout
    assert "step 0 of 0 to 1" in (tmp_path / "step.svg").read_text()


def test_draw_png(run: Run, scene: str, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    assert run("draw", scene, "-o", "table.png").exit_code == 0
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")


def test_draw_png_without_the_extra_says_what_to_install(
    run: Run, scene: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = run("draw", scene, "-o", "table.png")
    assert result.exit_code == 2
    assert "pip install 'tapeline[png]'" in result.stderr


# odds


def test_odds_exact_as_fractions_and_shares(run: Run, scene: str) -> None:
    result = run("odds", scene, "shove", "R1", "target=B1")
    assert result.exit_code == 0
    assert "50.00 %  1/2  held" in result.stdout
    assert "exact, from 2 results" in result.stdout
    found = data(run("odds", scene, "shove R1 target=B1", "--json"))
    assert found["exact"] is True
    assert sum(outcome["chance"] for outcome in found["outcomes"]) == 1
    assert [outcome["fraction"] for outcome in found["outcomes"]] == [[1, 2], [1, 2]]


def test_odds_sampled_states_its_error(run: Run, scene: str) -> None:
    words = ("odds", scene, "shove R1 target=B1", "--guard", "1", "--samples", "400")
    result = run(*words)
    assert "sampled 400 runs from seed 0" in result.stdout
    assert "+- " in result.stdout
    found = data(run(*words, "--json"))
    assert found["exact"] is False
    assert all(0 < outcome["error"] < 0.1 for outcome in found["outcomes"])


def test_odds_of_an_illegal_action_give_the_verdict(run: Run, scene: str) -> None:
    result = run("odds", scene, "shove R1 target=B2")
    assert result.exit_code == 1
    assert "TY-SHV-1" in result.stdout


# offers


def test_what_is_offered_is_legal(run: Run, scene: str) -> None:
    offered = data(run("offers", scene, "--json"))["offers"]
    assert {offer["kind"] for offer in offered} >= {"move", "shove", "done"}
    for offer in offered:
        assert run("judge", scene, "-a", json.dumps(offer)).exit_code == 0
    lines = run("offers", scene, "--kind", "shove").stdout.splitlines()
    assert [read_action(line)["kind"] for line in lines] == ["shove"]


# do, replay


def test_a_game_from_the_command_line(run: Run, scene: str, tmp_path: Path) -> None:
    begun = run("do", scene, "-a", "shove R1 target=B1", "-o", "game.log", "--by", "Ann", "--json")
    assert begun.exit_code == 0
    assert data(begun)["ask"]["ask"] == "roll"
    assert run("offers", "game.log").exit_code == 2, "a question is open"
    assert run("do", "game.log", "-a", "done").exit_code == 2
    assert "CHOICE" in run("do", "game.log", "--dice", "6").stdout
    refused = run("do", "game.log", "--answer", "fly")
    assert refused.exit_code == 1
    assert "is not among" in refused.stdout
    assert run("do", "game.log", "--answer", "spin", "--answer", "1").exit_code == 0
    moved = data(run("do", "game.log", "-a", "move R1 path=5,9", "-a", "done", "--json"))
    assert moved["entries"] == 5
    assert run("do", "game.log", "--undo", "2").exit_code == 0
    pushed = '{"event": "moved", "body": "B2", "x": 10, "y": 20, "z": 0, "facing": 0}'
    agreed = run("do", "game.log", "--override", pushed, "--reason", "knocked over", "--by", "Bo")
    assert agreed.exit_code == 0
    assert len((tmp_path / "game.log").read_text().splitlines()) == 8
    replayed = run("replay", "game.log")
    assert replayed.exit_code == 0
    assert "7 entries: every hash agrees" in replayed.stdout
    assert "knocked over" in replayed.stdout
    judged = run("replay", "game.log", "--referee", "--json")
    assert data(judged)["agrees"] is True
    assert data(judged)["refereed"] is True
    drawn = run("replay", "game.log", "--to", "4", "--draw", "then.svg", "--json")
    assert data(drawn)["at"] == 4
    assert "after entry 4 of 7" in (tmp_path / "then.svg").read_text()
    assert run("replay", "game.log", "--to", "99").exit_code == 2


def test_answers_that_one_action_leaves_are_for_the_next(run: Run, scene: str) -> None:
    shoves = ("-a", "shove R1 target=B1", "-a", "shove R1 target=B1")
    answers = ("--answer", "spin", "--answer", "1", "--answer", "spin", "--answer", "1")
    done = run("do", scene, *shoves, "--dice", "6,6", *answers, "-o", "game.log", "--json")
    assert done.exit_code == 0, done.output
    assert data(done)["entries"] == 2


def test_replay_tells_how_a_match_ended(run: Run) -> None:
    match = Match.start(toy_scene())
    match.finish(Ended("resigned", winner="blue", loser="red"), by="red")
    match.save("over.log")
    replayed = run("replay", "over.log")
    assert replayed.exit_code == 0
    assert "red gave up: blue won." in replayed.stdout
    told = json.loads(run("replay", "over.log", "--json", "--referee").stdout)
    assert told["result"] == {"how": "resigned", "winner": "blue", "loser": "red"}
    assert "result" not in json.loads(run("replay", "over.log", "--json", "--to", "0").stdout)


def test_a_refused_action_is_not_written(run: Run, scene: str, tmp_path: Path) -> None:
    words = ("-a", "move R1 path=5,8", "-a", "move R1 path=5,9", "-a", "done")
    result = run("do", scene, *words, "-o", "game.log", "--json")
    assert result.exit_code == 1
    assert [item["verdict"]["kind"] for item in data(result)["done"]] == ["LEGAL", "ILLEGAL"]
    assert data(result)["entries"] == 1
    assert len((tmp_path / "game.log").read_text().splitlines()) == 2


def test_a_log_is_never_written_over(run: Run, scene: str) -> None:
    assert run("do", scene, "-a", "done", "-o", "game.log").exit_code == 0
    result = run("do", scene, "-a", "done", "-o", "game.log")
    assert result.exit_code == 2
    assert "exists already" in result.stderr


def test_a_log_can_be_continued_into_another(run: Run, scene: str, tmp_path: Path) -> None:
    run("do", scene, "-a", "done", "-o", "one.log")
    before = (tmp_path / "one.log").read_text()
    assert run("do", "one.log", "-a", "done", "-o", "two.log").exit_code == 0
    assert (tmp_path / "one.log").read_text() == before
    assert (tmp_path / "two.log").read_text().startswith(before)


def test_replay_names_the_entry_that_was_tampered_with(
    run: Run, scene: str, tmp_path: Path
) -> None:
    run("do", scene, "-a", "move R1 path=5,8", "-a", "done", "-o", "game.log")
    path = tmp_path / "game.log"
    path.write_text(path.read_text().replace('"y":8.0', '"y":8.5'))
    for words in (("replay", "game.log"), ("replay", "game.log", "--referee")):
        result = run(*words, "--json")
        assert result.exit_code == 1
        assert data(result)["differs"]["entry"] == 1
    checked = run("check", "game.log")
    assert checked.exit_code == 2
    assert "entry 1" in checked.stderr


# rules


def test_rules_finds_clauses_by_id_and_by_word(run: Run) -> None:
    by_id = data(run("rules", "toy", "ty-mov-2", "--json"))
    assert [clause["id"] for clause in by_id["clauses"]] == ["TY-MOV-2"]
    assert by_id["clauses"][0]["bars"] == ["move"]
    assert by_id["clauses"][0]["status"] == "enforced"
    by_words = data(run("rules", "toy", "shoved", "most", "--json"))
    assert [clause["id"] for clause in by_words["clauses"]] == ["TY-SHV-5"]
    text = run("rules", "toy").stdout
    assert "TY-FLY-1  [enforced; pick; lifts TY-MOV-3]" in text
    assert "Registered only: a definition" in text
    assert "4+ (default): four or more" in text
    assert run("rules", "toy", "castling").exit_code == 1


def test_rules_give_the_chapter_of_that_name_first(run: Run) -> None:
    found = [
        clause["id"]
        for clause in data(run("rules", "trench-crusade", "charge", "--json"))["clauses"]
    ]
    charge = [clause_id.startswith("TC-CHG") for clause_id in found]
    assert charge.count(True) == 15
    assert charge[:15] == [True] * 15
    assert len(charge) > 15


def test_rules_lists_the_systems(run: Run) -> None:
    assert "toy" in run("rules").stdout.splitlines()
    assert "toy" in data(run("rules", "--json"))["systems"]


# check, new, gallery


def test_check_tells_every_fault(run: Run, scene: str, cases: str, write: Write) -> None:
    bad = toy_scene(disc("R1", "red", 50, 5), disc("B1", "blue", 7, 5, profile="orb"))
    result = run("check", scene, cases, write("bad.json", bad), "--json")
    assert result.exit_code == 2
    files = data(result)["files"]
    assert [report["ok"] for report in files] == [True, True, False]
    paths = {fault["path"] for fault in files[2]["faults"]}
    assert paths == {"models[0].position", "models[1].profile"}
    assert "red 1, blue 2" in files[0]["summary"]


@pytest.mark.parametrize("words", [(), ("--template", "duel"), ("--template", "battle")])
def test_new_scenes_pass_check(run: Run, words: tuple[str, ...]) -> None:
    assert run("new", "toy", *words, "-o", "new.json").exit_code == 0
    assert run("check", "new.json").exit_code == 0


def test_new_at_random_is_sound_and_the_same_for_the_same_seed(
    run: Run, budget: Callable[[int, int], int]
) -> None:
    from tapeline.play.battle import load

    seen = set()
    for seed in range(budget(15, 500)):
        first = run("new", "toy", "--random", str(seed)).stdout
        assert run("new", "toy", "--random", str(seed)).stdout == first
        load(json.loads(first))
        seen.add(first)
    assert len(seen) == budget(15, 500)


def test_gallery_judges_and_draws_a_folder(
    run: Run, scene: str, cases: str, tmp_path: Path
) -> None:
    result = run("gallery", ".", "-o", "pictures", "--svg", "--json")
    assert result.exit_code == 1, "one case is wrong"
    found = {item["picture"]: item for item in data(result)["pictures"]}
    assert len(found) == 5
    assert found["pictures/scene.svg"]["says"] == "scene"
    assert found["pictures/cases-good.svg"]["says"] == "ILLEGAL"
    assert found["pictures/cases-wrong-1.svg"]["wrong"]
    assert all(ElementTree.parse(tmp_path / name) for name in found)
    words = run("gallery", ".", "-o", "pictures", "--svg")
    assert f"5 pictures are in {tmp_path / 'pictures'}" in words.stdout
    assert "WRONG pictures/cases-wrong-1.svg" in words.stdout


# Short form


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("done", {"kind": "done"}),
        ("advance A1 distance=5", {"kind": "advance", "actor": "A1", "distance": 5}),
        ("go actor=12", {"kind": "go", "actor": "12"}),
        ("go A to=1,-2.5", {"kind": "go", "actor": "A", "to": [1.0, -2.5]}),
        (
            "go A path=1,2:3,4",
            {"kind": "go", "actor": "A", "path": [{"to": [1.0, 2.0]}, {"to": [3.0, 4.0]}]},
        ),
        (
            "go A path=1,2;3,-4.5,3@climb;5,6,0@drop",
            {
                "kind": "go",
                "actor": "A",
                "path": [
                    {"to": [1.0, 2.0]},
                    {"to": [3.0, -4.5], "z": 3.0, "how": "climb"},
                    {"to": [5.0, 6.0], "z": 0.0, "how": "drop"},
                ],
            },
        ),
        ("go A path='[{\"by\": 90}]'", {"kind": "go", "actor": "A", "path": [{"by": 90}]}),
        ("go A x=true y=null z=-3 w=blue-2", None),
        ('{"kind": "go", "x": 1}', {"kind": "go", "x": 1}),
    ],
)
def test_short_form(text: str, document: dict[str, Any] | None) -> None:
    if document is None:
        document = {"kind": "go", "actor": "A", "x": True, "y": None, "z": -3, "w": "blue-2"}
    assert read_action(text) == document


@pytest.mark.parametrize(
    ("system", "text", "key", "value"),
    [
        ("mordheim", "declare_charge A targets=E1,E2", "targets", ["E1", "E2"]),
        ("mordheim", "declare_charge A targets=E1", "targets", ["E1"]),
        ("mordheim", "declare_charge A targets=1,2", "targets", ["1", "2"]),
        ("mordheim", "declare_charge A targets=", "targets", []),
        ("mordheim", """declare_charge A targets='["E1"]'""", "targets", ["E1"]),
        ("mordheim", "strike 3 target=12", "target", "12"),
        ("mordheim", "shoot 3 target=null", "target", None),
        ("mordheim", "move A path=", "path", []),
        ("mordheim", "move A path=1,2,3", "path", [{"to": [1.0, 2.0], "z": 3.0}]),
        ("mordheim", "move A path=1,2@jump", "path", [{"to": [1.0, 2.0], "how": "jump"}]),
        ("mordheim", "charge A path=1,2", "path", [{"to": [1.0, 2.0]}]),
        ("trench-crusade", "charge A target=B forbid=wire", "forbid", ["wire"]),
        ("trench-crusade", "charge A target=B stop=1,2", "stop", [1.0, 2.0]),
        ("sovl", "advance A distance=5", "distance", 5),
        ("warmaster", "order A units=U,V", "units", ["U", "V"]),
        ("warmaster", "brigade units=U,V to=1,2", "units", ["U", "V"]),
        ("warmaster", "evade U target=E burst=V", "burst", ["V"]),
    ],
)
def test_short_form_by_the_actions_of_a_system(
    system: str, text: str, key: str, value: Any
) -> None:
    from tapeline.play.systems import load_system

    assert read_action(text, load_system(system))[key] == value


@pytest.mark.parametrize("path", ["1", "1,2,3,4", "1,2@", "1,2 3", "a,b", "1,2,@climb", "1,2;;3,4"])
def test_a_path_that_is_none_says_how_one_is_written(path: str) -> None:
    from tapeline.play.systems import load_system

    with pytest.raises(DocumentError) as raised:
        read_action(f"move A path='{path}'", load_system("mordheim"))
    assert "x,y or x,y,height@manner, with semicolons between" in str(raised.value)


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_of_the_short_form_are_legal(
    run: Run, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    scene, *before = EXAMPLES[text]
    monkeypatch.chdir(ROOT)
    words = [word for action in (*before, text) for word in ("-a", action)]
    told = run("judge", scene, *words, "--json")
    assert told.exit_code == 0
    assert [done["verdict"]["kind"] for done in data(told)["actions"]] == ["LEGAL"] * (
        1 + len(before)
    )
    assert text in run("judge", "--help").stdout.replace("\n", " ").replace("  ", " ")


def test_the_examples_of_the_help_that_name_a_scene_that_ships_run(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    tried = 0
    for name in COMMANDS:
        command = app.get_command(click.Context(app), name)
        text = ((command and command.help) or "").replace("\\\n", " ")
        for line in text.splitlines():
            words = shlex.split(line.strip()) if "examples/" in line else []
            # Games and surveys take minutes, whatever they are of; tests of their own shorten them.
            long = name in ("ladder", "arena", "opponent", "bot", "survey")
            if words[:2] == ["tapeline", name] and "-o" not in words and not long:
                files = [file for w in words[2:] for file in (sorted(glob(w)) or [w])]
                assert run(name, *files).exit_code == 0, line
                tried += 1
    assert tried >= 20


def test_a_unit_where_one_of_its_models_is_meant(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    charge = "initiative_charge penitents target=night"
    steps = [word for action in (charge, *["end_step"] * 5) for word in ("-a", action)]
    scene = "examples/warmaster-bridge.json"
    told = run("judge", scene, *steps, "-a", "drive_back green hits=3 shooter=black")
    assert told.exit_code == 2
    assert "'black' is a unit, not one of its models; its models are black-1, black-2, black-3" in (
        told.stderr
    )
    told = run("judge", scene, *steps, "-a", "drive_back green hits=3 shooter=blck-1")
    assert "did you mean 'black-1'" in told.stderr


@pytest.mark.parametrize("text", ["go A B", "go A x=1 x=2", "go A x=[1", "go A kind=stay"])
def test_short_form_faults(text: str) -> None:
    with pytest.raises(DocumentError):
        read_action(text)


# As a program


def test_a_plugin_that_does_not_load_is_an_error_without_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tapeline.play import systems

    class Broken:
        def load(self) -> object:
            raise ImportError("no module named 'x'")

    monkeypatch.setattr(systems, "_found", lambda: {"broken": Broken()})
    result = run("rules", "broken")
    assert result.exit_code == 2
    assert "cannot be loaded: no module named 'x'" in result.stderr


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['tapeline', '--help']\n"
        "from tapeline.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'pydantic', 'numpy', 'shapely', 'numba', 'resvg_py'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_stops_early_is_no_error() -> None:
    code = "from tapeline.cli import main; import sys; sys.argv[1:] = ['rules']; main()"
    program = [sys.executable, "-c", code]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        told = running.stderr.read().decode()
    assert told == ""
    assert running.returncode == 1


@pytest.mark.parametrize(
    "words",
    [
        ("judge", "scene.json", "-a", "move R1 path=5,3"),
        ("offers", "scene.json"),
        ("odds", "scene.json", "shove R1 target=B1"),
    ],
)
def test_a_command_gives_up_when_its_work_is_done(
    run: Run, write: Write, words: tuple[str, ...]
) -> None:
    write("scene.json", toy_scene())
    assert "steps of work, at " not in run(*words, "--work", "1000000000").output
    stopped = run(*words, "--work", "1")
    assert stopped.exit_code == 2
    assert "tapeline: given up after 1 steps of work, at " in stopped.output


@pytest.mark.parametrize(
    "words",
    [
        "threat examples/trench-well.json blue --on red-1 -o {}/x.svg --resolution nan",
        "survey examples/trench-well.json --step nan --no-compile --jobs 1",
        "survey examples/trench-well.json --tolerance nan --no-compile --jobs 1",
        "reach examples/trench-well.json red-1 --eps nan",
        "bot examples/sovl-mill.json --play west=random --play east=random --seconds -1",
        "serve --link-rate nan",
        "opponent examples/sovl-mill.json --games 2 -o {}/x.log",
    ],
)
def test_options_that_mean_nothing_are_refused(run: Run, tmp_path: Path, words: str) -> None:
    done = run(*words.replace("examples", str(ROOT / "examples")).format(tmp_path).split())
    assert done.exit_code == 2
    assert "Usage:" in done.stderr
    assert not [*tmp_path.iterdir()]


def test_survey_tells_every_fault_on_one_line(run: Run, write: Write) -> None:
    done = run("survey", write("bare.json", {"width": 3}), "--no-compile", "--jobs", "1")
    assert done.exit_code == 2
    assert "bare.json: depth: is lacking" in done.stderr
    assert "\\u000a" not in done.stderr
