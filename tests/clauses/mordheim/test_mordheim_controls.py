"""What a player of Mordheim is offered as controls, and what he is not told by them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from clauses.mordheim.staging import Table, block
from support.controls_checked import amiss, battles
from support.scenarios import scenes_of
from tapeline.engine.controls import Control
from tapeline.errors import UnknownIdError
from tapeline.rules.mordheim import SYSTEM
from tapeline.table.marks import thaw


def man(name: str, x: float, y: float, side: str = "red", **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "side": side,
        "position": [x, y],
        "profile": more.pop("profile", "Mercenary Warrior"),
        **more,
    }


def shown(table: Table, of: str | None = "A") -> list[Control]:
    return list(SYSTEM.controls(table.state, of))


def named(table: Table, label: str, of: str | None = "A") -> Control:
    return next(control for control in shown(table, of) if control.label == label)


def labels(table: Table, of: str | None = "A") -> list[str]:
    """What can be done now, without what is barred."""
    return [control.label for control in shown(table, of) if not control.why_not]


def barred(table: Table, of: str | None = "A") -> dict[str, set[str]]:
    return {c.label: {f.clause for f in c.why_not} for c in shown(table, of) if c.why_not}


def test_what_leads_on_in_each_step() -> None:
    two = [man("A", 10, 10), man("B", 30, 30, "blue")]
    declaring = Table(two, step="declarations")
    assert [thaw(c.action) for c in shown(declaring, None)] == [{"kind": "close_declarations"}]
    for phase, label in [
        ("recovery", "End recovery"),
        ("shooting", "End shooting"),
        ("hand-to-hand", "End the turn"),
    ]:
        assert labels(Table(two, phase=phase), None) == [label]
    assert labels(Table(two), None) == ["End movement"]
    running = Table(
        [man("A", 10, 10, state={"charge": "declared", "targets": ["B"]}), two[1]], step="charges"
    )
    assert barred(running, None) == {"End movement": {"MH-PHASE-1", "MH-MOVE-3"}}
    assert all(control.group == "step" for control in shown(running, None))


def test_recovery() -> None:
    models = [
        man("A", 10, 10, state={"fleeing": True}),
        man("E", 12, 10),
        man("D", 20, 10, state={"condition": "knocked_down"}),
        man("S", 25, 10, state={"condition": "stunned"}),
        man("B", 40, 40, "blue"),
    ]
    table = Table(models, phase="recovery")
    assert labels(table) == ["Rally"]
    assert labels(table, "D") == ["Stand up"]
    assert barred(table, "S") == {"Stand up": {"MH-STUN-1"}}
    assert shown(table, "B") == []


def test_declaring_says_nothing_of_distances() -> None:
    wall = block("w", 14, 15, 0, 40, 5)
    models = [
        man("A", 10, 10),
        man("B", 12, 20, "blue"),
        man("C", 16, 10, "blue"),
        man("D", 40, 10, "blue"),
        man("H", 12, 2, "blue", state={"hidden": True}),
    ]
    table = Table(models, [wall], step="declarations")
    seen, unseen = named(table, "Declare charge"), named(table, "Declare charge out of sight")
    assert seen.candidates == ("B",)
    assert seen.gesture == "pick_many"
    # C, out of sight within 4 inches, and D, out of sight and far, look alike.
    assert set(unseen.candidates) == {"B", "C", "D"}
    assert not table.do("declare_charge", targets=["D"]).legal
    for control in shown(table):
        assert not control.rings
        assert control.reach == ""
        assert all(finding.measured is None for finding in control.why_not)
    assert barred(table) == {"Move": {"MH-PHASE-1"}}
    assert "Measure" not in labels(table)
    assert "Ask whether it may run" not in labels(table)


def test_who_may_not_declare_is_told_why() -> None:
    models = [
        man("A", 10, 10, state={"engaged": ["B"]}),
        man("B", 10, 11.2, "blue", state={"engaged": ["A"]}),
        man("F", 20, 10, state={"stood_up": True}),
        man("L", 30, 30, state={"charge": "declared", "targets": ["B"]}),
        man("C", 40, 40, "blue"),
    ]
    table = Table(models, step="declarations")
    assert barred(table)["Declare charge"] == {"MH-ENG-1"}
    assert barred(table, "F")["Declare charge"] == {"MH-KD-2"}
    assert barred(table, "L")["Declare charge"] == {"MH-CHG-1"}
    hidden = Table(
        [man("A", 10, 10), man("B", 30, 30, "blue", state={"hidden": True})], step="declarations"
    )
    assert barred(hidden)["Declare charge"] == {"MH-HIDE-7"}


def test_a_dive_is_offered_from_above_only() -> None:
    roof = block("r", 8, 14, 8, 14, 3)
    below = man("B", 20, 10, "blue")
    up = Table([man("A", 10, 10, z=3), below], [roof], step="declarations")
    assert [e.name for e in named(up, "Declare charge").extras] == ["dive"]
    flat = Table([man("A", 10, 20), below], step="declarations")
    assert named(flat, "Declare charge").extras == ()


def test_a_declared_charge_is_moved_and_nothing_else() -> None:
    models = [
        man("A", 10, 10, state={"charge": "declared", "targets": ["B"]}),
        man("E", 5, 5),
        man("B", 14, 10, "blue"),
    ]
    table = Table(models, step="charges")
    assert [c.label for c in shown(table) if c.action["kind"] != "measure"] == [
        "Charge",
        "Charge by a route of your own",
    ]
    assert barred(table, "E") == {"Move": {"MH-PHASE-1"}}


def test_a_move_a_run_and_how_far() -> None:
    table = Table([man("A", 10, 10), man("B", 30, 30, "blue")])
    move, run = named(table, "Move"), named(table, "Run")
    assert (move.gesture, move.slot, move.reach, move.spent, move.allowance) == (
        "path",
        "path",
        "move",
        0.0,
        4.0,
    )
    assert [extra.name for extra in move.extras] == ["hide"]
    assert [manner.how for manner in move.manners] == ["walk"]
    assert thaw(run.action) == {"kind": "move", "actor": "A", "run": True}
    # The scene has no mark that the check was passed: an enemy is out of the way, it may run.
    assert run.reach == "run"
    assert run.allowance == 8.0
    assert run.rings == ()


def test_running_is_barred_with_rings_about_who_bars_it() -> None:
    models = [
        man("A", 10, 10),
        man("B", 16, 10, "blue"),
        man("K", 14, 16, "blue", state={"condition": "knocked_down"}),
    ]
    run = named(Table(models), "Run")
    assert {f.clause for f in run.why_not} == {"MH-RUN-3"}
    assert [(ring.about, ring.distance) for ring in run.rings] == [("B", 8.0)]


def test_all_manners_where_something_is_built() -> None:
    crate = block("c", 20, 22, 20, 22, 2)
    table = Table([man("A", 10, 10), man("B", 40, 40, "blue")], [crate])
    for label in ("Move", "Run"):
        hows = [manner.how for manner in named(table, label).manners]
        assert hows == ["walk", "climb", "drop", "jump"]


def test_who_fights_stays() -> None:
    models = [
        man("A", 10, 10, state={"engaged": ["B"]}),
        man("B", 10, 11.2, "blue", state={"engaged": ["A"]}),
    ]
    table = Table(models)
    assert "Stay" in labels(table)
    assert barred(table)["Move"] == {"MH-ENG-1"}
    assert "Run" not in [control.label for control in shown(table)]


def test_who_has_moved_sees_what_it_spent() -> None:
    table = Table([man("A", 10, 10), man("B", 40, 40, "blue")])
    assert table.go((12.5, 10)).legal
    move = named(table, "Move")
    assert {f.clause for f in move.why_not} == {"MH-PHASE-4"}
    assert (move.spent, move.allowance) == (pytest.approx(2.5), 4.0)
    assert barred(table)["Hide"] == {"MH-HIDE-1"}
    assert "Run" not in [control.label for control in shown(table)]


def test_hiding_with_the_distance_at_which_enemies_find() -> None:
    wall = block("w", 11, 12, 5, 15, 5)
    models = [
        man("A", 10.2, 10),
        man("B", 30, 10, "blue"),
        man("S", 30, 20, "blue", state={"condition": "stunned"}),
    ]
    table = Table(models, [wall])
    hide = named(table, "Hide")
    assert hide.why_not == ()
    assert [(ring.about, ring.distance) for ring in hide.rings] == [("B", 3.0)]
    assert table.do("hide").legal
    assert "Hide" not in [control.label for control in shown(table)]


def test_down_and_stunned() -> None:
    models = [
        man("A", 10, 10, state={"condition": "knocked_down"}),
        man("S", 20, 10, state={"condition": "stunned"}),
        man("B", 40, 40, "blue"),
    ]
    table = Table(models)
    crawl = named(table, "Crawl")
    assert (crawl.reach, crawl.allowance, crawl.why_not) == ("crawl", 2.0, ())
    assert "Move" not in [control.label for control in shown(table)]
    assert labels(table, "S") == ["Measure"]


def test_compulsory_moves_come_first() -> None:
    models = [
        man("A", 10, 10, state={"fleeing": True}),
        man("E", 20, 20),
        man("B", 40, 40, "blue"),
    ]
    table = Table(models, step="compulsory")
    assert labels(table)[0] == "Compulsory move"
    assert barred(table, "E") == {"Move": {"MH-PHASE-3"}}


def test_attested_attacks() -> None:
    models = [
        man("A", 10, 10),
        man("R", 20, 10, state={"ran": True}),
        man("B", 30, 10, "blue"),
        man("H", 40, 10, "blue", state={"hidden": True}),
    ]
    table = Table(models, [{"id": "w", "wall": [[39, 8], [39, 12]], "height": 3}], phase="shooting")
    shot = named(table, "Shoot")
    assert (shot.group, shot.gesture, shot.candidates) == ("attest", "pick", ("B",))
    assert [value for value, _ in shot.extras[0].options] == [
        "nothing",
        "knocked_down",
        "stunned",
        "out",
    ]
    assert barred(table, "R") == {"Shoot": {"MH-RUN-7", "MH-SHOOT-1"}}
    # What may be done comes first.
    assert [c.label for c in shown(table, "R")] == ["Cast a spell", "Measure", "Shoot"]
    assert labels(table, "B") == ["Measure"]


def test_both_sides_strike() -> None:
    models = [
        man("A", 10, 10, state={"engaged": ["B"]}),
        man("B", 10, 11.2, "blue", state={"engaged": ["A"]}),
        man("C", 30, 30),
    ]
    table = Table(models, phase="hand-to-hand")
    assert named(table, "Strike").candidates == ("B",)
    assert named(table, "Strike", "B").candidates == ("A",)
    assert labels(table, "C") == ["Measure"]


def test_measures_once_declarations_are_closed() -> None:
    table = Table([man("A", 10, 10), man("B", 30, 30, "blue")])
    measure = named(table, "Measure")
    assert (measure.gesture, measure.candidates) == ("pick", ("B",))
    run = named(table, "Ask whether it may run")
    assert thaw(run.action) == {"kind": "measure", "actor": "A", "what": "run"}
    # Of the other side nothing else is asked, not even with a reason against it.
    assert [c.label for c in shown(table, "B")] == ["Measure", "Ask whether it may run"]
    assert all(thaw(c.action).get("what") != "gap" for c in shown(table))


def test_nobody_has_that_name() -> None:
    table = Table([man("A", 10, 10), man("B", 30, 30, "blue")])
    with pytest.raises(UnknownIdError):
        shown(table, "nobody")


@pytest.mark.compiled
@pytest.mark.parametrize("name", sorted(scenes_of("mordheim")))
def test_controls_against_random_play(name: str, budget: Callable[[int, int], int]) -> None:
    """Every offer is led to, every press is legal, and the rest is in order."""
    looked = 0
    for seed in range(budget(1, 20)):
        for number, battle in enumerate(battles(scenes_of("mordheim")[name], seed, budget(36, 60))):
            if number % budget(4, 1) == 0:
                assert amiss(battle, Random(number)) == [], (seed, number)
                looked += 1
    assert looked >= 9
