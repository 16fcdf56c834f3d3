"""A computer opponent for every rule system: it asks the referee, and knows no rule."""

from __future__ import annotations

from tapeline.opponent.levels import LEVELS, Level, Weights
from tapeline.opponent.player import Opponent, Suggestion

__all__ = ["LEVELS", "Level", "Opponent", "Suggestion", "Weights"]
