"""Every number of Mordheim that movement needs, with its unit and its clause."""

from __future__ import annotations

__all__ = [
    "ALWAYS_FAILS",
    "BARRIER_IN",
    "BREAK_FRIEND_IN",
    "CONTACT_RISE_IN",
    "CORRIDOR_IN",
    "CRAWL_IN",
    "CROUCH_FACTOR",
    "D3_FACES",
    "DIFFICULT_FACTOR",
    "DIVE_IN",
    "DIVE_MIN_IN",
    "EDGE_IN",
    "EDGE_MIN_DROP_IN",
    "FALL_STRENGTH_MAX",
    "FLEE_DICE",
    "GAP_IN",
    "GAP_RISE_IN",
    "HEAVY_LOAD_IN",
    "HIDE_FEATURE_IN",
    "INJURY_OUT",
    "INJURY_STUNNED",
    "JUMP_DOWN_IN",
    "JUMP_TEST_IN",
    "LARGE_HEIGHT_IN",
    "LEADERSHIP_DICE",
    "MAN_HEIGHT_IN",
    "RUN_BAN_IN",
    "RUN_FACTOR",
    "SPRINT_FACTOR",
    "STOOD_UP_FACTOR",
    "STUMBLE_FACTOR",
    "STUMBLE_GAP_IN",
    "STUMBLE_MOVES",
    "UNSEEN_CHARGE_IN",
    "VERY_DIFFICULT_FACTOR",
    "WOUND_CHART",
]

#: Inches. A counting enemy this near bars running, MH-RUN-3.
RUN_BAN_IN = 8.0
#: Movement multiplied, running and charging, MH-RUN-1 and MH-CHG-6; with Sprint, MH-SKILL-1.
RUN_FACTOR = 2.0
SPRINT_FACTOR = 3.0
#: Inches. How near an unseen enemy must be to be charged, MH-CHG-4.
UNSEEN_CHARGE_IN = 4.0
#: Inches to each side of the route of a charge, MH-CHG-10.
CORRIDOR_IN = 2.0
#: Inches. Bases in contact differ in height by less, 3.1.
CONTACT_RISE_IN = 1.0
#: Inches. Lower barriers are leapt, MH-TER-6.
BARRIER_IN = 1.0
#: Factors on length, MH-TER-3 and -4.
DIFFICULT_FACTOR = 2.0
VERY_DIFFICULT_FACTOR = 4.0
#: Inches. How near its feature a hiding model stands, 3.8.
HIDE_FEATURE_IN = 1.0
#: Share of its height that a hidden model shows, 3.5.
CROUCH_FACTOR = 0.5
#: Inches. Height of a man-sized model, section 3; of a large one, case C133.
MAN_HEIGHT_IN = 1.25
LARGE_HEIGHT_IN = 2.0
#: Inches. Highest jump down, MH-JUMP-1 and MH-DIVE-3; one test for each so many, MH-JUMP-2.
JUMP_DOWN_IN = 6.0
JUMP_TEST_IN = 2.0
#: Inches. Target to landing of a diving charge, MH-DIVE-2; lowest drop that is a dive, 3.10.
DIVE_IN = 2.0
DIVE_MIN_IN = 2.0
#: Inches. Widest gap jumped, MH-GAP-1; rise or drop of the far side that counts, 3.11.
GAP_IN = 3.0
GAP_RISE_IN = 1.0
#: Inches. A model put down this near an edge may slip, MH-EDGE-1; lowest drop of an edge, 3.12.
EDGE_IN = 1.0
EDGE_MIN_DROP_IN = 1.0
#: The greatest Strength of a fall, 3.13.
FALL_STRENGTH_MAX = 10
#: The face that fails every characteristic test, MH-TEST-1.
ALWAYS_FAILS = 6
#: Faces of a D6 per point of a D3, MH-DICE-1.
D3_FACES = 2
#: What a D6 must show to wound, by Strength minus Toughness, MH-WND-1; lower differences never do.
WOUND_CHART = {2: 2, 1: 3, 0: 4, -1: 5, -2: 6, -3: 6}
#: Faces from which an injury is stunned and out of action, MH-INJ-1.
INJURY_STUNNED = 3
INJURY_OUT = 5
#: Inches a knocked down model crawls, MH-KD-1; factor on Movement after standing up, MH-KD-2.
CRAWL_IN = 2.0
STOOD_UP_FACTOR = 0.5
#: Dice of a Leadership test, MH-TEST-2, and of a flight in inches, MH-FLEE-1 to -3.
LEADERSHIP_DICE = 2
FLEE_DICE = 2
#: Inches. A friend this near keeps a lone model from the break test, MH-FLEE-1.
BREAK_FRIEND_IN = 6.0
#: Stupidity, MH-PSY-3: highest face that stumbles on, factor on Movement, inches kept from enemies.
STUMBLE_MOVES = 3
STUMBLE_FACTOR = 0.5
STUMBLE_GAP_IN = 1.0
#: Inches of Movement that heavy armour with a shield takes, MH-ARM-1.
HEAVY_LOAD_IN = 1.0
