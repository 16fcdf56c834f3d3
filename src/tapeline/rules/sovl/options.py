"""Contested readings: the switches, and those decided once."""

from __future__ import annotations

from tapeline.engine.system import OptionSpec

__all__ = ["DECIDED", "OPTIONS"]

OPTIONS = (
    OptionSpec(
        "contact.graze",
        "Does sliding along a side or clipping a corner point end an Advance?",
        {
            "pass": "no; only an overlap deeper than a touch halts",
            "stop": "yes; coming to touch anything ahead halts",
        },
        ("SV-ADV-2",),
    ),
    OptionSpec(
        "contact.strategic",
        "Is contact made by an Advance with an enemy only recorded?",
        {
            "touch": "yes; combat is entered by charging",
            "engage": "no; both units are engaged at once",
        },
        ("SV-ADV-2", "SV-ACT-9"),
    ),
    OptionSpec(
        "pivot.check",
        "Which poses of a Pivot must be clear?",
        {"final": "the end pose of the order", "swept": "every pose of the turn"},
        ("SV-PIV-6", "SV-TER-3"),
    ),
    OptionSpec(
        "terrain.penalty",
        "What counts as an entry into Difficult Terrain?",
        {
            "per_feature": "every feature come into",
            "out_to_in": "coming into one while clear of all others",
            "once": "at most one loss in an activation, its start included",
        },
        ("SV-TER-3", "SV-TER-4"),
    ),
    OptionSpec(
        "range.measure",
        "Between which points is range measured?",
        {
            "front_to_nearest": "from the front centre to the nearest point of the target",
            "edge_to_edge": "the least distance between the two footprints",
        },
        ("SV-RNG-1", "SV-HIT-5"),
    ),
    OptionSpec(
        "los.arc",
        "Where does the front arc begin?",
        {
            "corner45": "45 degrees outward from each front corner",
            "centre45": "45 degrees either way from the front centre",
        },
        ("SV-LOS-1",),
    ),
    OptionSpec(
        "los.units_block",
        "Do units between cut sight?",
        {"false": "no; only terrain does", "true": "yes, friend and enemy alike"},
        ("SV-LOS-2",),
    ),
    OptionSpec(
        "flight.avoid",
        "What does a Flight Move do about obstacles in its way?",
        {
            "detour": "takes the straight line nearest to the shortest that is clear",
            "stop": "runs straight at the edge and ends at contact",
        },
        ("SV-FLEE-3",),
    ),
    OptionSpec(
        "phase.pass",
        "Does a pass hold for the whole phase?",
        {
            "final": "yes",
            "consecutive": "no; two passes in a row end the phase, a passer may come back",
        },
        ("SV-ACT-7",),
    ),
)

#: Readings built once: name, the value built, why.
DECIDED = (
    ("activation.scope", "turn", "both sources say 'this turn' (SV-ACT-5)"),
    ("engaged.strategic", "locked", "nothing says an engaged unit may act (SV-ACT-9)"),
    ("advance.judge", "moved", "the cost counts inches moved, so does the limit (SV-SEQ-2)"),
    ("table_edge", "wall", "only a Flight Move is said to leave the table (SV-ADV-4)"),
    ("pivot.merge", "per_order", "the price is for each pivot made (SV-PIV-3)"),
    ("pivot.max", "180", "a larger turn is shorter the other way (SV-PIV-2)"),
    ("terrain.in", "any_area", "the same test as for contact (SV-TER-2)"),
    ("terrain.start", "once", "starting is one event (SV-TER-2)"),
    ("terrain.too_short", "reject", "the source words a ban (SV-TER-4)"),
    ("terrain.rule", "two_points", "the source's figure (SV-TER-2)"),
    ("los.target", "any_point", "part of the target is enough (SV-LOS-1)"),
    ("los.own_feature", "see_out", "sources speak only of hiding behind (SV-LOS-2)"),
    ("shoot.into_combat", "allow", "not forbidden (SV-SHOOT-4)"),
    ("tohit.clamp", "2_6", "saves run from 2 to 6 as well (SV-HIT-6)"),
    ("cover", "ignore", "no page defines it (SV-HIT-2)"),
    ("casualty.reform", "rear", "models leave the rear rank (SV-SHOOT-6)"),
    ("discipline.rank", "stat_3plus", "the newest page (SV-DISC-2)"),
    ("flight.edge", "centre", "turning leaves the centre alone (SV-FLEE-2)"),
    ("flight.tie", "owner", "owners move their own units (SV-FLEE-2)"),
    ("flight.turn", "face", "forward is the only way a unit goes (SV-FLEE-3)"),
    ("flight.dice_base", "type", "the type table before properties (SV-FLEE-3)"),
    ("flight.obstacles", "units+impassable", "Difficult Terrain taxes an allowance (SV-FLEE-3)"),
    ("flight.order", "alternate", "as activations do (SV-FLEE-1)"),
    ("flight.border", "reached", "a border slid along is not one the run reaches (SV-FLEE-4)"),
    ("initiative.last", "comes_back", "it stays with the last who acts (SV-ACT-6)"),
    ("outside", "Charge and Combat Phase", "this system referees the Strategic Phase (SV-ACT-8)"),
)
