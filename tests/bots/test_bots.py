"""Programs that play: the lines, the questions, and what comes of those that fail."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from tapeline.bots import protocol
from tapeline.bots.asked import QUESTIONS, answers_to
from tapeline.bots.program import GoneError, Program
from tapeline.cli.app import app
from tapeline.errors import DocumentError
from tapeline.opponent.games import Game, Player, RandomPlayer, play_game
from tapeline.play.battle import Battle, load
from tapeline.play.match import Match

ROOT = Path(__file__).parents[2]
MILL = ROOT / "examples" / "sovl-mill.json"
SIMPLE = ROOT / "examples" / "bots" / "simple.py"

HELLO = """
import json, sys

def say(what, **line):
    print(json.dumps({"say": what, **line}), flush=True)

say("hello", protocol="tapeline-bot/1", name="t")
"""
#: What is done at each turn, whose number is `turn`, follows.
TURNS = f"""{HELLO}
for line in sys.stdin:
    line = json.loads(line)
    turn = line.get("turn")
    if line["say"] == "turn":
        """


def program(code: str, seconds: float = 5.0) -> Program:
    return Program([sys.executable, "-c", code], seconds)


@pytest.fixture
def battle() -> Battle:
    return load(MILL)


@pytest.fixture(scope="module")
def lines() -> Any:
    schema = protocol.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def asked(battle: Battle, *questions: dict[str, Any]) -> list[Any]:
    line = protocol.read_line(json.dumps({"say": "ask", "questions": list(questions)}))
    return [one.get("answer", one.get("error")) for one in answers_to(battle, line)["answers"]]


class Heard(Program):
    """A program whose lines from the referee are kept."""

    def __init__(self, command: Sequence[str]) -> None:
        self.heard: list[dict[str, Any]] = []
        super().__init__(command, 20.0)

    def _say(self, **line: Any) -> None:
        self.heard.append(line)
        super()._say(**line)


def test_the_sample_plays_a_whole_game_over_the_pipe(lines: Any) -> None:
    with Heard([sys.executable, str(SIMPLE)]) as simple:
        players: dict[str, Player] = {"west": simple, "east": RandomPlayer(1)}
        game = play_game(MILL, players, 1, lambda match: simple.begin(match, ["west"]))
        simple.end(game)
    assert game.over
    assert not simple.faults
    assert simple.name == "simple"
    assert simple.turns > 10
    said = [line["say"] for line in simple.heard]
    assert said[:2] == ["hello", "game"]
    assert said[-2:] == ["result", "bye"]
    assert said.count("told") == len(game.match.entries)
    for line in simple.heard:
        lines.validate(json.loads(json.dumps(line)))
    again = Match.replay([*game.match.lines()])
    assert again.battle.hash == game.match.battle.hash


def test_every_question_is_answered_and_changes_nothing(battle: Battle) -> None:
    before = battle.hash
    (offers,) = asked(battle, {"what": "offers", "number": 5})
    actor = offers[0]["actor"]
    active, _ = battle.play(offers[0])
    far = {"kind": "advance", "actor": actor, "distance": 500.0}
    near = {"kind": "advance", "actor": actor, "distance": 1.0}
    answers = asked(
        active,
        {"what": "position"},
        {"what": "sample", "seed": 3},
        {"what": "judge", "action": far, "nearest": True},
        {"what": "project", "action": far},
        {"what": "project", "action": near},
        {"what": "illegality", "action": far},
        {"what": "illegality", "action": near},
        {"what": "odds", "action": near},
        {"what": "sight", "body": actor},
        {"what": "reach", "body": actor},
        {"what": "route", "body": "nobody", "to": [1, 1]},
        {"what": "judge", "action": {"kind": "fly"}},
    )
    position, sample, refused, back, same, much, none, odds, sight, reach, route, fly = answers
    assert position["hash"] == active.hash
    assert load(position["scene"]).hash == active.hash
    assert active.judge(sample).legal
    assert not refused["legal"]
    assert active.judge(back["action"]).legal
    assert back["short_by"] > 0.0
    assert same == {"action": {**near, **same["action"]}, "short_by": 0.0}
    assert not much["legal"]
    assert much["sum"] > 0.0
    assert none == {"legal": True, "sum": 0, "broken": []}
    assert odds["outcomes"][0]["chance"] == 1.0
    assert sight.keys() == {b.id for b in active.state.bodies.values() if b.side == "east"}
    assert isinstance(reach, str), (
        "units of this system do not move as discs, and the answer says so"
    )
    assert "regiments" in route
    assert "fly" in fly
    assert battle.hash == before
    assert {"offers"} | {"position", "sample", "judge", "project", "illegality"} <= QUESTIONS.keys()


def test_what_may_not_be_measured_is_not_told() -> None:
    battle = load(ROOT / "examples" / "mordheim-fountain.json")
    body = next(b.id for b in battle.state.bodies.values() if b.side in battle.acting)
    (reach,) = asked(battle, {"what": "reach", "body": body, "to": [[1, 1]]})
    assert "MH-" in reach


def test_threat_is_told_as_the_battle_tells_it() -> None:
    battle = load(ROOT / "examples" / "trench-well.json")
    on = next(body.id for body in battle.state.bodies.values() if body.side == "red")
    place = (14.0, 20.0)
    whole, one = asked(
        battle,
        {"what": "threat", "on": on, "at": [place]},
        {"what": "threat", "on": on, "by": "red"},
    )
    (blue,) = whole["by"]
    found = battle.threat("blue", on)
    assert blue["by"] == "blue"
    assert blue["here"]["chance"] == float(found.here().chance)
    assert [there["chance"] for there in blue["at"]] == [float(found.at(place).chance)]
    assert whole["terms"] == list(found.terms)
    assert "no enemy" in one


def test_threat_is_not_told_where_nobody_may_measure() -> None:
    battle = load(ROOT / "examples" / "mordheim-fountain.json")
    body = next(body.id for body in battle.state.bodies.values())
    (threat,) = asked(battle, {"what": "threat", "on": body})
    assert "MH-" in threat


@pytest.mark.parametrize(
    ("does", "fault"),
    [
        ("say('play', turn=turn, action={'kind': 'fly'})", {"illegal": 3}),
        ("say('play', turn=turn, action={'kind': 'activate', 'actor': 'east-1'})", {"illegal": 3}),
        ("say('answer', turn=turn, value=1)", {"illegal": 3}),
        ("print('none of these', flush=True)", {"malformed": 3}),
        ("pass", {"late": 1}),
        ("sys.exit(3)", {"gone": 1}),
    ],
)
def test_what_fails_is_done_in_its_stead_and_counted(
    battle: Battle, does: str, fault: dict[str, int]
) -> None:
    code = f"{TURNS}for _ in range(3): {does}"
    with program(code, 0.5 if does == "pass" else 5.0) as failing:
        action = failing.act(battle, "west")
    assert failing.faults == fault
    assert action is not None
    assert battle.judge(action).legal


def test_what_comes_late_is_not_taken_for_the_next_turn(battle: Battle) -> None:
    code = f"{TURNS}say('play', turn=0, action={{'kind': 'fly'}}); say('resign')"
    with program(code) as failing:
        players: dict[str, Player] = {"west": failing, "east": RandomPlayer(1)}
        game = play_game(MILL, players)
    assert not failing.faults
    assert (game.winner, game.why) == ("east", "west resigned")
    command = shlex.join([sys.executable, "-c", code])
    done = CliRunner().invoke(app, ["bot", str(MILL), "--play", f"west={command}"])
    assert done.stdout.splitlines()[0] == "east won: west resigned, after 0 entries"


@pytest.mark.parametrize("code", ["print('hello', flush=True)", "pass", HELLO.replace("/1", "/9")])
def test_who_does_not_say_hello_does_not_play(code: str) -> None:
    with pytest.raises(GoneError):
        program(code)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(GoneError, match="could not be started"):
        Program(["no-such-program"])


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "invalid json"),
        ('{"say":"sing"}', "say"),
        ('{"say":"play","turn":1}', "action"),
        ('{"say":"ask","questions":[]}', "questions"),
        ('{"say":"ask","questions":[{"what":"offers","number":1e9}]}', "number"),
        ('{"say":"ask","questions":[{"what":"reach","body":"a","to":[[NaN,1]]}]}', "to"),
    ],
)
def test_lines_that_are_none_are_told_where(text: str, where: str) -> None:
    with pytest.raises(DocumentError, match=f"(?i){where}"):
        protocol.read_line(text)


def test_the_end_is_told_in_words(battle: Battle) -> None:
    game = Game(Match.start(MILL), "west", {"west": 2, "east": 0}, True)
    with Heard([sys.executable, "-c", HELLO + "sys.stdin.read()"]) as told:
        told.end(game)
    (result,) = (line for line in told.heard if line["say"] == "result")
    assert (result["winner"], result["why"]) == ("west", "the last round is over")


def test_the_published_schema_is_up_to_date() -> None:
    published = ROOT / "docs" / "reference" / "bot-line.schema.json"
    assert json.loads(published.read_text()) == protocol.schema(), "run: make docs"
