"""Where dice and choices of a command come from: written down, a seed, or a person typing."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple

import click

from tapeline.cli.output import error_lines, say
from tapeline.cli.shortform import read_answer
from tapeline.dice import DiceSource, ScriptedDice, SeededDice, TypedDice
from tapeline.engine.asks import Choice, take_default
from tapeline.errors import AnswerError, DiceError, DocumentError, Fault
from tapeline.picture.words import ask_words
from tapeline.play.battle import Chooser
from tapeline.table.marks import Value, freeze
from tapeline.wording import counted

__all__ = ["Chance", "Given", "chance_options", "read_dice"]


def read_dice(text: str) -> list[list[int]]:
    """Rolls as typed: faces apart by blanks, rolls by commas.

    >>> read_dice("3 4, 6")
    [[3, 4], [6]]
    """
    rolls = []
    for roll in text.split(","):
        faces = roll.split()
        if not faces or not all(re.fullmatch(r"\d{1,4}", face) for face in faces):
            raise DiceError(f'dice are written "3 4,6" (rolls apart by commas); got {text!r}')
        rolls.append([int(face) for face in faces])
    return rolls


def _prompt(text: str) -> str:
    say(text, end=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


@dataclass
class Chance:
    """The dice and answers that a command was given."""

    dice: DiceSource | None = None
    answers: list[Any] = field(default_factory=list)
    chooser: Chooser | None = None

    def nothing_left(self, what: str) -> None:
        """Raises DocumentError if dice or answers were given that nobody asked for."""
        left = self.dice.left if isinstance(self.dice, ScriptedDice) else 0
        faults = []
        if left:
            message = f"{counted(left, 'roll was', 'rolls were')} not asked for"
            faults.append(Fault("--dice", message))
        if self.answers:
            unasked = counted(len(self.answers), "answer was", "answers were")
            faults.append(Fault("--answer", f"{unasked} not asked for"))
        if faults:
            raise DocumentError(what, faults)


class Given(NamedTuple):
    """What the options on dice and choices say."""

    dice: str | None = None
    seed: str | None = None
    type_dice: bool = False
    answer: tuple[str, ...] = ()
    defaults: bool = False

    def chance(self) -> Chance:
        """Where rolls and answers come from. Raises DiceError if that is said twice."""
        if sum((self.dice is not None, self.seed is not None, self.type_dice)) > 1:
            raise DiceError("give one of --dice, --seed and --type-dice")
        source: DiceSource | None = None
        if self.dice is not None:
            source = ScriptedDice(read_dice(self.dice))
        elif self.seed is not None:
            source = SeededDice(self.seed)
        elif self.type_dice:
            source = TypedDice(_prompt, lambda text: say(text, err=True))
        chooser = take_default if self.defaults else type_choice if self.type_dice else None
        values = [read_answer(text, "--answer") for text in self.answer]
        return Chance(source, values, chooser)


def chance_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --dice, --seed, --type-dice, --answer and --defaults; the command has them as `given`."""

    @wraps(command)
    def with_given(**options: Any) -> Any:
        given = Given(*(options.pop(name) for name in Given._fields))
        return command(given=given, **options)

    for option in reversed(
        [
            click.option(
                "--dice", metavar="ROLLS", help='Faces rolled; commas part rolls: "3 4,6".'
            ),
            click.option("--seed", metavar="SEED", help="Roll dice from a seed."),
            click.option(
                "--type-dice", is_flag=True, help="Ask for the dice and choices as they are needed."
            ),
            click.option(
                "--answer",
                multiple=True,
                metavar="VALUE",
                help="Answer to a choice, in order; a path is x,y;x,y. May be repeated.",
            ),
            click.option("--defaults", is_flag=True, help="Let every choice take its default."),
        ]
    ):
        with_given = option(with_given)
    return with_given


def type_choice(choice: Choice) -> Value:
    """Ask a person for a choice until the answer fits. Raises AnswerError at the end of input."""
    say(ask_words(choice), err=True)
    for number, option in enumerate(choice.options, 1):
        say(f"  {number}. {option.text}", err=True)
    while True:
        try:
            text = _prompt("choose: ")
        except EOFError:
            raise AnswerError(f"input ended before the choice: {choice.purpose}") from None
        if choice.options and text.isdigit() and 1 <= int(text) <= len(choice.options):
            return choice.options[int(text) - 1].value
        try:
            value = freeze(read_answer(text, "choice"))
        except (DocumentError, TypeError) as error:
            say(*error_lines(error), err=True)
            continue
        fault = choice.fault(value)
        if fault is None:
            return value
        say(fault, err=True)
