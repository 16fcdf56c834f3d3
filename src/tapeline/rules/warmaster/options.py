"""Contested readings: the switches, and those decided once."""

from __future__ import annotations

from tapeline.engine.system import OptionSpec

__all__ = ["DECIDED", "OPTIONS"]

OPTIONS = (
    OptionSpec(
        "dist_metric",
        "How is the distance of a corner measured?",
        {
            "straight": "on each leg in a straight line from where it starts to where it ends",
            "arc": "along the way that it follows",
        },
        ("WM-STAND-6",),
    ),
    OptionSpec(
        "column_joint",
        "Which contacts join two stands of a column?",
        {
            "strict": "edge to edge, or corner to corner on one side",
            "any_point": "any contact of a rear edge with the front edge behind it",
        },
        ("WM-FORM-3",),
    ),
    OptionSpec(
        "gap_test",
        "When does a stand break the rule of gaps?",
        {
            "enter": "when it comes into the narrow place",
            "cross": "when it goes in and ends on the other side",
        },
        ("WM-GAP-2",),
    ),
    OptionSpec(
        "gap_feature",
        "Which features bound a gap beside an enemy?",
        {
            "impassable_to_mover": "those the mover may not enter",
            "any": "every feature",
        },
        ("WM-GAP-2",),
    ),
    OptionSpec(
        "river",
        "Who may enter a deep river?",
        {"deep_blocks_all": "nobody", "infantry_cross": "infantry"},
        ("WM-TER-8", "WM-TER-14"),
    ),
    OptionSpec(
        "dense_access",
        "Who may enter villages and broken or marshy ground?",
        {"infantry_only": "infantry", "public_all": "everybody"},
        ("WM-TER-2", "WM-TER-14"),
    ),
    OptionSpec(
        "fort_ignore",
        "When is an enemy unit in fortified positions, so that it may be left out of account?",
        {"all_stands": "when all its stands are", "any_stand": "when any stand is"},
        ("WM-INIT-11",),
    ),
    OptionSpec(
        "init_close",
        "What ends moves by initiative?",
        {
            "first_attempt": "the first attempt to give an order",
            "first_success": "the first order given",
        },
        ("WM-INIT-3",),
    ),
    OptionSpec(
        "failed_order",
        "What may a unit do whose first order of the turn fails?",
        {"half_pace": "move at half pace, without charging", "none": "nothing"},
        ("WM-PACE-11", "WM-CMD-5"),
    ),
)

#: Readings built once: the question, what is built, why.
DECIDED = (
    (
        "formation",
        "A unit is in formation when its stands hang together by contact.",
        "one body is meant; touching one other differs only for four stands and more",
    ),
    (
        "line",
        "Stands of a line share whole side edges.",
        "it is straight and the stands are butted",
    ),
    ("column bend", "A column bends by at most 90 degrees at a joint.", "a road bend at most"),
    (
        "order of stands",
        "Each stand after the first touches one already placed.",
        "stands are moved into formation one by one",
    ),
    (
        "on unmoved stands",
        "A stand may end on a stand of its unit that is still to move.",
        "only moved and engaged stands are named as barred",
    ),
    (
        "enemy contact",
        "Only a charge touches an enemy stand, at any time of the move.",
        "touching an enemy is a charge",
    ),
    (
        "own stands at gaps",
        "A moved or engaged stand of the own unit bounds a gap as another unit's does.",
        "it bars the way as they do",
    ),
    ("table edge at gaps", "The table edge bounds no gap.", "the edge is no feature"),
    (
        "gaps in a charge",
        "Only gaps beside units that the charge ends in contact with are waived.",
        "the exemption is for charging those stands",
    ),
    (
        "distance of visible units",
        "The closest enemy is told by the whole unit.",
        "the rule speaks of units",
    ),
    (
        "round a barrier",
        "A barrier counts when contact round it would take more than a full-pace move.",
        "it can be decided exactly",
    ),
    ("evade", "The centre of the first stand runs straight.", "it is unique"),
    ("clear of enemies", "Evades end 5 cm away.", "a variant text has 1"),
    (
        "leaving in a chosen move",
        "A chosen move may not leave the table.",
        "only forced exits are listed",
    ),
    (
        "point of return",
        "A unit returns where it last stood wholly on the table.",
        "the same point that it left",
    ),
    (
        "point of return taken",
        "It shifts along the edge by the least distance that clears.",
        "the return is not put off",
    ),
    ("command distance", "Exactly 20, 40, 60 cm count to the nearer band.", "by the table"),
    (
        "irregular flyers",
        "A charge from irregular formation is at half pace.",
        "the special rule wins",
    ),
)
