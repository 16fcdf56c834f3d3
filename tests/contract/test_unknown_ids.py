"""An id that nothing on the table has: the error names the field of the action that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from support.scenarios import EXAMPLES, golden_cases, scene_of
from tapeline.errors import UnknownIdError
from tapeline.play.battle import load
from tapeline.play.systems import system_names

NOBODY = "nobody"

#: Fields of an action that hold ids.
FIELDS = ("actor", "target", "targets", "units", "shooter", "burst", "character", "join", "side")
#: What is told as a verdict: that nothing is measured or struck yet, whoever it be; that it is
#: nobody to be burst through.
VERDICTS: dict[str, set[str]] = {
    "mordheim": {"measure.actor", "measure.target", "strike.target"},
    "sovl": set(),
    "trench-crusade": set(),
    "warmaster": {"evade.burst"},
}


def _asked(name: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Kind and field, scene and action: each field once, of the golden cases of a system."""
    known = set()
    for _, case in golden_cases():
        if case["scene"]["system"] != name:
            continue
        for step in case["steps"]:
            action = step.get("action", {})
            for field in FIELDS:
                what = f"{action.get('kind')}.{field}"
                if action.get(field) and what not in known:
                    known.add(what)
                    ids = action[field]
                    changed = NOBODY if isinstance(ids, str) else [*ids[:-1], NOBODY]
                    yield what, scene_of(case), {**action, field: changed}


@pytest.mark.parametrize("name", system_names())
def test_an_unknown_id_is_told_with_its_field(name: str) -> None:
    kinds, verdicts = set(), set()
    for what, scene, action in _asked(name):
        kind, field = what.split(".")
        kinds.add(kind)
        battle = load(scene)
        told = None
        try:
            battle.judge(action, nearest=False)
            verdicts.add(what)
        except UnknownIdError as error:
            told = str(error)
        assert told is None or (f"  {field}: " in told and repr(NOBODY) in told), what
    assert verdicts == VERDICTS[name]
    named = {
        kind
        for kind, action in battle.system.actions.items()
        if not {one.name for one in fields(action)}.isdisjoint(FIELDS)
    }
    assert named <= kinds | {"pick_up"}


def test_a_shot_that_misses_is_at_somebody_too() -> None:
    battle, _ = load(EXAMPLES / "trench-well.json").play({"kind": "activate", "actor": "red-1"})
    shot = {"kind": "shoot", "actor": "red-1", "weapon": "rifle", "result": "miss"}
    assert battle.judge(shot).legal
    with pytest.raises(UnknownIdError, match=f"target: .*{NOBODY}"):
        battle.judge({**shot, "target": NOBODY})
