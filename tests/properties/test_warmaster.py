"""What must hold in Warmaster: turned, mirrored and cut-up moves, evades, drive backs."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import tapeline as tl
from support.moving import HALF, MIRROR, QUARTER, Motion, moved_action, moved_scene
from support.scenarios import golden_cases
from tapeline.dice import Roll
from tapeline.engine.asks import Answer
from tapeline.engine.codec import parse_action
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.engine.verdicts import Verdict
from tapeline.errors import DocumentError
from tapeline.rules.warmaster import SYSTEM
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.scene import parse_scene

pytestmark = pytest.mark.compiled

Doc = dict[str, Any]
#: Its own cases; setting up is no part of a system.
CASES = [
    case
    for _, case in golden_cases()
    if case["scene"]["system"] == "warmaster" and "deployment" not in case["scene"]
]


def _open(scene: Doc, options: Doc | None = None) -> State:
    scene = {**scene, "options": {**scene.get("options", {}), **(options or {})}}
    return state_from_scene(parse_scene(scene), SYSTEM)


def _judged(state: State, action: Doc, step: Doc | None = None, nearest: bool = True) -> Session:
    session = Session(SYSTEM, state, parse_action(SYSTEM, action), nearest=nearest)
    dice = list(step.get("dice", [])) if step else []
    answers = list(step.get("answers", [])) if step else []
    while session.ask is not None and (dice if isinstance(session.ask, Roll) else answers):
        if isinstance(session.ask, Roll):
            session.send(Answer(faces=tuple(dice.pop(0))))
        else:
            session.send(Answer(value=answers.pop(0)))
    return session


def _outcome(verdict: Verdict) -> Any:
    return verdict.kind, sorted({(f.clause, f.about or "") for f in verdict.findings})


def _plain(outcome: Any, table: set[str]) -> Any:
    """Edges of the table turn with it and are not compared by name."""
    kind, found = outcome
    return kind, sorted({(clause, about if about not in table else "") for clause, about in found})


EDGES = {"left", "right", "top", "bottom", "low x", "high x", "low y", "high y"}


DIRECTIONS = {"up", "down", "left", "right", "up-left", "up-right", "down-left", "down-right"}


@pytest.mark.parametrize("motion", [QUARTER, HALF, MIRROR], ids=lambda m: m.name)
def test_golden_cases_turned_and_mirrored_are_judged_alike(
    motion: Motion, budget: Callable[[int, int], int]
) -> None:
    compared = illegal = 0
    # The nearest legal move takes half of the time and is not compared; with --long it is made.
    nearest = bool(budget(False, True))
    for case in Random(motion.name).sample(CASES, budget(120, len(CASES))):
        options = case.get("options", {})
        table = dict(case["scene"]["table"])
        one = _open(case["scene"], options)
        other = _open(moved_scene(case["scene"], motion), options)
        for step in case["steps"]:
            if "action" not in step or DIRECTIONS.intersection(map(str, step.get("answers", ()))):
                # A direction on the table that is answered would have to turn with it.
                break
            action = moved_action(step["action"], motion, table)
            here = _judged(one, step["action"], step, nearest)
            there = _judged(other, action, step, nearest)
            names = {*one.bodies, *one.units, *(p.id for p in one.table.pieces)}
            unknown = EDGES - names
            assert _plain(_outcome(here.verdict), unknown) == _plain(
                _outcome(there.verdict), unknown
            ), (case["id"], step)
            planned = not step["action"].get("stands") and any(
                word in step["action"]["kind"] for word in ("charge", "evade", "advance", "brigade")
            )
            for name, value in here.verdict.values.items():
                # Of plans equally good the first found is taken, which need not be the mirrored.
                if isinstance(value, float) and not planned:
                    assert there.verdict.value(name) == pytest.approx(value, abs=1e-6)
            compared += 1
            illegal += not here.verdict.legal
            if not (here.done and there.done):
                break
            one, other = here.state, there.state
    assert compared > 100
    assert illegal > 30


def _slides(action: Doc) -> Iterator[tuple[int, int]]:
    """Which legs of which stands are slides."""
    for i, stand in enumerate(action.get("stands", ())):
        for j, leg in enumerate(stand.get("path", ())):
            if set(leg) == {"to"}:
                yield i, j


def _position(state: State, action: Doc, i: int, j: int) -> list[float] | None:
    """Where the centre is before a leg; None if a turn about another point comes before."""
    stand = action["stands"][i]
    if stand["stand"] not in state.bodies:
        return None
    at = list(state.bodies[stand["stand"]].centre)
    for leg in stand["path"][:j]:
        if "centre" in leg:
            return None
        at = list(leg.get("to", at))
    return at


@pytest.mark.parametrize("metric", ["straight", "arc"])
def test_a_slide_in_two_is_as_one(metric: str, budget: Callable[[int, int], int]) -> None:
    rng, split, illegal = Random(f"split {metric}"), 0, 0
    nearest = bool(budget(False, True))  # not compared, as above
    for _ in range(budget(1, 40)):
        for case in rng.sample(CASES, budget(120, len(CASES))):
            options = {**case.get("options", {}), "dist_metric": metric}
            state = _open(case["scene"], options)
            for step in case["steps"]:
                if "action" not in step:
                    break
                cut = copy.deepcopy(step["action"])
                # From the back, so that earlier legs keep their numbers.
                for i, j in reversed(list(_slides(cut))):
                    start = _position(state, cut, i, j)
                    if start is None:
                        continue
                    end, share = cut["stands"][i]["path"][j]["to"], rng.uniform(0.05, 0.95)
                    middle = [a + share * (b - a) for a, b in zip(start, end, strict=True)]
                    cut["stands"][i]["path"].insert(j, {"to": middle})
                whole = _judged(state, step["action"], step, nearest)
                if cut != step["action"]:
                    parts = _judged(state, cut, step, nearest)
                    assert _outcome(whole.verdict) == _outcome(parts.verdict), (case["id"], cut)
                    if "distance" in whole.verdict.values:
                        far = whole.verdict.value("distance")
                        assert parts.verdict.value("distance") == pytest.approx(far, abs=1e-9)
                    split += 1
                    illegal += not whole.verdict.legal
                if not whole.done:
                    break
                state = whole.state
    assert split > 50
    assert illegal > 20


@settings(max_examples=60, deadline=None)
@given(
    angle=st.floats(-180, 180),
    share=st.floats(0.05, 0.95),
    pivot=st.tuples(st.floats(-8, 8), st.floats(-8, 8)),
)
def test_a_turn_in_two_is_never_shorter(
    angle: float, share: float, pivot: tuple[float, float]
) -> None:
    """Chords of parts are together no shorter than the chord of the whole; arcs are as long."""
    centre = [90 + pivot[0], 60 + pivot[1]]
    body = {"id": "U-1", "side": "red", "profile": "Knights", "position": [90, 60], "facing": 90}
    scene = {
        "format": "tapeline-scene/1", "system": "warmaster",
        "table": {"width": 180, "depth": 120, "unit": "cm"},
        "sides": [{"id": "red"}, {"id": "blue"}], "models": [body],
        "units": [
            {"id": "U", "side": "red", "members": ["U-1"], "state": {"may_move": "order"}}
        ],
        "turn": {"phase": "orders", "active": "red"},
    }  # fmt: skip
    far: dict[str, list[float]] = {}
    for metric in ("straight", "arc"):
        for parts in ([angle], [share * angle, (1 - share) * angle]):
            legs = [{"centre": centre, "by": by} for by in parts]
            action = {"kind": "move", "actor": "U", "stands": [{"stand": "U-1", "path": legs}]}
            verdict = _judged(_open(scene, {"dist_metric": metric}), action).verdict
            found = [f.measured for f in verdict.findings if f.clause == "WM-STAND-6"]
            far.setdefault(metric, []).append(
                verdict.value("distance") if verdict.legal else (found or [0.0])[0] or 0.0
            )
    assert far["straight"][1] >= far["straight"][0] - 1e-9
    assert far["arc"][1] == pytest.approx(far["arc"][0], abs=1e-9)
    assert far["arc"][0] >= far["straight"][0] - 1e-9


def _polygon(body: Body) -> shapely.Polygon:
    """The base of a stand, by shapely."""
    assert isinstance(body.base, Rectangle)
    turn = math.radians(body.facing)
    fx, fy = math.cos(turn), math.sin(turn)
    d, w = 0.5 * body.base.depth, 0.5 * body.base.width
    return shapely.Polygon(
        [
            (body.x + a * d * fx + b * w * fy, body.y + a * d * fy - b * w * fx)
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ]
    )


def _random_table(rng: Random) -> Doc:
    """A unit in the middle, with friends and enemies strewn about it at random headings."""
    models: list[Doc] = []
    units: list[Doc] = []
    placed: list[shapely.Polygon] = []
    for number in range(rng.randint(3, 9)):
        side = "red" if number == 0 or rng.random() < 0.3 else "blue"
        name, heading = f"{side[0]}{number}", rng.choice([0.0, 30.0, 90.0, 135.0, 200.0, 270.0])
        wide = rng.randint(1, 3)
        far = 0.0 if number == 0 else rng.uniform(5, 40)
        way = rng.uniform(0, 2 * math.pi)
        x, y = 90 + far * math.cos(way), 60 + far * math.sin(way)
        turn = math.radians(heading)
        row = []
        for k in range(wide):
            at = [round(x + 4 * k * math.sin(turn), 9), round(y - 4 * k * math.cos(turn), 9)]
            row.append({"position": at, "facing": heading})
        blocks = [
            shapely.affinity.rotate(
                shapely.box(-1 + r["position"][0], -2 + r["position"][1],
                            1 + r["position"][0], 2 + r["position"][1]), heading,
            )
            for r in row
        ]  # fmt: skip
        if any(block.distance(other) < 0.01 for block in blocks for other in placed):
            continue
        placed += blocks
        ids = [f"{name}-{k}" for k in range(wide)]
        for member, place in zip(ids, row, strict=True):
            models.append({"id": member, "side": side, "profile": "Infantry", **place})
        units.append({"id": name, "side": side, "members": ids})
    return {
        "format": "tapeline-scene/1", "system": "warmaster",
        "table": {"width": 180, "depth": 120, "unit": "cm"},
        "sides": [{"id": "red"}, {"id": "blue"}], "models": models, "units": units,
        "turn": {"phase": "initiative", "active": "red"},
    }  # fmt: skip


def test_evades_never_end_within_5_cm(budget: Callable[[int, int], int]) -> None:
    """Of any enemy, nor of friends in combat; directions, orders and lengths drawn at random."""
    from tapeline.ranks.bases import away_from, nearest_pairs
    from tapeline.rules.warmaster.formation import is_engaged
    from tapeline.rules.warmaster.initiative import targets_of
    from tapeline.rules.warmaster.state import stands_of

    rng, legal, near = Random("evades"), 0, 0
    for _ in range(budget(120, 5_000)):
        state = _open(_random_table(rng))
        unit = state.units["r0"]
        found = targets_of(state, unit)
        if not found:
            continue
        target = rng.choice(found).unit
        pairs = nearest_pairs(stands_of(state, unit), stands_of(state, target))
        pair = rng.choice(pairs)
        away = away_from(pair)
        if away is None:
            continue
        order = [pair.own, *(b for b in stands_of(state, unit) if b.id != pair.own.id)]
        for far in (rng.uniform(1, 20), rng.uniform(1, 8), 20.0):
            dx, dy = far * away[0], far * away[1]
            ways = [
                {"stand": b.id, "path": [{"to": [b.x + dx, b.y + dy]}]}
                for b in (order if rng.random() < 0.7 else list(reversed(order)))
            ]
            action = {"kind": "evade", "actor": "r0", "target": target.id, "stands": ways}
            friends = [u.id for u in state.units.values() if u.side == "red" and u.id != "r0"]
            action["burst"] = rng.sample(friends, rng.randint(0, len(friends)))
            session = _judged(state, action)
            verdict = session.verdict
            near += any(f.clause == "WM-EVADE-10" for f in verdict.findings)
            if not verdict.legal:
                continue
            legal += 1
            ends = [_polygon(b) for b in stands_of(session.state, session.state.units["r0"])]
            for other in state.units.values():
                if other.id == "r0":
                    continue
                shunned = other.side == "blue" or is_engaged(state, other)
                gap = min(
                    end.distance(_polygon(b)) for end in ends for b in stands_of(state, other)
                )
                assert not shunned or gap >= 5 - 1e-6 - 1e-9, (action, other.id, gap)
                if not shunned:
                    deep = sum(
                        end.intersection(_polygon(b)).area
                        for end in ends
                        for b in stands_of(state, other)
                    )
                    assert deep < 1e-4, (action, other.id)
    assert legal > 25
    assert near > 8


def test_documents_of_no_sense_are_malformed_or_illegal() -> None:
    rng, tried = Random("nonsense"), 0
    for case in rng.sample(CASES, 60):
        state = _open(case["scene"], case.get("options", {}))
        action = next(s["action"] for s in case["steps"] if "action" in s)
        for key in list(action):
            if key == "kind":
                continue
            for value in ("nobody", -1, [], None):
                tried += 1
                try:
                    session = _judged(state, {**action, key: value})
                except DocumentError:
                    continue
                assert session.verdict.kind is not None
    assert tried > 200


def test_what_is_remembered_of_other_states_changes_no_offer() -> None:
    """A state that came about by play offers what the same state offers when it is opened anew."""
    battle = tl.load(Path(__file__).parents[2] / "examples" / "warmaster-bridge.json")
    dice = tl.Dice(seed=4)
    for step in range(4):
        offers = list(islice(battle.offers(Random(step)), 4))
        assert offers == list(islice(tl.load(battle.scene()).offers(Random(step)), 4))
        battle, _ = battle.play(offers[step % len(offers)], dice=dice, chooser=tl.take_default)
