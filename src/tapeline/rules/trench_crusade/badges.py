"""How marks show on the board: a letter each, and words beside it."""

from __future__ import annotations

from tapeline.engine.system import Looks

__all__ = ["BADGES"]

#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "down": ("D", "Down"),
    "blood": ("B", "blood"),
    "blessing": ("G", "blessing"),
    "activated": ("A", "activated"),
    "tough_used": ("T", "Tough used"),
    "may_leave_table": ("L", "may leave the table"),
}
