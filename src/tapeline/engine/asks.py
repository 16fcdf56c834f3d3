"""What the rules may need from outside before they can go on: dice, or somebody's choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from tapeline.dice import Roll
from tapeline.errors import AnswerError
from tapeline.table.marks import Value

__all__ = ["Answer", "Ask", "AttestedChoice", "Choice", "Option", "take_default"]


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen, and what it means in words."""

    value: Value
    text: str

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}


@dataclass(frozen=True, slots=True)
class Choice:
    """A question to one side.

    form: "one" of `options`; a "number" from `low` to `high` (whole if `whole`); a "path"
    (legs as in an action), whose legality the rules check when it is given.
    default: what a player who does not care gets; analysis uses it unless told otherwise.
    """

    by: str
    purpose: str
    clause: str
    form: Literal["one", "number", "path"] = "one"
    options: tuple[Option, ...] = ()
    low: float = 0.0
    high: float = 0.0
    whole: bool = True
    default: Value = None
    about: str | None = None

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}

    def fault(self, value: Value) -> str | None:
        """None if the value is an answer to this question, else why not."""
        if self.form == "one":
            if any(_alike(value, option.value) for option in self.options):
                return None
            allowed = ", ".join(repr(option.value) for option in self.options)
            return f"{self.purpose}: {value!r} is not among {allowed}"
        if self.form == "number":
            if isinstance(value, bool) or not isinstance(value, int | float):
                return f"{self.purpose}: {value!r} is not a number"
            if not self.low <= value <= self.high:
                return f"{self.purpose}: {value!r} is not from {self.low:g} to {self.high:g}"
            if self.whole and value != int(value):
                return f"{self.purpose}: {value!r} is not a whole number"
            return None
        if not isinstance(value, tuple):
            return f"{self.purpose}: a path is a list of legs"
        return None


class AttestedChoice(Choice):
    """A question to which the answer tells what was settled on the real table, by one side's word;
    its default tells nothing."""

    __slots__ = ()


def _alike(a: Value, b: Value) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)


#: What a procedure asks for next.
Ask: TypeAlias = Roll | Choice


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one ask: faces for a roll, a value for a choice; the other is None."""

    faces: tuple[int, ...] | None = None
    value: Value = None


def take_default(choice: Choice) -> Value:
    """The chooser that always takes what a player who does not care gets."""
    if choice.form == "path":
        return choice.default if choice.default is not None else ()
    if choice.default is None and choice.fault(None) is not None:
        raise AnswerError(f"{choice.purpose}: {choice.by} must choose, there is no default")
    return choice.default
