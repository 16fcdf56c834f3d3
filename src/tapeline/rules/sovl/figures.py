"""The rule book and every number, with its unit and its clause. Types, weapons: profiles.toml."""

from __future__ import annotations

from typing import Final

from tapeline.engine.clauses import RuleBook

__all__ = [
    "ARC_DEG",
    "BOOK",
    "DETOUR_MOST_DEG",
    "DETOUR_STEP_DEG",
    "DIFFICULT_LOSS_IN",
    "FLIGHT_IN_PER_DIE",
    "FLYING_MOVE_IN",
    "HIT_BASE",
    "HIT_BEST",
    "HIT_WORST",
    "LONG_RANGE_SHARE",
    "MOVE_CHANGE_IN",
    "PIVOT_DEG",
    "PIVOT_ORDER_MOST_DEG",
    "RALLY_DICE",
    "RANK_MODELS",
    "REPOSITION_IN",
    "SAVE_BASE",
    "SAVE_WIDE_GAP",
    "SHIELD_DEFENSE",
]


#: One pivot covers at most this much (SV-PIV-2), degrees.
PIVOT_DEG: Final = 45.0
#: The largest turn of one order (SV-PIV-2), degrees: a larger one is shorter the other way.
PIVOT_ORDER_MOST_DEG: Final = 180.0
#: Allowance lost at the start in or on entering Difficult Terrain, and the least that must be
#: left to enter (SV-TER-2..4), inches.
DIFFICULT_LOSS_IN: Final = 2.0
#: What a property adds to the allowance (SV-PROP-1), inches. Sturdy lifts Heavy Armor's loss.
MOVE_CHANGE_IN: Final = {"Heavy Armor": -1.0, "Sturdy": -1.0, "Swift": 1.0, "Reanimated": -1.0}
#: The allowance of a flyer (SV-PROP-3), inches.
FLYING_MOVE_IN: Final = 20.0
#: What the ability Reposition adds this turn (war machines, SV-ABL-1), inches.
REPOSITION_IN: Final = 6.0
#: The front arc opens this far outward from each front corner (SV-LOS-1), degrees.
ARC_DEG: Final = 45.0
#: A target beyond this share of the range is at Long Range (SV-HIT-5).
LONG_RANGE_SHARE: Final = 0.5
#: To hit: this less Skill, so that Skill 3 hits on 4 (SV-HIT-2..4).
HIT_BASE: Final = 7
#: A 1 always misses and a 6 always hits (SV-HIT-6).
HIT_BEST: Final = 2
HIT_WORST: Final = 6
#: The save of equal Power and Defense (SV-SAVE-1).
SAVE_BASE: Final = 4
#: From this difference on a save is 2 better or worse than the base instead of 1 (SV-SAVE-1).
SAVE_WIDE_GAP: Final = 3
#: What the property Shield adds to Defense (unit lists).
SHIELD_DEFENSE: Final = 1
#: Dice of a Discipline Test (SV-DISC-1).
RALLY_DICE: Final = 2
#: A rank of this many models counts for the Rank Bonus (SV-DISC-2).
RANK_MODELS: Final = 3
#: A Flight Move has one die for each whole such part of the base allowance (SV-FLEE-3), inches.
FLIGHT_IN_PER_DIE: Final = 4.0
#: Bearings tried on a Flight Move, step and largest (SV-FLEE-3), degrees.
DETOUR_STEP_DEG: Final = 1
DETOUR_MOST_DEG: Final = 89


BOOK = RuleBook("SV")
