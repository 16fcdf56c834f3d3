"""Lessons: how far a match has come with the steps of its scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapeline.engine.system import System
from tapeline.play.battle import Battle
from tapeline.play.conditions import part
from tapeline.play.entries import Entry
from tapeline.play.match import Match
from tapeline.table.json_documents import validate
from tapeline.table.lesson import LessonDoc, LessonStepDoc

__all__ = ["lesson_of", "steps_done"]


def lesson_of(scene: Mapping[str, Any]) -> LessonDoc | None:
    """The lesson of a scene document, None if it is none. Raises DocumentError."""
    found = scene.get("lesson")
    return None if found is None else validate(LessonDoc, found, "lesson")


def steps_done(match: Match) -> int:
    """How many steps of its lesson are over; each must be done after the one before it."""
    lesson = lesson_of(match.scene)
    steps = [] if lesson is None else lesson.steps
    at, acted = 0, False
    for number in match.counting():
        entry, battle = match.entries[number - 1], match.battles[number]
        acted = acted or (at < len(steps) and _acts(entry, steps[at]))
        while at < len(steps) and battle.pending is None and _over(battle, steps[at], acted):
            at, acted = at + 1, False
    return at


def _acts(entry: Entry, step: LessonStepDoc) -> bool:
    action = entry.action or {}
    return action.get("kind") == step.done and (not step.who or action.get("actor") in step.who)


def _over(battle: Battle, step: LessonStepDoc, acted: bool) -> bool:
    system: System = battle.system
    done = acted or not step.done
    return done and all(part(system, battle.state, one).met for one in step.until)
