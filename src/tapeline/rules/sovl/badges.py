"""How marks show on the board: a letter each, and words beside it."""

from __future__ import annotations

from tapeline.engine.system import Looks

__all__ = ["BADGES"]

#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "fleeing": ("F", "fleeing"),
    "engaged": ("E", "in combat"),
    "activated": ("A", "activated"),
    "charged": ("C", "charged"),
    "fled": ("X", "fled from a charge"),
    "rallied": ("L", "tried to rally"),
    "wounds": ("W", "wounds"),
}
