"""MH-PHASE, MH-COMP: phases, sides and the steps of the movement phase."""

from __future__ import annotations

import pytest

from clauses.mordheim.staging import Table, blue, ids, red
from tapeline.rules.mordheim.state import OF_TURN


def test_mh_phase_5_a_turn_goes_through_its_phases_and_to_the_other_side() -> None:
    table = Table([red(10, 10), blue(40, 40)], phase="recovery")
    seen = []
    for _ in range(8):
        turn = table.state.turn
        seen.append((turn.round, turn.active, turn.phase))
        if turn.phase == "movement":
            assert table.do("end_phase", None).findings[0].clause == "MH-PHASE-1"
            assert table.do("close_declarations", None).legal
        assert table.do("end_phase", None).legal
    phases = ("recovery", "movement", "shooting", "hand-to-hand")
    assert seen == [(1, side, phase) for side in ("red", "blue") for phase in phases]
    assert table.state.turn.round == 2


@pytest.mark.parametrize("phase", ["recovery", "shooting", "hand-to-hand"])
def test_mh_phase_5_moves_belong_to_the_movement_phase(phase: str) -> None:
    table = Table([red(10, 10), blue(40, 40)], phase=phase)
    assert ids(table.go((11, 10))) == {"MH-PHASE-5"}


def test_mh_phase_5_only_the_active_side_moves() -> None:
    table = Table([red(10, 10), blue(40, 40)])
    assert ids(table.go((40, 41), actor="E")) == {"MH-PHASE-5"}


def test_mh_phase_2_no_charge_once_declarations_are_closed() -> None:
    table = Table([red(10, 10), blue(15, 10)], step="declarations")
    assert table.do("close_declarations", None).legal
    assert ids(table.do("declare_charge", targets=["E"])) == {"MH-PHASE-2"}


@pytest.mark.parametrize("step", ["declarations", "charges"])
def test_mh_phase_1_no_other_moves_before_charges_are_over(step: str) -> None:
    table = Table([red(10, 10), red(20, 10, body_id="A2"), blue(15, 10)], step="declarations")
    if step == "charges":
        assert table.do("declare_charge", targets=["E"]).legal
        assert table.do("close_declarations", None).legal
    assert table.state.progress["step"] == step
    assert ids(table.go((21, 10), actor="A2")) == {"MH-PHASE-1"}


def test_mh_phase_3_and_comp_1_the_one_that_flees_goes_first() -> None:
    fleeing = red(24, 24, body_id="A2", state={"fleeing": True})
    table = Table([red(10, 10), fleeing, blue(40, 40)], step="declarations")
    assert table.do("close_declarations", None).legal
    assert ids(table.go((11, 10))) == {"MH-PHASE-3"}
    assert ids(table.do("compulsory")) == {"MH-COMP-1"}
    assert ids(table.do("end_phase", None)) == {"MH-PHASE-1", "MH-COMP-1"}
    assert table.do("compulsory", "A2", "south", [1, 1]).kind.value == "FORCED"
    assert table.go((11, 10)).legal


def test_mh_phase_4_each_moves_once() -> None:
    table = Table([red(10, 10), blue(40, 40)])
    assert table.go((11, 10)).legal
    assert ids(table.go((12, 10))) == {"MH-PHASE-4"}


def test_marks_of_a_turn_end_with_it() -> None:
    marks = {"ran": True, "moved": True, "spent": 5.0, "fallen": True, "rallied": True}
    table = Table([red(10, 10, state=marks), blue(40, 40)], phase="hand-to-hand")
    assert table.do("end_phase", None).legal
    assert not set(OF_TURN) & set(table.body().marks)
    assert table.state.turn.active == "blue"


def test_what_lasts_does_not_end_with_the_turn() -> None:
    marks = {"condition": "stunned", "wounds_lost": 1}
    table = Table([red(10, 10, state=marks), blue(40, 40)], phase="hand-to-hand")
    assert table.do("end_phase", None).legal
    assert table.mark("condition") == "stunned"
    assert table.mark("wounds_lost") == 1


def test_status_says_where_the_game_is() -> None:
    from tapeline.rules.mordheim.scene import status

    table = Table([red(10, 10, state={"fleeing": True}), blue(40, 40)], step="declarations")
    assert "no distance is told" in status(table.state)[1]
    table.do("close_declarations", None)
    assert status(table.state)[1] == "Compulsory moves to make: A."
    assert "A: fleeing." in status(table.state)
