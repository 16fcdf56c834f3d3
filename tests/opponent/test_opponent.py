"""The computer opponent: whole games by the referee, the same again from a seed."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

import tapeline as tl
from support.scenarios import EXAMPLES
from tapeline.cli.app import app
from tapeline.engine.codec import parse_action
from tapeline.engine.score import leader
from tapeline.opponent import LEVELS, Opponent, Suggestion
from tapeline.opponent.games import Game, play_game, player_of
from tapeline.opponent.kept import Kept
from tapeline.opponent.levels import weights_of
from tapeline.opponent.outcomes import results_of_dice
from tapeline.opponent.places import places
from tapeline.opponent.player import _Known, _Thought
from tapeline.opponent.ranges import ranges
from tapeline.opponent.standings import pairing
from tapeline.opponent.ways import moves_into
from tapeline.opponent.worth import worth
from tapeline.play.battle import Battle
from tapeline.play.match import Match, rereferee
from tapeline.rules.sovl.actions import Advance
from tapeline.rules.warmaster.actions import Retreat

pytestmark = pytest.mark.compiled

GAMES = ("trench-well", "mordheim-fountain", "sovl-mill")


def scene(name: str, rounds: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    if rounds is not None:
        found["game"]["rounds"] = rounds
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_by_the_referee_and_the_same_again(name: str) -> None:
    document = scene(name, rounds=1)
    sides = [side["id"] for side in document["sides"]]
    games = [
        play_game(document, {sides[0]: player_of("novice", 1), sides[1]: player_of("random", 2)}, 3)
        for _ in range(2)
    ]
    first, again = games
    assert first.over
    assert first.winner == leader(first.match.battle.state)
    assert [*first.match.lines()] == [*again.match.lines()]
    assert rereferee(first.match.lines())[1] is None


@pytest.mark.parametrize(
    "name", ["trench-storeys", "mordheim-roofs", "warmaster-dale", "sovl-mill"]
)
def test_whatever_moves_is_advised(name: str) -> None:
    """In the first there is a flyer among storeys, whose reach is not told."""
    found = Opponent(LEVELS["novice"], seed=1).suggest(tl.load(EXAMPLES / f"{name}.json"))
    assert found
    assert all(math.isfinite(one.value) for one in found)


def test_warmaster_is_ordered_about() -> None:
    battle = tl.load(scene("warmaster-hill"))
    player = Opponent(LEVELS["novice"], seed=1)
    kinds = []
    for _ in range(4):
        found = player.choose(battle)
        assert found is not None
        kinds.append(found.action.kind)
        battle, _ = battle.play(found.action, dice=tl.Dice(seed=4), chooser=player.chooser(battle))
    assert "order" in kinds


def driven(document: Any, seed: int, most: int) -> list[str]:
    """Who is driven back in a combat, within so many actions, before the step is ended."""
    battle, player, found = tl.load(document), Opponent(LEVELS["novice"], seed), None
    retreats = []
    for _ in range(most):
        found = player.choose(battle, "red")
        assert found is not None
        if not isinstance(found.action, Retreat):
            break
        retreats.append(found.action.actor)
        battle, _ = battle.play(found.action, dice=tl.Dice(seed=1))
    assert battle.state.turn.phase == "other"
    assert found is not None
    assert found.action.kind == "end_step"
    return retreats


def test_a_combat_befalls_units_of_any_side_and_does_not_go_on_for_ever() -> None:
    document = scene("warmaster-hill")
    for name, x in zip(("blue-foot-1", "blue-foot-2", "blue-foot-3"), (50, 46, 42), strict=True):
        model = next(one for one in document["models"] if one["id"] == name)
        model.update(position=[x, 18], facing=270)
    document["turn"]["phase"] = "other"
    retreats = [of for seed in range(6) for of in driven(document, seed, 3)]
    assert {*retreats} == {"red-foot", "blue-foot"}
    assert len(retreats) <= 6


def test_who_is_driven_along_a_line_of_enemies_does_not_go_to_and_fro_for_ever() -> None:
    document = scene("warmaster-hill")
    places = {
        "red-foot": [(58.5393, 40.2132), (62.5393, 40.2132), (66.5393, 40.2132)],
        "red-horse": [(57, 45), (59, 45), (61, 45)],
        "blue-guard": [(58.005, 48), (66.005, 48), (62.005, 48)],
        "blue-horse": [(53.01, 44.8006), (53.01, 42.8006), (53.01, 46.8006)],
    }
    for unit, spots in places.items():
        for number, spot in enumerate(spots, 1):
            model = next(one for one in document["models"] if one["id"] == f"{unit}-{number}")
            model.update(position=list(spot), facing=0 if unit == "blue-horse" else model["facing"])
    document["turn"]["phase"] = "other"
    for seed in range(8):
        driven(document, seed, 8)


def test_a_body_beside_a_zone_goes_in_and_says_that_this_is_why() -> None:
    document = scene("sovl-mill")
    for unit in document["units"]:
        if unit["id"] == "west-1":
            unit["position"] = [24, 9]
    found = Opponent(LEVELS["steady"]).suggest(tl.load(document), "west", 8)
    best = next(one for one in found if getattr(one.action, "actor", "") == "west-1")
    assert best.value > 0.2
    assert best.reasons[0].startswith("Hold the mill yard +")


def test_what_nobody_can_measure_is_not_done() -> None:
    battle = tl.load(scene("sovl-mill"))
    battle, _ = battle.play({"kind": "activate", "actor": "west-1"})
    player = Opponent(LEVELS["novice"])
    thought = _Thought(player, battle, "west")
    assert thought.tried(Advance(actor="west-1", distance=1e-9)) is None
    assert thought.tried(Advance(actor="west-1", distance=1.0)) is not None


def test_a_regiment_turns_towards_what_it_goes_for() -> None:
    document = scene("sovl-mill")
    document["units"][0].update(position=[16, 18], facing=90)
    battle, _ = tl.load(document).play({"kind": "activate", "actor": "west-1"})
    best = Opponent(LEVELS["steady"]).suggest(battle, "west", 1)[0]
    assert best.action.kind == "pivot"
    assert best.reasons[0].startswith("Hold the mill yard +")


def test_who_flees_rallies_also_where_nothing_is_played_for() -> None:
    document = scene("sovl-mill")
    document["units"][0]["state"] = {"fleeing": True}
    del document["game"]
    battle = tl.load(document)
    player = Opponent(LEVELS["steady"])
    assert player.suggest(battle, "west", 1)[0].action.actor == "west-1"
    battle, _ = battle.play({"kind": "activate", "actor": "west-1"})
    best = player.suggest(battle, "west", 1)[0]
    assert best.action.kind == "rally"
    assert best.parts["figures"] > 0.05


def test_a_bow_is_shot_for_each_model_that_may_fall() -> None:
    document = scene("sovl-mill")
    document["units"][4].update(position=[40, 18])
    battle, _ = tl.load(document).play({"kind": "activate", "actor": "west-3"})
    best = Opponent(LEVELS["steady"]).suggest(battle, "west", 20)
    shot = next(one for one in best if one.action.kind == "shoot")
    assert shot.value > 0.05
    assert shot.parts["figures"] > 0.05


def test_where_distances_are_secret_it_plays_by_eye() -> None:
    battle = tl.load(scene("mordheim-fountain"))
    found = Opponent(LEVELS["novice"]).suggest(battle, None, 1)
    assert found[0].by_eye
    secret = tl.load(scene("sovl-mill"))
    assert not Opponent(LEVELS["novice"]).suggest(secret, None, 1)[0].by_eye


def test_who_does_anything_tells_results_by_the_table_of_chances() -> None:
    """Nobody shoots in Mordheim, since no profile has missiles."""
    scene = json.loads((EXAMPLES / "mordheim-gates.json").read_text())
    told = []
    for seed in range(12):
        if told:
            break
        players = {side: player_of("random", f"{seed}:{side}") for side in ("red", "blue")}
        entries = play_game(scene, players, seed).match.entries
        told += [entry.action for entry in entries if entry.action and "result" in entry.action]
    assert {action["kind"] for action in told} == {"strike"}


def test_a_novice_beats_one_who_does_anything() -> None:
    standing = pairing(scene("sovl-mill", rounds=3), "novice", "random", 2)
    assert standing.share >= 0.5
    assert standing.games == 2


def test_the_command_plays_a_game_and_suggests(tmp_path: Any) -> None:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene("sovl-mill", rounds=1)), encoding="utf-8")
    log = tmp_path / "game.log"
    run = CliRunner().invoke(
        app, ["opponent", str(path), "--level", "novice", "--against", "random", "-o", str(log)]
    )
    assert run.exit_code == 0, run.output
    assert "The game is over" in run.output
    told = CliRunner().invoke(app, ["suggest", str(path), "--level", "novice", "--json"])
    assert json.loads(told.output)["actions"][0]["reasons"]
    bare = CliRunner().invoke(app, ["opponent", str(EXAMPLES / "sovl-ford.json")])
    assert bare.exit_code == 2
    assert "states no goals" in bare.output


def test_a_blow_counts_by_all_that_it_may_come_to() -> None:
    document = scene("mordheim-fountain")
    for name, x in (("red-1", 10.0), ("blue-1", 10.984252)):
        next(one for one in document["models"] if one["id"] == name).update(position=[x, 13])
    document["turn"]["phase"] = "hand-to-hand"
    best = Opponent(LEVELS["steady"]).suggest(tl.load(document), "red", 1)[0]
    assert best.action.kind == "strike"
    assert best.parts["figures"] > 0.1


def test_the_ladder_is_a_table_and_the_same_games_again_by_several_processes(tmp_path: Any) -> None:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene("mordheim-gates", rounds=1)), encoding="utf-8")
    words = ["ladder", str(path), "--pairing", "novice-random", "--games", "2"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    cells = [cell.strip() for cell in told.stdout.splitlines()[-1].split("|")]
    assert cells[1:4] == ["Two gates", "novice against random", "2"]
    data = json.loads(CliRunner().invoke(app, [*words, "--jobs", "2", "--json"]).stdout)
    (row,) = data["pairings"]
    counts = [row[name] for name in ("won", "drawn", "lost")]
    assert [int(cell) for cell in cells[4:7]] == counts
    assert sum(counts) == 2


def test_a_pair_of_games_changes_sides_and_the_seeds_of_the_players_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seated = []

    def played(document: Any, players: Any, seed: str) -> Game:
        seeds = {side: timed.player.opponent.seed for side, timed in players.items()}
        seated.append((seed, seeds))
        return Game(Match.start(document), "red", {}, over=True)

    monkeypatch.setattr("tapeline.opponent.standings.play_game", played)
    found = pairing(scene("mordheim-gates"), "novice", "novice", 4, seed=7)
    assert seated[:2] == [
        ("7:0", {"red": "7:0:1", "blue": "7:0:2"}),
        ("7:0", {"blue": "7:0:1", "red": "7:0:2"}),
    ]
    assert (found.wins, found.losses, found.first_side) == (2, 2, 1.0)


def test_many_games_are_played_with_compiled_kernels_and_few_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []

    def played(document: Any, players: Any, seed: str) -> Game:
        told.append(seed)
        return Game(Match.start(document), "red", {}, over=True)

    monkeypatch.setattr("tapeline.opponent.standings.play_game", played)
    monkeypatch.setattr(
        "tapeline.opponent.standings.compile_kernels", lambda: told.append("compiled")
    )
    pairing(scene("mordheim-gates"), "novice", "novice", 2)
    assert told == ["0:0", "0:0"]
    told.clear()
    pairing(scene("mordheim-gates"), "novice", "novice", 20)
    assert told[0] == "compiled"
    assert len([seed for seed in told if seed != "compiled"]) == 20


def test_a_zone_in_which_one_more_changes_little_comes_after_one_that_it_decides() -> None:
    document = scene("sovl-stones")
    spots = {"west-1": [14, 18], "west-2": [10, 21], "west-3": [10, 17], "east-3": [20, 31]}
    for unit in document["units"]:
        unit["position"] = spots.get(unit["id"], unit["position"])
    state = tl.load(document).state
    x, y = places(state, state.bodies["west-1"], {"west-1": 8.0}, 1)[0]
    assert math.dist((x, y), (20, 22)) <= 3.5


def test_who_stands_before_a_wall_goes_round_it() -> None:
    document = scene("mordheim-gates")
    document["models"][2]["position"] = [6, 9]  # red-1, up against the tanner's house
    battle, _ = tl.load(document).play({"kind": "close_declarations"})
    found = Opponent(LEVELS["steady"]).suggest(battle, "red", 40)
    move = next(one.action for one in found if getattr(one.action, "actor", "") == "red-1")
    after, _ = battle.play(move)
    assert after.state.bodies["red-1"].y > 11.0


def test_where_somebody_stands_on_the_near_side_of_a_zone_room_in_it_is_looked_for() -> None:
    document = scene("sovl-mill")
    spots = {"east-1": ([24, 14.5], 270), "west-2": ([24, 10], 90)}
    for unit in document["units"]:
        position, facing = spots.get(unit["id"], (unit["position"], unit["facing"]))
        unit.update(position=position, facing=facing)
    state = tl.load(document).state
    x, y = places(state, state.bodies["west-2"], {"west-2": 8.0}, 1)[0]
    assert math.dist((x, y), (24, 18)) <= 4.5
    # Both are 100 mm wide and 80 mm deep: circles of 40 mm fit in them.
    assert math.dist((x, y), (24, 14.5)) >= 80 / 25.4


def test_a_figure_counts_the_more_the_more_rounds_are_to_come() -> None:
    def lead(rounds: int, **weights: float) -> float:
        document = scene("trench-well", rounds=rounds)
        gone = next(one for one in document["models"] if one["id"] == "blue-1")
        document["models"].remove(gone)
        battle = tl.load(document)
        none = weights_of("trench-crusade")._replace(figure=0.0, lasting=0.0, prize=0.0)
        sized = ranges(battle.system, battle.state)
        return worth(battle.state, "red", sized, none._replace(**weights)).parts["figures"]

    assert lead(1, figure=0.5) == lead(4, figure=0.5) == pytest.approx(0.5)
    assert lead(1, lasting=1.0) == 0.0
    assert lead(4, lasting=1.0, later=0.5) == pytest.approx(0.5 + 0.25 + 0.125)
    assert lead(1, prize=2.0) == lead(4, prize=2.0) == pytest.approx(2.0)  # one point if struck


def test_whose_turn_is_over_comes_to_no_zone_in_this_round() -> None:
    document = scene("mordheim-fountain", rounds=1)
    for one in document["models"]:
        x, y = one["position"]
        even = [x, round(y)]  # the sides stand alike
        one["position"] = {"red-1": [13, 9], "blue-1": [13, 17]}.get(one["id"], even)

    def promise(active: str, order: float) -> float:
        document["turn"].update(active=active, initiative="red")
        battle = tl.load(document)
        weights = weights_of("mordheim")._replace(order=order)
        found = worth(battle.state, "red", ranges(battle.system, battle.state), weights)
        return found.parts["Hold the fountain"]

    novice, steady = (
        _Thought(Opponent(LEVELS[level]), tl.load(document), "red").weights.order
        for level in ("novice", "steady")
    )
    assert novice < steady
    assert promise("red", 0.0) == promise("blue", 0.0) == pytest.approx(0.0, abs=1e-9)
    assert promise("red", 1.0) < -0.5  # all of blue's turn is still to come
    assert promise("blue", 1.0) < promise("red", 1.0) - 0.2  # and red's is over


def test_who_stands_in_the_way_to_a_zone_makes_it_farther() -> None:
    document = scene("sovl-mill")
    spots = {"west-1": ([24, 8], 90), "east-1": ([24, 16], 270), "west-2": ([44, 6], 90)}
    for unit in document["units"]:
        position, facing = spots.get(unit["id"], (unit["position"], unit["facing"]))
        unit.update(position=position, facing=facing)
    battle = tl.load(document)
    assert battle.system.prospects is not None
    state, moves_to = battle.state, battle.system.prospects.moves_to
    mill = next(zone.outline for zone in state.table.zones if zone.id == "mill")
    # Six inches ahead after a small pivot; four to the side after two.
    assert moves_to(state, state.bodies["west-1"], (24, 14)) == pytest.approx((6 + 1) / 8)
    assert moves_to(state, state.bodies["west-1"], (20, 8)) == pytest.approx((4 + 2) / 8)
    # The mill yard begins 13.5 up; the regiment in it leaves no way past it: 4.5 across either way,
    # of which it and who comes take 3.5 to each side.
    free = moves_into(moves_to, state, state.bodies["west-3"], mill, 9.0)
    shut = moves_into(moves_to, state, state.bodies["west-1"], mill, 9.0)
    assert free < 9.0 < shut


def test_who_has_acted_comes_to_no_zone_in_this_round() -> None:
    battle = tl.load(scene("sovl-mill"))
    assert battle.system.prospects is not None
    to_act = battle.system.prospects.to_act
    everybody = to_act(battle.state)
    assert everybody == battle.state.bodies.keys()
    for action in ({"kind": "activate", "actor": "west-1"}, {"kind": "end_activation"}):
        order = parse_action(battle.system, {"actor": "west-1", **action})
        battle, _ = battle.play(order)
        assert to_act(battle.state) == everybody - {"west-1"}


def test_the_harm_of_a_shot_is_a_mean_over_the_dice() -> None:
    battle = tl.load(scene("sovl-mill"))
    assert battle.system.prospects is not None
    harm, bodies = battle.system.prospects.harm, battle.state.bodies
    bows, foot = bodies["west-3"], bodies["east-1"]
    # 15 bows of Skill 3 hit on 4 or more, beyond 15 in on 5 or more; Power 3 against Defense 3 is
    # saved on 4 or more; one Wound each.
    assert harm(bows, bodies["east-3"], 15.0) == pytest.approx(15 / 2 / 2)
    assert harm(bows, bodies["east-3"], 15.1) == pytest.approx(15 / 3 / 2)
    assert harm(bows, bodies["east-3"], 30.1) == harm(foot, bows, 5.0) == 0.0


def test_sharp_looks_at_ways_where_that_showed_to_help() -> None:
    assert weights_of("sovl", "sharp").ways > weights_of("sovl", "steady").ways
    assert weights_of("mordheim", "sharp") == weights_of("mordheim")


def test_a_general_is_not_sent_to_where_the_enemy_comes() -> None:
    document = scene("warmaster-hill")
    spots = {"red-general": [60, 36.4]} | {f"red-horse-{n}": [68 + 2 * n, 36] for n in (1, 2, 3)}
    for one in document["models"]:
        one["position"] = spots.get(one["id"], one["position"])
    document["turn"].update(active="blue", phase="characters")
    battle = tl.load(document)
    found = Opponent(LEVELS["steady"], 1).suggest(battle, "blue", 1)[0].action
    after, _ = battle.play(found)
    assert after.state.bodies["blue-general"].y > 56.4  # red's pace is 20 cm


def test_what_an_action_is_worth_at_once_counts_as_some_rollouts_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thought = _Thought(Opponent(LEVELS["sharp"]), tl.load(scene("mordheim-gates")), "red")
    one, other, third = (
        Suggestion(parse_action(thought.battle.system, action), value, {})
        for action, value in (
            ({"kind": "close_declarations"}, 1.0),
            ({"kind": "end_phase"}, 0.8),
            ({"kind": "hide", "actor": "red-1"}, -5.0),
        )
    )
    ends: dict[str, Callable[[int], float | None]] = {}
    throws: list[int] = []

    def rollout(self: _Thought, action: Any, throw: int) -> float | None:
        throws.append(throw)
        return ends[action.kind](throw)

    monkeypatch.setattr(_Thought, "rollout", rollout)

    def values() -> list[tuple[str, float]]:
        throws.clear()
        return [(of.action.kind, of.value) for of in thought.looked_on([one, other, third])]

    # What is common to all that is tried with one throw tells nothing; the far worse is left.
    # Six rollouts against three that the value at once stands for: two thirds from -0.2 to 0.25.
    ends["close_declarations"] = lambda throw: 9.0 * throw
    ends["end_phase"] = lambda throw: 9.0 * throw + 0.25
    assert values() == [
        ("end_phase", pytest.approx(0.8 + 2 / 3 * (0.125 + 0.1))),
        ("close_declarations", pytest.approx(1.0 - 2 / 3 * (0.125 + 0.1))),
        ("hide", -5.0),
    ]
    assert throws == [n for n in range(6) for _ in range(2)]
    # That all rollouts agree says no more than how many they are: rare luck is in none of them.
    ends["end_phase"] = lambda throw: 9.0 * throw + 0.1
    assert dict(values())["end_phase"] == pytest.approx(0.8 + 2 / 3 * (0.05 + 0.1))
    # Where one is well ahead after two, no more are made: here by 0.4 * 2 - 0.6 * 0.2.
    ends["end_phase"] = lambda throw: 9.0 * throw + 2.0
    assert dict(values())["end_phase"] == pytest.approx(0.8 + 2 / 5 * (1.0 + 0.1))
    assert throws == [0, 0, 1, 1]
    # Where their dice differ much they count less. The difference of two, -1, 2, 8, -1 and 2, has
    # the variance 54 / 4, and one of the two half of it.
    ends["end_phase"] = lambda throw: 9.0 * throw + (-1.0, 2.0, 8.0)[throw % 3]
    trust = 5 / (5 + 6.75 / 0.25)
    assert dict(values())["end_phase"] == pytest.approx(0.8 + trust * (1.0 + 0.1))
    # Of more than two the others are left after two; they come after those two.
    hidden = Suggestion(third.action, 0.9, {})
    ends["hide"] = lambda throw: 9.0 * throw - 1.0
    throws.clear()
    found = thought.looked_on([one, hidden, other])
    assert [of.action.kind for of in found] == ["end_phase", "close_declarations", "hide"]
    assert [throws.count(n) for n in range(6)] == [3, 3, 2, 2, 2, 0]
    # What cannot be played out is compared with nothing that is.
    ends["end_phase"] = lambda throw: None
    assert thought.looked_on([one, other, third]) == [one, other, third]
    # Where nothing is at stake one is enough.
    alike = Suggestion(other.action, 0.99, {})
    ends["end_phase"] = ends["close_declarations"]
    throws.clear()
    thought.looked_on([one, alike])
    assert throws == [0, 0]


def test_ways_that_hardly_differ_are_played_on_once(monkeypatch: pytest.MonkeyPatch) -> None:
    thought = _Thought(Opponent(LEVELS["sharp"]), tl.load(scene("trench-yard")), "red")
    told: list[Any] = []
    monkeypatch.setattr(
        _Thought, "rollout", lambda self, action, throw: told.append(action) or 1.0 * throw
    )

    def move(x: float, actor: str = "red-1") -> Suggestion:
        document = {"kind": "move", "actor": actor, "path": [{"to": [x, 9.0]}]}
        return Suggestion(parse_action(thought.battle.system, document), 0.3, {})

    ways = [move(6.0), move(6.0 + 1e-9), move(6.0, "red-2")]
    assert thought.looked_on(ways) == [ways[0], ways[2], ways[1]]
    assert told == [ways[0].action, ways[2].action]


def test_luck_is_taken_out_of_a_rollout(
    monkeypatch: pytest.MonkeyPatch, budget: Callable[[int, int], int]
) -> None:
    """Whether a shot hits tells nothing of what it is worth to shoot."""
    battle = tl.load(scene("trench-yard"))
    battle, _ = battle.play({"kind": "activate", "actor": "red-1"})
    thought = _Thought(Opponent(LEVELS["sharp"]), battle, "red")
    shot = next(one.action for one in thought.ranked() if one.action.kind == "shoot")
    monkeypatch.setattr("tapeline.opponent.player._LONGEST", 1)
    throws = range(budget(6, 12))
    drawn = [thought.drawn(shot, throw) for throw in throws]
    assert len({round(thought.worth(one[0].state).total, 9) for one in drawn if one}) > 1
    tried = thought.tried(shot)
    assert tried is not None
    ends = {round(thought.rollout(shot, throw) or 0.0, 9) for throw in throws}
    assert ends == {round(tried.total, 9)}


def dash_at_the_well() -> tuple[Battle, Any]:
    """A model in the open that has been activated, and a Dash of it: 2D6, 7 or more."""
    battle, _ = tl.load(scene("trench-well")).play({"kind": "activate", "actor": "red-captain"})
    document = {"kind": "dash", "actor": "red-captain", "path": [{"to": [15.0, 6.0]}]}
    return battle, parse_action(battle.system, document)


def test_dice_count_with_their_exact_chances() -> None:
    """Of 36 throws of two dice 15 show less than 7, with which a Dash fails and ends the rest."""
    battle, dash = dash_at_the_well()
    ends = results_of_dice(battle, dash, 40)
    assert sum(chance for chance, *_ in ends) == pytest.approx(1.0)
    stays = battle.state.bodies["red-captain"].centre
    failed = [
        chance
        for chance, after, _, told in ends
        if told and after.state.bodies["red-captain"].centre == stays
    ]
    assert sum(failed) == pytest.approx(15 / 36)
    assert results_of_dice(battle, dash, 1) == []
    exactly = weights_of("trench-crusade")
    sharp = _Thought(Opponent(LEVELS["sharp"], weights=exactly), battle, "red")
    tried = sharp.tried(dash)
    assert tried is not None
    mean = sum(chance * sharp.worth(after.state).total for chance, after, *_ in ends)
    assert tried.total == pytest.approx(mean)


def test_rollouts_share_out_what_the_dice_may_do() -> None:
    """In 12 rollouts a Dash fails as often as its chance of 15/36 says: 5 times, give or take 1."""
    battle, dash = dash_at_the_well()
    stays = battle.state.bodies["red-captain"].centre
    for seed in range(4):
        player = Opponent(LEVELS["sharp"], seed, weights_of("trench-crusade"))
        thought = _Thought(player, battle, "red")
        drawn = [thought.drawn(dash, throw) for throw in range(12)]
        failed = [
            one for one in drawn if one and one[0].state.bodies["red-captain"].centre == stays
        ]
        assert 4 <= len(failed) <= 6


def test_what_comes_again_is_told_again_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    battle, _ = dash_at_the_well()
    real, played = Battle.play, Counter[bool]()
    anew = False

    def play(self: Battle, *of: Any, **how: Any) -> Any:
        played[anew] += 1
        return real(self, *of, **how)

    monkeypatch.setattr(Battle, "play", play)
    player = Opponent(LEVELS["sharp"], 3, weights_of("trench-crusade"))
    found = player.suggest(battle, "red", 40)
    anew = True
    monkeypatch.setattr(_Known, "once", lambda self, battle, key, work: work())
    assert player.suggest(battle, "red", 40) == found
    assert 0 < played[False] < 0.8 * played[True]


@pytest.mark.parametrize("name", ["mordheim-gates", "sovl-stones"])
def test_a_rollout_ends_when_the_enemy_has_answered(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought = _Thought(Opponent(LEVELS["sharp"]), tl.load(scene(name)), "red")
    thought.side = mine = thought.battle.next_to_act[0]
    first = next(iter(thought.battle.offers(0)))
    told: list[str] = []
    real = _Thought.after

    def after(self: _Thought, action: Any, seed: str) -> Any:
        found = real(self, action, seed)
        if found[0] is not None:
            told.append(found[0].next_to_act[0])
        return found

    monkeypatch.setattr(_Thought, "after", after)
    end = thought.rollout(first, 0)
    assert told[-1] == mine
    assert {*told} > {mine}
    assert end == thought.rollout(first, 0)
    monkeypatch.setattr(_Thought, "after", lambda self, action, seed: (None, False))
    assert thought.rollout(first, 0) is None


def test_a_turn_gains_nothing_on_a_shot_that_can_be_made_at_once() -> None:
    document = scene("sovl-mill")
    document["units"][4].update(position=[40, 18])
    battle, _ = tl.load(document).play({"kind": "activate", "actor": "west-3"})
    found = Opponent(LEVELS["steady"]).suggest(battle, "west", 40)
    values = {type(one.action).__name__: one.value for one in reversed(found)}
    assert values["Shoot"] >= 0.05
    shots = {one.action: one for one in found if one.action.kind == "shoot"}
    assert all(abs(one.value + 0.004 - sum(one.parts.values())) < 1e-9 for one in shots.values())


def test_a_ladder_goes_on_where_it_was_stopped(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, path = scene("mordheim-gates", rounds=1), tmp_path / "games.jsonl"
    first = pairing(document, "novice", "random", 2, kept=Kept(path))
    line = path.read_text(encoding="utf-8").splitlines()[1]
    path.write_text(path.read_text(encoding="utf-8") + line[:40], encoding="utf-8")
    monkeypatch.setattr("tapeline.opponent.standings.play_game", None)
    again = pairing(document, "novice", "random", 2, kept=Kept(path))
    assert (again.wins, again.draws, again.losses) == (first.wins, first.draws, first.losses)
    assert again.move_seconds == pytest.approx(first.move_seconds, abs=1e-4)
    told = pairing(document, "novice", "random", 6, kept=Kept(path), only_kept=True)
    assert (told.wins, told.games) == (first.wins, 2)
    path.write_text("not a game\n" + line + "\n", encoding="utf-8")
    with pytest.raises(tl.DocumentError, match="line 1"):
        Kept(path)
