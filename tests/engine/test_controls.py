"""Controls read off the actions of a system that says none of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Literal

import pytest

import tapeline as tl
from support.controlling import completed, play_with_controls
from support.playing import random_match
from support.scenarios import scenes_of, systems
from support.scenes import toy_scene
from tapeline.engine.actions import Action
from tapeline.engine.codec import action_document
from tapeline.engine.controls import Control
from tapeline.engine.paths import LegPath
from tapeline.engine.plain_controls import plain_controls
from tapeline.engine.verdicts import Finding
from tapeline.errors import UnknownIdError


@dataclass(frozen=True, slots=True)
class Part:
    stand: str
    path: LegPath = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wander(Action):
    """Go along a path.

    This is not said.
    """

    kind: ClassVar[str] = "wander_off"
    actor: str
    path: LegPath
    fast: bool = False
    how: Literal["low", "high"] = "low"
    over: tuple[Literal["mud", "ice"], ...] = ()
    times: int = 1
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Action):
    """Put it down somewhere."""

    kind: ClassVar[str] = "place"
    actor: str
    to: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose(Action):
    """Put it down facing somewhere."""

    kind: ClassVar[str] = "pose"
    actor: str
    to: tuple[float, float] | None = None
    facing: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned(Action):
    """Put it down turned."""

    kind: ClassVar[str] = "turned"
    actor: str
    to: tuple[float, float]
    by: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel(Action):
    """Wheel."""

    kind: ClassVar[str] = "wheel"
    actor: str
    by: float
    about: tuple[float, float] | None = None
    price: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead(Action):
    """Go ahead."""

    kind: ClassVar[str] = "ahead"
    actor: str
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class March(Action):
    """March all of it."""

    kind: ClassVar[str] = "march"
    actor: str
    stands: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hail(Action):
    """Hail several."""

    kind: ClassVar[str] = "hail"
    actor: str
    friends: tuple[str, ...]
    witnesses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(Action):
    """Throw something at somebody."""

    kind: ClassVar[str] = "throw"
    actor: str
    stone: str
    hand: str
    target: str
    catcher: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick(Action):
    """Do a trick."""

    kind: ClassVar[str] = "trickery"
    actor: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Action):
    """Two gestures of the hand at once."""

    kind: ClassVar[str] = "swap"
    actor: str
    path: LegPath
    to: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bell(Action):
    """Ring the bell."""

    kind: ClassVar[str] = "bell"
    side: str | None = None


ACTIONS = (Wander, Place, Pose, Turned, Wheel, Ahead, March, Hail, Throw, Trick, Swap, Bell)


def _nothing(run: Any, action: Any) -> None:
    run.stopped(Finding("Nothing more comes of it.", clause="TY-MUD-1"))


@pytest.fixture
def odd() -> tl.Battle:
    """The toy battle under a system of odd actions, with a stone thrower."""
    battle = tl.load(toy_scene())
    system = replace(
        battle.system,
        actions={kind.kind: kind for kind in ACTIONS},
        procedures=dict.fromkeys(ACTIONS, _nothing),
    )
    first = next(iter(battle.state.bodies.values()))
    thrower = replace(
        first,
        stats=first.stats.set(
            stones=("pebble", "rock"), hand=("left", "right"), trickeries=("roll",)
        ),
    )
    bodies = {**battle.state.bodies, first.id: thrower}
    return replace(battle, system=system, state=replace(battle.state, bodies=bodies))


def _by_kind(battle: tl.Battle, of: str | None) -> dict[str, Control]:
    found = list(battle.system.controls(battle.state, of))
    kinds = {str(control.action["kind"]): control for control in found}
    assert len(kinds) == len(found)
    return kinds


def test_every_form_of_field_has_its_gesture(odd: tl.Battle) -> None:
    me, *others = odd.state.bodies
    kinds = _by_kind(odd, me)
    given = {
        kind: (c.gesture, c.slot, c.turn_slot, c.turns, c.optional) for kind, c in kinds.items()
    }
    assert given == {
        "wander_off": ("path", "path", "", "facing", False),
        "place": ("place", "to", "", "facing", False),
        "pose": ("pose", "to", "facing", "facing", True),
        "turned": ("pose", "to", "by", "by", False),
        "wheel": ("turn", "by", "", "facing", False),
        "ahead": ("distance", "distance", "", "facing", False),
        "march": ("stands", "stands", "", "facing", True),
        "hail": ("pick_many", "friends", "", "facing", False),
        "throw": ("pick", "target", "", "facing", False),
        "trickery": ("press", "", "", "facing", False),
    }
    wander = kinds["wander_off"]
    assert (wander.label, wander.says) == ("Wander off", "Go along a path.")
    assert [(e.name, e.form, e.default) for e in wander.extras] == [
        ("fast", "flag", False),
        ("how", "one", "low"),
        ("over", "some", ()),
        ("times", "number", 1),
        ("after", "one", None),
    ]
    assert wander.extras[1].options == (("low", "Low"), ("high", "High"))
    assert {value for value, _ in wander.extras[4].options} == {None, *others, *odd.state.units}
    assert kinds["wheel"].action["price"] == 0, "what is needed is settled at first"
    throw, trick = kinds["throw"], kinds["trickery"]
    assert me not in throw.candidates
    assert set(throw.candidates) == {*others, *odd.state.units}
    sides = [(odd.state.bodies.get(one) or odd.state.units[one]).side for one in throw.candidates]
    mine = odd.state.bodies[me].side
    assert sides == sorted(sides, key=lambda side: side == mine), "enemies first"
    assert [e.name for e in throw.extras] == ["stone", "hand", "catcher"]
    assert throw.extras[0].options == (("pebble", "Pebble"), ("rock", "Rock"))
    assert throw.extras[1].options == (("left", "Left"), ("right", "Right"))
    assert trick.extras[0].options == (("roll", "Roll"),)
    assert trick.action["name"] == "roll"


def test_what_the_profile_does_not_list_is_an_id_or_nothing(odd: tl.Battle) -> None:
    me, other = list(odd.state.bodies)[:2]
    kinds = _by_kind(odd, other)
    assert kinds["throw"].slot == "stone", "a text of which no profile tells is taken for an id"
    none = odd.state.bodies[me]
    bare = replace(none, stats=none.stats.set(trickeries=()))
    state = replace(odd.state, bodies={**odd.state.bodies, me: bare})
    assert "trickery" not in _by_kind(replace(odd, state=state), me), "it knows no trick"


def test_sides_are_asked_what_has_no_actor(odd: tl.Battle) -> None:
    (bell,) = odd.system.controls(odd.state, None)
    assert (bell.label, bell.gesture, bell.group) == ("Bell", "press", "step")
    assert not bell.why_not, "what ends early may be done"
    sides = [side.id for side in odd.state.sides]
    assert [value for value, _ in bell.extras[0].options] == [None, *sides]


def test_an_unknown_id_is_an_error(odd: tl.Battle) -> None:
    with pytest.raises(UnknownIdError):
        list(odd.system.controls(odd.state, "nobody"))


def test_plain_controls_are_of_the_system_they_are_asked_of(odd: tl.Battle) -> None:
    toy = tl.load(toy_scene())
    assert {str(c.action["kind"]) for c in toy.system.controls(toy.state, None)} == {"done"}


def test_bodies_and_units_are_asked_for_what_is_ordered_of_them() -> None:
    toy = tl.load(toy_scene())
    assert set(_by_kind(toy, "B1")) == {"move", "shove", "glide"}
    assert {c.action["actor"] for c in _by_kind(toy, "B1").values()} == {"B1"}
    assert not _by_kind(toy, "U1"), "nothing is ordered of units of discs"
    regiments = tl.load(scenes_of("warmaster")["warmaster-ford"])
    unit = next(iter(regiments.state.units.values()))
    found = {
        str(control.action["kind"]): control.action["actor"]
        for control in plain_controls(regiments.system, regiments.state, unit.members[0])
    }
    assert found["charge"] == found["move"] == unit.id
    assert "leave_table" in found, "nothing tells that a stand is no character"
    assert found["leave_table"] == unit.members[0]


def test_barred_ones_come_last_and_say_why() -> None:
    battle = tl.load(scenes_of("sovl")["sovl-ford"])
    active = next(b.id for b in battle.state.bodies.values() if b.side == battle.state.turn.active)
    found = list(plain_controls(battle.system, battle.state, active))
    barred = [control.label for control in found if control.why_not]
    assert barred == [control.label for control in found][-len(barred) :]
    assert {"Rally", "End activation", "Flight"} == set(barred)
    rally = next(control for control in found if control.label == "Rally")
    verdict = battle.judge(dict(rally.action))
    assert rally.why_not == verdict.findings


def test_a_path_left_out_does_not_bar() -> None:
    """Only what is wrong with the declaration counts before a path is given."""
    battle = tl.load(scenes_of("trench-crusade")["trench-mire"])
    actor = str(battle.state.progress["actor"])
    body = battle.state.bodies[actor]
    friend = next(battle.state.friends(body))
    onto = replace(battle.state, bodies={**battle.state.bodies, actor: body.at(*friend.centre)})
    staying = replace(battle, state=onto).judge({"kind": "move", "actor": actor})
    assert "TC-MOVE-5" in {finding.clause for finding in staying.findings}
    move = next(c for c in plain_controls(battle.system, onto, actor) if c.action["kind"] == "move")
    assert not move.why_not
    waiting = plain_controls(battle.system, battle.state, friend.id)
    barred = {str(control.action["kind"]): control.why_not for control in waiting}
    assert barred["move"][0].clause == "TC-ACT-10", "its declaration is barred"


@pytest.mark.parametrize("name", systems())
def test_completed_with_the_values_of_offers(name: str, budget: Callable[[int, int], int]) -> None:
    """Plain controls of every system give actions that can be read, mostly those offered."""
    exact = kinds = 0
    scenes = list(scenes_of(name).values())
    for scene in scenes[: budget(3 if name in ("sovl", "trench-crusade") else 1, 99)]:
        match = random_match(scene, 3, budget(8, 60) if name != "warmaster" else 2)
        for battle in match.battles[-2:]:
            if battle.pending is not None:
                continue
            known: dict[str | None, list[Control]] = {}
            offers = list(battle.offers(Random(1)))
            for offer in Random(2).sample(offers, min(len(offers), budget(8, 1000))):
                document = json.loads(json.dumps(action_document(offer)))
                of = document.get("actor")
                if of not in known:
                    known[of] = list(plain_controls(battle.system, battle.state, of))
                control = next(c for c in known[of] if c.action["kind"] == offer.kind)
                assert not control.why_not
                action = battle.action(completed(control, document))
                assert action.kind == offer.kind
                kinds += 1
                exact += action == offer
    assert kinds >= 5
    # Ways of stands and targets together take two gestures: only a system's own controls do that.
    assert exact == kinds or name == "warmaster"


def test_the_toy_system_is_played_by_plain_controls(budget: Callable[[int, int], int]) -> None:
    reached = play_with_controls([toy_scene()], 5, budget(60, 1000), 2, plain=True)
    assert set(reached) == {"move", "shove", "done"}
