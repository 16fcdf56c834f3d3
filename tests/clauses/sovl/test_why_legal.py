"""Why legal: a verdict that is not refused cites the clauses that bore on it, and no others."""

from __future__ import annotations

from typing import Any

import pytest

FREE = {"size": (2, 2), "models": 1, "files": 1}


def said(game: Any, *orders: tuple[Any, ...]) -> set[str]:
    """The clauses cited by the last of some orders, all of them legal."""
    cites: set[str] = set()
    for kind, actor, *rest in orders:
        more = rest.pop() if rest and isinstance(rest[-1], dict) else {}
        verdict = game.do(kind, actor, *rest, **more)
        assert verdict.legal, verdict.findings
        cites = set(verdict.cites)
    return cites


ADVANCE = ("advance", "A1", {"distance": 3})
ACTIVATE = ("activate", "A1")

ALWAYS = {"SV-ACT-1", "SV-MOV-1", "SV-SEQ-2"}


def test_sv_adv_1_an_advance_in_the_open_cites_what_bears_on_every_advance(play, inf):
    game = play([inf("A1", 24, 18)])
    assert said(game, ACTIVATE) == {"SV-ACT-1", "SV-ACT-3", "SV-ACT-4", "SV-ACT-5"}
    assert said(game, ADVANCE) == ALWAYS | {"SV-ADV-1", "SV-ADV-3"}
    assert said(game, ADVANCE) == ALWAYS | {"SV-ADV-1", "SV-ADV-3", "SV-SEQ-1"}


def test_sv_piv_1_a_pivot_in_the_open_cites_what_bears_on_every_pivot(play, inf):
    game = play([inf("A1", 24, 18)])
    turn = ALWAYS | {"SV-PIV-1", "SV-PIV-2", "SV-PIV-3"}
    assert said(game, ACTIVATE, ("pivot", "A1", {"by": 45})) == turn
    assert said(game, ("pivot", "A1", {"by": -10})) == turn | {"SV-PIV-4", "SV-SEQ-1"}
    assert said(game, ("pivot", "A1", {"by": 90})) == turn | {"SV-PIV-5", "SV-SEQ-1"}


@pytest.mark.parametrize(
    ("x", "y", "cited"),
    [
        (30, 18, True),  # met exactly
        (29, 21, True),  # slid along
        (29, 21 + 5e-7, True),
        (29, 21.001, False),
        (30.001, 18, False),
        (22, 18, False),  # behind, left at once
    ],
)
@pytest.mark.parametrize("graze", ["pass", "stop"])
def test_sv_adv_2_bears_where_something_is_touched_ahead(play, inf, x, y, cited, graze):
    game = play([inf("A1", 24, 18), inf("A2", x, y, **FREE)], contact__graze=graze)
    last = ("advance", "A1", {"distance": 4})
    assert ("SV-ADV-2" in said(game, ACTIVATE, last)) == cited


@pytest.mark.parametrize(("left", "cited"), [(28, True), (28.001, False)])
def test_sv_ter_5_bears_where_impassable_ground_is_touched(play, inf, piece, left, cited):
    game = play([inf("A1", 24, 18)], [piece("river", left, 32, 10, 26)])
    cites = said(game, ACTIVATE, ADVANCE)
    assert ({"SV-ADV-2", "SV-TER-5"} <= cites) == cited


@pytest.mark.parametrize(("x", "cited"), [(44, True), (43.999, False)])
def test_sv_adv_4_bears_where_the_edge_is_met(play, inf, x, cited):
    game = play([inf("A1", x, 18)])
    assert ("SV-ADV-4" in said(game, ACTIVATE, ADVANCE)) == cited


@pytest.mark.parametrize(
    ("y", "facing", "cited"),
    [(2, 0, True), (34 - 5e-7, 180, True), (2.001, 0, False), (1, 90, False)],
)
def test_sv_adv_4_bears_where_the_edge_is_slid_along(play, inf, y, facing, cited):
    game = play([inf("A1", 24, y, facing)])
    assert ("SV-ADV-4" in said(game, ACTIVATE, ADVANCE)) == cited


@pytest.mark.parametrize(("x", "cited"), [(45.764, True), (45.763, False)])
def test_sv_adv_4_bears_on_a_pivot_that_could_reach_the_edge(play, inf, x, cited):
    """Half the diagonal of 4 x 2 is 2.236."""
    game = play([inf("A1", x, 18)])
    cites = said(game, ACTIVATE, ("pivot", "A1", {"by": 180}))
    assert ({"SV-ADV-4", "SV-PIV-6"} <= cites) == cited


@pytest.mark.parametrize(("off", "cited"), [(1, True), (2.236, True), (2.237, False), (4, False)])
@pytest.mark.parametrize("by", [45, 180])
@pytest.mark.parametrize("check", ["final", "swept"])
def test_sv_piv_6_bears_on_a_pivot_beside_a_unit_and_ground(
    play, inf, piece, off, cited, by, check
):
    """As with the edge, where some turn of 4 x 2 would come over it."""
    turn = ("pivot", "A1", {"by": by})
    beside = [inf("A1", 24, 18), inf("A2", 24 + off + 1, 18, size=(0.1, 2))]
    wall = [piece("cliff", 24 + off, 24 + off + 2, 10, 26)]
    for units, ground, clauses in (
        (beside, [], {"SV-PIV-6"}),
        (beside[:1], wall, {"SV-PIV-6", "SV-TER-5"}),
    ):
        game = play(units, ground, pivot__check=check)
        game.do(*ACTIVATE)
        verdict = game.do(*turn[:2], **turn[2])
        bore = {"SV-PIV-6", "SV-TER-5"} & set(verdict.cites)
        assert bore == (clauses if cited else set())


def test_sv_ter_4_bears_on_every_entry(play, inf, piece):
    game = play([inf("A1", 24, 18)], [piece("swamp", 27, 30, 10, 26)])
    assert not {"SV-TER-1", "SV-TER-3", "SV-TER-4"} & said(
        game, ACTIVATE, ("advance", "A1", {"distance": 2})
    )
    entered = said(game, ("advance", "A1", {"distance": 1}))
    assert entered >= {"SV-TER-1", "SV-TER-3", "SV-TER-4"}
    assert not {"SV-TER-3", "SV-TER-4"} & said(game, ("advance", "A1", {"distance": 1}))


def test_sv_prop_2_and_3_say_why_nothing_is_lost(play, inf, piece):
    swamp = [piece("swamp", 22, 30, 10, 26)]
    scout = play([inf("A1", 24, 18, profile="Mongrel Skirmishers")], swamp)
    assert said(scout, ACTIVATE) >= {"SV-PROP-2", "SV-TER-1"}
    eagle = play([inf("A1", 24, 18, profile="Giant Eagle", **FREE)], swamp)
    assert "SV-PROP-3" in said(eagle, ACTIVATE)
    assert "SV-PROP-3" in said(eagle, ADVANCE)
    wall = [piece("cliff", 25, 27, 10, 26)]
    eagle = play([inf("A1", 24, 18, profile="Giant Eagle", **FREE)], wall)
    cites = said(eagle, ACTIVATE, ("pivot", "A1", {"by": 90}))
    assert {"SV-PROP-3", "SV-PIV-6"} <= cites
    assert "SV-TER-5" not in cites


MISSED = ([1] * 10,)


def shot(
    play, inf, terrain=(), others=(), like="Imperial Archers", before=(), dice=MISSED, **options
):
    """What the shot of A1 at B1, 10 in ahead, cites. dice: of each roll."""
    units = [inf("A1", 20, 18, profile=like), inf("B1", 32, 18, 180), *others]
    game = play(units, terrain, **options)
    return said(game, ACTIVATE, *before, ("shoot", "A1", *dice, {"target": "B1"}))


def test_sv_shoot_1_a_shot_in_the_open_cites_what_bears_on_every_shot(play, inf):
    assert shot(play, inf) == {
        "SV-ACT-1",
        *("SV-SHOOT-1", "SV-SHOOT-2", "SV-SHOOT-3", "SV-SHOOT-4"),
        *("SV-RNG-1", "SV-LOS-1", "SV-HIT-1", "SV-HIT-2"),
    }


def test_sv_shoot_5_and_6_bear_where_there_are_hits_and_wounds(play, inf):
    saving = {"SV-SHOOT-5", "SV-SHOOT-6", "SV-SAVE-1"}
    assert not shot(play, inf) & saving
    hit = [6, *[1] * 9]
    assert shot(play, inf, dice=(hit, [6])) & saving == {"SV-SHOOT-5", "SV-SAVE-1"}
    assert shot(play, inf, dice=(hit, [1])) & saving == saving


def test_sv_los_2_and_ter_6_bear_where_something_lies_between(play, inf, piece):
    sight = {"SV-LOS-2", "SV-TER-6"}
    assert shot(play, inf, [piece("forest", 24, 26, 18.5, 26)]) & sight == sight
    assert shot(play, inf, [piece("river", 24, 26, 10, 26)]) & sight == {"SV-TER-6"}
    assert not shot(play, inf, [piece("forest", 24, 26, 24, 26)]) & sight
    for beside_or_behind in ((30, 34, 20.05, 23), (33.1, 34, 17, 19), (19, 20.9, 17, 19)):
        assert not shot(play, inf, [piece("forest", *beside_or_behind)]) & sight
    assert shot(play, inf, [piece("forest", 32.1, 34, 17, 19)]) & sight == sight  # stands in it
    friend = [inf("A2", 26, 19.5, **FREE)]
    assert not shot(play, inf, others=friend) & sight
    assert shot(play, inf, others=friend, los__units_block="true") & sight == {"SV-LOS-2"}


def test_sv_act_2_and_abl_1_bear_where_there_is_more_than_one_thing_to_do(play, inf):
    assert not {"SV-ACT-2", "SV-ABL-1"} & shot(play, inf)
    assert "SV-ACT-2" in shot(play, inf, before=[("advance", "A1", {"distance": 1})])
    gifted = {"like": "Imperial Archers", "abilities": ["Hymn"]}
    assert "SV-ABL-1" in shot(play, inf, like=gifted)
    units = [inf("A1", 20, 18, profile="Imperial Archers"), inf("B1", 32, 18, 180)]
    dice = ("shoot", "A1", [1] * 10, {"target": "B1"})
    assert "SV-ACT-2" in said(play(units), ACTIVATE, dice, ADVANCE)


@pytest.mark.parametrize(
    ("like", "weapon", "dice", "cited"),
    [
        ("Infantry", "Longbow", [1], "SV-HIT-1"),
        ("War Machine", "Bolt Thrower", [1, 1, 1], "SV-HIT-7"),
    ],
)
def test_sv_hit_1_or_7_says_how_many_dice(play, inf, like, weapon, dice, cited):
    profile = {"like": like, "weapon": weapon}
    game = play([inf("A1", 20, 18, profile=profile, **FREE), inf("B1", 32, 18, 180)])
    cites = said(game, ACTIVATE, ("shoot", "A1", dice, {"target": "B1"}))
    assert cites & {"SV-HIT-1", "SV-HIT-7"} == {cited}


def test_sv_hit_7_alone_says_how_a_cannon_hits(play, inf):
    units = [inf("A1", 20, 18, profile="Dwarf Cannon", **FREE), inf("B1", 32, 18, 180)]
    cites = said(play(units), ACTIVATE, ("shoot", "A1", [1], [6], {"target": "B1"}))
    assert cites & {"SV-HIT-1", "SV-HIT-7"} == {"SV-HIT-7"}


def test_sv_rally_2_bears_on_a_rally(play, inf):
    game = play([inf("A1", 20, 18, state={"fleeing": True}), inf("B1", 32, 18)])
    assert "SV-RALLY-1" in said(game, ACTIVATE)
    assert {"SV-ACT-1", "SV-RALLY-2"} <= said(game, ("rally", "A1", [1, 1]))


def test_sv_act_1_and_7_bear_on_passes_and_the_next_turn(play, inf):
    game = play([inf("A1", 20, 18), inf("B1", 32, 18)])
    assert {"SV-ACT-1", "SV-ACT-7"} <= said(game, ("pass", None))
    assert {"SV-ACT-1", "SV-ACT-7"} <= said(game, ("pass", None))
    assert {"SV-ACT-7", "SV-ACT-8"} <= said(game, ("next_turn", None))
