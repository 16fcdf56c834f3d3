"""Every number and every contested reading of Mordheim, and the book of its clauses."""

from __future__ import annotations

from tapeline.engine.clauses import RuleBook
from tapeline.engine.system import OptionSpec

__all__ = [
    "ALWAYS_FAILS",
    "BARRIER_IN",
    "BESIDE_IN",
    "BOOK",
    "BREAK_FRIEND_IN",
    "CONTACT_RISE_IN",
    "CORRIDOR_IN",
    "CRAWL_IN",
    "CROUCH_FACTOR",
    "D3_FACES",
    "DECIDED",
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
    "OPTIONS",
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


BOOK = RuleBook("MH")


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
#: Inches. What a base passes as near as this bore on its way, MH-MOVE-5; bars nothing.
BESIDE_IN = 0.25
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


#: The switches, each with its default first.
OPTIONS = (
    OptionSpec(
        "distance_mode",
        "How is the distance between models at different heights measured?",
        {"base3d": "from base to base through the air", "plan2d": "on the plan, heights left out"},
        ("MH-RUN-3", "MH-CHG-4", "MH-CHG-10", "MH-HIDE-10", "MH-HIDE-11"),
    ),
    OptionSpec(
        "difficult_mode",
        "What does slow ground slow?",
        {
            "weighted": "the length walked over it",
            "whole_move": "the whole move, by the worst ground met",
        },
        ("MH-TER-3", "MH-TER-4"),
    ),
    OptionSpec(
        "intercept_from",
        "From what are the 2 inches beside the route of a charge measured?",
        {
            "centre_line": "from the line the centre of the base follows",
            "swept_base": "from the base on its way",
        },
        ("MH-CHG-10",),
    ),
    OptionSpec(
        "intercept_caps",
        "Do the ends of the route count?",
        {
            "flat": "no: only what lies beside the route",
            "round": "yes: all within 2 inches of any point of it",
        },
        ("MH-CHG-10",),
    ),
    OptionSpec(
        "intercept_exclude",
        "Which enemies do not intercept, besides those in a fight?",
        {
            "four_states": "stunned, knocked down, fleeing and hidden ones",
            "none": "none: every other enemy does",
        },
        ("MH-CHG-10",),
    ),
    OptionSpec(
        "intercept_mode",
        "What comes of an enemy beside the route?",
        {
            "forbid": "the charge is not allowed",
            "opponent_choice": "its owner may set one of them in the way",
        },
        ("MH-CHG-10", "MH-CHG-15"),
    ),
    OptionSpec(
        "climb_in_charge",
        "May the route of a charge hold climbs?",
        {"no": "no: nobody climbs at a run", "yes": "yes, with the test of each climb"},
        ("MH-CHG-6", "MH-CLIMB-4"),
    ),
    OptionSpec(
        "hide_cover",
        "How well must a hiding model be covered?",
        {
            "unseen": "no enemy sees it crouched",
            "touching_cover": "it touches the feature; it is seen when somebody moves into view",
        },
        ("MH-HIDE-1", "MH-HIDE-4"),
    ),
    OptionSpec(
        "low_limit",
        "Is a barrier of exactly 1 inch leapt?",
        {"lt": "no: only lower ones", "le": "yes"},
        ("MH-TER-6",),
    ),
    OptionSpec(
        "models_block_sight",
        "Do other models hide a target?",
        {"no": "no", "yes": "yes, as solids do"},
        ("MH-CHG-3", "MH-HIDE-1", "MH-LOS-1"),
    ),
    OptionSpec(
        "pass_through",
        "May a model cross the bases of its friends?",
        {"none": "no", "friends": "yes, ending clear of them"},
        ("MH-MOVE-5",),
    ),
)


#: Readings decided once: name, value built, reason.
DECIDED = (
    ("difficult_by", "centre", "Length is measured at the centre for bases of every size."),
    ("direct_route", "shortest_length", "Most direct speaks of the way, not of its cost."),
    ("intercept_when", "at_move", "An enemy whom an earlier charger engaged is in a fight."),
    ("blocked_charge", "release", "The charge never took place; the model moves normally."),
    ("unseen_over_4", "refuse", "A line or the test within 4 inches are the grounds of a charge."),
    ("failed_charge_hazard", "stop", "Jumping is the warrior's choice."),
    ("flee_hazard", "stop", "Jumping is the warrior's choice."),
    ("hide_feature_within", "1", "A convention: beside the feature."),
    ("hide_crouch", "0.5", "A convention: half the height of the model."),
    ("kd_can_hide", "true", "Knocked down models are not among those that may not hide."),
    ("detectors", "all_but_stunned", "A stunned model can do nothing."),
    ("climb_limit", "allowance", "Half rate halves the climb too."),
    ("stop_on_ladder", "true", "A ladder is open ground."),
    ("animals_ladder", "true", "Only climbing bars animals."),
    ("jump_shift", "free", "The worked example of the jump pays nothing sideways."),
    ("dive_min_height", "2", "The bonus is tied to passing tests."),
    ("failed_dive_is_failed_charge", "true", "It was declared as a charge and fell short."),
    ("fallen_can_shoot", "true", "A fall bars only moving and hiding."),
    ("gap_over_3", "falls", "Refusing would give the measure away."),
    ("gap_fall_place", "takeoff", "A fall is placed at the foot of where it began."),
    ("fall_strength", "floor", "Full inches, as elsewhere."),
    ("support", "centre", "Bases overhang ledges in play."),
    ("edge_min_drop", "1", "Lower steps are leapt."),
    ("run_snapshot", "after_declarations", "The text fixes the moment of the check."),
    ("multi_partial", "first_only", "The target named first was charged in its own right."),
)
