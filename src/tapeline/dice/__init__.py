"""Chance has one door: a source answers a roll, and the answer is written down.

Sources: `SeededDice`, `ScriptedDice`, `TypedDice`. Exact odds: `classes_of_roll`.
What the rules read from them, in words: `Reading`.
"""

from tapeline.dice.readings import Band, Reading, passes, said_reading
from tapeline.dice.rolls import Roll, RollClass, check_faces, classes_of_roll, number_of_classes
from tapeline.dice.sources import DiceSource, ScriptedDice, SeededDice, TypedDice

__all__ = [
    "Band",
    "DiceSource",
    "Reading",
    "Roll",
    "RollClass",
    "ScriptedDice",
    "SeededDice",
    "TypedDice",
    "check_faces",
    "classes_of_roll",
    "number_of_classes",
    "passes",
    "said_reading",
]
