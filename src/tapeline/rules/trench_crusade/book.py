"""The clauses of Trench Crusade, every number in them, and their contested readings."""

from __future__ import annotations

from tapeline.engine.clauses import RuleBook
from tapeline.engine.system import OptionSpec

__all__ = [
    "ARMOUR_FLOOR",
    "BLOODBATH_BLOOD",
    "BLOODBATH_BLOOD_DOWN",
    "BLOODBATH_DICE",
    "BOOK",
    "CHARGE_CAP_IN",
    "CHARGE_RANGE_IN",
    "CRITICAL_TOTAL",
    "DECIDED",
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
    "OPTIONS",
    "OUT_TOTAL",
    "SMALL_BASE_MM",
    "SMALL_HEIGHT_IN",
    "STOOD_UP_FACTOR",
    "SUCCESS_DICE",
    "SUCCESS_TOTAL",
    "TRENCH_WALL_IN",
]


BOOK = RuleBook("TC")


#: The switches, each with its default first.
OPTIONS = (
    OptionSpec(
        "edge_overhang",
        "May part of a base hang over the edge of the table?",
        {
            "none": "the whole base stays on the table",
            "under_half": "less than half the base may hang over",
        },
        ("TC-MOVE-6", "TC-MOVE-11"),
    ),
    OptionSpec(
        "terrain_in",
        "When is a base in a piece of terrain?",
        {
            "centre": "when its centre is inside the outline",
            "half_area": "when more than half of its area is inside the outline",
        },
        ("TC-TER-2", "TC-TER-3", "TC-TER-4", "TC-TER-6"),
    ),
    OptionSpec(
        "interpose_route",
        "May a charger plan a longer way round an interposing enemy?",
        {
            "direct": "no: the route is the shortest straight at the target",
            "avoid": "yes: the route keeps more than 1 inch from other enemies on the way",
        },
        ("TC-CHG-3", "TC-CHG-8"),
    ),
    OptionSpec(
        "charge_extent",
        "May a charger stop early of its own will?",
        {
            "full": "no: it goes on until contact or until the allowance is spent",
            "upto": "yes, at any point of its route",
        },
        ("TC-CHG-7", "TC-CHG-10"),
    ),
    OptionSpec(
        "charge_from_within_1",
        "May a model within 1 inch of an enemy Charge?",
        {
            "forbid": "no",
            "allow": "yes, at an enemy within 1 inch, keeping within 1 inch of them all",
        },
        ("TC-ACT-8", "TC-MOVE-8"),
    ),
    OptionSpec(
        "retreat_direction",
        "Where may a retreat go?",
        {
            "any": "anywhere",
            "directly_away": "on one straight leg away from the enemies within 1 inch",
        },
        ("TC-RET-5",),
    ),
    OptionSpec(
        "diving_charge",
        "What is rolled in a diving charge?",
        {
            "risky_v102": "a Risky Success Roll: Down and the falling Injury Roll if it fails",
            "injury_v101": "the falling Injury Roll: Down or Out of Action ends the move",
        },
        ("TC-FALL-2",),
    ),
    OptionSpec(
        "los_mode",
        "Who settles what is visible?",
        {
            "volumes": "the referee, with models as upright cylinders",
            "attested": "the players; a target is visible unless an action says it is not",
        },
        ("TC-CHG-2", "TC-MEL-1"),
    ),
    OptionSpec(
        "models_block_los",
        "Do other models hide a target?",
        {"no": "no", "yes": "yes, as terrain does"},
        ("TC-CHG-2", "TC-MEL-1"),
    ),
)

#: Readings decided once: name, value built, reason.
DECIDED = (
    ("charge_route_metric", "length", "Difficult ground is not among the hazards one may avoid."),
    ("declare_refused_cost", "nothing", "Measuring is free beforehand."),
    ("charge_no_route", "reject", "Nothing leads to a target that cannot be reached."),
    ("slide_gain", "any_other", "The text asks for any other enemy at the finish."),
    ("cap_and_halve", "cap_then_halve", "The cap belongs to the Charge Bonus, the half to all."),
    ("retreat_reentry", "forbid", "Coming back in is coming within 1 inch without charging."),
    ("retreat_attack_kind", "single_attack", "One Melee Attack with one weapon."),
    ("retreat_after_down", "continue", "The permission is each enemy's and precedes the move."),
    ("down_enemy_attacks", "yes", "Nothing takes the attack from an enemy that is Down."),
    ("low_obstacle_cost", "flat", "Obstacles that count as Open carry no price."),
    ("trench_wall_3in", "open", "A trench wall of exactly 3 inches is Open."),
    ("climb_step", "free", "As the landing of a Jump: setting the base down on the ledge is free."),
    ("jumpdown_step", "counted", "Only the drop is called free."),
    ("jump_up_limit", "distance", "The added height counts against the allowance alone."),
    (
        "fly_clearance",
        "volume",
        "A flyer keeps 1 inch from the whole body of an enemy; bases hold.",
    ),
    (
        "ledge_walked_off",
        "TC-TER-7",
        "More than a step up or down is not walked, but climbed or jumped.",
    ),
    ("stop_off_route", "TC-CHG-7", "A stop says how far along the route; which route is TC-CHG-8."),
    ("bloodbath_dice", "keep_three", "INJURY DICE add to the 3D6 as to 2D6; three of them count."),
    (
        "small_bases_and_dash",
        "free",
        "A Dash is carried out as a Move, which small bases do not hold.",
    ),
    (
        "failed_dive_marker",
        "none",
        "Down and the Injury Roll are told apart; only the roll places blood.",
    ),
)


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
