"""Our perft: seeded scenes and actions; counts per verdict and clause are pinned.

A changed count is a changed ruling: the commit that changes one explains it. To write them
anew: pytest tests/census --census-write
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tapeline as tl
from support.moving import perturbed
from support.playing import random_match
from support.scenarios import scenes_of
from tapeline.engine.codec import action_document
from tapeline.errors import DocumentError

pytestmark = pytest.mark.compiled

PINNED = Path(__file__).parent / "verdict_counts.json"
#: Steps played and actions judged in each scene; fewer where one takes long to judge.
OURS = {"sovl": (60, 400), "trench-crusade": (60, 400), "mordheim": (25, 60), "warmaster": (15, 40)}


def counted(scene: dict[str, Any], name: str, steps: int, tries: int) -> dict[str, int]:
    """Counts per verdict kind, and per clause of the findings."""
    battles = [b for b in random_match(scene, 7, steps).battles if b.pending is None]
    rng, count = Random(f"census {name}"), Counter[str]()
    tried = 0
    while tried < tries:
        battle = rng.choice(battles)
        offers = [json.loads(json.dumps(action_document(a))) for a in battle.offers(rng)]
        for document in rng.sample(offers, min(3, len(offers))):
            for action in (document, perturbed(document, rng, list(battle.state.bodies))):
                tried += 1
                count.update(_verdict(battle, action))
    return dict(sorted(count.items()))


def _verdict(battle: tl.Battle, action: dict[str, Any]) -> list[str]:
    try:
        verdict = battle.judge(action, nearest=False)
    except DocumentError:
        return ["malformed"]
    kind = verdict.kind.value + ("" if verdict.ask is None else " open")
    return [kind, *sorted({finding.clause for finding in verdict.findings})]


@pytest.mark.parametrize("name", OURS)
def test_counts_are_as_pinned(name: str, request: pytest.FixtureRequest) -> None:
    scenes = scenes_of(name)
    found = {
        scene_name: counted(scene, scene_name, *OURS[name]) for scene_name, scene in scenes.items()
    }
    if request.config.getoption("--census-write"):
        pinned = json.loads(PINNED.read_text()) if PINNED.exists() else {}
        pinned[name] = found
        PINNED.write_text(json.dumps(pinned, indent=1, sort_keys=True) + "\n")
    pinned = json.loads(PINNED.read_text())[name]
    assert set(found) == set(pinned)
    for scene_name in found:
        assert found[scene_name] == pinned[scene_name], scene_name


@pytest.mark.parametrize("name", OURS)
def test_the_census_tells_something(name: str) -> None:
    pinned = json.loads(PINNED.read_text())[name]
    total: Counter[str] = Counter()
    for counts in pinned.values():
        total.update(counts)
    assert total["LEGAL"] > 20
    assert total["ILLEGAL"] > 15
    assert len([key for key in total if "-" in key]) >= 8
