"""Chance has one door: a source answers a roll, and the answer is written down.

Sources: `SeededDice`, `ScriptedDice`, `TypedDice`. Exact odds: `classes_of_roll`.
"""

from tapeline.dice.classes import RollClass, classes_of_roll, number_of_classes
from tapeline.dice.rolls import Roll, check_faces
from tapeline.dice.sources import DiceSource, ScriptedDice, SeededDice, TypedDice

__all__ = [
    "DiceSource",
    "Roll",
    "RollClass",
    "ScriptedDice",
    "SeededDice",
    "TypedDice",
    "check_faces",
    "classes_of_roll",
    "number_of_classes",
]
