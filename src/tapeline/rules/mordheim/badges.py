"""How marks show on the board: a letter each, and words beside it."""

from __future__ import annotations

from tapeline.engine.system import Looks

__all__ = ["BADGES"]

#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "condition=knocked_down": ("D", "knocked down"),
    "condition=stunned": ("S", "stunned"),
    "fleeing": ("F", "fleeing"),
    "hidden": ("H", "hidden"),
    "engaged": ("E", "fights {}"),
    "wounds_lost": ("W", "wounds lost"),
    "charge=declared": ("C", "charge declared"),
    "charge=success": ("C", "charged"),
    "charge=failed": ("C", "charge failed"),
    "charge=blocked": ("C", "charge blocked"),
    "charge=unnoticed": ("C", "charge given up"),
    "moved": ("M", "has moved"),
    "ran": ("R", "ran"),
    "stood_up": ("U", "stood up"),
    "rallied": ("L", "rallied"),
    "shot": ("T", "has shot"),
    "stumbles": ("B", "stumbles on"),
    "stands_still": ("I", "stands still"),
}
