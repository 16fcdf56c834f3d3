"""SV-MOV, SV-ADV, SV-PIV, SV-SEQ: each limit just inside, on and outside."""

from __future__ import annotations

import cmath
import math

import pytest

from tapeline.engine.codec import parse_action
from tapeline.engine.events import Happened
from tapeline.engine.referee import judge
from tapeline.rules.sovl import SYSTEM
from tapeline.rules.sovl.actions import Advance, Manoeuvre, Pivot

#: Half and twice the tolerance.
UNDER, OVER = 5e-7, 2e-6


@pytest.mark.parametrize("to", [(10, 12), (8, 10), (12, 11)])
def test_sv_mov_1_other_manoeuvres_refuse(play, inf, clauses, to):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    assert clauses(game.do("manoeuvre", "A1", to=to)) == ["SV-MOV-1"]


def test_sv_mov_1_advance_and_pivot_by_pose(play, inf):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    assert game.do("manoeuvre", "A1", to=(12, 10)).value("cost") == 2
    assert game.do("manoeuvre", "A1", to=(12, 10), facing=-50).value("cost") == 2
    assert game.body("A1").facing == pytest.approx(310)


@pytest.mark.parametrize(("distance", "legal"), [(-1, False), (0, False), (1e-9, True)])
def test_sv_adv_1_forward_by_more_than_nothing(play, inf, clauses, distance, legal):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=distance)
    assert clauses(verdict) == ([] if legal else ["SV-ADV-1"])


@pytest.mark.parametrize(
    ("direction", "legal"),
    [(30, True), (390, True), (30 + UNDER, True), (30 + OVER, False), (210, False)],
)
def test_sv_adv_1_only_where_it_faces(play, inf, clauses, direction, legal):
    game = play([inf("A1", 20, 20, 30)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=1, direction=direction)
    assert clauses(verdict) == ([] if legal else ["SV-ADV-1"])


@pytest.mark.parametrize(
    ("wanted", "kind", "moved"),
    [(5 - 1e-3, "LEGAL", 5 - 1e-3), (5, "LEGAL", 5), (5 + UNDER, "LEGAL", 5), (5.1, "STOPPED", 5)],
)
def test_sv_adv_2_halts_on_contact(play, inf, wanted, kind, moved):
    game = play([inf("A1", 10, 18), inf("B1", 18, 18, 90)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=wanted)
    assert (verdict.kind, verdict.value("moved")) == (kind, pytest.approx(moved, abs=1e-9))
    contact = game.state.progress.get("contacts", ())
    assert bool(contact) == (moved == 5)


def test_sv_adv_2_who_has_not_moved_comes_into_no_contact_that_is_known(play, inf):
    """A pair is one, whoever comes; what is said of it is said when it comes about."""
    game = play([inf("A1", 10, 18), inf("B1", 16, 18, 180)])

    def told() -> list[str]:
        assert game.session is not None
        return [event.text for event in game.session.events if isinstance(event, Happened)]

    game.do("activate", "A1")
    game.do("advance", "A1", distance=6)
    assert "A1 came into contact with B1." in told()
    game.do("advance", "A1", distance=1)
    assert told() == []
    game.do("end_activation", "A1")
    game.do("activate", "B1")
    game.do("advance", "B1", distance=1)
    assert told() == []
    assert game.state.progress.get("contacts", ()) == (("A1", "B1"),)


def test_sv_adv_2_two_things_met_at_once_are_both_named(play, inf):
    game = play([inf("A1", 10, 18), inf("A2", 14, 20.5), inf("B1", 14, 15.5)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=4)
    assert sorted(finding.about for finding in verdict.findings) == ["A2", "B1"]
    assert verdict.value("moved") == pytest.approx(2)


@pytest.mark.parametrize(
    ("reading", "shift", "moved"),
    [
        ("pass", 0, 6),
        ("stop", 0, 2),
        ("pass", UNDER, 6),
        ("pass", OVER, 2),
        ("stop", -0.01, 6),
    ],
)
def test_sv_adv_2_grazing(play, inf, reading, shift, moved):
    game = play([inf("A1", 10, 18), inf("A2", 14, 22 - shift)], contact__graze=reading)
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=6).value("moved") == pytest.approx(moved, abs=1e-6)


def test_sv_adv_2_rear_contact_does_not_hold(play, inf):
    game = play([inf("A1", 10, 18), inf("A2", 8, 18)], contact__graze="stop")
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=3).kind == "LEGAL"


@pytest.mark.parametrize(("reading", "engaged"), [("touch", False), ("engage", True)])
def test_sv_adv_2_contact_with_an_enemy(play, inf, reading, engaged):
    game = play([inf("A1", 10, 18), inf("B1", 18, 18, 90)], contact__strategic=reading)
    game.do("activate", "A1")
    game.do("advance", "A1", distance=8)
    assert game.body("A1").has("engaged") == game.body("B1").has("engaged") == engaged
    assert game.do("pivot", "A1", by=180).legal is False  # 4 > 3 left, the activation goes on
    assert game.do("end_activation", "A1").legal


def test_sv_adv_2_contact_with_a_friend_never_engages(play, inf):
    game = play([inf("A1", 10, 18), inf("A2", 18, 18, 90)], contact__strategic="engage")
    game.do("activate", "A1")
    game.do("advance", "A1", distance=8)
    assert not game.body("A1").has("engaged")


def test_sv_adv_3_cost_is_what_was_moved(play, inf):
    game = play([inf("A1", 10, 10, 77)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=math.pi)
    assert [(line.clause, line.cost) for line in verdict.ledger] == [("SV-ADV-3", math.pi)]


@pytest.mark.parametrize(("distance", "kind"), [(3, "LEGAL"), (3 + UNDER, "LEGAL"), (4, "STOPPED")])
def test_sv_adv_4_the_edge_halts(play, inf, distance, kind):
    game = play([inf("A1", 44, 18)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=distance)
    assert verdict.kind == kind
    assert game.body("A1").x == pytest.approx(47, abs=1e-6)


def test_sv_adv_4_sliding_along_the_edge_is_free(play, inf):
    game = play([inf("A1", 10, 2)])
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=8).kind == "LEGAL"


@pytest.mark.parametrize(
    ("about", "legal"), [((24, 18), True), ((24, 18 + UNDER), True), ((24, 18.1), False)]
)
def test_sv_piv_1_about_the_centre(play, inf, clauses, about, legal):
    game = play([inf("A1", 24, 18)])
    game.do("activate", "A1")
    verdict = game.do("pivot", "A1", by=20, about=about)
    assert clauses(verdict) == ([] if legal else ["SV-PIV-1"])


@pytest.mark.parametrize(
    ("by", "pivots"),
    [(1e-4, 1), (45, 1), (-45, 1), (45 + UNDER, 1), (45 + OVER, 2), (90, 2), (180, 4), (-180, 4)],
)
def test_sv_piv_2_forty_five_degrees_each(play, inf, by, pivots):
    game = play([inf("A1", 24, 18)])
    game.do("activate", "A1")
    verdict = game.do("pivot", "A1", by=by)
    assert (verdict.value("pivots"), verdict.value("allowance_left")) == (pivots, 8 - pivots)


@pytest.mark.parametrize("by", [0, 180.1, -225, 720])
def test_sv_piv_2_turns_that_are_none_refuse(play, inf, clauses, by):
    game = play([inf("A1", 24, 18)])
    game.do("activate", "A1")
    assert clauses(game.do("pivot", "A1", by=by)) == ["SV-PIV-2"]


@pytest.mark.parametrize(
    ("profile", "by", "cost", "clause"),
    [
        ("Infantry", 10, 1, "SV-PIV-4"),
        ("Cavalry", 180, 8, "SV-PIV-5"),
        ("Trolls", 50, 3, "SV-PIV-3"),
    ],
)
def test_sv_piv_3_4_5_prices(play, inf, profile, by, cost, clause):
    game = play([inf("A1", 24, 18, profile=profile)])
    game.do("activate", "A1")
    verdict = game.do("pivot", "A1", by=by)
    assert verdict.cost == cost
    assert clause in verdict.cites


FRIEND_ANGLE = math.degrees(math.atan(2) - math.atan(0.5))


@pytest.mark.parametrize(
    ("by", "legal"),
    [(FRIEND_ANGLE - 1e-3, True), (FRIEND_ANGLE, True), (FRIEND_ANGLE + 1e-3, False), (90, True)],
)
def test_sv_piv_6_the_end_pose_is_clear(play, inf, clauses, by, legal):
    game = play([inf("A1", 10, 10), inf("A2", 13, 10)])
    game.do("activate", "A1")
    assert clauses(game.do("pivot", "A1", by=by)) == ([] if legal else ["SV-PIV-6"])


@pytest.mark.parametrize(("reading", "legal"), [("final", True), ("swept", False)])
def test_sv_piv_6_readings_differ_over_the_edge(play, inf, clauses, reading, legal):
    game = play([inf("A1", 46.5, 18, size=(2, 2.9))], pivot__check=reading)
    game.do("activate", "A1")
    verdict = game.do("pivot", "A1", by=90)
    assert clauses(verdict) == ([] if legal else ["SV-ADV-4", "SV-PIV-6"])


def test_sv_piv_6_nearest_turn_is_the_critical_angle(play, inf):
    game = play([inf("A1", 10, 10), inf("A2", 13, 10)])
    game.do("activate", "A1")
    nearest = game.do("pivot", "A1", by=-60).nearest
    assert nearest is not None
    assert nearest.action["by"] == pytest.approx(-FRIEND_ANGLE)
    assert game.do("pivot", "A1", by=nearest.action["by"]).legal


def test_what_is_offered_is_legal_in_the_figure_that_is_told(play, inf):
    game = play([inf("A1", 10, 10), inf("A2", 13, 10)])
    game.do("activate", "A1")
    for by in (-60, 60):  # the critical angle 36.8699 rounds to 36.870, which is refused
        nearest = game.do("pivot", "A1", by=by).nearest
        assert nearest is not None
        told = float(nearest.text.split()[1])
        assert told == pytest.approx(math.copysign(FRIEND_ANGLE, by), abs=1e-3)
        assert game.do("pivot", "A1", by=told).legal
        assert game.do("pivot", "A1", by=-told).legal


@pytest.mark.parametrize(("spent", "told"), [(6.00001, "1.99999"), (6.0004, "1.9996")])
def test_sv_seq_2_what_is_left_is_told_apart_from_the_cost(play, inf, spent, told):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    game.do("advance", "A1", distance=spent)
    (finding,) = game.do("pivot", "A1", by=90).findings
    assert finding.text == f"The order costs 2 in of allowance; {told} in are left."


def test_sv_seq_1_orders_mix(play, inf):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    for kind, figures in (
        ("pivot", {"by": 20}),
        ("advance", {"distance": 2}),
        ("advance", {"distance": 1}),
        ("pivot", {"by": -90}),
    ):
        verdict = game.do(kind, "A1", **figures)
        assert verdict.kind == "LEGAL"
    assert verdict.value("allowance_left") == pytest.approx(2)
    assert "SV-SEQ-1" in verdict.cites


@pytest.mark.parametrize(
    ("distance", "legal"), [(8 - UNDER, True), (8, True), (8 + UNDER, True), (8 + OVER, False)]
)
def test_sv_seq_2_the_whole_allowance_and_no_more(play, inf, clauses, distance, legal):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    verdict = game.do("advance", "A1", distance=distance)
    assert clauses(verdict) == ([] if legal else ["SV-SEQ-2"])


def test_sv_seq_2_the_tolerance_is_not_granted_order_by_order(play, inf, clauses):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    assert game.do("advance", "A1", distance=8).legal
    assert game.do("advance", "A1", distance=9e-7).legal
    assert clauses(game.do("advance", "A1", distance=9e-7)) == ["SV-SEQ-2"]


@pytest.mark.parametrize("wanted", [8.5, 20, 1e6])
def test_sv_seq_2_nearest_is_the_longest_legal_advance(play, inf, wanted):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    nearest = game.do("advance", "A1", distance=wanted).nearest
    assert nearest is not None
    assert nearest.action["distance"] == pytest.approx(8)
    assert game.do("advance", "A1", distance=8 + 1e-5).legal is False
    assert game.do("advance", "A1", distance=nearest.action["distance"]).legal


def test_judging_a_refused_order_changes_nothing(play, inf):
    game = play([inf("A1", 10, 10), inf("A2", 13, 10)])
    game.do("activate", "A1")
    before = game.state
    game.do("pivot", "A1", by=60)
    game.do("advance", "A1", distance=-1)
    assert game.state == before


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_are_refused_not_raised(play, inf, odd):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    for action in (
        Advance(actor="A1", distance=1, direction=odd),
        Pivot(actor="A1", by=odd),
        Pivot(actor="A1", by=10, about=(odd, 10)),
        Manoeuvre(actor="A1", to=(odd, 10)),
        Manoeuvre(actor="A1", to=(10, 10), facing=odd),
    ):
        assert judge(SYSTEM, game.state, action).kind == "ILLEGAL"


def test_sv_mov_1_a_pose_has_the_nearest_order_toward_it(play, inf):
    game = play([inf("A1", 10, 10, 90), inf("B1", 40, 10)])
    game.do("activate", "A1")

    def offered(**pose):
        found = game.do("manoeuvre", "A1", **pose).nearest
        if found is None:
            return None
        document = dict(found.action)
        assert judge(SYSTEM, game.state, parse_action(SYSTEM, document)).kind == "LEGAL"
        key = "distance" if document["kind"] == "advance" else "by"
        return document["kind"], round(document[key], 6), found.how, round(found.short_by, 6)

    assert offered(to=(13, 14)) == ("advance", 4.0, "end", 3.0)
    assert offered(to=(10, 30)) == ("advance", 8.0, "end", 12.0)
    assert offered(to=(13, 14), facing=45) == ("advance", 4.0, "end", 3.0)
    assert offered(to=(13, 6), facing=45) == ("pivot", -45.0, "turn", 0.0)
    # A unit does not back up: the way there begins with a turn;
    # nor does it side-step.
    assert offered(to=(13, 6)) == ("pivot", -143.130102, "turn", 0.0)
    assert offered(to=(13, 10)) == ("pivot", -90.0, "turn", 0.0)
    game.do("advance", "A1", distance=7)
    assert offered(to=(10, 17), facing=0) == ("pivot", -45.0, "turn", 45.0)
    game.do("pivot", "A1", by=10)
    assert offered(to=(10, 30)) is None, "nothing is left"


@pytest.mark.parametrize(
    ("to", "by", "short"),
    [((10, 16), 90, 0), ((4, 10), 180, 0), ((6, 6), -135, 0), ((10, 4), -90, 0)],
)
def test_sv_mov_1_a_pose_aside_or_behind_is_gone_to_by_turning_to_it_first(
    play, inf, to, by, short
):
    """The way there is a Pivot, an Advance and perhaps a Pivot; its first leg is what is legal."""
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    refused = game.do("manoeuvre", "A1", to=list(to))
    assert [f.clause for f in refused.findings] == ["SV-MOV-1"]
    nearest = refused.nearest
    assert nearest is not None
    assert nearest.action["kind"] == "pivot"
    assert abs(nearest.action["by"]) == pytest.approx(abs(by))
    assert nearest.short_by == pytest.approx(short)
    assert game.do("pivot", "A1", by=nearest.action["by"]).legal
    ahead = game.do("manoeuvre", "A1", to=list(to))
    assert ahead.legal or ahead.nearest is not None


def test_sv_mov_1_the_turn_to_a_pose_ends_at_its_limit(play, inf):
    """What stands in the way of the turn limits it, and so does the allowance."""
    game = play([inf("A1", 10, 10), inf("A2", 13, 10)])
    game.do("activate", "A1")
    nearest = game.do("manoeuvre", "A1", to=[8, 4]).nearest
    assert nearest is not None
    assert nearest.action["kind"] == "pivot"
    assert game.do("pivot", "A1", by=nearest.action["by"]).legal
    spent = play([inf("A1", 10, 10)])
    spent.do("activate", "A1")
    spent.do("advance", "A1", distance=6.5)
    nearest = spent.do("manoeuvre", "A1", to=[4, 10]).nearest
    assert nearest is not None
    assert nearest.action["by"] == pytest.approx(45)
    assert nearest.short_by == pytest.approx(135)
    assert spent.do("pivot", "A1", by=nearest.action["by"]).legal


def test_sentences_name_units_and_sides(play, inf):
    game = play([inf("A1", 10, 10, name="Harrow longbows"), inf("B1", 30, 10, name="Redcaps")])
    verdict = game.do("advance", "A1", distance=2)
    assert verdict.findings[0].text == "Harrow longbows cannot act now; no unit is active."
    assert verdict.findings[0].about == "A1"
    game.do("activate", "A1")
    met = game.do("advance", "A1", distance=40)
    assert "A1" not in "".join(f.text for f in met.findings)


@pytest.mark.parametrize("shift", range(0, 360, 23))
def test_sv_piv_6_the_place_lies_in_what_is_overlapped(play, inf, shift):
    """A corner turned by 60 comes 0.132 over the long side of B, from x 2.1 on: its tip is a
    triangle with corners (2.232, -0.134), (2.1, -0.058) and (2.1, -0.363)."""
    turn = cmath.exp(1j * math.radians(shift))
    there = complex(24, 18) + turn * complex(3.1, 0)
    game = play([inf("A1", 24, 18, shift), inf("A2", there.real, there.imag, shift, size=(12, 2))])
    game.do("activate", "A1")
    (finding,) = game.do("pivot", "A1", by=60).findings
    local = (complex(*finding.place) - complex(24, 18)) / turn
    assert finding.measured == pytest.approx(math.sqrt(3) - 1.6)
    assert 2.1 <= local.real <= math.sqrt(3) + 0.5
    assert -0.363 <= local.imag <= -0.058
