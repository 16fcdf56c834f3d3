"""Inline profiles: figures that follow from others are worked out, in every system."""

from __future__ import annotations

from typing import Any

import pytest

from tapeline.engine.setup import state_from_scene
from tapeline.play.battle import load_system
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.scene import parse_scene

Doc = dict[str, Any]


def body_of(system_name: str, profile: Doc) -> Body:
    """The one body of a scene that has the profile: a model, a stand of a unit, or a regiment."""
    system = load_system(system_name)
    body: Doc = {"id": "A1", "side": "A", "profile": profile, "position": [20, 20]}
    placed: Doc = {"models": [body]}
    if system_name == "sovl":
        placed = {"units": [{**body, "models": 2}]}
    elif system_name == "warmaster" and "Hero" not in profile["like"]:
        placed["units"] = [{"id": "U", "side": "A", "members": ["A1"]}]
    scene = {
        "format": "tapeline-scene/1",
        "system": system_name,
        "table": {"width": 96, "depth": 96, "unit": system.unit},
        "sides": [{"id": "A"}, {"id": "B"}],
        **placed,
    }
    return state_from_scene(parse_scene(scene), system).bodies["A1"]


@pytest.mark.parametrize(
    ("system", "profile", "figures"),
    [
        ("sovl", {"like": "Elf Archers", "keywords": ["Heavy Armor"]}, {"move": 7.0}),
        ("sovl", {"like": "Infantry", "type": "War Wagon"}, {"move": 12.0, "files": 1}),
        ("sovl", {"like": "Infantry", "skill": 4}, {"move": 8.0, "skill": 4}),
        ("warmaster", {"like": "Knights", "keywords": ["flyer"]}, {"full": 100.0, "half": 15.0}),
        ("warmaster", {"like": "Giant Eagles", "keywords": []}, {"full": 20.0, "half": 10.0}),
        ("warmaster", {"like": "Galloper Guns", "keywords": ["all_round"]}, {"full": 20.0}),
        ("warmaster", {"like": "Halberdiers", "type": "chariot"}, {"full": 30.0, "half": 15.0}),
        ("warmaster", {"like": "Knights", "keywords": ["flyer"], "full": 60}, {"full": 60}),
        ("warmaster", {"like": "Orc Hero", "keywords": ["flyer"]}, {"full": 100.0, "half": 100.0}),
        ("trench-crusade", {"like": "Azeb", "keywords": ["FLYING"]}, {"flying": True}),
        ("trench-crusade", {"like": "Winged Thrall", "keywords": []}, {"flying": False}),
        (
            "trench-crusade",
            {"like": "Winged Thrall", "keywords": ["FEAR"], "flying": True},
            {"flying": True},
        ),
        ("mordheim", {"like": "Dire Wolf", "movement": 7}, {"movement": 7, "animal": True}),
    ],
)
def test_figures_follow_from_what_is_given(system, profile, figures):
    stats = body_of(system, profile).stats
    assert {name: stats[name] for name in figures} == figures


def test_the_base_follows_from_the_type():
    regiment = body_of("sovl", {"like": "Infantry", "type": "Chariot"})
    assert regiment.base == Rectangle(50 / 25.4, 200 / 25.4)
    stand = body_of("warmaster", {"like": "Halberdiers", "type": "cavalry"})
    assert stand.base == Rectangle(2.0, 4.0)
    hero = body_of("warmaster", {"like": "Orc Hero", "keywords": ["flyer"]})
    assert hero.base == Round(1.25)
