"""Whole verdicts stay as they are: a hash of every document, for random actions in the examples.

Kinds and clauses are pinned elsewhere; this also holds texts, measures, places, ledgers, nearest
moves, values and citations, as test_golden_cases does for the golden ones. A rebuilding that
changes no answer changes no hash; a change of ruling writes them anew:
pytest tests/census --census-write --long
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import tapeline as tl
from support.documents import fingerprint, pin_documents, pinned_documents
from support.moving import perturbed
from support.playing import random_match
from support.scenarios import scenes_of
from tapeline.engine.codec import action_document, verdict_document
from tapeline.errors import DocumentError

pytestmark = pytest.mark.compiled

#: Steps played in each scene, actions judged there in short and with --long.
PLAYED = {
    "sovl": (40, 120, 2000),
    "trench-crusade": (40, 60, 2000),
    "mordheim": (20, 30, 600),
    "warmaster": (12, 8, 300),
}


def _judged(scene: dict[str, Any], name: str, steps: int, tries: int) -> list[str]:
    """Offered and perturbed actions of a random match, each with the hash of its verdict.

    The first ones are the same however many are asked for.
    """
    battles = [b for b in random_match(scene, 11, steps).battles if b.pending is None]
    rng, found = Random(f"documents {name}"), list[str]()
    while len(found) < tries:
        battle = rng.choice(battles)
        offers = [json.loads(json.dumps(action_document(a))) for a in battle.offers(rng)]
        for document in rng.sample(offers, min(4, len(offers))):
            for action in (document, perturbed(document, rng, list(battle.state.bodies))):
                found.append(fingerprint(action, _said(battle, action)))
    return found[:tries]


def _said(battle: tl.Battle, action: dict[str, Any]) -> Any:
    try:
        return verdict_document(battle.judge(action))
    except DocumentError as error:
        return [[fault.path, fault.message] for fault in error.faults]


@pytest.mark.parametrize("system", PLAYED)
def test_verdicts_of_random_actions(system: str, request: pytest.FixtureRequest) -> None:
    steps, short, full = PLAYED[system]
    tries = full if request.config.getoption("--long") else short
    found = {name: _judged(scene, name, steps, tries) for name, scene in scenes_of(system).items()}
    if request.config.getoption("--census-write"):
        pin_documents(system, "played", found)
    pinned = pinned_documents(system)["played"]
    assert set(found) == set(pinned)
    for name, hashes in found.items():
        wrong = [
            n
            for n, pair in enumerate(zip(hashes, pinned[name], strict=False))
            if pair[0] != pair[1]
        ]
        assert wrong == [], f"{name}: {len(wrong)} of {len(hashes)} verdicts changed"
