"""What marks, entries of the progress, figures and traits are called, and what they mean."""

from __future__ import annotations

from tapeline.engine.names import Names
from tapeline.rules.sovl.profiles import KEYWORDS, TYPES, WEAPONS

__all__ = ["NAMES"]

NAMES = Names(
    marks={
        "fleeing": "flees",
        "engaged": "is in combat",
        "activated": "has had its activation this turn",
        "charged": "declared a charge this turn",
        "fled": "fled from a charge this turn",
        "rallied": "its Rally of this turn is over",
        "wounds": "wounds carried that have not yet cost a model",
    },
    progress={
        "unit": "id of the active unit; absent between activations",
        "allowance": "what the active unit has left of its allowance, inches",
        "lost": "what Difficult Terrain took of it in this activation, inches",
        "orders": "movement orders carried out in this activation",
        "shot": "the active unit has made its ranged attack",
        "slots": "slots for an ability or a ranged attack used in this activation",
        "passed": "ids of the sides whose pass holds",
        "contacts": "pairs of ids of units brought into contact by Advances of this phase",
        "flown": "ids of the units that have made their Flight Move",
        "zone": "id of the side that has the choice of zone",
    },
    values={
        "allowance_left": "what is left of the allowance, inches",
        "cost": "what the order cost of it, inches",
        "moved": "length really moved, inches",
        "pivots": "how many Pivots the turn counts as",
        "turn": "the number of the turn that begins",
        "distance": "the range of a shot, or the length of a Flight Move that was rolled, inches",
        "hits": "hits of the ranged attack",
        "wounds": "hits that were not saved",
        "long": "whether the range is long",
        "to_hit": "what a die must show to hit",
        "save": "what a die must show to save",
        "casualties": "models lost",
        "models_left": "models left",
        "wounds_carried": "wounds left over that have not yet cost a model",
        "edge": "the edge of the table that a Flight Move makes for",
        "offset": "how far aside the Flight Move begins its straight run, inches",
        "limit": "what the Discipline Test must not exceed",
        "rank_bonus": "what ranks add to Discipline",
        "total": "what the Discipline Test came to",
        "rallied": "whether the unit rallied",
    },
    figures={
        "type": "the unit type, which gives base, allowance, cost of a Pivot and files",
        "skill": "Skill",
        "power": "Power",
        "defense": "Defense",
        "attacks": "Attacks",
        "wounds": "Wounds of a model",
        "discipline": "Discipline",
        "move": "allowance, inches; follows from type and properties",
        "keywords": "its properties",
        "abilities": "its abilities",
        "weapon": "its ranged weapon, empty for none",
        "files": "files of a block that says none",
        "size": "models, least and most",
    },
    traits={
        "difficult": "Difficult Terrain",
        "impassable": "nobody may enter it",
        "opaque": "cannot be seen through",
    },
    words={
        "type": tuple(TYPES),
        "weapon": tuple(WEAPONS),
        "keywords": tuple(KEYWORDS),
    },
)
