"""Threat agrees with playing it out: the referee is asked again with every result of the dice."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tapeline as tl
from tapeline.analysis.threat import StrikeChance, Threat
from tapeline.dice import Roll
from tapeline.engine.codec import plain
from tapeline.engine.events import Event, Moved, Progressed, TurnChanged
from tapeline.engine.paths import Leg
from tapeline.play.battle import Battle
from tapeline.table.marks import Marks
from tapeline.work import work_limit

pytestmark = pytest.mark.compiled

EXAMPLES = Path(__file__).parents[2] / "examples"
#: A scene of each system, whose second side attacks the first model or unit of the other.
SCENES = {
    "trench-crusade": "trench-ruined-square",
    "mordheim": "mordheim-market",
    "sovl": "sovl-ford",
    "warmaster": "warmaster-dale",
}
#: Places looked at in the suite, and with --long.
FEW, MANY = {"mordheim": 2, "warmaster": 4}, 2_000


def ends(battle: Battle, action: Any) -> Iterator[tuple[Fraction, Battle]]:
    """Where an action leads to with every result of every die, one by one."""
    after, _ = battle.play(action)
    if after.last is None or after.last.kind == "ILLEGAL":
        return
    yield from _going_on(Fraction(1), after)


def _told(roll: Roll, faces: tuple[int, ...]) -> Any:
    """What dice tell: which of them shows what tells nothing, and what they say may tell all."""
    if roll.reads == "sum":
        return roll.total(faces)
    return roll.successes(faces) if roll.reads == "successes" else tuple(sorted(faces))


def _going_on(chance: Fraction, battle: Battle) -> Iterator[tuple[Fraction, Battle]]:
    if battle.pending is None:
        yield chance, battle
        return
    ask = battle.pending.ask
    if isinstance(ask, Roll):
        alike: dict[Any, list[tuple[int, ...]]] = {}
        for faces in product(range(1, ask.sides + 1), repeat=ask.count):
            alike.setdefault(_told(ask, faces), []).append(faces)
        for some in alike.values():
            share = chance * Fraction(len(some), ask.sides**ask.count)
            yield from _going_on(share, battle.answer([*some[0]])[0])
    else:
        yield from _going_on(chance, battle.answer(tl.take_default(ask))[0])


def played(battle: Battle, actions: list[Any], struck: Callable[[Battle], bool]) -> Fraction:
    """The chance that actions in a row come to that."""
    runs = [(Fraction(1), battle)]
    for action in actions:
        runs = [
            (share * chance, after)
            for share, before in runs
            if action.parameters.get("actor", "") in {"", *before.state.bodies, *before.state.units}
            for chance, after in ends(before, action)
        ]
    return sum((share for share, after in runs if struck(after)), Fraction(0))


def walked(leg: Leg) -> dict[str, Any]:
    return {key: value for key, value in plain(leg).items() if value not in (None, "walk")}


def by_hand(battle: Battle, strike: StrikeChance, on: str) -> Fraction:
    """The chance of the way that a strike names, played out from the scene."""
    by, system = strike.by, battle.system.name
    if strike.way == "fight" and system != "trench-crusade":
        return Fraction(1)  # they touch or are engaged: nothing is left to be played
    if system == "trench-crusade":
        side = battle.state.body(by).side
        begins: list[Event] = [TurnChanged(active=side)]
        actions = [tl.Activate(by)]
        if strike.way == "dash and charge":
            actions.append(tl.Dash(by, path=[walked(leg) for leg in strike.moves[0].path]))
        if "charge" in strike.way:
            actions.append(tl.Charge(by, target=on))
        fights = tl.Fight(by, target=on)

        def struck(after: Battle) -> bool:
            there = {by, on} <= after.state.bodies.keys()
            return there and after.judge(fights, nearest=False).legal

        return played(battle.override(begins), actions, struck)
    if system == "mordheim":
        side = battle.state.body(by).side
        begins = [TurnChanged(active=side, phase="recovery"), Progressed(Marks({"step": None}))]
        actions = [
            tl.EndPhase(),
            tl.DeclareCharge(by, targets=[on]),
            tl.CloseDeclarations(),
            tl.Charge(by),
        ]

        def engaged(after: Battle) -> bool:
            body = after.state.bodies.get(by)
            return body is not None and on in body.marks.texts("engaged")

        return played(battle.override(begins), actions, engaged)
    if system == "sovl":
        return Fraction(max(_contact(battle, by, on, turn) for turn in range(-180, 181, 9)))
    unit = battle.state.units[by]
    charge = tl.Action("charge", by, target=on)

    def met(after: Battle) -> bool:
        return after.state.units[by].has("charged")

    begins = [TurnChanged(active=unit.side, phase="initiative")]
    start = battle.override(begins)
    alone = played(start, [tl.Action("initiative_charge", by, target=on)], met)
    step = battle.override([TurnChanged(active=unit.side, phase="orders")])
    ordered = [
        played(step, [tl.Action("order", body.id, units=[by]), charge], met)
        for body in battle.state.bodies.values()
        if body.side == unit.side and body.stats.get("type") == "character"
    ]
    return max([alone, *ordered])


def _contact(battle: Battle, by: str, on: str, turn: int) -> int:
    """Whether a Pivot by so much and an Advance as far as may be come into contact."""
    start = battle.override([TurnChanged(active=battle.state.body(by).side, phase="strategic")])
    after, _ = start.play(tl.Activate(by))
    if turn:
        after, _ = after.play(tl.Pivot(by, by=turn))
        if after.last is None or not after.last.legal:
            return 0
    after, _ = after.play(tl.Advance(by, distance=after.state.progress.number("allowance")))
    known = after.state.progress.get("contacts", ())
    return int(isinstance(known, tuple) and (by, on) in known)


def opened(name: str) -> tuple[Battle, Threat]:
    battle = tl.load(EXAMPLES / f"{SCENES[name]}.json")
    if name == "mordheim":  # nobody measures before
        battle, _ = battle.play(
            tl.CloseDeclarations(), dice=tl.Dice(seed=1), chooser=tl.take_default
        )
    return battle, battle.threat(battle.state.sides[1].id)


def put(battle: Battle, on: str, place: tuple[float, float]) -> Battle:
    """The battle in which whoever is struck at stands elsewhere, as players would set it up."""
    attacking = battle.system.attacking
    assert attacking is not None
    bodies = attacking.bodies(battle.state, on)
    x = sum(body.x for body in bodies) / len(bodies)
    y = sum(body.y for body in bodies) / len(bodies)
    moves: list[Event] = [
        Moved(b.id, b.x + place[0] - x, b.y + place[1] - y, b.z, b.facing, ()) for b in bodies
    ]
    return battle.override(moves)


def threat_far(battle: Battle, by: str) -> float:
    assert battle.system.attacking is not None
    return battle.system.attacking.far(battle.state, by)


@pytest.mark.parametrize("name", SCENES)
def test_places_agree_with_playing_it_out(name: str, pytestconfig: pytest.Config) -> None:
    battle, threat = opened(name)
    rng, wanted = Random(18), MANY if pytestconfig.getoption("--long") else FEW.get(name, 8)
    table, agreed, chances = battle.state.table, 0, set()
    for _ in range(100 * wanted):
        if agreed == wanted:
            break
        by = rng.choice(threat.by)
        assert battle.system.attacking is not None
        near = battle.system.attacking.bodies(battle.state, by)[0]
        angle = math.radians(near.facing + rng.gauss(0.0, 40.0))
        far = rng.uniform(1.0, min(threat_far(battle, by), 30.0))
        place = (near.x + far * math.cos(angle), near.y + far * math.sin(angle))
        if not (2.0 < place[0] < table.width - 2.0 and 2.0 < place[1] < table.depth - 2.0):
            continue
        alone = battle.threat(by, threat.on)
        danger = alone.at(place)
        worst = danger.worst
        for chance in (0.0, float(worst), float(worst) + 0.01):
            low, high = alone.bounds(place, chance)
            assert low <= worst <= high
            assert low >= chance - 1e-9 if worst and worst >= chance - 1e-9 else high <= chance
        strike = danger.strikes[0] if danger.strikes else StrikeChance(by, "charge", Fraction(0))
        if strike.untold:
            continue
        try:
            moved = put(battle, threat.on, place)
        except tl.DocumentError:
            continue  # nobody may stand there
        chance = by_hand(moved, strike, threat.on)
        if name == "sovl":
            # Turns in steps of some degrees find no more than the turns that matter do.
            assert chance <= strike.chance, (place, by)
        else:
            assert chance == strike.chance, (place, by, strike.way)
        agreed += 1
        chances.add(strike.chance)
    assert agreed == wanted
    assert max(chances) > 0


def test_bands_lie_where_the_chance_changes() -> None:
    _, side = opened("trench-crusade")
    by = side.by[0]
    threat = Threat(side.system, side.state, (by,), side.on)
    some, sure = threat.bands([0.0, 1.0], resolution=6.0, eps=0.25)
    assert some.area > 1.2 * sure.area > 20.0
    for corner in sure.rings[0][::3]:
        assert threat.bounds(corner, 1) == (1, 1)


def test_a_border_is_found_as_closely_whatever_its_chance() -> None:
    battle, side = opened("sovl")  # where all is sure or impossible
    threat = battle.threat("E4", side.on)
    areas = [band.area for band in threat.bands([1.0, 0.5, 0.0], resolution=5.0)]
    assert areas[0] > 100.0
    assert areas == pytest.approx([areas[0]] * 3)


def test_what_no_gap_is_near_is_known_at_once_to_be_safe() -> None:
    """Where the table has gaps, a charge is given up only if none could be on its way."""
    battle, _ = opened("mordheim")
    threat = battle.threat("b-ogre", "r-captain")
    with work_limit(60_000):
        assert threat.at((12.0, 11.0)).strikes == (StrikeChance("b-ogre", "", Fraction(0), True),)


def test_the_safest_place_is_in_reach_and_safer() -> None:
    battle, threat = opened("trench-crusade")
    enemy = battle.state.body(threat.by[0])
    battle = put(battle, threat.on, (enemy.x, enemy.y - 9.0))
    threat = battle.threat(enemy.id, threat.on)
    reach = battle.reach(threat.on)
    best = threat.safest(reach, step=3.0)
    assert best is not None
    assert best.looked > 1
    assert reach.contains(best.place)
    assert best.danger.chance < threat.here().chance


def test_nobody_is_told_before_charges_are_declared() -> None:
    battle = tl.load(EXAMPLES / "mordheim-market.json")
    with pytest.raises(tl.MeasuringError, match="MH-CHG-2"):
        battle.threat(battle.state.sides[1].id)


def test_who_threatens_whom_is_named() -> None:
    battle, threat = opened("sovl")
    with pytest.raises(tl.UnknownIdError, match="no side"):
        battle.threat("nobody")
    with pytest.raises(tl.UnknownIdError, match="no enemy"):
        battle.threat(threat.by[0], threat.by[-1])


def regiment(unit: str, x: float, y: float, facing: float, **more: Any) -> dict[str, Any]:
    """Ten of SOVL, 4 wide and 2 deep unless said, red where the id begins with A."""
    return {
        "id": unit,
        "side": "red" if unit[0] == "A" else "blue",
        "profile": "Infantry",
        "models": 10,
        "files": 5,
        "position": [x, y],
        "facing": facing,
        "base": {"rectangle": more.pop("size", [4, 2])},
        **more,
    }


def danger(units: list[dict[str, Any]], ground: dict[str, list[float]]) -> Fraction:
    """The chance that A strikes B. ground: left, right, low and high side by kind."""
    terrain = [
        {"id": kind, "kind": kind, "shape": {"polygon": [[a, c], [b, c], [b, d], [a, d]]}}
        for kind, (a, b, c, d) in ground.items()
    ]
    battle = tl.load(
        {
            "format": "tapeline-scene/1",
            "system": "sovl",
            "table": {"width": 48, "depth": 36, "unit": "in"},
            "terrain": terrain,
            "sides": [{"id": "red"}, {"id": "blue"}],
            "units": units,
            "turn": {"round": 1, "phase": "strategic", "active": "red"},
        }
    )
    return battle.threat("A", "B").here().chance


@pytest.mark.parametrize(("profile", "chance"), [("Infantry", 0), ("Mongrel Skirmishers", 1)])
def test_a_forest_too_dear_for_others_is_open_to_scouts(profile: str, chance: int) -> None:
    """6.5 in to the forest leave 1.5 of 8; beyond it the enemy is 7.9 in away (SV-PROP-2)."""
    units = [regiment("A", 10, 18, 0, profile=profile), regiment("B", 19.9, 18, 0)]
    assert danger(units, {"forest": [17.5, 18.5, 10, 26]}) == chance


WALL = {"building": [28, 29, 10, 26]}
BOG = {"swamp": [27, 28, 4, 32]}
BESIDE = [regiment("A2", 24, 21, 90), regiment("A3", 24, 15, 90)]
BEFORE = [regiment(f"B{y}", 28, y, 180) for y in (14, 18, 22)]
EAGLE = {"profile": "Giant Eagle", "size": [2, 2], "models": 1, "files": 1}
HORSE = {"profile": "Cavalry", "size": [5, 2], "models": 5}


@pytest.mark.parametrize(
    ("by", "others", "ground", "at", "chance"),
    [
        # 8 ahead, and a thousandth more.
        ({}, [], {}, (34, 18, 180), 1),
        ({}, [], {}, (34.001, 18, 180), 0),
        # A turn a of up to 90 leaves 6: a corner comes 7 sin a + 2 cos a <= sqrt 53 aside.
        ({}, [], {}, (24, 26.28, 270), 1),
        ({}, [], {}, (24, 26.281, 270), 0),
        # Behind a wall: a flyer needs 2 in to come down.
        ({}, [], WALL, (32, 18, 180), 0),
        (EAGLE, [], WALL, (32, 18, 180), 1),
        (EAGLE, [], WALL, (31, 18, 180), 0),
        # 6 and 2 for the swamp, and 7 and 2.
        ({}, [], BOG, (32, 18, 180), 1),
        ({}, [], BOG, (33, 18, 180), 0),
        # Friends flush at both sides let it turn about only, for 4, and not aside.
        ({}, BESIDE, {}, (18, 18, 0), 1),
        ({}, BESIDE, {}, (17.999, 18, 0), 0),
        ({}, BESIDE, {}, (30, 23, 180), 0),
        # Horse turned about by 180 - a for 8: it comes 9 cos a + 2.5 sin a <= sqrt 87.25 behind.
        (HORSE, [], {}, (13.66, 18, 0), 1),
        (HORSE, [], {}, (13.65, 18, 0), 0),
        # Others before it; in combat with others; in combat with it; fleeing.
        ({}, BEFORE, {}, (32, 18, 180), 0),
        ({"state": {"engaged": True}}, [], {}, (28, 18, 180), 0),
        ({"state": {"engaged": True}}, [], {}, (26, 18, 180), 1),
        ({"state": {"fleeing": True}}, [], {}, (28, 18, 180), 0),
    ],
)
def test_sovl_by_hand(
    by: dict[str, Any],
    others: list[dict[str, Any]],
    ground: dict[str, list[float]],
    at: tuple[float, float, float],
    chance: int,
) -> None:
    """A stands at (24, 18) and faces 0."""
    units = [regiment("A", 24, 18, 0, **by), regiment("B", *at), *others]
    assert danger(units, ground) == chance
