"""Small words that sentences share: counts with their nouns, figures, lists of names, chances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = [
    "counted",
    "figure",
    "figures",
    "listed",
    "percent",
    "percent_and_fraction",
    "spaced",
    "told_apart",
    "told_both",
]


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun; many: where that is not `one` with an s.

    >>> counted(1, "hit"), counted(0, "hit"), counted(2, "entry", "entries")
    ('1 hit', '0 hits', '2 entries')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def figure(value: float, decimals: int = 2) -> str:
    """A figure without needless zeros.

    >>> figure(3.0), figure(0.934), figure(-0.001)
    ('3', '0.93', '0')
    """
    text = f"{value:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def figures(one: float, other: float) -> tuple[str, str]:
    """Two figures with as many decimals as it takes to tell them apart, two at least.

    >>> figures(8.000004, 8.0)
    ('8.000004', '8')
    """
    for decimals in range(2, 10):
        pair = figure(one, decimals), figure(other, decimals)
        if pair[0] != pair[1] or one == other:
            return pair
    return repr(one), repr(other)


def spaced(name: str) -> str:
    """A name of the rules as words.

    >>> spaced("out_of_action"), spaced("set-up")
    ('out of action', 'set up')
    """
    return name.replace("_", " ").replace("-", " ")


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


def told_apart(measured: float, limit: float, form: str = ".4g") -> str:
    """A measure in its usual form, or with as many decimals as tell it from its limit.

    >>> told_apart(4.5, 4.0), told_apart(6.00001, 6.0), told_apart(8.001, 8.0, ".2f")
    ('4.5', '6.00001', '8.001')
    >>> told_apart(0.000002, 0.0)
    '0.000002'
    """
    text = f"{measured:{form}}"
    exact = round(measured, 8)
    return figures(exact, limit)[0] if "e" in text or float(text) == limit != exact else text


def told_both(
    measured: float, limit: float, form: str = ".4g", of_limit: str = ""
) -> tuple[str, str]:
    """A measure and its limit in their usual form, or with as many decimals as tell which is more.

    For limits that need be no round figures, such as what is left of an allowance. of_limit: the
    form of the limit, where it is another.

    >>> told_both(9.0, 8.0, ".3f"), told_both(8.00001, 8.0, ".3f")
    (('9.000', '8.000'), ('8.00001', '8.000'))
    >>> told_both(2.0, 1.99999, ".3f"), told_both(4.0, 3.999996, "g")
    (('2', '1.99999'), ('4', '3.999996'))
    >>> told_both(4.5, 4.0, ".2f", "g"), told_both(0.492128, 0.492126, ".2f", "g")
    (('4.50', '4'), ('0.492128', '0.492126'))
    """
    other = f"{limit:{of_limit or form}}"
    text = told_apart(measured, float(other), form)
    if (float(text) - float(other)) * (measured - limit) > 0.0:
        return text, other
    return figures(round(measured, 8), round(limit, 8))
