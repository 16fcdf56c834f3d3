"""Every number of Trench Crusade that movement needs, with its unit and its clause."""

from __future__ import annotations

__all__ = [
    "ARMOUR_FLOOR",
    "BLOODBATH_BLOOD",
    "BLOODBATH_BLOOD_DOWN",
    "BLOODBATH_DICE",
    "CHARGE_CAP_IN",
    "CHARGE_RANGE_IN",
    "CRITICAL_TOTAL",
    "DIFFICULT_FACTOR",
    "DOWN_DICE",
    "DOWN_TOTAL",
    "FALL_IN",
    "INJURY_DICE",
    "JUMP_SHARE",
    "LARGE_HEIGHT_IN",
    "LEDGE_NEAR_IN",
    "LOW_OBSTACLE_IN",
    "MARKERS_MAX",
    "MINOR_TOTAL",
    "NEAR_IN",
    "OUT_TOTAL",
    "SMALL_BASE_MM",
    "SMALL_HEIGHT_IN",
    "STOOD_UP_FACTOR",
    "SUCCESS_DICE",
    "SUCCESS_TOTAL",
    "TRENCH_WALL_IN",
]

#: Inches. The gap of TC-MOVE-7 and -8, TC-CHG-12, TC-RET-1 and -5, TC-ACT-8, TC-MEL-1.
NEAR_IN = 1.0
#: Inches. How far a charge target may be, TC-CHG-2.
CHARGE_RANGE_IN = 12.0
#: Inches. Most a charge allowance may be, TC-CHG-5.
CHARGE_CAP_IN = 12.0
#: Factor on Movement after standing up, TC-DOWN-3.
STOOD_UP_FACTOR = 0.5
#: Factor on length over Difficult ground, TC-TER-2.
DIFFICULT_FACTOR = 2.0
#: Inches. Highest obstacle that counts as Open, TC-TER-7.
LOW_OBSTACLE_IN = 1.0
#: Inches. Highest trench wall that counts as Open, TC-TER-7.
TRENCH_WALL_IN = 3.0
#: Dice of a Success Roll and totals from which it succeeds or is critical, TC-ROLL-1.
SUCCESS_DICE = 2
SUCCESS_TOTAL = 7
CRITICAL_TOTAL = 12
#: Markers of each kind that a model can have, TC-ROLL-3.
MARKERS_MAX = 6
#: DICE a Down model loses on Success Rolls, TC-DOWN-2.
DOWN_DICE = -1
#: Dice of an Injury Roll and totals from which it is a Minor Hit, Down, Out of Action, TC-INJ-1.
INJURY_DICE = 2
MINOR_TOTAL = 2
DOWN_TOTAL = 7
OUT_TOTAL = 9
#: Lowest total of INJURY MODIFIERs, TC-INJ-1.
ARMOUR_FLOOR = -3
#: Markers that buy a Bloodbath, and its dice, TC-INJ-3.
BLOODBATH_BLOOD = 6
BLOODBATH_BLOOD_DOWN = 3
BLOODBATH_DICE = 3
#: Heights of models for sight, inches, by the size of the base, reading G-12.
SMALL_BASE_MM = 32.0
SMALL_HEIGHT_IN = 1.5
LARGE_HEIGHT_IN = 2.0
#: Share of the Movement Characteristic that the width of a jumped gap may be, TC-JMP-1.
JUMP_SHARE = 0.5
#: Inches. Drop from which a fall hurts, and for each full one +1 INJURY DICE, TC-FALL-1.
FALL_IN = 3.0
#: Inches. How near a ledge a model is that may go over it when taken Down, TC-DOWN-4.
LEDGE_NEAR_IN = 1.0
