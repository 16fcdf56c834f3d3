"""Every number of the rules, with its unit and its clause. Troop types and units: profiles.toml."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ADVANCE_CM",
    "BLIND_CM",
    "BRIGADE_MOST",
    "CHARACTER_FLYING_CM",
    "CHARACTER_SHIFT_CM",
    "COLUMN_BEND_DEG",
    "COMMAND_BAND_CM",
    "COMMAND_NEAR_CM",
    "EVADE_CLEAR_CM",
    "EVADE_LEAST_CM",
    "FALL_BACK_DICE",
    "FIRST_CONTACT_CM",
    "FLYER_CHARGE_CM",
    "FLYER_ORDER_CM",
    "FLYER_PACE_CM",
    "GAP_LEAST_CM",
    "HALT_SHORT_CM",
    "HOME_BACK_CM",
    "INITIATIVE_CM",
    "ORDERS_MOST",
    "RETURN_ACTS",
    "RETURN_BACK",
    "TURN_MOST_DEG",
    "ZONE_DEG",
]

#: Closest enemy that initiative answers to (WM-INIT-1), cm.
INITIATIVE_CM: Final = 20.0
#: An evade goes at least this far (WM-EVADE-2), and ends this far from enemies and fights
#: (WM-EVADE-10), cm.
EVADE_LEAST_CM: Final = 1.0
EVADE_CLEAR_CM: Final = 5.0
#: The sharpest bend of a column (WM-FORM-3), degrees.
COLUMN_BEND_DEG: Final = 90.0
#: A turn is by at most this (WM-STAND-1): beyond it the straight measure shrinks while the sweep
#: grows, degrees.
TURN_MOST_DEG: Final = 180.0
#: Least width of any gap for a stand of usual size (WM-GAP-1), cm; it is the stand's shortest edge.
GAP_LEAST_CM: Final = 2.0
#: How far sight reaches into woods and villages (WM-VIS-8), cm.
BLIND_CM: Final = 2.0
#: Move of a character that flies (WM-CHAR-4), cm.
CHARACTER_FLYING_CM: Final = 100.0
#: A lone character touched by enemies must reach a friendly unit this near (WM-CHAR-10), cm.
CHARACTER_SHIFT_CM: Final = 30.0
#: Each band of distance between character and unit costs 1 Command (WM-CMD-3), cm.
COMMAND_BAND_CM: Final = 20.0
#: An enemy this near costs 1 Command (WM-CMD-3), cm.
COMMAND_NEAR_CM: Final = 20.0
#: Orders a unit may get in a turn (WM-CMD-4); units in a brigade (WM-CMD-8).
ORDERS_MOST: Final = 3
BRIGADE_MOST: Final = 4
#: Flyers (WM-PACE-2, WM-FLY-2, -3, WM-CMD-6), cm.
FLYER_PACE_CM: Final = 100.0
FLYER_CHARGE_CM: Final = 60.0
FLYER_ORDER_CM: Final = 20.0
HOME_BACK_CM: Final = 20.0
#: Free edge of the target that the first stand of a charge needs (WM-CHG-3), cm.
FIRST_CONTACT_CM: Final = 1.0
#: The zones about a target stand open outward at this angle (WM-CHG-2), degrees.
ZONE_DEG: Final = 45.0
#: Forced moves stop this short of enemies and fights (WM-CONF-2), cm.
HALT_SHORT_CM: Final = 1.0
#: A fall back goes up to this many dice (WM-FB-1); an advance this far (WM-ADV-1), cm.
FALL_BACK_DICE: Final = 3
ADVANCE_CM: Final = 20.0
#: Results of the roll for leaving the table (WM-OFF-5..8): this much or more is back, and acts.
RETURN_BACK: Final = 3
RETURN_ACTS: Final = 5
