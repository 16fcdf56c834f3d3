"""Legal moves near refused ones: the same ways, gone as far as is legal."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import Any

import pytest

from clauses.warmaster.tabling import (
    U0,
    Doc,
    Game,
    box,
    character,
    line,
    scene,
    slides,
    to,
    unit,
    way,
)
from tapeline.engine.codec import action_document
from tapeline.engine.paths import Leg
from tapeline.engine.verdicts import Verdict
from tapeline.play.battle import load
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.closing_up import closes_up
from tapeline.rules.warmaster.measures import spec_of
from tapeline.rules.warmaster.offers import offers
from tapeline.rules.warmaster.plans import plan_move
from tapeline.table.marks import thaw


def taken(game: Game, verdict: Verdict) -> Verdict:
    """The verdict on what is offered."""
    assert not verdict.legal
    assert verdict.nearest is not None
    document: Any = thaw(verdict.nearest.action)
    return game.do(document.pop("kind"), **document)


@pytest.mark.parametrize("metric", ["straight", "arc"])
def test_a_block_too_far_stops_at_its_allowance(metric: str) -> None:
    game = Game([unit("U", U0, may_move="order")], dist_metric=metric)
    verdict = game.move(*slides("U", U0, 0, 25))
    assert verdict.nearest is not None
    assert verdict.nearest.short_by == pytest.approx(5, abs=1e-4)
    assert taken(game, verdict).value("distance") == pytest.approx(20, abs=1e-4)


def test_a_wheel_too_far_stops_at_its_limit() -> None:
    game = Game([unit("U", U0, may_move="order")])
    wheel = [way(f"U-{k}", {"centre": [54, 41], "by": 130}) for k in (3, 2, 1)]
    assert taken(game, game.move(*wheel)).legal
    assert game.state.bodies["U-3"].facing == pytest.approx(200.57, abs=0.01)


def test_cavalry_stops_at_a_wood() -> None:
    riders = [(60.0, 40.0, 90.0)]
    game = Game([unit("U", riders, "Cavalry", may_move="order")], [box("wood", 50, 70, 45, 60)])
    assert taken(game, game.move(*slides("U", riders, 0, 20))).legal
    assert game.state.bodies["U-1"].y == pytest.approx(43, abs=1e-4)


def test_an_evade_stops_5_cm_from_the_next_enemy() -> None:
    poses = line(56, 60)
    parts = [unit("U", poses), unit("E", [(60, 70, 270)]), unit("F", [(60, 39, 90)])]
    game = Game(parts, phase="initiative")
    refused = game.move(*slides("U", poses, 0, -20, "213"), kind="evade", target="E")
    assert taken(game, refused).legal
    assert game.state.bodies["U-2"].y == pytest.approx(46, abs=1e-4)


def test_a_character_stops_at_a_lake() -> None:
    game = Game(
        [unit("U", U0), character("H", 100, 20)], [box("lake", 90, 110, 40, 50)], phase="characters"
    )
    refused = game.do("move_character", actor="H", path=[{"to": [100, 70]}])
    assert taken(game, refused).legal
    assert game.state.bodies["H"].y == pytest.approx(38.75, abs=1e-4)


def test_a_way_with_a_bend_cut_short_says_how_far_off_it_ends() -> None:
    """It stops at (100, 38.75), 13 and 20 aside from where it was to end."""
    game = Game(
        [unit("U", U0), character("H", 100, 20)], [box("lake", 90, 110, 40, 50)], phase="characters"
    )
    path = [{"to": [100, 53]}, {"to": [120, 53]}, {"to": [120, 51.75]}]
    nearest = game.do("move_character", actor="H", path=path).nearest
    assert nearest is not None
    assert nearest.short_by == pytest.approx(math.hypot(20, 13), abs=1e-5)
    assert nearest.text == "The same ways, cut short: they end 23.85 cm from where they were to."


def test_nothing_near_is_offered_where_the_move_itself_is_at_fault() -> None:
    game = Game([unit("U", U0)])
    assert game.move(*slides("U", U0, 0, 5)).nearest is None


def test_one_stand_goes_as_far_as_the_others_let_it() -> None:
    """Side by side, 2 deep: beyond 2 cm its corners have left those of its neighbour."""
    game = Game([unit("U", U0, may_move="order")])
    refused = game.move(way("U-2"), way("U-3"), way("U-1", to(56, 44)))
    assert taken(game, refused).legal
    assert game.state.bodies["U-1"].y == pytest.approx(42, abs=1e-4)


def _there(verdict: Verdict) -> float:
    assert verdict.nearest is not None
    document: Any = thaw(verdict.nearest.action)
    return float(document["to"][1])


@pytest.mark.parametrize("metric", ["straight", "arc"])
def test_a_block_is_offered_just_as_far_as_its_allowance(metric: str) -> None:
    game = Game([unit("U", U0, may_move="order")], dist_metric=metric)
    refused = game.do("block", actor="U", to=[60, 75])
    assert _there(refused) == pytest.approx(60, abs=2e-6)
    assert refused.nearest is not None
    assert refused.nearest.short_by == pytest.approx(15, abs=2e-6)
    assert taken(game, refused).value("distance") == pytest.approx(20, abs=2e-6)


@pytest.mark.compiled
@pytest.mark.parametrize("dx", [0.0, 1.3])
@pytest.mark.parametrize(
    ("what", "stops"), [("wood", 43.0), ("friend", 48.0), ("enemy", 48.0), ("edge", 118.0)]
)
def test_a_block_is_offered_just_as_far_as_what_it_meets(
    what: str, stops: float, dx: float
) -> None:
    """Riders go up to a wood, to friends, to the edge, and short of touching an enemy."""
    y = 110.0 if what == "edge" else 40.0
    # Abreast they would make a gap beside an enemy that is nearer than their fronts are wide.
    riders = [(58.0, y, 90.0), (60.0, y, 90.0), (62.0, y, 90.0)]
    riders = riders[1:2] if what == "enemy" else riders
    parts = [unit("U", riders, "Cavalry", may_move="order")]
    if what in ("friend", "enemy"):
        parts.append(unit("F" if what == "enemy" else "X", line(20, 51, 21, 270)))
    woods = [box("wood", 50, 70, 45, 60)] if what == "wood" else []
    game = Game(parts, woods)
    # The riders are 4 deep; the stands that they meet have their near sides at 50.
    refused = game.do("block", actor="U", to=[60 + dx, y + 18])
    assert _there(refused) == pytest.approx(stops, abs=5e-6)
    assert taken(game, refused).legal


def test_what_a_sliding_block_meets_is_found_without_trying_share_after_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []

    def counted(*args: Any, **more: Any) -> Any:
        tried.append(args)
        return plan_move(*args, **more)

    monkeypatch.setattr(import_module("tapeline.rules.warmaster.brigades"), "plan_move", counted)
    riders = [(58.0, 40.0, 90.0), (60.0, 40.0, 90.0), (62.0, 40.0, 90.0)]
    parts = [unit("U", riders, "Cavalry", may_move="order")]
    game = Game(parts, [box("wood", 50, 70, 45, 60)])
    assert _there(game.do("block", actor="U", to=[60, 58])) == pytest.approx(43, abs=5e-6)
    assert len(tried) <= 2


def test_a_wheel_is_offered_just_as_far_as_its_outer_corner_may_go() -> None:
    game = Game([unit("U", U0, may_move="order")])
    refused = game.do("wheel", actor="U", about="left", by=150)
    assert refused.nearest is not None
    document: Any = thaw(refused.nearest.action)
    assert document["by"] == pytest.approx(110.5700, abs=1e-4)
    assert taken(game, refused).legal


def test_who_cannot_join_is_offered_the_move_without_joining() -> None:
    game = Game([unit("U", U0), character("H", 60, 30)], phase="characters")
    refused = game.do("move_character", actor="H", path=[{"to": [60, 33]}], join="U")
    assert refused.nearest is not None
    assert refused.nearest.text == "The same way, without joining anyone."
    assert refused.nearest.action.get("join") is None
    assert taken(game, refused).legal


def test_sentences_call_stands_by_the_name_of_their_unit() -> None:
    """The stand's own name where it has one; the id stays what the finding is about."""
    parts = [unit("U", U0, may_move="order"), unit("X", line(56, 50))]
    named = scene(parts)
    named["units"][0]["name"], named["units"][1]["name"] = "Green Company", "Gules Pikes"
    named["models"][1]["name"] = "The Standard"
    battle = load(named)
    moves = [way(f"U-{k}", to(52 + 4 * k, 48.5)) for k in (1, 2, 3)]
    findings = battle.judge({"kind": "move", "actor": "U", "stands": moves}).findings
    texts = {(f.about, f.text) for f in findings if f.clause == "WM-STAND-7"}
    assert ("X-1", "Green Company 1 passes over Gules Pikes 1 on leg 1.") in texts
    assert ("X-2", "The Standard passes over Gules Pikes 2 on leg 1.") in texts
    other = battle.judge({"kind": "move", "actor": "U", "stands": [way("X-1", to(56, 55))]})
    assert other.findings[0].text == "Gules Pikes 1 is no stand of Green Company on the table."
    legal = battle.judge({"kind": "block", "actor": "U", "to": [60, 43]})
    assert legal.ledger[0].what == "Green Company 1, by its farthest corner"


def brigade(terrain: list[Doc]) -> Game:
    """Foot and a gun beside it, ordered together."""
    parts = [unit("U", [(60, 40, 90)]), unit("V", [(63, 40, 90)], "Cannon")]
    game = Game([*parts, character("H", 60, 30)], terrain)
    assert game.do("order", [1, 1], actor="H", units=["U", "V"]).legal
    return game


def test_a_brigade_is_offered_as_far_as_its_slowest_goes() -> None:
    game = brigade([])
    refused = game.do("brigade", units=["U", "V"], to=[61.5, 54])
    assert _there(refused) == pytest.approx(50, abs=2e-6)
    assert refused.nearest is not None
    assert refused.nearest.short_by == pytest.approx(4, abs=2e-6)
    assert taken(game, refused).legal


@pytest.mark.parametrize("far", [25.0, 65.0, 500.0])
def test_a_brigade_asked_too_far_is_offered_its_pace_exactly(far: float) -> None:
    """Foot goes 20 where the slower gun is not with it, however far beyond that it was asked."""
    parts = [unit("U", U0), unit("V", [(68, 40, 90), (72, 40, 90)]), character("H", 60, 30)]
    game = Game(parts)
    assert game.do("order", [1, 1], actor="H", units=["U", "V"]).legal
    refused = game.do("brigade", units=["U", "V"], to=[64, 40 + far])
    assert refused.nearest is not None
    assert refused.nearest.short_by == pytest.approx(far - 20, abs=1e-12 * far)
    assert taken(game, refused).legal
    assert game.state.bodies["V-2"].y == pytest.approx(60, abs=1e-12)


@pytest.mark.parametrize(("to", "by"), [((66, 60), 90), ((81, 60), -60)])
def test_a_brigade_that_turns_too_far_is_offered_its_pace_exactly(
    to: tuple[float, float], by: float
) -> None:
    game = Game([unit("U", U0), unit("V", line(68, 40)), character("H", 66, 30)])
    assert game.do("order", [1, 1], actor="H", units=["U", "V"]).legal
    refused = game.do("brigade", units=["U", "V"], to=list(to), by=by)
    gone = taken(game, refused).values["distance"]
    assert 20 + 1e-6 - 1e-9 < gone <= 20 + 1e-6 + 1e-12


@pytest.mark.parametrize("far", [20.5, 33.0, 100.0])
def test_what_is_found_by_halving_is_as_near_to_the_limit_as_is_said(far: float) -> None:
    """20 and the tolerance, less 5e-9 of the way: stands that slide one by one, along 3 and 4."""
    game = Game([unit("U", U0, may_move="order")])
    refused = game.move(*slides("U", U0, 0.6 * far, 0.8 * far))
    assert refused.nearest is not None
    gone = far - refused.nearest.short_by
    assert 20 + 1e-6 - 5e-9 * far < gone <= 20 + 1e-6 + 1e-12


@pytest.mark.parametrize(("by", "follows"), [(3.0, True), (9.0, False)])
def test_a_unit_of_a_brigade_is_offered_what_leaves_the_others_a_way(
    by: float, follows: bool
) -> None:
    """A gun comes beside foot at the edge of a wood, not to foot that stands 5 cm inside."""
    game = brigade([box("wood", 40, 80, 44, 60)])
    spec = spec_of(
        game.state,
        game.state.units["U"],
        stands=(StandMove(stand="U-1", path=(Leg(to=(60, 40 + by)),)),),
    )
    assert closes_up(game.state, spec) is follows
    spots = [
        offer for n in range(60) for offer in offers(game.state, Random(n)) if offer.kind == "move"
    ]
    ends = [offer.stands[0].path[-1].to for offer in spots if offer.actor == "U" and offer.stands]
    assert ends
    assert all(end is None or end[1] < 48 for end in ends)


def test_a_charge_that_goes_wrong_is_answered_with_the_one_planned() -> None:
    """Half a centimetre off the centre, where there is room: 0.5 aside is offered."""
    game = Game([unit("U", [(60, 40, 90)], may_move="order"), unit("E", [(60, 55, 270)])])
    refused = game.move(way("U-1", to(60.5, 53)), kind="charge", target="E")
    assert refused.nearest is not None
    assert refused.nearest.short_by == pytest.approx(0.5, abs=1e-6)
    assert taken(game, refused).legal
    assert game.state.bodies["U-1"].x == pytest.approx(60, abs=1e-6)


def test_no_charge_is_offered_that_may_not_be_declared() -> None:
    parts = [unit("U", [(60, 40, 90)]), unit("E", [(60, 55, 270)]), unit("F", [(70, 58, 270)])]
    game = Game(parts, phase="initiative")
    assert game.move(way("U-1", to(68, 56)), kind="initiative_charge", target="F").nearest is None


def test_wm_adv_1_no_way_is_offered_to_an_enemy_who_is_not_the_closest() -> None:
    parts = [unit("U", [(60, 40, 90)]), unit("E", [(60, 55, 270)]), unit("F", [(70, 56, 270)])]
    game = Game(parts, phase="other")
    refused = game.move(way("U-1", to(69, 54)), kind="advance", target="F")
    assert [finding.clause for finding in refused.findings] == ["WM-ADV-1"]
    assert refused.nearest is None


def _apart() -> Game:
    """Two of a brigade have gone, a third is still to come up: not as it stands, for the stands of
    its line would jam as it turns; but by a shorter way."""
    aside, root = math.radians(200.0), math.sqrt(2.0)
    dx, dy = 2.0 * math.sin(aside), -2.0 * math.cos(aside)
    poses = [(83.523 + dx * k, 89.478 + dy * k, 200.0) for k in range(3)]
    gone = [unit("V", [(75.321 + root, 92.314 - root, 45)], "Monster")]
    gone.append(unit("W", [(75.321, 92.314, 45)], "Monster"))
    game = Game([unit("U", poses, "Pikemen", may_move="order", orders=1), *gone])
    group = game.state.progress.update({"closed": True, "group": ("U", "V", "W")})
    game.state = replace(game.state, progress=group)
    return game


def test_wm_cmd_8_who_is_held_back_to_close_up_is_offered_a_way() -> None:
    game = _apart()
    assert not game.do("end_step").legal
    offered = [each for each in offers(game.state, Random(3)) if each.kind == "move"]
    assert offered
    document = action_document(offered[0])
    assert game.do(document.pop("kind"), **document).legal
    assert game.do("end_step").legal


@pytest.mark.parametrize("angle", [0.0, 10.0, 90.0, 222.2])
def test_a_way_past_a_long_row_is_found_however_the_table_is_turned(angle: float) -> None:
    """Riders beside the end of six stands go back and across behind them."""
    turn = math.radians(angle)

    def at(x: float, y: float, facing: float) -> tuple[float, float, float]:
        x, y, cos, sin = x - 90, y - 60, math.cos(turn), math.sin(turn)
        return 90 + x * cos - y * sin, 60 + x * sin + y * cos, facing + angle

    riders = [at(101, 60 - 4 * k, 90) for k in range(3)]
    guns = [at(83 + 2 * k, 60, 90) for k in range(3)]
    parts = [unit("U", riders, "Wolf Riders", may_move="order")]
    parts += [unit("V", guns, "Cannon"), unit("W", [at(90 + 4 * k, 60, 90) for k in range(3)])]
    verdict = Game(parts).do("block", actor="U", to=at(86.310595, 50.563884, 0)[:2])
    assert verdict.legal, verdict.findings
