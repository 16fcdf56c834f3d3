"""Contested readings of Mordheim: the switches, and what was decided once."""

from __future__ import annotations

from tapeline.engine.system import OptionSpec

__all__ = ["DECIDED", "OPTIONS"]

#: The switches, each with its default first.
OPTIONS = (
    OptionSpec(
        "distance_mode",
        "How is the distance between models at different heights measured?",
        {
            "base3d": "from base to base through the air",
            "plan2d": "on the plan, heights left out",
        },
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
