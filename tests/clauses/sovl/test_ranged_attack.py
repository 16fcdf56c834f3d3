"""SV-SHOOT, SV-RNG, SV-LOS, SV-HIT, SV-SAVE: each limit just inside, on and outside."""

from __future__ import annotations

import pytest

from tapeline.rules.sovl.ranged_attack import save_number, to_hit
from tapeline.rules.sovl.sight import seen

BOW = {"like": "Infantry", "weapon": "Longbow"}


def duel(play, inf, x=20.0, **more):
    """An archer of one model at (10, 10) and an enemy ahead of it at x."""
    units = [
        inf("A1", 10, 10, profile=more.pop("profile", BOW), models=1, files=1),
        inf("B1", x, 10, 180, profile=more.pop("target", "Infantry")),
    ]
    game = play(units, more.pop("terrain", ()), **more)
    game.do("activate", "A1")
    return game


def test_sv_shoot_1_unarmed_refuses(play, inf, clauses):
    game = duel(play, inf, profile="Infantry")
    assert clauses(game.do("shoot", "A1", target="B1")) == ["SV-SHOOT-1"]


def test_sv_shoot_2_second_attack_refuses(play, inf, clauses):
    game = duel(play, inf)
    assert game.do("shoot", "A1", [1], target="B1").legal
    assert clauses(game.do("shoot", "A1", target="B1")) == ["SV-SHOOT-2"]


def test_sv_shoot_3_before_between_and_after_moves(play, inf):
    for shot_at in range(3):
        game = duel(play, inf)
        for step in range(3):
            if step == shot_at:
                left = game.state.progress["allowance"]
                assert game.do("shoot", "A1", [1], target="B1").value("allowance_left") == left
            elif step < 2:
                assert game.do("advance", "A1", distance=1).legal


def test_sv_shoot_4_own_units_and_oneself_refuse(play, inf, clauses):
    game = play([inf("A1", 10, 10, profile=BOW), inf("A2", 20, 10)])
    game.do("activate", "A1")
    assert clauses(game.do("shoot", "A1", target="A2")) == ["SV-SHOOT-4"]
    assert clauses(game.do("shoot", "A1", target="A1")) == ["SV-SHOOT-4"]


def test_sv_shoot_4_refused_shot_is_not_used_up(play, inf, clauses):
    units = [inf("A1", 10, 10, profile=BOW), inf("B1", 20, 10, 180), inf("B2", 4, 10)]
    game = play(units)
    game.do("activate", "A1")
    assert clauses(game.do("shoot", "A1", target="B2")) == ["SV-LOS-1"]
    assert game.do("shoot", "A1", [1] * 10, target="B1").legal


@pytest.mark.parametrize(
    ("gap", "clause"), [(29.999, []), (30, []), (30 + 5e-7, []), (30 + 2e-6, ["SV-RNG-1"])]
)
def test_sv_rng_1_at_range_is_in_range(play, inf, clauses, gap, clause):
    assert clauses(duel(play, inf, 12 + gap).do("shoot", "A1", target="B1")) == clause


@pytest.mark.parametrize(("gap", "number"), [(15, 4), (15 + 5e-7, 4), (15 + 2e-6, 5), (29, 5)])
def test_sv_hit_5_half_range_is_not_long(play, inf, gap, number):
    game = duel(play, inf, 12 + gap)
    assert game.do("shoot", "A1", target="B1").value("to_hit") == number


@pytest.mark.parametrize(
    ("y", "reading", "legal"),
    [
        (19.0, "corner45", True),
        (19.0 + 5e-7, "corner45", True),
        (19.01, "corner45", False),
        (17.0, "centre45", True),
        (17.01, "centre45", False),
    ],
)
def test_sv_los_1_the_border_of_the_arc(play, inf, clauses, y, reading, legal):
    # far corner of the target at x = 17: the arc reaches y = 12 + 6, or 10 + 6
    units = [inf("A1", 10, 10, profile=BOW), inf("B1", 15, y, 270)]
    game = play(units, los__arc=reading)
    game.do("activate", "A1")
    assert clauses(game.do("shoot", "A1", target="B1")) == ([] if legal else ["SV-LOS-1"])


@pytest.mark.parametrize(
    ("top", "seen"), [(36, False), (10.7501, False), (10.75, True), (10.4, True)]
)
def test_sv_los_2_any_part_seen_is_enough(play, inf, piece, clauses, top, seen):
    # the line to the near corner (19, 12) passes x = 14 at y = 10.75
    game = duel(play, inf, terrain=[piece("building", 14, 16, 0, top)])
    assert clauses(game.do("shoot", "A1", target="B1")) == ([] if seen else ["SV-LOS-2"])


def test_sv_los_2_looking_along_a_border_is_free(play, inf, piece):
    walls = [piece("building", 14, 16, 0, 10), piece("building", 14, 16, 10, 36, "F2")]
    assert duel(play, inf, terrain=walls).do("shoot", "A1", target="B1").legal


def test_sv_los_2_units_between(play, inf, clauses):
    units = [
        inf("A1", 10, 10, profile=BOW),
        inf("B1", 20, 10, 180),
        inf("A2", 15, 10),
    ]
    for reading, found in (("false", []), ("true", ["SV-LOS-2"])):
        game = play(units, los__units_block=reading)
        game.do("activate", "A1")
        assert clauses(game.do("shoot", "A1", target="B1")) == found


def test_sv_hit_1_one_die_a_model_checked(play, inf, clauses):
    game = play([inf("A1", 10, 10, profile=BOW, models=7, files=5), inf("B1", 20, 10, 180)])
    game.do("activate", "A1")
    assert game.do("shoot", "A1", target="B1").ask.count == 7
    assert clauses(game.do("shoot", "A1", [4] * 6, target="B1")) == ["SV-HIT-1"]
    (face,) = game.do("shoot", "A1", [7] * 7, target="B1").findings
    assert (face.clause, face.measured, face.limit) == ("SV-HIT-1", None, None)
    assert game.do("shoot", "A1", [3] * 7, target="B1").value("hits") == 0


@pytest.mark.parametrize(
    ("skill", "long", "number"),
    [(3, 0, 4), (4, 0, 3), (4, 1, 4), (5, 0, 2), (2, 0, 5), (2, 1, 6), (6, 0, 2), (1, 1, 6)],
)
def test_sv_hit_2_3_4_6_numbers(skill, long, number):
    assert to_hit(skill, bool(long)) == number


@pytest.mark.parametrize(
    ("weapon", "faces", "hits"),
    [
        ("Cannon", [3], 3),
        ("Catapult", [2, 3], 5),
        ("Mortar", [1, 1], 3),
        ("Bolt Thrower", [4, 3, 6], 2),
    ],
)
def test_sv_hit_7_artillery(play, inf, weapon, faces, hits):
    game = duel(play, inf, profile={"like": "War Machine", "weapon": weapon})
    verdict = game.do("shoot", "A1", faces, target="B1")
    assert verdict.value("hits") == hits
    assert verdict.ask.count == hits


@pytest.mark.parametrize(
    ("power", "defense", "number"),
    [(4, 4, 4), (5, 4, 5), (6, 4, 5), (7, 4, 6), (9, 4, 6), (3, 4, 3), (2, 4, 3), (1, 4, 2)],
)
def test_sv_save_1_numbers(power, defense, number):
    assert save_number(power, defense) == number


def test_sv_save_1_shield_adds_to_defense(play, inf):
    target = {"like": "Infantry", "keywords": ["Shield"]}
    game = duel(play, inf, target=target)
    assert game.do("shoot", "A1", [6], target="B1").ask.target == 3


@pytest.mark.parametrize(
    ("wounds", "carried", "dead", "left"), [(1, 0, 0, 1), (1, 1, 1, 0), (2, 1, 1, 1), (6, 0, 3, 0)]
)
def test_sv_shoot_6_wounds_make_casualties(play, inf, wounds, carried, dead, left):
    state = {"wounds": carried} if carried else {}
    units = [
        inf("A1", 10, 10, profile=BOW, models=6, files=3),
        inf("B1", 20, 10, 180, profile="Cavalry", state=state),
    ]
    game = play(units)
    game.do("activate", "A1")
    shots = [6] * wounds + [1] * (6 - wounds)
    verdict = game.do("shoot", "A1", shots, [1] * wounds, target="B1")
    assert (verdict.value("casualties"), verdict.value("wounds_carried")) == (dead, left)
    assert game.body("B1").marks["models"] == 10 - dead


def test_sv_shoot_6_the_front_stays_when_ranks_go(play, inf):
    units = [
        inf("A1", 20, 20, 270, profile=BOW, models=12, files=6),
        inf("B1", 20, 10, 30, profile="Goblin Shortbows", models=17, size=None),
    ]
    game = play(units)
    front = [game.body("B1").x, game.body("B1").y]
    depth = game.body("B1").base.depth
    game.do("activate", "A1")
    verdict = game.do("shoot", "A1", [6] * 12, [1] * 12, target="B1")
    after = game.body("B1")
    assert verdict.value("models_left") == 5
    assert after.base.depth == pytest.approx(20 / 25.4)
    forward = (depth - after.base.depth) / 2
    assert after.x == pytest.approx(front[0] + forward * 3**0.5 / 2)
    assert after.y == pytest.approx(front[1] + forward / 2)


def test_sv_shoot_6_the_last_model(play, inf):
    units = [
        inf("A1", 10, 10, profile=BOW, models=3, files=3),
        inf("B1", 20, 10, 180, models=2, files=2),
    ]
    game = play(units)
    game.do("activate", "A1")
    verdict = game.do("shoot", "A1", [6, 6, 6], [1, 1, 1], target="B1")
    assert verdict.value("casualties") == 2
    assert "B1" in game.state.gone
    assert game.do("end_activation", "A1").legal
    assert game.state.turn.phase == "done"


def test_sv_los_2_the_place_lies_on_what_hides_and_before_the_target(play, inf):
    """From (11, 10) an angle of two walls hides all of x 20 to 22, y 8 to 12; (16, 8.5), the middle
    of its box, is on open ground."""
    angle = [[14, 4], [18, 4], [18, 13], [17, 13], [17, 5], [14, 5]]
    wall = {"id": "F1", "kind": "building", "shape": {"polygon": angle}}
    game = duel(play, inf, 21, terrain=[wall])
    (finding,) = game.do("shoot", "A1", target="B1").findings
    assert finding.clause == "SV-LOS-2"
    assert finding.place == pytest.approx((17, 10))


def test_sv_los_1_a_unit_is_seen_by_a_line_within_the_front_arc(play, inf):
    """B1, x 13 to 17, y 17 to 19: of (13, 17), the nearest to (11, 10), the arc is 3 short."""
    game = play([inf("A1", 10, 10, profile=BOW), inf("B1", 15, 18, 270)])
    sight = seen(game.state, game.body("A1"), game.body("B1"))
    (eye, to) = sight.lines[0]
    assert sight.sees
    assert eye == pytest.approx((11, 10))
    assert to == pytest.approx((16, 17), abs=1e-5)
