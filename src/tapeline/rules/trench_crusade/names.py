"""What marks, figures, traits and legs are called and mean, and how marks show on the board."""

from __future__ import annotations

from tapeline.engine.names import Names
from tapeline.engine.system import Looks
from tapeline.rules.trench_crusade.state import weapons

__all__ = ["BADGES", "NAMES"]


NAMES = Names(
    values={
        "total": "what the last Success Roll came to",
        "moved": "length really moved, inches",
        "cost": "what that cost of the allowance, inches",
        "allowance_left": "what is left of the allowance, inches",
        "charge_bonus": "the Charge Bonus rolled, inches",
        "allowance": "how far the charge may go in all, inches",
        "slid": "length moved on in contact with the target, inches",
        "gap": "distance from the charger to its target at the end, base to base, inches",
        "target": "id of the target of the charge",
        "injury": "what the last Injury Roll came to",
    },
    figures={
        "movement": "Movement, inches",
        "flying": "moves through the air",
        "melee_dice": "+ or - DICE on its Melee Attacks",
        "armour": "added to Injury Rolls against it, 0 to -3",
        "height": "height for sight, inches; 0: from its base",
        "keywords": "its keywords",
        "weapons": "its weapons; none listed: one plain melee weapon",
        "dash_dice": "+ or - DICE on the Risky Success Roll of a Dash",
        "climb_dice": "+ or - DICE on its Climbs",
        "jump_dice": "+ or - DICE on its Jumps",
        "dive_dice": "+ or - DICE on its diving charges",
        "charge_dice": "dice thrown for the Charge Bonus, the best counts",
        "stands_unhindered": "its Movement is not halved when it stands up",
        "pins_base_mm": "Down enemies within 1 inch on bases up to this cannot stand up, mm",
        "retreat_guard_base_mm": "enemies on bases up to this may not attack its retreat, mm",
    },
    traits={
        "cover": "gives cover",
        "dangerous": "entering it takes a Risky Success Roll",
        "difficult": "each inch across it costs 2",
        "impassable": "nobody may enter it",
        "opaque": "cannot be seen through up to its height",
        "trench": "Open for movement up to 3 inches",
        "solid": "stands in the way up to its height",
        "standable": "its top is stood on",
        "unclimbable": "its sides cannot be climbed",
    },
    legs={
        "walk": "on whatever carries the base, stairs, ladders and ropes included",
        "climb": "up or down a sheer surface, to its end",
        "drop": "Jump Down from a ledge",
        "jump": "over a gap",
        "fly": "through the air (FLYING models), to the height of its end",
    },
    words={"weapons": tuple(weapons())},
)


#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "down": ("D", "Down"),
    "blood": ("B", "blood"),
    "blessing": ("G", "blessing"),
    "activated": ("A", "activated"),
    "tough_used": ("T", "Tough used"),
    "may_leave_table": ("L", "may leave the table"),
}
