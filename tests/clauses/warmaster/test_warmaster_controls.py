"""What a player of Warmaster is offered as controls; evades that are planned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from clauses.warmaster.tabling import U0, Game, character, ids, line, slides, unit
from support.controls_checked import amiss, battles
from support.scenarios import scenes_of
from tapeline.engine.controls import Control
from tapeline.errors import UnknownIdError
from tapeline.rules.warmaster import SYSTEM
from tapeline.table.marks import thaw

pytestmark = pytest.mark.compiled

#: An enemy that sees nothing of what goes on and is not seen.
FAR = unit("E", [(170, 110, 90)])


def shown(game: Game, of: str | None = "U") -> list[Control]:
    return list(SYSTEM.controls(game.state, of))


def named(game: Game, label: str, of: str | None = "U") -> Control:
    return next(control for control in shown(game, of) if control.label == label)


def labels(game: Game, of: str | None = "U") -> list[str]:
    """What can be done now, without what is barred."""
    return [control.label for control in shown(game, of) if not control.why_not]


def barred(game: Game, of: str | None = "U") -> dict[str, set[str]]:
    return {c.label: {f.clause for f in c.why_not} for c in shown(game, of) if c.why_not}


@pytest.mark.parametrize(
    ("phase", "label"),
    [
        ("initiative", "End initiative"),
        ("home", "End the flights home"),
        ("orders", "End orders"),
        ("characters", "End the characters' moves"),
        ("end", "Go on to shooting and combat"),
        ("other", "End the turn"),
    ],
)
def test_what_leads_on_in_each_step(phase: str, label: str) -> None:
    (control,) = shown(Game([unit("U", U0), FAR], phase=phase), None)
    assert (control.label, control.group, control.why_not) == (label, "step", ())


def test_a_unit_to_be_ordered_shows_who_may_order_it() -> None:
    game = Game(
        [
            unit("U", U0),
            FAR,
            character("H", 60, 60),
            character("W", 60, 80, "Empire Wizard"),
            character("G", 100, 40, "Empire General"),
        ]
    )
    assert labels(game) == ["Order from H", "Order from G"]
    assert barred(game) == {"Order from W": {"WM-CMD-6"}, "Move": {"WM-MOVE-1"}}
    # Command 8, the hero within 20 cm; the general 9, 30 cm off.
    assert named(game, "Order from H").says == "8 or less on 2D6."
    assert named(game, "Order from G").says == "8 or less on 2D6."
    assert thaw(named(game, "Order from H").action) == {
        "kind": "order",
        "actor": "H",
        "units": ["U"],
    }


def test_a_stand_stands_for_its_unit() -> None:
    game = Game([unit("U", U0), FAR, character("H", 60, 60)])
    assert shown(game, "U-2") == shown(game, "U")


def test_a_character_picks_units() -> None:
    game = Game(
        [
            unit("U", U0),
            unit("V", line(56, 42)),
            unit("X", line(20, 20), confused=True),
            unit("Y", line(150, 110)),
            FAR,
            character("H", 60, 60),
        ]
    )
    order = named(game, "Order", "H")
    assert (order.gesture, order.slot, order.candidates) == ("pick_many", "units", ("U", "V"))
    assert [(ring.about, ring.distance) for ring in order.rings] == [("H", 60.0), ("H", 20.0)]
    assert barred(game, "H") == {"Move": {"WM-CHAR-1"}}
    general = Game([unit("U", U0), FAR, character("G", 60, 60, "Empire General")])
    assert [ring.distance for ring in named(general, "Order", "G").rings] == [20.0]


def test_a_character_that_has_failed_is_told_so_once() -> None:
    confused = unit("V", line(20, 20), confused=True)
    game = Game([unit("U", U0), confused, FAR, character("H", 60, 60, failed=True)])
    order = named(game, "Order", "H")
    assert [(f.clause, f.about) for f in order.why_not] == [("WM-CMD-5", "H")]
    assert order.candidates == ()


def test_everything_an_ordered_unit_may_do() -> None:
    game = Game([unit("U", U0, may_move="order"), FAR])
    acts = [c for c in shown(game) if not c.why_not]
    assert [c.label for c in acts] == [
        "Move",
        "Wheel",
        "About face",
        "Form line",
        "Form column",
        "Move stand by stand",
    ]
    assert {(c.spent, c.allowance) for c in acts} == {(0.0, 20.0)}
    move, wheel = acts[:2]
    assert (move.gesture, move.slot, move.turn_slot, move.turns) == ("pose", "to", "by", "by")
    assert (wheel.gesture, wheel.slot) == ("turn", "by")
    assert [value for value, _ in wheel.extras[0].options] == ["left", "right"]
    assert (acts[3].gesture, acts[3].turn_slot, acts[3].turns) == ("pose", "facing", "facing")


def test_half_pace_and_one_stand() -> None:
    game = Game([unit("U", U0, may_move="half"), unit("V", [(20, 20, 90)], may_move="order"), FAR])
    assert named(game, "Move").allowance == 10.0
    assert labels(game, "V") == ["Move", "About face", "Move by a path"]


def test_an_about_face_that_is_barred_says_why() -> None:
    crowded = [(60.0, 40.0, 90.0), (62.0, 40.0, 90.0), (64.0, 40.0, 90.0)]
    free = Game([unit("U", crowded, "Knights", may_move="order"), FAR])
    assert named(free, "About face").why_not == ()
    fighting = Game(
        [unit("U", U0, may_move="order"), unit("E", [(60, 42, 270)])],
    )
    assert barred(fighting)["Move"] == {"WM-MOVE-1"}
    assert "About face" not in [c.label for c in shown(fighting)]


def test_charges_at_what_is_near_and_seen() -> None:
    game = Game(
        [
            unit("U", U0, may_move="order"),
            unit("E", [(60, 55, 270)]),
            unit("F", [(60, 25, 270)]),
            unit("J", [(60, 110, 270)]),
        ]
    )
    charge = named(game, "Charge")
    assert (charge.gesture, charge.candidates, charge.allowance) == ("pick", ("E",), 20.0)
    assert [c.label for c in shown(game)].count("Charge E stand by stand") == 1
    blind = Game([unit("U", U0, may_move="order"), unit("F", [(60, 25, 270)])])
    assert barred(blind)["Charge"] == {"WM-CHG-1"}
    assert "Charge" not in [c.label for c in shown(Game([unit("U", U0, may_move="order"), FAR]))]


def test_half_pace_is_no_charge() -> None:
    game = Game([unit("U", U0, may_move="half"), unit("E", [(60, 50, 270)])])
    assert barred(game)["Charge"] == {"WM-PACE-11"}


def test_a_blunder_leaves_the_charge_alone() -> None:
    game = Game([unit("U", U0, may_move="rush"), unit("E", [(60, 50, 270)])])
    assert labels(game)[0] == "Charge"
    assert barred(game)["Move"] == {"WM-CMD-7", "WM-MOVE-1"}
    assert barred(game, None) == {"End orders": {"WM-CMD-7"}}


def test_initiative_with_an_enemy_near() -> None:
    parts = [unit("U", U0), unit("E", [(60, 55, 270)]), unit("F", [(60, 59, 270)])]
    game = Game(parts, phase="initiative")
    charge = named(game, "Charge on initiative")
    assert charge.candidates == ("E",)
    assert [(r.about, r.distance) for r in charge.rings] == [(f"U-{k}", 20.0) for k in (1, 2, 3)]
    evade = named(game, "Evade from E")
    assert (evade.gesture, evade.optional, evade.allowance) == ("stands", True, 20.0)
    assert thaw(evade.action) == {"kind": "evade", "actor": "U", "target": "E"}
    later = Game(parts, phase="orders")
    assert not any("initiative" in c.label for c in shown(later))
    game.state = replace(game.state, progress=game.state.progress.set(closed=True))
    assert not any("initiative" in c.label for c in shown(game))


def test_initiative_that_is_barred_and_none_where_nobody_is_near() -> None:
    parts = [unit("U", U0, confused=True), unit("E", [(60, 55, 270)])]
    found = barred(Game(parts, phase="initiative"))
    assert found["Charge on initiative"] == {"WM-INIT-14"}
    assert found["Evade from E"] == {"WM-INIT-14"}
    behind = Game([unit("U", U0), unit("E", [(60, 30, 90)])], phase="initiative")
    assert "WM-INIT-1" in barred(behind)["Charge on initiative"]
    alone = Game([unit("U", U0), FAR], phase="initiative")
    assert not any("initiative" in c.label for c in shown(alone))


def test_troops_that_must_charge_keep_others_waiting() -> None:
    parts = [
        unit("U", U0, "Flagellants"),
        unit("V", line(100, 20)),
        unit("E", [(60, 50, 270)]),
        character("H", 90, 30),
    ]
    game = Game(parts, phase="initiative")
    assert barred(game, None) == {"End initiative": {"WM-INIT-2"}}
    assert "WM-INIT-2" in barred(game, "V")["Order from H"]
    assert "WM-INIT-2" in barred(game, "H")["Order"]
    assert named(game, "Order", "H").candidates == ()
    assert barred(game)["Evade from E"] == {"WM-INIT-2"}
    assert game.do("initiative_charge", actor="U", target="E").legal
    assert labels(game, None) == ["End initiative"]


def test_flyers_go_home() -> None:
    parts = [unit("U", [(60, 40, 90)], "Gyrocopter"), FAR, character("H", 60, 80)]
    game = Game(parts, phase="home")
    assert named(game, "Fly home").candidates == ("H",)
    near = Game([*parts[:2], character("H", 60, 50)], phase="home")
    assert barred(near)["Fly home"] == {"WM-FLY-2"}
    walking = Game([unit("U", U0), FAR, character("H", 60, 80)], phase="home")
    assert "Fly home" not in [c.label for c in shown(walking)]


def test_a_brigade_moves_as_one_block() -> None:
    game = Game([unit("U", U0), unit("V", line(56, 42)), FAR, character("H", 60, 60)])
    assert game.do("order", [1, 1], actor="H", units=["U", "V"]).legal
    for of in (None, "U", "V"):
        brigade = named(game, "Move the brigade", of)
        assert thaw(brigade.action) == {"kind": "brigade", "units": ["U", "V"]}
        assert (brigade.gesture, brigade.turns) == ("pose", "by")
    assert game.do("brigade", units=["U", "V"], to=[60, 31]).legal
    assert "Move the brigade" not in [c.label for c in shown(game, None)]


def test_what_is_left_of_a_brigade_is_no_brigade() -> None:
    game = Game([unit("U", U0), unit("V", line(56, 42)), FAR, character("H", 60, 60)])
    assert game.do("order", [1, 1], actor="H", units=["U", "V"]).legal
    assert game.move(*slides("U", U0, 0, -1, "213")).legal
    for of in (None, "V"):
        assert "Move the brigade" not in [c.label for c in shown(game, of)]


def test_characters_move_and_join() -> None:
    game = Game([unit("U", U0), FAR, character("H", 60, 60)], phase="characters")
    move = named(game, "Move", "H")
    assert (move.gesture, move.spent, move.allowance) == ("path", 0.0, 60.0)
    assert [value for value, _ in move.extras[0].options] == ["U"]
    harpies = unit("U", [(60, 40, 90)], "Harpies")
    loners = Game([harpies, FAR, character("H", 60, 60)], phase="characters")
    assert named(loners, "Move", "H").extras == ()
    assert game.do("move_character", actor="H", path=[{"to": [60, 50]}]).legal
    assert barred(game, "H") == {"Move": {"WM-CHAR-4"}}


def test_other_phases_attest() -> None:
    parts = [unit("U", U0), unit("E", [(60, 60, 270)]), character("H", 90, 90)]
    game = Game(parts, phase="other")
    names = [c.label for c in shown(game)]
    assert names == ["Drive back", "Retreat", "Fall back", "Advance", "Advance on E stand by stand"]
    assert all(c.group == "attest" for c in shown(game))
    back = named(game, "Drive back")
    assert (back.candidates, back.slot) == (("E-1",), "shooter")
    assert [e.name for e in back.extras] == ["hits", "magic"]
    assert thaw(back.action) == {"kind": "drive_back", "actor": "U", "hits": 1}
    assert [e.name for e in named(game, "Retreat").extras] == ["points"]
    assert labels(game, "E")[0] == "Drive back"
    assert labels(game, "H") == ["Leave the table"]
    assert game.do("fall_back", [6, 6, 6], actor="U").legal
    assert named(game, "Move").allowance == 18.0
    assert "Charge" not in [c.label for c in shown(game)]


def test_an_advance_of_troops_that_see_all_round_is_offered_at_whom_they_see_before_them() -> None:
    riders = unit("U", [(60, 60, 90)], "Pistoliers")
    beside, before = unit("E", [(70, 60, 180)]), unit("F", [(60, 78, 270)])
    alone, both = (
        Game([riders, beside], phase="other"),
        Game([riders, beside, before], phase="other"),
    )
    assert named(both, "Advance").candidates == ("F",)
    assert barred(alone)["Advance"] == {"WM-VIS-6"}


def test_a_fight_comes_before_shots() -> None:
    game = Game([unit("U", U0), unit("E", [(60, 42, 270)])], phase="other")
    assert shown(game)[0].label == "Retreat"


def test_when_the_battle_is_over() -> None:
    game = Game([unit("U", U0), FAR])
    over = game.state.progress.set(over="red")
    game.state = replace(game.state, progress=over)
    assert barred(game, None) == {"End orders": {"WM-CMD-1"}}


def test_nobody_has_that_name() -> None:
    with pytest.raises(UnknownIdError):
        shown(Game([unit("U", U0), FAR]), "nobody")


# Evades without stands


def test_an_evade_without_stands_is_planned() -> None:
    game = Game([unit("U", line(56, 60)), unit("E", [(60, 70, 270)])], phase="initiative")
    verdict = game.do("evade", actor="U", target="E")
    assert verdict.legal
    assert verdict.value("distance") == pytest.approx(20.0)
    assert [game.state.body(f"U-{k}").y for k in (1, 2, 3)] == pytest.approx([40.0] * 3)


def test_a_planned_evade_stops_where_there_is_room() -> None:
    other = unit("F", [(60, 39, 90)])
    game = Game([unit("U", line(56, 60)), unit("E", [(60, 70, 270)]), other], phase="initiative")
    assert game.do("evade", actor="U", target="E").legal
    # The line ends 5 cm from F, whose top is at 40.
    assert game.state.body("U-1").y == pytest.approx(46.0)


def test_a_planned_evade_that_finds_no_room_says_why() -> None:
    other = unit("F", line(52, 54.5, 5))
    game = Game([unit("U", line(56, 60)), unit("E", [(60, 70, 270)]), other], phase="initiative")
    verdict = game.do("evade", actor="U", target="E")
    assert ids(verdict) == {"WM-EVADE-11"}
    assert "5 cm from enemies" in verdict.findings[0].text


def test_a_planned_evade_bursts_through() -> None:
    friend = unit("V", line(56, 52))
    game = Game([unit("U", line(56, 60)), unit("E", [(60, 70, 270)]), friend], phase="initiative")
    assert [e.name for e in named(game, "Evade from E").extras] == ["burst"]
    assert game.do("evade", actor="U", target="E", burst=["V"]).legal
    assert game.state.body("U-1").y == pytest.approx(40.0)
    assert game.mark("V", "confused") is True


def test_stands_that_are_given_are_not_planned() -> None:
    game = Game([unit("U", line(56, 60)), unit("E", [(60, 70, 270)])], phase="initiative")
    assert game.move(*slides("U", line(56, 60), 0, -7, "213"), kind="evade", target="E").legal
    assert game.state.body("U-1").y == pytest.approx(53.0)


@pytest.mark.parametrize("name", sorted(scenes_of("warmaster")))
def test_controls_against_random_play(name: str, budget: Callable[[int, int], int]) -> None:
    """Every offer is led to, every press is legal, and the rest is in order."""
    looked = 0
    for seed in range(budget(1, 12)):
        for number, battle in enumerate(battles(scenes_of("warmaster")[name], seed, budget(8, 80))):
            if number % budget(3, 1) == 0:
                assert amiss(battle, Random(number)) == [], (seed, number)
                looked += 1
    assert looked >= 3
