"""What marks, entries of the progress, figures, traits and legs are called, and what they mean."""

from __future__ import annotations

from tapeline.engine.names import Names
from tapeline.rules.warmaster.profiles import KEYWORDS, POLICIES, RANKS, TYPES

__all__ = ["NAMES"]

NAMES = Names(
    marks={
        "confused": "a unit is confused",
        "initiative": "a unit has acted on initiative this phase",
        "charged": "a unit has charged this phase",
        "no_move": "does not move this turn",
        "fortified": "a unit is fortified",
        "lost": "stands that a unit has lost",
        "orders": "orders that a unit got this turn",
        "failed": "the last order that a character tried to give has failed",
        "ordered_by": "id of the character whose orders a unit takes this turn",
        "may_move": "what a unit may do now; absent: nothing",
        "allowance": "how far a unit may fall back, cm",
        "command": "lasting change of a character's Command",
        "joined": "id of the unit that a character is with",
        "moved": "a character has made its move",
        "done": "a character has given its orders: another began to give his",
        "off": "is off the table and may come back",
        "slain": "a character has been slain",
    },
    progress={
        "closed": "initiative moves are over: an order has been tried, or a flyer went home",
        "general_failed": "the General has failed to give an order",
        "commander": "id of the character who gives orders now",
        "group": "ids of the units ordered together, still to move as a brigade",
        "home": "ids of the flyers that have gone home this turn",
        "over": "id of the side whose army withdraws: the battle is over",
    },
    values={
        "allowance": "how far the move may go, cm",
        "distance": "how far the stand that went farthest went, or a forced move must go, cm",
        "formation": "the formation before the move",
        "new_formation": "the formation after it",
        "blunder": "what was rolled on the blunder table",
        "result": "what the roll of who left the table came to",
        "moved": "how far the unit really went, cm",
        "needed": "what the order must not exceed on 2D6",
        "rolled": "what was rolled for the order",
        "dice": "dice rolled for the distance of a drive back",
    },
    figures={
        "type": "troop type, or character",
        "full": "full pace, cm",
        "half": "half pace, cm",
        "stands": "usual number of stands",
        "policy": "what the unit must or may not do on initiative",
        "command": "Command of a character; of a unit what it adds to that of who orders it",
        "rank": "what a character is",
        "mount": "what a character rides: how it goes over terrain",
        "keywords": "what sets it apart",
    },
    traits={
        "low": "seen past",
        "deep": "nobody sees far into it",
        "fortified": "who stands in it is fortified",
        "dense": "costs Command who orders a unit in it",
        "opaque": "not seen past",
        "barrier": "barred to everybody on foot",
    },
    legs={
        "walk": "a stand slides straight, or turns about a point (`centre` and `by`)",
        "free": "a stand goes straight to a point (`to`) while it turns evenly (`by`)",
    },
    words={
        "type": (*TYPES, "character"),
        "mount": tuple(TYPES),
        "rank": RANKS,
        "policy": POLICIES[1:],
        "keywords": KEYWORDS,
    },
)
