"""Contested readings of Trench Crusade: the switches, and what was decided once."""

from __future__ import annotations

from tapeline.engine.system import OptionSpec

__all__ = ["DECIDED", "OPTIONS"]

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
    ("fly_clearance", "volume", "A flyer keeps 1 inch from the whole body of an enemy."),
)
