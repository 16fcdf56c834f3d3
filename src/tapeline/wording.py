"""Small words that sentences share: counts with their nouns, lists of names, chances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["counted", "figure", "listed", "percent", "percent_and_fraction"]


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun; many: where that is not `one` with an s.

    >>> counted(1, "hit"), counted(0, "hit"), counted(2, "entry", "entries")
    ('1 hit', '0 hits', '2 entries')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def figure(measured: float, limit: float, form: str = ".4g") -> str:
    """A measure, with as many places as tell it from the limit it is over or under.

    >>> figure(4.5, 4.0), figure(6.00001, 6.0), figure(8.001, 8.0, ".2f"), figure(8.0, 8.0, ".2f")
    ('4.5', '6.00001', '8.001', '8.00')
    """
    text = f"{measured:{form}}"
    exact = f"{measured:.8g}"
    return exact if float(text) == limit != float(exact) else text


def listed(names: Sequence[str]) -> str:
    """Names as a sentence tells them.

    >>> listed(["Ash"]), listed(["Ash", "Brandt"]), listed(["Ash", "Brandt", "Cole"])
    ('Ash', 'Ash and Brandt', 'Ash, Brandt and Cole')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def percent(chance: Fraction) -> str:
    """A chance in whole per cent, never 0 or 100 for one that only comes near.

    >>> percent(Fraction(2, 3)), percent(Fraction(1, 216)), percent(Fraction(1))
    ('67 %', 'under 1 %', '100 %')
    """
    share = round(100 * float(chance))
    if chance and not share:
        return "under 1 %"
    return "over 99 %" if share == 100 and chance < 1 else f"{share} %"


def percent_and_fraction(chance: Fraction) -> str:
    """The same with the fraction where there is one.

    >>> percent_and_fraction(Fraction(2, 3)), percent_and_fraction(Fraction(1))
    ('67 % (2/3)', '100 %')
    """
    return percent(chance) + (f" ({chance})" if chance.denominator > 1 else "")
