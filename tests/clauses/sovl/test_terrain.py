"""SV-TER, SV-PROP: each limit just inside, on and outside."""

from __future__ import annotations

import pytest

from tapeline.errors import DocumentError


@pytest.mark.parametrize("kind", ["forest", "swamp"])
def test_sv_ter_1_kinds_that_are_difficult(play, inf, piece, kind):
    game = play([inf("A1", 10, 10)], [piece(kind, 8, 12, 4, 16)])
    assert game.do("activate", "A1").value("allowance_left") == 6


def test_sv_ter_1_a_map_may_declare_more(play, inf, piece):
    bog = {**piece("ground", 8, 12, 4, 16), "traits": ["difficult"]}
    game = play([inf("A1", 10, 10)], [bog])
    assert game.do("activate", "A1").value("allowance_left") == 6


@pytest.mark.parametrize(
    ("border", "left"), [(11.01, 8), (11, 8), (11 - 5e-7, 8), (11 - 2e-6, 6), (10, 6)]
)
def test_sv_ter_2_touching_is_outside(play, inf, piece, border, left):
    game = play([inf("A1", 10, 10)], [piece("forest", border, 14, 4, 16)])
    assert game.do("activate", "A1").value("allowance_left") == left


def test_sv_ter_2_never_below_nothing(play, inf, piece):
    machine = inf("A1", 10, 10, profile="War Machine", models=1, files=1, size=(2, 2))
    game = play([machine], [piece("forest", 8, 12, 4, 16)])
    assert game.do("activate", "A1").value("allowance_left") == 0


def test_sv_ter_3_entry_is_paid_when_the_move_goes_beyond_the_border(play, inf, piece):
    game = play([inf("A1", 10, 10)], [piece("forest", 13, 20, 4, 16)])
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=2).value("allowance_left") == 6
    assert game.do("advance", "A1", distance=0.5).value("allowance_left") == 3.5
    assert game.do("advance", "A1", distance=0.5).value("allowance_left") == 3


def test_sv_seq_2_says_what_the_ground_takes_of_a_cost(play, inf, piece):
    ground = [piece("swamp", 13, 14, 4, 16, "bog"), piece("forest", 15, 20, 4, 16, "wood")]
    game = play([inf("A1", 10, 10)], ground)
    game.do("activate", "A1")
    (finding,) = game.do("advance", "A1", distance=5).findings
    text = (
        "The order costs 9.000 in of allowance, 4 of it to enter bog and wood; 8.000 in are left."
    )
    assert (finding.clause, finding.text) == ("SV-SEQ-2", text)


def test_sv_ter_3_coming_back_in_is_a_new_entry(play, inf, piece):
    woods = [piece("forest", 13, 13.5, 4, 16, "F1")]
    game = play([inf("A1", 10, 10, profile="Cavalry")], woods)
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=5).value("allowance_left") == 9  # out at 4.5
    assert game.do("pivot", "A1", by=180).value("allowance_left") == 1
    verdict = game.do("advance", "A1", distance=1)
    assert [f.clause for f in verdict.findings] == ["SV-TER-4"]


def test_sv_ter_3_a_feature_in_two_parts_is_entered_once(play, inf, piece):
    both = {
        "id": "F1",
        "kind": "forest",
        "shapes": [
            piece("forest", 13, 15, 4, 16)["shape"],
            piece("forest", 15, 17, 4, 16)["shape"],
        ],
    }
    game = play([inf("A1", 10, 10)], [both])
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=5).value("allowance_left") == 1


@pytest.mark.parametrize(
    ("gap", "penalty", "losses"),
    [
        (1.99, "per_feature", 1),
        (2 - 5e-6, "per_feature", 1),
        (2 - 5e-7, "per_feature", 2),
        (2, "per_feature", 2),
        (2.01, "per_feature", 2),
        (1.99, "out_to_in", 1),
        (2, "out_to_in", 2),
        (2, "once", 1),
    ],
)
def test_sv_ter_3_clear_for_one_instant_is_out(play, inf, piece, gap, penalty, losses):
    both = {
        "id": "F1",
        "kind": "swamp",
        "shapes": [
            piece("swamp", 12.5, 14, 4, 16)["shape"],
            piece("swamp", 14 + gap, 20, 4, 16)["shape"],
        ],
    }
    game = play([inf("A1", 10, 10, profile="Cavalry")], [both], terrain__penalty=penalty)
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=6).value("allowance_left") == 10 - 2 * losses


@pytest.mark.parametrize(
    ("gap", "losses"), [(1.99, 1), (2 - 5e-6, 1), (2 - 5e-7, 2), (2, 2), (2.01, 2)]
)
def test_sv_ter_3_out_of_one_piece_and_into_another(play, inf, piece, gap, losses):
    two = [piece("swamp", 12.5, 14, 4, 16), piece("forest", 14 + gap, 20, 4, 16, "F2")]
    game = play([inf("A1", 10, 10, profile="Cavalry")], two, terrain__penalty="out_to_in")
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=6).value("allowance_left") == 10 - 2 * losses


@pytest.mark.parametrize(("penalty", "left"), [("per_feature", 2), ("out_to_in", 4), ("once", 4)])
def test_sv_ter_3_a_pivot_from_ground_into_ground(play, inf, piece, penalty, left):
    pool = piece("swamp", 9.7, 10.3, 11, 13)  # left by the end pose
    game = play(
        [inf("A1", 10, 10)],
        [pool, piece("forest", 12, 16, 4, 16, "F2")],
        terrain__penalty=penalty,
    )
    game.do("activate", "A1")
    assert game.do("pivot", "A1", by=75).value("allowance_left") == left


@pytest.mark.parametrize(
    ("border", "refused"), [(17, False), (17 + 5e-7, False), (17.001, True), (18, True)]
)
def test_sv_ter_4_exactly_two_is_enough(play, inf, piece, clauses, border, refused):
    game = play([inf("A1", 10, 10)], [piece("forest", border, 20, 4, 16)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=border - 11 + 0.5)
    assert "SV-TER-4" in clauses(verdict) if refused else clauses(verdict) == ["SV-SEQ-2"]


@pytest.mark.parametrize(("left", "refused"), [(4, False), (4 - 5e-7, False), (3.999, True)])
def test_sv_ter_4_pivots(play, inf, piece, clauses, left, refused):
    turn = {"progress": {"unit": "A1", "allowance": left}}
    game = play([inf("A1", 10, 10)], [piece("forest", 12, 16, 4, 16)], turn=turn)
    assert clauses(game.do("pivot", "A1", by=60)) == (["SV-TER-4"] if refused else [])


@pytest.mark.parametrize("kind", ["cliff", "building", "river", "lake"])
def test_sv_ter_5_bars_movement(play, inf, piece, clauses, kind):
    game = play([inf("A1", 10, 10)], [piece(kind, 13, 20, 4, 16)])
    game.do("activate", "A1")
    assert clauses(game.do("advance", "A1", distance=4)) == ["SV-ADV-2", "SV-TER-5"]
    assert game.body("A1").x == 12


def test_sv_ter_5_standing_on_it_is_a_faulty_scene(play, inf, piece):
    with pytest.raises(DocumentError, match="overlaps 'F1', which is impassable"):
        play([inf("A1", 10, 10)], [piece("lake", 10.5, 20, 4, 16)])


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("forest", False),
        ("cliff", False),
        ("building", False),
        ("swamp", True),
        ("river", True),
        ("lake", True),
    ],
)
def test_sv_ter_6_kinds_that_cut_sight(play, inf, piece, clauses, kind, seen):
    units = [inf("A1", 10, 10, profile="Imperial Archers"), inf("B1", 20, 10, 180)]
    game = play(units, [piece(kind, 14, 16, 0, 36)])
    game.do("activate", "A1")
    verdict = game.do("shoot", "A1", target="B1")
    assert clauses(verdict) == ([] if seen else ["SV-LOS-2"])


def test_sv_prop_2_scouts_pay_nothing_and_enter(play, inf, piece):
    woods = [piece("forest", 8, 10.5, 4, 16), piece("swamp", 17.5, 20, 4, 16, "F2")]
    game = play([inf("A1", 10, 10, profile="Mongrel Skirmishers")], woods)
    assert game.do("activate", "A1").value("allowance_left") == 8
    verdict = game.do("advance", "A1", distance=7)
    assert verdict.kind == "LEGAL"
    assert verdict.value("allowance_left") == 1


@pytest.mark.parametrize(
    ("distance", "legal"), [(3, True), (3.01, False), (8.99, False), (9, True)]
)
def test_sv_prop_3_flyers_land_clear(play, inf, piece, clauses, distance, legal):
    eagle = inf("A1", 10, 18, profile="Giant Eagle", models=1, files=1, size=(2, 2))
    game = play([eagle], [piece("building", 14, 18, 10, 26)])
    assert game.do("activate", "A1").value("allowance_left") == 20
    verdict = game.do("advance", "A1", distance=distance)
    assert clauses(verdict) == ([] if legal else ["SV-PROP-3"])


def test_sv_prop_3_units_stop_flyers(play, inf):
    eagle = inf("A1", 10, 18, profile="Giant Eagle", models=1, files=1, size=(2, 2))
    game = play([eagle, inf("B1", 18, 18, 90)])
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=12).value("moved") == 5


@pytest.mark.parametrize(("reading", "left"), [("per_feature", 2), ("out_to_in", 4), ("once", 4)])
def test_penalty_readings_from_forest_to_forest(play, inf, piece, reading, left):
    woods = [piece("forest", 9, 10, 14, 22), piece("forest", 11, 13, 14, 22, "F2")]
    game = play([inf("A1", 6, 18, profile="Cavalry", size=(5, 2))], woods, terrain__penalty=reading)
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=10).value("allowance_left") == left


@pytest.mark.parametrize(("reading", "left"), [("per_feature", 0), ("out_to_in", 2), ("once", 2)])
def test_penalty_readings_two_features_reached_at_once(play, inf, piece, reading, left):
    woods = [piece("forest", 13, 20, 10, 16), piece("swamp", 13, 20, 4, 10, "F2")]
    game = play([inf("A1", 10, 10)], woods, terrain__penalty=reading)
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=4).value("allowance_left") == left


def test_penalty_once_spans_orders(play, inf, piece):
    woods = [piece("forest", 12, 12.5, 4, 16), piece("swamp", 17, 20, 4, 16, "F2")]
    game = play([inf("A1", 10, 10)], woods, terrain__penalty="once")
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=4).value("allowance_left") == 2
    assert game.do("advance", "A1", distance=2).value("allowance_left") == 0
    assert game.do("end_activation", "A1").legal
