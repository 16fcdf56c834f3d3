"""Help for whole units: blocks, wheels, lines, columns and brigades as plain legal stand moves."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import tapeline as tl
from clauses.warmaster.tabling import Game, ids, unit
from tapeline.rules.warmaster import plans
from tapeline.table.marks import thaw

Pose = tuple[float, float, float]
LINE: list[Pose] = [(56, 40, 90), (60, 40, 90), (64, 40, 90)]


def _battle(
    units: dict[str, tuple[str, str, list[Pose]]],
    terrain: list[dict[str, Any]] | None = None,
    progress: dict[str, Any] | None = None,
) -> tl.Battle:
    models, entries = [], []
    for name, (side, profile, poses) in units.items():
        ids = [f"{name}-{k}" for k in range(1, len(poses) + 1)]
        models += [
            {"id": i, "side": side, "profile": profile, "position": list(p[:2]), "facing": p[2]}
            for i, p in zip(ids, poses, strict=True)
        ]
        state = {"may_move": "order"} if side == "red" else {}
        entries.append(
            {"id": name, "side": side, "members": ids, "profile": profile, "state": state}
        )
    return tl.load(
        {
            "format": "tapeline-scene/1",
            "system": "warmaster",
            "table": {"width": 180, "depth": 120, "unit": "cm"},
            "terrain": terrain or [],
            "sides": [{"id": "red"}, {"id": "blue"}],
            "models": models,
            "units": entries,
            "turn": {"phase": "orders", "active": "red", "progress": progress or {}},
        }
    )


def _one(poses: list[Pose] = LINE, profile: str = "Infantry") -> tl.Battle:
    return _battle({"U": ("red", profile, poses)})


def _after(battle: tl.Battle, action: dict[str, Any]) -> dict[str, Pose]:
    assert battle.judge(action).legal, battle.judge(action).findings
    done, _ = battle.play(action)
    return {b.id: (b.x, b.y, b.facing) for b in done.state.bodies.values()}


def _same(got: Pose, wanted: Pose) -> bool:
    turn = math.remainder(got[2] - wanted[2], 360.0)
    return math.dist(got[:2], wanted[:2]) < 1e-6 and abs(turn) < 1e-6


def test_a_block_goes_where_its_middle_is_sent() -> None:
    got = _after(_one(), {"kind": "block", "actor": "U", "to": [63, 55]})
    assert _same(got["U-1"], (59, 55, 90))
    assert _same(got["U-3"], (67, 55, 90))


def test_a_block_turns_about_its_middle() -> None:
    got = _after(_one(), {"kind": "block", "actor": "U", "by": 90})
    assert _same(got["U-1"], (60, 36, 180))
    assert _same(got["U-2"], (60, 40, 180))


def test_a_wheel_turns_about_the_corner_at_its_end() -> None:
    """WM-C19: the outer corner travels 17.2047."""
    verdict = _one().judge({"kind": "wheel", "actor": "U", "by": 90})
    assert verdict.legal
    assert verdict.values["distance"] == pytest.approx(17.2047, abs=1e-4)
    got = _after(_one(), {"kind": "wheel", "actor": "U", "by": 90})
    assert _same(got["U-3"], (55, 51, 180))
    got = _after(_one(), {"kind": "wheel", "actor": "U", "by": -90, "about": "right"})
    assert _same(got["U-1"], (65, 51, 0))


@pytest.mark.parametrize(
    ("by", "legal"), [(-180, True), (180.0001, False), (200, False), (400, False)]
)
def test_wm_stand_1_a_wheel_is_no_more_than_a_turn(by: float, legal: bool) -> None:
    """By 200 is not by 160 the other way, nor by 400 by 40."""
    game = Game([unit("U", [(60, 40, 90)], may_move="order")])
    verdict = game.do("wheel", actor="U", by=by)
    assert ids(verdict) == (set() if legal else {"WM-STAND-1"})
    if not legal:
        (finding,) = verdict.findings
        assert (finding.measured, finding.limit) == (by, 180)
        assert verdict.nearest is not None
        assert 0 < verdict.nearest.action["by"] <= 180


def test_about_face_leaves_the_stands_where_they_are() -> None:
    """WM-C91: 4.4721 each."""
    verdict = _one().judge({"kind": "about_face", "actor": "U"})
    assert verdict.values["distance"] == pytest.approx(4.4721, abs=1e-4)
    got = _after(_one(), {"kind": "about_face", "actor": "U"})
    assert _same(got["U-2"], (60, 40, 270))


def test_a_line_becomes_a_column_and_a_line_again() -> None:
    verdict = _one().judge({"kind": "form_column", "actor": "U", "to": [60, 52]})
    assert verdict.values["new_formation"] == "column"
    got = _after(_one(), {"kind": "form_column", "actor": "U", "to": [60, 52]})
    assert _same(got["U-1"], (60, 52, 90))
    column: list[Pose] = [(60, 44, 90), (60, 42, 90), (60, 40, 90)]
    verdict = _one(column).judge({"kind": "form_line", "actor": "U"})
    assert verdict.values["new_formation"] == "line"
    left = _after(_one(column), {"kind": "form_line", "actor": "U", "extend": "left"})
    assert sorted(round(p[0], 6) for p in left.values()) == [52, 56, 60]


def test_a_block_that_goes_too_far_is_offered_as_far_as_it_may_go() -> None:
    verdict = _one().judge({"kind": "block", "actor": "U", "to": [60, 64]})
    assert not verdict.legal
    assert {f.clause for f in verdict.findings} == {"WM-STAND-6"}
    assert verdict.nearest is not None
    assert verdict.nearest.action["to"][1] == pytest.approx(60.0, abs=0.02)
    assert verdict.nearest.short_by == pytest.approx(4.0, abs=0.02)


def test_a_block_finds_its_way_round_a_rock() -> None:
    """A single stand passes a rock that stands before it; straight on it would run into it."""
    rock = {
        "id": "rock",
        "kind": "impassable",
        "shape": {"polygon": [[58.5, 44], [60.5, 44], [60.5, 46], [58.5, 46]]},
    }
    battle = _battle({"U": ("red", "Infantry", [(60, 40, 90)])}, [rock])
    straight = {
        "kind": "move", "actor": "U", "stands": [{"stand": "U-1", "path": [{"to": [60, 52]}]}],
    }  # fmt: skip
    assert not battle.judge(straight).legal
    got = _after(battle, {"kind": "block", "actor": "U", "to": [60, 52]})
    assert _same(got["U-1"], (60, 52, 90))


def test_a_brigade_moves_as_one_and_stays_together() -> None:
    rear: list[Pose] = [(x, y - 2, f) for x, y, f in LINE]
    battle = _battle(
        {"U": ("red", "Infantry", LINE), "V": ("red", "Infantry", rear)},
        progress={"group": ["V", "U"]},
    )
    got = _after(battle, {"kind": "brigade", "units": ["V", "U"], "to": [62, 49]})
    assert _same(got["U-1"], (58, 50, 90))
    assert _same(got["V-1"], (58, 48, 90))


def test_a_charge_is_planned_at_a_target_that_is_turned() -> None:
    """The nearer stand, turned by 30 degrees, is met front to front, centre to centre."""
    battle = _battle(
        {
            "U": ("red", "Knights", [(60, 30, 90), (62, 30, 90), (64, 30, 90)]),
            "E": ("blue", "Infantry", [(70, 50, 240), (73.4641016151, 48, 240)]),
        }
    )
    verdict = battle.judge({"kind": "charge", "actor": "U", "target": "E"})
    assert verdict.legal, verdict.findings


def test_blocks_expand_to_moves_that_are_legal(budget: Callable[[int, int], int]) -> None:
    rng, legal, near = Random(3), 0, 0
    battle = _battle(
        {
            "U": ("red", "Infantry", LINE),
            "F": ("red", "Infantry", [(48, 52, 90), (52, 52, 90)]),
            "E": ("blue", "Infantry", [(66, 62, 270), (70, 62, 270)]),
        }
    )
    for number in range(budget(60, 2_000)):
        to = [60 + rng.uniform(-15, 15), 40 + rng.uniform(-10, 18)]
        verdict = battle.judge(
            {"kind": "block", "actor": "U", "to": to, "by": rng.choice([0, rng.uniform(-60, 60)])},
            nearest=number % 3 == 0,
        )
        if not verdict.legal:
            assert verdict.findings
            if verdict.nearest is not None:
                assert battle.judge(thaw(verdict.nearest.action)).legal
                near += 1
            continue
        legal += 1
        stands = [
            {"stand": moved.body, "path": [leg_document(leg) for leg in moved.path]}
            for moved in verdict.moved
        ]
        assert battle.judge({"kind": "move", "actor": "U", "stands": stands}).legal
    assert legal > 10
    assert near > 1


def test_a_stand_that_is_shut_in_is_looked_at_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The middle stand has no way round after another one, nor alone: it is looked for no more."""
    asked: list[set[str]] = []
    found = plans.Ways.way

    def way(self: plans.Ways, body: Any, end: Any, placed: Any, *more: Any, detours: bool) -> Any:
        if body.id != "U-2":
            return found(self, body, end, placed, *more, detours=detours)
        if detours:
            asked.append({barrier.id for barrier in placed})
        return None

    monkeypatch.setattr(plans.Ways, "way", way)
    battle = _battle({"U": ("red", "Infantry", LINE)})
    battle.judge({"kind": "block", "actor": "U", "to": [60, 52]}, nearest=False)
    assert len(asked) == 2
    assert asked.count(set()) == 1


def leg_document(leg: Any) -> dict[str, Any]:
    fields = {name: getattr(leg, name) for name in ("to", "centre", "by", "how")}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in fields.items() if v}
