"""SV-ACT, SV-ABL: each limit just inside, on and outside."""

from __future__ import annotations

import pytest

from tapeline.errors import DocumentError, UnknownIdError
from tapeline.rules.sovl.profiles import PROFILES, TYPES, move_of_type


def test_sv_act_1_out_of_turn_refuses(play, inf, clauses):
    game = play([inf("A1", 10, 10), inf("B1", 30, 10)])
    assert clauses(game.do("activate", "B1")) == ["SV-ACT-1"]
    assert clauses(game.do("advance", "A1", distance=1)) == ["SV-ACT-1"]
    assert clauses(game.do("pass", side="B")) == ["SV-ACT-1"]
    assert game.do("activate", "A1").legal


def test_sv_act_1_unknown_ids_are_misuse(play, inf):
    game = play([inf("A1", 10, 10)])
    with pytest.raises(UnknownIdError):
        game.do("activate", "A9")
    with pytest.raises(UnknownIdError):
        game.do("pass", side="C")
    with pytest.raises(UnknownIdError):
        game.do("shoot", "A1", target="B9")


def test_sv_act_2_ability_the_unit_lacks_refuses(play, inf, clauses):
    profile = {"like": "Infantry", "abilities": ["Hymn"]}
    game = play([inf("A1", 10, 10, profile=profile)])
    game.do("activate", "A1")
    assert clauses(game.do("ability", "A1", name="Curse")) == ["SV-ACT-2"]
    assert game.do("ability", "A1", name="Hymn").legal


def test_sv_act_3_allowance_is_fresh_each_activation(play, inf):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    game.do("advance", "A1", distance=3)
    game.do("end_activation", "A1")
    assert "allowance" not in game.state.progress
    game.do("next_turn")
    assert game.do("activate", "A1").value("allowance_left") == 8


def test_sv_act_4_unknown_type_is_a_faulty_scene(play, inf):
    with pytest.raises(DocumentError, match=r"units\[0\]\.profile\.type: must be one of"):
        play([inf("A1", 10, 10, profile={"like": "Infantry", "type": "Dragon"})])


def test_sv_act_4_allowance_against_the_type_is_a_faulty_scene(play, inf):
    profile = {"like": "Infantry", "keywords": ["Swift"], "move": 8}
    with pytest.raises(DocumentError, match="must be 9, from Infantry and Swift; got 8"):
        play([inf("A1", 10, 10, profile=profile)])


@pytest.mark.parametrize(
    ("keywords", "move"),
    [
        ([], 8),
        (["Heavy Armor"], 7),
        (["Sturdy"], 7),
        (["Sturdy", "Heavy Armor"], 7),
        (["Heavy Armor", "Reanimated"], 6),
        (["Swift", "Heavy Armor"], 8),
        (["Flying", "Heavy Armor"], 20),
    ],
)
def test_sv_prop_1_allowances_add_up(keywords, move):
    assert move_of_type(TYPES["Infantry"], keywords) == move


@pytest.mark.parametrize(
    ("profile", "left"),
    [
        ({"like": "Infantry", "keywords": ["Swift", "Scout"]}, 9),
        ({"like": "Dwarf Crossbows", "keywords": []}, 8),
        ({"like": "Dwarf Crossbows", "type": "Cavalry"}, 15),
        ({"like": "Trolls", "type": "Infantry", "keywords": ["Flying", "Swift"]}, 20),
    ],
)
def test_sv_prop_1_an_inline_profile_has_the_allowance_of_its_properties(play, inf, profile, left):
    game = play([inf("A1", 10, 10, profile=profile)])
    assert game.do("activate", "A1").value("allowance_left") == left


def test_sv_prop_1_example_units_have_the_allowances_of_their_lists():
    known = {
        "Imperial Archers": 8,
        "Goblin Shortbows": 8,
        "Dwarf Crossbows": 7,
        "Elf Archers": 9,
        "Skeleton Bowmen": 7,
        "Mongrel Skirmishers": 8,
        "Orc Warriors": 8,
        "Imperial Knights": 15,
        "Goblin Wolf Riders": 17,
        "Trolls": 12,
        "Giant Eagle": 20,
        "Dwarf Cannon": 0,
    }
    assert {name: PROFILES[name].stats["move"] for name in known} == known


def test_sv_act_5_second_activation_refuses(play, inf, clauses):
    game = play([inf("A1", 10, 10), inf("A2", 10, 20)])
    game.do("activate", "A1")
    game.do("end_activation", "A1")
    assert clauses(game.do("activate", "A1")) == ["SV-ACT-5"]


@pytest.mark.parametrize("mark", ["activated", "charged", "fled"])
def test_sv_act_5_marks_of_the_turn_count_and_go_with_it(play, inf, clauses, mark):
    game = play([inf("A1", 10, 10, state={mark: True})])
    assert clauses(game.do("activate", "A1")) == ["SV-ACT-5"]
    game.do("pass")
    game.do("next_turn")
    assert game.do("activate", "A1").legal


def test_sv_act_6_initiative_goes_over_and_comes_back(play, inf):
    game = play([inf("A1", 10, 5), inf("A2", 10, 15), inf("B1", 40, 18)])
    for actor, after in (("A1", "B"), ("B1", "A")):
        game.do("activate", actor)
        game.do("end_activation", actor)
        assert (game.state.turn.active, game.state.turn.initiative) == (after, after)


def test_sv_act_7_last_activation_ends_the_phase(play, inf, clauses):
    game = play([inf("A1", 10, 10), inf("B1", 40, 18, state={"activated": True})])
    assert clauses(game.do("next_turn")) == ["SV-ACT-7"]
    game.do("activate", "A1")
    game.do("end_activation", "A1")
    assert game.state.turn.phase == "done"
    assert set(clauses(game.do("activate", "A1"))) == {"SV-ACT-5", "SV-ACT-7"}
    assert "SV-ACT-7" in clauses(game.do("pass"))


@pytest.mark.parametrize(("reading", "active"), [("final", "B"), ("consecutive", "A")])
def test_sv_act_7_pass_readings_differ(play, inf, reading, active):
    units = [inf("A1", 10, 5), inf("B1", 40, 18), inf("B2", 40, 28)]
    game = play(units, phase__pass=reading)
    game.do("pass")
    game.do("activate", "B1")
    game.do("end_activation", "B1")
    assert game.state.turn.active == active


@pytest.mark.parametrize("reading", ["final", "consecutive"])
def test_sv_act_7_side_with_nothing_left_hands_over_as_a_pass(play, inf, reading):
    units = [inf("A1", 10, 5), inf("A2", 10, 15), inf("B1", 40, 18, state={"activated": True})]
    game = play(units, phase__pass=reading)
    game.do("activate", "A1")
    game.do("end_activation", "A1")
    assert (game.state.turn.phase, game.state.turn.active) == ("strategic", "A")
    game.do("pass")
    assert game.state.turn.phase == "done"


def test_sv_act_8_roll_off_ties_are_rolled_again(play, inf):
    game = play([inf("A1", 10, 10)], turn={"phase": "roll_off"})
    verdict = game.do("roll_off", None, [4], [4], [6], [1], "initiative")
    assert verdict.kind == "LEGAL"
    assert (game.state.turn.active, game.state.progress["zone"]) == ("A", "B")
    assert game.state.turn.phase == "strategic"


def test_sv_act_9_engaged_unit_refuses(play, inf, clauses):
    game = play([inf("A1", 10, 10, state={"engaged": True}), inf("A2", 10, 20)])
    assert clauses(game.do("activate", "A1")) == ["SV-ACT-9"]
    assert game.do("activate", "A2").legal


def test_sv_abl_1_ability_and_attack_share_a_slot(play, inf, clauses):
    profile = {"like": "Imperial Archers", "abilities": ["Hymn"]}
    game = play([inf("A1", 10, 10, profile=profile), inf("B1", 20, 10, 180)])
    game.do("activate", "A1")
    assert game.do("shoot", "A1", [1] * 10, target="B1").legal
    assert clauses(game.do("ability", "A1", name="Hymn")) == ["SV-ABL-1"]


def test_sv_abl_1_commander_adds_one_slot(play, inf, clauses):
    profile = {"like": "Infantry", "abilities": ["Hymn"], "keywords": ["Commander"]}
    game = play([inf("A1", 10, 10, profile=profile), inf("A2", 10, 20)])
    game.do("activate", "A1")
    assert game.do("ability", "A1", name="Hymn", commander=True).legal
    assert clauses(game.do("ability", "A1", name="Hymn", commander=True)) == ["SV-ABL-1"]
    assert game.do("ability", "A1", name="Hymn").legal


def test_sv_act_5_a_unit_active_in_the_scene_has_had_its_activation(play, inf, clauses):
    turn = {"progress": {"unit": "A1", "allowance": 3}}
    game = play([inf("A1", 10, 10), inf("A2", 10, 20)], turn=turn)
    assert game.do("advance", "A1", distance=3).value("allowance_left") == 0
    game.do("end_activation", "A1")
    assert clauses(game.do("activate", "A1")) == ["SV-ACT-5"]


@pytest.mark.parametrize(
    ("progress", "fault"),
    [
        ({"unit": "A9", "allowance": 3}, "has the id 'A9'"),
        ({"unit": "B1", "allowance": 3}, "'B1' is not of the active side"),
        ({"unit": "A1"}, "allowance: is missing"),
        ({"allowance": 3}, "needs unit"),
        ({"unit": "A1", "allowance": "3"}, "must be a number"),
        ({"unit": "A1", "allowance": -1}, "from 0 to 1000"),
        ({"passed": ["C"]}, "no side has the id 'C'"),
        ({"unit": "A2", "allowance": 3}, "unit: 'A2' has left the table"),
        ({"contacts": [["A1"]]}, "pairs of ids"),
        ({"contacts": [["A1", "A1"]]}, "'A1' cannot be in contact with itself"),
        ({"passed": ["B", "A"]}, "passed: 'A' is the side to act"),
        ({"flown": ["B1"]}, "flown: Flight Moves are made in the phase flights alone"),
        ({"zone": "C"}, "no side has the id 'C'"),
        ({"passe": ["A"]}, "is not known; .*did you mean passed"),
    ],
)
def test_progress_of_a_scene_is_checked(play, inf, progress, fault):
    units = [inf("A1", 10, 10), inf("B1", 30, 10), inf("A2", 20, 10, state={"gone": "destroyed"})]
    with pytest.raises(DocumentError, match=fault):
        play(units, turn={"progress": progress})


@pytest.mark.parametrize(
    ("profile", "fault"),
    [
        ({"like": "Infantry", "weapon": "Ballista"}, "weapon: must be one of"),
        ({"like": "Infantry", "keywords": ["Brave"]}, "keywords: must be among"),
        ({"like": "Infantry", "wounds": 0}, "wounds: must be 1 or more"),
        ({"like": "Infantry", "skill": 2.5}, "skill: must be a whole number"),
        ({"like": "Infantry", "files": 2.5}, "files: must be a whole number, 1 or more; got 2.5"),
        ({"type": "Infantry"}, "discipline: is missing"),
    ],
)
def test_profiles_of_a_scene_are_checked(play, inf, profile, fault):
    with pytest.raises(DocumentError, match=fault):
        play([inf("A1", 10, 10, profile=profile)])


def test_carried_wounds_of_a_scene_are_checked(play, inf):
    with pytest.raises(DocumentError, match=r"state\.wounds: must be from 0 to 1"):
        play([inf("A1", 10, 10, profile="Cavalry", state={"wounds": 2})])
