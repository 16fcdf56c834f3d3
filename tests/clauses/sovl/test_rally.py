"""SV-RALLY, SV-DISC: each limit just inside, on and outside."""

from __future__ import annotations

import pytest


def fleeing(play, inf, **changes):
    """A fleeing unit of Discipline 7 that is active, and another to go on with."""
    state = {"fleeing": True, **changes.pop("state", {})}
    units = [inf("A1", 10, 10, state=state, **changes), inf("A2", 10, 25)]
    return play(units)


def test_sv_rally_1_fleeing_unit_may_be_activated(play, inf):
    game = fleeing(play, inf)
    assert "SV-RALLY-1" in game.do("activate", "A1").cites


@pytest.mark.parametrize("mark", ["activated", "fled"])
def test_sv_rally_1_not_twice(play, inf, clauses, mark):
    game = fleeing(play, inf, state={mark: True})
    assert clauses(game.do("activate", "A1")) == ["SV-RALLY-1"]


@pytest.mark.parametrize(
    ("kind", "figures"),
    [
        ("advance", {"distance": 1}),
        ("pivot", {"by": 10}),
        ("shoot", {"target": "B1"}),
        ("ability", {"name": "Hymn"}),
    ],
)
def test_sv_rally_2_only_a_rally(play, inf, clauses, kind, figures):
    profile = {"like": "Imperial Archers", "abilities": ["Hymn"]}
    units = [inf("A1", 10, 10, profile=profile, state={"fleeing": True}), inf("B1", 20, 10, 180)]
    game = play(units)
    game.do("activate", "A1")
    assert clauses(game.do(kind, "A1", **figures)) == ["SV-RALLY-2"]


@pytest.mark.parametrize("faces", [[1, 1], [6, 6]])
def test_sv_rally_2_nothing_after_it(play, inf, clauses, faces):
    game = fleeing(play, inf)
    game.do("activate", "A1")
    game.do("rally", "A1", faces)
    for kind, figures in (("rally", {}), ("advance", {"distance": 1})):
        assert clauses(game.do(kind, "A1", **figures)) == ["SV-RALLY-2"]
    assert game.do("activate", "A2").legal


def test_sv_rally_3_a_steady_unit_has_nothing_to_rally(play, inf, clauses):
    game = play([inf("A1", 10, 10)])
    game.do("activate", "A1")
    assert clauses(game.do("rally", "A1")) == ["SV-ACT-2"]


@pytest.mark.parametrize(
    ("models", "files", "limit"),
    [(10, 5, 9), (11, 5, 9), (13, 5, 10), (2, 2, 7), (3, 3, 8), (8, 2, 7), (12, 3, 11)],
)
def test_sv_disc_2_ranks_of_three(play, inf, models, files, limit):
    game = fleeing(play, inf, models=models, files=files)
    game.do("activate", "A1")
    verdict = game.do("rally", "A1")
    assert verdict.value("limit") == limit


@pytest.mark.parametrize(("faces", "rallied"), [([3, 5], True), ([4, 5], True), ([5, 5], False)])
def test_sv_disc_1_at_most_the_limit(play, inf, faces, rallied):
    game = fleeing(play, inf)  # 7 + 2 ranks
    game.do("activate", "A1")
    assert game.do("rally", "A1", faces).value("rallied") is rallied
    assert game.body("A1").has("fleeing") is not rallied


@pytest.mark.parametrize("keyword", ["Reanimated", "Demonic"])
def test_sv_disc_3_never_fails(play, inf, keyword):
    move = 7 if keyword == "Reanimated" else 8
    profile = {"like": "Infantry", "keywords": [keyword], "move": move}
    game = fleeing(play, inf, profile=profile)
    game.do("activate", "A1")
    verdict = game.do("rally", "A1")
    assert verdict.ask is None
    assert verdict.value("rallied") is True


def test_sv_disc_3_fearless_rolls_all_the_same(play, inf):
    game = fleeing(play, inf, profile={"like": "Infantry", "keywords": ["Fearless"]})
    game.do("activate", "A1")
    assert game.do("rally", "A1").ask is not None


def test_sv_rally_4_failed_and_passed(play, inf):
    for faces, phase in (([1, 2], "done"), ([6, 6], "flights")):
        game = fleeing(play, inf)
        game.do("activate", "A1")
        game.do("rally", "A1", faces)
        game.do("pass")
        assert game.state.turn.phase == phase
