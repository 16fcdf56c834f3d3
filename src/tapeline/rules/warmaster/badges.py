"""How marks show on the board: a letter each, and words beside it."""

from __future__ import annotations

from tapeline.engine.system import Looks

__all__ = ["BADGES"]

#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "confused": ("C", "confused"),
    "lost": ("L", "stands lost"),
    "may_move=order": ("M", "may move"),
    "may_move=half": ("M", "may move at half pace"),
    "may_move=rush": ("M", "may rush"),
    "may_move=fall_back": ("M", "may fall back"),
    "orders": ("O", "orders"),
    "failed": ("X", "order failed"),
    "initiative": ("I", "acted on initiative"),
    "charged": ("H", "charged"),
    "no_move": ("N", "does not move this turn"),
    "fortified": ("F", "fortified"),
    "joined": ("J", "with {}"),
    "moved": ("V", "has moved"),
    "slain": ("S", "slain"),
    "off": ("T", "off the table"),
}
